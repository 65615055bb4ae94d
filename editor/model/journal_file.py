"""The bytes of a journal: records that can be found again after one that is torn.

A record is a head (marker, lengths, checksums), its meta data as JSON (kind, label, time, view: all that a list of
journals shows), its body as JSON, and the bytes of its arrays. Whoever only wants to know what there is reads heads
and meta data and skips the rest. Where a record is damaged, the next marker whose checksums hold is where reading
goes on. Journals of version 1 (one JSON text a record, no marker) are still read, up to their first torn record.
"""

import json
import struct
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from core.errors import FormatError, ValidationError
from editor.model.codec import Buffer, unpack
from editor.model.file_state import stat_of

MAGIC = b"PWJOURNAL2\n"
MAGIC_1 = b"PWJOURNAL1\n"
MARKER = b"\xabPWR"
_HEAD = struct.Struct(
    "<4sQIII"
)  # marker, bytes of the payload, its checksum, bytes of meta data, of the body's JSON
_CHECK = struct.Struct("<I")  # checksum of the head
HEAD_SIZE = _HEAD.size + _CHECK.size
_HEAD_1 = struct.Struct("<QII")
BODY = ("change", "project")
"""Entries of a record that stand in its body."""
MAX_FILE = 8 * 2**30
MAX_META = 1 << 20
WINDOW = 1 << 20
ASSET_DEPTH = 7
"""Containers that stand round an asset in the record of a whole project."""
KINDS_AT_ONCE = 2000


class Record(NamedTuple):
    """One record: plain values and the arrays they refer to."""

    data: dict[str, Any]
    arrays: list[Any]


class Torn(NamedTuple):
    """Where and why something could not be read."""

    offset: int
    reason: str


class _Head(NamedTuple):
    offset: int
    length: int
    checksum: int
    meta: int
    text: int

    @property
    def end(self) -> int:
        return self.offset + HEAD_SIZE + self.length


def frame(packed: Any, blobs: Iterable[Buffer]) -> list[Buffer]:
    """One record's bytes in pieces, from what `codec.pack` gave, which is taken apart on the way.

    In pieces, because to write, to put together or to release a large document in one call holds up the window's
    thread: half a second for two hundred clips.
    """
    data, kinds = packed
    meta = _json({key: value for key, value in data.items() if key not in BODY}).encode(
        "utf-8", "surrogatepass"
    )
    body = {key: data[key] for key in BODY if key in data}
    text: list[Buffer] = [piece.encode("utf-8", "surrogatepass") for piece in _texts(body, kinds)]
    pieces = [meta, *text, *blobs]
    checksum = length = 0
    for piece in pieces:
        checksum = zlib.crc32(piece, checksum)
        length += len(piece)
    head = _HEAD.pack(MARKER, length, checksum, len(meta), sum(len(piece) for piece in text))
    return [head + _CHECK.pack(zlib.crc32(head)), *pieces]


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


# ---------------------------------------------------------------- reading


def records(path: Path) -> Iterator[Record | Torn]:
    """The records of a journal, in order; a `Torn` stands where one or more could not be read.

    Raises
    ------
    FormatError
        The file is no journal, or cannot be read.
    """
    try:
        with _opened_file(path) as file:
            first, size = _start(file, path)
            if first == MAGIC_1:
                yield from _records_1(file, size)
                return
            for found in _heads(file, size):
                if isinstance(found, Torn):
                    yield found
                    continue
                file.seek(found.offset + HEAD_SIZE)
                yield _parsed(found, file.read(found.length))
    except OSError as error:
        raise FormatError(path, "", f"cannot be read: {error.strerror or error}") from error


def summaries(path: Path) -> Iterator[dict[str, Any] | Torn]:
    """Meta data of the records, without reading what they hold; for lists of journals.

    Raises
    ------
    FormatError
        As `records`.
    """
    try:
        with _opened_file(path) as file:
            first, size = _start(file, path)
            if first == MAGIC_1:
                for record in _records_1(file, size):
                    yield record if isinstance(record, Torn) else record.data
                return
            for found in _heads(file, size, whole=False):
                yield found if isinstance(found, Torn) else _meta(file, found)
    except OSError as error:
        raise FormatError(path, "", f"cannot be read: {error.strerror or error}") from error


def _opened_file(path: Path) -> BinaryIO:
    if stat_of(path) is None:
        raise FormatError(path, "", "not a journal: no regular file")
    return path.open("rb")


