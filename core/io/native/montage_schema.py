"""Montages in native files."""

from core.graph.graph import BlendKind
from core.graph.montage import Montage, MontageBlend, Section, Segment, SlotTrack
from core.ids import AssetId
from core.io.native.clip_schema import notify_from, put_notify, put_track, scalar_from
from core.io.native.graph_schema import easing_from, put_easing
from core.io.native.packs import PackReader, PackWriter
from core.io.native.schema import AssetKind, Document, Schema
from core.json_values import Value


def _to(montage: Montage, packs: PackWriter) -> Document:
    return {
        "id": montage.id,
        "name": montage.name,
        "rig": montage.rig,
        "group": montage.group,
        "tracks": [
            {
                "slot": track.slot,
                "segments": [put_segment(segment) for segment in track.segments],
            }
            for track in montage.tracks
        ],
        "sections": [{"name": s.name, "start": s.start, "next": s.next} for s in montage.sections],
        "blend_in": _put_blend(montage.blend_in),
        "blend_out": _put_blend(montage.blend_out),
        "blend_out_trigger": montage.blend_out_trigger,
        "auto_blend_out": montage.auto_blend_out,
        "rate": montage.rate,
        "curves": {name: put_track(track, packs) for name, track in montage.curves.items()},
        "notifies": [put_notify(notify) for notify in montage.notifies],
        "root_motion": montage.root_motion,
        "sync_group": montage.sync_group,
    }


def _put_blend(blend: MontageBlend) -> Document:
    return {
        "seconds": blend.seconds,
        "ease": put_easing(blend.easing),
        "kind": str(blend.kind),
        "profile": blend.profile,
    }


def _from(value: Value, packs: PackReader) -> Montage:
    curves = value.object("curves")
    return Montage(
        AssetId(value.text("id")),
        value.text("name"),
        AssetId(value.text("rig")),
        value.text("group"),
        tuple(
            SlotTrack(
                track.text("slot"), tuple(segment_from(segment) for segment in track.objects("segments"))
            )
            for track in value.objects("tracks")
        ),
        tuple(
            Section(s.text("name"), s.number("start", 0.0), s.text("next", ""))
            for s in value.objects("sections")
        ),
        _blend(value.object("blend_in")),
        _blend(value.object("blend_out")),
        value.number("blend_out_trigger", -1.0),
        value.flag("auto_blend_out"),
        value.number("rate", 1.0),
        {name: scalar_from(curves.object(name), packs) for name in curves.names()},
        tuple(notify_from(notify) for notify in value.objects("notifies")),
        value.flag("root_motion"),
        value.text("sync_group", ""),
    )


def put_segment(segment: Segment) -> Document:
    """A segment as plain values."""
    return {
        "clip": segment.clip, "place": segment.place, "begin": segment.begin, "end": segment.end,
        "rate": segment.rate,
    }  # fmt: skip


def segment_from(value: Value) -> Segment:
    """A segment from the values of `put_segment`."""
    return Segment(
        AssetId(value.text("clip")),
        value.number("place", 0.0),
        value.number("begin", 0.0),
        value.number("end", 0.0),
        value.number("rate", 1.0),
    )


def _blend(value: Value) -> MontageBlend:
    return MontageBlend(
        value.number("seconds", 0.0),
        easing_from(value.object("ease")),
        value.choice("kind", {str(kind): kind for kind in (BlendKind.CROSSFADE, BlendKind.INERTIALISE)}),
        value.text("profile", ""),
    )


def _second(document: Document) -> Document:
    """Version 1 had crossfades of all bones alike, and no sync group."""
    added = {"kind": str(BlendKind.CROSSFADE), "profile": ""}
    blends: Document = {
        key: {**document[key], **added} for key in ("blend_in", "blend_out") if key in document
    }
    return {**document, **blends, "sync_group": ""}


KIND = AssetKind("montage", Montage, Schema("posewright.montage", 2, {1: _second}), _to, _from)
