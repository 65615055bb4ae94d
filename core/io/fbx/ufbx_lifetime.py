"""The FBX library's objects, kept alive for the whole life of the helper process.

The Python objects of ufbx 0.0.5 count their references too low: one that is dropped and touched again
crashes. So the helper never releases any, runs without the garbage collector, and leaves by
``os._exit``. Nothing outside of the helper process may touch ufbx.
"""

import ctypes
from typing import Any, TypeVar

import numpy as np

from core.arrays import FloatArray

T = TypeVar("T")

_held: list[Any] = []
_increase = ctypes.pythonapi.Py_IncRef
_increase.argtypes = [ctypes.py_object]
_increase.restype = None


def keep(thing: T) -> T:
    """The same object, never to be freed."""
    if thing is not None:
        _increase(thing)
        _increase(thing)
        _held.append(thing)
    return thing


def all_of(items: Any) -> list[Any]:
    """The elements of one of the library's lists, all kept."""
    keep(items)
    return [keep(items[number]) for number in range(len(items))]


def array_of(items: Any, width: int, dtype: Any = np.float64) -> Any:
    """A copy of a list of numbers or vectors, ``(N,)`` or ``(N, width)``."""
    keep(items)
    if not len(items):
        return np.zeros((0, width) if width > 1 else 0, dtype)
    return np.array(np.asarray(items), dtype=dtype)


def matrix_of(matrix: Any) -> FloatArray:
    """The library's 3×4 matrix as ``(4, 4)``; one that is not finite is refused."""
    full = np.eye(4)
    full[:3] = np.array([tuple(column) for column in (matrix.c0, matrix.c1, matrix.c2, matrix.c3)]).T
    if not np.isfinite(full).all():  # LAPACK can hang on non-finite input
        raise ValueError("a matrix holds numbers that are not finite")
    return full
