"""The formats that come with Posewright: one entry each.

The contract for a new format:

* ``read(path, options, progress) -> Loaded`` and/or ``write(project, path, options, progress)
  -> ExportReport``; imported inside a function here, so that starting up pays for none of them;
* a reader raises `FormatError(path, where, reason)` for whatever is wrong with a file, checks
  every count against the bytes that are really there before it allocates, and never changes
  the motion; what it leaves out or guesses goes into the report;
* a writer goes through `core.io.common.atomic`, and its bytes depend only on the project and options;
* tests: goldens, round trip, and an entry in the fuzz test.
"""

from pathlib import Path
from typing import Any

from core.io.loaded import Loaded
from core.io.registry import Format, register
from core.io.report import ExportReport
from core.progress import Progress
from core.project.project import Project

_done = False


def register_all() -> None:
    """Register the formats that come with Posewright, once."""
    global _done
    if not _done:
        _done = True
        for entry in (NATIVE, GLTF, BVH, FBX, USD, COMPILED, TABLE):
            register(entry)


def _read_native(path: Path, options: Any, progress: Progress) -> Loaded:
    from core.io.native.read import read

    return read(path, progress)


def _write_native(project: Project, path: Path, options: Any, progress: Progress) -> ExportReport:
    from core.io.native.write import write

    return write(project, path, progress, options)


def _scene_read_options() -> Any:
    from core.io.common.options import ReadOptions

    return ReadOptions()


def _read_gltf(path: Path, options: Any, progress: Progress) -> Loaded:
    from core.io.gltf.read import read

    return read(path, options, progress)


def _write_gltf(project: Project, path: Path, options: Any, progress: Progress) -> ExportReport:
    from core.io.gltf.write import write

    return write(project, path, options, progress)


def _gltf_options() -> Any:
    from core.io.gltf.options import GltfWriteOptions

    return GltfWriteOptions()


def _read_bvh(path: Path, options: Any, progress: Progress) -> Loaded:
    from core.io.bvh.read import read

    return read(path, options, progress)


def _write_bvh(project: Project, path: Path, options: Any, progress: Progress) -> ExportReport:
    from core.io.bvh.write import write

    return write(project, path, options, progress)


def _bvh_read_options() -> Any:
    from core.io.bvh.options import BvhReadOptions

    return BvhReadOptions()


def _bvh_write_options() -> Any:
    from core.io.bvh.options import BvhWriteOptions

    return BvhWriteOptions()


def _read_fbx(path: Path, options: Any, progress: Progress) -> Loaded:
    from core.io.common.respace import with_overrides
    from core.io.fbx.read import read

    return with_overrides(read(path, progress), options)


def _write_fbx(project: Project, path: Path, options: Any, progress: Progress) -> ExportReport:
    from core.io.fbx.write import write

    return write(project, path, options, progress)


def _fbx_write_options() -> Any:
    from core.io.fbx.options import FbxWriteOptions

    return FbxWriteOptions()


def _read_compiled(path: Path, options: Any, progress: Progress) -> Loaded:
    from core.io.compiled.read import read

    return read(path, progress)


def _is_compiled(head: bytes) -> bool:
    return head[:6] == b"PWCLIP"


def _is_fbx(head: bytes) -> bool:
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    return head.startswith(b"Kaydara FBX Binary") or (text[:1] == b";" and b"FBX" in text[:80])


def _read_usd(path: Path, options: Any, progress: Progress) -> Loaded:
    from core.io.common.respace import with_overrides
    from core.io.usd.options import UsdReadOptions
    from core.io.usd.read import read

    folders = options.folders if isinstance(options, UsdReadOptions) else ()  # or what all scenes have
    return with_overrides(read(path, progress, folders), options)


def _usd_read_options() -> Any:
    from core.io.usd.options import UsdReadOptions

    return UsdReadOptions()


def _write_usd(project: Project, path: Path, options: Any, progress: Progress) -> ExportReport:
    from core.io.usd.write import write

    return write(project, path, options, progress)


def _usd_write_options() -> Any:
    from core.io.usd.options import UsdWriteOptions

    return UsdWriteOptions()


def _is_usd(head: bytes) -> bool:
    return head.startswith((b"#usda ", b"PXR-USDC"))


def _write_table(project: Project, path: Path, options: Any, progress: Progress) -> ExportReport:
    from core.io.tables.write import write

    return write(project, path, options, progress)


def _table_options() -> Any:
    from core.io.tables.write import TableWriteOptions

    return TableWriteOptions()


def _never(head: bytes) -> bool:
    return False


def _is_zip(head: bytes) -> bool:
    return head[:4] in (b"PK\x03\x04", b"PK\x05\x06")


def _is_gltf(head: bytes) -> bool:
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    return head[:4] == b"glTF" or text[:1] == b"{"


def _is_bvh(head: bytes) -> bool:
    return head.lstrip(b"\xef\xbb\xbf \t\r\n")[:9].upper() == b"HIERARCHY"


NATIVE = Format("posewright", "Posewright", (".posewright",), _is_zip, read=_read_native, write=_write_native)
GLTF = Format(
    "gltf",
    "glTF 2.0",
    (".glb", ".gltf", ".vrm", ".vrma"),
    _is_gltf,
    read=_read_gltf,
    write=_write_gltf,
    read_options=_scene_read_options,
    write_options=_gltf_options,
    read_only=(".vrm", ".vrma"),
)
BVH = Format(
    "bvh",
    "Biovision hierarchy",
    (".bvh",),
    _is_bvh,
    read=_read_bvh,
    write=_write_bvh,
    read_options=_bvh_read_options,
    write_options=_bvh_write_options,
)
FBX = Format(
    "fbx",
    "FBX",
    (".fbx",),
    _is_fbx,
    read=_read_fbx,
    write=_write_fbx,
    read_options=_scene_read_options,
    write_options=_fbx_write_options,
)
USD = Format(
    "usd",
    "USD",
    (".usda", ".usdc", ".usd"),
    _is_usd,
    read=_read_usd,
    write=_write_usd,
    read_options=_usd_read_options,
    write_options=_usd_write_options,
)
COMPILED = Format("compiled", "Compiled clip", (".pwclip",), _is_compiled, read=_read_compiled)
TABLE = Format(
    "table",
    "Table of samples",
    (".csv", ".npz"),
    _never,
    write=_write_table,
    write_options=_table_options,
)