def _start(file: BinaryIO, path: Path) -> tuple[bytes, int]:
    first = file.read(len(MAGIC))
    if MAGIC.startswith(first):  # its program ended while it began: it holds nothing
        first = MAGIC
    if first not in (MAGIC, MAGIC_1):
        raise FormatError(path, "", "not a journal")
    size = file.seek(0, 2)
    file.seek(len(MAGIC))
    if size > MAX_FILE:
        raise FormatError(path, "", f"a journal of {size} bytes is not believable")
    return first, size


def _heads(file: BinaryIO, size: int, whole: bool = True) -> Iterator[_Head | Torn]:
    """The heads of records that can be read; `whole` checks the payloads as well, else only that they are there."""
    offset = len(MAGIC)
    while offset < size:
        head = _head_at(file, offset, size)
        if head is not None and (not whole or _sound(file, head)):
            yield head
            offset = head.end
            continue
        nearest = _next_head(file, offset + 1, size)
        if nearest is not None:
            reason = "a record in between is damaged and was left out"
        elif head is not None:
            reason = "the last record's checksum does not match"
        else:
            reason = "the last record is incomplete"
        yield Torn(offset, reason)
        if nearest is None:
            return
        offset = nearest.offset


def _head_at(file: BinaryIO, offset: int, size: int) -> _Head | None:
    file.seek(offset)
    raw = file.read(HEAD_SIZE)
    if len(raw) < HEAD_SIZE or _CHECK.unpack_from(raw, _HEAD.size)[0] != zlib.crc32(raw[: _HEAD.size]):
        return None
    marker, length, checksum, meta, text = _HEAD.unpack_from(raw)
    head = _Head(offset, length, checksum, meta, text)
    return head if marker == MARKER and meta + text <= length and head.end <= size else None


def _sound(file: BinaryIO, head: _Head) -> bool:
    file.seek(head.offset + HEAD_SIZE)
    left, checksum = head.length, 0
    while left:
        block = file.read(min(left, WINDOW))
        if not block:
            return False
        checksum = zlib.crc32(block, checksum)
        left -= len(block)
    return checksum == head.checksum


def _next_head(file: BinaryIO, offset: int, size: int) -> _Head | None:
    """The first record from an offset on whose head holds; looks for the marker a window at a time."""
    while offset < size:
        file.seek(offset)
        window = file.read(WINDOW + len(MARKER))
        place = window.find(MARKER)
        while place >= 0:
            head = _head_at(file, offset + place, size)
            if head is not None and _sound(file, head):
                return head
            place = window.find(MARKER, place + 1)
        offset += WINDOW
    return None


def _meta(file: BinaryIO, head: _Head) -> dict[str, Any] | Torn:
    if head.meta > MAX_META:
        return Torn(head.offset, "a record is of no known kind")
    file.seek(head.offset + HEAD_SIZE)
    try:
        meta = json.loads(file.read(head.meta).decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        return Torn(head.offset, f"a record cannot be read: {error}")
    return meta if isinstance(meta, dict) else Torn(head.offset, "a record is of no known kind")


def _parsed(head: _Head, payload: bytes) -> Record | Torn:
    try:
        meta = json.loads(payload[: head.meta].decode("utf-8", "surrogatepass"))
        packed = json.loads(payload[head.meta : head.meta + head.text].decode("utf-8", "surrogatepass"))
        data, arrays = unpack(packed, payload[head.meta + head.text :])
    except (ValueError, RecursionError, ValidationError) as error:
        return Torn(head.offset, f"a record cannot be read: {error}")
    if not isinstance(data, dict) or not isinstance(meta, dict):
        return Torn(head.offset, "a record is of no known kind")
    return Record({**meta, **data}, arrays)


# ---------------------------------------------------------------- version 1


def _records_1(file: BinaryIO, size: int) -> Iterator[Record | Torn]:
    offset = len(MAGIC_1)
    while offset < size:
        raw = file.read(_HEAD_1.size)
        if len(raw) < _HEAD_1.size:
            yield Torn(offset, "the last record is incomplete")
            return
        length, checksum, text = _HEAD_1.unpack(raw)
        if length > size - offset - _HEAD_1.size or text > length:
            yield Torn(offset, "the last record is incomplete")
            return
        payload = file.read(length)
        if len(payload) != length or zlib.crc32(payload) != checksum:
            yield Torn(offset, "a record's checksum does not match")
            return
        try:
            data, arrays = unpack(json.loads(payload[:text].decode("utf-8", "surrogatepass")), payload[text:])
        except (ValueError, RecursionError, ValidationError) as error:
            yield Torn(offset, f"a record cannot be read: {error}")
            return
        if not isinstance(data, dict):
            yield Torn(offset, "a record is of no known kind")
            return
        yield Record(data, arrays)
        offset += _HEAD_1.size + length
