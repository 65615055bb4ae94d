"""Editing poses: the PoseHelper's operations as functions from old to new (spec: editing, PoseHelper).

Bones that an operation leaves out keep their bits; curves and morphs stay those of the first pose.
"""

from collections.abc import Collection, Iterable, Mapping

import numpy as np

from core.arrays import BoolArray, FloatArray
from core.errors import ValidationError
from core.math import quat
from core.math.transform import Transform
from core.pose.blend import between
from core.pose.pose import Pose, require_same_rig, rest_pose
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton

PARTS: tuple[str, ...] = Transform._fields
"""Names of the parts of a local transform: translation, rotation, scale."""


def bone_mask(skeleton: Skeleton, bones: Iterable[str] | None) -> BoolArray:
    """Mask ``(B,)`` of bones by name; None is all. A name that is no bone raises `MissingReferenceError`."""
    if bones is None:
        return np.ones(len(skeleton), dtype=bool)
    mask = np.zeros(len(skeleton), dtype=bool)
    mask[[skeleton.index(name) for name in bones]] = True
    return mask


def weights_of(skeleton: Skeleton, mask: Mapping[str, float] | None) -> FloatArray:
    """Weight ``(B,)`` of every bone by a rig's mask (bones left out weigh 0); None weighs all 1."""
    if mask is None:
        return np.ones(len(skeleton))
    weights = np.zeros(len(skeleton))
    for name, weight in mask.items():
        found = skeleton.find(name)
        if found is not None:
            weights[found] = weight
    return weights


def overlaid(pose: Pose, source: Pose, skeleton: Skeleton, bones: Iterable[str] | None = None) -> Pose:
    """The pose with some bones' local transforms taken from another."""
    require_same_rig(pose, source)
    mask = bone_mask(skeleton, bones)[:, None]
    return pose.with_local(
        Transform(*(np.where(mask, b, a) for a, b in zip(pose.local, source.local, strict=True)))
    )


def toward(
    pose: Pose,
    goal: Pose,
    share: float,
    skeleton: Skeleton,
    bones: Iterable[str] | None = None,
    mask: Mapping[str, float] | None = None,
) -> Pose:
    """From a pose toward another, and beyond or away from it.

    Parameters
    ----------
    share : 0 gives `pose` and 1 `goal` bit for bit; −0.5 pushes away by half, 1.5 overshoots
    bones : names of the bones that take part; None is all
    mask : bone name → weight that scales the share (bones left out weigh 0); None weighs all 1
    """
    require_same_rig(pose, goal)
    if not np.isfinite(share):
        raise ValidationError(f"blend: expected a finite share, got {share}")
    alpha = np.where(bone_mask(skeleton, bones), weights_of(skeleton, mask) * share, 0.0)
    if not alpha.any():
        return pose
    return pose.with_local(between(pose.local, goal.local, alpha))


def reset(rig: Rig, pose: Pose, bones: Iterable[str] | None = None, parts: Collection[str] = PARTS) -> Pose:
    """The pose with some parts of some bones as at rest; `parts` are names out of `PARTS`."""
    unknown = set(parts) - set(PARTS)
    if unknown:
        raise ValidationError(f"parts of a transform: expected {', '.join(PARTS)}, got {sorted(unknown)}")
    mask = bone_mask(rig.skeleton, bones)[:, None]
    rest = rest_pose(rig).local
    whole = [
        np.where(mask, at_rest, value) if name in parts else value
        for name, value, at_rest in zip(PARTS, pose.local, rest, strict=True)
    ]
    return pose.with_local(Transform(*whole))


def summed(base: Transform, deltas: Transform, weights: FloatArray) -> Transform:
    """Differences put on local transforms all at once, in no order (spec: editing, pose asset).

    ``t = t_b + Σ w·Δt``, ``q = exp(Σ w·log Δq) * q_b``, ``s = s_b∘(1 + Σ w·Δs)``. With one
    difference this is `core.pose.additive.apply`.

    Parameters
    ----------
    base : ``(..., N, k)``
    deltas : ``(P, N, k)``, scale as ``s / s_base − 1``
    weights : ``(P, ...)``, any sign; a pose whose weights are all 0 stays bit for bit
    """
    move, turn, grow, turned = _sums(deltas, weights)
    rotation = quat.normalise(quat.multiply(quat.from_rotation_vector(turn), base.rotation))
    return Transform(
        base.translation + move,
        np.where(turned[..., None], rotation, base.rotation),
        base.scale * (1.0 + grow),
    )


def without_sum(posed: Transform, deltas: Transform, weights: FloatArray) -> Transform:
    """Inverse of `summed`: the transforms that `summed` makes `posed` of.

    Where the factors of a scale add up to 0 the scale stays as it is.
    """
    move, turn, grow, _ = _sums(deltas, weights)
    factor = 1.0 + grow
    return Transform(
        posed.translation - move,
        quat.normalise(quat.multiply(quat.conjugate(quat.from_rotation_vector(turn)), posed.rotation)),
        posed.scale / np.where(factor == 0.0, 1.0, factor),
    )


def _sums(deltas: Transform, weights: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, BoolArray]:
    """Weighted sums ``(..., N, 3)`` of translations, rotation vectors and scales; and which bones are turned."""
    shares = np.asarray(weights, dtype=np.float64)
    shape = (*shares.shape[1:], deltas.translation.shape[1])
    vectors = quat.to_rotation_vector(deltas.rotation)
    turns = (deltas.rotation[..., :3] != 0.0).any(axis=-1)
    move, turn, grow = (np.zeros((*shape, 3)) for _ in range(3))
    turned = np.zeros(shape, dtype=bool)
    for number, share in enumerate(shares):  # one by one: of many poses most weigh nothing at any time
        if not share.any():
            continue
        column = share[..., None, None]
        move += column * deltas.translation[number]
        turn += column * vectors[number]
        grow += column * deltas.scale[number]
        turned |= (share != 0.0)[..., None] & turns[number]
    return move, turn, grow, turned
