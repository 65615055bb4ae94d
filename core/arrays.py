"""Frozen arrays: the one way data objects hold numbers.

A frozen array is read-only and C-contiguous or a zero-stride broadcast (a constant
column that costs no memory). Nothing hands out a writable view of one.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from core.errors import ValidationError

FloatArray = npt.NDArray[np.float64]
Float32Array = npt.NDArray[np.float32]
IntArray = npt.NDArray[np.int32]
ByteArray = npt.NDArray[np.uint8]
BoolArray = npt.NDArray[np.bool_]
IndexArray = npt.NDArray[np.intp]

ROWS = 256
"""Numbers from which short rows are added column by column."""
SMALL = 1 << 16
"""Bytes up to which two arrays are compared as bytes first."""

K = TypeVar("K")
V = TypeVar("V")


def frozen(
    values: npt.ArrayLike, shape: Sequence[int | None], what: str, dtype: npt.DTypeLike = np.float64
) -> npt.NDArray[Any]:
    """Return `values` as a read-only array, copying only when somebody could still write to it.

    Parameters
    ----------
    values : array-like
    shape : expected shape; ``None`` accepts any extent
    what : what the array is, for the error message
    dtype : wanted type

    Raises
    ------
    ValidationError
        When the shape differs; both shapes are in the message.
    """
    array = np.asarray(values, dtype=dtype)
    if array.shape != tuple(shape) and (
        array.ndim != len(shape)
        or any(want is not None and have != want for have, want in zip(array.shape, shape, strict=True))
    ):
        wanted = "(" + ", ".join("any" if n is None else str(n) for n in shape) + ")"
        raise ValidationError(f"{what}: expected shape {wanted}, got {array.shape}")
    if array.flags.writeable or not _is_settled(array):
        array = np.array(array, dtype=dtype, order="C", copy=True)
        array.flags.writeable = False
    return array


def _is_settled(array: npt.NDArray[Any]) -> bool:
    """Whether no writable array stands behind this read-only one."""
    base = array.base
    while isinstance(base, np.ndarray):
        if base.flags.writeable:
            return False
        base = base.base
    return True


def constant(value: float, count: int, dtype: npt.DTypeLike = np.float64) -> npt.NDArray[Any]:
    """Return a read-only column of `count` equal values that costs no memory (zero stride).

    The same object for the same value, where that was asked for lately: thousands of tracks share theirs.
    """
    return _constant(value, math.copysign(1.0, value), count, np.dtype(dtype))  # 0 and −0 compare equal


def stretched(column: npt.NDArray[Any], count: int) -> npt.NDArray[Any]:
    """Return a column whose rows are all equal (zero stride) with `count` rows."""
    if column.ndim == 1:
        return constant(column[0].item(), count, column.dtype)
    return np.broadcast_to(column[0], (count, *column.shape[1:]))


@lru_cache(maxsize=512)
def _constant(value: float, sign: float, count: int, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    cell = np.array([value], dtype=dtype)
    cell.flags.writeable = False
    return np.broadcast_to(cell, (count,))


def row_sums(array: FloatArray) -> FloatArray:
    """Sums along a short last axis ``(..., n)``: the bits of ``array.sum(axis=-1)``.

    Columns are added instead of rows, which is ten times faster with many rows of a few numbers.
    """
    width = array.shape[-1]
    if not 2 <= width <= 4 or array.size < ROWS:
        plain: FloatArray = np.add.reduce(array, axis=-1)
        return plain
    total: FloatArray = array[..., 0] + array[..., 1]
    for column in range(2, width):
        total += array[..., column]
    return total


def row_lengths(array: FloatArray) -> FloatArray:
    """Lengths along a short last axis ``(..., n)``: the bits of ``np.linalg.norm(array, axis=-1)``."""
    lengths: FloatArray = np.sqrt(row_sums(array * array))
    return lengths


def column_least(array: FloatArray) -> FloatArray:
    """The least of each of a few columns ``(N, C)``; fifteen times faster than ``array.min(axis=0)``."""
    return np.array([column.min() for column in array.T])


def column_most(array: FloatArray) -> FloatArray:
    """The largest of each of a few columns ``(N, C)``."""
    return np.array([column.max() for column in array.T])


def distinct(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """What `np.unique` gives of finite numbers, rising; that one imports all of masked arrays when first called."""
    rising = np.sort(array, axis=None)
    new = np.ones(len(rising), np.bool_)
    np.not_equal(rising[1:], rising[:-1], out=new[1:])
    return rising[new]


def quantile(values: FloatArray, part: float) -> float:
    """What `np.quantile` gives of finite values ``(N,)``, N > 0; that one calls `np.unique`, see `distinct`.

    Parameters
    ----------
    part : 0 to 1; between two values the straight line counts
    """
    rising = np.sort(values, axis=None)
    place = part * (len(rising) - 1)
    low = min(int(place), max(len(rising) - 2, 0))
    high = min(low + 1, len(rising) - 1)
    return float(rising[low] + (rising[high] - rising[low]) * (place - low))


def require_finite(array: npt.NDArray[Any], what: str) -> None:
    """Raise `ValidationError` naming the first place that is not finite."""
    finite = np.isfinite(array)
    if not finite.all():
        place = tuple(int(i) for i in np.argwhere(~finite)[0])
        raise ValidationError(f"{what}: expected finite numbers, got {array[place]} at index {place}")


def same(a: npt.NDArray[Any], b: npt.NDArray[Any]) -> bool:
    """Whether two arrays hold the same type, shape and values (NaN equals NaN)."""
    if a is b:
        return True
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.nbytes <= SMALL and a.tobytes() == b.tobytes():
        return True  # a tenth of what comparing numbers costs, and most of what is compared is equal
    return bool(np.array_equal(a, b, equal_nan=a.dtype.kind == "f"))


def same_value(a: Any, b: Any, seen: dict[tuple[int, int], bool] | None = None) -> bool:
    """Deep equality of frozen data: dataclasses, mappings (order matters not), tuples, arrays.

    Shared parts are compared by identity first, so comparing two versions of a document costs
    what they differ in.

    Parameters
    ----------
    seen : answers for pairs of arrays by their ids, kept between calls for values that share arrays; whoever
        gives it keeps all values alive meanwhile
    """
    if a is b:
        return True
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        if not (isinstance(a, np.ndarray) and isinstance(b, np.ndarray)):
            return False
        if seen is None:
            return same(a, b)
        found = seen.get((id(a), id(b)))
        if found is None:
            found = seen[id(a), id(b)] = same(a, b)
        return found
    if type(a) is not type(b):
        return False
    if is_dataclass(a):
        return all(same_value(getattr(a, name), getattr(b, name), seen) for name in _compared(type(a)))
    if isinstance(a, Mapping):
        return a.keys() == b.keys() and all(same_value(value, b[key], seen) for key, value in a.items())
    if isinstance(a, tuple | list):
        return len(a) == len(b) and all(same_value(x, y, seen) for x, y in zip(a, b, strict=True))
    return bool(a == b or (a != a and b != b))


_COMPARED: dict[type, tuple[str, ...]] = {}


def _compared(kind: Any) -> tuple[str, ...]:
    """Names of a dataclass's fields that count where two are compared."""
    names = _COMPARED.get(kind)
    if names is None:
        names = _COMPARED[kind] = tuple(field.name for field in fields(kind) if field.compare)
    return names


def frozen_mapping(items: Mapping[K, V]) -> Mapping[K, V]:
    """A read-only copy of a mapping that keeps its order."""
    return items if isinstance(items, MappingProxyType) else MappingProxyType(dict(items))
