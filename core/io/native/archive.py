"""The zip around a native file, read with suspicion."""

import io
import re
from pathlib import Path
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import numpy as np
import numpy.typing as npt

from core.errors import FormatError
from core.json_text import parse_object

MOST_ENTRIES = 200_000
MOST_INFLATED = 256 << 20
"""Bytes that compressed entries may grow to in all; our own files are not compressed."""
LONGEST_HEADER = 4096
# Only what our own writer makes: no Python is evaluated, no pickle can hide.
NPY_HEADER = re.compile(
    rb"\{'descr': '([<|][fiu][1248])', 'fortran_order': False, 'shape': \((\d{1,15}),\), \} *\n"
)


class Archive:
    """Entries of a native file. Use as a context manager."""

    def __init__(self, file: IO[bytes], path: Path) -> None:
        self.path = path
        try:
            self._zip = ZipFile(file)
            self._entries = self._checked()
            self._numbers: dict[str, int] = {}
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

    def pack(self, name: str, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
        """The array of ``arrays/<name>.npy``, of this type and one-dimensional, read-only."""
        entry = f"arrays/{name}.npy"
        data = self.read(entry)
        start = 10 + int.from_bytes(data[8:10], "little")
        header = NPY_HEADER.fullmatch(data[10:start]) if start < LONGEST_HEADER else None
        if data[:8] != b"\x93NUMPY\x01\x00" or header is None:
            raise FormatError(self.path, entry, "it is no one-dimensional npy array of plain numbers")
        if header[1].decode() != dtype.str:
            raise FormatError(self.path, entry, f"expected numbers {dtype.str}, got {header[1].decode()}")
        count = int(header[2])
        if start + count * dtype.itemsize != len(data):
            raise FormatError(self.path, entry, f"{count} values do not fill {len(data) - start} bytes")
        return np.frombuffer(data, dtype, count, start)

    def pack_number(self, name: str) -> int:
        """Where a pack comes among the entries."""
        if not self._numbers:
            self._numbers = {entry: number for number, entry in enumerate(self._entries)}
        return self._numbers[f"arrays/{name}.npy"]

    def check_packs(self) -> None:
        """Read every array pack, which compares it with its checksum.

        Raises
        ------
        FormatError
            One is damaged.
        """
        for name in self._entries:
            if name.startswith("arrays/"):
                self.read(name)

    def blob(self, name: str) -> bytes:
        """The bytes of ``blobs/<name>``."""
        return self.read(f"blobs/{name}")
