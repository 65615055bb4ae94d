"""The height at which the pose's root is shown: the ground averaged along the way.

The capsule's round end climbs each stair in a scallop, by up to 90 mm in one step at a run. What is shown is the
mean of the heights that a ball of the capsule's radius would have a little behind to a little ahead: the same on
level ground and on slopes, a ramp on stairs. It needs no history, so that it never lags.
"""

import math
from typing import NamedTuple

import numpy as np

from core.locomotion.capsule import SKIN, Capsule, Place
from core.locomotion.dampers import clamp, spring
from core.locomotion.setup import H

REACH = 0.36
"""Metres behind and ahead that count: a Hann window, which leaves little of what repeats within that length."""
SAMPLES = 25
HALF = 0.06
"""Half-life in seconds of what the ground jumps beyond the steepest way."""
STEEP = 1.2
"""Metres up a metre of way that are no jump."""
LITTLE = 0.002
"""Metres a step that are none either."""

_AT = np.linspace(-REACH, REACH, SAMPLES + 2)[1:-1]
_HANN = [1.0 + math.cos(math.pi * at / REACH) for at in _AT.tolist()]
_WEIGHTS = [weight / sum(_HANN) for weight in _HANN]


class Root(NamedTuple):
    """The height shown, what of it is still to go, and how fast that goes.

    Parameters
    ----------
    height : metres
    offset, drift : metres, m/s; the height is that of the averaged ground plus the offset
    """

    height: float
    offset: float
    drift: float


def averaged(capsule: Capsule, place: Place, yaw: float) -> float:
    """Mean height in metres of the ground along a yaw through a place.

    Where there is none within a step up or down, the place's own height counts.
    """
    step, radius = capsule.setup.step, capsule.setup.radius
    s, c = math.sin(math.radians(yaw)), math.cos(math.radians(yaw))
    centers = np.empty((SAMPLES, 3))
    centers[:, 0], centers[:, 1], centers[:, 2] = (
        place[0] + s * _AT,
        place[1] + step + radius,
        place[2] + c * _AT,
    )
    hits = capsule.terrain.sweep_sphere(centers, radius, (0.0, -2.0 * step, 0.0))
    found = (hits.piece >= 0) & (hits.time > 0.0)
    upward = np.where(found, np.maximum(hits.normal[:, 1], 0.1), 1.0)
    heights = np.where(found, step - SKIN - 2.0 * step * hits.time - (hits.gap - SKIN) / upward, 0.0)
    total = 0.0
    for weight, height in zip(_WEIGHTS, heights.tolist(), strict=True):  # in a fixed order
        total += weight * height
    return place[1] + total


def followed(before: Root, goal: float, speed: float, free: float | None) -> Root:
    """The root a step later.

    Parameters
    ----------
    goal : the averaged ground; the capsule's own height in the air
    speed : m/s over the ground
    free : metres that the capsule rose or fell where it took off or landed in this step; None where it did not
    """
    moved = goal - (before.height - before.offset)
    most = STEEP * speed * H + LITTLE
    jump = moved - (clamp(moved, -most, most) if free is None else free)
    offset, drift = spring(before.offset - jump, before.drift, 0.0, H, HALF)
    if abs(offset) < 1e-9 and abs(drift) < 1e-6:
        offset, drift = 0.0, 0.0
    return Root(goal + offset, offset, drift)
