"""Clips in native files."""

from dataclasses import asdict
from typing import Any

from core.clips.clip import (
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
from core.ids import AssetId
from core.io.native.packs import PackReader, PackWriter
from core.io.native.schema import AssetKind, Document, Schema
from core.timing import FrameRate
from core.tracks.keys import (
    QUATERNION_COLUMNS,
    SCALAR_COLUMNS,
    Extrapolation,
    QuaternionTrack,
    ScalarTrack,
    Track,
    columns,
)


def _put_track(track: Track, packs: PackWriter) -> Document:
    document: Document = {"type": "scalar" if isinstance(track, ScalarTrack) else "quaternion"}
    document |= {name: packs.put(getattr(track, name)) for name in columns(track)}
    document["before"], document["after"] = track.before.name.lower(), track.after.name.lower()
    return document


def _track(document: Document, packs: PackReader) -> Any:
    kind: Any = {"scalar": ScalarTrack, "quaternion": QuaternionTrack}[document["type"]]
    names = SCALAR_COLUMNS if kind is ScalarTrack else QUATERNION_COLUMNS
    arrays = {name: packs.get(document[name]) for name in names}
    ends = {side: Extrapolation[document[side].upper()] for side in ("before", "after")}
    return kind(**arrays, **ends)


def _scalar(document: Document, packs: PackReader) -> ScalarTrack:
    track = _track(document, packs)
    if not isinstance(track, ScalarTrack):
        raise ValueError("expected a scalar track")
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
                **_put_track(track, packs),
            }
            for channel, track in clip.tracks.items()
        ],
        "curves": {name: _put_track(track, packs) for name, track in clip.curves.items()},
        "morphs": {name: _put_track(track, packs) for name, track in clip.morphs.items()},
        "notifies": [_put_notify(n) for n in clip.notifies],
        "sync_markers": [asdict(marker) for marker in clip.sync_markers],
        "markers": [asdict(marker) for marker in clip.markers],
        "additive": None if clip.additive is None else asdict(clip.additive),
        "root_motion": asdict(clip.root_motion),
        "retarget_source": clip.retarget_source,
    }


def _put_notify(notify: Notify) -> Document:
    """A notify as plain values."""
    return {
        "name": notify.name,
        "time": notify.time,
        "duration": notify.duration,
        "data": dict(notify.data),
    }


def _from_document(document: Document, packs: PackReader) -> Clip:
    additive = document["additive"]
    return Clip(
        AssetId(document["id"]),
        document["name"],
        AssetId(document["rig"]),
        document["length"],
        _rate(document["rate"]),
        document["looping"],
        {
            Channel(t["bone"], Property[t["property"].upper()], t["axis"]): _track(t, packs)
            for t in document["tracks"]
        },
        {name: _scalar(t, packs) for name, t in document["curves"].items()},
        {name: _scalar(t, packs) for name, t in document["morphs"].items()},
        tuple(Notify(**n) for n in document["notifies"]),
        tuple(SyncMarker(**m) for m in document["sync_markers"]),
        tuple(Marker(**m) for m in document["markers"]),
        None
        if additive is None
        else Additive(
            **{
                **additive,
                "space": AdditiveSpace(additive["space"]),
                "base": AdditiveBase(additive["base"]),
            }
        ),
        RootMotion(**{**document["root_motion"], "pose": RootPose(document["root_motion"]["pose"])}),
        document["retarget_source"],
    )


def _rate(text: str) -> FrameRate:
    """Exactly the rate that was written (`FrameRate.of` would round it)."""
    from fractions import Fraction

    if len(text) > 100:
        raise ValueError("expected a frame rate")
    return FrameRate(Fraction(text))


KIND = AssetKind("clip", Clip, Schema("posewright.clip", 1), _to_document, _from_document)
