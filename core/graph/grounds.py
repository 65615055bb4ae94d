"""The ground that a step is given: asked point by point, and as a terrain where a node needs the whole surface."""

import math
from functools import lru_cache

import numpy as np

from core.arrays import FloatArray
from core.graph.language.interpreter import Ground
from core.math import quat, transform
from core.math.transform import Transform
from core.terrain.ground import Ground as PlainGround
from core.terrain.pieces import Box, Piece, Plane, Slope
from core.terrain.query import GroundQuery
from core.terrain.terrain import Terrain

WIDE = 400.0
"""Metres of a slope or a stair that goes on for ever."""
MOST_STAIRS = 200
"""Stairs that become pieces; a ground with more is level for what needs its surface."""


class CharacterGround:
    """A ground of the world as a character that stands somewhere on it asks: places and answers in its own space.

    The character stays upright and on the height that its root motion gives it.

    Parameters
    ----------
    ground : of the world
    character : where the character stands
    """

    def __init__(self, ground: GroundQuery, character: Transform) -> None:
        self._ground, self._character = ground, character

    def __call__(self, point: FloatArray) -> tuple[float, FloatArray]:
        """Height and normal under a place."""
        place = transform.apply(self._character, point)
        height = float(self._ground.under(place)) - float(self._character.translation[1])
        normal = quat.rotate(quat.conjugate(self._character.rotation), self._ground.normals(place))
        return height, normal

    @property
    def terrain(self) -> Terrain | None:
        """The ground's whole surface in the world; see `terrain_of`."""
        return terrain_of(self._ground)


def terrain_of(ground: object) -> Terrain | None:
    """A ground as a terrain; None where only points of it can be asked.

    The same ground gives the same terrain object, so that what was made for it can be kept.
    """
    if isinstance(ground, Terrain):
        return ground
    return _terrain_of_plain(ground) if isinstance(ground, PlainGround) else None


def whole_ground(ground: Ground | None) -> Terrain | None:
    """The terrain that the ground of a step knows; None where it knows none."""
    return getattr(ground, "terrain", None)


@lru_cache(maxsize=8)
def _terrain_of_plain(ground: PlainGround) -> Terrain | None:
    """A plane, tilted or with stairs; None where it is both, or has more than `MOST_STAIRS` stairs."""
    tilted = ground.tilt_x != 0.0 or ground.tilt_z != 0.0
    stairs = ground.count > 0 and ground.rise != 0.0
    if tilted and not stairs:
        return Terrain((_tilted(ground),))
    if tilted or ground.count > MOST_STAIRS:
        return None
    heights = [ground.height + ground.rise * k for k in range(ground.count + 1 if stairs else 1)]
    low = min(heights)
    pieces: list[Piece] = [Plane(at=(0.0, low, 0.0))]
    for k, height in enumerate(heights):
        if height - low < 0.01:
            continue
        begin = ground.start + (k - 1) * ground.run if k else ground.start - WIDE
        end = ground.start + k * ground.run if k < len(heights) - 1 else ground.start + WIDE
        size = (WIDE, height - low, max(end - begin, 0.01))
        pieces.append(Box(at=(0.0, low, 0.5 * (begin + end)), size=size))
    return Terrain(tuple(pieces))


def _tilted(ground: PlainGround) -> Slope:
    """A wide slope whose surface is the plane around the origin."""
    x, z = (math.tan(math.radians(angle)) for angle in (ground.tilt_x, ground.tilt_z))
    steep = math.hypot(x, z)
    yaw = math.degrees(math.atan2(x, z))
    ahead = np.array([x, 0.0, z]) / steep
    foot = -0.5 * WIDE * ahead
    at = (float(foot[0]), ground.height - 0.5 * WIDE * steep, float(foot[2]))
    return Slope(math.degrees(math.atan(steep)), at, yaw, WIDE, WIDE)
