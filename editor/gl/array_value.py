"""Frozen dataclasses of arrays that compare by their numbers: what draw values are made of."""

from dataclasses import fields
from typing import Any

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, frozen

Values = npt.NDArray[Any]
"""Any numeric array on the way in; float32 (or the integer type named) and read-only once stored."""


class ArrayValue:
    """Equality for frozen dataclasses that hold arrays: same type, same numbers.

    Shared arrays compare by identity first, so comparing a frame with the one before it costs
    microseconds.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other):
            return NotImplemented
        return all(same_value(getattr(self, f.name), getattr(other, f.name)) for f in fields(self))  # type: ignore[arg-type]

    __hash__ = None  # type: ignore[assignment]


def same_value(a: Any, b: Any) -> bool:
    """Whether two fields are equal: arrays by their numbers, the same one at once."""
    if a is b:
        return True
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and np.array_equal(a, b)
    return bool(a == b)


def float32(values: npt.ArrayLike, shape: tuple[int | None, ...], what: str) -> Float32Array:
    """A read-only float32 array of the shape wanted; see `core.arrays.frozen`."""
    return frozen(values, shape, what, np.float32)


def put(value: object, name: str, array: object) -> None:
    """Store a field of a frozen dataclass while it is being made."""
    object.__setattr__(value, name, array)
