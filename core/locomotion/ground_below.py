"""The ground of a terrain as the graphs of a character ask for it."""

import math
from collections.abc import Sequence

import numpy as np

from core.arrays import FloatArray
from core.ik.leg import Vec
from core.locomotion.state import State
from core.terrain.mesh import TriangleMesh
from core.terrain.terrain import Terrain

ABOVE, BELOW = 1.0, 0.9
"""Metres over and under the character's own height within which the ground counts for a foot."""
UP = (0.0, 1.0, 0.0)


class GroundBelow:
    """The ground of a terrain as a character's feet ask for it, in its own space; NaN where it is not stood on."""

    def __init__(self, terrain: Terrain, body: State, least: float) -> None:
        self._terrain, self._least = terrain, least
        self._at, yaw = body.root, math.radians(body.yaw)
        self._s, self._c = math.sin(yaw), math.cos(yaw)

    @property
    def terrain(self) -> Terrain:
        """The whole ground in the world."""
        return self._terrain

    def for_kernels(self) -> tuple[TriangleMesh, tuple[float, ...]]:
        """The terrain's triangles; the least upward part of a normal, from where rays go down, and how far."""
        return self._terrain.mesh, (self._least, ABOVE, ABOVE + BELOW)

    def many(self, points: Sequence[Vec]) -> tuple[list[float], list[Vec]]:
        """Heights over the character's own, and unit normals."""
        (x, y, z), s, c = self._at, self._s, self._c
        origins = [(x + c * p[0] + s * p[2], y + ABOVE, z + c * p[2] - s * p[0]) for p in points]
        hits = self._terrain.ray(origins, (0.0, -1.0, 0.0), ABOVE + BELOW)
        heights, normals = [], []
        rows = zip(hits.piece.tolist(), hits.point[:, 1].tolist(), hits.face.tolist(), strict=True)
        for piece, height, (nx, ny, nz) in rows:
            stood = piece >= 0 and ny >= self._least
            heights.append(height - y if stood else math.nan)
            normals.append((c * nx - s * nz, ny, s * nx + c * nz) if stood else UP)
        return heights, normals

    def __call__(self, point: FloatArray) -> tuple[float, FloatArray]:
        """Height and normal under one place."""
        heights, normals = self.many([(float(point[0]), float(point[1]), float(point[2]))])
        return heights[0], np.array(normals[0])
