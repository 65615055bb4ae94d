"""Clips in native files."""

from dataclasses import asdict
from fractions import Fraction
from typing import Any

from core.clips.clip import (
    WHOLE,
    Additive,
    AdditiveBase,
    AdditiveSpace,
    Channel,
    Clip,
    Marker,
    Notify,
    Property,
    RootMotion,
    RootPose,
    SyncMarker,
)
from core.clips.notifies import rule_from, rule_values
from core.errors import ValidationError
from core.ids import AssetId
from core.io.native.packs import PackReader, PackWriter
from core.io.native.schema import AssetKind, Document, Schema
from core.json_values import Value
from core.timing import FrameRate
from core.tracks.key_types import UNTYPED
from core.tracks.keys import (
    QUATERNION_COLUMNS,
    SCALAR_COLUMNS,
    Extrapolation,
    QuaternionTrack,
    ScalarTrack,
    Track,
    columns,
)

EXTRAPOLATIONS = {kind.name.lower(): kind for kind in Extrapolation}
PROPERTIES = {prop.name.lower(): prop for prop in Property}
TRACKS: dict[str, Any] = {"scalar": ScalarTrack, "quaternion": QuaternionTrack}


def put_track(track: Track, packs: PackWriter) -> Document:
    """A track as plain values; its columns go into the packs."""
    document: Document = {"type": "scalar" if isinstance(track, ScalarTrack) else "quaternion"}
    document |= {name: packs.put(getattr(track, name)) for name in columns(track) if name != "types"}
    if track.types.any():
        document["types"] = packs.put(track.types)
    document["before"], document["after"] = track.before.name.lower(), track.after.name.lower()
    return document


def _track(value: Value, packs: PackReader) -> Track:
    kind: Any = value.choice("type", TRACKS)
    names = SCALAR_COLUMNS if kind is ScalarTrack else QUATERNION_COLUMNS
    before, after = value.choice("before", EXTRAPOLATIONS), value.choice("after", EXTRAPOLATIONS)
    try:
        arrays = {name: packs.get(value.required(name)) for name in names if name != "types"}
        arrays["types"] = packs.get(value.required("types")) if value.has("types") else UNTYPED
        if kind is ScalarTrack:
            return packs.columns.track(arrays, before, after)
        track: Track = kind(**arrays, before=before, after=after)
    except ValidationError as error:
        raise value.error(str(error)) from error
    return track


def _scalars(values: dict[str, Value], packs: PackReader) -> dict[str, ScalarTrack]:
    tracks = {}
    for name, value in values.items():
        tracks[name] = scalar_from(value, packs)
    return tracks


def scalar_from(value: Value, packs: PackReader) -> ScalarTrack:
    """The scalar track that `put_track` wrote."""
    track = _track(value, packs)
    if not isinstance(track, ScalarTrack):
        raise value.error("expected a scalar track")
    return track


def _to_document(clip: Clip, packs: PackWriter) -> Document:
    return {
        "id": clip.id,
        "name": clip.name,
        "rig": clip.rig,
        "length": clip.length,
        "rate": str(clip.rate.value),
        "looping": clip.looping,
        "tracks": [
            {
                "bone": channel.bone,
                "property": Property(channel.property).name.lower(),
                "axis": channel.axis,
                **put_track(track, packs),
            }
            for channel, track in clip.tracks.items()
        ],
        "curves": {name: put_track(track, packs) for name, track in clip.curves.items()},
        "morphs": {name: put_track(track, packs) for name, track in clip.morphs.items()},
        "notifies": [put_notify(n) for n in clip.notifies],
        "sync_markers": [asdict(marker) for marker in clip.sync_markers],
        "markers": [asdict(marker) for marker in clip.markers],
        "additive": None if clip.additive is None else asdict(clip.additive),
        "root_motion": asdict(clip.root_motion),
        "retarget_source": clip.retarget_source,
        "event_colors": dict(clip.event_colors),
    }


def put_notify(notify: Notify) -> Document:
    """A notify as plain values; rule and lane only where they differ from the default."""
    told: Document = {
        "name": notify.name,
        "time": notify.time,
        "duration": notify.duration,
        "data": dict(notify.data),
    }
    rule = rule_values(notify.rule)
    if rule:
        told["rule"] = rule
    if notify.lane:
        told["lane"] = notify.lane
    return told


def _from_document(value: Value, packs: PackReader) -> Clip:
    colors = value.object("event_colors")
    return Clip(
        AssetId(value.text("id")),
        value.text("name"),
        AssetId(value.text("rig")),
        value.number("length", 0.0),
        _rate(value),
        value.flag("looping"),
        {_channel(track): _track(track, packs) for track in value.objects("tracks")},
        _scalars(value.mapping("curves"), packs),
        _scalars(value.mapping("morphs"), packs),
        tuple(notify_from(notify) for notify in value.objects("notifies")),
        tuple(SyncMarker(m.text("name"), m.number("time", 0.0)) for m in value.objects("sync_markers")),
        tuple(Marker(m.text("name"), m.number("time", 0.0)) for m in value.objects("markers")),
        _additive(value.object("additive")) if value.has("additive") else None,
        _root_motion(value.object("root_motion")),
        value.text("retarget_source") if value.has("retarget_source") else None,
        {name: colors.text(name) for name in colors.names()},
    )


def _channel(value: Value) -> Channel:
    prop = value.choice("property", PROPERTIES)
    return Channel(value.text("bone"), prop, value.integer("axis", below=WHOLE + 1))


def notify_from(value: Value) -> Notify:
    """A notify from the values of `put_notify`."""
    data = value.object("data")
    words = {name: data.text(name) for name in data.names()}
    try:
        rule = rule_from(value.object("rule").data)
    except ValidationError as error:
        raise value.error(str(error), "rule") from None
    return Notify(
        value.text("name"),
        value.number("time", 0.0),
        value.number("duration", 0.0),
        words,
        rule,
        value.text("lane", ""),
    )


def _additive(value: Value) -> Additive:
    return Additive(
        value.choice("space", {str(space): space for space in AdditiveSpace}),
        value.choice("base", {str(base): base for base in AdditiveBase}),
        AssetId(value.text("base_clip")) if value.has("base_clip") else None,
        value.number("base_time", 0.0),
    )


def _root_motion(value: Value) -> RootMotion:
    return RootMotion(
        value.flag("enabled"),
        value.text("bone") if value.has("bone") else None,
        value.flag("ground"),
        value.flag("height"),
        value.flag("yaw"),
        value.choice("pose", {str(pose): pose for pose in RootPose}),
    )


def _rate(value: Value) -> FrameRate:
    """Exactly the rate that was written (`FrameRate.of` would round it)."""
    text = value.text("rate")
    try:
        return FrameRate(Fraction(text if len(text) < 100 else "0"))
    except (ValueError, ZeroDivisionError, ValidationError) as error:
        raise value.error(f"expected a frame rate, got {text[:40]!r}", "rate") from error


def _with_types(document: Document) -> Document:
    """From version 1 on keys may have types; a track without the column has plain keys."""
    return document


KIND = AssetKind("clip", Clip, Schema("posewright.clip", 2, {1: _with_types}), _to_document, _from_document)
