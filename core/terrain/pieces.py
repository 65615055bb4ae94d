"""Pieces that a terrain is made of, as frozen values; each tells the triangles of its surface.

Metres and degrees; +Y up. A piece is turned about +Y by `yaw` (positive to the left); unturned its length runs
along +Z and its width along X. Triangles wind counterclockwise as seen from outside.
"""

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray, frozen
from core.errors import ValidationError

Place = tuple[float, float, float]

MOST_TRIANGLES = 400_000
"""Of one piece."""


def checked(what: str, name: str, values: tuple[float, ...], least: float = -1e5, most: float = 1e5) -> None:
    """Raise `ValidationError` naming the field where numbers are not finite or out of bounds."""
    for value in values:
        if not least <= value <= most:  # NaN compares false
            raise ValidationError(f"{what}: {name}: expected {least:g} to {most:g}, got {value!r}")


@dataclass(frozen=True, slots=True)
class Plane:
    """A level rectangle about `at`, seen and stood on from above.

    Parameters
    ----------
    size : metres along X and along Z
    """

    at: Place = (0.0, 0.0, 0.0)
    yaw: float = 0.0
    size: tuple[float, float] = (4000.0, 4000.0)
    name: str = ""

    def __post_init__(self) -> None:
        _placed("plane", self.at, self.yaw)
        checked("plane", "size", self.size, 0.01)

    def triangles(self) -> FloatArray:
        """Its surface ``(M, 3, 3)``."""
        x, z = self.size[0] / 2.0, self.size[1] / 2.0
        return _put(_quads([[(-x, 0, -z), (-x, 0, z), (x, 0, z), (x, 0, -z)]]), self.at, self.yaw)


@dataclass(frozen=True, slots=True)
class Slope:
    """A solid ramp that rises ahead from `at`, the middle of its lower edge.

    Parameters
    ----------
    angle : degrees it rises, above 0 to 80
    length, width : metres over the ground
    """

    angle: float
    at: Place = (0.0, 0.0, 0.0)
    yaw: float = 0.0
    length: float = 4.0
    width: float = 4.0
    name: str = ""

    def __post_init__(self) -> None:
        _placed("slope", self.at, self.yaw)
        checked("slope", "angle", (self.angle,), 0.01, 80.0)
        checked("slope", "length", (self.length,), 0.01)
        checked("slope", "width", (self.width,), 0.01)

    @property
    def height(self) -> float:
        """Metres that it rises."""
        return self.length * math.tan(math.radians(self.angle))

    def triangles(self) -> FloatArray:
        """Its surface ``(M, 3, 3)``."""
        return _put(_profile([(0.0, 0.0), (self.length, self.height)], self.width), self.at, self.yaw)


@dataclass(frozen=True, slots=True)
class Stairs:
    """Solid stairs that climb ahead from `at`, the middle of the first stair's lower edge.

    Parameters
    ----------
    rise, run : metres that a stair goes up and is deep
    count : of stairs
    width : metres
    """

    at: Place = (0.0, 0.0, 0.0)
    yaw: float = 0.0
    rise: float = 0.18
    run: float = 0.28
    count: int = 8
    width: float = 4.0
    name: str = ""

    def __post_init__(self) -> None:
        _placed("stairs", self.at, self.yaw)
        for name in ("rise", "run", "width"):
            checked("stairs", name, (getattr(self, name),), 0.01)
        checked("stairs", "count", (self.count,), 1, 1000)

    def triangles(self) -> FloatArray:
        """Its surface ``(M, 3, 3)``."""
        line = [(0.0, 0.0)]
        for stair in range(self.count):
            height = self.rise * (stair + 1)
            line += [(self.run * stair, height), (self.run * (stair + 1), height)]
        return _put(_profile(line, self.width), self.at, self.yaw)


