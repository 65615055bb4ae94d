"""A lighter copy of a mesh for ghosts and shadows: in software, vertices are what costs.

Vertex clustering (Rossignac and Borrel 1993): vertices in one cell of a lattice become one. Which
way a vertex faces and the bone that moves it count too, so that fingers and thin parts stay apart.
"""

import numpy as np
import numpy.typing as npt

from core.arrays import distinct
from editor.gl.draw_list import MeshGeometry


def coarse_mesh(geometry: MeshGeometry, vertices: int = 2000) -> MeshGeometry:
    """A mesh on the same bones with about `vertices` vertices; the mesh itself when it has no more.

    Materials are kept per triangle; morph targets too.
    """
    count = len(geometry.positions)
    if count <= vertices or not len(geometry.triangles):
        return geometry
    positions = geometry.positions.astype(np.float64)
    corners = positions[geometry.triangles]
    area = (
        np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1).sum()
        / 2
    )
    cell = max(float(np.sqrt(area / vertices)), 1e-9)
    labels = _labels(geometry, positions, cell)
    for _ in range(6):
        size = len(distinct(labels))
        if 0.75 * vertices <= size <= 1.1 * vertices:
            break
        cell *= float(np.sqrt(size / vertices))
        labels = _labels(geometry, positions, cell)
    return _merged(geometry, positions, labels)


def _labels(geometry: MeshGeometry, positions: npt.NDArray[np.float64], cell: float) -> npt.NDArray[np.int64]:
    lattice = np.floor((positions - positions.min(axis=0)) / cell).astype(np.int64)
    size = lattice.max(axis=0) + 1
    label = (lattice[:, 0] * size[1] + lattice[:, 1]) * size[2] + lattice[:, 2]
    facing = np.argmax(np.abs(geometry.normals), axis=1)
    sign = np.take_along_axis(geometry.normals, facing[:, None], axis=1)[:, 0] < 0
    label = label * 6 + facing * 2 + sign
    if geometry.bones is not None and geometry.weights is not None:
        main = np.take_along_axis(geometry.bones, geometry.weights.argmax(axis=1)[:, None], axis=1)[:, 0]
        label = label * (int(geometry.bones.max()) + 1) + main
    return np.asarray(label, np.int64)


def _merged(
    geometry: MeshGeometry, positions: npt.NDArray[np.float64], labels: npt.NDArray[np.int64]
) -> MeshGeometry:
    _, first, cluster, size = np.unique(labels, return_index=True, return_inverse=True, return_counts=True)
    middle = np.stack([np.bincount(cluster, positions[:, k]) for k in range(3)], axis=1) / size[:, None]
    normal = np.stack([np.bincount(cluster, geometry.normals[:, k]) for k in range(3)], axis=1)
    normal = normal / np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12)
    triangles = cluster[geometry.triangles]
    a, b, c = triangles.T
    whole = (a != b) & (b != c) & (a != c)
    return MeshGeometry(
        ("coarse", geometry.key, len(first)),
        middle,
        normal,
        triangles[whole],
        None if geometry.bones is None else geometry.bones[first],
        None if geometry.weights is None else geometry.weights[first],
        None if geometry.parts is None else geometry.parts[whole],
        None if geometry.colors is None else geometry.colors[first],
        None if geometry.morph_positions is None else geometry.morph_positions[:, first],
        None if geometry.morph_normals is None else geometry.morph_normals[:, first],
        geometry.double_sided,
    )
