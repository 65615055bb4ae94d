"""Filters over keys: Euler filter, Gaussian and Butterworth smoothing."""

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.errors import ValidationError
from core.math import euler
from core.tracks.edits import insert_key, set_values
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import ScalarTrack
from core.tracks.refresh import put, refreshed

Indices = npt.NDArray[np.intp]
Turns = tuple[ScalarTrack, ScalarTrack, ScalarTrack]

# ---------------------------------------------------------------- Euler filter


def euler_filter(
    tracks: Turns, order: int, keys: npt.ArrayLike | None = None, loop: float | None = None
) -> Turns:
    """Replace angles by the equivalent ones nearest to the key before, so that nothing jumps.

    Whole turns are taken off, and the three angles change to their twin (middle angle mirrored,
    the others turned by 180°) where that is nearer. The rotation at every key stays what it is.

    Parameters
    ----------
    tracks : x, y, z in degrees; where they do not stand at the same times, keys are put in first,
        which keeps their shapes
    order : index into `core.math.euler.ORDERS`
    keys : numbers of the keys that may change, where the tracks share their times; None is all

    Raises
    ------
    ValidationError
        Keys are given for tracks whose times differ.
    """
    shared = all(len(t) == len(tracks[0]) and np.array_equal(t.times, tracks[0].times) for t in tracks)
    if not shared:
        if keys is not None:
            raise ValidationError("Euler filter: selected keys need the three angles keyed at the same times")
        tracks = _with_shared_times(tracks, loop)
    old = np.stack([t.values for t in tracks], axis=1)
    may = np.ones(len(old), dtype=bool)
    if keys is not None:
        may[:] = False
        may[np.asarray(keys, dtype=np.intp)] = True
    new, twins = _unrolled(old, order, may)
    middle = euler.SEQUENCE[order][1]
    result = []
    for axis, track in enumerate(tracks):
        changed = np.flatnonzero(new[:, axis] != old[:, axis])
        if not len(changed):
            result.append(track)
            continue
        columns: dict[str, Any] = {"values": put(track.values, changed, new[changed, axis])}
        mirrored = np.flatnonzero(twins)
        if axis == middle and len(mirrored):
            for name in ("in_slopes", "out_slopes"):
                columns[name] = put(getattr(track, name), mirrored, -getattr(track, name)[mirrored])
        result.append(refreshed(replace(track, **columns), changed, loop))
    return result[0], result[1], result[2]


def _unrolled(degrees: FloatArray, order: int, may: npt.NDArray[np.bool_]) -> tuple[FloatArray, Indices]:
    """Rows nearest to the row before, and 1 where a row became its twin."""
    rows, middle = np.array(degrees), euler.SEQUENCE[order][1]
    twins = np.zeros(len(rows), dtype=np.intp)
    for index in range(1, len(rows)):
        if not may[index]:
            continue
        row, before = rows[index], rows[index - 1]
        twin = row + 180.0
        twin[middle] = 180.0 - row[middle]
        options = [c - 360.0 * np.round((c - before) / 360.0) for c in (row, twin)]
        changes = [float(np.abs(c - before).sum()) for c in options]
        twins[index] = int(changes[1] < changes[0] - 1e-9)
        rows[index] = options[twins[index]]
    return rows, twins


def _with_shared_times(tracks: Turns, loop: float | None) -> Turns:
    every = np.unique(np.concatenate([t.times for t in tracks]))
    keyed = []
    for track in tracks:
        for time in every:
            track = insert_key(track, float(time), loop)
        keyed.append(track)
    return keyed[0], keyed[1], keyed[2]


# ---------------------------------------------------------------- Gaussian


def gaussian(
    track: ScalarTrack, keys: npt.ArrayLike, seconds: float, loop: float | None = None
) -> ScalarTrack:
    """Smooth the values of keys by a Gaussian over the values of their neighbours in time.

    Parameters
    ----------
    seconds : standard deviation; 0 changes nothing
    loop : length of the clip where it loops: neighbours wrap round the seam. Else the values are
        continued beyond the ends by their point reflection, so that straight ends stay straight
    """
    chosen = np.unique(np.asarray(keys, dtype=np.intp))
    if seconds <= 0.0 or len(track) < 3 or not len(chosen):
        return track
    times, values = _continued(track, 4.0 * seconds, loop)
    at = track.times[chosen]
    low = np.searchsorted(times, at - 4.0 * seconds)
    high = np.searchsorted(times, at + 4.0 * seconds, side="right")
    sums, weights = np.zeros(len(at)), np.zeros(len(at))
    gaps = np.gradient(times)  # a key stands for the stretch of time around it
    for offset in range(int((high - low).max())):
        place = low + offset
        inside = place < high
        place = np.minimum(place, len(times) - 1)
        bell = np.exp(-0.5 * ((times[place] - at) / seconds) ** 2) - np.exp(-8.0)  # 0 where the window ends
        weight = np.where(inside, gaps[place] * np.maximum(bell, 0.0), 0.0)
        sums += weight * values[place]
        weights += weight
    return set_values(track, chosen, sums / weights, loop)


