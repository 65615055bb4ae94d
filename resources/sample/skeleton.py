"""Bones of the mannequin: where they stand at rest and how their axes lie.

Only the middle and the left side are written down; the right side is the exact mirror image of the left.
Every bone's +Y runs along the bone. +X is the axis it bends about, with the same sign on both sides:
fingers close, elbows and knees flex, a foot points down for a positive turn about X. The right side's axes
are ``M·R·M`` of the left side's, with ``M`` the reflection of x, so a turn about X mirrors as itself and
turns about Y and Z change their sign.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

MIRROR = np.diag([-1.0, 1.0, 1.0])
LEFT, UP, FRONT = np.eye(3)

FINGERS = ("index", "middle", "ring", "pinky")
TOES = ("big", "index", "middle", "ring", "little")

SHOULDER = np.array([0.178, 1.448, -0.026])
UPPER_ARM_LENGTH, LOWER_ARM_LENGTH = 0.285, 0.255
HIP = np.array([0.093, 0.945, -0.006])
KNEE = np.array([0.101, 0.515, 0.012])
ANKLE = np.array([0.108, 0.085, -0.024])
TOE_OUT = np.radians(7.0)


def unit(v: Array) -> Array:
    """Return ``v`` scaled to length one."""
    return v / np.linalg.norm(v)


UPPER_ARM_DIRECTION = unit(np.array([np.cos(np.radians(45)), -np.sin(np.radians(45)), -0.05]))
LOWER_ARM_DIRECTION = unit(np.array([np.cos(np.radians(46)), -np.sin(np.radians(46)), 0.12]))
ELBOW = SHOULDER + UPPER_ARM_LENGTH * UPPER_ARM_DIRECTION
WRIST = ELBOW + LOWER_ARM_LENGTH * LOWER_ARM_DIRECTION


@dataclass(frozen=True, slots=True)
class Frame:
    """A place to describe a hand or foot in: origin and three axes (rows), in model space."""

    origin: Array
    axes: Array

    def point(self, *abc: float) -> Array:
        """Model position of the coordinates (along, sideways, third axis) in metres."""
        return self.origin + np.asarray(abc) @ self.axes

    def direction(self, *abc: float) -> Array:
        """Model direction, of length one, of the coordinates."""
        return unit(np.asarray(abc) @ self.axes)


def _hand_frame() -> Frame:
    along = LOWER_ARM_DIRECTION
    thumbward = unit(FRONT - along * (along @ FRONT))
    palmward = np.cross(along, thumbward)  # down and inward: the palm faces the thigh
    return Frame(WRIST, np.stack([along, thumbward, palmward]))


def _foot_frame() -> Frame:
    ahead = np.array([np.sin(TOE_OUT), 0.0, np.cos(TOE_OUT)])
    outward = np.array([np.cos(TOE_OUT), 0.0, -np.sin(TOE_OUT)])
    return Frame(ANKLE * [1, 0, 1], np.stack([ahead, outward, UP]))


HAND = _hand_frame()  # (along the hand, to the thumb's side, out of the palm)
FOOT = _foot_frame()  # on the ground under the ankle: (ahead, outward, up)

# Knuckle (along, thumbward, palmward), spread in degrees towards the thumb, phalanx lengths, radii.
KNUCKLES = {
    "index": ((0.091, 0.0275, -0.003), 5.0, (0.041, 0.025, 0.021)),
    "middle": ((0.095, 0.0050, -0.006), 0.5, (0.045, 0.028, 0.022)),
    "ring": ((0.090, -0.0170, -0.004), -4.5, (0.041, 0.026, 0.022)),
    "pinky": ((0.081, -0.0375, 0.002), -10.5, (0.032, 0.020, 0.019)),
}
REST_CURL = (6.0, 14.0, 20.0)  # degrees below the hand's line, one a phalanx
THUMB = ((0.020, 0.021, 0.014), (0.056, 0.047, 0.027), (0.085, 0.0625, 0.0320), (0.110, 0.0725, 0.0335))

BALL = (0.120, 0.004, 0.024)  # ahead, outward, up
TOE_ROOTS = {
    "big": (0.140, -0.0260, 0.0165),
    "index": (0.143, -0.0035, 0.0140),
    "middle": (0.137, 0.0130, 0.0130),
    "ring": (0.128, 0.0280, 0.0120),
    "little": (0.117, 0.0420, 0.0110),
}
TOE_TIPS = {
    "big": (0.204, -0.0270, 0.0125),
    "index": (0.203, -0.0035, 0.0095),
    "middle": (0.194, 0.0140, 0.0095),
    "ring": (0.182, 0.0300, 0.0090),
    "little": (0.166, 0.0450, 0.0085),
}


def finger_points(finger: str) -> Array:
    """Knuckle, the two joints and the tip of a left finger at rest, ``(4, 3)`` in model space."""
    if finger == "thumb":
        return np.stack([HAND.point(*p) for p in THUMB])
    knuckle, spread, lengths = KNUCKLES[finger]
    points = [HAND.point(*knuckle)]
    for curl, length in zip(np.radians(REST_CURL), lengths, strict=True):
        s = np.radians(spread)
        ahead = HAND.direction(np.cos(curl) * np.cos(s), np.cos(curl) * np.sin(s), np.sin(curl))
        points.append(points[-1] + length * ahead)
    return np.stack(points)


@dataclass(frozen=True, slots=True)
class RestBone:
    """One bone at rest: ``rotation`` is its model rotation as a matrix with the axes as columns."""

    name: str
    parent: str | None
    head: Array
    tail: Array
    rotation: Array


def _axes(head: Array, tail: Array, bend: Array) -> Array:
    """Axes of a bone from head to tail whose +Z leans towards ``bend``: a positive X turn goes there."""
    y = unit(tail - head)
    x = unit(np.cross(y, bend))
    return np.stack([x, y, np.cross(x, y)], axis=1)


def _middle() -> list[RestBone]:
    chain = [
        ("pelvis", 0.980, -0.006),
        ("spine_01", 1.030, -0.010),
        ("spine_02", 1.098, -0.006),
        ("spine_03", 1.176, -0.012),
        ("spine_04", 1.266, -0.026),
        ("spine_05", 1.366, -0.036),
        ("neck_01", 1.497, -0.032),
        ("neck_02", 1.556, -0.016),
        ("head", 1.614, -0.004),
        ("", 1.800, -0.004),
    ]
    bones = [RestBone("root", None, np.zeros(3), 0.15 * FRONT, np.eye(3))]
    for (name, y, z), (_, y2, z2) in pairwise(chain):
        head, tail = np.array([0.0, y, z]), np.array([0.0, y2, z2])
        bones.append(RestBone(name, bones[-1].name, head, tail, _axes(head, tail, FRONT)))
    return bones


def _arm() -> list[RestBone]:
    hinge = unit(np.cross(UPPER_ARM_DIRECTION, LOWER_ARM_DIRECTION))
    flex = np.cross(hinge, UPPER_ARM_DIRECTION)
    palm = HAND.axes[2]

    def bone(name: str, parent: str, head: Array, tail: Array, bend: Array) -> RestBone:
        return RestBone(name, parent, head, tail, _axes(head, tail, bend))

    collar = np.array([0.022, 1.462, 0.018])
    middle_knuckle = HAND.point(*KNUCKLES["middle"][0])
    upper_twist = SHOULDER + 0.5 * (ELBOW - SHOULDER)
    lower_twist = ELBOW + 0.5 * (WRIST - ELBOW)
    bones = [
        bone("clavicle_l", "spine_05", collar, SHOULDER, FRONT),
        bone("upper_arm_l", "clavicle_l", SHOULDER, ELBOW, flex),
        bone("upper_arm_twist_01_l", "upper_arm_l", SHOULDER, upper_twist, flex),
        bone("lower_arm_l", "upper_arm_l", ELBOW, WRIST, flex),
        bone("lower_arm_twist_01_l", "lower_arm_l", lower_twist, WRIST, flex),
        bone("hand_l", "lower_arm_l", WRIST, middle_knuckle, palm),
    ]
    thumb = finger_points("thumb")
    thumb_bend = unit(palm + 0.25 * HAND.axes[0] - 0.75 * HAND.axes[1])
    for i in range(3):
        parent = f"thumb_{i:02d}_l" if i else "hand_l"
        bones.append(bone(f"thumb_{i + 1:02d}_l", parent, thumb[i], thumb[i + 1], thumb_bend))
    for finger in FINGERS:
        points = finger_points(finger)
        a, b, c = KNUCKLES[finger][0]
        base = HAND.point(0.022, 0.55 * b, 0.5 * c)
        bones.append(bone(f"{finger}_metacarpal_l", "hand_l", base, points[0], palm))
        parents = [f"{finger}_metacarpal_l", f"{finger}_01_l", f"{finger}_02_l"]
        for i, parent in enumerate(parents):
            bones.append(bone(f"{finger}_{i + 1:02d}_l", parent, points[i], points[i + 1], palm))
    return bones


def _leg() -> list[RestBone]:
    def bone(name: str, parent: str, head: Array, tail: Array, bend: Array) -> RestBone:
        return RestBone(name, parent, head, tail, _axes(head, tail, bend))

    ball = FOOT.point(*BALL)
    tip = FOOT.point(0.198, 0.002, 0.012)
    sole = -UP
    bones = [
        bone("thigh_l", "pelvis", HIP, KNEE, -FRONT),
        bone("thigh_twist_01_l", "thigh_l", HIP, HIP + 0.5 * (KNEE - HIP), -FRONT),
        bone("calf_l", "thigh_l", KNEE, ANKLE, -FRONT),
        bone("foot_l", "calf_l", ANKLE, ball, sole),
        bone("ball_l", "foot_l", ball, tip, sole),
    ]
    for toe in TOES:
        root, end = FOOT.point(*TOE_ROOTS[toe]), FOOT.point(*TOE_TIPS[toe])
        if toe == "big":
            middle = root + 0.5 * (end - root)
            bones.append(bone("big_toe_01_l", "ball_l", root, middle, sole))
            bones.append(bone("big_toe_02_l", "big_toe_01_l", middle, end, sole))
        else:
            bones.append(bone(f"{toe}_toe_01_l", "ball_l", root, end, sole))
    return bones


def _mirrored(bone: RestBone) -> RestBone:
    parent = bone.parent[:-2] + "_r" if bone.parent and bone.parent.endswith("_l") else bone.parent
    turned = MIRROR @ bone.rotation @ MIRROR
    return RestBone(bone.name[:-2] + "_r", parent, bone.head @ MIRROR, bone.tail @ MIRROR, turned)


def rest_bones() -> list[RestBone]:
    """All bones, parents before children: middle, left arm, right arm, left leg, right leg."""
    arm, leg = _arm(), _leg()
    return [*_middle(), *arm, *map(_mirrored, arm), *leg, *map(_mirrored, leg)]


def axis_bones() -> tuple[str, ...]:
    """Names of the bones on the mirror plane."""
    return tuple(b.name for b in _middle())


def symmetric_pairs() -> tuple[tuple[str, str], ...]:
    """``(left, right)`` names of the paired bones."""
    return tuple((b.name, b.name[:-2] + "_r") for b in [*_arm(), *_leg()])
