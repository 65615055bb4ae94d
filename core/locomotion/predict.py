"""Where the controller will be if the input stays: for stops, pivots and motion matching.

The same formulas as the controller's on open, level ground; nothing is in the way and nothing is fallen off.
"""

import math
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray
from core.locomotion.controller import LANDED, allowed_gait, gait_done, landing_drag
from core.locomotion.dampers import wrap
from core.locomotion.input import Gait, Input
from core.locomotion.rotation import Facing, set_of, turned, weighted
from core.locomotion.setup import H, Setup
from core.locomotion.speed import flown, walked
from core.locomotion.state import LONG, State

STEADY = 1e-11
"""m/s and degrees in a step under which a movement goes straight on."""
LONGEST_STOP = 1200
"""Steps that a stop is followed for."""


class Path(NamedTuple):
    """What is predicted, from the state itself on.

    Parameters
    ----------
    places : ``(N + 1, 2)`` x and z, metres of the world
    velocities : ``(N + 1, 2)`` x and z, m/s
    yaws : ``(N + 1,)`` degrees about +Y, positive to the left
    """

    places: FloatArray
    velocities: FloatArray
    yaws: FloatArray


def predicted(setup: Setup, state: State, given: Input, steps: int, steady: float = STEADY) -> Path:
    """The path over the next steps with one input; in the air it stays there.

    Parameters
    ----------
    steady : m/s and degrees; what changes by no more in a step is taken to go straight on, which saves the rest
    """
    wish = given.wish
    crouching = given.crouch if not state.in_air else state.crouching
    allowed = allowed_gait(given, wish, crouching)
    top = setup.crouch if crouching else (setup.walk, setup.run, setup.sprint)[allowed - 1]
    x, z, v = state.position[0], state.position[2], (state.velocity[0], state.velocity[2])
    places, velocities, yaws = [(x, z)], [v], [state.yaw]
    view_speed = abs(wrap(given.yaw - state.view_yaw)) / H
    yaw, smooth, target = state.yaw, state.smooth_yaw, state.target_yaw
    hips, weights, ground_for = state.hips, state.set_weights, state.ground_for
    for number in range(steps):
        was = (*v, yaw, smooth, target, *weights)
        if state.in_air:
            v = flown(setup, v, wish, top)
        else:
            v = walked(setup, v, wish, top, landing_drag(ground_for, wish))
        x, z = x + v[0] * H, z + v[1] * H
        speed = math.hypot(*v)
        moving = bool((wish[0] or wish[1]) and speed >= 0.01) or speed > 0.5
        travel = math.degrees(math.atan2(v[0], v[1])) if speed >= 0.01 else yaw
        gait: Gait = gait_done(setup, speed, allowed)
        yaw, smooth, target = turned(
            setup,
            Facing(
                yaw, smooth, target, given.yaw, view_speed, travel, setup.gait_amount(speed), gait, given.mode,
                moving, state.in_air, weights, 0.0,
            ),
        )  # fmt: skip
        hips = set_of(setup, hips, -wrap(travel - yaw)) if moving else hips
        weights, view_speed = weighted(weights, hips), 0.0
        ground_for = min(ground_for + 1, LONG)
        places.append((x, z))
        velocities.append(v)
        yaws.append(yaw)
        now = (*v, yaw, smooth, target, *weights)
        settled = ground_for * H >= LANDED and number > 0 and not state.in_air
        if settled and all(abs(a - b) <= steady for a, b in zip(was, now, strict=True)):
            left = steps - number - 1  # nothing changes any more: straight on
            places += [(x + v[0] * H * k, z + v[1] * H * k) for k in range(1, left + 1)]
            velocities += [v] * left
            yaws += [yaw] * left
            break
    return Path(np.array(places), np.array(velocities), np.array(yaws))


def stopping(setup: Setup, state: State) -> tuple[float, float]:
    """Metres and seconds to the stop if the input ends now: what the clip of a stop is matched to."""
    v, ground_for, way = (state.velocity[0], state.velocity[2]), state.ground_for, 0.0
    for number in range(LONGEST_STOP):
        speed = math.hypot(*v)
        way += speed * H if number else 0.0
        if speed == 0.0:
            return way, number * H
        v = walked(setup, v, (0.0, 0.0), 0.0, landing_drag(ground_for, (0.0, 0.0)))
        ground_for = min(ground_for + 1, LONG)
    return way, LONGEST_STOP * H
