"""Mirroring clips, ranges and keys (spec: editing, Mirroring); see `core.clips.mirror_tracks` for how."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, cast

import numpy as np

from core.clips import keying
from core.clips.clip import WHOLE, Channel, Clip, Property
from core.clips.evaluator import rest_degrees
from core.clips.loop_tools import cycled
from core.clips.mirror_tracks import Changes, mirrored_tracks
from core.pose.mirror import MirrorWay, mirror_map
from core.progress import counted
from core.rig.mirror import side_of
from core.rig.rig import Rig
from core.timing import TIME_EPSILON
from core.tracks import edits
from core.tracks.edits import keys_between
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import (
    QuaternionTrack,
    ScalarTrack,
    TangentMode,
    Track,
    joined,
    quaternion_track,
    scalar_track,
    taken,
)

# ---------------------------------------------------------------- whole clips


def mirrored_clip(
    rig: Rig,
    clip: Clip,
    way: MirrorWay = MirrorWay.SWAP,
    bones: Iterable[str] | None = None,
    half_cycle: bool = False,
) -> Clip:
    """The clip mirrored: same id and name, other tracks.

    Parameters
    ----------
    bones : names of the bones that may change; None for all
    half_cycle : begin half a cycle later, so that a walk starts on the same foot again; what
        travels over the clip (a root that walks on) keeps travelling

    Notes
    -----
    With `SWAP` on all bones, notifies, sync markers, float curves and morphs whose names tell a side
    change it where the other side's name is known or nothing but the name tells it.

    Raises
    ------
    ValidationError
        A half cycle is asked of a clip that does not loop.
    """
    if bones is None and half_cycle:
        clip = _half_cycled(clip)
    mapping = mirror_map(rig, way, bones)
    result = clip.with_tracks(mirrored_tracks(rig, clip, mapping))
    if bones is not None and half_cycle:
        shifted = _half_cycled(result)
        chosen = {rig.skeleton.names[b] for b in np.flatnonzero(mapping.source >= 0)}
        result = result.with_tracks({c: t for c, t in shifted.tracks.items() if c.bone in chosen})
    return _other_sides(result) if way is MirrorWay.SWAP and bones is None else result


def mirrored_range(
    rig: Rig,
    clip: Clip,
    start: float,
    end: float,
    way: MirrorWay = MirrorWay.SWAP,
    bones: Iterable[str] | None = None,
) -> Clip:
    """The clip mirrored from `start` to `end` (seconds); keys outside stay.

    Both ends get keys, so that the mirrored part is exact up to them; the curve runs on to the
    keys beside the range.
    """
    loop = keying.loop_length(clip)
    changes = mirrored_tracks(rig, clip, mirror_map(rig, way, bones))
    result: Changes = {}
    for channel, new in counted(changes.items()):
        result[channel] = _spliced(rig, clip, channel, new, start, end, loop)
    kept = _one_kind(clip, result)
    return clip.with_tracks(kept) if kept else clip


# ---------------------------------------------------------------- ranges


def _spliced(
    rig: Rig, clip: Clip, channel: Channel, new: Track | None, start: float, end: float, loop: float | None
) -> Track | None:
    """The old track with the part from start to end taken from the new one."""
    old: Any = clip.tracks.get(channel)
    fresh: Any = new if new is not None else _resting(rig, channel, old)
    if old is None and fresh is None:
        return None
    if old is None:
        old = _resting(rig, channel, fresh)
    if type(old) is not type(fresh):
        return cast(Track, old)
    for time in (start, end):
        fresh = edits.insert_key(fresh, time, loop)
    inside = taken(fresh, keys_between(fresh, start, end))
    before, after = (
        np.flatnonzero(old.times < start - TIME_EPSILON),
        np.flatnonzero(old.times > end + TIME_EPSILON),
    )
    parts = [taken(old, before)] if len(before) else []
    parts.append(inside)
    if len(after):
        parts.append(taken(old, after))
    whole: Any = joined(parts)
    whole = replace(whole, before=old.before, after=old.after)
    if isinstance(whole, ScalarTrack):  # both ends keep their slopes, or the part between would bend
        modes = np.array(whole.modes)
        modes[[len(before), len(before) + len(inside) - 1]] = TangentMode.BROKEN
        whole = replace(whole, modes=modes)
    return cast(Track, whole)


def _resting(rig: Rig, channel: Channel, like: Any) -> Any:
    """A track that holds the channel's rest value, with keys at the ends of another track."""
    if like is None:
        return None
    skeleton = rig.skeleton
    bone = skeleton.index(channel.bone)
    times = np.unique(like.times[[0, -1]])
    if isinstance(like, QuaternionTrack):
        return quaternion_track(times, np.tile(skeleton.rest.rotation[bone], (len(times), 1)))
    values = rest_degrees(skeleton, bone)
    if channel.property is not Property.ROTATE:
        values = skeleton.rest[channel.property][bone]
    return scalar_track(times, np.full(len(times), values[channel.axis]))


