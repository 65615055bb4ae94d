"""The binary FBX 7.4 container: records of a name, properties and records inside.

Layout after "FBX binary file format specification" (Alexander Gessler, code.blender.org, 2013).
"""

import struct
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

HEAD = b"Kaydara FBX Binary  \x00\x1a\x00" + struct.pack("<I", 7400)
EMPTY = bytes(13)
FILE_ID = bytes.fromhex("28b32aebb624ccc2bfc8b02aa92bfcf1")
"""Belongs to the creation time that is written; both are fixed, so that equal projects give equal bytes."""
CREATION_TIME = "1970-01-01 10:00:00:000"
FOOT_ID = bytes.fromhex("fabcab09d0c8d466b176fb831cf7267e")
FOOT = bytes.fromhex("f85a8c6adef5d97eece90ce3758f290b")
ARRAYS = {"float64": b"d", "float32": b"f", "int32": b"i", "int64": b"l"}
WORTH_PACKING = 128


class Int32(int):
    """A whole number that is written with 32 bits; a plain one gets 64."""


class Record:
    """One record; `add` appends records inside."""

    __slots__ = ("inside", "name", "values")

    def __init__(self, name: str, *values: Any, inside: Sequence["Record"] = ()) -> None:
        self.name, self.values, self.inside = name, values, list(inside)

    def add(self, *records: "Record") -> "Record":
        """Append records; return this one."""
        self.inside += records
        return self


def properties(*rows: tuple[Any, ...]) -> Record:
    """A ``Properties70`` record of rows: name, type, label, flags, values …"""
    return Record("Properties70", inside=[Record("P", *row) for row in rows])


def encoded(records: Sequence[Record]) -> bytes:
    """A whole file."""
    out = bytearray(HEAD)
    for record in records:
        _append(out, record)
    out += EMPTY + FOOT_ID + bytes(4)
    out += bytes(16 - len(out) % 16) + struct.pack("<I", 7400) + bytes(120) + FOOT
    return bytes(out)


def _append(out: bytearray, record: Record) -> None:
    start, name = len(out), record.name.encode("ascii")
    values = b"".join(_value(value) for value in record.values)
    out += bytes(12) + bytes([len(name)]) + name + values
    if record.inside or not record.values:
        for inner in record.inside:
            _append(out, inner)
        out += EMPTY
    struct.pack_into("<III", out, start, len(out), len(record.values), len(values))


def _value(value: Any) -> bytes:
    if isinstance(value, bool):
        return b"C" + struct.pack("<B", value)
    if isinstance(value, Int32):
        return b"I" + struct.pack("<i", value)
    if isinstance(value, int):
        return b"L" + struct.pack("<q", value)
    if isinstance(value, float):
        return b"D" + struct.pack("<d", value)
    if isinstance(value, str):
        text = value.encode("utf-8", "replace")
        return b"S" + struct.pack("<I", len(text)) + text
    if isinstance(value, bytes):
        return b"R" + struct.pack("<I", len(value)) + value
    return _array(np.ascontiguousarray(value))


def _array(array: Any) -> bytes:
    data: bytes = array.tobytes()
    head = ARRAYS[str(array.dtype.name)]
    if len(data) <= WORTH_PACKING:
        return head + struct.pack("<III", array.size, 0, len(data)) + data
    packed: bytes = zlib.compress(data, 1)
    return head + struct.pack("<III", array.size, 1, len(packed)) + packed
