"""Chains: the part of a pose that a solver turns, and the way back into the pose.

A chain of n bones has n + 1 joints: each bone's origin and the end, which is the origin of the
tip bone. The tip bone itself is not among the n; what it does with its rotation is decided
after solving. Poses take leading axes ``(..., B, k)``; chains flatten them to ``(T, ...)``.
"""

from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray
from core.errors import ValidationError
from core.math import quat, transform
from core.math.transform import Transform
from core.rig.rig import JointLimit
from core.rig.skeleton import Skeleton


@dataclass(slots=True)
class Chain:
    """Bones from root to the one above the tip, for T poses at once; solvers change it in place.

    Parameters
    ----------
    bones : skeleton numbers of the n bones, root first; `tip` is the bone at the end
    base_rotation : ``(T, 4)`` model rotation above the first bone
    joints : ``(T, n + 1, 3)`` model positions
    local : ``(T, n, 4)`` local rotations
    offsets : ``(T, n, 3)`` the next joint seen from each bone's own frame, scale included
    rest : ``(n, 4)`` local rest rotations, from which limits are measured
    limits : a limit or None a bone
    """

    bones: tuple[int, ...]
    tip: int
    base_rotation: FloatArray
    joints: FloatArray
    local: FloatArray
    offsets: FloatArray
    rest: FloatArray
    limits: tuple[JointLimit | None, ...]

    def lengths(self) -> FloatArray:
        """Bone lengths ``(T, n)`` in metres."""
        lengths: FloatArray = np.linalg.norm(self.offsets, axis=-1)
        return lengths

    def place(self) -> None:
        """Recompute the joints from the local rotations."""
        above = self.base_rotation
        for bone in range(len(self.bones)):
            above = quat.multiply(above, self.local[:, bone])
            self.joints[:, bone + 1] = self.joints[:, bone] + quat.rotate(above, self.offsets[:, bone])

    def rotations(self) -> FloatArray:
        """Model rotations ``(T, n, 4)``."""
        above, out = self.base_rotation, np.empty_like(self.local)
        for bone in range(len(self.bones)):
            above = out[:, bone] = quat.multiply(above, self.local[:, bone])
        return out


def take_chain(
    skeleton: Skeleton, local: Transform, root: str, tip: str, limits: dict[str, JointLimit] | None = None
) -> Chain:
    """Cut the chain from `root` to the parent of `tip` out of poses.

    Raises
    ------
    ValidationError
        Where `tip` is not below `root`.
    """
    root_bone, tip_bone = skeleton.index(root), skeleton.index(tip)
    if root_bone == tip_bone:
        raise ValidationError(f"IK chain: {root!r} cannot be both its root and its tip")
    bones = skeleton.chain(tip_bone, root_bone)[:-1]
    parts = [np.asarray(p).reshape(-1, len(skeleton), p.shape[-1]) for p in local]
    above = Transform(*(np.broadcast_to(p, (len(parts[0]), p.shape[-1])) for p in transform.IDENTITY))
    ancestors: list[int] = []
    bone = skeleton.parent(root_bone)
    while bone >= 0:
        ancestors.append(bone)
        bone = skeleton.parent(bone)
    for bone in reversed(ancestors):
        above = transform.compose(above, Transform(*(p[:, bone] for p in parts)))
    joints = np.empty((len(parts[0]), len(bones) + 1, 3))
    offsets = np.empty((len(parts[0]), len(bones), 3))
    base = above.rotation
    for place, bone in enumerate((*bones, tip_bone)):
        if place:
            offsets[:, place - 1] = above.scale * parts[0][:, bone]
        above = transform.compose(above, Transform(*(p[:, bone] for p in parts)))
        joints[:, place] = above.translation
    held = limits or {}
    return Chain(
        bones,
        tip_bone,
        np.array(base),
        joints,
        np.array(parts[1][:, list(bones)]),
        offsets,
        skeleton.rest.rotation[list(bones)],
        tuple(held.get(skeleton.names[b]) for b in bones),
    )


def put_chain(local: Transform, chain: Chain) -> Transform:
    """Poses with the chain's rotations in place; nothing else changes (bits are kept)."""
    rotation = np.array(local.rotation)
    flat = rotation.reshape(-1, *rotation.shape[-2:])
    flat[:, list(chain.bones)] = chain.local
    return local._replace(rotation=rotation)


def model_of(skeleton: Skeleton, local: Transform, bone: int) -> Transform:
    """Model transform ``(..., k)`` of one bone; only what is above it is looked at."""
    line = [bone]
    while skeleton.parent(line[-1]) >= 0:
        line.append(skeleton.parent(line[-1]))
    whole = Transform(*(np.asarray(p)[..., line[-1], :] for p in local))
    for number in reversed(line[:-1]):
        whole = transform.compose(whole, Transform(*(np.asarray(p)[..., number, :] for p in local)))
    return whole
