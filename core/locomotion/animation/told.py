"""What the graphs are told of the controller in each step: their variables by name."""

import math
from functools import lru_cache

import numpy as np

from core.arrays import FloatArray
from core.locomotion.animation.values import Played, air_lean
from core.locomotion.dampers import wrap
from core.locomotion.input import RotationMode
from core.locomotion.setup import H, Setup
from core.locomotion.speed import braked
from core.locomotion.state import State

FASTER = 2.0
"""m/s above the sprint up to which ways to a stop are known."""
LONGEST = 100_000
"""Steps after which a stop counts as made: the slowest braking of the slowest set-up is far below."""


@lru_cache(maxsize=64)
def _ways(setup: Setup) -> tuple[FloatArray, FloatArray]:
    """Speeds ``(N,)`` in m/s and the metres ``(N,)`` to a stop from there, without input and on level ground.

    One stop from the fastest speed is followed step by step; what lies between its steps is linear in v², as it is
    under even braking.
    """
    speeds, places, v, way = [setup.sprint + FASTER], [0.0], (setup.sprint + FASTER, 0.0), 0.0
    for _ in range(LONGEST):
        v = braked(setup, v, setup.gait_amount(v[0]), 0.0)
        way += v[0] * H
        speeds.append(v[0])
        places.append(way)
        if v[0] <= 0.0:
            break
    left = way - np.array(places)
    return np.array(speeds)[::-1] ** 2, left[::-1]


def stop_way(setup: Setup, speed: float) -> float:
    """Metres still to go to a stop, D = v²/2b by the controller's own braking (`core.locomotion.predict.stopping`)."""
    squares, ways = _ways(setup)
    return float(np.interp(speed * speed, squares, ways))


def wish_angle(body: State) -> float:
    """Degrees between the input and the velocity; 0 without either."""
    x, z = body.wish
    if not (x or z) or body.speed < 0.01:
        return 0.0
    return abs(wrap(math.degrees(math.atan2(x, z)) - body.travel_yaw))


def told(setup: Setup, body: State, now: Played, before: State | None = None) -> dict[str, float]:
    """The graph's variables, by name."""
    air = air_lean(body)
    return {
        "moving": body.moving,
        "hips_back": now.direction > 90.0,
        "crouch": body.crouching,
        "in_air": body.in_air,
        "jump": body.jumped and body.air_for == 0 and before is not None,
        "speed": body.speed,
        "gait": now.gait,
        "direction": now.direction,
        "rate": now.rate,
        "stride": now.stride,
        "turn": now.turn,
        "lean_right": now.lean[0],
        "lean_forward": now.lean[1],
        "air_right": air[0],
        "air_forward": air[1],
        "fall_speed": max(-body.velocity[1], 0.0),
        "land_alpha": now.land_alpha,
        "impact": body.impact,
        "head_yaw": now.head_yaw,
        "head_pitch": now.head_pitch,
        "aiming": body.mode is RotationMode.AIMING,
        "looking": body.mode is RotationMode.LOOKING,
        "wish": body.wish != (0.0, 0.0),
        "wish_angle": wish_angle(body),
        "stop_way": stop_way(setup, body.speed),
        "yaw": body.yaw,
        "foot_off_left": now.feet_off[0],
        "foot_off_right": now.feet_off[1],
        "aim_yaw": body.aim_yaw,
        "aim_pitch": body.view_pitch,
        "view_speed": body.view_speed,
    }
