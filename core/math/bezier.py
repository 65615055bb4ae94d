"""Cubic segments: Hermite with independent slopes, and the weighted (Bézier) form.

A segment runs from time 0 to `h` with values `v0`, `v1` and slopes `s0`, `s1` (value units a
second). Everything is elementwise over any shape.
"""

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray

LONGEST = 4.0 / 3.0
"""The longest handle, in segments, with which time may still run forwards: beside one of a third."""
_SLACK = 1e-9
_STEPS = 80
"""More than bisection alone needs to reach the last bit of a number in 0..1."""


def hermite(
    u: npt.ArrayLike,
    h: npt.ArrayLike,
    v0: npt.ArrayLike,
    v1: npt.ArrayLike,
    s0: npt.ArrayLike,
    s1: npt.ArrayLike,
) -> FloatArray:
    """Cubic Hermite value at fraction `u` (spec: evaluation, Interpolation)."""
    c0, c1, c2, c3 = hermite_coefficients(h, v0, v1, s0, s1)
    x = np.asarray(u, dtype=np.float64)
    value: FloatArray = c0 + x * (c1 + x * (c2 + x * c3))
    return value


def hermite_coefficients(
    h: npt.ArrayLike, v0: npt.ArrayLike, v1: npt.ArrayLike, s0: npt.ArrayLike, s1: npt.ArrayLike
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Power coefficients in the fraction ``u`` of the segment: ``c0 + c1 u + c2 u² + c3 u³``."""
    start, end = np.asarray(v0, dtype=np.float64), np.asarray(v1, dtype=np.float64)
    out, into = np.multiply(h, s0), np.multiply(h, s1)
    rise = end - start
    return start, out, 3.0 * rise - 2.0 * out - into, out + into - 2.0 * rise


def weighted(
    u: npt.ArrayLike,
    h: npt.ArrayLike,
    v0: npt.ArrayLike,
    v1: npt.ArrayLike,
    s0: npt.ArrayLike,
    s1: npt.ArrayLike,
    w0: npt.ArrayLike,
    w1: npt.ArrayLike,
) -> FloatArray:
    """Value at time fraction `u` of the Bézier whose handles lie at ``w0·h`` and ``h − w1·h``.

    Weights of 1/3 give exactly the Hermite form. See `forward` for weights above 1.
    """
    w0, w1 = forward(w0, w1)
    b = solve(u, w0, w1)
    start, end = np.asarray(v0, dtype=np.float64), np.asarray(v1, dtype=np.float64)
    near = start + np.multiply(np.multiply(h, w0), s0)
    far = end - np.multiply(np.multiply(h, w1), s1)
    a = 1.0 - b
    value: FloatArray = a * a * a * start + 3.0 * a * b * (a * near + b * far) + b * b * b * end
    return value


def forward(w0: npt.ArrayLike, w1: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Both weights of segments, held to 1 where together they would make time run backwards.

    Weights of 0..1 never do. A longer handle, which is what cutting a segment in two can leave, is right
    beside a short one: time runs forwards while ``w0 + w1 − √(w0·w1) ≤ 1``.
    """
    first, second = np.asarray(w0, dtype=np.float64), np.asarray(w1, dtype=np.float64)
    back = (np.maximum(first, second) > 1.0) & (first + second - np.sqrt(first * second) > 1.0 + _SLACK)
    if not back.any():
        return first, second
    return np.where(back, np.minimum(first, 1.0), first), np.where(back, np.minimum(second, 1.0), second)


def solve(x: npt.ArrayLike, w0: npt.ArrayLike, w1: npt.ArrayLike) -> FloatArray:
    """Bézier parameter at which the time fraction is `x`, for handles at ``w0`` and ``1 − w1``.

    Newton's method inside a bracket that halves whenever a step would leave it, so it converges
    for all weights that `forward` leaves as they are. `x` outside 0..1 is clamped.
    """
    target, first, second = np.broadcast_arrays(
        np.asarray(x, dtype=np.float64), np.asarray(w0, dtype=np.float64), np.asarray(w1, dtype=np.float64)
    )
    target = np.clip(target, 0.0, 1.0)
    c1 = 3.0 * first
    c2 = 3.0 * (1.0 - second) - 6.0 * first
    c3 = 1.0 + 3.0 * first - 3.0 * (1.0 - second)
    low, high = np.zeros_like(target), np.ones_like(target)
    b = np.array(target)
    for _ in range(_STEPS):
        error = ((c3 * b + c2) * b + c1) * b - target
        if np.all((np.abs(error) <= 1e-16) | (high - low <= 1e-16)):
            break
        low = np.where(error < 0.0, b, low)
        high = np.where(error < 0.0, high, b)
        rate = (3.0 * c3 * b + 2.0 * c2) * b + c1
        step = b - error / np.where(rate > 1e-12, rate, 1.0)
        inside = (rate > 1e-12) & (step > low) & (step < high)
        b = np.where(error == 0.0, b, np.where(inside, step, 0.5 * (low + high)))
    return b
