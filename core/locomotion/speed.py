"""How the horizontal velocity follows the input (spec: locomotion, *Controller*)."""

import math

from core.locomotion.dampers import table
from core.locomotion.setup import AMOUNTS, H, Setup

Flat = tuple[float, float]

STILL = 0.1
"""m/s below which braking ends."""
TOO_FAST = 1.01
"""Times the top speed above which is braked in spite of an input."""


def walked(setup: Setup, v: Flat, wish: Flat, top: float, drag: float) -> Flat:
    """The velocity on the ground a step later.

    Parameters
    ----------
    v : (x, z), m/s
    wish : input in the world, 1 long at most
    top : m/s at a full stick
    drag : share of the friction that brakes, k of the specification: 0 but after a landing
    """
    speed, push = math.hypot(*v), math.hypot(*wish)
    amount = setup.gait_amount(speed)
    limit = top * push
    if push <= 0.0:
        return braked(setup, v, amount, drag)
    if speed > TOO_FAST * limit:
        slower = braked(setup, v, amount, drag)
        size = math.hypot(*slower)
        if size < limit:  # braking ends at the speed that is asked for
            slower = (v[0] / speed * limit, v[1] / speed * limit)
            size = limit
        return _pushed(slower, wish, table(amount, AMOUNTS, setup.acceleration), max(size, limit))
    share = min(table(amount, AMOUNTS, setup.friction) * H, 1.0)
    v = (
        v[0] - (v[0] - speed * wish[0] / push) * share,
        v[1] - (v[1] - speed * wish[1] / push) * share,
    )
    return _pushed(v, wish, table(amount, AMOUNTS, setup.acceleration), limit)


def braked(setup: Setup, v: Flat, amount: float, drag: float) -> Flat:
    """The velocity without input; it never turns round, and ends below `STILL`."""
    speed = math.hypot(*v)
    loss = H * (table(amount, AMOUNTS, setup.braking) + drag * table(amount, AMOUNTS, setup.friction) * speed)
    left = speed - loss
    if speed <= 0.0 or left < STILL:
        return 0.0, 0.0
    return v[0] * left / speed, v[1] * left / speed


def flown(setup: Setup, v: Flat, wish: Flat, top: float) -> Flat:
    """The horizontal velocity in the air: steered by a share of the acceleration, never braked."""
    speed, push = math.hypot(*v), math.hypot(*wish)
    if push <= 0.0:
        return v
    pushing = setup.air_control * table(setup.gait_amount(speed), AMOUNTS, setup.acceleration)
    return _pushed(v, wish, pushing, max(top * push, speed))


def _pushed(v: Flat, wish: Flat, acceleration: float, limit: float) -> Flat:
    x, z = v[0] + acceleration * wish[0] * H, v[1] + acceleration * wish[1] * H
    size = math.hypot(x, z)
    return (x * limit / size, z * limit / size) if size > limit else (x, z)
