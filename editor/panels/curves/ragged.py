"""Spans of many curves whose key times differ, found in one pass over all of them. Free of Qt.

A clip whose keys were reduced has key times of its own in every curve: no two of them share a `Bundle`.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.math.columns import Floats
from editor.panels.curves.stacks import Flags, Parts

Ints = npt.NDArray[np.intp]


def spans(curves: Sequence[Parts], edges: FloatArray) -> tuple[Floats, Floats, Flags]:
    """Lowest and highest value ``(W, N)`` of curves in columns between evenly spaced edges ``(W + 1,)`` in seconds.

    Returns
    -------
    low, high, reached
        ``reached (W, N)``: the column lies between the first and the last key of the curve; elsewhere the
        values mean nothing.
    """
    width, number = len(edges) - 1, len(curves)
    start, pitch = float(edges[0]), float(edges[-1] - edges[0]) / width
    windows = [_in_sight(parts.times, float(edges[0]), float(edges[-1])) for parts in curves]
    x = np.concatenate([parts.times[a:b] for parts, (a, b) in zip(curves, windows, strict=True)])
    x = (x - start) / pitch
    values, out, into = (
        _joined([getattr(parts, name)[a:b] for parts, (a, b) in zip(curves, windows, strict=True)])
        for name in ("values", "out", "into")
    )
    counts = np.array([b - a for a, b in windows])
    first = np.cumsum(counts) - counts
    owner = np.repeat(np.arange(number), counts)

    # How many keys of the curve lie at or before each edge gives the segment that the edge is in.
    passed = np.clip(np.ceil(x), 0, width + 1).astype(np.intp) + owner * (width + 2)
    before = np.bincount(passed, minlength=number * (width + 2)).reshape(number, width + 2)
    segment = np.cumsum(before, axis=1)[:, : width + 1] - 1
    np.clip(segment, 0, np.maximum(counts - 2, 0)[:, None], out=segment)
    segment += first[:, None]
    following = np.minimum(segment + 1, len(x) - 1)

    at = np.clip(
        np.arange(width + 1, dtype=float)[None, :], x[first][:, None], x[first + counts - 1][:, None]
    )
    length = np.maximum(x[following] - x[segment], 1e-12)
    u = ((at - x[segment]) / length).astype(np.float32)
    rest, seconds = 1.0 - u, (length * pitch).astype(np.float32)
    v0 = values[segment]
    value = v0 + u * u * (3.0 - 2.0 * u) * (values[following] - v0)
    value += u * rest * seconds * (rest * out[segment] - u * into[following])
    for row, (parts, (a, _)) in enumerate(zip(curves, windows, strict=True)):
        if parts.held is not None:
            held = parts.held[segment[row] - first[row] + a]
            value[row] = np.where(held & (u[row] < 1.0), v0[row], value[row])

    low, high = np.minimum(value[:, :-1], value[:, 1:]), np.maximum(value[:, :-1], value[:, 1:])
    column = np.floor(x).astype(np.intp)
    seen = (column >= 0) & (column < width)
    cells = owner[seen] * width + column[seen]
    np.minimum.at(low.reshape(-1), cells, values[seen])
    np.maximum.at(high.reshape(-1), cells, values[seen])
    across = np.arange(width)[None, :]
    reached = (across + 1 > x[first][:, None]) & (across < x[first + counts - 1][:, None])
    reached &= (counts > 1)[:, None]
    return low.T, high.T, reached.T


def _in_sight(times: FloatArray, start: float, end: float) -> tuple[int, int]:
    """The keys between two times and one beside them on either side; at least one."""
    a, b = np.searchsorted(times, (start, end))
    return max(int(a) - 1, 0), min(int(b) + 1, len(times))


def _joined(rows: Sequence[FloatArray]) -> Floats:
    return np.concatenate(rows).astype(np.float32)
