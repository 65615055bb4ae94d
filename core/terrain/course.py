"""The terrain of the course: flat ground, slopes, stairs, bumps, and platforms to drop from."""

import math

from core.terrain.pieces import Box, Bumps, Piece, Plane, Slope, Stairs
from core.terrain.terrain import Terrain

ANGLES = (10.0, 20.0, 30.0, 40.0, 50.0)
"""Degrees of the slopes, side by side."""
DROPS = (0.4, 0.8, 1.5, 3.0, 6.0, 12.0)
"""Metres of the platforms, side by side."""
APART = 5.0
"""Metres from the middle of one to the next."""
SLOPES_AT, STAIRS_AT, BUMPS_AT, DROPS_AT = (20.0, 10.0), (-15.0, 10.0), (-30.0, 14.0), (20.0, -20.0)
"""Where they begin: x of the first and z."""
SLOPE_LENGTH, STAIR_COUNT = 4.0, 10


def slope_at(number: int) -> tuple[float, float, float]:
    """The middle of a slope's lower edge; it rises toward +Z."""
    return SLOPES_AT[0] + APART * number, 0.0, SLOPES_AT[1]


def drop_at(number: int) -> tuple[float, float, float]:
    """The middle of a platform's top, 3 × 3 m."""
    return DROPS_AT[0] + APART * number, DROPS[number], DROPS_AT[1]


def course_terrain() -> Terrain:
    """Slopes of 10 to 50° up to a platform, stairs of 0.18 × 0.28, bumps of ±0.1 m, drops of 0.4 to 12 m."""
    pieces: list[Piece] = [Plane(name="floor")]
    for number, angle in enumerate(ANGLES):
        x, y, z = slope_at(number)
        pieces.append(Slope(angle, (x, y, z), length=SLOPE_LENGTH, width=4.0, name=f"slope {angle:.0f}°"))
        height = SLOPE_LENGTH * math.tan(math.radians(angle))
        pieces.append(Box((x, y, z + SLOPE_LENGTH + 2.0), size=(4.0, height, 4.0), name=f"top {angle:.0f}°"))
    x, z = STAIRS_AT
    stairs = Stairs((x, 0.0, z), rise=0.18, run=0.28, count=STAIR_COUNT, name="stairs up")
    deep, height = stairs.run * stairs.count, stairs.rise * stairs.count
    pieces += [
        stairs,
        Box((x, 0.0, z + deep + 1.5), size=(4.0, height, 3.0), name="landing"),
        Stairs((x, 0.0, z + 2.0 * deep + 3.0), 180.0, 0.18, 0.28, STAIR_COUNT, name="stairs down"),
        Bumps((BUMPS_AT[0], 0.0, BUMPS_AT[1]), size=(8.0, 12.0), amplitude=0.1, seed=7, name="bumps"),
    ]
    for number, drop in enumerate(DROPS):
        x, _, z = drop_at(number)
        pieces.append(Box((x, 0.0, z), size=(3.0, drop, 3.0), name=f"drop {drop:g} m"))
    return Terrain(tuple(pieces), "course")
