"""Ranges of a track's numbers in few bits: where they begin, and how far they reach (at least)."""

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, FloatArray

LOW_BITS = 21
LOW_STEP = 2.0**-20
"""Least components of rotations are on a grid that begins at −1."""
SMALL_BITS = 10
SMALL_BIAS = 32

Codes = npt.NDArray[np.uint32]


def low_codes(least: FloatArray) -> Codes:
    """Numbers of the grid's lines just below values within ±1."""
    return np.clip(np.floor((least + 1.0) / LOW_STEP), 0, 2**LOW_BITS - 1).astype(np.uint32)


def low_values(codes: Codes) -> Float32Array:
    """Values of the grid's lines, exact in float32."""
    return np.asarray(codes * LOW_STEP - 1.0, dtype=np.float32)


def small_codes(values: npt.ArrayLike) -> Codes:
    """The smallest of the short floats that are not below positive values; 0 for 0.

    Code c above 0 stands for ``(1 + (c & 15) / 16) · 2^((c >> 4) − 32)``, 6 % apart.
    """
    wanted = np.asarray(values, dtype=np.float64)
    part, power = np.frexp(np.maximum(wanted, 0.0))  # part in ½..1
    steps = np.ceil((part * 2.0 - 1.0) * 16.0)
    codes = 16.0 * (power - 1 + SMALL_BIAS) + steps
    codes = np.clip(codes, 1, 2**SMALL_BITS - 1)
    return np.where(wanted > 0.0, codes, 0).astype(np.uint32)


def small_values(codes: Codes) -> Float32Array:
    """Values of short floats, exact in float32."""
    whole = codes.astype(np.int64)
    values = np.ldexp(1.0 + (whole & 15) / 16.0, (whole >> 4) - SMALL_BIAS)
    return np.where(whole > 0, values, 0.0).astype(np.float32)


def at_least(values: npt.ArrayLike) -> Float32Array:
    """Positive values raised to the next short float."""
    return small_values(small_codes(values))


def joined(codes: Codes, bits: int) -> int:
    """Three codes in one whole number, the first lowest."""
    return sum(int(code) << (bits * place) for place, code in enumerate(codes))


def parted(number: int, bits: int) -> Codes:
    """The inverse of `joined`."""
    return np.array([number >> (bits * place) & ((1 << bits) - 1) for place in range(3)], dtype=np.uint32)
