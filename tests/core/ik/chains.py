"""Chains that the IK tests solve."""

import numpy as np

from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform
from core.rig.rig import JointLimit, Rig
from core.rig.skeleton import Skeleton


def chain_rig(bones: int, length: float = 0.1, limits: dict[str, JointLimit] | None = None) -> Rig:
    """A straight chain ``b0 … bN`` up the y axis; `bN` is the tip."""
    count = bones + 1
    rest = Transform(
        np.vstack([[0.0, 0.0, 0.0], np.tile([0.0, length, 0.0], (bones, 1))]),
        np.tile(quat.IDENTITY, (count, 1)),
        np.ones((count, 3)),
    )
    names = tuple(f"b{i}" for i in range(count))
    return Rig(AssetId("rig-1"), "chain", Skeleton(names, np.arange(-1, bones), rest), limits=limits or {})


def bent(rig: Rig, seed: int, count: int = 1, spread: float = 1.0) -> Transform:
    """Random poses ``(count, B, k)`` of a chain."""
    rng = np.random.default_rng(seed)
    shape = (count, len(rig.skeleton), 3)
    return Transform(
        np.broadcast_to(rig.skeleton.rest.translation, shape).copy(),
        quat.from_rotation_vector(rng.normal(size=shape) * spread),
        np.ones(shape),
    )
