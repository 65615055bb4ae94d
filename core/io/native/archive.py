"""The zip around a native file, read with suspicion."""

import io
import math
from pathlib import Path
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import numpy as np

from core.errors import FormatError
from core.io.jsontext import parse_object

MOST_ENTRIES = 200_000
MOST_INFLATED = 256 << 20
"""Bytes that compressed entries may grow to in all; our own files are not compressed."""
LONGEST_HEADER = 4096


class Archive:
    """Entries of a native file. Use as a context manager."""

    def __init__(self, file: IO[bytes], path: Path) -> None:
        self.path = path
        try:
            self._zip = ZipFile(file)
            self._entries = self._checked()
        except (BadZipFile, NotImplementedError, UnicodeError, ValueError, OSError, EOFError) as error:
            raise FormatError(path, "", f"the zip is damaged: {error}", "the file may be truncated") from None

    def __enter__(self) -> "Archive":
        return self

    def __exit__(self, *problem: object) -> None:
        self._zip.close()

    def _checked(self) -> dict[str, ZipInfo]:
        infos = self._zip.infolist()
        file = self._zip.fp
        assert file is not None
        size = file.seek(0, io.SEEK_END)
        if len(infos) > MOST_ENTRIES:
            raise FormatError(self.path, "", f"{len(infos)} entries are too many")
        entries: dict[str, ZipInfo] = {}
        stored = inflated = 0
        for info in infos:
            name = info.filename
            where = f"entry {name[:60]!r}"
            if name.startswith(("/", "\\")) or ".." in name.split("/") or "\\" in name or ":" in name:
                raise FormatError(self.path, where, "its name leads out of the file")
            if name in entries:
                raise FormatError(self.path, where, "it is there twice")
            if info.flag_bits & 1:
                raise FormatError(self.path, where, "it is encrypted")
            if info.compress_type == ZIP_STORED:
                stored += info.file_size
                if info.file_size != info.compress_size:
                    raise FormatError(self.path, where, "its sizes contradict each other")
            elif info.compress_type == ZIP_DEFLATED:
                inflated += info.file_size
            else:
                raise FormatError(self.path, where, "it is compressed in a way that is not read here")
            entries[name] = info
        if stored > size:
            raise FormatError(self.path, "", f"its entries claim {stored} bytes, the file has {size}")
        if inflated > MOST_INFLATED:
            raise FormatError(self.path, "", f"it would grow to {inflated} bytes when unpacked")
        return entries

    def read(self, name: str) -> bytes:
        """The bytes of an entry."""
        info = self._entries.get(name)
        if info is None:
            raise FormatError(self.path, f"entry {name[:60]!r}", "it is missing")
        try:
            data = self._zip.read(info)
        except (BadZipFile, OSError, EOFError, ValueError, NotImplementedError) as error:
            raise FormatError(self.path, f"entry {name!r}", f"it is damaged: {error}") from None
        except Exception as error:
            if type(error).__module__ != "zlib":
                raise
            raise FormatError(self.path, f"entry {name!r}", f"it is damaged: {error}") from None
        if len(data) != info.file_size:
            raise FormatError(
                self.path, f"entry {name!r}", f"expected {info.file_size} bytes, got {len(data)}"
            )
        return data

    def document(self, name: str) -> dict[str, Any]:
        """The JSON object of an entry."""
        return parse_object(self.read(name), self.path, name)

    def pack(self, name: str, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
        """The array of ``arrays/<name>.npy``, of this type and one-dimensional, read-only."""
        entry = f"arrays/{name}.npy"
        data = self.read(entry)
        shape, start = self._header(entry, data, dtype)
        count = shape[0]
        if start + count * dtype.itemsize != len(data):
            raise FormatError(self.path, entry, f"{count} values do not fill {len(data) - start} bytes")
        return np.frombuffer(data, dtype, count, start)

    def _header(self, entry: str, data: bytes, dtype: np.dtype[Any]) -> tuple[tuple[int, ...], int]:
        stream = io.BytesIO(data[: LONGEST_HEADER + 128])
        try:
            version = np.lib.format.read_magic(stream)
            if version != (1, 0):
                raise ValueError(f"npy version {version[0]}.{version[1]} is not used here")
            shape, fortran, found = np.lib.format.read_array_header_1_0(stream, LONGEST_HEADER)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError, OverflowError) as error:
            reason = " ".join(str(error).split())[:200]
            raise FormatError(self.path, entry, f"its npy header is bad: {reason}") from None
        if found.hasobject or found != dtype or fortran:
            raise FormatError(self.path, entry, f"expected values of type {dtype.str}, got {found}"[:200])
        if len(shape) != 1 or math.prod(shape) < 0:
            raise FormatError(self.path, entry, f"expected one dimension, got {str(shape)[:60]}")
        return shape, stream.tell()

    def blob(self, name: str) -> bytes:
        """The bytes of ``blobs/<name>``."""
        return self.read(f"blobs/{name}")
