"""A hash of an instance's state: two numbers of 64 bits that differ wherever one number of the state does."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.graph.packer import WholeArray

MASK = (1 << 64) - 1
_MIX = 0x9E3779B97F4A7C15


def state_hash(numbers: FloatArray, whole: WholeArray) -> int:
    """A hash of float64 and int64 arrays, by their bits: 0.0 and −0.0 differ.

    A sum of all words times odd numbers, modulo 2⁶⁴: a change of any one word always changes it (an odd number has an
    inverse), other changes but for one chance in 2⁶³ or so.
    """
    factors = _factors(len(numbers) + len(whole))
    words = numbers.view(np.uint64)
    found = int(words @ factors[: len(words)]) + int(whole.view(np.uint64) @ factors[len(words) :])
    return found & MASK


def together(one: int, other: int) -> int:
    """A hash of two hashes."""
    return (one * _MIX + other) & MASK


@lru_cache(maxsize=32)
def _factors(count: int) -> npt.NDArray[np.uint64]:
    """Odd numbers, the same in every process."""
    made = np.random.Generator(np.random.PCG64(12345)).integers(0, 1 << 63, count, dtype=np.uint64)
    return made * np.uint64(2) + np.uint64(1)
