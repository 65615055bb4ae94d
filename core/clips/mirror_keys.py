"""Mirroring keys: values of the mirrored pose set on the other side where keys stand (spec: editing, Mirroring)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.clips import keying
from core.clips.clip import WHOLE, Channel, Clip, Property
from core.clips.evaluator import ClipEvaluator, rest_degrees
from core.clips.mirror_tracks import Changes
from core.math import euler, quat
from core.math.transform import Transform
from core.pose.mirror import MirrorWay, mirror_map, mirrored
from core.progress import checkpoint, counted
from core.rig.rig import Rig
from core.timing import TIME_EPSILON
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import QuaternionTrack, ScalarTrack, Track, quaternion_track
from core.tracks.setting import keys_at, set_curve, set_turns
from core.tracks.typed import typed_at, with_types

AT_ONCE = 128
"""Times that are sampled and mirrored together: a tenth of a second at most, so that a cancel acts soon."""

Wanted = dict[str, dict[Property, FloatArray]]


def mirrored_keys(
    rig: Rig, clip: Clip, keys: Mapping[Channel, FloatArray], way: MirrorWay = MirrorWay.SWAP
) -> Clip:
    """Keys set on the other side's bones where keys stand, with the mirrored pose's values there.

    What keying the mirrored pose at one time after another gives. All keys of a track are set at once, so that the
    time it takes grows with their number only.

    Parameters
    ----------
    keys : channel → times of its keys in seconds; bones on no list are left out
    """
    mapping = mirror_map(rig, way)
    wanted = _wanted(rig, keys, mapping.source)
    if not wanted:
        return clip
    every = np.unique(np.concatenate([times for parts in wanted.values() for times in parts.values()]))
    bones = [rig.skeleton.index(bone) for bone in wanted]
    evaluator = ClipEvaluator(rig, clip)
    pieces: list[Transform] = []
    for start in counted(range(0, len(every), AT_ONCE), "mirroring keys"):
        local = evaluator.sample_many(every[start : start + AT_ONCE], wrap=False).local
        posed = mirrored(rig, local, mapping)
        pieces.append(Transform(*(part[:, bones] for part in posed)))
    goals = Transform(*(np.concatenate(parts) for parts in zip(*pieces, strict=True)))
    changes: Changes = {}
    for place, (bone, parts) in enumerate(counted(wanted.items(), "mirroring keys")):
        for prop, times in parts.items():
            checkpoint()
            rows = np.searchsorted(every, times)
            goal = goals[prop][rows, place]
            if prop is Property.ROTATE:
                changes |= _turned(rig, clip, bone, times, goal)
            else:
                changes |= _moved(clip, bone, prop, times, goal)
    changes = _with_types(rig, clip, keys, changes)
    changes = {channel: track for channel, track in changes.items() if clip.tracks.get(channel) is not track}
    return clip.with_tracks(changes) if changes else clip


def _with_types(rig: Rig, clip: Clip, keys: Mapping[Channel, FloatArray], changes: Changes) -> Changes:
    """The tracks with the types of the keys that are mirrored."""
    twins = {a: b for left, right in rig.mirror.pairs for a, b in ((left, right), (right, left))}
    result = dict(changes)
    for channel, times in keys.items():
        source = clip.tracks.get(channel)
        if source is None or not source.types.any():
            continue
        at = np.asarray(times, dtype=np.float64)
        places = keys_at(source.times, at)
        types = source.types[places[places >= 0]]
        for other, track in changes.items():
            if other[:2] == (twins.get(channel.bone, channel.bone), channel.property) and track is not None:
                whole: Any = result[other]
                result[other] = with_types(whole, typed_at(whole, at[places >= 0], types))
    return result


def _wanted(rig: Rig, keys: Mapping[Channel, FloatArray], source: IntArray) -> Wanted:
    """Bone → property → rising times at which it gets keys."""
    twins = {a: b for left, right in rig.mirror.pairs for a, b in ((left, right), (right, left))}
    twins |= {bone: bone for bone in rig.mirror.axis_bones}
    found: dict[str, dict[Property, list[FloatArray]]] = {}
    for channel, times in keys.items():
        other = twins.get(channel.bone)
        if other is not None and len(times) and source[rig.skeleton.index(other)] >= 0:
            at = np.asarray(times, dtype=np.float64).round(9)
            found.setdefault(other, {}).setdefault(channel.property, []).append(at)
    return {
        bone: {prop: np.unique(np.concatenate(some)) for prop, some in parts.items()}
        for bone, parts in found.items()
    }


def _once(times: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Of times that make one key, the first, with the value of the last: it is set on the key of the first."""
    if (np.diff(times) >= TIME_EPSILON).all():
        return times, values
    firsts = [0]
    for n in range(1, len(times)):
        if times[n] - times[firsts[-1]] >= TIME_EPSILON:
            firsts.append(n)
    lasts = np.append(np.array(firsts[1:], dtype=np.intp), len(times)) - 1
    return times[firsts], values[lasts]


def _moved(clip: Clip, bone: str, prop: Property, times: FloatArray, goal: FloatArray) -> Changes:
    """Tracks of translation or scale through goals ``(T, 3)``."""
    times, goal = _once(times, goal)
    made: Changes = {}
    for axis in range(3):
        channel = Channel(bone, prop, axis)
        track = clip.scalar(channel)
        values = goal[:, axis] if track is None else _kept(track, times, goal[:, axis])
        made[channel] = set_curve(track, times, values, keying.loop_length(clip))
    return made


