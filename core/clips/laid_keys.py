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

CORNER = 0.05
"""Degrees that handles of a key may be out of line and count as one tangent."""


def keyed_turns(
    skeleton: Skeleton,
    clip: Clip,
    bone: str,
    times: FloatArray,
    turns: FloatArray,
    thirds: FloatArray | None = None,
) -> dict[Channel, Track | None]:
    """Tracks of a bone's rotation with a key at each time, in place of those between the first and the last.

    Keys at the first and the last time, and all outside, keep their values and shape; new keys are in-betweens.

    Parameters
    ----------
    times, turns : ``(T,)`` seconds, and local rotations ``(T, 4)`` that follow one another the short way
    thirds : rotations ``(T - 1, 2, 4)`` one third and two thirds of the way from each time to the next: curves go
        through them, with broken tangents where the way has a corner. None gives automatic slopes
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
    if thirds is not None:
        slopes = _slopes_through(times, degrees, euler.nearest(thirds, order, _at_thirds(degrees)))
    found: dict[Channel, Track | None] = {}
    for axis in range(3):
        channel = Channel(bone, Property.ROTATE, axis)
        values = np.array(degrees[:, axis])
        if slopes is None:
            made = with_tangents(scalar_track(times, values, modes=int(TangentMode.AUTO)), loop)
        else:
            into, out = slopes[0][:, axis], slopes[1][:, axis]
            modes = np.where(into == out, int(TangentMode.FREE), int(TangentMode.BROKEN))
            made = scalar_track(times, values, into, out, modes=modes)
        found[channel] = _laid(clip.tracks.get(channel), made, loop)
    return found


def _at_thirds(values: FloatArray) -> FloatArray:
    """Values ``(T - 1, 2, k)`` on the straight way from each of ``(T, k)`` to the next."""
    way = np.array([1.0, 2.0])[:, None] / 3.0
    return np.asarray(values[:-1, None] + np.diff(values, axis=0)[:, None] * way)


def _slopes_through(
    times: FloatArray, values: FloatArray, thirds: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Slopes ``(T, k)`` before and after each key of the cubics that go through values and thirds between them."""
    span = np.diff(times)[:, None]
    first, second, start, end = thirds[:, 0], thirds[:, 1], values[:-1], values[1:]
    out = (-5.5 * start + 9.0 * first - 4.5 * second + end) / span
    into = (5.5 * end - 9.0 * second + 4.5 * first - start) / span
    into, out = np.concatenate((out[:1], into)), np.concatenate((out, into[-1:]))
    handle = np.concatenate((span[:1], np.minimum(span[:-1], span[1:]), span[-1:])) / 3.0
    even = np.abs(into - out) * handle < CORNER
    mean = (into + out) / 2.0
    return np.where(even, mean, into), np.where(even, mean, out)


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
