"""Vectors and angles: unit length, and the turn that is nearest to none."""

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray


def unit(vector: npt.ArrayLike, fallback: npt.ArrayLike, least: float = 1e-12) -> FloatArray:
    """Vectors ``(..., 3)`` at length 1.

    Parameters
    ----------
    fallback : ``(..., 3)`` replaces vectors no longer than `least`
    """
    values = np.asarray(vector, dtype=np.float64)
    length = np.linalg.norm(values, axis=-1, keepdims=True)
    long = length > least
    return np.where(long, values / np.where(long, length, 1.0), np.asarray(fallback, dtype=np.float64))


def within_half_turn(angle: npt.ArrayLike) -> FloatArray:
    """Angles in radians brought into −π ≤ angle < π by whole turns."""
    return np.asarray((np.asarray(angle, dtype=np.float64) + np.pi) % (2.0 * np.pi) - np.pi)
