"""Fitting one track: still, lines, or cubics, whichever takes fewest bits within a bound."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, FloatArray, column_least, column_most, row_lengths
from core.clips.compiled.ranges import LOW_STEP, at_least, low_codes, low_values
from core.clips.compiled.sampling import SHORTEST, Sampling, parts_for
from core.clips.compiled.tracks import (
    ANY,
    ROOT_HALF,
    Kind,
    Mode,
    PackedTrack,
    Ticks,
    completed,
    evaluate,
    quantised,
    restored,
    value_range,
    without,
)
from core.math import kernels, quat
from core.tracks.fit import Knots, fit_knots

MOST_BITS = 24
STEPS = (1.0, 0.75, 0.5, 0.3)
"""Steps from one number to the next that are tried, as shares of the bound."""
CURVES = ((0.55, 0.9), (0.75, 0.5), (0.9, 0.25))
"""Shares of the bound for a curve before it is put into numbers, and steps from number to number."""
BULGE = 4.0 / 27.0
"""Furthest that a slope of one at a key moves a segment one second long."""
UNCOUNTED = 1e6
"""How many times the bound samples that do not count may be off."""
HOPELESS = 1e6
"""New ticks that a gap counts for which is off and too short to be cut."""
SURE = 0.3
"""A component that never falls below this is the one left out of every key of a track."""


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """The target of one track.

    Parameters
    ----------
    values : ``(S, 4)`` rotations whose signs agree, else ``(S, C)``
    bound : ``(S,)`` allowed distance (of unit quaternions: half the angle); samples that do not count may be
        anywhere
    usual : the bound before any place was tightened, which the number of bits follows
    seeds : ticks at which the original has keys of its own: between them it is smooth
    finer : share of the usual step from number to number, where that was too coarse
    reduce, cubic, quantise : steps that may be taken
    """

    kind: Kind
    index: int
    values: FloatArray
    bound: FloatArray
    usual: float
    seeds: Ticks
    finer: float = 1.0
    reduce: bool = True
    cubic: bool = False
    quantise: bool = True


def still(kind: Kind, index: int, value: FloatArray) -> PackedTrack:
    """A constant track."""
    if kind is Kind.ROTATION:
        dropped = int(np.argmax(np.abs(value)))
        low = without(value[None], dropped)[0].astype(np.float32)
        return PackedTrack(kind, index, Mode.CONSTANT, low, dropped)
    return PackedTrack(kind, index, Mode.CONSTANT, value.astype(np.float32))


class Fit(NamedTuple):
    """A track, and how well it fits.

    Parameters
    ----------
    values : ``(S, C)`` of the track at the samples; of rotations the signs may differ
    excess : ``(N - 1,)`` the largest share of the bound that is used between neighbouring ticks, where any is
        above 1; None where the bound is held
    """

    track: PackedTrack
    values: FloatArray
    excess: FloatArray | None


def fitted(wanted: Wanted, sampling: Sampling) -> Fit:
    """The track that takes fewest bits of those within the bound; if none is, the one that needs fewest new ticks."""
    bound = np.where(sampling.counted, wanted.bound, UNCOUNTED * wanted.usual)
    wanted = replace(wanted, bound=bound)
    count = len(sampling.axis)
    if not wanted.quantise:
        steps: tuple[float, ...] = (0.0,)
    else:
        steps = tuple(wanted.usual * step * wanted.finer for step in STEPS)
    ends = _kept_at(wanted, sampling)
    tries = [lines(wanted, sampling, step, ends) for step in steps]
    if wanted.quantise and wanted.cubic and wanted.reduce:
        tries.extend(cubics(wanted, sampling))
    whole = np.diff(sampling.axis) < 2.0 * SHORTEST
    best: tuple[float, Fit] | None = None
    for track in sorted(tries, key=lambda track: track.cost(count)):
        values = evaluate(track, sampling.axis, sampling.times)
        share = _off(wanted, values) / bound
        if share.max() <= 1.0:
            return Fit(track, values, None)
        excess = share[:-1].reshape(-1, sampling.stride).max(axis=1)
        more = float((parts_for(excess) - 1).sum() + HOPELESS * ((excess > 1.0) & whole).sum())
        if best is None or more < best[0]:
            best = more, Fit(track, values, excess)
    assert best is not None  # there is one try at least
    return best[1]


def bits_for(extent: npt.NDArray[np.float32], step: float) -> tuple[int, ...]:
    """Bits of each component with which neighbouring numbers are no further apart than a step.

    None where all values lie within a step of which the grid of ranges is a small part: the middle will do.
    """
    if step <= 0.0:
        return (MOST_BITS,) * len(extent)
    least = 0.0 if step > 16.0 * LOW_STEP else 1.0
    needed = np.ceil(np.log2(extent.astype(np.float64) / step + 1.0))
    needed = np.where(extent <= step, np.minimum(needed, least), needed)
    return tuple(int(b) for b in np.clip(needed, 0, MOST_BITS))


def _range(kind: Kind, values: FloatArray, step: float) -> tuple[Float32Array, Float32Array, tuple[int, ...]]:
    """Least value, extent and bits of each component of values ``(K, C)``."""
    low, extent = value_range(kind, values)
    bits = bits_for(extent, step)
    middle = 0.5 * (column_least(values) + column_most(values))
    rounded = middle.astype(np.float32)
    if kind is Kind.ROTATION:
        rounded = low_values(low_codes(middle + 0.5 * LOW_STEP)).astype(np.float32)
    return np.where(np.array(bits) > 0, low, rounded), extent, bits


def _dropped(values: FloatArray) -> int:
    least = column_least(np.abs(values))
    best = int(np.argmax(least))
    steady = bool((np.sign(values[:, best]) == np.sign(values[0, best])).all())
    return best if least[best] >= SURE and steady else ANY


class Kept(NamedTuple):
    """What a track of lines keeps of a value on every tick, whatever its step.

    Parameters
    ----------
    values : ``(N, C)`` numbers to keep
    ends : ``(2, C)`` the least and the largest of each
    dropped : the component left out of rotations, or `ANY`
    drops : ``(N,)`` which one it is where that is for each key to say
    """

    values: FloatArray
    ends: FloatArray
    dropped: int
    drops: npt.NDArray[np.uint8]


def _kept_at(wanted: Wanted, sampling: Sampling) -> Kept:
    at_ticks = wanted.values[:: sampling.stride]
    dropped, drops = 0, np.zeros(0, np.uint8)
    kept = at_ticks
    if wanted.kind is Kind.ROTATION:
        dropped = _dropped(wanted.values)
        drops = np.argmax(np.abs(at_ticks), axis=1).astype(np.uint8)
        kept = without(at_ticks, drops if dropped == ANY else dropped)
    if dropped == ANY:
        return Kept(kept, np.array([[-ROOT_HALF] * 3, [ROOT_HALF] * 3]), dropped, drops)
    return Kept(kept, np.stack((column_least(kept), column_most(kept))), dropped, drops)


def lines(wanted: Wanted, sampling: Sampling, step: float, ends: Kept | None = None) -> PackedTrack:
    """Straight from key to key (rotations: the chord, made unit); neighbouring numbers a step apart."""
    values = wanted.values
    at_ticks = values[:: sampling.stride]
    kept, limits, dropped, drops = _kept_at(wanted, sampling) if ends is None else ends
    low, extent, bits = _range(wanted.kind, limits, step)
    codes = quantised(kept, low, extent, bits)
    rough = restored(codes, low, extent, bits)
    if wanted.kind is Kind.ROTATION:
        rough = quat.aligned(completed(rough, drops if dropped == ANY else dropped), at_ticks)
    unit = wanted.kind is Kind.ROTATION
    ticks = _line_keys(values, rough, sampling, wanted.bound, unit) if wanted.reduce else _all(len(at_ticks))
    return PackedTrack(
        wanted.kind,
        wanted.index,
        Mode.LINEAR,
        low,
        dropped,
        bits,
        (0,) * len(bits),
        ticks,
        codes[ticks],
        drops[ticks] if dropped == ANY else np.zeros(0, np.uint8),
        extent,
    )


def _all(count: int) -> Ticks:
    return np.arange(count, dtype=np.int32)


def _line_keys(
    values: FloatArray, rough: FloatArray, sampling: Sampling, bound: FloatArray, unit: bool
) -> Ticks:
    loaded = kernels.compiled()
    if loaded is None:
        with kernels.twin():
            return line_keys_numpy(values, rough, sampling.times, sampling.stride, bound, unit)
    keys = np.empty(len(rough), np.int32)
    parts = (np.ascontiguousarray(values), np.ascontiguousarray(rough), np.ascontiguousarray(sampling.times))
    count = loaded.compiled.line_keys(*parts, sampling.stride, np.ascontiguousarray(bound), unit, keys)
    return keys[:count].copy()


def line_keys_numpy(
    values: FloatArray, rough: FloatArray, times: FloatArray, stride: int, bound: FloatArray, unit: bool
) -> Ticks:
    """The numpy twin of the kernel: fewest ticks, taken greedily, whose lines stay within the bound."""
    last = len(rough) - 1

    def fits(i: int, j: int) -> bool:
        inner = slice(i * stride + 1, j * stride)
        start, end = times[i * stride], times[j * stride]
        u = ((times[inner] - start) / (end - start))[:, None]
        line = rough[i] + u * (rough[j] - rough[i])
        if unit:
            line = line * (1.0 / np.sqrt(np.square(line).sum(axis=1)))[:, None]
        off = np.square(line - values[inner]).sum(axis=1)
        return bool((off <= np.square(bound[inner])).all())

    keys, i = [0], 0
    while i < last:
        good, step = i + 1, 1
        while good < last and fits(i, min(good + step, last)):
            good = min(good + step, last)
            step *= 2
        bad = min(good + step, last + 1)
        while bad - good > 1:
            middle = (good + bad) >> 1
            if fits(i, middle):
                good = middle
            else:
                bad = middle
        i = good
        keys.append(i)
    return np.array(keys, dtype=np.int32)


def cubics(wanted: Wanted, sampling: Sampling) -> list[PackedTrack]:
    """Cubic keys with slopes; none where a rotation turns too far for one left-out component."""
    dropped = 0
    curve = wanted.values
    if wanted.kind is Kind.ROTATION:
        dropped = _dropped(wanted.values)
        if dropped == ANY:
            return []
        curve = without(wanted.values, dropped)
    ticks = np.zeros(len(curve), np.bool_)
    ticks[:: sampling.stride] = True
    share = wanted.bound / wanted.usual
    finest = float(wanted.bound.min()) * wanted.finer
    every = [np.zeros(0, np.int32), wanted.seeds] if len(wanted.seeds) else [np.zeros(0, np.int32)]
    made = []
    for part, step in CURVES:
        for seeds in every:
            bound, first = wanted.usual * part, (seeds * sampling.stride).astype(np.intp)
            found = fit_knots(sampling.times, curve, bound, first, share=share, joint=True, free=ticks)
            if len(found.keys) < len(sampling.axis):
                made.append(_cubic_track(sampling, wanted, curve, found, dropped, finest * step))
    return made


def _off(wanted: Wanted, values: FloatArray) -> FloatArray:
    """How far values are off, ``(S,)``; rotations by the nearer of both signs."""
    if wanted.kind is Kind.ROTATION:
        values = quat.aligned(values, wanted.values)
    return row_lengths(values - wanted.values)


def _cubic_track(
    sampling: Sampling, wanted: Wanted, curve: FloatArray, found: Knots, dropped: int, step: float
) -> PackedTrack:
    """Keys and slopes in numbers: neighbouring values a step apart, slopes such that curves are."""
    keys, slopes = found.keys, found.slopes
    values = curve[keys]
    low, extent, bits = _range(wanted.kind, values, step)
    steepest = np.abs(slopes).max(axis=0)
    slope = (
        np.nextafter(steepest.astype(np.float32), np.float32(np.inf))
        if wanted.kind is Kind.EXTRA
        else at_least(steepest)
    )
    gap = float(np.diff(sampling.times[keys]).max())
    slope_bits = bits_for(np.float32(2.0) * slope, step / (gap * BULGE))
    codes = np.concatenate(
        (
            quantised(values, low, extent, bits),
            quantised(slopes, -slope, np.float32(2.0) * slope, slope_bits),
        ),
        axis=1,
    )
    ticks = (keys // sampling.stride).astype(np.int32)
    return PackedTrack(
        wanted.kind, wanted.index, Mode.CUBIC, low, dropped, bits, slope_bits, ticks, codes,
        extent=extent, slope=slope,
    )  # fmt: skip
