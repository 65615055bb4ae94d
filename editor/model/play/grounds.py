"""The terrains that a character can be driven over, by name."""

from collections.abc import Callable, Mapping

from core.terrain.course import course_terrain
from core.terrain.pieces import Box, Bumps, Plane, Slope, Stairs
from core.terrain.terrain import Terrain, flat_terrain
from editor.model.i18n import tr


def stairs_terrain() -> Terrain:
    """Stairs of 0.18 × 0.28 up to a landing and down again, steeper and flatter ones beside them."""
    pieces: list[Plane | Stairs | Box] = [Plane(name="floor")]
    for number, (rise, run) in enumerate(((0.18, 0.28), (0.12, 0.36), (0.22, 0.25))):
        x, count = -5.0 * number, 10
        stairs = Stairs((x, 0.0, 3.0), rise=rise, run=run, count=count, name=f"stairs {rise:g} × {run:g}")
        deep, high = run * count, rise * count
        pieces += [
            stairs,
            Box((x, 0.0, 3.0 + deep + 1.5), size=(4.0, high, 3.0), name="landing"),
            Stairs((x, 0.0, 6.0 + 2.0 * deep), 180.0, rise, run, count, name="down"),
        ]
    return Terrain(tuple(pieces), "stairs")


def bumps_terrain() -> Terrain:
    """Uneven ground of ±5, ±10 and ±20 cm."""
    pieces = [
        Bumps(
            (-9.0 * number, 0.0, 9.0),
            size=(8.0, 14.0),
            amplitude=high,
            seed=3 + number,
            name=f"±{100 * high:.0f} cm",
        )
        for number, high in enumerate((0.05, 0.10, 0.20))
    ]
    return Terrain((Plane(name="floor"), *pieces), "bumps")


def slopes_terrain() -> Terrain:
    """Ramps of 10 to 50°, each with a platform at its top."""
    pieces: list[Plane | Slope | Box] = [Plane(name="floor")]
    for number, angle in enumerate((10.0, 20.0, 30.0, 40.0, 50.0)):
        x = -5.0 * number
        slope = Slope(angle, (x, 0.0, 3.0), length=5.0, name=f"{angle:.0f}°")
        pieces += [slope, Box((x, 0.0, 10.0), size=(4.0, slope.height, 4.0), name="platform")]
    return Terrain(tuple(pieces), "slopes")


TERRAINS: Mapping[str, tuple[str, Callable[[], Terrain]]] = {
    "flat": (tr("Flat"), flat_terrain),
    "course": (tr("Course"), course_terrain),
    "stairs": (tr("Stairs"), stairs_terrain),
    "bumps": (tr("Bumps"), bumps_terrain),
    "slopes": (tr("Slopes"), slopes_terrain),
}
"""Id → title and what makes it; the character starts at the origin, facing +Z."""
