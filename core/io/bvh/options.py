"""Settings of the BVH reader and writer."""

from dataclasses import dataclass

from core.errors import ValidationError
from core.ids import AssetId
from core.io.common.options import ReadOptions
from core.io.common.units_and_axes import UP_AXES, require_unit


@dataclass(frozen=True, slots=True)
class BvhReadOptions(ReadOptions):
    """How to read; BVH files state neither their unit nor their axes.

    Parameters
    ----------
    frame_time : seconds between frames where the file's own are wrong; None believes the file
    apart : whether roots that look like characters become rigs of their own; False keeps one rig
    """

    frame_time: float | None = None
    apart: bool = True

    def __post_init__(self) -> None:
        super(BvhReadOptions, self).__post_init__()
        if self.frame_time is not None and not 1e-5 <= self.frame_time <= 1000.0:
            raise ValidationError(f"frame time: expected 0.00001 to 1000 s, got {self.frame_time}")


@dataclass(frozen=True, slots=True)
class BvhWriteOptions:
    """How to write.

    Parameters
    ----------
    rig : which rig; None is the clip's
    clip : which clip; None is the rig's first; a BVH file holds one
    metres_per_unit : None is the unit of the file the rig came from
    rate : frames a second; None is the clip's own
    up_axis : ``+Y``, ``-Y``, ``+Z``, ``-Z``, ``+X`` or ``-X``; None is that of the file the rig came from
    """

    rig: AssetId | None = None
    clip: AssetId | None = None
    metres_per_unit: float | None = None
    rate: float | None = None
    up_axis: str | None = None

    def __post_init__(self) -> None:
        if self.up_axis is not None and self.up_axis not in UP_AXES:
            raise ValidationError(f"up axis: expected one of {', '.join(UP_AXES)}, got {self.up_axis!r}")
        if self.metres_per_unit is not None:
            require_unit(self.metres_per_unit)
