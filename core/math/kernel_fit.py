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


@njit(cache=True, error_model="numpy", fastmath={"reassoc", "contract", "nsz"})
def _segment_alone(times, values, scale, first, last, a, b, left, out):  # type: ignore[no-untyped-def]
    """`_segment` of a single column: flat arrays, and sums in any order, take a third of the time.

    The weights of both slopes and what they have to explain are kept in `a`, `b` and `left`, ``(T,)`` each.
    """
    start, h = times[first], times[last] - times[first]
    inverse, lean = 1.0 / h, LEAN * h * h
    low, high = values[first], values[last]
    chord = lean * (high - low) * inverse
    outs, ins, both, into, onto = lean, lean, 0.0, chord, chord
    # Parts that begin at 0: an index that might count from the end, as far as the compiler knows, is never vectorised.
    clock, given, heavy = times[first + 1 : last], values[first + 1 : last], scale[first + 1 : last]
    a, b, left = a[first + 1 : last], b[first + 1 : last], left[first + 1 : last]
    for i in range(last - first - 1):
        u = (clock[i] - start) * inverse
        rise = u * u * (3.0 - 2.0 * u)
        a[i] = u * (1.0 - u) * (1.0 - u) * h
        b[i] = u * u * (u - 1.0) * h
        left[i] = given[i] - low - rise * (high - low)
    for i in range(last - first - 1):
        square = heavy[i] * heavy[i]
        wa, wb = square * a[i], square * b[i]
        outs += wa * a[i]
        ins += wb * b[i]
        both += wa * b[i]
        into += wa * left[i]
        onto += wb * left[i]
    out[OUT_OUT], out[IN_IN], out[OUT_IN], out[SUMS], out[SUMS + 1] = outs, ins, both, into, onto


@njit(cache=True, error_model="numpy")
def _solve_alone(begin, count, ids, sums, pivots, factors, half, slopes):  # type: ignore[no-untyped-def]
    """`_solve` of a single column, to the same bits; slopes ``(K,)``; gives the first key whose slope is another.

    All but the slopes of keys before `begin` was found before with the same segments there: it is not done again.
    """
    for i in range(begin, count):
        inner = i < count - 1
        pivot = sums[ids[i], OUT_OUT] if inner else 0.0
        slope = sums[ids[i], SUMS] if inner else 0.0
        if i:
            before = ids[i - 1]
            beside = sums[before, OUT_IN]
            share = beside / pivots[i - 1]
            pivot = pivot + sums[before, IN_IN] - share * beside
            slope = slope + sums[before, SUMS + 1] - share * half[i - 1]
            factors[i - 1] = share
        pivots[i], half[i] = pivot, slope
    slope = half[count - 1] / pivots[count - 1]
    slopes[count - 1] = slope
    for i in range(count - 2, -1, -1):
        slope = half[i] / pivots[i] - factors[i] * slope
        if i < begin and slope == slopes[i]:
            return i
        slopes[i] = slope
    return 0


@njit(cache=True, error_model="numpy", fastmath={"nnan", "nsz"})
def _worst_alone(bound, scale, first, last, a, b, left, s0, s1):  # type: ignore[no-untyped-def]
    """`_worst` of a single column: the largest first, then where it is if that matters."""
    a, b, left = a[first + 1 : last], b[first + 1 : last], left[first + 1 : last]
    heavy, most = scale[first + 1 : last], 0.0
    for i in range(last - first - 1):
        off = abs(left[i] - a[i] * s0 - b[i] * s1) * bound * heavy[i]
        most = off if off > most else most
    if most > 1.0:
        for i in range(last - first - 1):
            if abs(left[i] - a[i] * s0 - b[i] * s1) * bound * heavy[i] >= most:
                return most, first + 1 + i
    return most, first


@njit(cache=True, error_model="numpy")
def _nearest(free, first, where, last):  # type: ignore[no-untyped-def]
    """The free sample nearest to one, strictly between two; −1 where there is none."""
    for reach in range(last - first + 1):
        if first < where - reach < last and free[where - reach]:
            return where - reach
        if first < where + reach < last and free[where + reach]:
            return where + reach
    return -1


@njit(cache=True, error_model="numpy")
def _knots_alone(times, values, bound, scale, free, keys, count, slopes):  # type: ignore[no-untyped-def]
    """`knots` of a single column: values and slopes ``(T,)``.

    Each segment has a number of its own, under which stand its sums, and what was found of it and at which slopes: far
    from a new key slopes stay the same, and nothing is done there.
    """
    samples = len(times)
    left, a, b = np.empty(samples), np.empty(samples), np.empty(samples)
    sums, seen = np.empty((samples, SUMS + 2)), np.empty((samples, 4))
    pivots, factors, half = np.empty(samples), np.empty(samples), np.empty(samples)
    ids, cuts = np.empty(samples, np.int64), np.empty(samples, np.int64)
    for i in range(count - 1):
        ids[i] = i
        seen[i, 0] = np.nan
        _segment_alone(times, values, scale, keys[i], keys[i + 1], a, b, left, sums[i])
    begin = 0
    while True:
        changed = max(_solve_alone(begin, count, ids, sums, pivots, factors, half, slopes) - 1, 0)
        cuts[changed:count] = -1
        for i in range(changed, count - 1):
            first, last, s0, s1, own = keys[i], keys[i + 1], slopes[i], slopes[i + 1], ids[i]
            if seen[own, 0] != s0 or seen[own, 1] != s1:
                off, where = _worst_alone(bound, scale, first, last, a, b, left, s0, s1)
                seen[own, 0], seen[own, 1], seen[own, 2], seen[own, 3] = s0, s1, off, where
            if seen[own, 2] > 1.0:
                place = _nearest(free, first, np.int64(seen[own, 3]), last)
                if place >= 0:
                    cuts[i] = place
                else:  # no key may be put here: those beside it bend less with one more
                    if i > changed and cuts[i - 1] < 0:
                        cuts[i - 1] = _nearest(free, keys[i - 1], first - 1, first)
                    if i + 2 < count:
                        cuts[i + 1] = _nearest(free, last, last + 1, keys[i + 2])
        more, begin = 0, count
        for i in range(count - 2, changed - 1, -1):
            if cuts[i] >= 0:
                more, begin = more + 1, i
        if more == 0:
            most = 0.0
            for i in range(count - 1):
                most = max(most, seen[ids[i], 2])
            return count, most
        free_id, shift = count - 1, more
        keys[count - 1 + more] = keys[count - 1]
        for i in range(count - 2, begin - 1, -1):  # from behind: each place is read before it is written
            first, last, where, own = keys[i], keys[i + 1 + shift], cuts[i], ids[i]
            if where >= 0:
                keys[i + shift], ids[i + shift] = where, free_id
                _segment_alone(times, values, scale, where, last, a, b, left, sums[free_id])
                seen[free_id, 0] = np.nan
                free_id += 1
                shift -= 1
                _segment_alone(times, values, scale, first, where, a, b, left, sums[own])
                seen[own, 0] = np.nan
            keys[i + shift], ids[i + shift] = first, own
        count += more


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
    if columns == 1:
        return _knots_alone(times, values.reshape(-1), bound[0], scale, free, keys, count, slopes.reshape(-1))
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
                for k in range(width):  # element by element: assigning a row costs as much as all the rest
                    others[more, k] = sums[i, k]
                more += 1
        if more == count - 1:
            return count, most
        new[more] = keys[count - 1]
        count = more + 1
        for i in range(count):
            keys[i] = new[i]
        sums, others = others, sums
