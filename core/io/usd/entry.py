"""USD (UsdSkel), as text and binary."""

from pathlib import Path
from typing import Any

from core.io.format import Format, Requirement, Size
from core.io.loaded import Loaded
from core.io.report import ExportReport
from core.progress import Progress
from core.project.project import Project
from core.rig.mesh import Mesh


def _read(path: Path, options: Any, progress: Progress) -> Loaded:
    from core.io.common.respace import with_overrides
    from core.io.usd.options import UsdReadOptions
    from core.io.usd.read import read

    folders = options.folders if isinstance(options, UsdReadOptions) else ()  # or what all scenes have
    return with_overrides(read(path, progress, folders), options)


def _write(project: Project, path: Path, options: Any, progress: Progress) -> ExportReport:
    from core.io.usd.write import write

    return write(project, path, options, progress)


def _read_options() -> Any:
    from core.io.usd.options import UsdReadOptions

    return UsdReadOptions()


def _write_options() -> Any:
    from core.io.usd.options import UsdWriteOptions

    return UsdWriteOptions()


def _is_usd(head: bytes) -> bool:
    return head.startswith((b"#usda ", b"PXR-USDC"))


def _beside(path: Path, project: Project | None, options: Any) -> tuple[Path, ...]:
    """The stage's textures."""
    from core.io.usd.textures import texture_files

    if project is None:
        return ()
    return tuple(path.with_name(name) for name in texture_files(project.all(Mesh)).values())


FORMAT = Format(
    id="usd",
    title="USD",
    suffixes=(".usda", ".usdc", ".usd"),
    sniff=_is_usd,
    read=_read,
    write=_write,
    read_options=_read_options,
    write_options=_write_options,
    scene=True,
    extras=True,
    exact_scale=False,
    out_of_process=True,
    requires=Requirement("pxr", "usd"),
    beside=_beside,
    sizes={".usda": Size(330.0, 40.0, 12.0, 450.0)}
    | dict.fromkeys((".usdc", ".usd"), Size(60.0, 12.0, 5.0, 200.0)),
)
