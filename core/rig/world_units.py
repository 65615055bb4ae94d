"""Metres of the world in the numbers of a bone below a scale, such as an armature made in centimetres."""

import numpy as np

from core.arrays import FloatArray
from core.rig.skeleton import Skeleton

NOTHING = 1e-9
"""A scale that counts as none: what is below it has no size that numbers could be told in."""

NOISE = 1e-6
"""How far from 1 the product of scales may be and is still taken for 1."""


def metres_per_unit(skeleton: Skeleton, bone: int) -> FloatArray:
    """Metres in the world ``(3,)`` of one unit of a bone's local translation, by axis.

    The scale that the rest pose has above the bone: 0.01 below an armature that was made in centimetres.
    It is the rest pose's, so that the numbers of a bone are in one unit all through a clip whose scale is
    animated. Exact where no scale above is both uneven and turned; an axis scaled to nothing counts as 1.
    """
    scale, parent = np.ones(3), skeleton.parent(bone)
    while parent >= 0:
        scale = scale * skeleton.rest.scale[parent]
        parent = skeleton.parent(parent)
    scale = np.abs(scale)
    plain = (scale < NOTHING) | (np.abs(scale - 1.0) < NOISE)
    return np.where(plain, 1.0, scale)
