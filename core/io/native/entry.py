"""The program's own format: the one that keeps a document whole."""

from pathlib import Path
from typing import Any

from core.io.format import Format
from core.io.loaded import Loaded
from core.io.report import ExportReport
from core.progress import Progress
from core.project.project import Project


def _read(path: Path, options: Any, progress: Progress) -> Loaded:
    from core.io.native.read import read

    return read(path, progress)


def _write(project: Project, path: Path, options: Any, progress: Progress) -> ExportReport:
    from core.io.native.write import write

    return write(project, path, progress, options)


def _is_zip(head: bytes) -> bool:
    return head[:4] in (b"PK\x03\x04", b"PK\x05\x06")


FORMAT = Format(
    id="posewright",
    title="Posewright",
    suffixes=(".posewright",),
    sniff=_is_zip,
    read=_read,
    write=_write,
    document=True,
    cameras=True,
    scene=True,
    extras=True,
    curves=True,
    angles=True,
)
