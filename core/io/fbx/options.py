"""Settings of the FBX writer."""

from dataclasses import dataclass
from enum import StrEnum

from core.errors import ValidationError
from core.ids import AssetId


class Curves(StrEnum):
    """How motion is written.

    Many programs turn Euler keys into quaternions before they interpolate, so that sparse keys move
    otherwise in them; with a key on every frame they all agree.
    """

    FRAMES = "frames"
    KEYS = "keys"


@dataclass(frozen=True, slots=True)
class FbxWriteOptions:
    """How to write.

    Parameters
    ----------
    rig : which rig; None is the project's first
    clips : which clips; None is all of the rig's
    meshes : whether to write the rig's meshes
    metres_per_unit : 0.01 is what most programs expect
    up_axis : ``+Y`` or ``+Z``
    curves : a key on every frame (and at every key), or the clip's own keys where FBX has them
    tolerance : largest deviation of curves that FBX cannot express (degrees, or metres)
    """

    rig: AssetId | None = None
    clips: tuple[AssetId, ...] | None = None
    meshes: bool = True
    metres_per_unit: float = 0.01
    up_axis: str = "+Y"
    curves: Curves = Curves.FRAMES
    tolerance: float = 3e-6

    def __post_init__(self) -> None:
        if self.up_axis not in ("+Y", "+Z"):
            raise ValidationError(f"up axis: expected +Y or +Z, got {self.up_axis!r}")
        if not 1e-6 <= self.metres_per_unit <= 1e6:
            raise ValidationError(f"unit: expected a length in metres, got {self.metres_per_unit}")
