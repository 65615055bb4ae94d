"""Values of tracks at times: segments, extrapolation, the seam of a loop (spec: evaluation).

`locate` finds where times fall among keys; it depends on the key times alone, so that tracks
which share one array of times can share its answer. `scalars_at` and `rotations_at` then give
the values there.
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray, require_finite
from core.math import bezier, quat
from core.tracks.keys import PLAIN_WEIGHT, Extrapolation, Interpolation, QuaternionTrack, ScalarTrack

Indices = npt.NDArray[np.intp]


class Places(NamedTuple):
    """Where times fall among keys; arrays of the times' shape.

    Parameters
    ----------
    start, end : keys at both ends of the segment; ``end < start`` is the seam of a loop, and both
        are the last key at and after it
    x : seconds since the start key, after folding
    h : length of the segment in seconds (1 where there is none)
    turns : how often a cycle was folded, 0 elsewhere; None where nothing was
    beyond : seconds outside the keys for linear extrapolation, else 0; None where nothing is
    """

    start: Indices
    end: Indices
    x: FloatArray
    h: FloatArray
    turns: FloatArray | None = None
    beyond: FloatArray | None = None


def evaluate_scalar(track: ScalarTrack, times: npt.ArrayLike, loop: float | None = None) -> FloatArray:
    """Values of a scalar track.

    Parameters
    ----------
    times : seconds, any shape, usually ``(T,)``
    loop : length of the looping clip, or None (or 0) where it does not loop. Times from 0 to the
        length, both included, are taken as they are, others modulo the length; in the gap
        round the seam the segment runs from the last key to the first one shifted by the length

    Raises
    ------
    ValidationError
        A time is not finite.
    """
    return scalars_at(track, locate(track.times, times, track.before, track.after, loop))


def evaluate_quaternion(
    track: QuaternionTrack, times: npt.ArrayLike, loop: float | None = None
) -> FloatArray:
    """Unit quaternions ``(..., 4)`` of a quaternion track; see `evaluate_scalar`.

    The seam's segment takes the short way even where the keys' signs differ.
    """
    return rotations_at(track, locate(track.times, times, track.before, track.after, loop))


def locate(
    keys: FloatArray,
    times: npt.ArrayLike,
    before: Extrapolation = Extrapolation.HOLD,
    after: Extrapolation = Extrapolation.HOLD,
    loop: float | None = None,
) -> Places:
    """Find the segments that times fall into; see `Places` and `evaluate_scalar`."""
    t: FloatArray = np.asarray(times, dtype=np.float64)
    require_finite(t, "times to evaluate")
    if loop is not None and loop > 0.0:
        return (
            _locate_in_loop(keys, t, loop) if t.shape != (1,) else _locate_one_in_loop(keys, t.item(), loop)
        )
    count = len(keys)
    if t.shape == (1,) and (before == after == Extrapolation.HOLD):
        return _locate_one(keys, t.item())
    t, turns, beyond = _folded(keys, t, before, after)
    start = np.clip(np.searchsorted(keys, t, side="right") - 1, 0, count - 1)
    end = np.minimum(start + 1, count - 1)
    h = np.where(end > start, keys[end] - keys[start], 1.0)
    return Places(start, end, t - keys[start], h, turns, beyond)


def _locate_in_loop(keys: FloatArray, times: FloatArray, length: float) -> Places:
    first, last, count = keys[0], keys[-1], len(keys)
    t = wrapped(times, length)
    below, above = t < first, (t > last) & (t > first + length)
    if last - first < length:  # a gap: every time falls in [first, first + length]
        fold = below | above
        t = np.where(fold, first + np.mod(t - first, length), t)
    else:  # keys reach round the seam: move to the nearest turn that has some
        t = np.where(below, t + np.ceil((first - t) / length) * length, t)
        above = t > last
        t = np.where(above, t - np.ceil((t - last) / length) * length, t)
    start = np.clip(np.searchsorted(keys, t, side="right") - 1, 0, count - 1)
    end = np.where(start == count - 1, 0, start + 1)
    h = np.where(start == count - 1, first + length - last, keys[end] - keys[start])
    open_ = h > 0.0
    end = np.where(open_, end, start)
    return Places(start, end, np.where(open_, t - keys[start], 0.0), np.where(open_, h, 1.0))


def _locate_one(keys: FloatArray, time: float) -> Places:
    """`locate` for one time and keys that are held at both ends: without arrays, bit for bit."""
    t, last = min(max(time, keys[0].item()), keys[-1].item()), len(keys) - 1
    start = min(max(keys.searchsorted(t, side="right").item() - 1, 0), last)
    end = min(start + 1, last)
    h = keys[end].item() - keys[start].item() if end > start else 1.0
    return Places(np.array([start]), np.array([end]), np.array([t - keys[start].item()]), np.array([h]))


def _locate_one_in_loop(keys: FloatArray, time: float, length: float) -> Places:
    """`_locate_in_loop` for one time, as a graph that runs asks for it: without arrays, bit for bit."""
    first, last, count = keys[0].item(), keys[-1].item(), len(keys)
    t = time
    if not 0.0 <= t <= length:
        t -= math.floor(t / length) * length
        t = 0.0 if t >= length or t < 0.0 else t
    if last - first < length:
        if t < first or (t > last and t > first + length):
            t = first + (t - first) % length
    else:
        if t < first:
            t += math.ceil((first - t) / length) * length
        if t > last:
            t -= math.ceil((t - last) / length) * length
    start = min(max(keys.searchsorted(t, side="right").item() - 1, 0), count - 1)
    end = 0 if start == count - 1 else start + 1
    h = first + length - last if start == count - 1 else keys[end].item() - keys[start].item()
    x = t - keys[start].item()
    if not h > 0.0:
        end, x, h = start, 0.0, 1.0
    return Places(np.array([start]), np.array([end]), np.array([x]), np.array([h]))


def wrapped(times: npt.ArrayLike, length: float) -> FloatArray:
    """Times modulo the length of a loop; 0 to the length, both included, stay as they are."""
    t: FloatArray = np.asarray(times, dtype=np.float64)
    folded = t - np.floor(t / length) * length
    folded = np.where((folded >= length) | (folded < 0.0), 0.0, folded)
    return np.where((t >= 0.0) & (t <= length), t, folded)


def _folded(
    keys: FloatArray, t: FloatArray, before: Extrapolation, after: Extrapolation
) -> tuple[FloatArray, FloatArray | None, FloatArray | None]:
    """Times brought inside the keys, with the turns taken and the seconds beyond."""
    first, last = float(keys[0]), float(keys[-1])
    low, high = t < first, t > last
    clipped = np.clip(t, first, last)
    if not (low.any() or high.any()) or (before == after == Extrapolation.HOLD):
        return clipped, None, None
    beyond, turns = np.zeros_like(t), np.zeros_like(t)
    span = last - first
    for outside, how, edge in ((low, before, first), (high, after, last)):
        if how == Extrapolation.LINEAR:
            beyond = np.where(outside, t - edge, beyond)
        elif how != Extrapolation.HOLD and span > 0.0:
            turn = np.floor((t - first) / span)
            inner = np.clip(t - turn * span, first, last)
            if how == Extrapolation.MIRROR:
                inner = np.where(np.mod(turn, 2.0) == 1.0, first + last - inner, inner)
            elif how == Extrapolation.CYCLE_OFFSET:
                turns = np.where(outside, turn, turns)
            clipped = np.where(outside, inner, clipped)
    return clipped, turns, beyond


def scalars_at(track: ScalarTrack, places: Places) -> FloatArray:
    """Values of a scalar track at places found among its own key times."""
    i, j = places.start, places.end
    v0, kinds = track.values[i], track.interpolations[i]
    value: FloatArray = v0
    if kinds.size and int(kinds.max()) >= Interpolation.LINEAR:
        weights = (track.out_weights[i], track.in_weights[j]) if is_weighted(track) else None
        slopes = (track.out_slopes[i], track.in_slopes[j])
        value = scalars_between(kinds, places.x / places.h, places.h, v0, track.values[j], *slopes, weights)
    if places.turns is not None:
        value = value + places.turns * (track.values[-1] - track.values[0])
    if places.beyond is not None and places.beyond.any():
        rates = np.where(places.beyond < 0.0, end_slope(track, False), end_slope(track, True))
        value = value + places.beyond * rates
    return value


def scalars_between(
    kinds: npt.NDArray[np.uint8],
    u: FloatArray,
    h: FloatArray,
    v0: FloatArray,
    v1: FloatArray,
    s0: FloatArray,
    s1: FloatArray,
    weights: tuple[FloatArray, FloatArray] | None = None,
) -> FloatArray:
    """Values at fractions `u` of segments of length `h`; elementwise, all of one shape.

    Parameters
    ----------
    kinds : `Interpolation` of each
    v0, v1, s0, s1 : values and slopes at both ends
    weights : of the handles at both ends; None where all are plain
    """
    lowest, highest = int(kinds.min()), int(kinds.max())
    value: FloatArray = v0
    if lowest <= Interpolation.LINEAR:
        value = np.where(kinds == Interpolation.LINEAR, v0 + (v1 - v0) * u, v0)
    if highest == Interpolation.CUBIC:
        cubic = bezier.hermite(u, h, v0, v1, s0, s1)
        value = cubic if lowest == highest else np.where(kinds == Interpolation.CUBIC, cubic, value)
        if weights is not None:
            w0, w1 = weights
            bent = (kinds == Interpolation.CUBIC) & ((w0 != PLAIN_WEIGHT) | (w1 != PLAIN_WEIGHT))
            if bent.any():
                value = np.array(value)
                parts = (np.broadcast_to(p, bent.shape)[bent] for p in (u, h, v0, v1, s0, s1, w0, w1))
                value[bent] = bezier.weighted(*parts)
    return value


def is_weighted(track: ScalarTrack) -> bool:
    """Whether any handle weight differs from the plain Hermite form's."""
    return any(
        w[0] != PLAIN_WEIGHT if w.strides == (0,) else bool((w != PLAIN_WEIGHT).any())
        for w in (track.out_weights, track.in_weights)
    )


