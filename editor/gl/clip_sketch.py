"""Which moment of a clip says most about it, and the picture of it. Free of Qt and OpenGL."""

import numpy as np

from core.arrays import ByteArray, FloatArray
from core.clips.clip import Clip
from core.evaluation.clip_pipeline import ClipPipeline
from core.pose import kinematics
from core.project.project import Project
from core.rig.mesh import Mesh
from core.rig.rig import Rig
from editor.gl.bone_geometry import bone_surface, bone_tips
from editor.gl.coarse_mesh import coarse_mesh
from editor.gl.cpu_skin import skin_positions
from editor.gl.draw_list import BoneShapes, MeshGeometry, MeshInstance
from editor.gl.mesh_source import geometry_of, part_colors
from editor.gl.sketch import Sheet, sketch

EDGE = 128
"""Pixels each way of a picture."""
YAW, PITCH = 0.6, 0.12
"""From where clips are seen, radians: from the character's left front, a little from above."""
MOMENTS = 9
BONE = (0.68, 0.71, 0.76)


class ClipSketcher:
    """Draws clips of characters; keeps light copies of the meshes that it met last. On one thread at a time."""

    def __init__(self) -> None:
        self._light: dict[int, tuple[Mesh, MeshGeometry]] = {}

    def draw(self, project: Project, rig: Rig, clip: Clip) -> ByteArray:
        """The clip at its most telling moment ``(128, 128, 4)`` uint8, on nothing."""
        meshes = project.meshes_of(rig.id)
        times = np.linspace(0.0, clip.length, MOMENTS) if clip.length > 0.0 else np.zeros(1)
        poses = ClipPipeline.of(project, clip).sample_many(times)
        matrices = kinematics.model_matrices(rig.skeleton, poses.local)
        return self.draw_pose(rig, meshes, matrices[telling(matrices[:, :, :3, 3])])

    def draw_pose(self, rig: Rig, meshes: tuple[Mesh, ...], place: FloatArray) -> ByteArray:
        """A pose given as model matrices ``(B, 4, 4)``; see `draw`."""
        self._light = {key: kept for key, kept in self._light.items() if any(kept[0] is m for m in meshes)}
        sheets = [self._skinned(mesh, rig, place) for mesh in meshes] or [_bones(rig, place)]
        return sketch(sheets, YAW, PITCH, EDGE)

    def _skinned(self, mesh: Mesh, rig: Rig, matrices: FloatArray) -> Sheet:
        known = self._light.get(id(mesh))
        if known is None:
            known = self._light[id(mesh)] = mesh, coarse_mesh(geometry_of(mesh))
        geometry, colors = known[1], part_colors(mesh)
        skin = matrices[kinematics.joint_bones(mesh, rig.skeleton)] @ mesh.inverse_bind
        placed = skin_positions(MeshInstance(geometry, skin, colors)).astype(np.float64)
        count = len(geometry.triangles)
        parts = geometry.parts if geometry.parts is not None else np.zeros(count, np.int32)
        tint = colors[np.minimum(parts, len(colors) - 1), :3].astype(np.float64)
        if geometry.colors is not None:
            tint = tint * geometry.colors[geometry.triangles[:, 0], :3]
        return Sheet(placed[geometry.triangles], tint)


def telling(places: FloatArray) -> int:
    """The number of the pose that differs most from the first; `places` are bones ``(N, B, 3)``."""
    still = places - places.mean(axis=1, keepdims=True)  # wherever the character is
    away = ((still - still[0]) ** 2).sum(axis=(1, 2))
    return int(np.argmax(away > 0.999 * away.max()))


def _bones(rig: Rig, matrices: FloatArray) -> Sheet:
    tips = bone_tips(rig.skeleton.rest.translation, rig.skeleton.parents)
    heads = matrices[:, :3, 3]
    tails = heads + np.einsum("bij,bj->bi", matrices[:, :3, :3], tips)
    corners = bone_surface(BoneShapes(heads, tails, matrices[:, :3, 0])).reshape(-1, 3, 3)
    return Sheet(corners, np.tile(BONE, (len(corners), 1)))