@dataclass(frozen=True, slots=True)
class Box:
    """A solid box that stands on `at`, the middle of its underside.

    Parameters
    ----------
    size : metres along X, Y and Z
    """

    at: Place = (0.0, 0.0, 0.0)
    yaw: float = 0.0
    size: tuple[float, float, float] = (1.0, 1.0, 1.0)
    name: str = ""

    def __post_init__(self) -> None:
        _placed("box", self.at, self.yaw)
        checked("box", "size", self.size, 0.01)

    def triangles(self) -> FloatArray:
        """Its surface ``(M, 3, 3)``."""
        x, y, z = self.size[0] / 2.0, self.size[1], self.size[2] / 2.0
        a, b, c, d = (-x, 0.0, -z), (-x, 0.0, z), (x, 0.0, z), (x, 0.0, -z)
        e, f, g, h = ((p[0], y, p[2]) for p in (a, b, c, d))
        sides = [[e, f, g, h], [d, c, b, a], [b, c, g, f], [d, a, e, h], [c, d, h, g], [a, b, f, e]]
        return _put(_quads(sides), self.at, self.yaw)


@dataclass(frozen=True, slots=True)
class Bumps:
    """Uneven ground about `at`: a seeded sum of sines up to `amplitude` above and below its mean height.

    The mean is `amplitude` above `at`, so that nothing lies below; toward the rim it sinks to the level of `at`.

    Parameters
    ----------
    size : metres along X and along Z
    amplitude : metres above and below the mean
    seed : of directions and phases
    waves : how many sines are summed
    shortest, longest : metres of a wave
    cell : metres of a square of the grid
    rim : metres over which it sinks to the level
    """

    at: Place = (0.0, 0.0, 0.0)
    yaw: float = 0.0
    size: tuple[float, float] = (8.0, 8.0)
    amplitude: float = 0.1
    seed: int = 1
    waves: int = 6
    shortest: float = 0.8
    longest: float = 3.0
    cell: float = 0.2
    rim: float = 1.0
    name: str = ""

    def __post_init__(self) -> None:
        _placed("bumps", self.at, self.yaw)
        checked("bumps", "size", self.size, 0.1)
        checked("bumps", "cell", (self.cell,), 0.02, 10.0)
        checked("bumps", "amplitude", (self.amplitude,), 0.0, 10.0)
        checked("bumps", "seed", (self.seed,), 0, 2**31)
        checked("bumps", "waves", (self.waves,), 1, 64)
        checked("bumps", "shortest", (self.shortest,), 0.01)
        checked("bumps", "longest", (self.longest,), self.shortest)
        checked("bumps", "rim", (self.rim,), 0.0)
        _few("bumps", math.prod(max(1, round(s / self.cell)) for s in self.size))

    def triangles(self) -> FloatArray:
        """Its surface ``(M, 3, 3)``."""
        columns, rows = (max(1, round(s / self.cell)) for s in self.size)
        x = np.linspace(-self.size[0] / 2.0, self.size[0] / 2.0, columns + 1)[None, :]
        z = np.linspace(-self.size[1] / 2.0, self.size[1] / 2.0, rows + 1)[:, None]
        draw = _draws(self.seed)
        height = np.zeros((rows + 1, columns + 1))
        for _ in range(self.waves):
            length = self.shortest + (self.longest - self.shortest) * draw()
            angle, phase = 2.0 * math.pi * draw(), 2.0 * math.pi * draw()
            k = 2.0 * math.pi / length
            height += np.sin(k * (x * math.cos(angle) + z * math.sin(angle)) + phase)
        inside = np.minimum(self.size[0] / 2.0 - np.abs(x), self.size[1] / 2.0 - np.abs(z))
        u = np.clip(inside / self.rim, 0.0, 1.0) if self.rim > 0.0 else np.ones_like(height)
        height = self.amplitude * (1.0 + height / self.waves) * u * u * (3.0 - 2.0 * u)
        return _put(_grid(x, z, height), self.at, self.yaw)


