"""An upright capsule moved over a terrain: substeps, slides, steps up and down (spec: locomotion, *Controller*).

A place is the capsule's lowest point. The capsule keeps `SKIN` away from every surface, so that moving along one
never touches it; its lowest point is shown without that gap.
"""

import math
from typing import NamedTuple

from core.locomotion.setup import Setup
from core.terrain.terrain import Terrain, Touch

Place = tuple[float, float, float]

SKIN = 0.001
"""Metres kept from surfaces; twice what sweeps count as touching."""
DEEP = 0.0002
"""Metres from a surface below which the capsule is pushed out."""
SUBSTEP = 0.1
"""Metres moved at once at most."""
SLIDES = 3
"""Surfaces along which one substep slides."""
REACH = 0.002
"""Metres beyond an edge at which the ground on it is looked at."""


class Walked(NamedTuple):
    """Where a movement ended: the place, the normal it stands by, whether a wall was in the way."""

    place: Place
    normal: Place
    blocked: bool


class Stood(NamedTuple):
    """Ground found under the capsule: the place on it, the normal to move along, the piece, the height it touches."""

    place: Place
    normal: Place
    piece: int
    height: float


class Flown(NamedTuple):
    """A movement in the air: place, velocity, the ground it landed on, the horizontal way left over, any touch."""

    place: Place
    velocity: Place
    landed: Stood | None
    rest: tuple[float, float]
    touched: bool


