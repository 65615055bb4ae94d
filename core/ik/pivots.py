"""Points that can stand still while a pose turns about them: ball, toe tip and heel of a foot."""

from enum import StrEnum
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray
from core.ik.ground import find_feet
from core.math import transform
from core.math.transform import Transform, down_chain
from core.rig.rig import Rig
from core.rig.roles import Limb, Roles


class FootPoint(StrEnum):
    """A part of the foot that stays on the ground."""

    BALL = "ball"
    TOE = "toe"
    HEEL = "heel"


class Anchor(NamedTuple):
    """A point that moves with a bone: the bone's number, and where it is in the bone's frame ``(3,)``, metres."""

    bone: int
    point: FloatArray


def foot_anchor(rig: Rig, roles: Roles, bone: str, which: FootPoint, model: Transform) -> Anchor | None:
    """A point of a foot: of the leg that holds a bone, else of the foot that is lower in a pose.

    The ball is the point of the sole under the joint where the toes begin: the point that a planted foot keeps. Without
    toes it is a third of the way from the tip of the foot to the heel.

    Parameters
    ----------
    model : model transforms ``(B, k)`` of the pose

    Returns
    -------
    Anchor or None
        None where the rig has no legs that are known.
    """
    feet = find_feet(rig, roles)
    if not feet:
        return None
    number = rig.skeleton.find(bone)
    own = [foot for foot in feet if number is not None and _holds(rig, foot.leg, number)]
    foot = own[0] if own else min(feet, key=lambda f: float(model.translation[_ankle(rig, f.leg), 1]))
    ankle, toes = _ankle(rig, foot.leg), None if foot.leg.toe is None else rig.skeleton.index(foot.leg.toe)
    if which is FootPoint.HEEL:
        return Anchor(ankle, np.array(foot.heel))
    if toes is None:
        point = foot.toe if which is FootPoint.TOE else foot.toe + (foot.heel - foot.toe) / 3.0
        return Anchor(ankle, np.array(point))
    rest = down_chain(rig.skeleton.parents, rig.skeleton.rest)
    first, second = (Transform(*(part[b] for part in rest)) for b in (ankle, toes))
    if which is FootPoint.BALL:  # of the foot, not of the toes: these may stay flat while the heel rises
        ball = second.translation.copy()
        ball[1] = transform.apply(first, foot.heel)[1]
        return Anchor(ankle, transform.apply(transform.inverse(first), ball))
    tip = transform.apply(first, foot.toe)
    return Anchor(toes, transform.apply(transform.inverse(second), tip))


def carrier(rig: Rig, hips: str | None, anchor: Anchor, bones: tuple[int, ...]) -> int:
    """The bone whose shift brings an anchor back: the hips, or what is turned above them, or the anchor's own root."""
    line = [anchor.bone]
    while rig.skeleton.parent(line[-1]) >= 0:
        line.append(rig.skeleton.parent(line[-1]))
    number = rig.skeleton.find(hips or "")
    body = number if number is not None and number in line else line[-1]
    above = [bone for bone in bones if bone in line[line.index(body) :]]
    return above[0] if above else body


def _ankle(rig: Rig, leg: Limb) -> int:
    assert leg.end is not None  # `find_feet` leaves out legs without a foot
    return rig.skeleton.index(leg.end)


def _holds(rig: Rig, leg: Limb, bone: int) -> bool:
    return bool(rig.skeleton.descendants([rig.skeleton.index(leg.upper)])[bone])
