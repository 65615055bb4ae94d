"""What every ground answers: its height and its normal under places of the world."""

from typing import Protocol

import numpy.typing as npt

from core.arrays import FloatArray


class GroundQuery(Protocol):
    """A ground that can be asked: `core.terrain.ground.Ground`, `core.terrain.terrain.Terrain`, or a host's own."""

    def under(self, points: npt.ArrayLike) -> FloatArray:
        """Its height ``(...)`` below points ``(..., 3)``, metres."""
        ...

    def normals(self, points: npt.ArrayLike) -> FloatArray:
        """Unit vectors ``(..., 3)`` away from it below points ``(..., 3)``."""
        ...
