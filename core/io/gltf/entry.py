"""glTF 2.0, and VRM, which is glTF with more in it."""

from pathlib import Path
from typing import Any

from core.io.format import Format, Size
from core.io.loaded import Loaded
from core.io.report import ExportReport
from core.progress import Progress
from core.project.project import Project


def _read(path: Path, options: Any, progress: Progress) -> Loaded:
    from core.io.gltf.read import read

    return read(path, options, progress)


def _write(project: Project, path: Path, options: Any, progress: Progress) -> ExportReport:
    from core.io.gltf.write import write

    return write(project, path, options, progress)


def _read_options() -> Any:
    from core.io.common.options import ReadOptions

    return ReadOptions()


def _write_options() -> Any:
    from core.io.gltf.options import GltfWriteOptions

    return GltfWriteOptions()


def _is_gltf(head: bytes) -> bool:
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    return head[:4] == b"glTF" or text[:1] == b"{"


def _beside(path: Path, project: Project | None, options: Any) -> tuple[Path, ...]:
    """The buffer of a ``.gltf`` that does not hold it itself."""
    apart = path.suffix.lower() == ".gltf" and not getattr(options, "embed", False)
    return (path.with_suffix(".bin"),) if apart else ()


FORMAT = Format(
    id="gltf",
    title="glTF 2.0",
    suffixes=(".glb", ".gltf", ".vrm", ".vrma"),
    sniff=_is_gltf,
    read=_read,
    write=_write,
    read_options=_read_options,
    write_options=_write_options,
    read_only=(".vrm", ".vrma"),
    scene=True,
    cameras=True,
    extras=True,
    curves=True,
    skin_alone=True,
    metres_y_up=True,
    beside=_beside,
    sizes={".glb": Size(), ".gltf": Size(vertex=60.0)},
)
