"""A hash of an instance's state: a number of 64 bits that differs wherever one number of the state does."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.graph.packer import WholeArray
from core.math import kernels

MASK = (1 << 64) - 1
_MIX = 0x9E3779B97F4A7C15


def state_hash(numbers: FloatArray, whole: WholeArray) -> int:
    """A hash of float64 ``(F,)`` and int64 ``(I,)`` numbers, by their bits: 0.0 and −0.0 differ.

    A sum of all words times odd factors, modulo 2⁶⁴: a change of any one word always changes it (an odd number has an
    inverse), other changes but for one chance in 2⁶³ or so. Sums of whole numbers have no rounding, so kernel and
    twin, whatever the platform and the order of the sum, give the same.
    """
    factors = _factors(len(numbers) + len(whole))
    loaded = kernels.compiled()
    if loaded is not None:
        return int(loaded.graph.hashed(numbers, whole, factors))
    return hash_by_twin(numbers, whole, factors)


def hash_by_twin(numbers: FloatArray, whole: WholeArray, factors: npt.NDArray[np.uint64]) -> int:
    """The same with numpy."""
    found = int(numbers.view(np.uint64) @ factors[: len(numbers)])
    return (found + int(whole.view(np.uint64) @ factors[len(numbers) :])) & MASK


def together(one: int, other: int) -> int:
    """A hash of two hashes."""
    return (one * _MIX + other) & MASK


@lru_cache(maxsize=32)
def _factors(count: int) -> npt.NDArray[np.uint64]:
    """Odd numbers, the same on every machine and in every version of numpy.

    SplitMix64 of 1, 2, 3, … (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
    """
    found = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(_MIX)
    found = (found ^ (found >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    found = (found ^ (found >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (found ^ (found >> np.uint64(31))) | np.uint64(1)
