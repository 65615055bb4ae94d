"""A terrain: a frozen list of pieces, and what can be asked of it.

Rays, sweeps, renderer and physics all take the same triangles. Metres, +Y up, degrees.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.errors import ValidationError
from core.math import kernels
from core.terrain import mesh as meshes
from core.terrain import twin
from core.terrain.pieces import Piece, Plane

Ints = npt.NDArray[np.int64]

MOST_TRIANGLES = 1_000_000
"""Of a terrain."""
DEEPEST = 20_000.0
"""Metres below a point at which the ground is still looked for."""
ABOVE = 0.5
"""Metres above a point at which the ground is still taken for what it stands on."""


class Hits(NamedTuple):
    """What N rays or sweeps met.

    Parameters
    ----------
    time : ``(N,)`` share of the way, 0 to 1; 1 where nothing was met
    point : ``(N, 3)`` place on the surface, metres; zeros where nothing was met
    normal : ``(N, 3)`` unit vector away from the surface; of a sweep from the point to the capsule's axis
    face : ``(N, 3)`` unit normal of the triangle
    piece : ``(N,)`` number of the piece; −1 where nothing was met
    gap : ``(N,)`` metres between the surfaces there, below 0 where they overlapped at the start; 0 for rays
    """

    time: FloatArray
    point: FloatArray
    normal: FloatArray
    face: FloatArray
    piece: Ints
    gap: FloatArray


class Touch(NamedTuple):
    """What one capsule met: as a row of `Hits`, in plain numbers; `face` is the normal of the triangle."""

    time: float
    point: tuple[float, float, float]
    normal: tuple[float, float, float]
    face: tuple[float, float, float]
    piece: int
    gap: float


class Triangles(NamedTuple):
    """A surface for renderer and physics: corners ``(M, 3, 3)``, unit normals ``(M, 3)``, piece numbers ``(M,)``."""

    corners: FloatArray
    normals: FloatArray
    piece: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Terrain:
    """Pieces side by side and through each other; what is asked is answered by the one met first.

    Two with the same pieces in the same order answer alike to the last bit.

    Raises
    ------
    ValidationError
        There is no piece, or there are too many triangles.
    """

    pieces: tuple[Piece, ...]
    name: str = "terrain"
    mesh: meshes.TriangleMesh = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not self.pieces:
            raise ValidationError("terrain: pieces: expected at least one")
        parts, count = [], 0
        for piece in self.pieces:
            parts.append(piece.triangles())
            count += len(parts[-1])
            if count > MOST_TRIANGLES:
                raise ValidationError(
                    f"terrain: pieces: expected at most {MOST_TRIANGLES} triangles together"
                )
        number = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        object.__setattr__(self, "mesh", meshes.build(np.concatenate(parts), number))

    # ------------------------------------------------------------------ the surface
    def triangles(self) -> Triangles:
        """The whole surface."""
        table = self.mesh.table
        return Triangles(table[:, :9].reshape(-1, 3, 3), table[:, 9:12], self.mesh.piece)

    @property
    def low(self) -> float:
        """Metres of the lowest point."""
        return float(self.mesh.table[:, 13].min())

    @property
    def flat(self) -> bool:
        """Whether every surface is the level plane at height 0."""
        table = self.mesh.table
        return bool((table[:, 10] > 1.0 - 1e-12).all() and (np.abs(table[:, [1, 4, 7]]) < 1e-12).all())

    # ------------------------------------------------------------------ the ground below
    def height_normal(self, points: npt.ArrayLike, above: float = ABOVE) -> tuple[FloatArray, FloatArray]:
        """Height ``(...)`` and unit normal ``(..., 3)`` of the ground under points ``(..., 3)``.

        The highest surface that looks up and is not more than `above` metres over the point; where there is none,
        the highest of all; beyond every piece minus infinity and straight up.
        """
        at = np.ascontiguousarray(np.asarray(points, dtype=np.float64).reshape(-1, 3))
        heights, normals = self._under(at, above)
        shape = np.shape(points)[:-1]
        return heights.reshape(shape), normals.reshape(*shape, 3)

    def under(self, points: npt.ArrayLike) -> FloatArray:
        """Height of the ground ``(...)`` below points ``(..., 3)``; see `height_normal`."""
        return self.height_normal(points)[0]

    def normals(self, points: npt.ArrayLike) -> FloatArray:
        """Unit vectors ``(..., 3)`` away from the ground below points ``(..., 3)``."""
        return self.height_normal(points)[1]

    def _under(self, at: FloatArray, above: float) -> tuple[FloatArray, FloatArray]:
        origins = at + np.array([0.0, above, 0.0])
        moves = np.tile(np.array([0.0, -DEEPEST, 0.0]), (len(at), 1))
        times, which = self._rays(origins, moves)
        lost = which < 0
        if lost.any():
            origins[lost, 1] = float(self.mesh.table[:, 16].max()) + 1.0
            times[lost], which[lost] = self._rays(origins[lost], moves[lost])
        heights = np.where(which >= 0, origins[:, 1] - DEEPEST * times, -np.inf)
        normals = np.where((which >= 0)[:, None], self.mesh.table[which, 9:12], [0.0, 1.0, 0.0])
        return heights, normals

    # ------------------------------------------------------------------ rays and sweeps
    def ray(self, origin: npt.ArrayLike, direction: npt.ArrayLike, length: npt.ArrayLike = 1.0) -> Hits:
        """What rays ``(N, 3)`` meet first within `length` times their direction ``(N, 3)``; front faces only."""
        origins = _rows(origin, "ray: origin")
        moves = _rows(
            _rows(direction, "ray: direction") * np.reshape(np.asarray(length, np.float64), (-1, 1)), "ray"
        )
        origins, moves = _alike(origins, moves)
        times, which = self._rays(origins, moves)
        met = which >= 0
        time = np.where(met, times, 1.0)
        face = np.where(met[:, None], self.mesh.table[which, 9:12], 0.0)
        point = np.where(met[:, None], origins + moves * time[:, None], 0.0)
        return Hits(time, point, face, face, np.where(met, self.mesh.piece[which], -1), np.zeros(len(time)))

    def sweep_sphere(self, center: npt.ArrayLike, radius: npt.ArrayLike, move: npt.ArrayLike) -> Hits:
        """What spheres ``(N, 3)`` touch first on their moves ``(N, 3)``, within 0.5 mm."""
        return self.sweep_capsule(center, center, radius, move)

    def sweep_capsule(
        self, begin: npt.ArrayLike, end: npt.ArrayLike, radius: npt.ArrayLike, move: npt.ArrayLike
    ) -> Hits:
        """What capsules about segments ``(N, 3)`` to ``(N, 3)`` touch first on their moves ``(N, 3)``, within 0.5 mm.

        By conservative advancement: a capsule at the time given is clear of everything, by 0 to 0.5 mm where it
        touches. What overlaps at the start is met at once, unless the move leads out of it.
        """
        begins, ends = _rows(begin, "sweep: begin"), _rows(end, "sweep: end")
        begins, ends, moves = _alike(begins, ends, _rows(move, "sweep: move"))
        return self._swept(begins, ends, moves, radius)

    def nearest(self, begin: npt.ArrayLike, end: npt.ArrayLike, reach: npt.ArrayLike) -> Hits:
        """The surface nearest to segments ``(N, 3)`` to ``(N, 3)``, within `reach`.

        Its gap is the distance minus `reach`, so 0 or less where there is one.
        """
        begins, ends = _alike(_rows(begin, "nearest: begin"), _rows(end, "nearest: end"))
        return self._swept(begins, ends, np.zeros_like(begins), reach)

    def touch(
        self,
        begin: tuple[float, float, float],
        end: tuple[float, float, float],
        radius: float,
        move: tuple[float, float, float],
    ) -> Touch | None:
        """`sweep_capsule` of one in plain numbers, unchecked; without a move `nearest`; None where all is clear."""
        places = np.array((begin, end, move))
        out, which = np.empty((1, 8)), np.empty(1, dtype=np.int64)
        self._sweep(places[0:1], places[1:2], places[2:3], np.array((radius,)), out, which)
        number = int(which[0])
        if number < 0:
            return None
        t, px, py, pz, nx, ny, nz, gap = out[0].tolist()
        fx, fy, fz = self.mesh.table[number, 9:12].tolist()
        return Touch(t, (px, py, pz), (nx, ny, nz), (fx, fy, fz), int(self.mesh.piece[number]), gap)

    def dropped(self, centers: FloatArray, radius: float, depth: float) -> list[float | None]:
        """Metres that balls about ``(N, 3)`` fall until they lie on something, at most `depth`, unchecked.

        None for one that finds nothing, or is in something from the start.
        """
        count = len(centers)
        moves, radii = np.zeros((count, 3)), np.empty(count)
        moves[:, 1], radii[:] = -depth, radius
        out, which = np.empty((count, 8)), np.empty(count, dtype=np.int64)
        self._sweep(centers, centers, moves, radii, out, which)
        return [
            depth * row[0] + row[7] / max(row[5], 0.1) if number >= 0 and row[0] > 0.0 else None
            for row, number in zip(out.tolist(), which.tolist(), strict=True)
        ]

    def _swept(self, begins: FloatArray, ends: FloatArray, moves: FloatArray, radius: npt.ArrayLike) -> Hits:
        radii = np.ascontiguousarray(np.broadcast_to(np.asarray(radius, np.float64), (len(begins),)))
        out, which = np.empty((len(begins), 8)), np.empty(len(begins), dtype=np.int64)
        self._sweep(begins, ends, moves, radii, out, which)
        m = self.mesh
        met = which >= 0
        face = np.where(met[:, None], m.table[which, 9:12], 0.0)
        time = np.where(met, out[:, 0], 1.0)
        return Hits(time, out[:, 1:4], out[:, 4:7], face, np.where(met, m.piece[which], -1), out[:, 7])

    def _sweep(
        self,
        begins: FloatArray,
        ends: FloatArray,
        moves: FloatArray,
        radii: FloatArray,
        out: FloatArray,
        which: Ints,
    ) -> None:
        compiled, m = kernels.compiled(), self.mesh
        if compiled is not None:
            compiled.terrain.sweeps(
                m.table, m.grid, m.starts, m.items, m.large, begins, ends, moves, radii, out, which
            )
        else:
            with kernels.twin():
                twin.sweeps(m, begins, ends, moves, radii, out, which)

    def _rays(self, origins: FloatArray, moves: FloatArray) -> tuple[FloatArray, Ints]:
        times, which = np.empty(len(origins)), np.empty(len(origins), dtype=np.int64)
        compiled, m = kernels.compiled(), self.mesh
        if compiled is not None:
            compiled.terrain.rays(m.table, m.grid, m.starts, m.items, m.large, origins, moves, times, which)
        else:
            with kernels.twin():
                twin.rays(m, origins, moves, times, which)
        return times, which


def _rows(values: npt.ArrayLike, what: str) -> FloatArray:
    array = np.atleast_2d(np.asarray(values, dtype=np.float64))
    if array.ndim != 2 or array.shape[1] != 3 or not np.isfinite(array).all():
        raise ValidationError(f"{what}: expected finite places (N, 3), got shape {np.shape(values)}")
    return np.ascontiguousarray(array)


def _alike(*arrays: FloatArray) -> tuple[FloatArray, ...]:
    count = max(len(array) for array in arrays)
    return tuple(np.ascontiguousarray(np.broadcast_to(array, (count, 3))) for array in arrays)


def flat_terrain() -> Terrain:
    """The level plane that clips are made on."""
    return Terrain((Plane(name="floor"),), "flat")
