"""Inverse kinematics (compiled), in one place. Twins: `core.ik.ccd`, `core.ik.fabrik`, `core.ik.two_bone`."""

from core.math.kernel_ccd import ccd
from core.math.kernel_fabrik import fabrik
from core.math.kernel_two_bone import two_bone

__all__ = ["ccd", "fabrik", "two_bone"]
