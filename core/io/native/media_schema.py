"""Audio and reference tracks in native files. Their paths are relative to the document where that can be."""

import os
from pathlib import Path, PurePosixPath, PureWindowsPath

from core.errors import ValidationError
from core.ids import AssetId
from core.io.native.packs import PackReader, PackWriter
from core.io.native.schema import AssetKind, Document, Schema
from core.json_values import Value
from core.media.tracks import AudioTrack, Placement, ReferenceTrack


def stored(path: str, folder: Path | None) -> Document:
    """A path as it is stored: relative to the document's folder, or absolute on another drive or without a folder."""
    if folder is not None and Path(path).is_absolute():
        try:
            return {"relative": True, "path": Path(os.path.relpath(path, folder)).as_posix()}
        except ValueError:  # another drive
            pass
    return {"relative": False, "path": path}


def found(value: Value, folder: Path | None) -> str:
    """The path of a file from what `stored` gave.

    A relative one stays as it is where there is no folder.
    """
    path = value.text("path")
    if not value.flag("relative") or folder is None:
        return path
    if PureWindowsPath(path).is_absolute() or PurePosixPath(path).is_absolute():
        raise value.error(f"expected a relative path, got {path[:80]!r}")
    return os.path.normpath(folder / path)


def _clip(value: Value) -> AssetId | None:
    return AssetId(value.text("clip")) if value.has("clip") else None


def _put_audio(track: AudioTrack, packs: PackWriter) -> Document:
    return {
        "id": track.id,
        "name": track.name,
        "file": stored(track.path, packs.folder),
        "clip": track.clip,
        "start": track.start,
        "volume": track.volume,
        "muted": track.muted,
    }


def _audio(value: Value, packs: PackReader) -> AudioTrack:
    try:
        return AudioTrack(
            AssetId(value.text("id")),
            value.text("name"),
            found(value.object("file"), packs.folder),
            _clip(value),
            value.number("start", 0.0),
            value.number("volume", 1.0),
            value.flag("muted"),
        )
    except ValidationError as error:
        raise value.error(str(error)) from None


def _put_reference(track: ReferenceTrack, packs: PackWriter) -> Document:
    return {
        "id": track.id,
        "name": track.name,
        "file": stored(track.path, packs.folder),
        "clip": track.clip,
        "start": track.start,
        "rate": track.rate,
        "shown": track.shown,
        "opacity": track.opacity,
        "placement": str(track.placement),
        "x": track.x,
        "y": track.y,
        "size": track.size,
    }


def _reference(value: Value, packs: PackReader) -> ReferenceTrack:
    try:
        return ReferenceTrack(
            AssetId(value.text("id")),
            value.text("name"),
            found(value.object("file"), packs.folder),
            _clip(value),
            value.number("start", 0.0),
            value.number("rate", 0.0),
            value.flag("shown"),
            value.number("opacity", 0.6),
            value.choice("placement", {str(kind): kind for kind in Placement}),
            value.number("x", 0.5),
            value.number("y", 0.5),
            value.number("size", 1.0),
        )
    except ValidationError as error:
        raise value.error(str(error)) from None


AUDIO = AssetKind("audio", AudioTrack, Schema("posewright.audio", 1), _put_audio, _audio, placed=True)
REFERENCE = AssetKind(
    "reference", ReferenceTrack, Schema("posewright.reference", 1), _put_reference, _reference, placed=True
)
