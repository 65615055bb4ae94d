"""The ground under a character: a plane that may rise, with stairs on it, as plain functions of places."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.errors import ValidationError


@dataclass(frozen=True, slots=True)
class Ground:
    """A plane, and stairs that climb on it toward +Z.

    Parameters
    ----------
    height : metres of the plane at the origin
    tilt_x, tilt_z : degrees it rises toward +X and toward +Z
    rise, run : metres that a stair goes up (or down, below 0) and how deep it is
    start : metres along Z at which the first stair begins
    count : of stairs; 0 for none. Behind the last one the ground goes on at its height

    Raises
    ------
    ValidationError
        Something is not finite, a tilt beyond ±80°, stairs without depth, or a count below 0.
    """

    height: float = 0.0
    tilt_x: float = 0.0
    tilt_z: float = 0.0
    rise: float = 0.18
    run: float = 0.28
    start: float = 0.5
    count: int = 0

    def __post_init__(self) -> None:
        every = (self.height, self.tilt_x, self.tilt_z, self.rise, self.run, self.start)
        if not all(np.isfinite(every)) or max(abs(self.tilt_x), abs(self.tilt_z)) > 80:
            raise ValidationError("ground: expected a finite height and tilts of −80° to 80°")
        if self.run <= 0.0 or self.count < 0:
            raise ValidationError("ground: expected stairs of some depth, and 0 or more of them")

    @property
    def flat(self) -> bool:
        """Whether it is the plane that clips are made on."""
        stairs = self.count > 0 and self.rise != 0.0
        return self.height == 0.0 and self.tilt_x == 0.0 and self.tilt_z == 0.0 and not stairs

    @property
    def normal(self) -> FloatArray:
        """Unit vector ``(3,)`` away from the ground; of stairs that of their treads on the level."""
        up = np.array([-np.tan(np.radians(self.tilt_x)), 1.0, -np.tan(np.radians(self.tilt_z))])
        unit: FloatArray = up / np.linalg.norm(up)
        return unit

    def normals(self, points: npt.ArrayLike) -> FloatArray:
        """`normal` for each of points ``(..., 3)``."""
        return np.broadcast_to(self.normal, np.shape(points))

    def under(self, points: npt.ArrayLike) -> FloatArray:
        """Height of the ground ``(...)`` below points ``(..., 3)``, metres."""
        at = np.asarray(points, dtype=np.float64)
        slope_x, slope_z = np.tan(np.radians(self.tilt_x)), np.tan(np.radians(self.tilt_z))
        height: FloatArray = self.height + slope_x * at[..., 0] + slope_z * at[..., 2]
        if self.count:
            stair = np.floor((at[..., 2] - self.start) / self.run) + 1.0
            height = height + self.rise * np.clip(stair, 0.0, self.count)
        return height
