"""Guesses of what BVH files do not state: unit and up axis."""

import math
from collections.abc import Sequence

import numpy as np

from core.arrays import FloatArray
from core.io.common.units_and_axes import UP_AXES
from core.math import quat

UNITS: tuple[tuple[str, float, float], ...] = (
    ("metre", 1.0, 0.0),
    ("centimetre", 0.01, 0.0),
    ("inch", 0.0254, 0.25),
    ("millimetre", 0.001, 0.25),
    ("5.64 cm (as in the CMU library)", 0.0254 / 0.45, 0.3),
)
"""Name, metres, and a handicap for being rarer."""
PERSON = 1.7
"""Metres."""

HEADS = ("head", "neck", "skull")
FEET = ("foot", "toe", "ankle", "feet")


def guess_unit(height: float) -> tuple[str, float]:
    """The unit in which a character of this height is nearest to a person's.

    A height of 0 gives metres.
    """
    if not height > 0.0:
        return "metre", 1.0
    name, metres, _ = min(UNITS, key=lambda u: abs(math.log(height * u[1] / PERSON)) + u[2])
    return name, metres


def guess_up(names: Sequence[str], positions: FloatArray) -> str:
    """The axis along which the head is above the feet, else the longer of Y and Z.

    Parameters
    ----------
    positions : ``(B, 3)`` of the first frame
    """
    lowered = [name.lower() for name in names]
    heads = [i for i, n in enumerate(lowered) if any(h in n for h in HEADS)]
    feet = [i for i, n in enumerate(lowered) if any(f in n for f in FEET)]
    if heads and feet:
        across = positions[heads].mean(axis=0) - positions[feet].mean(axis=0)
        # The head is never lowest, but a four-legged character has it far in front.
        axis = int(np.argmax(across))
        if across[axis] > 1e-9:
            return "+" + "XYZ"[axis]
    extent = np.ptp(positions, axis=0) if len(positions) else np.zeros(3)
    return "+Z" if extent[2] > 1.5 * extent[1] else "+Y"


def height_along(positions: FloatArray, up: str) -> float:
    """Extent of positions ``(B, 3)`` along an up axis."""
    turned = quat.rotate(UP_AXES[up], positions)
    return float(np.ptp(turned[:, 1])) if len(turned) else 0.0
