"""A terrain as shapes of the rigid body engine: the same surface, made of planes, boxes and height fields."""

import math
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray
from core.errors import UnsupportedError
from core.math import quat
from core.physics.text import attributes, numbers
from core.terrain.pieces import Box, Bumps, HeightField, Piece, Place, Plane, Slope, Stairs
from core.terrain.terrain import Terrain

WIDE = 400.0
"""Metres from which a level plane is one without an edge."""
THICK = 0.25
"""Metres of a slope's upper plate, and of ground below a plane with edges."""
THIN = 0.01
"""Metres of the thinnest plate at a slope's upper end."""
SUNK = 0.02
"""Metres that the solid below a slope's plate is lower than its surface."""
DEEP = 1.0
"""Metres of ground below a height field."""

TO_ROWS = np.array([-0.5, -0.5, -0.5, 0.5])
"""Turns a height field of the engine (columns along X, rows along Y, Z up) so that columns run along Z, rows
along X and it rises along Y: its diagonals are then those of our triangles."""


class Ground(NamedTuple):
    """Text for the model, and the elevations of its height fields, each ``(rows, columns)`` in 0..1."""

    assets: str
    shapes: str
    heights: list[FloatArray]


def ground_of(terrain: Terrain) -> Ground:
    """All pieces of a terrain.

    Raises
    ------
    UnsupportedError
        It has a piece of a kind that is unknown here.
    """
    maker = _Maker()
    for piece in terrain.pieces:
        maker.add(piece)
    return Ground("\n".join(maker.assets), "\n".join(maker.shapes), maker.heights)


class _Maker:
    def __init__(self) -> None:
        self.assets: list[str] = []
        self.shapes: list[str] = []
        self.heights: list[FloatArray] = []

    def add(self, piece: Piece) -> None:
        if isinstance(piece, Plane):
            self.plane(piece)
        elif isinstance(piece, Box):
            half = 0.5 * np.array(piece.size)
            self.box((0.0, half[1], 0.0), half, piece.at, piece.yaw)
        elif isinstance(piece, Stairs):
            self.stairs(piece)
        elif isinstance(piece, Slope):
            self.slope(piece)
        elif isinstance(piece, Bumps | HeightField):
            self.field(piece)
        else:
            raise UnsupportedError(
                f"ragdoll: terrain piece {type(piece).__name__} is not known to the physics"
            )

    def plane(self, piece: Plane) -> None:
        if min(piece.size) >= WIDE:
            turn = np.array([-math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5)])  # its Z points up
            self.put("plane", np.array(piece.at), turn, np.array([0.0, 0.0, 1.0]))
        else:
            half = np.array([piece.size[0] / 2.0, THICK / 2.0, piece.size[1] / 2.0])
            self.box((0.0, -THICK / 2.0, 0.0), half, piece.at, piece.yaw)

    def stairs(self, piece: Stairs) -> None:
        for stair in range(piece.count):
            deep = piece.run * (piece.count - stair)
            middle = (0.0, piece.rise * (stair + 0.5), piece.run * stair + deep / 2.0)
            half = np.array([piece.width / 2.0, piece.rise / 2.0, deep / 2.0])
            self.box(middle, half, piece.at, piece.yaw)

    def slope(self, piece: Slope) -> None:
        """A plate along the slope, and below it boxes up to a little under the surface: a wedge in steps."""
        angle = math.radians(piece.angle)
        along = np.array([0.0, math.sin(angle), math.cos(angle)])
        out = np.array([0.0, math.cos(angle), -math.sin(angle)])
        length = piece.length / math.cos(angle)
        thick = min(THICK, 0.5 * piece.height * math.cos(angle))
        turn = quat.from_axis_angle([1.0, 0.0, 0.0], -angle)
        # a plate's upper end sticks out at the back by its thickness: toward the end they get thinner
        begin = 0.0
        while thick > THIN:
            end = length - thick * math.tan(angle)
            if end > begin:
                middle = 0.5 * (begin + end) * along - 0.5 * thick * out
                half = np.array([piece.width / 2.0, thick / 2.0, (end - begin) / 2.0])
                self.put("box", *_placed(middle, turn, piece.at, piece.yaw), half)
                begin = end
            thick *= 0.5
        steps = max(4, min(64, math.ceil(piece.height / 0.25)))
        for step in range(1, steps):
            low, high = piece.length * step / steps, piece.length
            top = piece.height * step / steps - SUNK
            if top > SUNK:
                half = np.array([piece.width / 2.0, top / 2.0, (high - low) / 2.0])
                self.box((0.0, top / 2.0, (low + high) / 2.0), half, piece.at, piece.yaw)

    def field(self, piece: Bumps | HeightField) -> None:
        x, z, heights = grid_of(piece)
        low, high = float(heights.min()), float(heights.max())
        rise = max(high - low, 1e-3)
        number = len(self.heights)
        # the engine's rows are ours turned: row by row along X, in each along Z
        self.heights.append(np.ascontiguousarray((heights.T - low) / rise))
        rows, columns = self.heights[-1].shape
        size = np.array([(z[-1] - z[0]) / 2.0, (x[-1] - x[0]) / 2.0, rise, DEEP])
        self.assets.append(
            f'<hfield name="h{number}" nrow="{rows}" ncol="{columns}" size="{numbers(size)}"/>'
        )
        middle = np.array([(x[0] + x[-1]) / 2.0, low, (z[0] + z[-1]) / 2.0])
        place, turn = _placed(middle, TO_ROWS, piece.at, piece.yaw)
        self.shapes.append(
            f'<geom type="hfield" hfield="h{number}" {attributes(pos=place, quat=turn[[3, 0, 1, 2]])}/>'
        )

    def box(self, middle: Place, half: FloatArray, at: Place, yaw: float) -> None:
        self.put("box", *_placed(np.array(middle), np.array([0.0, 0.0, 0.0, 1.0]), at, yaw), half)

    def put(self, kind: str, place: FloatArray, turn: FloatArray, size: FloatArray) -> None:
        told = attributes(pos=place, quat=turn[[3, 0, 1, 2]], size=size)
        self.shapes.append(f'<geom type="{kind}" {told}/>')


