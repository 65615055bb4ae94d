"""From a field to a first, even but dense mesh: surface nets on a sparse grid, the half with x >= 0."""

import numpy as np
from numpy.typing import NDArray

from resources.sample.shape.fields import Array, Field

Triangles = NDArray[np.int64]


def _sample(field: Field, low: Array, shape: tuple[int, int, int], step: float) -> Array:
    """Field at the grid's points; coarse blocks first, so that only those near the surface are filled."""
    block = 5
    coarse = [np.arange(0, n + block, block) for n in shape]
    centres = np.stack(np.meshgrid(*coarse, indexing="ij"), -1).reshape(-1, 3) * step + low
    far = field(centres)
    values = np.empty([len(c) * block for c in coarse])
    reach = 2.0 * step * block
    wide = np.repeat(
        np.repeat(np.repeat(far.reshape([len(c) for c in coarse]), block, 0), block, 1), block, 2
    )
    values[:] = wide
    todo = np.argwhere(np.abs(wide) < reach)
    for part in np.array_split(todo, max(1, len(todo) // 200_000)):
        values[tuple(part.T)] = field(part * step + low)
    return values[: shape[0], : shape[1], : shape[2]]


def half_surface(field: Field, step: float) -> tuple[Array, Triangles]:
    """Mesh the part of the surface with x >= 0; the seam's vertices lie on x = 0 exactly.

    Parameters
    ----------
    field
        Symmetric in x near x = 0.
    step
        Edge of a grid cell in metres. The cells of the first layer are centred on x = 0.

    Returns
    -------
    vertices (V, 3), triangles (T, 3)
        Counter-clockwise seen from outside.
    """
    low, high = np.array([-0.5 * step, -0.03, -0.22]), np.array([0.76, 1.84, 0.26])
    nx, ny, nz = (int(n) + 1 for n in np.ceil((high - low) / step))
    shape = (nx, ny, nz)
    values = _sample(field, low, shape, step)
    inside = values < 0
    cells = tuple(n - 1 for n in shape)
    total, count = np.zeros((*cells, 3)), np.zeros(cells)
    crossings = []
    for axis in range(3):
        a = [slice(None)] * 3
        b = [slice(None)] * 3
        a[axis], b[axis] = slice(0, -1), slice(1, None)
        cross = np.argwhere(inside[tuple(a)] != inside[tuple(b)])
        other = cross + np.eye(3, dtype=int)[axis]
        va, vb = values[tuple(cross.T)], values[tuple(other.T)]
        point = cross + np.eye(3)[axis] * (va / (va - vb))[:, None]
        crossings.append((axis, cross, inside[tuple(cross.T)]))
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for du in (0, -1):
            for dv in (0, -1):
                cell = cross.copy()
                cell[:, u] += du
                cell[:, v] += dv
                ok = np.all((cell >= 0) & (cell < cells), axis=1)
                np.add.at(total, tuple(cell[ok].T), point[ok])
                np.add.at(count, tuple(cell[ok].T), 1)
    used = count > 0
    number = np.full(cells, -1)
    number[used] = np.arange(used.sum())
    vertices = total[used] / count[used][:, None] * step + low
    vertices[np.argwhere(used)[:, 0] == 0, 0] = 0.0
    faces = []
    for axis, cross, starts_inside in crossings:
        u, v = (axis + 1) % 3, (axis + 2) % 3
        corners = []
        for du, dv in ((-1, -1), (0, -1), (0, 0), (-1, 0)):
            cell = cross.copy()
            cell[:, u] += du
            cell[:, v] += dv
            corners.append(cell)
        quads = np.stack(corners, axis=1)
        ok = np.all((quads >= 0) & (quads < cells), axis=(1, 2))
        index = number[tuple(quads[ok].reshape(-1, 3).T)].reshape(-1, 4)
        index = np.where(starts_inside[ok, None], index, index[:, ::-1])
        faces += [index[:, [0, 1, 2]], index[:, [0, 2, 3]]]
    return vertices, np.concatenate(faces)
