"""The triangles of a terrain with a grid over the ground, as the queries read them."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray, frozen
from core.errors import ValidationError

CELL = 1.0
"""Metres of a grid cell, where the terrain is not too wide for it."""
MOST_CELLS = 250_000
MANY_CELLS = 64
"""A triangle over more cells than this is looked at by every query instead."""

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class TriangleMesh:
    """Triangles and a grid, read-only.

    Parameters
    ----------
    table : ``(M, 18)`` corners a, b, c; unit normal; least and largest coordinates
    piece : ``(M,)`` number of the piece each belongs to
    grid : ``(5,)`` least x and z, metres of a cell, cells along x and along z
    starts, items : of cell k, row by row along x, the triangles ``items[starts[k]:starts[k + 1]]``
    large : triangles that lie over many cells and are in none
    """

    table: FloatArray
    piece: Ints
    grid: FloatArray
    starts: Ints
    items: Ints
    large: Ints


def build(triangles: FloatArray, piece: Ints) -> TriangleMesh:
    """A mesh of triangles ``(M, 3, 3)`` of pieces ``(M,)``; those without area are left out.

    Raises
    ------
    ValidationError
        No triangle is left.
    """
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    cross = np.cross(b - a, c - a)
    size = np.linalg.norm(cross, axis=1)
    kept = size > 1e-10
    if not kept.any():
        raise ValidationError("terrain: expected at least one piece with a surface")
    triangles, piece = triangles[kept], piece[kept]
    normals = cross[kept] / size[kept, None]
    low, high = triangles.min(axis=1), triangles.max(axis=1)
    table = np.concatenate([triangles.reshape(-1, 9), normals, low, high], axis=1)
    return _gridded(table, np.asarray(piece, dtype=np.int64))


def _gridded(table: FloatArray, piece: Ints) -> TriangleMesh:
    low, high = table[:, [12, 14]], table[:, [15, 17]]
    extent = high - low
    small = ((extent / CELL + 1.0).prod(axis=1) <= MANY_CELLS).nonzero()[0]
    corner, far = (
        (low[small].min(axis=0), high[small].max(axis=0)) if len(small) else (np.zeros(2), np.ones(2))
    )
    cell = max(CELL, float(np.sqrt(np.prod(far - corner + CELL) / MOST_CELLS)))
    counts = np.maximum(1, np.ceil((far - corner) / cell + 1e-9).astype(np.int64))
    first = np.clip(((low - corner) / cell).astype(np.int64), 0, counts - 1)
    last = np.clip(((high - corner) / cell).astype(np.int64), 0, counts - 1)
    cells: list[Ints] = []
    members: list[Ints] = []
    spans = last[small] - first[small]
    for dx in range(int(spans[:, 0].max(initial=-1)) + 1):
        for dz in range(int(spans[:, 1].max(initial=-1)) + 1):
            here = small[(spans[:, 0] >= dx) & (spans[:, 1] >= dz)]
            cells.append((first[here, 1] + dz) * counts[0] + first[here, 0] + dx)
            members.append(here)
    where = np.concatenate(cells) if cells else np.zeros(0, dtype=np.int64)
    which = np.concatenate(members) if members else np.zeros(0, dtype=np.int64)
    order = np.lexsort((which, where))
    starts = np.searchsorted(where[order], np.arange(int(counts.prod()) + 1))
    large = np.setdiff1d(np.arange(len(table)), small)
    grid = np.array([corner[0], corner[1], cell, counts[0], counts[1]])
    ints = [frozen(v, (None,), "grid", np.int64) for v in (piece, starts, which[order], large)]
    return TriangleMesh(
        frozen(table, (None, 18), "triangles"), ints[0], frozen(grid, (5,), "grid"), ints[1], ints[2], ints[3]
    )
