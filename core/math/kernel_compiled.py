"""Choosing keys of compiled clips (compiled; twin: `core.clips.compiled.fit`), and the way to playing them."""

import math

from numba import njit, types

from core.math.kernel_mesh import _read
from core.math.kernel_play import play

__all__ = ("line_keys", "play")

_TIMES = _read(types.float64, 1)


@njit(cache=True, error_model="numpy")
def _fits(values, rough, times, stride, bound, unit, i, j):  # type: ignore[no-untyped-def]
    """Whether the line from tick `i` to `j` of the quantised values passes every sample between."""
    width = values.shape[1]
    start, end = times[i * stride], times[j * stride]
    for s in range(i * stride + 1, j * stride):
        u = (times[s] - start) / (end - start)
        total = 0.0
        for c in range(width):
            v = rough[i, c] + u * (rough[j, c] - rough[i, c])
            total += v * v
        scale = 1.0 / math.sqrt(total) if unit else 1.0
        off = 0.0
        for c in range(width):
            d = (rough[i, c] + u * (rough[j, c] - rough[i, c])) * scale - values[s, c]
            off += d * d
        if not off <= bound[s] * bound[s]:
            return False
    return True


@njit(
    types.int64(
        _read(types.float64, 2), _read(types.float64, 2), _TIMES, types.int64, _TIMES, types.boolean,
        types.int32[::1],
    ),
    cache=True,
    error_model="numpy",
    nogil=True,
)  # fmt: skip
def line_keys(values, rough, times, stride, bound, unit, keys):  # type: ignore[no-untyped-def]
    """Fewest ticks, taken greedily, whose lines stay within a bound of all samples; gives their count."""
    last = len(rough) - 1
    count, i = 1, 0
    keys[0] = 0
    while i < last:
        good, step = i + 1, 1
        while good < last and _fits(values, rough, times, stride, bound, unit, i, min(good + step, last)):
            good = min(good + step, last)
            step *= 2
        bad = min(good + step, last + 1)
        while bad - good > 1:
            middle = (good + bad) >> 1
            if _fits(values, rough, times, stride, bound, unit, i, middle):
                good = middle
            else:
                bad = middle
        i = good
        keys[count] = i
        count += 1
    return count
