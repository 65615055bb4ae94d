"""From a project's mesh to what the viewport draws. Free of Qt and OpenGL."""

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array
from core.rig.mesh import Mesh
from editor.gl.camera import Vector
from editor.gl.colors import from_linear
from editor.gl.draw_list import MeshGeometry


def geometry_of(mesh: Mesh, key: object | None = None) -> MeshGeometry:
    """The drawable geometry of a mesh.

    Bone numbers are those of `mesh.bones`: matrices come from `core.pose.kinematics.skin_matrices`.

    Parameters
    ----------
    key : hashable identity; by default the mesh value itself, which is frozen
    """
    parts = np.zeros(len(mesh.triangles), np.int32)
    for part in mesh.parts:
        parts[part.start : part.start + part.count] = part.material
    count = len(mesh.positions)
    morphs = mesh.morphs
    with_normals = any(morph.normals is not None for morph in morphs)
    still = np.zeros((count, 3), np.float32)
    return MeshGeometry(
        ("mesh", mesh.id, id(mesh)) if key is None else key,
        mesh.positions,
        mesh.normals,
        mesh.triangles.astype(np.int32),
        mesh.influences.astype(np.int32),
        mesh.weights,
        parts if len(mesh.parts) > 1 else None,
        None if mesh.colors is None else _encoded(mesh.colors),
        np.stack([morph.positions for morph in morphs]) if morphs else None,
        np.stack([still if m.normals is None else m.normals for m in morphs]) if with_normals else None,
        any(material.double_sided for material in mesh.materials),
        mesh.uvs,
    )


def _encoded(colors: Float32Array) -> Float32Array:
    """Linear RGBA rows as the display wants them (gamma 2.2), like `from_linear`."""
    rows = np.array(colors, np.float32)
    rows[:, :3] = np.clip(rows[:, :3], 0.0, 1.0) ** np.float32(1 / 2.2)
    return rows


def part_colors(mesh: Mesh) -> Float32Array:
    """Display-encoded colour of each material (P, 4); white where the mesh names none."""
    rows = [from_linear(material.color) for material in mesh.materials]
    return np.array(rows or [(1.0, 1.0, 1.0, 1.0)], np.float32)


def bounds(points: npt.ArrayLike, room: float = 0.0) -> tuple[Vector, Vector] | None:
    """Corners of the box round points (..., 3), grown by `room` metres; None without finite points."""
    rows = np.asarray(points, np.float64).reshape(-1, 3)
    rows = rows[np.isfinite(rows).all(axis=1)]
    if not len(rows):
        return None
    low, high = rows.min(axis=0) - room, rows.max(axis=0) + room
    return (float(low[0]), float(low[1]), float(low[2])), (float(high[0]), float(high[1]), float(high[2]))