def grid_of(piece: Bumps | HeightField) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Places along X ``(C,)`` and Z ``(R,)`` and heights over `at` ``(R, C)`` of a grid, before it is turned."""
    if isinstance(piece, HeightField):
        rows, columns = piece.heights.shape
        x = (np.arange(columns) - (columns - 1) / 2.0) * piece.cell
        return x, (np.arange(rows) - (rows - 1) / 2.0) * piece.cell, np.asarray(piece.heights)
    columns, rows = (max(1, round(s / piece.cell)) for s in piece.size)
    flat = type(piece)(
        **{name: getattr(piece, name) for name in piece.__slots__} | {"at": (0.0, 0.0, 0.0), "yaw": 0.0}
    )
    # two triangles a cell: their corners are the grid
    cells = flat.triangles().reshape(rows, columns, 2, 3, 3)
    heights = np.zeros((rows + 1, columns + 1))
    heights[:-1, :-1], heights[1:, :-1] = cells[:, :, 0, 0, 1], cells[:, :, 0, 1, 1]
    heights[1:, 1:], heights[:-1, 1:] = cells[:, :, 0, 2, 1], cells[:, :, 1, 2, 1]
    x = np.linspace(-piece.size[0] / 2.0, piece.size[0] / 2.0, columns + 1)
    return x, np.linspace(-piece.size[1] / 2.0, piece.size[1] / 2.0, rows + 1), heights


def _placed(place: FloatArray, turn: FloatArray, at: Place, yaw: float) -> tuple[FloatArray, FloatArray]:
    about = quat.from_axis_angle([0.0, 1.0, 0.0], math.radians(yaw))
    return np.array(at) + quat.rotate(about, place), quat.multiply(about, turn)
