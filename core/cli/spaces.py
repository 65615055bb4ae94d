"""Sampled poses in the space and units that were asked for."""

from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip
from core.evaluation.clip_pipeline import ClipPipeline
from core.math import quat
from core.math.transform import Transform, from_matrix
from core.pose.kinematics import model_matrices
from core.project.project import Project
from core.rig.rig import Rig


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """Transforms of every bone at some times: ``(T, B, 3)`` and ``(T, B, 4)``, quaternions with w ≥ 0."""

    positions: FloatArray
    rotations: FloatArray


def sampled(project: Project, rig: Rig, clip: Clip | None, times: FloatArray) -> Transform:
    """Local transforms ``(T, B, k)`` of a clip as it is seen; without a clip the rest pose at every time."""
    if clip is None:
        return Transform(*(np.repeat(part[None], len(times), axis=0) for part in rig.skeleton.rest))
    return ClipPipeline.of(project, clip).sample_many(times).local


def placed(rig: Rig, local: Transform, space: str, native: bool) -> Placed:
    """Bring local transforms into a space.

    Parameters
    ----------
    space : ``local``, ``model`` or ``world``; a file's character stands at the origin of its own
        scene, so that model and world agree
    native : in the units and axes of the file the rig came from, instead of metres and +Y up
    """
    skeleton, source = rig.skeleton, rig.source
    if space == "local":
        positions, rotations = np.array(local.translation), np.array(local.rotation)
        turned = np.flatnonzero(skeleton.parents < 0)
    else:
        split = from_matrix(model_matrices(skeleton, local))
        positions, rotations = split.translation, split.rotation
        turned = np.arange(len(skeleton))
    if native:
        back = quat.conjugate(source.to_y_up)
        if abs(float(back[3])) != 1.0:
            positions[:, turned] = quat.rotate(back, positions[:, turned])
            rotations[:, turned] = quat.multiply(back, rotations[:, turned])
        positions = positions / source.metres_per_unit
    return Placed(positions, np.where(rotations[..., 3:] < 0.0, -rotations, rotations))
