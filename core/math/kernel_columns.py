"""Extremes of columns (compiled). Twin: `core.math.columns`."""

from numba import float32, int64, njit, void

from core.math.kernel_memory import load_double

SIDE = 16
"""Columns that are gone through together: what is written of them fills one line of the cache."""


@njit(
    void(int64[::1], int64[::1], int64, int64, int64, float32[:, ::1], float32[:, ::1]),
    cache=True,
    error_model="numpy",
    nogil=True,
)
def extremes(addresses, strides, start, end, size, low, high):  # type: ignore[no-untyped-def]
    """Least and greatest ``(G, N)`` of each `size` rows from `start` to before `end`; the last group may be short.

    Parameters
    ----------
    addresses, strides : ``(N,)`` of the columns' first float64, and bytes from each to the next
    """
    for first in range(0, len(addresses), SIDE):
        last = min(first + SIDE, len(addresses))
        for group in range(len(low)):
            begin = start + group * size
            stop = min(begin + size, end)
            for column in range(first, last):
                step = strides[column]
                place = addresses[column] + begin * step
                least = most = load_double(place)
                for _ in range(begin + 1, stop):
                    place += step
                    value = load_double(place)
                    least = min(least, value)
                    most = max(most, value)
                low[group, column] = least
                high[group, column] = most
