"""A terrain as JSON: ``posewright.terrain``, version 1, a list of pieces by their members."""

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import FormatError, ValidationError
from core.json_text import parse_object
from core.json_values import Value
from core.terrain.pieces import Box, Bumps, HeightField, Piece, Plane, Slope, Stairs
from core.terrain.terrain import Terrain

FORMAT, VERSION = "posewright.terrain", 1
MOST_PIECES = 10_000

KINDS: Mapping[str, type[Piece]] = {
    "plane": Plane, "slope": Slope, "stairs": Stairs, "box": Box, "bumps": Bumps, "height_field": HeightField,
}  # fmt: skip
_NAMES = {kind: name for name, kind in KINDS.items()}
_WHOLE = {"count", "seed", "waves"}


def read_terrain(path: str | Path) -> Terrain:
    """Read a terrain.

    Raises
    ------
    FormatError
        Naming the file and the field.
    """
    file = Path(path)
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise FormatError(file, "", error.strerror or "it cannot be read") from None
    return terrain_from(Value(parse_object(raw, file, ""), "", file))


def write_terrain(terrain: Terrain, path: str | Path) -> None:
    """Write a terrain."""
    text = json.dumps(terrain_values(terrain), indent=1, allow_nan=False)
    Path(path).write_text(text + "\n", encoding="utf-8")


def terrain_values(terrain: Terrain) -> dict[str, Any]:
    """A terrain as plain values for JSON; members at their defaults are left out."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "name": terrain.name,
        "pieces": [_values(piece) for piece in terrain.pieces],
    }


def _values(piece: Piece) -> dict[str, Any]:
    made: dict[str, Any] = {"kind": _NAMES[type(piece)]}
    for member in fields(piece):
        value = getattr(piece, member.name)
        if isinstance(value, np.ndarray):
            made[member.name] = value.tolist()
        elif member.default is MISSING or value != member.default:
            made[member.name] = list(value) if isinstance(value, tuple) else value
    return made


def terrain_from(value: Value) -> Terrain:
    """A terrain of a JSON object.

    Raises
    ------
    FormatError
        Naming the file and the field.
    """
    if value.text("format", "") != FORMAT:
        raise value.error(f"expected {FORMAT!r}, got {value.text('format', '')[:40]!r}", "format")
    if value.integer("version") != VERSION:
        raise value.error(f"expected version {VERSION}, got {value.integer('version')}", "version")
    entries = value.objects("pieces")
    if not 0 < len(entries) <= MOST_PIECES:
        raise value.error(f"expected 1 to {MOST_PIECES} pieces, got {len(entries)}", "pieces")
    pieces = tuple(_piece(entry) for entry in entries)
    try:
        return Terrain(pieces, value.text("name", "terrain"))
    except ValidationError as error:
        raise value.error(str(error)) from None


def _piece(entry: Value) -> Piece:
    kind = entry.choice("kind", KINDS)
    known = {member.name: member for member in fields(kind)}
    for name in entry.names():
        if name != "kind" and name not in known:
            raise entry.error(f"expected members of {', '.join(known)}", name[:60])
    members: dict[str, Any] = {}
    for name, member in known.items():
        if not entry.has(name):
            if member.default is MISSING:
                raise entry.error("it is missing", name)
        elif name == "name":
            members[name] = entry.text(name)
        elif name in _WHOLE:
            members[name] = entry.integer(name)
        elif name == "heights":
            members[name] = _heights(entry)
        elif isinstance(member.default, tuple):
            members[name] = tuple(entry.floats(name, len(member.default)).tolist())
        else:
            members[name] = entry.number(name, 0.0)
    try:
        return kind(**members)
    except ValidationError as error:
        raise entry.error(str(error)) from None


def _heights(entry: Value) -> Any:
    rows = entry.items("heights")
    widths = {len(row) if isinstance(row, list) else -1 for row in rows}
    if len(widths) != 1 or min(widths) < 2:
        raise entry.error("expected rows of numbers, all of one length of 2 or more", "heights")
    whole = Value({f"heights[{k}]": row for k, row in enumerate(rows)}, entry.place, entry.file)
    return np.array([whole.floats(f"heights[{k}]", None) for k in range(len(rows))])
