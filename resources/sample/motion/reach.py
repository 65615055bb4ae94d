"""Arms by inverse kinematics: a hand put at a place, turned as wanted."""

import numpy as np

from core.arrays import FloatArray
from core.math import quat
from resources.sample import skeleton as sk
from resources.sample.motion.figure import FIGURE, Posing
from resources.sample.motion.stance import frame_of


def hand_turn(side: str, along: FloatArray, thumbward: FloatArray) -> FloatArray:
    """Turn from rest of a hand whose fingers point ``along`` and whose thumb's side is ``thumbward``."""
    mirror = np.array([1.0 if side == "l" else -1.0, 1.0, 1.0])

    def axes(a: FloatArray, b: FloatArray) -> FloatArray:
        a = a / np.linalg.norm(a)
        b = b - a * (a @ b)
        b = b / np.linalg.norm(b)
        return np.stack([a, b, np.cross(a, b)], axis=1)

    rest = axes(sk.HAND.axes[0] * mirror, sk.HAND.axes[1] * mirror)
    return quat.from_matrix(axes(np.asarray(along, float), np.asarray(thumbward, float)) @ rest.T)


def solve_arm(
    side: str, collar: tuple[FloatArray, FloatArray], wrist: FloatArray, hand: FloatArray, elbow: FloatArray
) -> tuple[Posing, float]:
    """Put a wrist at a place (model space, metres) with the hand turned by ``hand`` from rest.

    Parameters
    ----------
    collar
        Model rotation ``(4,)`` and position ``(3,)`` of the collar bone.
    elbow
        Direction in which the elbow points.

    Returns
    -------
    pose, over
        Turns of arm and hand, the lower arm's twist bone taking half of the hand's twist, and how many
        metres the wrist was out of reach.
    """
    index, rest = FIGURE.index, FIGURE.rest_model
    collar_bone, upper, lower, end = (
        index[f"{n}_{side}"] for n in ("clavicle", "upper_arm", "lower_arm", "hand")
    )
    delta = quat.multiply(collar[0], quat.conjugate(rest[collar_bone]))
    shoulder = collar[1] + quat.rotate(delta, FIGURE.heads[upper] - FIGURE.heads[collar_bone])
    a = float(np.linalg.norm(FIGURE.heads[lower] - FIGURE.heads[upper]))
    b = float(np.linalg.norm(FIGURE.heads[end] - FIGURE.heads[lower]))
    reach = wrist - shoulder
    distance = float(np.linalg.norm(reach))
    used = min(distance, 0.9985 * (a + b))
    e = reach / distance
    down = elbow - e * (e @ elbow)
    down = down / np.linalg.norm(down)
    cosine = (a * a + used * used - b * b) / (2.0 * a * used)
    place = shoulder + a * (cosine * e + np.sqrt(max(0.0, 1.0 - cosine * cosine)) * down)
    x = np.cross(place - shoulder, shoulder + used * e - place)
    pose, before = Posing(), delta
    for bone, y in ((upper, place - shoulder), (lower, shoulder + used * e - place)):
        now = quat.multiply(frame_of(x, y), quat.conjugate(rest[bone]))
        pose.turns[FIGURE.names[bone]] = quat.multiply(quat.conjugate(before), now)
        before = now
    local = quat.multiply(quat.conjugate(before), hand)
    pose.turns[f"hand_{side}"] = local
    axis = quat.rotate(rest[lower], [0.0, 1.0, 0.0])
    twist = 2.0 * np.arctan2(float(local[:3] @ axis), float(local[3]))
    twist = (twist + np.pi) % (2.0 * np.pi) - np.pi
    pose.turns[f"lower_arm_twist_01_{side}"] = quat.from_axis_angle(axis, 0.5 * twist)
    return pose, max(0.0, distance - used)
