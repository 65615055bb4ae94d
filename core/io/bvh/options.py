"""Settings of the BVH reader and writer."""

from dataclasses import dataclass

from core.ids import AssetId


@dataclass(frozen=True, slots=True)
class BvhReadOptions:
    """How to read; BVH files tell neither their unit nor their axes.

    Parameters
    ----------
    metres_per_unit : None guesses from the character's height
    up_axis : ``+Y``, ``-Y``, ``+Z``, ``-Z``, ``+X`` or ``-X``; None guesses from the first frame
    """

    metres_per_unit: float | None = None
    up_axis: str | None = None


@dataclass(frozen=True, slots=True)
class BvhWriteOptions:
    """How to write.

    Parameters
    ----------
    rig : which rig; None is the clip's
    clip : which clip; None is the rig's first; a BVH file holds one
    metres_per_unit : None is the unit of the file the rig came from
    rate : frames a second; None is the clip's own
    """

    rig: AssetId | None = None
    clip: AssetId | None = None
    metres_per_unit: float | None = None
    rate: float | None = None
