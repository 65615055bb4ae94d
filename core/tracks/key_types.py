"""What a key is for in the animator's plan: an own column of every track."""

from enum import IntEnum

import numpy as np

from core.arrays import ByteArray, constant, frozen
from core.errors import ValidationError


class KeyType(IntEnum):
    """Type of a key. It says what the key is for, and changes no motion by itself.

    KEY: a pose of the plan. BREAKDOWN: how one pose turns into the next; keeps its share of the time between the keys
    beside it when one of these moves. INBETWEEN: detail between poses. EXTREME: where a movement turns. HOLD: the end
    of a pose that is held.
    """

    KEY = 0
    BREAKDOWN = 1
    INBETWEEN = 2
    EXTREME = 3
    HOLD = 4


TYPE_NAMES = {kind.name.lower(): kind for kind in KeyType}
"""Types by the names that files and the command line have."""
UNTYPED: ByteArray = constant(0, 0, np.uint8)
"""Stands for a column of plain keys of any length."""


def types_column(values: ByteArray, count: int) -> ByteArray:
    """The types of `count` keys as a frozen column; an even column of plain keys gets the length it needs.

    Raises
    ------
    ValidationError
        Another number of types than keys, or a code that is none.
    """
    array = np.asarray(values)
    even = array.ndim == 1 and (not len(array) or (not any(array.strides) and not array[0]))
    if even and array.shape != (count,):
        return constant(0, count, np.uint8)
    codes = frozen(values, (count,), "key types", np.uint8)
    if count and int(codes.max()) >= len(KeyType):
        raise ValidationError(f"key types: expected codes below {len(KeyType)}, got {int(codes.max())}")
    return codes
