"""Tables of numbers as text, several times quicker than one number after the other."""

from typing import Any

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray

LARGEST = 1e9
"""Beyond this many digits whole numbers of 64 bits would not hold them; Python's own formatting does."""


def rows_of(table: FloatArray, places: int = 6) -> bytes:
    """A line for each row of a table ``(R, C)`` of finite numbers: fixed decimal places, one space between.

    Numbers are rounded to the nearest; what rounds to nothing has no sign.
    """
    if not table.size:
        return b"\n" * len(table)
    if np.abs(table).max() >= LARGEST:
        row = " ".join([f"%.{places}f"] * table.shape[1]) + "\n"
        return "".join(row % tuple(values) for values in table.tolist()).encode()
    scaled = np.rint(table * 10.0**places)
    minus = scaled < 0.0
    left: npt.NDArray[Any] = np.abs(scaled).astype(np.uint32 if np.abs(scaled).max() < 2**32 else np.uint64)
    digits = max(len(str(int(left.max()))), places + 1)
    width = digits + 3  # sign, point, and the space or line end behind
    text = np.empty((*table.shape, width), np.uint8)
    kept = np.ones(text.shape, bool)
    text[..., 0], kept[..., 0] = ord("-"), minus
    text[..., -1] = ord(" ")
    text[:, -1, -1] = ord("\n")
    text[..., -2 - places] = ord(".")
    for place in range(digits):
        column = width - 2 - place - (place >= places)
        if place > places:
            kept[..., column] = left > 0  # no zeros before the first digit
        rest = left // 10
        text[..., column] = left - 10 * rest + ord("0")
        left = rest
    return text[kept].tobytes()
