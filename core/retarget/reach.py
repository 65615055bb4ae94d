"""Hands that reach the same places relative to the body, whatever the lengths of the arms (spec: retargeting, 2)."""

import numpy as np

from core.arrays import FloatArray
from core.math import quat
from core.math.transform import Transform
from core.pose import kinematics
from core.retarget.bend import reached
from core.retarget.limbs import limbs_of
from core.retarget.planting import Planted
from core.retarget.transfer import Binding


def with_reach(binding: Binding, source: Transform, local: Transform, share: float) -> Transform:
    """The target's poses with hands drawn toward where the source's are, scaled, as seen from its hips.

    Rotations alone leave the hands of long arms apart where the source's touch. The model rotation of
    the hands stays; what an arm cannot reach it points at.

    Parameters
    ----------
    source, local : local transforms ``(T, Bs, k)`` of the source, ``(T, Bt, k)`` of the target
    share : 0 leaves the arms as they are, 1 takes the source's place wholly
    """
    arms = limbs_of(binding, feet=False, hands=True)
    if share <= 0.0 or not arms or not binding.anchors[0]:
        return local
    models = kinematics.to_model(binding.source, source), kinematics.to_model(binding.target, local)
    centres = [
        model.translation[:, list(bones)].mean(axis=1)
        for model, bones in zip(models, binding.anchors, strict=True)
    ]
    model = models[1]
    for arm in arms:
        away = (models[0].translation[:, arm.source_end] - centres[0]) * binding.scale
        wanted: FloatArray = centres[1] + quat.rotate(binding.alignment.heading, away)
        here = model.translation[:, arm.bones[2]]
        goal = here + min(share, 1.0) * (wanted - here)
        local, model, _ = reached(
            binding, local, model, arm, Planted(goal, np.asarray(model.rotation[:, arm.bones[2]]))
        )
    return local
