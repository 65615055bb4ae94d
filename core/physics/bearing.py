"""Which way a body faces that lies: by its pelvis, and by the chest where that says little (ragdoll, *Get up*)."""

import math

import numpy as np

from core.arrays import FloatArray
from core.ik.chain import model_of
from core.math import quat
from core.math.transform import Transform, down_chain
from core.rig.body_plan import BodyPlan
from core.rig.propose_bodies import ahead_of
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton

LEVEL = 0.3
"""Horizontal part of the pelvis' direction from which it tells where the character faces."""
UNSURE = 0.3
"""Upward part of the pelvis' direction below which the chest is asked too."""


class Bearing:
    """Where pelvis and chest of a rig face.

    Parameters
    ----------
    plan : its bodies, the pelvis first
    """

    def __init__(self, rig: Rig, plan: BodyPlan) -> None:
        skeleton = rig.skeleton
        bones = [skeleton.index(bone) for bone in plan.bones]
        ahead, rest = ahead_of(skeleton), down_chain(skeleton.parents, skeleton.rest)
        self.pelvis = bones[0]
        self.chest = max((b for b in bones[1:] if _carries(rig, bones, b)), default=self.pelvis)
        self.ahead = quat.rotate(quat.conjugate(rest.rotation[self.pelvis]), ahead)
        """Where the pelvis faces, in its own axes."""
        self._chest_ahead = quat.rotate(quat.conjugate(rest.rotation[self.chest]), ahead)

    def up(self, world: Transform) -> FloatArray:
        """Upward parts ``(..., 2)`` of where pelvis and chest face, in world poses ``(..., B, k)``."""
        pairs = ((self.pelvis, self.ahead), (self.chest, self._chest_ahead))
        return np.stack([quat.rotate(world.rotation[..., b, :], a)[..., 1] for b, a in pairs], axis=-1)

    def lies(self, world: Transform) -> float:
        """1 for a body ``(B, k)`` on its back, −1 for one on its front, near 0 on a side."""
        pelvis, chest = self.up(world).tolist()
        return self._lies(pelvis, chest)

    def lies_in(self, skeleton: Skeleton, local: Transform) -> float:
        """`lies` of local transforms ``(B, k)`` of a character that stands upright."""
        pairs = ((self.pelvis, self.ahead), (self.chest, self._chest_ahead))
        ups = [float(quat.rotate(model_of(skeleton, local, b).rotation, a)[1]) for b, a in pairs]
        return self._lies(*ups)

    @staticmethod
    def _lies(pelvis: float, chest: float) -> float:
        return float(pelvis if abs(pelvis) >= UNSURE else min(max(pelvis + chest, -1.0), 1.0))

    def yaw(self, turn: FloatArray, before: float) -> float:
        """Degrees that a pelvis faces that is turned so in the world; as before where it faces up or down."""
        x, _, z = quat.rotate(turn, self.ahead).tolist()
        return math.degrees(math.atan2(x, z)) if math.hypot(x, z) > LEVEL else before


def _carries(rig: Rig, bones: list[int], bone: int) -> bool:
    """Whether a body's bone carries at least two others with bodies: both arms hang on the chest."""
    below = [b for b in bones if b != bone and bone in rig.skeleton.above(b)]
    return len(below) >= 2 + len(bones) // 4