def _kept(track: ScalarTrack, times: FloatArray, values: FloatArray) -> FloatArray:
    """Values, those of the track's own keys where the difference is rounding."""
    places = keys_at(track.times, times)
    own = track.values[places]
    kept: FloatArray = np.where((places >= 0) & (np.abs(own - values) < keying.ROUNDING), own, values)
    return kept


def _turned(rig: Rig, clip: Clip, bone: str, times: FloatArray, goal: FloatArray) -> Changes:
    """Rotation tracks through goals ``(T, 4)``."""
    times, goal = _once(times, goal)
    loop = keying.loop_length(clip)
    if keying.uses_quaternion(clip, bone):
        whole = Channel(bone, Property.ROTATE, WHOLE)
        track = clip.rotation(bone)
        if track is None:
            first = quat.aligned(goal[0], rig.skeleton.rest.rotation[rig.skeleton.index(bone)])
            track = quaternion_track(times[:1], [first], interpolations=int(keying.new_turns(clip)))
        return {whole: set_turns(track, times, _kept_turns(track, times, goal), loop)}
    channels = [Channel(bone, Property.ROTATE, axis) for axis in range(3)]
    tracks = [clip.scalar(channel) for channel in channels]
    angles = _angles(rig, tracks, bone, times, goal, loop)
    made: Changes = {}
    for channel, track_, column in zip(channels, tracks, angles.T, strict=True):
        values = column if track_ is None else _kept(track_, times, column)
        made[channel] = set_curve(track_, times, values, loop)
    return made


def _kept_turns(track: QuaternionTrack, times: FloatArray, goal: FloatArray) -> FloatArray:
    """Rotations, those of the track's own keys where the difference is rounding."""
    places = keys_at(track.times, times)
    own = track.values[places]
    goal = np.where((places >= 0)[:, None], quat.aligned(goal, own), goal)
    same = (places >= 0) & (np.degrees(quat.angle_between(own, goal)) < keying.ROUNDING)
    kept: FloatArray = np.where(same[:, None], own, goal)
    return kept


# ---------------------------------------------------------------- angles that count turns


def _angles(
    rig: Rig,
    tracks: list[ScalarTrack | None],
    bone: str,
    times: FloatArray,
    goal: FloatArray,
    loop: float | None,
) -> FloatArray:
    """Euler angles ``(T, 3)`` of goals, each nearest to what the keys before it have left of the curves.

    Where keys stand, that is their values; elsewhere the line from the key before, set here or not, to the next
    one of the track.
    """
    index = rig.skeleton.index(bone)
    order = int(rig.skeleton.euler_orders[index])
    near = np.tile(rest_degrees(rig.skeleton, index), (len(times), 1))
    fixed = np.zeros((len(times), 3), dtype=bool)
    for axis, track in enumerate(tracks):
        if track is not None:
            places = keys_at(track.times, times)
            fixed[:, axis] = places >= 0
            own = evaluate_scalar(track, times, loop)
            near[:, axis] = np.where(places >= 0, track.values[places], own)
    angles = euler.nearest(goal, order, near)
    if not fixed.all():
        lines = [_Between(track, times) for track in tracks]
        _follow(angles, near, times.tolist(), fixed, lines, euler.SEQUENCE[order][1])
    return angles


class _Between:
    """Keys of a track before and after times, to read the line between them."""

    def __init__(self, track: Track | None, times: FloatArray) -> None:
        self.times: list[float] = [] if not isinstance(track, ScalarTrack) else track.times.tolist()
        self.values: list[float] = [] if not isinstance(track, ScalarTrack) else track.values.tolist()
        self.after: list[int] = np.searchsorted(np.array(self.times), times, side="right").tolist()

    def line(self, n: int, time: float, last: tuple[float, float] | None) -> float | None:
        """Value at the n-th time, where `last` was set before; None before any key."""
        later = self.after[n]
        start = (self.times[later - 1], self.values[later - 1]) if later else None
        if last is not None and (start is None or last[0] >= start[0]):
            start = last
        if later == len(self.times):
            return None if start is None else start[1]
        end = (self.times[later], self.values[later])
        if start is None:
            return end[1]
        share = (time - start[0]) / (end[0] - start[0])
        return start[1] + (end[1] - start[1]) * share


def _follow(
    angles: FloatArray,
    near: FloatArray,
    times: list[float],
    fixed: BoolArray,
    lines: list[_Between],
    middle: int,
) -> None:
    """Replace rows without keys by the equivalent nearest to the line from the row before, in place."""
    free = ~fixed.all(axis=1)
    for n in np.flatnonzero(free).tolist():
        row, targets = angles[n].tolist(), near[n].tolist()
        for axis in range(3):
            if not fixed[n, axis]:
                last = (times[n - 1], float(angles[n - 1, axis])) if n else None
                line = lines[axis].line(n, times[n], last)
                targets[axis] = targets[axis] if line is None else line
        twin = [180.0 - a if axis == middle else a + 180.0 for axis, a in enumerate(row)]
        options = [
            [a - 360.0 * round((a - t) / 360.0) for a, t in zip(some, targets, strict=True)]
            for some in (row, twin)
        ]
        first, second = (sum(abs(a - t) for a, t in zip(some, targets, strict=True)) for some in options)
        angles[n] = options[1] if second < first - 1e-9 else options[0]
