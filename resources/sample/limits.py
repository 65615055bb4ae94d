"""How far the mannequin's bones turn, and the order in which their Euler angles are read."""

from itertools import product

import numpy as np

from core.math import euler, quat
from core.rig.rig import JointLimit, LimitKind
from resources.sample.motion.figure import FIGURE, other_side
from resources.sample.skeleton import FINGERS, TOES

X, Y = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)

# Degrees from rest about the bone's own X: bend backwards (or straighten), bend.
HINGES: dict[str, tuple[float, float]] = {
    "lower_arm_l": (-9.0, 145.0),
    "calf_l": (-5.0, 150.0),
    "ball_l": (-70.0, 35.0),
    "thumb_02_l": (-15.0, 65.0),
    "thumb_03_l": (-25.0, 85.0),
    "big_toe_02_l": (-15.0, 50.0),
    **{f"{finger}_02_l": (-14.0, 105.0) for finger in FINGERS},
    **{f"{finger}_03_l": (-20.0, 85.0) for finger in FINGERS},
    **{f"{'big' if toe == 'big' else toe}_toe_01_l": (-60.0, 45.0) for toe in TOES},
}

# How far the bone leans, and turns about itself to either side, in degrees from rest.
CONES: dict[str, tuple[float, float, float]] = {
    "pelvis": (60.0, -60.0, 60.0),
    **{f"spine_{i:02d}": (25.0, -18.0, 18.0) for i in range(1, 6)},
    "neck_01": (35.0, -30.0, 30.0),
    "neck_02": (30.0, -30.0, 30.0),
    "head": (40.0, -50.0, 50.0),
    "clavicle_l": (35.0, -30.0, 30.0),
    "upper_arm_l": (135.0, -100.0, 100.0),
    "upper_arm_twist_01_l": (0.5, -90.0, 90.0),
    "lower_arm_twist_01_l": (0.5, -95.0, 95.0),
    "hand_l": (80.0, -95.0, 95.0),
    "thumb_01_l": (50.0, -25.0, 25.0),
    **{f"{finger}_metacarpal_l": (12.0, -8.0, 8.0) for finger in FINGERS},
    **{f"{finger}_01_l": (95.0, -12.0, 12.0) for finger in FINGERS},
    "thigh_l": (130.0, -55.0, 55.0),
    "thigh_twist_01_l": (0.5, -60.0, 60.0),
    "foot_l": (60.0, -30.0, 30.0),
}


def joint_limits() -> dict[str, JointLimit]:
    """Limits by bone name, both sides: a turn about Y to the left is one to the right over there."""
    limits: dict[str, JointLimit] = {}
    for name, (low, high) in HINGES.items():
        limit = JointLimit(LimitKind.HINGE, X, low, high)
        limits |= {name: limit, other_side(name): limit}
    for name, (cone, low, high) in CONES.items():
        limits[name] = JointLimit(LimitKind.CONE_TWIST, Y, low, high, cone)
        if name.endswith("_l"):
            limits[other_side(name)] = JointLimit(LimitKind.CONE_TWIST, Y, -high, -low, cone)
    return {name: limits[name] for name in FIGURE.names if name in limits}


def euler_orders() -> np.ndarray:
    """Order of each bone's Euler channels, ``(B,)`` indices.

    X comes first where it can, so that bending a bone about its own X changes its X channel alone; twist
    bones read Y first. Of the orders left, the one whose middle angle stays farthest from ±90° while the
    bone moves within its limits.
    """
    limits = joint_limits()
    orders = np.zeros(len(FIGURE.names), dtype=np.uint8)
    for i, name in enumerate(FIGURE.names):
        if name.endswith("_r"):
            orders[i] = orders[FIGURE.index[other_side(name)]]
            continue
        first = "Y" if "twist" in name or name == "root" else "X"
        turns = quat.multiply(FIGURE.rest_rotations[i], _range(limits.get(name)))
        worst = {o: _middle_angle(turns, o) for o in euler.ORDERS}
        best = min((o for o in euler.ORDERS if o[0] == first), key=lambda o: round(worst[o]))
        if worst[best] > 75.0 and name.startswith(("clavicle", "hand", "foot", "neck", "head")):
            best = min(euler.ORDERS, key=lambda o: round(worst[o]))
        orders[i] = euler.order_index(best)
    return orders


def _range(limit: JointLimit | None) -> np.ndarray:
    """Rotations from rest that a limit allows, on a coarse grid; at most 60 degrees of lean."""
    if limit is None:
        return quat.IDENTITY[None]
    if limit.kind is LimitKind.HINGE:
        return quat.from_axis_angle(limit.axis, np.radians(np.linspace(limit.minimum, limit.maximum, 7)))
    lean = min(limit.cone, 60.0)
    out = []
    for x, y, z in product(
        (-1.0, 0.0, 1.0), (0.5 * limit.minimum, 0.0, 0.5 * limit.maximum), (-0.5, 0.0, 0.5)
    ):
        out.append(euler.to_quaternion([x * lean, y, z * lean], euler.order_index("YZX")))
    return np.array(out)


def _middle_angle(turns: np.ndarray, order: str) -> float:
    index = euler.order_index(order)
    middle = euler.SEQUENCE[index][1]
    return float(np.abs(euler.from_quaternion(turns, index)[:, middle]).max())
