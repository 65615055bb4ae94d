"""Hands of an arm that is pulled: how far a wrist bends before the hand follows the lower arm; ends before fingers."""

from math import acos, radians

import numpy as np

from core.arrays import FloatArray
from core.math import quat
from core.math.transform import Transform
from core.rig.rig import Rig
from core.rig.roles import FINGERS, Role, Roles

BEND = radians(45.0)
"""How far a wrist bends in comfort, from the rest pose."""
TWIST = radians(60.0)
"""How far a hand turns about its lower arm in comfort, from the rest pose."""


def eased_wrist(rig: Rig, roles: Roles, before: Transform, after: Transform, hand: str) -> Transform:
    """A pose ``(B, k)`` whose hand is turned with its lower arm as far as its wrist is bent beyond what is comfortable.

    A wrist that was bent further in the pose `before` may stay as far bent. Bones that are no hands, and hands whose
    lower arm has no length, are left as they are: the same object comes back.
    """
    skeleton = rig.skeleton
    number = skeleton.index(hand)
    above, part = skeleton.parent(number), roles.of(hand)
    rest = skeleton.rest.rotation[number]
    line = np.asarray(skeleton.rest.translation[number])
    length = float(np.linalg.norm(line))
    if part is None or part[0] is not Role.HAND or above < 0 or length < 1e-9:
        return after
    axis = line / length
    was = quat.multiply(before.rotation[number], quat.conjugate(rest))
    now = quat.multiply(after.rotation[number], quat.conjugate(rest))
    bend, twist = quat.swing_twist(now, axis)
    bend_before, twist_before = quat.swing_twist(was, axis)
    eased_bend = _within(bend, max(BEND, _angle(bend_before)))
    eased_twist = _within(twist, max(TWIST, _angle(twist_before)))
    if eased_bend is bend and eased_twist is twist:
        return after
    rotation = np.array(after.rotation)
    rotation[number] = quat.normalise(quat.multiply(quat.multiply(eased_bend, eased_twist), rest))
    return after._replace(rotation=rotation)


def _angle(turn: FloatArray) -> float:
    return 2.0 * acos(min(abs(float(turn[3])), 1.0))


def _within(turn: FloatArray, most: float) -> FloatArray:
    """A rotation about its own axis by at most an angle; the same object where it is within."""
    angle = _angle(turn)
    return turn if angle <= most else quat.slerp(quat.IDENTITY, turn, most / angle)


def end_above(rig: Rig, roles: Roles, bone: str) -> str | None:
    """The hand or foot that a finger, a toe or a bone between them belongs to; None for other bones."""
    skeleton, number = rig.skeleton, rig.skeleton.index(bone)
    small = (*FINGERS, Role.TOE)
    below = [number, *np.flatnonzero(skeleton.descendants([number]))]
    parts = [roles.of(skeleton.names[b]) for b in below]
    if not any(part is not None and part[0] in small for part in parts):
        return None
    part = roles.of(bone)
    if part is not None and part[0] not in small:
        return None
    above = skeleton.parent(number)
    while above >= 0:
        name = skeleton.names[above]
        part = roles.of(name)
        if part is not None and part[0] in (Role.HAND, Role.FOOT):
            return name
        if part is not None and part[0] not in small:
            return None
        above = skeleton.parent(above)
    return None


def hips_above(rig: Rig, roles: Roles, bone: str) -> str | None:
    """The hips above the lowest bone of the spine, or a thigh; None for other bones.

    No limb carries such a bone: pulled by itself it would come off the hips.
    """
    part, above = roles.of(bone), rig.skeleton.parent(rig.skeleton.index(bone))
    hips = roles.one(Role.HIPS)
    if part is None or part[0] not in (Role.SPINE, Role.THIGH) or above < 0:
        return None
    return hips if rig.skeleton.names[above] == hips else None