def end_slope(track: ScalarTrack, last: bool) -> float:
    """Slope with which a curve leaves its last key, or arrives at its first, when extended linearly.

    That of the segment inside, so that the extension stays smooth; a lone key's own slope.
    """
    if len(track) == 1:
        return float(track.out_slopes[0] if last else track.in_slopes[0])
    i = len(track) - 2 if last else 0
    kind = track.interpolations[i]
    if kind == Interpolation.CUBIC:
        return float(track.in_slopes[-1] if last else track.out_slopes[0])
    if kind == Interpolation.LINEAR:
        return float((track.values[i + 1] - track.values[i]) / (track.times[i + 1] - track.times[i]))
    return 0.0


def rotations_at(track: QuaternionTrack, places: Places) -> FloatArray:
    """Unit quaternions ``(..., 4)`` of a quaternion track at places found among its key times."""
    i, j = places.start, places.end
    kinds = track.interpolations[i]
    q: FloatArray = track.values[i]
    if kinds.size and int(kinds.max()) >= Interpolation.LINEAR:
        tangents = (track.out_tangents[i], track.in_tangents[j])
        u = places.x / places.h
        q = rotations_between(kinds, u, places.h, q, track.values[j], *tangents, j <= i)
    if places.turns is not None and places.turns.any():
        whole = quat.to_rotation_vector(quat.multiply(track.values[-1], quat.conjugate(track.values[0])))
        q = quat.multiply(quat.from_rotation_vector(places.turns[..., None] * whole), q)
    if places.beyond is not None and places.beyond.any():
        rate = np.where((places.beyond < 0.0)[..., None], end_rate(track, False), end_rate(track, True))
        q = quat.multiply(quat.from_rotation_vector(places.beyond[..., None] * rate), q)
    return q


