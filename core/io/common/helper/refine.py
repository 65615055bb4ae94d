"""In the helper: samples of transforms, as close in time as straight motion between them needs."""

from collections.abc import Callable

import numpy as np

from core.arrays import BoolArray, FloatArray
from core.math import quat

NEAR_PLACE, NEAR_TURN = 2e-5, 2e-4
"""How far what lies between samples may be off: of the size, in radians (0.011°); scale like places."""
ROUNDS = 5
LEAST = 1e-3
"""Seconds below which nothing is halved."""
MOST_SAMPLES = 200_000


def refined(
    sample: Callable[[FloatArray], FloatArray], times: FloatArray, sizes: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Times and samples there, with further ones wherever the middle between two is off.

    Parameters
    ----------
    sample : gives translation, rotation, scale ``(N, T, 10)`` of N nodes at times
    times : ``(T,)`` to begin with
    sizes : ``(N,)`` what `NEAR_PLACE` is a part of
    """
    rows = sample(times)
    check = np.diff(times) > LEAST
    for _ in range(ROUNDS):
        left = np.flatnonzero(check)
        if not len(left) or len(times) > MOST_SAMPLES:
            break
        middle = 0.5 * (times[left] + times[left + 1])
        wanted = sample(middle)
        off = _strays(rows[:, left], rows[:, left + 1], wanted, sizes)
        new = left[off] + 1
        times = np.insert(times, new, middle[off])
        rows = np.insert(rows, new, wanted[:, off], axis=1)
        check = np.zeros(len(times) - 1, dtype=bool)
        ends = new + np.arange(len(new))
        check[ends] = check[ends - 1] = True
        check &= np.diff(times) > LEAST
    return times, rows


def _strays(before: FloatArray, after: FloatArray, wanted: FloatArray, sizes: FloatArray) -> BoolArray:
    """At which of the middles ``(T,)`` some node is off."""
    turned = quat.slerp(before[..., 3:7], after[..., 3:7], np.full(before.shape[:2], 0.5))
    off = quat.angle_between(turned, wanted[..., 3:7]) > NEAR_TURN
    away = np.abs(0.5 * (before + after) - wanted)
    off |= away[..., :3].max(axis=-1) > NEAR_PLACE * sizes[:, None]
    off |= away[..., 7:].max(axis=-1) > NEAR_PLACE
    return np.asarray(off.any(axis=0), dtype=bool)
