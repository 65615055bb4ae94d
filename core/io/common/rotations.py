"""Rotation tracks as glTF samplers."""

from collections.abc import Sequence

import numpy as np

from core.arrays import FloatArray
from core.io.common.spans import (
    Keys,
    Spans,
    breaks_of,
    cubic_keys,
    fitted,
    is_exact,
    is_linear,
    linear_keys,
    single,
)
from core.math import euler
from core.tracks.evaluate import evaluate_quaternion, evaluate_scalar, locate
from core.tracks.keys import Extrapolation, Interpolation, QuaternionTrack, ScalarTrack


def quaternion_keys(
    track: QuaternionTrack, length: float, loop: float | None, tolerance: float
) -> tuple[Keys, bool]:
    """The sampler of a quaternion track, and whether it is exact.

    Exact are tracks of one interpolation (cubic: with keys at both ends of the clip or holding
    there), and linear ones with steps.
    """
    breaks = breaks_of([track], length)
    seam = loop is not None and (breaks[0] < track.times[0] or breaks[-1] > track.times[-1])
    # The last key's interpolation is that of the segment across the seam.
    kinds = set((track.interpolations if seam else track.interpolations[:-1]).tolist())
    kinds = kinds or {int(Interpolation.LINEAR)}
    if is_exact(track, length, loop):
        if kinds <= {Interpolation.CONSTANT}:
            return Keys(single(breaks, down=True), evaluate_quaternion(track, breaks, loop), "STEP"), True
        if is_linear(track, loop):
            times = single(breaks)
            return Keys(times, evaluate_quaternion(track, np.minimum(times, length), loop), "LINEAR"), True
        if kinds == {Interpolation.CUBIC} and not seam and _within(track, length):
            return _cubic(track, breaks), True
        if Interpolation.CUBIC not in kinds:
            return linear_keys(_slerps(track, breaks, loop)), True
    curve = lambda times: evaluate_quaternion(track, times, loop)  # noqa: E731 - a name for a formula
    return cubic_keys(fitted(curve, breaks, tolerance, unit=True)), False


def euler_keys(
    tracks: Sequence[ScalarTrack | None],
    rest: FloatArray,
    order: int,
    length: float,
    loop: float | None,
    tolerance: float,
) -> Keys:
    """A cubic sampler near Euler curves; `rest` gives the angles without a track, in degrees."""
    present = [track for track in tracks if track is not None]

    def curve(times: FloatArray) -> FloatArray:
        degrees = np.repeat(rest[None], len(times), axis=0)
        for axis, track in enumerate(tracks):
            if track is not None:
                degrees[:, axis] = evaluate_scalar(track, times, loop)
        return euler.to_quaternion(degrees, order)

    breaks = _split_turns(breaks_of(present, length), present, loop)
    return cubic_keys(fitted(curve, breaks, tolerance, unit=True))


def _split_turns(breaks: FloatArray, tracks: Sequence[ScalarTrack], loop: float | None) -> FloatArray:
    """More breaks where angles change much: half a turn looks the same at both ends as none."""
    if len(breaks) < 2:
        return breaks
    probes = breaks[:-1, None] + np.diff(breaks)[:, None] * np.linspace(0.0, 1.0, 9)
    change = np.zeros(len(breaks) - 1)
    for track in tracks:
        degrees = evaluate_scalar(track, probes.ravel(), loop).reshape(probes.shape)
        change += np.abs(np.diff(degrees, axis=1)).sum(axis=1)
    parts = np.clip(np.ceil(change / 60.0), 1, 1000).astype(int)
    pieces = [
        np.linspace(a, b, n, endpoint=False) for a, b, n in zip(breaks[:-1], breaks[1:], parts, strict=True)
    ]
    return np.concatenate((*pieces, breaks[-1:]))


def _within(track: QuaternionTrack, length: float) -> bool:
    return bool(track.times[0] >= -1e-6 and track.times[-1] <= length + 1e-6)


def _cubic(track: QuaternionTrack, breaks: FloatArray) -> Keys:
    """The keys as they are, holding from 0 to the first and from the last to the end."""
    values, ins, outs = track.values, np.array(track.in_tangents), np.array(track.out_tangents)
    times = np.array(track.times)
    zero = np.zeros((1, 4))
    if times[0] > breaks[0] + 1e-6:
        ins[0] = 0.0
        times, values = np.append(breaks[:1], times), np.concatenate((values[:1], values))
        ins, outs = np.concatenate((zero, ins)), np.concatenate((zero, outs))
    if times[-1] < breaks[-1] - 1e-6:
        outs[-1] = 0.0
        times, values = np.append(times, breaks[-1]), np.concatenate((values, values[-1:]))
        ins, outs = np.concatenate((ins, zero)), np.concatenate((outs, zero))
    return Keys(single(times), values, "CUBICSPLINE", ins, outs)


def _slerps(track: QuaternionTrack, breaks: FloatArray, loop: float | None) -> Spans:
    """Spans with the values at both ends; a stepping one ends where it began."""
    half = np.diff(breaks) * 0.5
    places = locate(track.times, breaks[:-1] + half, Extrapolation.HOLD, Extrapolation.HOLD, loop)
    values = evaluate_quaternion(track, breaks, loop)
    still = track.interpolations[places.start] == Interpolation.CONSTANT
    v0 = values[:-1]
    v1 = np.where(still[:, None], v0, values[1:])
    zero = np.zeros_like(v0)
    return Spans(breaks, v0, v1, zero, zero, values[-1])
