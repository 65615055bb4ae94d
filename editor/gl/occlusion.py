"""Ambient occlusion baked for each vertex: how much of the sky a place on the mesh sees. Free of Qt and OpenGL.

The mesh is looked at from many directions. From each, what covers what is read from a small picture of depths that
points spread over the triangles are written to; a vertex is lit from a direction that it faces and that nothing in the
picture lies before. No rays are traced, so the cost grows with the points alone, whatever the shape.
"""

from collections import OrderedDict
from collections.abc import Iterable

import numpy as np

from core.arrays import Float32Array, FloatArray, IndexArray
from core.progress import Progress
from core.rig.mesh import Mesh
from editor.gl import occlusion_cache

DIRECTIONS = 48
CELLS = 96
"""Cells of a picture of depths along the mesh's longest side."""
POINTS_A_CELL = 2.5
MOST_POINTS = 90_000
LIFT = 1.6
"""Cells that something must lie before a vertex to cover it: less is the vertex's own surface."""
REACH = 0.22
"""Part of the mesh's size beyond which what covers a vertex darkens it no more: the other side of a hall."""


def directions(count: int = DIRECTIONS) -> FloatArray:
    """Unit vectors ``(N, 3)`` spread evenly over the sphere (a spiral of the golden angle)."""
    number = np.arange(count) + 0.5
    height = 1.0 - 2.0 * number / count
    angle = np.pi * (3.0 - np.sqrt(5.0)) * number
    wide = np.sqrt(1.0 - height * height)
    return np.stack([wide * np.cos(angle), height, wide * np.sin(angle)], axis=1)


def baked(mesh: Mesh, progress: Progress | None = None) -> Float32Array:
    """How open each vertex of a mesh is, as it was skinned ``(V,)``: 1 sees half the sky, 0 sees none of it.

    Raises
    ------
    Cancelled
        From `progress`.
    """
    tell = progress or Progress()
    positions = np.asarray(mesh.positions, dtype=np.float64)
    normals = np.asarray(mesh.normals, dtype=np.float64)
    triangles = np.asarray(mesh.triangles)
    open_ = np.ones(len(positions), np.float32)
    if not len(triangles):
        return open_
    size = float(np.ptp(positions, axis=0).max())
    if size <= 0.0:
        return open_
    cell = size / CELLS
    points = _spread(positions[triangles], cell)
    lit, whole = np.zeros(len(positions)), np.zeros(len(positions))
    for number, way in enumerate(directions()):
        tell.report(number / DIRECTIONS, "")
        facing = _along(normals, way)
        share = np.maximum(facing, 0.0)
        whole += share
        lit += share * _seen(points, positions, way, cell, REACH * size)
    found = np.where(whole > 1e-9, lit / np.maximum(whole, 1e-9), 1.0)
    return np.clip(found, 0.0, 1.0).astype(np.float32)


def _spread(corners: FloatArray, cell: float) -> FloatArray:
    """Points on triangles ``(T, 3, 3)``: corners and middles, and more where a triangle is larger than a cell."""
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2
    wanted = POINTS_A_CELL * area / cell**2
    wanted *= min(1.0, MOST_POINTS / max(float(wanted.sum()), 1.0))
    count = np.floor(wanted + np.random.default_rng(1).random(len(wanted))).astype(np.int64)
    which = np.repeat(np.arange(len(corners)), count)
    a, b = np.random.default_rng(2).random((2, len(which)))
    fold = a + b > 1.0
    a[fold], b[fold] = 1.0 - a[fold], 1.0 - b[fold]
    at = corners[which]
    inside = at[:, 0] + a[:, None] * (at[:, 1] - at[:, 0]) + b[:, None] * (at[:, 2] - at[:, 0])
    return np.concatenate([corners.reshape(-1, 3), corners.mean(axis=1), inside])


def _seen(points: FloatArray, places: FloatArray, way: FloatArray, cell: float, reach: float) -> FloatArray:
    """What share of the light from a direction comes to each place ``(V,)``; `way` points to the light."""
    side = np.cross(way, (0.0, 0.0, 1.0) if abs(way[2]) < 0.7 else (1.0, 0.0, 0.0))
    side /= np.linalg.norm(side)
    over = np.cross(way, side)
    across, up = _along(points, side), _along(points, over)
    low = float(across.min()), float(up.min())
    wide = int(2.0 + CELLS * 1.75)
    heights = np.full(wide * wide, -np.inf)
    np.maximum.at(heights, _cells(across, up, low, cell, wide), _along(points, way))
    place = _cells(_along(places, side), _along(places, over), low, cell, wide)
    before = heights[np.clip(place, 0, len(heights) - 1)] - _along(places, way)
    far = np.clip((before - 0.5 * reach) / (0.5 * reach), 0.0, 1.0)
    covered = np.clip((before - LIFT * cell) / cell, 0.0, 1.0)
    return np.asarray(1.0 - covered * (1.0 - far))


def _along(points: FloatArray, way: FloatArray) -> FloatArray:
    """Dot products; written out, because a product of matrices would wake threads for each of them."""
    return np.asarray(points[:, 0] * way[0] + points[:, 1] * way[1] + points[:, 2] * way[2])


def _cells(
    across: FloatArray, up: FloatArray, low: tuple[float, float], cell: float, wide: int
) -> IndexArray:
    """The cell of each point in the picture of depths."""
    column, row = ((part - least) / cell for part, least in ((across, low[0]), (up, low[1])))
    return np.asarray(column.astype(np.intp) * wide + row.astype(np.intp))


_KEPT: OrderedDict[str, Float32Array] = OrderedDict()
_MOST_KEPT = 32


def kept(mesh: Mesh, progress: Progress | None = None) -> Float32Array:
    """`baked`, but once for meshes of the same shape, whichever view, document or start of the program has them."""
    key = occlusion_cache.digest(mesh)
    if key not in _KEPT:
        found = occlusion_cache.read(key, len(mesh.positions))
        if found is None:
            found = occlusion_cache.rounded(baked(mesh, progress))
            occlusion_cache.write(key, found)
        _KEPT[key] = found
        while len(_KEPT) > _MOST_KEPT:
            _KEPT.popitem(last=False)
    return _KEPT[key]


class OcclusionLibrary:
    """What was baked, by mesh value: a frozen mesh keeps its shade."""

    def __init__(self) -> None:
        self._shades: dict[int, tuple[Mesh, Float32Array]] = {}

    def of(self, mesh: Mesh) -> Float32Array | None:
        """The shade of a mesh ``(V,)``, as far as there is one yet."""
        found = self._shades.get(id(mesh))
        return found[1] if found is not None and found[0] is mesh else None

    def unknown(self, meshes: Iterable[Mesh]) -> tuple[Mesh, ...]:
        """Meshes that are not baked."""
        return tuple(mesh for mesh in meshes if self.of(mesh) is None)

    def bake(self, meshes: Iterable[Mesh], progress: Progress | None = None) -> None:
        """Bake meshes, on any thread, but on one at a time."""
        for mesh in meshes:
            self.put(mesh, kept(mesh, progress))

    def put(self, mesh: Mesh, shade: Float32Array) -> None:
        """Keep a shade."""
        self._shades[id(mesh)] = mesh, shade

    def forget(self, meshes: Iterable[Mesh]) -> None:
        """Drop the others."""
        kept = {id(mesh) for mesh in meshes}
        self._shades = {key: value for key, value in self._shades.items() if key in kept}
