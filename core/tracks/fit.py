"""Cubic keys through sampled data: few knots, smooth slopes by least squares, a bound that is kept."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.errors import ValidationError
from core.math import kernels
from core.progress import checkpoint
from core.tracks.keys import ScalarTrack, TangentMode, scalar_track

Indices = npt.NDArray[np.intp]
_LEAN = 1e-6  # how much a slope leans to the chord where the samples leave it open


class Knots(NamedTuple):
    """What a fit found.

    Parameters
    ----------
    keys : ``(K,)`` numbers of the samples that became keys, rising
    slopes : ``(K, C)`` value units per second
    error : largest deviation at a sample, in the units of the tolerance (1 is just within)
    """

    keys: Indices
    slopes: FloatArray
    error: float


def fit_knots(
    times: FloatArray,
    values: FloatArray,
    tolerance: npt.ArrayLike,
    seeds: Sequence[int] | Indices = (),
    *,
    share: FloatArray | None = None,
    joint: bool = False,
    free: npt.NDArray[np.bool_] | None = None,
) -> Knots:
    """Choose samples as keys so that the cubic through them stays within a tolerance of all samples.

    Begins with both ends and the seeds, solves for the slopes (one for both sides of a key) that fit
    the samples best, and adds the worst sample of every segment that is too far off, until none is.
    Where only some samples may become keys, the nearest of these is added, or one in the segments
    beside; the error stays above 1 where they do not suffice.

    Parameters
    ----------
    times : ``(T,)`` rising seconds
    values : ``(T, C)``; the columns share their keys
    tolerance : scalar or ``(C,)``, above 0
    seeds : samples that become keys in any case
    share : ``(T,)`` part of the tolerance that each sample is allowed, above 0; None is all of it
    joint : whether the columns' deviations count together, as a length, instead of each alone
    free : ``(T,)`` which samples may become keys, besides both ends and the seeds; None is all

    Raises
    ------
    ValidationError
        No samples, shapes that disagree, or a tolerance that is not above 0.
    """
    if values.ndim != 2 or not len(times) or len(times) != len(values):
        raise ValidationError(
            f"fit: expected values (T, C) at (T,) times, got {values.shape} at {times.shape}"
        )
    bound = np.broadcast_to(np.asarray(tolerance, dtype=np.float64), (values.shape[1],))
    if not (bound > 0.0).all():
        raise ValidationError(f"fit tolerance: expected more than 0, got {bound.tolist()}")
    checkpoint()
    last = len(times) - 1
    chosen = np.zeros(len(times), dtype=np.bool_)
    chosen[np.asarray(seeds, dtype=np.intp)] = True
    chosen[0] = chosen[last] = True
    keys: Indices = np.flatnonzero(chosen)
    if last == 0:
        return Knots(keys, np.zeros((1, values.shape[1])), 0.0)
    scale = np.ones(len(times)) if share is None else 1.0 / share
    open_ = np.ones(len(times), dtype=np.bool_) if free is None else np.ascontiguousarray(free)
    loaded = kernels.compiled()
    if loaded is None:
        with kernels.twin():
            return knots_numpy(times, values, 1.0 / bound, scale, joint, keys, open_)
    found, slopes = np.empty(len(times), np.int64), np.empty(values.shape)
    found[: len(keys)] = keys
    parts = (np.ascontiguousarray(part) for part in (times, values, 1.0 / bound, scale))
    count, error = loaded.fit.knots(*parts, joint, open_, found, len(keys), slopes)
    return Knots(found[:count].astype(np.intp), slopes[:count].copy(), float(error))


def knots_numpy(
    times: FloatArray,
    values: FloatArray,
    bound: FloatArray,
    scale: FloatArray,
    joint: bool,
    keys: Indices,
    free: npt.NDArray[np.bool_] | None = None,
) -> Knots:
    """The numpy twin of the kernel: bounds ``(C,)`` and shares ``(T,)`` are given as one over them."""
    places = np.arange(len(times)) if free is None else np.flatnonzero(free)
    while True:
        checkpoint()
        slopes, off = _solved(times, values, scale, keys)
        each = np.abs(off) * bound
        excess = (np.sqrt(np.square(each).sum(axis=1)) if joint else each.max(axis=1)) * scale
        worst = np.maximum.reduceat(excess[:-1], keys[:-1])
        bad = np.flatnonzero(worst > 1.0)
        wanted = {int(b): int(keys[b] + np.argmax(excess[keys[b] : keys[b + 1]])) for b in bad}
        added = _cuts(keys, places, wanted)
        more = np.union1d(keys, np.array(added, dtype=np.intp)).astype(np.intp)
        if len(more) == len(keys):  # all is within, or rounding alone is left
            return Knots(keys, slopes, float(excess.max()))
        keys = more


def _cuts(keys: Indices, places: Indices, wanted: dict[int, int]) -> list[int]:
    """Which places become keys for the samples wanted in some segments."""
    cuts: dict[int, int] = {}
    for segment, where in wanted.items():
        place = _nearest(places, keys, segment, where)
        if place is not None:
            cuts[segment] = place
            continue
        for beside, side in (
            (segment - 1, int(keys[segment]) - 1),
            (segment + 1, int(keys[segment + 1]) + 1),
        ):
            if 0 <= beside < len(keys) - 1 and beside not in cuts:
                place = _nearest(places, keys, beside, side)
                if place is not None:
                    cuts[beside] = place
    return list(cuts.values())


def _nearest(places: Indices, keys: Indices, segment: int, where: int) -> int | None:
    """The place nearest to a sample inside a segment, the earlier of two; None where there is none."""
    first, last = np.searchsorted(places, keys[segment], "right"), np.searchsorted(places, keys[segment + 1])
    inside = places[first:last]
    return int(inside[np.argmin(np.abs(inside - where))]) if len(inside) else None


def fit_track(
    times: npt.ArrayLike, values: npt.ArrayLike, tolerance: float, seeds: Sequence[int] = ()
) -> ScalarTrack:
    """A scalar track of ``free`` cubic keys within `tolerance` of samples ``(T,)``; see `fit_knots`."""
    at, data = np.asarray(times, dtype=np.float64), np.asarray(values, dtype=np.float64)
    found = fit_knots(at, data.reshape(len(data), -1), tolerance, seeds)
    return track_of(at, data, found)


def track_of(times: FloatArray, values: FloatArray, found: Knots, column: int = 0) -> ScalarTrack:
    """A scalar track from one column of a fit."""
    slopes = found.slopes[:, column]
    return scalar_track(times[found.keys], values[found.keys], slopes, slopes, modes=int(TangentMode.FREE))


def _solved(
    times: FloatArray, values: FloatArray, scale: FloatArray, keys: Indices
) -> tuple[FloatArray, FloatArray]:
    """Best slopes ``(K, C)`` at the keys, and how far the curve is off at every sample ``(T, C)``."""
    t0, h = times[keys[:-1]], np.diff(times[keys])
    count = np.diff(keys)
    count[-1] += 1
    piece = np.repeat(np.arange(len(h)), count)
    length = h[piece]
    u = (times - t0[piece]) / length
    rise = u * u * (3.0 - 2.0 * u)
    out = (u * (1.0 - u) ** 2 * length)[:, None]
    into = (-u * u * (1.0 - u) * length)[:, None]
    v0, v1 = values[keys[:-1]][piece], values[keys[1:]][piece]
    left = values - (v0 + rise[:, None] * (v1 - v0))
    weight = np.square(scale)[:, None]

    def total(column: FloatArray) -> FloatArray:
        return np.add.reduceat(weight * column, keys[:-1], axis=0)

    lean = _LEAN * h * h
    chord = np.diff(values[keys], axis=0) / h[:, None]
    diagonal = np.zeros(len(keys))
    diagonal[:-1] += total(out**2)[:, 0] + lean
    diagonal[1:] += total(into**2)[:, 0] + lean
    beside = total(out * into)[:, 0]
    right = np.zeros((len(keys), values.shape[1]))
    right[:-1] += total(out * left) + lean[:, None] * chord
    right[1:] += total(into * left) + lean[:, None] * chord
    slopes = tridiagonal(diagonal, beside, right)
    return slopes, left - out * slopes[:-1][piece] - into * slopes[1:][piece]


def tridiagonal(diagonal: FloatArray, beside: FloatArray, right: FloatArray) -> FloatArray:
    """Solve a symmetric, positive tridiagonal system for ``(K, C)`` right sides (Thomas's algorithm)."""
    pivots, factors = diagonal.tolist(), beside.tolist()
    shares = []
    for i in range(1, len(pivots)):
        share = factors[i - 1] / pivots[i - 1]
        pivots[i] -= share * factors[i - 1]
        shares.append(share)
    columns = []
    for column in right.T.tolist():  # plain floats: an array of one is ten times slower
        for i, share in enumerate(shares):
            column[i + 1] -= share * column[i]
        column[-1] /= pivots[-1]
        for i in range(len(pivots) - 2, -1, -1):
            column[i] = (column[i] - factors[i] * column[i + 1]) / pivots[i]
        columns.append(column)
    return np.array(columns).T.reshape(right.shape)
