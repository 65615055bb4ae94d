"""Reading the native file."""

import io
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from core.errors import AnimError, FormatError
from core.ids import AssetId
from core.io.common.opening import open_regular
from core.io.loaded import Loaded
from core.io.native.archive import Archive
from core.io.native.kinds import PROJECT, kind_named
from core.io.native.packs import PackReader
from core.io.native.written import SaveMemory
from core.io.report import ImportReport
from core.json_text import parse_object
from core.json_values import Value
from core.progress import Progress
from core.project.project import Asset, Project
from core.project.references import mended

BAD = (AnimError, KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError)
"""What a document of the wrong make raises while assets are built from it."""


def read(path: Path, progress: Progress, known: Mapping[bytes, Asset] | None = None) -> Loaded:
    """Open a native file; what is `Loaded.remembered` is the `SaveMemory` for the next save of it.

    Parameters
    ----------
    known : assets by their documents, for a file that was just written: a document that names the same arrays at the
        same places as then gives the same asset, so it is not built again; that the arrays are whole is still checked

    Raises
    ------
    FormatError
        Naming the entry; also where a newer Posewright wrote it.
    """
    with open_regular(path) as file:
        return _read(file, path, progress, known, Path(path).absolute().parent)


def from_bytes(data: bytes, name: str = "memory") -> Project:
    """The project in the bytes of a native file."""
    return _read(io.BytesIO(data), Path(name), Progress()).project


def _read(
    file: IO[bytes],
    path: Path,
    progress: Progress,
    known: Mapping[bytes, Asset] | None = None,
    folder: Path | None = None,
) -> Loaded:
    report = ImportReport("Posewright")
    with Archive(file, path) as archive:
        head = _upgraded_head(archive, path)
        packs = PackReader(archive)
        packs.folder = folder
        assets: dict[AssetId, Asset] = {}
        memory = SaveMemory() if known is None else None
        for number, entry in enumerate(head["assets"]):
            progress.report(number / len(head["assets"]), "reading")
            asset = _asset(archive, entry, packs, path, known or {}, memory)
            if asset.id in assets:
                raise FormatError(path, f"asset {number}", f"the id {asset.id!r} is there twice")
            assets[asset.id] = asset
        if known:
            archive.check_packs()
    try:
        project, report.cleared = _mended(Project(assets, head["settings"]))
    except AnimError as error:
        raise FormatError(path, "references between assets", str(error)) from error
    longest = max(project.clips, key=lambda clip: clip.length, default=None)
    if longest is not None:
        report.rate, report.duration = longest.rate.fps, longest.length
        report.frames = round(longest.frames) + 1
    return Loaded(project, report, memory)


def _mended(project: Project) -> tuple[Project, list[str]]:
    found = mended(project)
    return found.project, list(found.notes)


def _upgraded_head(archive: Archive, path: Path) -> dict[str, Any]:
    try:
        head = PROJECT.upgraded(archive.document("project.json"))
    except FormatError:
        raise
    except BAD as error:
        raise FormatError(path, "project.json", _reason(error)) from error
    if not isinstance(head.get("assets"), list) or not isinstance(head.get("settings"), dict):
        raise FormatError(path, "project.json", "expected a list of assets, and settings")
    return head


def _asset(
    archive: Archive,
    entry: Any,
    packs: PackReader,
    path: Path,
    known: Mapping[bytes, Asset],
    memory: SaveMemory | None,
) -> Asset:
    where = "project.json"
    try:
        kind = kind_named(entry["kind"])
        where = str(entry["document"])
        text = archive.read(where)
        found = known.get(text) if known and not kind.placed else None
        if found is not None:
            return found
        written = parse_object(text, path, where)
        document = kind.schema.upgraded(written)
        asset: Asset = kind.from_document(Value(document, where, path), packs)
        opened = packs.opened(asset, text)
        if memory is not None and opened is not None and document is written and not kind.placed:
            memory.assets[asset.id] = opened
        return asset
    except FormatError:
        raise
    except BAD as error:
        raise FormatError(path, where, _reason(error)) from error


def _reason(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"{str(error)[:80]} is missing or unknown"
    return str(error) or type(error).__name__
