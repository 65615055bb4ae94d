"""Cubic keys through samples (compiled). Twin: `core.tracks.fit`, which says what is solved.

What runs for long in jobs lets Python's lock go (``nogil``), or the window would stand still meanwhile. Short
kernels that the window itself calls for each picture keep it: to get it back from a busy job takes longer than they.
"""

import math

import numpy as np
from numba import njit, types

from core.math.kernel_mesh import _read

LEAN = 1e-6
"""How much a slope leans to the chord where the samples leave it open."""
OUT_OUT, IN_IN, OUT_IN, SUMS = 0, 1, 2, 3
"""Sums of a segment over its samples: products of the slopes' weights; then two a column, with what is left
to explain."""


@njit(cache=True, error_model="numpy")
def _segment(times, values, scale, first, last, weights, left, out):  # type: ignore[no-untyped-def]
    """Normal equations of the slopes at both ends of one segment.

    Of each sample inside, the weights of both slopes ``(T, 2)`` and what these have to explain ``(T, C)`` are
    kept: they are the same as long as the segment is.
    """
    columns = values.shape[1]
    start, h = times[first], times[last] - times[first]
    inverse, lean = 1.0 / h, LEAN * h * h
    out[OUT_OUT] = out[IN_IN] = lean
    out[OUT_IN] = 0.0
    for c in range(columns):
        chord = lean * (values[last, c] - values[first, c]) * inverse
        out[SUMS + 2 * c] = out[SUMS + 2 * c + 1] = chord
    for i in range(first + 1, last):
        u = (times[i] - start) * inverse
        rise = u * u * (3.0 - 2.0 * u)
        square = scale[i] * scale[i]
        a = u * (1.0 - u) * (1.0 - u) * h
        b = u * u * (u - 1.0) * h
        weights[i, 0], weights[i, 1] = a, b
        wa, wb = square * a, square * b
        out[OUT_OUT] += wa * a
        out[IN_IN] += wb * b
        out[OUT_IN] += wa * b
        for c in range(columns):
            rest = values[i, c] - values[first, c] - rise * (values[last, c] - values[first, c])
            left[i, c] = rest
            out[SUMS + 2 * c] += wa * rest
            out[SUMS + 2 * c + 1] += wb * rest


@njit(cache=True, error_model="numpy")
def _solve(count, sums, pivots, factors, slopes):  # type: ignore[no-untyped-def]
    """Slopes ``(K, C)`` by Thomas's algorithm; `pivots` and `factors` are room."""
    columns = slopes.shape[1]
    for i in range(count):
        pivots[i] = (sums[i, OUT_OUT] if i < count - 1 else 0.0) + (sums[i - 1, IN_IN] if i else 0.0)
        for c in range(columns):
            right = sums[i, SUMS + 2 * c] if i < count - 1 else 0.0
            slopes[i, c] = right + (sums[i - 1, SUMS + 2 * c + 1] if i else 0.0)
        if i:
            share = sums[i - 1, OUT_IN] / pivots[i - 1]
            factors[i - 1] = share
            pivots[i] -= share * sums[i - 1, OUT_IN]
            for c in range(columns):
                slopes[i, c] -= share * slopes[i - 1, c]
    for i in range(count - 1, -1, -1):
        for c in range(columns):
            above = factors[i] * slopes[i + 1, c] if i < count - 1 else 0.0
            slopes[i, c] = slopes[i, c] / pivots[i] - above


@njit(cache=True, error_model="numpy")
def _worst(bound, scale, joint, first, last, weights, left, s0, s1):  # type: ignore[no-untyped-def]
    """Largest excess inside a segment, and at which sample."""
    most, where = 0.0, first
    for i in range(first + 1, last):
        a, b = weights[i, 0], weights[i, 1]
        off = 0.0
        for c in range(left.shape[1]):
            own = abs(left[i, c] - a * s0[c] - b * s1[c]) * bound[c]
            off = off + own * own if joint else max(off, own)
        off = (math.sqrt(off) if joint else off) * scale[i]
        if off > most:
            most, where = off, i
    return most, where


@njit(cache=True, error_model="numpy")
def _nearest(free, first, where, last):  # type: ignore[no-untyped-def]
    """The free sample nearest to one, strictly between two; −1 where there is none."""
    for reach in range(last - first + 1):
        if first < where - reach < last and free[where - reach]:
            return where - reach
        if first < where + reach < last and free[where + reach]:
            return where + reach
    return -1


@njit(
    types.Tuple((types.int64, types.float64))(
        _read(types.float64, 1), _read(types.float64, 2), _read(types.float64, 1), _read(types.float64, 1),
        types.boolean, _read(types.boolean, 1), types.int64[::1], types.int64, types.float64[:, ::1],
    ),
    cache=True,
    error_model="numpy",
    nogil=True,
)  # fmt: skip
def knots(times, values, bound, scale, joint, free, keys, count, slopes):  # type: ignore[no-untyped-def]
    """Samples that become keys, and slopes there; gives how many, and the largest share of the bound used.

    Parameters
    ----------
    bound : ``(C,)`` one over each column's tolerance
    scale : ``(T,)`` one over the share of it that each sample is allowed
    joint : whether the columns' deviations count together, as a length
    free : ``(T,)`` whether a sample may become a key
    keys : ``(T,)``, the first `count` given; all found are written
    slopes : ``(T, C)``; those at the keys are written
    """
    samples, columns = values.shape
    width = SUMS + 2 * columns
    sums, others = np.empty((samples, width)), np.empty((samples, width))
    weights, left = np.empty((samples, 2)), np.empty((samples, columns))
    pivots, factors = np.empty(samples), np.empty(samples)
    new, cuts = np.empty(samples, np.int64), np.empty(samples, np.int64)
    for i in range(count - 1):
        _segment(times, values, scale, keys[i], keys[i + 1], weights, left, sums[i])
    while True:
        _solve(count, sums, pivots, factors, slopes)
        most, more = 0.0, 0
        cuts[:count] = -1
        for i in range(count - 1):
            first, last = keys[i], keys[i + 1]
            off, where = _worst(bound, scale, joint, first, last, weights, left, slopes[i], slopes[i + 1])
            most = max(most, off)
            if off > 1.0:
                place = _nearest(free, first, where, last)
                if place >= 0:
                    cuts[i] = place
                else:  # no key may be put here: those beside it bend less with one more
                    if i and cuts[i - 1] < 0:
                        cuts[i - 1] = _nearest(free, keys[i - 1], first - 1, first)
                    if i + 2 < count:
                        cuts[i + 1] = _nearest(free, last, last + 1, keys[i + 2])
        for i in range(count - 1):
            first, last, where = keys[i], keys[i + 1], cuts[i]
            new[more] = first
            if where >= 0:
                new[more + 1] = where
                _segment(times, values, scale, first, where, weights, left, others[more])
                _segment(times, values, scale, where, last, weights, left, others[more + 1])
                more += 2
            else:
                others[more] = sums[i]
                more += 1
        if more == count - 1:
            return count, most
        new[more] = keys[count - 1]
        count = more + 1
        keys[:count] = new[:count]
        sums, others = others, sums
