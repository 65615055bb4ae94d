"""The height at which the pose's root is shown: the ground averaged along the way.

The capsule's round end climbs each stair in a scallop, by up to 90 mm in one step at a run. What is shown is the
mean of the heights that a ball of the capsule's radius would have a little behind to a little ahead: the same on
level ground and on slopes, a ramp on stairs. It needs no history, so that it never lags.
"""

import math
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray
from core.locomotion.capsule import SKIN, Capsule, Place
from core.locomotion.dampers import clamp, spring
from core.locomotion.setup import H

REACH = 1.2
"""Radii of the capsule behind and ahead that count (0.36 m): a Hann window, which leaves little of what repeats."""
SAMPLES = 25
HALF = 0.06
"""Half-life in seconds of what the ground jumps beyond the steepest way."""
STEEP = 1.2
"""Metres up a metre of way that are no jump."""
LITTLE = 0.002
"""Metres a step that are none either."""

STRAIGHT = 1e-4
"""Metres off a straight line that still count as on it."""

_AT = REACH * np.linspace(-1.0, 1.0, SAMPLES + 2)[1:-1]  # in radii
_PROBES = [0, 6, 12, 18, 24]
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

    Where there is none within a step up or down, the place's own height counts. Five heights on a straight line, as
    on level ground and on slopes, are as good as all of them.
    """
    probes = _heights(capsule, place, yaw, _AT[_PROBES])
    middle = probes[2]
    slope = (probes[4] - probes[0]) / 4.0
    if all(abs(height - middle - slope * (k - 2)) < STRAIGHT for k, height in enumerate(probes)):
        return place[1] + middle
    total = 0.0
    for weight, height in zip(_WEIGHTS, _heights(capsule, place, yaw, _AT), strict=True):  # in a fixed order
        total += weight * height
    return place[1] + total


def _heights(capsule: Capsule, place: Place, yaw: float, at: FloatArray) -> list[float]:
    """Metres over a place of balls that lie on the ground ahead of it by `at` ``(N,)`` radii."""
    step, radius = capsule.setup.step, capsule.setup.radius
    at = at * radius
    centers = np.empty((len(at), 3))
    centers[:, 0] = place[0] + math.sin(math.radians(yaw)) * at
    centers[:, 1] = place[1] + step + radius + SKIN
    centers[:, 2] = place[2] + math.cos(math.radians(yaw)) * at
    falls = capsule.terrain.dropped(centers, radius + SKIN, 2.0 * step)
    return [0.0 if fall is None else step - fall for fall in falls]


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
