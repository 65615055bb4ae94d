"""The whole body as one field, symmetric in x."""

import numpy as np

from resources.sample.shape.fields import Array, Field, mirrored, smooth_min
from resources.sample.shape.limbs import arm_field, foot_field, hand_field, leg_field
from resources.sample.shape.torso import head_field, neck_field, side_lobes, trunk_field


def torso_field() -> Field:
    """Trunk and neck alone."""
    trunk, lobes, neck = trunk_field(), side_lobes(), neck_field()
    lobes_right = mirrored(lobes)

    def field(p: Array) -> Array:
        chest = smooth_min(smooth_min(trunk(p), lobes(p), 0.06), lobes_right(p), 0.06)
        return smooth_min(chest, neck(p), 0.05)

    return field


def body_field() -> Field:
    """Field of the body. Only for ``x >= -0.05``: the right hand, foot and arm are left to mirroring."""
    torso, head = torso_field(), head_field()
    arm, hand, leg, foot = arm_field(), hand_field(), leg_field(), foot_field()
    leg_right = mirrored(leg)

    def field(p: Array) -> Array:
        chest = torso(p)
        limbs = smooth_min(leg(p), leg_right(p), 0.012)
        chest = smooth_min(chest, limbs, 0.055)
        chest = smooth_min(chest, arm(p), 0.075)
        chest = smooth_min(chest, head(p), 0.030)
        chest = smooth_min(chest, hand(p), 0.018)
        return np.asarray(smooth_min(chest, foot(p), 0.030))

    return field
