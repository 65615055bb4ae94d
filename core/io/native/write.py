"""Writing the native file: one zip of JSON documents and ``.npy`` arrays, stored uncompressed.

Entries: ``project.json`` (settings, and the list of assets in order), ``assets/<n>-<kind>.json``,
``arrays/<n>.<type>.npy``, ``blobs/<n>.<suffix>``. The bytes depend on the project alone, and on the folder where it
names other files: entries have a fixed date and order, and nothing is compressed, since compressors differ.
"""

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from zipfile import ZIP_STORED, ZipFile, ZipInfo

import numpy as np

from core.arrays import same_value
from core.errors import FormatError
from core.garbage import uncollected
from core.ids import AssetId
from core.io.common.atomic import atomic_file
from core.io.native.kinds import PROJECT, kind_of
from core.io.native.packs import PackWriter
from core.io.native.read import read
from core.io.native.schema import Document
from core.io.native.written import SaveMemory, WrittenAsset
from core.io.report import ExportReport
from core.progress import Progress
from core.project.project import Project
from core.project.references import check


@dataclass(frozen=True, slots=True)
class NativeWriteOptions:
    """How a document is saved.

    Parameters
    ----------
    before_replacing : gets the finished file before it takes the old one's place, which stays where this raises
    memory : of the save before, which this one leaves as its own; assets that are the same are not worked out again
    """

    before_replacing: Callable[[Path], object] | None = None
    memory: SaveMemory | None = None


def write(
    project: Project, path: Path, progress: Progress, options: NativeWriteOptions | None = None
) -> ExportReport:
    """Save a project whole or not at all; the file is read back before it replaces the old one.

    Raises
    ------
    UnsupportedError
        An asset of a type that has no schema.
    MissingReferenceError, ValidationError
        References that lead nowhere: such a file could not be opened again.
    FormatError
        What was written cannot be read back.
    ValueError
        Settings that are not JSON values.
    """
    check(project)
    report = ExportReport("Posewright")
    last = options.before_replacing if options is not None else None
    memory = options.memory if options is not None and options.memory is not None else SaveMemory()
    now: dict[AssetId, WrittenAsset] = {}

    def verify(written: Path) -> None:
        progress.report(0.9, "reading back")
        for key in _read_back(project, written, path, report, memory):
            del now[key]
        if last is not None:
            last(written)

    with uncollected(), atomic_file(path, verify) as file:
        now.update(_write(project, file, progress, memory, Path(path).absolute().parent))
    memory.assets = {**now}
    return report


def _read_back(
    project: Project, written: Path, path: Path, report: ExportReport, memory: SaveMemory
) -> list[AssetId]:
    """Open what was written as anyone will; an asset that came back otherwise is named in the report, and returned.

    An asset whose document and arrays are those of the save before was built from these very bytes then.
    """
    known = {kept.document: kept.asset for a in project.assets.values() if (kept := memory.of(a)) is not None}
    try:
        back = read(written, Progress(), known).project
    except FormatError as error:
        reason = f"what was written cannot be read back ({error.where or 'file'}: {error.reason})"
        raise FormatError(path, "", reason, "the old file was kept; please report this") from error
    seen: dict[tuple[int, int], bool] = {}
    changed = [k for k, asset in project.assets.items() if not same_value(asset, back.assets.get(k), seen)]
    for key in changed:
        name = project.assets[key].name
        report.warnings.append(f"{name!r} came back otherwise when the file was read again")
    return changed


def to_bytes(project: Project) -> bytes:
    """The bytes of the native file."""
    buffer = io.BytesIO()
    _write(project, buffer, Progress(), SaveMemory())
    return buffer.getvalue()


def _write(
    project: Project, file: IO[bytes], progress: Progress, memory: SaveMemory, folder: Path | None = None
) -> dict[AssetId, WrittenAsset]:
    """Write all entries; gives the assets as they were written."""
    packs = PackWriter()
    packs.folder = folder
    now: dict[AssetId, WrittenAsset] = {}
    entries: list[Document] = []
    documents: list[tuple[str, bytes]] = []
    for number, asset in enumerate(project.assets.values()):
        kind = kind_of(asset)
        progress.report(0.5 * number / len(project.assets), f"packing {asset.name}")
        name = f"assets/{number}-{kind.kind}.json"
        kept = None if kind.placed else memory.of(asset)
        if kept is not None and packs.again(kept.stored):
            document = kept.document
        else:
            # As bytes at once: keeping half a million small containers would trigger the collector again and again.
            document = _json(kind.schema.stamped(kind.to_document(asset, packs)))
        documents.append((name, document))
        entries.append({"id": asset.id, "kind": kind.kind, "document": name})
        now[asset.id] = WrittenAsset(asset, document, packs.next_asset())
    head = PROJECT.stamped({"assets": entries, "settings": _plain(project.settings)})
    with ZipFile(file, "w", ZIP_STORED) as archive:
        for name, text in (("project.json", _json(head)), *documents):
            archive.writestr(_entry(name), text)
        for name, dtype, count, pieces in packs.packs():
            progress.report(0.75, "writing arrays")
            _write_pack(archive, f"arrays/{name}.npy", dtype, count, pieces)
        for name, data in packs.blobs.items():
            archive.writestr(_entry(f"blobs/{name}"), data)
    packs.forget()
    return now


def _plain(value: Any) -> Any:
    """Read-only mappings as dictionaries, for JSON."""
    if hasattr(value, "items"):
        return {str(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _json(document: Document) -> bytes:
    def dumped(ascii: bool) -> str:
        return json.dumps(document, ensure_ascii=ascii, allow_nan=False, separators=(",", ":"))

    try:
        return dumped(False).encode("utf-8")
    except UnicodeEncodeError:  # a name with half a surrogate pair, which JSON holds as an escape
        return dumped(True).encode("ascii")


def _entry(name: str) -> ZipInfo:
    info = ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    info.create_system = 3
    info.external_attr = 0o644 << 16
    info.compress_type = ZIP_STORED
    return info


def _write_pack(archive: ZipFile, name: str, dtype: np.dtype[Any], count: int, pieces: list[Any]) -> None:
    """One ``.npy`` entry out of many arrays, without joining them in memory."""
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": dtype.str, "fortran_order": False, "shape": (count,)}
    )
    info = _entry(name)
    info.file_size = len(header.getvalue()) + count * dtype.itemsize
    with archive.open(info, "w", force_zip64=info.file_size > 1 << 30) as entry:
        entry.write(header.getvalue())
        small: list[Any] = []
        size = 0
        for piece in pieces:  # few large writes instead of many small ones
            small.append(piece)
            size += piece.nbytes
            if size > 1 << 20:
                entry.write(np.concatenate(small).data)
                small, size = [], 0
        if small:
            entry.write(np.concatenate(small).data)
