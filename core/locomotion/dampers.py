"""Exact closed forms of what follows a goal, angles, and tables: the same result however a span is cut.

Spec: locomotion, axes and definitions. Degrees, seconds.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence

LN2 = math.log(2.0)


def wrap(degrees: float) -> float:
    """An angle brought into (−180, 180]."""
    turned = math.fmod(degrees, 360.0)
    if turned > 180.0:
        return turned - 360.0
    return turned + 360.0 if turned <= -180.0 else turned


def damp(x: float, goal: float, h: float, half: float) -> float:
    """``goal + (x − goal)·2^(−h/half)``: half of the way is left after `half` seconds; 0 jumps."""
    if half <= 0.0:
        return goal
    return goal + (x - goal) * math.exp2(-h / half)


def damp_angle(x: float, goal: float, h: float, half: float) -> float:
    """`damp` along the shorter arc; the result is wrapped."""
    return wrap(damp(x, x + wrap(goal - x), h, half))


def spring(x: float, v: float, goal: float, h: float, half: float) -> tuple[float, float]:
    """Critically damped: place and speed after `h` seconds; a half-life of 0 jumps and stops."""
    if half <= 0.0:
        return goal, 0.0
    y = 2.0 * LN2 / half
    j = v + y * (x - goal)
    decay = math.exp(-y * h)
    return goal + decay * ((x - goal) + j * h), decay * (v - j * y * h)


def approach(x: float, goal: float, most: float) -> float:
    """A step toward a goal, `most` long at most."""
    gap = goal - x
    return goal if abs(gap) <= most else x + math.copysign(most, gap)


def approach_angle(x: float, goal: float, most: float) -> float:
    """`approach` along the shorter arc; the result is wrapped."""
    return wrap(approach(x, x + wrap(goal - x), most))


def clamp(x: float, low: float, high: float) -> float:
    """A number kept within bounds."""
    return min(max(x, low), high)


def lerp(a: float, b: float, share: float) -> float:
    """Straight from a (0) to b (1)."""
    return a + (b - a) * share


def table(x: float, xs: Sequence[float], ys: Sequence[float]) -> float:
    """Linear between points with rising `xs`, held beyond its ends."""
    k = bisect_right(xs, x)
    if k == 0:
        return ys[0]
    if k == len(xs):
        return ys[-1]
    share = (x - xs[k - 1]) / (xs[k] - xs[k - 1])
    return ys[k - 1] + (ys[k] - ys[k - 1]) * share
