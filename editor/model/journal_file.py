"""The bytes of a journal: records with length and checksum, read up to the first that is torn."""

import json
import struct
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from core.errors import FormatError, ValidationError
from editor.model.codec import Buffer, unpack

MAGIC = b"PWJOURNAL1\n"
_HEAD = struct.Struct("<QII")  # bytes of the payload, its checksum, bytes of its JSON
MAX_FILE = 8 * 2**30
ASSET_DEPTH = 7
"""Containers that stand round an asset in the record of a whole project."""
KINDS_AT_ONCE = 2000


class Record(NamedTuple):
    """One record: plain values and the arrays they refer to."""

    data: dict[str, Any]
    arrays: list[Any]


class Torn(NamedTuple):
    """Where and why reading stopped before the end of the file."""

    offset: int
    reason: str


def frame(packed: Any, blobs: Iterable[Buffer]) -> list[Buffer]:
    """One record's bytes in pieces, from what `codec.pack` gave, which is taken apart on the way.

    In pieces, because to write, to put together or to let go of a large document in one call holds up the window's
    thread: half a second for two hundred clips.
    """
    data, kinds = packed
    text: list[Buffer] = [piece.encode("utf-8", "surrogatepass") for piece in _texts(data, kinds)]
    pieces = [*text, *blobs]
    checksum = length = 0
    for piece in pieces:
        checksum = zlib.crc32(piece, checksum)
        length += len(piece)
    return [_HEAD.pack(length, checksum, sum(len(piece) for piece in text)), *pieces]


def _texts(data: Any, kinds: list[Any]) -> Iterator[str]:
    """JSON of ``[data, kinds]`` bit by bit: an asset, or some arrays' kinds, at a time."""
    yield "["
    yield from _opened(data, ASSET_DEPTH)
    yield ",["
    for start in range(0, len(kinds), KINDS_AT_ONCE):
        some = kinds[start : start + KINDS_AT_ONCE]
        yield ("," if start else "") + _json(some)[1:-1]
    yield "]]"


def _opened(value: Any, depth: int) -> Iterator[str]:
    """JSON of a value, in pieces for containers that are not too deep; these are emptied."""
    if depth == 0 or not value or not isinstance(value, dict | list):
        yield _json(value)
        return
    named = isinstance(value, dict)
    yield "{" if named else "["
    for number, item in enumerate(value.items() if isinstance(value, dict) else value):
        comma = "," if number else ""
        yield f"{comma}{_json(item[0])}:" if named else comma
        yield from _opened(item[1] if named else item, depth - 1)
    yield "}" if named else "]"
    while value:
        value.popitem() if isinstance(value, dict) else value.pop()


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def records(path: Path) -> Iterator[Record | Torn]:
    """The records of a journal, in order; a `Torn` is the last where the file ends badly.

    Raises
    ------
    FormatError
        The file is no journal, or cannot be read.
    """
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise FormatError(path, "", "not a journal")
            if size > MAX_FILE:
                raise FormatError(path, "", f"a journal of {size} bytes is not believable")
            offset = len(MAGIC)
            while offset < size:
                head = file.read(_HEAD.size)
                if len(head) < _HEAD.size:
                    yield Torn(offset, "the last record is incomplete")
                    return
                length, checksum, text_length = _HEAD.unpack(head)
                if length > size - offset - _HEAD.size or text_length > length:
                    yield Torn(offset, "the last record is incomplete")
                    return
                payload = file.read(length)
                if len(payload) != length or zlib.crc32(payload) != checksum:
                    yield Torn(offset, "a record's checksum does not match")
                    return
                yield _parsed(path, offset, payload, text_length)
                offset += _HEAD.size + length
    except OSError as error:
        raise FormatError(path, "", f"cannot be read: {error.strerror or error}") from error


def _parsed(path: Path, offset: int, payload: bytes, text_length: int) -> Record | Torn:
    try:
        packed = json.loads(payload[:text_length].decode("utf-8", "surrogatepass"))
        data, arrays = unpack(packed, payload[text_length:])
    except (ValueError, RecursionError, ValidationError) as error:
        return Torn(offset, f"a record cannot be read: {error}")
    if not isinstance(data, dict):
        return Torn(offset, "a record is of no known kind")
    return Record(data, arrays)
