"""How near a landing is: the way of a falling character is swept ahead (spec: locomotion, *Land prediction*)."""

import numpy as np

from core.locomotion.dampers import clamp, table
from core.locomotion.setup import Setup
from core.locomotion.state import State
from core.terrain.terrain import Terrain

FROM, FASTEST = 2.0, 40.0
"""m/s of falling from which it is looked ahead, and as which what is faster counts."""
NEAR, FAR = 1.5, 20.0
"""Metres looked ahead at these."""
SLOPE = -2.07
"""Of the alpha over the share of the way, where that begins."""
THINNER = 0.01
"""Metres by which the capsule is thinner than the controller's, so that walls beside it are no landing."""


def curve(share: float) -> float:
    """Alpha over the share of the way that is clear: 1 at none, falling by `SLOPE`, 0 and level at all of it.

    A cubic of those four.
    """
    t = clamp(share, 0.0, 1.0)
    return clamp(1.0 + t * (SLOPE + t * (-3.0 - 2.0 * SLOPE + t * (2.0 + SLOPE))), 0.0, 1.0)


def land_alpha(terrain: Terrain, setup: Setup, body: State) -> float:
    """0 where no landing is in sight, up to 1 at the touch."""
    fall = -body.velocity[1]
    if not body.in_air or fall <= FROM:
        return 0.0
    fall = min(fall, FASTEST)
    way = np.array((body.velocity[0], -fall, body.velocity[2]))
    way *= table(fall, (FROM, FASTEST), (NEAR, FAR)) / float(np.linalg.norm(way))
    radius = setup.radius - min(THINNER, 0.5 * setup.radius)
    x, y, z = body.position
    low, high = y + setup.radius, y + max(setup.height - setup.radius, setup.radius)
    met = terrain.touch((x, low, z), (x, high, z), radius, (float(way[0]), float(way[1]), float(way[2])))
    if met is None or met.face[1] < setup.walkable_cos:
        return 0.0
    return curve(met.time)
