"""Angles of a body plan's joints in poses, and which poses leave their ranges."""

from dataclasses import dataclass, replace

import numpy as np

from core.arrays import FloatArray
from core.math import quat
from core.math.vectors import within_half_turn
from core.rig.body_plan import Body, BodyPlan
from core.rig.skeleton import Skeleton


@dataclass(frozen=True, slots=True)
class Excess:
    """How far poses leave the range of one axis.

    Parameters
    ----------
    bone, axis : whose body, and the number of its axis
    lowest, highest : the angles that occur, degrees
    beyond : largest distance outside the range, degrees; 0 where all are inside
    pose : number of the pose where that is
    """

    bone: str
    axis: int
    lowest: float
    highest: float
    beyond: float
    pose: int


def angles_of(body: Body, turn: FloatArray) -> FloatArray:
    """Angles in degrees ``(..., A)`` about a body's axes of turns from the rest pose ``(..., 4)``.

    A hinge has the part of the turn about its axis. Of three axes the second is within ±90°; at ±90 exactly the
    third is 0.
    """
    if not body.axes:
        return np.zeros((*np.shape(turn)[:-1], 0))
    if len(body.axes) == 1:
        along = np.asarray(turn)[..., :3] @ np.array(body.axes[0].axis)
        angle = 2.0 * np.arctan2(along, np.asarray(turn)[..., 3])
        hinge: FloatArray = np.degrees(within_half_turn(angle))[..., None]
        return hinge
    frame, sign = _frame(body)
    matrix = frame @ quat.to_matrix(np.asarray(turn, dtype=np.float64)) @ frame.T
    second = np.arcsin(np.clip(matrix[..., 0, 2], -1.0, 1.0))
    flat = np.abs(matrix[..., 0, 2]) > 1.0 - 1e-12
    first = np.where(
        flat,
        np.arctan2(matrix[..., 2, 1], matrix[..., 1, 1]),
        np.arctan2(-matrix[..., 1, 2], matrix[..., 2, 2]),
    )
    third = np.where(flat, 0.0, np.arctan2(-matrix[..., 0, 1], matrix[..., 0, 0]))
    angles: FloatArray = np.degrees(np.stack((first, second, sign * third), axis=-1))
    return angles


def turn_of(body: Body, angles: FloatArray) -> FloatArray:
    """The turn from the rest pose ``(..., 4)`` that angles ``(..., A)`` in degrees make."""
    turn = np.broadcast_to(quat.IDENTITY, (*np.shape(angles)[:-1], 4))
    for number, axis in enumerate(body.axes):
        angle = np.radians(np.asarray(angles)[..., number])
        about = np.broadcast_to(np.array(axis.axis), (*angle.shape, 3))
        turn = quat.multiply(turn, quat.from_axis_angle(about, angle))
    return np.array(turn)


def turns_from_rest(plan: BodyPlan, skeleton: Skeleton, rotations: FloatArray) -> FloatArray:
    """How each body's bone is turned from its rest rotation, ``(..., bodies, 4)``.

    Parameters
    ----------
    rotations : local rotations ``(..., B, 4)``
    """
    bones = [skeleton.index(body.bone) for body in plan.bodies]
    rest = skeleton.rest.rotation[bones]
    return quat.multiply(quat.conjugate(rest), np.asarray(rotations)[..., bones, :])


def excesses(plan: BodyPlan, skeleton: Skeleton, rotations: FloatArray) -> tuple[Excess, ...]:
    """What angles the axes reach in poses, local rotations ``(N, B, 4)``; every axis but the root body's."""
    turns = turns_from_rest(plan, skeleton, rotations)
    found: list[Excess] = []
    for number, body in enumerate(plan.bodies[1:], 1):
        angles = angles_of(body, turns[:, number])
        for axis, limits in enumerate(body.axes):
            values = angles[:, axis]
            beyond = np.maximum(np.maximum(limits.minimum - values, values - limits.maximum), 0.0)
            worst = int(np.argmax(beyond))
            found.append(
                Excess(
                    body.bone,
                    axis,
                    float(values.min()),
                    float(values.max()),
                    float(beyond[worst]),
                    worst,
                )
            )
    return tuple(found)


def widened(plan: BodyPlan, found: tuple[Excess, ...], spare: float = 2.0) -> BodyPlan:
    """The plan with ranges that hold what was found, and `spare` degrees more where they had to grow.

    The second of three axes never goes beyond what a plan may hold; poses beyond that keep their excess.
    """
    for excess in found:
        if excess.beyond <= 0.0:
            continue
        body = plan.body(excess.bone)
        limits = body.axes[excess.axis]
        most = 85.0 if len(body.axes) == 3 and excess.axis == 1 else 180.0
        low, high = limits.minimum, limits.maximum
        if excess.lowest < low:
            low = max(excess.lowest - spare, -most)
        if excess.highest > high:
            high = min(excess.highest + spare, most)
        axes = list(body.axes)
        axes[excess.axis] = replace(limits, minimum=low, maximum=high)
        plan = plan.with_body(replace(body, axes=tuple(axes)))
    return plan


def _frame(body: Body) -> tuple[FloatArray, float]:
    """Rows of a right-handed frame, and the sign of the third angle in it."""
    frame = np.array([axis.axis for axis in body.axes])
    sign = 1.0 if np.linalg.det(frame) > 0.0 else -1.0
    frame[2] *= sign
    return frame, sign
