"""Biovision hierarchies: one skeleton and one clip, a row of Euler angles for every frame."""

from pathlib import Path
from typing import Any

from core.io.common.units_and_axes import UP_AXES
from core.io.format import Format, Size
from core.io.loaded import Loaded
from core.io.report import ExportReport
from core.progress import Progress
from core.project.project import Project
from core.rig.rig import Rig


def _read(path: Path, options: Any, progress: Progress) -> Loaded:
    from core.io.bvh.read import read

    return read(path, options, progress)


def _write(project: Project, path: Path, options: Any, progress: Progress) -> ExportReport:
    from core.io.bvh.write import write

    return write(project, path, options, progress)


def _read_options() -> Any:
    from core.io.bvh.options import BvhReadOptions

    return BvhReadOptions()


def _write_options() -> Any:
    from core.io.bvh.options import BvhWriteOptions

    return BvhWriteOptions()


def _read_back(rig: Rig, options: Any) -> Any:
    """Read options of a file written of a rig: where not chosen, unit and axes are those that the rig came in."""
    from core.io.bvh.options import BvhReadOptions
    from core.io.common.units_and_axes import nearest_up

    metres = getattr(options, "metres_per_unit", None) or rig.source.metres_per_unit
    up = getattr(options, "up_axis", None) or nearest_up(rig.source.to_y_up)
    return BvhReadOptions(metres, up, apart=False)


def _is_bvh(head: bytes) -> bool:
    return head.lstrip(b"\xef\xbb\xbf \t\r\n")[:9].upper() == b"HIERARCHY"


def _channels(bones: int) -> int:
    """Three angles a bone, and where the root is."""
    return 3 * bones + 3


FORMAT = Format(
    id="bvh",
    title="Biovision hierarchy",
    suffixes=(".bvh",),
    sniff=_is_bvh,
    read=_read,
    write=_write,
    read_options=_read_options,
    write_options=_write_options,
    one_clip=True,
    every_frame=True,
    whole_channels=_channels,
    up_axes=tuple(UP_AXES),
    read_back=_read_back,
    sizes={".bvh": Size(0.0, 0.0, 10.0, 120.0)},
)
