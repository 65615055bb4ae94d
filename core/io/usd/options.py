"""Settings of the USD writer."""

from dataclasses import dataclass

from core.errors import ValidationError
from core.ids import AssetId


@dataclass(frozen=True, slots=True)
class UsdWriteOptions:
    """How to write.

    Parameters
    ----------
    rig : which rig; None is the project's first
    clips : which clips, the first of which plays; None is all of the rig's
    meshes : whether to write the rig's meshes
    metres_per_unit, up_axis : ``+Y`` or ``+Z``
    tolerance : how far what lies between two samples may be off (metres; radians times 10)
    """

    rig: AssetId | None = None
    clips: tuple[AssetId, ...] | None = None
    meshes: bool = True
    metres_per_unit: float = 1.0
    up_axis: str = "+Y"
    tolerance: float = 1e-5

    def __post_init__(self) -> None:
        if self.up_axis not in ("+Y", "+Z"):
            raise ValidationError(f"up axis: expected +Y or +Z, got {self.up_axis!r}")
        if not 1e-6 <= self.metres_per_unit <= 1e6:
            raise ValidationError(f"unit: expected a length in metres, got {self.metres_per_unit}")
