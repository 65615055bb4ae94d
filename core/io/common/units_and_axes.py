"""Names of units and of up axes, and the rotations that map axes onto ours."""

import math

import numpy as np

from core.arrays import FloatArray
from core.errors import ValidationError
from core.math import quat

UP_AXES: dict[str, FloatArray] = {
    "+Y": np.array([0.0, 0.0, 0.0, 1.0]),
    "-Y": np.array([0.0, 0.0, 1.0, 0.0]),
    "+Z": np.array([-math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5)]),
    "-Z": np.array([math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5)]),
    "+X": np.array([0.0, 0.0, math.sqrt(0.5), math.sqrt(0.5)]),
    "-X": np.array([0.0, 0.0, -math.sqrt(0.5), math.sqrt(0.5)]),
}
"""Rotation from axes with this one up to ours."""
UNITS = {
    1.0: "metre",
    0.01: "centimetre",
    0.001: "millimetre",
    0.0254: "inch",
    0.3048: "foot",
    0.1: "decimetre",
}


def unit_name(metres: float) -> str:
    """What a unit of this length is called."""
    return next((name for size, name in UNITS.items() if abs(size - metres) < 1e-9 * size), f"{metres:g} m")


def up_name(to_y_up: FloatArray) -> str:
    """The axis that a rotation to +Y up turns upward."""
    up = quat.rotate(quat.conjugate(to_y_up), np.array([0.0, 1.0, 0.0]))
    axis = int(np.argmax(np.abs(up)))
    return ("+" if up[axis] > 0.0 else "-") + "XYZ"[axis]


def require_unit(metres: float) -> None:
    """Raise `ValidationError` for what cannot be a unit of length."""
    if not 1e-6 <= metres <= 1e6:
        raise ValidationError(f"unit: expected a length in metres, got {metres}")


def nearest_up(to_y_up: FloatArray) -> str:
    """The name in `UP_AXES` of the rotation nearest to one."""
    return min(UP_AXES, key=lambda name: float(quat.angle_between(UP_AXES[name], to_y_up)))
