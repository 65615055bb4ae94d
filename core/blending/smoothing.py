"""How a blend space's input follows what is asked of it."""

import math

from core.blending.blend_space import BlendSpace, Smoothing, SpaceAxis


def followed(
    space: BlendSpace,
    point: tuple[float, ...],
    velocity: tuple[float, ...],
    goal: tuple[float, ...],
    seconds: float,
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The input and its velocity after some seconds, each axis by its own smoothing.

    Wrapped axes go the short way round. Steps of any size are stable, and cutting a step in two
    changes nothing but the last digits (springs and eases are solved exactly).
    """
    moved = [
        _follow(axis, here, speed, wanted, seconds)
        for axis, here, speed, wanted in zip(space.axes, point, velocity, goal, strict=True)
    ]
    return tuple(m[0] for m in moved), tuple(m[1] for m in moved)


def _follow(axis: SpaceAxis, here: float, speed: float, goal: float, seconds: float) -> tuple[float, float]:
    wanted = axis.kept(goal)
    if axis.smoothing is Smoothing.NONE or axis.smoothing_time <= 0.0 or seconds <= 0.0:
        return wanted, 0.0
    gap = wanted - here
    if axis.wrap:
        gap = (gap + axis.extent / 2.0) % axis.extent - axis.extent / 2.0
    time = axis.smoothing_time
    if axis.smoothing is Smoothing.LINEAR:
        step = math.copysign(min(abs(gap), axis.extent * seconds / time), gap)
        return axis.kept(here + step), step / seconds
    if axis.smoothing is Smoothing.SPRING:
        # Critically damped, about settled after `time`: x'' = −2ωx' − ω²x with ω = 6 / time.
        omega = 6.0 / time
        lead = (speed + omega * -gap) * seconds
        decay = math.exp(-omega * seconds)
        offset = (-gap + lead) * decay
        return axis.kept(wanted + offset), (speed - omega * lead) * decay
    # Average and ease approach exponentially; 95 % of the way after `time`, ease after twice that.
    rate = 3.0 / time if axis.smoothing is Smoothing.AVERAGE else 1.5 / time
    share = 1.0 - math.exp(-rate * seconds)
    return axis.kept(here + gap * share), gap * rate * math.exp(-rate * seconds)
