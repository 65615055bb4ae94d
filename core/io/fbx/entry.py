"""FBX, binary; ASCII is read, too."""

from pathlib import Path
from typing import Any

from core.io.format import Format, Size
from core.io.loaded import Loaded
from core.io.report import ExportReport
from core.progress import Progress
from core.project.project import Project


def _read(path: Path, options: Any, progress: Progress) -> Loaded:
    from core.io.common.respace import with_overrides
    from core.io.fbx.read import read

    return with_overrides(read(path, progress), options)


def _write(project: Project, path: Path, options: Any, progress: Progress) -> ExportReport:
    from core.io.fbx.write import write

    return write(project, path, options, progress)


def _read_options() -> Any:
    from core.io.common.options import ReadOptions

    return ReadOptions()


def _write_options() -> Any:
    from core.io.fbx.options import FbxWriteOptions

    return FbxWriteOptions()


def _is_fbx(head: bytes) -> bool:
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    return head.startswith(b"Kaydara FBX Binary") or (text[:1] == b";" and b"FBX" in text[:80])


FORMAT = Format(
    id="fbx",
    title="FBX",
    suffixes=(".fbx",),
    sniff=_is_fbx,
    read=_read,
    write=_write,
    read_options=_read_options,
    write_options=_write_options,
    scene=True,
    extras=True,
    curves=True,
    angles=True,
    out_of_process=True,
    sizes={".fbx": Size(30.0, 20.0, 5.0, 900.0)},
)
