"""Mirroring poses across the rig's plane (spec: editing, Mirroring), over any leading axes."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from core.arrays import FloatArray, IntArray
from core.math import quat
from core.math.transform import Transform, down_chain
from core.pose.pose import Pose
from core.rig.rig import Rig


class MirrorWay(StrEnum):
    """The three verbs."""

    SWAP = "swap"
    LEFT_TO_RIGHT = "left_to_right"
    RIGHT_TO_LEFT = "right_to_left"


@dataclass(frozen=True, slots=True)
class MirrorMap:
    """Which bone each bone is read from, worked out once per rig.

    Parameters
    ----------
    axis : model axis the plane is perpendicular to
    source : ``(B,)`` number of the bone whose reflection a bone takes, −1 to keep its local pose
    """

    axis: int
    source: IntArray


def mirror_map(rig: Rig, way: MirrorWay = MirrorWay.SWAP, bones: Iterable[str] | None = None) -> MirrorMap:
    """Work out a rig's `MirrorMap`.

    Parameters
    ----------
    way : `SWAP` reflects the whole pose; the other two copy one side's limbs onto the other and
        leave the axis bones and the side that is read alone
    bones : names of the bones that may change; None for all
    """
    skeleton = rig.skeleton
    source = np.full(len(skeleton), -1, dtype=np.int32)
    if way is MirrorWay.SWAP:
        for name in rig.mirror.axis_bones:
            source[skeleton.index(name)] = skeleton.index(name)
    for left, right in rig.mirror.pairs:
        i, j = skeleton.index(left), skeleton.index(right)
        if way is not MirrorWay.RIGHT_TO_LEFT:
            source[j] = i
        if way is not MirrorWay.LEFT_TO_RIGHT:
            source[i] = j
    if bones is not None:
        allowed = np.zeros(len(skeleton), dtype=bool)
        allowed[[skeleton.index(name) for name in bones]] = True
        source[~allowed] = -1
    return MirrorMap(rig.mirror.axis, source)


def reflected_rotation(rotation: FloatArray, axis: int) -> FloatArray:
    """``M·R·M`` for unit quaternions ``(..., 4)`` and the plane perpendicular to a model axis."""
    sign = np.full(4, -1.0)
    sign[[axis, 3]] = 1.0
    flipped: FloatArray = rotation * sign
    return flipped


def reflected_vector(vector: FloatArray, axis: int) -> FloatArray:
    """Vectors ``(..., 3)`` reflected at the plane perpendicular to a model axis."""
    sign = np.ones(3)
    sign[axis] = -1.0
    flipped: FloatArray = vector * sign
    return flipped


def mirrored(rig: Rig, local: Transform, mapping: MirrorMap) -> Transform:
    """Mirror local transforms ``(..., B, k)``.

    All sources are read before any destination is written; parents are resolved before
    children, so that bones without a source keep their local transforms. Bone lengths of the
    destination stay its own; scale is copied.
    """
    skeleton, axis = rig.skeleton, mapping.axis
    rest = skeleton.rest
    rest_model = down_chain(skeleton.parents, rest).rotation
    model = down_chain(skeleton.parents, local).rotation
    out = Transform(*(np.array(part, dtype=np.float64) for part in local))
    placed = np.empty_like(model)
    for bone, parent in enumerate(skeleton.parents):
        source = int(mapping.source[bone])
        above = placed[..., parent, :] if parent >= 0 else quat.IDENTITY
        if source >= 0:
            turn = quat.multiply(model[..., source, :], quat.conjugate(rest_model[source]))
            goal = quat.multiply(reflected_rotation(turn, axis), rest_model[bone])
            out.rotation[..., bone, :] = quat.normalise(quat.multiply(quat.conjugate(above), goal))
            source_parent = skeleton.parent(source)
            from_parent = model[..., source_parent, :] if source_parent >= 0 else quat.IDENTITY
            moved = local.translation[..., source, :] - rest.translation[source]
            moved = reflected_vector(quat.rotate(from_parent, moved), axis)
            out.translation[..., bone, :] = rest.translation[bone] + quat.rotate(quat.conjugate(above), moved)
            out.scale[..., bone, :] = local.scale[..., source, :]
        placed[..., bone, :] = quat.multiply(above, out.rotation[..., bone, :])
    return out


def mirror_pose(
    rig: Rig, pose: Pose, way: MirrorWay = MirrorWay.SWAP, bones: Iterable[str] | None = None
) -> Pose:
    """One pose mirrored; bones that take no part keep their bits."""
    mapping = mirror_map(rig, way, bones)
    out = mirrored(rig, pose.local, mapping)
    kept = (mapping.source < 0)[:, None]
    return pose.with_local(Transform(*(np.where(kept, a, b) for a, b in zip(pose.local, out, strict=True))))
