"""Rotations of a stretch of time laid into a clip, a key a moment: what is outside keeps its shape."""

from dataclasses import replace
from typing import Any

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import WHOLE, Channel, Clip, Property
from core.clips.evaluator import rest_degrees
from core.clips.keying import loop_length, uses_quaternion
from core.math import euler
from core.rig.skeleton import Skeleton
from core.tracks import edits
from core.tracks.evaluate import evaluate_scalar
from core.tracks.key_types import KeyType
from core.tracks.keys import (
    Interpolation,
    ScalarTrack,
    TangentMode,
    Track,
    joined,
    quaternion_track,
    scalar_track,
    taken,
)
from core.tracks.setting import keys_at
from core.tracks.tangents import with_tangents
from core.tracks.typed import types_from, with_type


def keyed_turns(
    skeleton: Skeleton,
    clip: Clip,
    bone: str,
    times: FloatArray,
    turns: FloatArray,
    beside: tuple[FloatArray, FloatArray, FloatArray] | None = None,
) -> dict[Channel, Track | None]:
    """Tracks of a bone's rotation with a key at each time, in place of those between the first and the last.

    Keys at the first and the last time, and all outside, keep their values and shape; new keys are in-betweens.

    Parameters
    ----------
    times, turns : ``(T,)`` seconds, and local rotations ``(T, 4)`` that follow one another the short way
    beside : rotations ``(T, 4)`` a little before and after each time, and the seconds ``(T,)`` between these two:
        what angles go there is their slope. None gives automatic slopes
    """
    loop = loop_length(clip)
    if uses_quaternion(clip, bone):
        channel = Channel(bone, Property.ROTATE, WHOLE)
        made: Any = quaternion_track(times, turns, interpolations=int(Interpolation.LINEAR))
        return {channel: _laid(clip.tracks.get(channel), made, loop)}
    index = skeleton.index(bone)
    own = np.tile(rest_degrees(skeleton, index), (len(times), 1))
    for axis in range(3):
        track = clip.scalar(Channel(bone, Property.ROTATE, axis))
        if track is not None:
            own[:, axis] = evaluate_scalar(track, times, None)
    order = int(skeleton.euler_orders[index])
    degrees = euler.nearest(turns, order, own)
    slopes = None
    if beside is not None:
        before, after = (euler.nearest(side, order, degrees) for side in beside[:2])
        slopes = (after - before) / beside[2][:, None]
    found: dict[Channel, Track | None] = {}
    for axis in range(3):
        channel = Channel(bone, Property.ROTATE, axis)
        values = np.array(degrees[:, axis])
        if slopes is None:
            made = with_tangents(scalar_track(times, values, modes=int(TangentMode.AUTO)), loop)
        else:
            own_slopes = np.array(slopes[:, axis])
            made = scalar_track(times, values, own_slopes, own_slopes, modes=int(TangentMode.FREE))
        found[channel] = _laid(clip.tracks.get(channel), made, loop)
    return found


def _laid(old: Any, made: Any, loop: float | None) -> Track:
    """A track with others' keys in its middle; what is outside keeps its shape."""
    start, end = float(made.times[0]), float(made.times[-1])
    fresh = with_type(made, np.arange(len(made)), KeyType.INBETWEEN)
    if old is None:
        return with_type(fresh, [0, len(fresh) - 1], KeyType.KEY)  # type: ignore[no-any-return]
    ends = edits.insert_key(edits.insert_key(old, start, loop), end, loop)
    first, last = edits.key_at(ends, start), edits.key_at(ends, end)
    assert first is not None and last is not None
    middle = _typed_as(taken(fresh, np.arange(1, len(fresh) - 1)), old) if len(fresh) > 2 else None
    head, tail = taken(ends, np.arange(first + 1)), taken(ends, np.arange(last, len(ends)))
    if isinstance(head, ScalarTrack):
        head, tail = (
            _bent(head, -1, "out_slopes", made.out_slopes[0]),
            _bent(tail, 0, "in_slopes", made.in_slopes[-1]),
        )
    codes = np.array(head.interpolations)
    codes[-1] = made.interpolations[0]
    head = replace(head, interpolations=codes)
    whole = joined([head, tail] if middle is None else [head, middle, tail])
    return replace(whole, before=old.before, after=old.after)  # type: ignore[no-any-return]


def _typed_as(fresh: Any, old: Any) -> Any:
    """Keys where there were some before keep what they were; plain ones are no in-betweens."""
    there = np.flatnonzero(keys_at(old.times, fresh.times) >= 0)
    return types_from(with_type(fresh, there, KeyType.KEY), [old])


def _bent(track: ScalarTrack, key: int, side: str, slope: float) -> ScalarTrack:
    """An end of what is outside, whose slope on the inside is that of the keys there."""
    slopes, modes = np.array(getattr(track, side)), np.array(track.modes)
    slopes[key], modes[key] = slope, int(TangentMode.BROKEN)
    return replace(track, modes=modes, **{side: slopes})  # type: ignore[arg-type]
