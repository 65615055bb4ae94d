"""Poses told from another place than the one where their character stands."""

import numpy as np

from core.arrays import FloatArray
from core.math import quat
from core.math.transform import Transform, compose, inverse
from core.rig.skeleton import Skeleton


def told_from(skeleton: Skeleton, local: Transform, placement: Transform, other: Transform) -> Transform:
    """Local transforms ``(B, k)`` of a pose that stands at one placement, told from another: the roots differ."""
    parts = Transform(*(np.array(part) for part in local))
    moved = compose(inverse(other), placement)
    for root in skeleton.roots():
        own = compose(moved, Transform(*(part[root] for part in parts)))
        parts.translation[root], parts.rotation[root] = own.translation, quat.normalise(own.rotation)
    return parts


def between(first: Transform, second: Transform, share: float | FloatArray) -> Transform:
    """From one pose or placement to another ``(..., k)``, turns the short way.

    Parameters
    ----------
    share : 0 to 1, one for all or ``(..., 1)``
    """
    turn = quat.aligned(second.rotation, first.rotation)
    return Transform(
        first.translation + share * (second.translation - first.translation),
        quat.normalise(first.rotation + share * (turn - first.rotation)),
        first.scale + share * (second.scale - first.scale),
    )
