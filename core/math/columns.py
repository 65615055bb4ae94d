"""Columns of many curves, laid side by side, or searched for extremes by a kernel or its numpy twin."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.errors import ValidationError
from core.math import kernels

Floats = npt.NDArray[np.float32]
TILE = 64


def extremes(columns: Sequence[FloatArray], start: int, end: int, size: int) -> tuple[Floats, Floats]:
    """Least and greatest of each `size` values of columns.

    Parameters
    ----------
    columns : N arrays ``(K,)`` of finite values
    start, end : the rows looked at, ``0 ≤ start < end ≤ K``
    size : rows of a group; the last may have fewer

    Returns
    -------
    least, greatest
        ``(G, N)``.

    Raises
    ------
    ValidationError
        Rows that some column does not have: the kernel would read beyond it.
    """
    if not 0 <= start < end <= min(map(len, columns), default=0):
        raise ValidationError(f"extremes: expected rows that every column has, got {start} to {end}")
    shape = -(-(end - start) // size), len(columns)
    compiled = kernels.compiled()
    if compiled is None:
        with kernels.twin():
            block, starts = _block(columns, start, end), np.arange(0, end - start, size)
            least, most = (pick.reduceat(block, starts, axis=1) for pick in (np.minimum, np.maximum))
            return turned(least), turned(most)
    columns = [np.asarray(column, np.float64) for column in columns]
    low, high = np.empty(shape, np.float32), np.empty(shape, np.float32)
    compiled.columns.extremes(*_places(columns), start, end, size, low, high)
    return low, high


def beside(columns: Sequence[FloatArray], start: int, end: int) -> Floats:
    """Rows `start` to before `end` of columns, ``(W, N)``."""
    return turned(_block(columns, start, end))


def _places(columns: Sequence[FloatArray]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Addresses of columns, which the caller keeps alive, and their strides in bytes."""
    addresses = np.array([column.ctypes.data for column in columns], np.int64)
    return addresses, np.array([column.strides[0] for column in columns], np.int64)


def _block(columns: Sequence[FloatArray], start: int, end: int) -> Floats:
    block = np.empty((len(columns), end - start), np.float32)
    for row, column in zip(block, columns, strict=True):
        row[:] = column[start:end]
    return block


def turned(rows: Floats) -> Floats:
    """The transpose, laid out again tile by tile: a multiple quicker than at a stroke."""
    columns = np.empty(rows.shape[::-1], rows.dtype)
    for start in range(0, rows.shape[1], TILE):
        for row in range(0, rows.shape[0], TILE):
            columns[start : start + TILE, row : row + TILE] = rows[row : row + TILE, start : start + TILE].T
    return columns
