"""One pose in which all meshes of a rig are bound, for formats that hold just one."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray
from core.ids import AssetId
from core.rig.mesh import Mesh
from core.rig.skeleton import Skeleton

SAME = 1e-4
"""How far two binds of one bone may be apart, as a part of the mesh's own place."""


@dataclass(frozen=True, slots=True)
class BindPose:
    """World placement of meshes, and bind transforms of bones.

    Parameters
    ----------
    places : mesh → the matrix ``(4, 4)`` that takes its vertices to model space in the bind pose
    bones : bone → its model matrix there; only of bones that hold vertices
    apart : names of meshes with bones that others hold elsewhere
    """

    places: dict[AssetId, FloatArray]
    bones: dict[int, FloatArray]
    apart: tuple[str, ...]


def bind_pose(skeleton: Skeleton, model: FloatArray, meshes: Sequence[Mesh], metres: float) -> BindPose:
    """The bind pose of meshes.

    Inverse bind matrices give the bones relative to each other, not in the world. The mesh that follows most bones
    stands so that its heaviest bone is at rest; each further one is put where bones known by then are.

    Parameters
    ----------
    model : model matrices ``(B, 4, 4)`` of the rest pose, in the file's unit and axes
    metres : that unit
    """
    uses = {
        mesh.id: np.bincount(mesh.influences.ravel(), mesh.weights.ravel(), len(mesh.bones))
        for mesh in meshes
    }
    bones: dict[int, FloatArray] = {}
    places: dict[AssetId, FloatArray] = {}
    apart = []
    for mesh in sorted(meshes, key=lambda mesh: -int((uses[mesh.id] > 0.0).sum())):
        joints = [skeleton.index(name) for name in mesh.bones]
        inverse = np.array(mesh.inverse_bind)
        inverse[:, :3, 3] /= metres
        used = [
            int(joint) for joint in np.argsort(-uses[mesh.id], kind="stable") if uses[mesh.id][joint] > 0.0
        ]
        anchor = next((joint for joint in used if joints[joint] in bones), used[0] if used else 0)
        place = bones.get(joints[anchor], model[joints[anchor]]) @ inverse[anchor]
        off = 0.0
        for joint in used:
            bound = place @ np.linalg.pinv(inverse[joint])
            off = max(off, float(np.abs(bones.setdefault(joints[joint], bound) - bound).max()))
        if off > SAME * max(1.0, float(np.abs(place).max())):
            apart.append(mesh.name)
        places[mesh.id] = place
    return BindPose(places, bones, tuple(apart))
