"""A second reader of binary FBX for tests: records as they lie in the file, by the format's description alone."""

import struct
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

PLAIN = {"Y": "<h", "C": "<b", "I": "<i", "F": "<f", "D": "<d", "L": "<q"}
ARRAYS = {"f": "<f4", "d": "<f8", "l": "<i8", "i": "<i4", "b": "<i1"}


@dataclass
class Row:
    """A record: its name, its values, and the records inside it."""

    name: str
    values: list[Any]
    inside: "list[Row]"

    def all(self, name: str) -> "list[Row]":
        """Records of a name directly inside."""
        return [row for row in self.inside if row.name == name]

    def one(self, name: str) -> "Row":
        """The one record of a name directly inside."""
        (row,) = self.all(name)
        return row


def read(path: Path) -> Row:
    """All records of a file, below one without a name."""
    data = path.read_bytes()
    assert data[:21] == b"Kaydara FBX Binary  \x00"
    rows, at = [], 27
    while (row := _row(data, at)) is not None:
        rows.append(row[0])
        at = row[1]
    return Row("", [], rows)


def _row(data: bytes, at: int) -> tuple[Row, int] | None:
    end, count, length, name = struct.unpack_from("<IIIB", data, at)
    if not end:
        return None
    start = at + 13 + name
    row = Row(data[at + 13 : start].decode(), [], [])
    place = start
    for _ in range(count):
        value, place = _value(data, place)
        row.values.append(value)
    assert place == start + length
    while place < end and (found := _row(data, place)) is not None:
        row.inside.append(found[0])
        place = found[1]
    return row, end


def _value(data: bytes, at: int) -> tuple[Any, int]:
    kind = chr(data[at])
    if kind in PLAIN:
        return struct.unpack_from(PLAIN[kind], data, at + 1)[0], at + 1 + struct.calcsize(PLAIN[kind])
    if kind in "SR":
        size = struct.unpack_from("<I", data, at + 1)[0]
        return data[at + 5 : at + 5 + size], at + 5 + size
    count, packed, size = struct.unpack_from("<III", data, at + 1)
    raw = data[at + 13 : at + 13 + size]
    return np.frombuffer(zlib.decompress(raw) if packed else raw, ARRAYS[kind], count), at + 13 + size


def curves_of(scene: Row, node: bytes) -> list[tuple[np.ndarray, np.ndarray]]:
    """Seconds and values of the keys of every curve below curve nodes of a name, such as ``DeformPercent``."""
    objects = scene.one("Objects")
    nodes = {
        row.values[0] for row in objects.all("AnimationCurveNode") if row.values[1].split(b"\x00")[0] == node
    }
    owned = {c.values[1] for c in scene.one("Connections").all("C") if c.values[2] in nodes}
    return [
        (row.one("KeyTime").values[0] / 46186158000.0, row.one("KeyValueFloat").values[0])
        for row in objects.all("AnimationCurve")
        if row.values[0] in owned
    ]
