"""Differences of poses and putting them on (spec: blending, Additive clips), over leading axes.

A difference is held as a `Transform` whose scale is ``s / s_base − 1``.
"""

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.math import quat
from core.math.transform import Transform
from core.pose.kinematics import to_model
from core.rig.skeleton import Skeleton


def difference(pose: Transform, base: Transform) -> Transform:
    """``Δt = t − t_b``, ``Δq = q * q_b⁻¹``, ``Δs = s / s_b − 1`` (0 where the base's scale is 0)."""
    return Transform(
        pose.translation - base.translation,
        quat.multiply(pose.rotation, quat.conjugate(base.rotation)),
        _scale_ratio(pose.scale, base.scale),
    )


def apply(pose: Transform, delta: Transform, weight: npt.ArrayLike = 1.0) -> Transform:
    """Put a local difference on a pose.

    ``q' = slerp(1, Δq, w) * q``, ``t' = t + w·Δt``, ``s' = s∘(1 + w·Δs)``.

    Parameters
    ----------
    weight : a number or weights that broadcast over ``(..., B)``; 0 changes nothing
    """
    share = np.asarray(weight, dtype=np.float64)
    column = share[..., None]
    turned = quat.multiply(_partial(delta.rotation, share), pose.rotation)
    return Transform(
        pose.translation + column * delta.translation,
        np.where(column == 0.0, pose.rotation, quat.normalise(turned)),
        pose.scale * (1.0 + column * delta.scale),
    )


def difference_model(skeleton: Skeleton, pose: Transform, base: Transform) -> Transform:
    """As `difference`, with rotations compared in model space; translation and scale stay local."""
    return Transform(
        pose.translation - base.translation,
        quat.multiply(
            to_model(skeleton, pose).rotation,
            quat.conjugate(to_model(skeleton, base).rotation),
        ),
        _scale_ratio(pose.scale, base.scale),
    )


def apply_model(
    skeleton: Skeleton, pose: Transform, delta: Transform, weight: npt.ArrayLike = 1.0
) -> Transform:
    """Put a model-space difference on a pose: the result's model rotations are turned by `delta`.

    Bones of weight 0 keep their model rotation where an ancestor turns, as a model-space layer
    means; with weight 0 everywhere the pose comes back unchanged.
    """
    share = np.asarray(weight, dtype=np.float64)
    local = apply(
        pose,
        Transform(delta.translation, np.broadcast_to(quat.IDENTITY, delta.rotation.shape), delta.scale),
        share,
    )
    if not np.any(share):
        return local
    model = to_model(skeleton, pose).rotation
    goal = quat.normalise(quat.multiply(_partial(delta.rotation, share), model))
    return Transform(local.translation, to_local_rotations(skeleton, goal), local.scale)


def to_local_rotations(skeleton: Skeleton, model: FloatArray) -> FloatArray:
    """Local rotations ``(..., B, 4)`` that give these model rotations."""
    parents = np.asarray(skeleton.parents)
    above = model[..., np.maximum(parents, 0), :]
    above = np.where((parents < 0)[:, None], quat.IDENTITY, above)
    return quat.normalise(quat.multiply(quat.conjugate(above), model))


def _partial(turn: FloatArray, share: FloatArray) -> FloatArray:
    return quat.slerp(np.broadcast_to(quat.IDENTITY, turn.shape), turn, share)


def _scale_ratio(scale: FloatArray, base: FloatArray) -> FloatArray:
    zero = base == 0.0
    ratio: FloatArray = np.where(zero, 0.0, scale / np.where(zero, 1.0, base) - 1.0)
    return ratio