class Capsule(NamedTuple):
    """A capsule of some height on a terrain."""

    setup: Setup
    terrain: Terrain
    height: float

    @property
    def substep(self) -> float:
        """Metres moved at once at most: less for a thin capsule."""
        return min(SUBSTEP, self.setup.radius / 3.0 + 1e-9)

    def cast(self, place: Place, move: Place) -> tuple[float, Touch] | None:
        """The share of a move that keeps the skin, and what is met; None where the way is clear."""
        radius = self.setup.radius
        x, y, z = place
        low, high = y + radius + SKIN, y + max(self.height - radius, radius + 0.01) + SKIN
        touch = self.terrain.touch((x, low, z), (x, high, z), radius, move)
        if touch is None:
            return None
        n = touch.normal
        closing = -(move[0] * n[0] + move[1] * n[1] + move[2] * n[2])
        return max(0.0, touch.time - max(0.0, SKIN - touch.gap) / closing), touch

    def freed(self, place: Place) -> Place:
        """A place pushed out of what the capsule is in."""
        radius = self.setup.radius
        for _ in range(4):
            x, y, z = place
            low, high = y + radius + SKIN, y + max(self.height - radius, radius + 0.01) + SKIN
            touch = self.terrain.touch((x, low, z), (x, high, z), radius + DEEP, (0.0, 0.0, 0.0))
            if touch is None:
                break
            away = SKIN - DEEP - touch.gap
            place = _moved(place, touch.normal, away)
        return place

    def roomy(self, place: Place, height: float) -> bool:
        """Whether the capsule may become as high as `height`."""
        return height <= self.height or self.cast(place, (0.0, height - self.height, 0.0)) is None

    # ------------------------------------------------------------------ ground
    def support(self, place: Place, touch: Touch) -> Place | None:
        """The normal to move along on what was touched from above; None where it is no ground.

        An edge counts as the ground on it, as long as there is ground within a step's height under the middle.
        """
        least, normal = self.setup.walkable_cos, touch.normal
        if normal[1] >= least:
            return normal
        if normal[1] <= 0.0:
            return None
        flat = math.hypot(normal[0], normal[2])
        x, y, z = touch.point
        x, z = x - normal[0] / flat * REACH, z - normal[2] / flat * REACH
        step = self.setup.step
        hits = self.terrain.ray(
            [(x, y + 0.05, z), (place[0], place[1] + 0.05, place[2])], (0.0, -1.0, 0.0), (0.1, step + 0.06)
        )
        if (hits.piece < 0).any() or (hits.face[:, 1] < least).any():
            return None
        return float(hits.face[0, 0]), float(hits.face[0, 1]), float(hits.face[0, 2])

    def snapped(self, place: Place, down: float) -> Stood | None:
        """The ground at most `down` metres below; None where there is none to stand on."""
        found = self.cast(place, (0.0, -(down + SKIN), 0.0))
        if found is None:
            return None
        share, touch = found
        there = (place[0], place[1] - (down + SKIN) * share, place[2])
        normal = self.support(there, touch)
        return None if normal is None else Stood(there, normal, touch.piece, touch.point[1])

    def walk(self, place: Place, way: tuple[float, float], normal: Place) -> Walked:
        """Move over the ground by a horizontal way (x, z), which is kept on slopes."""
        parts = max(1, math.ceil(math.hypot(*way) / self.substep - 1e-9))
        blocked = False
        for _ in range(parts):
            walked = self._walk(place, (way[0] / parts, way[1] / parts), normal)
            place, normal, blocked = walked.place, walked.normal, blocked or walked.blocked
            stood = self.snapped(place, self.setup.step)
            if stood is None:
                normal = (0.0, 1.0, 0.0)  # over an edge: straight on
            else:
                place, normal = stood.place, stood.normal
        return Walked(place, normal, blocked)

    def _walk(self, place: Place, way: tuple[float, float], normal: Place) -> Walked:
        x, z = way
        wall: tuple[float, float] | None = None
        for _ in range(SLIDES + 1):
            if math.hypot(x, z) < 1e-9:
                break
            move = (x, -(normal[0] * x + normal[2] * z) / max(normal[1], 0.1), z)
            found = self.cast(place, move)
            if found is None:
                return Walked(_moved(place, move, 1.0), normal, wall is not None)
            share, touch = found
            place = _moved(place, move, share)
            x, z = x * (1.0 - share), z * (1.0 - share)
            if touch.normal[1] >= self.setup.walkable_cos:
                normal = touch.normal
                continue
            stepped = self._stepped(place, (x, z))
            if stepped is not None:
                return Walked(stepped.place, stepped.normal, wall is not None)
            size = math.hypot(touch.normal[0], touch.normal[2])
            if size < 1e-6:
                return Walked(place, normal, True)
            nx, nz = touch.normal[0] / size, touch.normal[2] / size
            into = min(x * nx + z * nz, 0.0)
            x, z = x - nx * into, z - nz * into
            if wall is not None and x * wall[0] + z * wall[1] < -1e-12:
                return Walked(place, normal, True)  # a corner
            wall = (nx, nz)
        return Walked(place, normal, wall is not None)

    def _stepped(self, place: Place, way: tuple[float, float]) -> Stood | None:
        """Up by a step, across, and down on ground that is higher than before; None where that does not go."""
        step = self.setup.step
        found = self.cast(place, (0.0, step, 0.0))
        rise = step if found is None else step * found[0]
        if rise < 0.01:
            return None
        high = (place[0], place[1] + rise, place[2])
        across = (way[0], 0.0, way[1])
        found = self.cast(high, across)
        share = 1.0 if found is None else found[0]
        if share * math.hypot(*way) < 1e-4:
            return None
        stood = self.snapped(_moved(high, across, share), rise)
        if stood is None or not place[1] + 1e-5 < stood.place[1]:
            return None
        return stood if stood.height <= place[1] + step + SKIN else None

    # ------------------------------------------------------------------ air
    def fly(self, place: Place, move: Place, velocity: Place) -> Flown:
        """Move through the air; surfaces take the part of the velocity that goes into them."""
        parts = max(1, math.ceil(math.hypot(*move) / self.substep - 1e-9))
        touched = False
        for part in range(parts):
            rest = (move[0] / parts, move[1] / parts, move[2] / parts)
            before: Place | None = None
            for _ in range(SLIDES + 1):
                found = self.cast(place, rest)
                if found is None:
                    place = _moved(place, rest, 1.0)
                    break
                touched = True
                share, touch = found
                place = _moved(place, rest, share)
                rest = (rest[0] * (1.0 - share), rest[1] * (1.0 - share), rest[2] * (1.0 - share))
                ground = self.support(place, touch) if velocity[1] <= 0.0 else None
                if ground is not None:
                    left = (parts - 1 - part) / parts
                    way = (rest[0] + move[0] * left, rest[2] + move[2] * left)
                    return Flown(
                        place, velocity, Stood(place, ground, touch.piece, touch.point[1]), way, True
                    )
                velocity = _slid(velocity, touch.normal, before)
                rest = _slid(rest, touch.normal, before)
                move = _slid(move, touch.normal, before)
                before = touch.normal
        return Flown(place, velocity, None, (0.0, 0.0), touched)


def _moved(place: Place, move: Place, share: float) -> Place:
    return place[0] + move[0] * share, place[1] + move[1] * share, place[2] + move[2] * share


def _slid(v: Place, n: Place, before: Place | None) -> Place:
    """A vector without what goes into a surface, and along the crease where it would go into the one before."""
    into = v[0] * n[0] + v[1] * n[1] + v[2] * n[2]
    if into >= 0.0:
        return v
    v = (v[0] - n[0] * into, v[1] - n[1] * into, v[2] - n[2] * into)
    if before is None or v[0] * before[0] + v[1] * before[1] + v[2] * before[2] >= 0.0:
        return v
    c = (
        n[1] * before[2] - n[2] * before[1],
        n[2] * before[0] - n[0] * before[2],
        n[0] * before[1] - n[1] * before[0],
    )
    size = c[0] ** 2 + c[1] ** 2 + c[2] ** 2
    if size < 1e-12:
        return 0.0, 0.0, 0.0
    share = (v[0] * c[0] + v[1] * c[1] + v[2] * c[2]) / size
    return c[0] * share, c[1] * share, c[2] * share