def _continued(track: ScalarTrack, reach: float, loop: float | None) -> tuple[FloatArray, FloatArray]:
    """Times and values with `reach` seconds more on both sides."""
    times, values = track.times, track.values
    if loop is not None and loop > 0.0:
        wraps = int(np.ceil(reach / loop))
        closed = times[-1] - times[0] > loop - 1e-5
        own = slice(0, -1) if closed else slice(None)
        parts = [times[own] + n * loop for n in range(-wraps, wraps + 1)]
        tail = [times[-1:] + wraps * loop] if closed else []
        whole = np.concatenate(parts + tail)
        return whole, np.concatenate([values[own]] * (2 * wraps + 1) + ([values[-1:]] if closed else []))
    early, late = times[0] + reach >= times, times[-1] - reach <= times
    early[0] = late[-1] = False
    before = 2.0 * times[0] - times[early][::-1], 2.0 * values[0] - values[early][::-1]
    after = 2.0 * times[-1] - times[late][::-1], 2.0 * values[-1] - values[late][::-1]
    return np.concatenate((before[0], times, after[0])), np.concatenate((before[1], values, after[1]))


# ---------------------------------------------------------------- Butterworth


MOST_SAMPLES = 4_000_000
"""Samples that a curve is filtered over: a day and a half at 30 Hz."""


def butterworth(
    track: ScalarTrack,
    keys: npt.ArrayLike,
    cutoff: float,
    rate: float,
    order: int = 2,
    loop: float | None = None,
) -> ScalarTrack:
    """Smooth the values of keys by a Butterworth low pass, forward and backward (no delay).

    Parameters
    ----------
    cutoff : hertz; what is slower stays. At and above half the rate nothing changes
    rate : samples a second; keys that stand elsewhere than on the grid are sampled through the curve
    order : even, ≥ 2; both passes together double it
    """
    chosen = np.unique(np.asarray(keys, dtype=np.intp))
    if cutoff >= rate / 2.0 or len(track) < 3 or not len(chosen):
        return track
    start, end = float(track.times[0]), float(track.times[-1])
    count = round((end - start) * rate)
    if count > MOST_SAMPLES:
        raise ValidationError(
            f"Butterworth: the keys span {end - start:.3g} s, which at {rate:g} Hz is more than {MOST_SAMPLES:,} "
            "samples: bring the keys nearer together, or smooth in another way"
        )
    grid = start + np.arange(count + 1) / rate
    if len(grid) == len(track) and np.allclose(grid, track.times, atol=1e-5):
        smooth = zero_phase(track.values, cutoff, rate, order)[chosen]
    else:
        finer = rate * 2.0
        grid = start + np.arange(int(np.ceil((end - start) * finer)) + 1) / finer
        sampled = evaluate_scalar(track, grid, loop)
        change = zero_phase(sampled, cutoff, finer, order) - sampled
        smooth = track.values[chosen] + np.interp(track.times[chosen], grid, change)
    return set_values(track, chosen, smooth, loop)


def zero_phase(values: FloatArray, cutoff: float, rate: float, order: int = 2) -> FloatArray:
    """Butterworth low pass run over ``(T, ...)`` samples forward, then backward.

    Sections of second order by the bilinear transform; the ends are continued by their point
    reflection, and each pass begins in the steady state of its first sample.

    Raises
    ------
    ValidationError
        The order is odd or below 2, or the cutoff is not between 0 and half the rate.
    """
    if order < 2 or order % 2 or not 0.0 < cutoff < rate / 2.0:
        raise ValidationError(
            f"Butterworth: expected an even order and a cutoff between 0 and {rate / 2:g} Hz, "
            f"got order {order} and {cutoff:g} Hz"
        )
    data = np.asarray(values, dtype=np.float64)
    pad = min(max(3 * (order + 1), int(np.ceil(3.0 * rate / cutoff))), len(data) - 1)
    whole = np.concatenate((2.0 * data[0] - data[pad:0:-1], data, 2.0 * data[-1] - data[-2 : -pad - 2 : -1]))
    for b, a in sections(cutoff, rate, order):
        whole = _run(whole, b, a)
    whole = whole[::-1]
    for b, a in sections(cutoff, rate, order):
        whole = _run(whole, b, a)
    whole = whole[::-1]
    return np.array(whole[pad : pad + len(data)])


Section = tuple[tuple[float, float, float], tuple[float, float]]


def sections(cutoff: float, rate: float, order: int) -> list[Section]:
    """Coefficients ``(b0, b1, b2), (a1, a2)`` of the biquads of a Butterworth low pass of even order."""
    warp = np.tan(np.pi * cutoff / rate)
    found: list[Section] = []
    for k in range(order // 2):
        damping = 2.0 * np.sin(np.pi * (2 * k + 1) / (2 * order))
        norm = 1.0 / (1.0 + damping * warp + warp * warp)
        b0 = float(warp * warp * norm)
        found.append(
            (
                (b0, 2.0 * b0, b0),
                (float(2.0 * (warp * warp - 1.0) * norm), float((1.0 - damping * warp + warp * warp) * norm)),
            )
        )
    return found


def _run(x: FloatArray, b: tuple[float, float, float], a: tuple[float, float]) -> FloatArray:
    """One biquad over time (transposed direct form II), from the steady state of the first sample."""
    (b0, b1, b2), (a1, a2) = b, a
    if x.ndim == 1:  # plain floats are quicker than arrays of one
        s2 = (b2 - a2) * float(x[0])
        s1 = (b1 - a1) * float(x[0]) + s2
        out: list[float] = []
        for value in x.tolist():
            y = b0 * value + s1
            s1 = b1 * value - a1 * y + s2
            s2 = b2 * value - a2 * y
            out.append(y)
        return np.array(out)
    result = np.empty_like(x)
    z2 = (b2 - a2) * x[0]
    z1 = (b1 - a1) * x[0] + z2
    for index, row in enumerate(x):
        filtered = b0 * row + z1
        z1 = b1 * row - a1 * filtered + z2
        z2 = b2 * row - a2 * filtered
        result[index] = filtered
    return result
