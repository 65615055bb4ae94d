"""Settings that several formats share: how whole scenes are written, and overrides of what a file states."""

from dataclasses import dataclass
from enum import StrEnum

from core.errors import ValidationError
from core.ids import AssetId
from core.io.common.units_and_axes import UP_AXES, require_unit

UPS = ("+Y", "+Z")
"""Up axes that scenes are written with."""
ALLOW = "its folder can be allowed for this import"
"""Stands behind what a file names outside of the folders that it may read from."""


class Curves(StrEnum):
    """How motion is written.

    Many programs turn Euler keys into quaternions before they interpolate, so that sparse keys move
    otherwise in them; with a key on every frame they all agree.
    """

    FRAMES = "frames"
    KEYS = "keys"


@dataclass(frozen=True, slots=True)
class SceneWriteOptions:
    """How to write a scene (glTF, FBX, USD).

    Parameters
    ----------
    rig : which rig; None is the project's first
    clips : which clips; None is all of the rig's
    meshes : whether to write the rig's meshes
    metres_per_unit : the file's unit
    up_axis : ``+Y`` or ``+Z``
    together : all rigs of the project, each with its meshes and clips, in place of `rig`
    """

    rig: AssetId | None = None
    clips: tuple[AssetId, ...] | None = None
    meshes: bool = True
    metres_per_unit: float = 1.0
    up_axis: str = "+Y"
    together: bool = False

    def __post_init__(self) -> None:
        if self.up_axis not in UPS:
            raise ValidationError(f"up axis: expected +Y or +Z, got {self.up_axis!r}")
        require_unit(self.metres_per_unit)


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What a file does not state, or states wrongly.

    Parameters
    ----------
    metres_per_unit : None is what the file says (BVH: guessed from the character's height)
    up_axis : ``+Y``, ``-Y``, ``+Z``, ``-Z``, ``+X`` or ``-X``; None is what the file says (BVH: guessed
        from the first frame)
    """

    metres_per_unit: float | None = None
    up_axis: str | None = None

    def __post_init__(self) -> None:
        if self.up_axis is not None and self.up_axis not in UP_AXES:
            raise ValidationError(f"up axis: expected one of {', '.join(UP_AXES)}, got {self.up_axis!r}")
        if self.metres_per_unit is not None:
            require_unit(self.metres_per_unit)
