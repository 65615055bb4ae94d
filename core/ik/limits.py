"""Joint limits: bringing a local rotation back to where the joint allows it."""

import numpy as np

from core.arrays import BoolArray, FloatArray
from core.math import quat
from core.math.vectors import within_half_turn
from core.rig.rig import JointLimit, LimitKind


def limited(local: FloatArray, rest: FloatArray, limit: JointLimit) -> FloatArray:
    """The nearest allowed local rotations ``(..., 4)``; those within the limit come back unchanged.

    A hinge keeps only the turn about its axis. A cone first leans, then turns about its axis.
    Angles are measured from the rest rotation, in the bone's rest frame.
    """
    axis = np.asarray(limit.axis)
    swing, twist = quat.swing_twist(quat.multiply(quat.conjugate(rest), local), axis)
    angle = twist_angle(twist, axis)
    kept = np.radians(limit.minimum), np.radians(limit.maximum)
    turned = quat.from_axis_angle(np.broadcast_to(axis, (*angle.shape, 3)), _nearest_within(angle, *kept))
    if limit.kind is LimitKind.HINGE:
        return _unless(allows(local, rest, limit), local, quat.multiply(rest, turned))
    lean = quat.to_rotation_vector(swing)
    size = np.linalg.norm(lean, axis=-1, keepdims=True)
    cone = np.radians(limit.cone)
    scale = np.where(size > cone, cone / np.where(size > 0.0, size, 1.0), 1.0)
    result = quat.multiply(rest, quat.multiply(quat.from_rotation_vector(lean * scale), turned))
    return _unless(allows(local, rest, limit), local, result)


def allows(local: FloatArray, rest: FloatArray, limit: JointLimit, slack: float = 1e-9) -> BoolArray:
    """Whether local rotations ``(..., 4)`` are within a limit, `slack` in radians."""
    axis = np.asarray(limit.axis)
    swing, twist = quat.swing_twist(quat.multiply(quat.conjugate(rest), local), axis)
    angle = twist_angle(twist, axis)
    low, high = np.radians(limit.minimum), np.radians(limit.maximum)
    lean = np.linalg.norm(quat.to_rotation_vector(swing), axis=-1)
    allowed_lean = 0.0 if limit.kind is LimitKind.HINGE else np.radians(limit.cone)
    within: BoolArray = (angle >= low - slack) & (angle <= high + slack) & (lean <= allowed_lean + slack)
    return within


def twist_angle(twist: FloatArray, axis: FloatArray) -> FloatArray:
    """Signed angle in radians, −π..π, of twists ``(..., 4)`` about a unit axis."""
    angle = 2.0 * np.arctan2(np.sum(twist[..., :3] * axis, axis=-1), twist[..., 3])
    return within_half_turn(angle)


def _nearest_within(angle: FloatArray, low: float, high: float) -> FloatArray:
    """Angles brought into a range; from outside, to the end that is nearer round the circle."""
    to_low = np.abs((angle - low + np.pi) % (2 * np.pi) - np.pi)
    to_high = np.abs((angle - high + np.pi) % (2 * np.pi) - np.pi)
    inside = (angle >= low) & (angle <= high)
    nearest: FloatArray = np.where(inside, angle, np.where(to_low <= to_high, low, high))
    return nearest


def _unless(keep: BoolArray, original: FloatArray, changed: FloatArray) -> FloatArray:
    return np.where(keep[..., None], original, changed)