@dataclass(frozen=True, slots=True, eq=False)
class HeightField:
    """A grid of heights about `at`, two triangles a cell; the diagonal joins the corners of least and most x + z.

    Parameters
    ----------
    heights : metres above `at`, ``(R, C)`` with at least two of each; rows go along +Z, columns along +X
    cell : metres from one grid point to the next, 0.01 to 10 (0.1 to 0.4 suits a character)
    """

    heights: FloatArray
    at: Place = (0.0, 0.0, 0.0)
    yaw: float = 0.0
    cell: float = 0.25
    name: str = ""

    def __post_init__(self) -> None:
        _placed("height_field", self.at, self.yaw)
        checked("height_field", "cell", (self.cell,), 0.01, 10.0)
        heights = frozen(self.heights, (None, None), "height_field: heights")
        if min(heights.shape) < 2:
            raise ValidationError(f"height_field: heights: expected at least 2 × 2, got {heights.shape}")
        if not (np.abs(heights) <= 1e5).all():
            raise ValidationError("height_field: heights: expected finite numbers within ±100000")
        _few("height_field", (heights.shape[0] - 1) * (heights.shape[1] - 1))
        object.__setattr__(self, "heights", heights)

    def triangles(self) -> FloatArray:
        """Its surface ``(M, 3, 3)``."""
        rows, columns = self.heights.shape
        x = (np.arange(columns) - (columns - 1) / 2.0)[None, :] * self.cell
        z = (np.arange(rows) - (rows - 1) / 2.0)[:, None] * self.cell
        return _put(_grid(x, z, self.heights), self.at, self.yaw)


Piece = Plane | Slope | Stairs | Box | Bumps | HeightField


# ------------------------------------------------------------------------- triangles
def _placed(what: str, at: Place, yaw: float) -> None:
    checked(what, "at", at)
    checked(what, "yaw", (yaw,), -3600.0, 3600.0)


def _few(what: str, cells: int) -> None:
    if 2 * cells > MOST_TRIANGLES:
        raise ValidationError(f"{what}: cell: expected at most {MOST_TRIANGLES} triangles, got {2 * cells}")


def _put(triangles: FloatArray, at: Place, yaw: float) -> FloatArray:
    """Triangles of a piece turned and moved to its place."""
    s, c = math.sin(math.radians(yaw)), math.cos(math.radians(yaw))
    if yaw % 90.0 == 0.0:
        s, c = float(round(s)), float(round(c))  # right angles stay exact
    x, y, z = triangles[..., 0], triangles[..., 1], triangles[..., 2]
    return np.stack([at[0] + c * x + s * z, at[1] + y, at[2] - s * x + c * z], axis=-1)


def _quads(quads: list[list[tuple[float, float, float]]]) -> FloatArray:
    corners = np.array(quads, dtype=np.float64)
    return np.concatenate([corners[:, [0, 1, 2]], corners[:, [0, 2, 3]]])


def _profile(line: list[tuple[float, float]], width: float) -> FloatArray:
    """The solid under a line of (z, y) that begins at (0, 0), as wide as told: top, back and sides; no underside."""
    w = width / 2.0
    quads = [
        [(-w, a[1], a[0]), (-w, b[1], b[0]), (w, b[1], b[0]), (w, a[1], a[0])]
        for a, b in itertools.pairwise(line)
    ]
    end, top = line[-1]
    quads.append([(-w, top, end), (-w, 0.0, end), (w, 0.0, end), (w, top, end)])
    for a, b in itertools.pairwise(line):
        if b[0] > a[0]:
            quads.append([(w, a[1], a[0]), (w, b[1], b[0]), (w, 0.0, b[0]), (w, 0.0, a[0])])
            quads.append([(-w, 0.0, a[0]), (-w, 0.0, b[0]), (-w, b[1], b[0]), (-w, a[1], a[0])])
    return _quads(quads)


def _grid(x: FloatArray, z: FloatArray, height: FloatArray) -> FloatArray:
    points = np.stack(np.broadcast_arrays(x, height, z), axis=-1)
    a, b = points[:-1, :-1], points[:-1, 1:]
    c, d = points[1:, :-1], points[1:, 1:]
    both = np.stack([np.stack([a, c, d], axis=-2), np.stack([a, d, b], axis=-2)], axis=2)
    return np.ascontiguousarray(both).reshape(-1, 3, 3)


def _draws(seed: int) -> Callable[[], float]:
    """Numbers in [0, 1) by splitmix64, the same in every version of every library."""
    state = seed
    mask = (1 << 64) - 1

    def draw() -> float:
        nonlocal state
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return ((z ^ (z >> 31)) >> 11) / (1 << 53)

    return draw
