"""Feet that roll over ball or heel a little more or less, so that the knee above need not pay for a contact."""

import numpy as np

from core.arrays import BoolArray, FloatArray
from core.math import quat
from core.math.vectors import unit, within_half_turn
from core.retarget.limbs import Limb

MOST = np.radians(10.0)
"""A foot is rolled by so much at most."""

EASE = 0.06
"""Seconds over which a roll comes once only one point stands."""


def rolled(
    limb: Limb,
    root: FloatArray,
    place: FloatArray,
    rotation: FloatArray,
    distance: FloatArray,
    masks: BoolArray,
    fps: float,
    floor: float,
) -> FloatArray:
    """Radians ``(T,)`` about the foot's side axis that bring the ankle to its distance from the hip.

    While only heel or only ball stands the foot may turn about it: the ankle then goes on a circle, and of its
    places one is as far from the hip as the leg is long in the motion. 0 where both stand or none.

    Parameters
    ----------
    root : places ``(T, 3)`` of the hip joint
    place, rotation : of the planted ankle
    distance : metres ``(T,)`` from hip to ankle that are wanted
    masks : ``(2, T)`` when heel and ball stand
    floor : metres
    """  # fmt: skip
    one = masks[0] != masks[1]
    if not one.any():
        return np.zeros(len(place))
    heel, ball = limb.places(place, rotation)
    pivot = np.where(masks[1][:, None], ball, heel)
    side = side_axis(limb, rotation)
    arm, back = place - pivot, pivot - root
    along = (arm * side).sum(axis=-1, keepdims=True) * side
    across = arm - along
    a = (back * across).sum(axis=-1)
    b = (back * np.cross(side, across)).sum(axis=-1)
    k = 0.5 * (distance**2 - (back**2).sum(axis=-1) - (arm**2).sum(axis=-1)) - (back * along).sum(axis=-1)
    size = np.hypot(a, b)
    offset = np.arccos(np.clip(k / np.maximum(size, 1e-12), -1.0, 1.0))
    middle = np.arctan2(b, a)
    both = np.stack([within_half_turn(middle + offset), within_half_turn(middle - offset)])
    nearest = np.take_along_axis(both, np.abs(both).argmin(axis=0)[None], axis=0)[0]
    roll = MOST * np.tanh(nearest / MOST) * _since(one, np.asarray(masks.all(axis=0)), fps)
    # the point in the air may come down to the floor and no further: a positive roll brings toes down, heels up
    over = np.where(masks[1], heel[:, 1] - limb.points[0].height, ball[:, 1] - limb.points[1].height) - floor
    room = np.maximum(over, 0.0) / max(
        float(np.linalg.norm(limb.points[1].offset - limb.points[0].offset)), 1e-9
    )
    roll = np.where(masks[1], np.maximum(roll, -room), np.minimum(roll, room))
    return np.where(one, roll, 0.0)


def side_axis(limb: Limb, rotation: FloatArray) -> FloatArray:
    """Unit vectors ``(T, 3)`` to the side of a foot: across its up and the way from heel to ball."""
    ahead = limb.points[1].offset - limb.points[0].offset
    side = np.cross(limb.up, ahead)
    return quat.rotate(rotation, unit(side, (1.0, 0.0, 0.0), 1e-9))


def _since(one: BoolArray, both: BoolArray, fps: float) -> FloatArray:
    """0..1 ``(T,)``: how long since, or until, both points stand."""
    frames = np.arange(len(one), dtype=np.float64)
    marks = frames[both]
    if not len(marks):
        return np.ones(len(one))
    at = np.searchsorted(marks, frames)
    sides = (marks[np.clip(at + n, 0, len(marks) - 1)] for n in (-1, 0))
    away = np.min([np.abs(frames - side) for side in sides], axis=0)
    u = np.clip(away / max(EASE * fps, 1.0), 0.0, 1.0)
    return np.asarray(u * u * (3.0 - 2.0 * u))