def rotations_between(
    kinds: npt.NDArray[np.uint8],
    u: FloatArray,
    h: FloatArray,
    q0: FloatArray,
    q1: FloatArray,
    out_tangents: FloatArray,
    in_tangents: FloatArray,
    seam: npt.NDArray[np.bool_],
) -> FloatArray:
    """Unit quaternions at fractions `u` ``(...)`` of segments of length `h` between keys ``(..., 4)``.

    Parameters
    ----------
    kinds : `Interpolation` of each
    out_tangents, in_tangents : at both ends, for cubic segments
    seam : where the segment closes a loop, so that a cubic one too must take the short way
    """
    q: FloatArray = q0
    lowest, highest = int(kinds.min()), int(kinds.max())
    if lowest <= Interpolation.LINEAR <= highest:
        q = np.where((kinds == Interpolation.LINEAR)[..., None], quat.slerp(q0, q1, u), q0)
    if highest == Interpolation.CUBIC:
        across = np.where(seam & (np.sum(q0 * q1, axis=-1) < 0.0), -1.0, 1.0)[..., None]
        ends = (q0, across * q1, out_tangents, across * in_tangents)
        cubic = quat.normalise(bezier.hermite(u[..., None], h[..., None], *ends))
        q = np.where((kinds == Interpolation.CUBIC)[..., None], cubic, q)
    return q


def end_rate(track: QuaternionTrack, last: bool) -> FloatArray:
    """Angular velocity ``(3,)`` (radians a second, parent space) of a linear extension of the ends."""
    still: FloatArray = np.zeros(3)
    if len(track) == 1:
        return still
    i = len(track) - 2 if last else 0
    kind = track.interpolations[i]
    if kind == Interpolation.LINEAR:
        turn = quat.multiply(track.values[i + 1], quat.conjugate(track.values[i]))
        rate: FloatArray = quat.to_rotation_vector(turn) / (track.times[i + 1] - track.times[i])
        return rate
    if kind == Interpolation.CUBIC:
        key = -1 if last else 0
        change = track.in_tangents[key] if last else track.out_tangents[key]
        return 2.0 * quat.multiply(change, quat.conjugate(track.values[key]))[:3]
    return still