def _one_kind(clip: Clip, changes: Changes) -> Changes:
    """Changes without those that would give a bone Euler and quaternion tracks at once."""
    kept = dict(changes)
    for channel, track in changes.items():
        if track is None or channel.property is not Property.ROTATE or channel in clip.tracks:
            continue
        whole = clip.rotation(channel.bone) is not None
        angles = any(Channel(channel.bone, Property.ROTATE, a) in clip.tracks for a in range(3))
        if (angles and channel.axis == WHOLE) or (whole and channel.axis != WHOLE):
            del kept[channel]
    return kept


# ---------------------------------------------------------------- cycles and names


def _half_cycled(clip: Clip) -> Clip:
    """The looping clip begun half a cycle later; what travels over it goes on from where it started."""
    ramps = {channel: _travel(track, clip.length) for channel, track in clip.tracks.items()}
    level = {
        channel: _sheared(cast(ScalarTrack, clip.tracks[channel]), -ramp)
        for channel, ramp in ramps.items()
        if ramp
    }
    shifted = cycled(clip.with_tracks(level), clip.length / 2.0)
    back: Changes = {}
    for channel, ramp in ramps.items():
        if ramp:
            back[channel] = _sheared(cast(ScalarTrack, shifted.tracks[channel]), ramp)
    return shifted.with_tracks(back)


def _travel(track: Track, length: float) -> float:
    """Value units a second that a scalar track gains over the clip; 0 where it closes."""
    if not isinstance(track, ScalarTrack) or len(track) < 2 or length <= 0.0:
        return 0.0
    ends = evaluate_scalar(track, np.array([0.0, length]))
    gain = float(ends[1] - ends[0])
    return gain / length if abs(gain) > 1e-6 * max(1.0, abs(float(ends[0]))) else 0.0


def _sheared(track: ScalarTrack, ramp: float) -> ScalarTrack:
    """The track plus a steady `ramp` (value units a second), shapes kept."""
    return replace(
        track,
        values=track.values + ramp * track.times,
        in_slopes=track.in_slopes + ramp,
        out_slopes=track.out_slopes + ramp,
    )


def _other_sides(clip: Clip) -> Clip:
    """Names that tell a side changed to the other side's."""
    return replace(
        clip,
        notifies=tuple(replace(n, name=other_side(n.name)) for n in clip.notifies),
        sync_markers=tuple(replace(m, name=other_side(m.name)) for m in clip.sync_markers),
        curves=_swapped(clip.curves),
        morphs=_swapped(clip.morphs),
    )


def _swapped(tracks: Mapping[str, ScalarTrack]) -> dict[str, ScalarTrack]:
    named = {name: other_side(name) for name in tracks}
    if len(set(named.values())) < len(named):
        return dict(tracks)
    return {named[name]: track for name, track in tracks.items()}


_OTHER = {"left": "right", "l": "r", "左": "右", "right": "left", "r": "l", "右": "左"}


def other_side(name: str) -> str:
    """The name with its side changed (``left_down`` → ``right_down``); as it is where it tells none."""
    found = side_of(name)
    if found is None:
        return name
    stem = found[1]
    head, _, tail = stem.partition("*")
    word = name[len(head) : len(name) - len(tail)] if tail else name[len(head) :]
    other = _OTHER.get(word.lower())
    if other is None:
        return name
    if word.isupper():
        other = other.upper()
    elif word[:1].isupper():
        other = other.capitalize()
    return f"{name[: len(head)]}{other}{name[len(name) - len(tail) :] if tail else ''}"
