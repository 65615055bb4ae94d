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


class Record(NamedTuple):
    """One record: plain values and the arrays they refer to."""

    data: dict[str, Any]
    arrays: list[Any]


class Torn(NamedTuple):
    """Where and why reading stopped before the end of the file."""

    offset: int
    reason: str


def frame(packed: Any, blobs: Iterable[Buffer]) -> list[Buffer]:
    """One record's bytes in pieces, from what `codec.pack` gave.

    In pieces, because putting hundreds of megabytes together would hold up the window's thread.
    """
    text = json.dumps(packed, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")
    pieces: list[Buffer] = [text, *blobs]
    checksum = length = 0
    for piece in pieces:
        checksum = zlib.crc32(piece, checksum)
        length += len(piece)
    return [_HEAD.pack(length, checksum, len(text)), *pieces]


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
