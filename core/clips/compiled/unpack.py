"""Reading the file of a compiled clip (see `core.clips.compiled.container` for its form)."""

import json
import struct
import zlib
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.clips.compiled.clip import CompiledClip
from core.clips.compiled.container import (
    BITMAP,
    BONE,
    EVERY,
    HEADER,
    LIST,
    MAGIC,
    SECTIONS,
    TRACK,
    VERSION,
    WIDTH_BITS,
    even_axis,
)
from core.clips.compiled.ranges import LOW_BITS, SMALL_BITS, low_values, parted, small_values
from core.clips.compiled.tracks import ANY, Kind, Mode, PackedTrack, tick_bits
from core.errors import FormatError, ValidationError
from core.math.transform import Transform
from core.rig.skeleton import Skeleton

MOST_TICKS = 10_000_000
MOST_BITS = 24


def from_bytes(data: bytes | memoryview, path: str | Path = "compiled clip") -> CompiledClip:
    """Read a file's bytes, or a memory map of it.

    Raises
    ------
    FormatError
        Naming the offset of the first thing that is wrong: cut short, changed (every section has a
        checksum), of another version, or saying what cannot be.
    """
    return _File(data, path).clip()


class _File:
    """One file while it is read."""

    def __init__(self, data: bytes | memoryview, path: str | Path) -> None:
        self._path, self._data = path, memoryview(data)
        self._check_header()
        numbers = struct.unpack_from("<IIIdd", self._data, 20)
        self.bones, self.ticks, self.tracks, self.first, self.step = numbers
        self._spans: dict[str, tuple[int, int]] = {}
        expected = HEADER
        for number, name in enumerate(SECTIONS):
            at = 80 + 16 * number
            offset, length, check, zero = struct.unpack_from("<IIII", self._data, at)
            if offset != expected or length % 8 or zero or offset + length > len(self._data):
                self._fail(
                    at,
                    f"section {name} is said to stand at {offset} with {length} bytes, expected {expected}",
                )
            if zlib.crc32(self._data[offset : offset + length]) != check:
                self._fail(
                    offset, f"section {name} ({length} bytes) does not match its checksum: it was changed"
                )
            self._spans[name] = (offset, length)
            expected = offset + length
        if expected != len(self._data):
            self._fail(expected, f"expected the end, {len(self._data) - expected} bytes more came")

    def _fail(self, offset: int, reason: str, hint: str = "compile the clip again") -> NoReturn:
        raise FormatError(self._path, f"byte {offset}", reason, hint)

    def _check_header(self) -> None:
        size = len(self._data)
        if size < HEADER:
            self._fail(size, f"the file ends within its header of {HEADER} bytes")
        if bytes(self._data[:8]) != MAGIC:
            self._fail(0, f"expected {MAGIC!r}, got {bytes(self._data[:8])!r}", "this is no compiled clip")
        version, sections, whole, check = struct.unpack_from("<HHII", self._data, 8)
        if version != VERSION or sections != len(SECTIONS):
            self._fail(
                8,
                f"expected version {VERSION} with {len(SECTIONS)} sections, got {version} with {sections}",
                "open it with the Posewright that wrote it, or compile the clip again",
            )
        if whole != size:
            self._fail(min(whole, size), f"the file says it has {whole} bytes, {size} are there")
        if zlib.crc32(self._data[20:HEADER]) != check:
            self._fail(16, "the header does not match its checksum: it was changed")

    # ------------------------------------------------------------------ sections

    def clip(self) -> CompiledClip:
        """All of it."""
        about = self._about()
        axis = self._axis()
        skeleton = self._skeleton(about)
        extras = len(about.get("curves", ())) + len(about.get("morphs", ()))
        return CompiledClip(skeleton, axis, self._all_tracks(axis, extras), about)

    def _about(self) -> dict[str, Any]:
        offset, length = self._spans["ABOUT"]
        try:
            about = json.loads(bytes(self._data[offset : offset + length]).decode())
        except (ValueError, RecursionError) as error:
            self._fail(offset, f"section ABOUT is no JSON: {error}")
        if not isinstance(about, dict) or not isinstance(about.get("bones"), list):
            self._fail(offset, "section ABOUT: expected an object with the names of the bones")
        if len(about["bones"]) != self.bones:
            self._fail(
                offset, f"section ABOUT names {len(about['bones'])} bones, the header says {self.bones}"
            )
        length_of = about.get("length")
        if not isinstance(length_of, int | float) or not 0.0 <= length_of < 1e7:
            self._fail(offset, f"section ABOUT: expected a length in seconds, got {length_of!r}")
        for name in ("curves", "morphs"):
            listed = about.get(name, [])
            if not isinstance(listed, list) or not all(isinstance(n, str) for n in listed):
                self._fail(offset, f"section ABOUT: expected names of {name}")
        return about

    def _axis(self) -> FloatArray:
        offset, length = self._spans["AXIS"]
        if not 2 <= self.ticks <= MOST_TICKS:
            self._fail(24, f"expected 2 to {MOST_TICKS} ticks, got {self.ticks}")
        if length == 0:
            if not (0.0 < self.step < 1e6 and abs(self.first) < 1e9):
                self._fail(
                    32,
                    f"expected evenly spaced ticks, got one every {self.step} s from {self.first} s",
                )
            axis = even_axis(self.first, self.step, self.ticks)
        else:
            if length != 8 * self.ticks:
                self._fail(offset, f"section AXIS: expected {self.ticks} times, got {length} bytes")
            axis = np.frombuffer(self._data, "<f8", self.ticks, offset).astype(np.float64)
        if not np.isfinite(axis).all() or not (np.diff(axis) > 0.0).all():
            self._fail(offset, "section AXIS: expected finite times that rise")
        return axis

    def _skeleton(self, about: dict[str, Any]) -> Skeleton:
        offset, length = self._spans["BONES"]
        if length != (BONE.itemsize * self.bones + 7) // 8 * 8:
            self._fail(offset, f"section BONES: expected {self.bones} bones, got {length} bytes")
        rows = np.frombuffer(self._data, BONE, self.bones, offset)
        rest = rows["rest"].astype(np.float64)
        try:
            return Skeleton(
                tuple(str(name) for name in about["bones"]),
                rows["parent"],
                Transform(rest[:, :3], rest[:, 3:7], rest[:, 7:]),
                rows["order"].clip(0, 255).astype(np.uint8),
            )
        except ValidationError as error:
            self._fail(offset, f"section BONES: {error}")

    # ------------------------------------------------------------------ tracks

    def _all_tracks(self, axis: FloatArray, extras: int) -> tuple[PackedTrack, ...]:
        offset, length = self._spans["TRACKS"]
        if length != (TRACK.itemsize * self.tracks + 7) // 8 * 8:
            self._fail(offset, f"section TRACKS: expected {self.tracks} tracks, got {length} bytes")
        rows = np.frombuffer(self._data, TRACK, self.tracks, offset)
        start, size = self._spans["DATA"]
        reader = _Words(self, np.frombuffer(self._data, "<u4", size // 4, start), start)
        made = []
        seen: set[tuple[int, int]] = set()
        for number, row in enumerate(rows):
            track = self._track(row, offset + number * TRACK.itemsize, reader, extras)
            place = (int(track.kind), track.index)
            if place in seen:
                self._fail(offset + number * TRACK.itemsize, "a second track drives the same")
            seen.add(place)
            made.append(track)
        return tuple(made)

    def _track(self, row: Any, at: int, reader: "_Words", extras: int) -> PackedTrack:
        kind, mode = int(row["kind"]) & 15, int(row["kind"]) >> 4
        dropped, told = int(row["told"]) & 7, int(row["told"]) >> 3
        index, keys, widths = int(row["index"]), int(row["keys"]), int(row["widths"])
        if kind > 3 or mode > 2 or told > 2 or widths >> (6 * WIDTH_BITS):
            self._fail(at, f"a track of an unknown kind: {kind}, {mode}, {told}")
        if index >= (extras if kind == Kind.EXTRA else self.bones):
            self._fail(at, f"a track drives number {index}, which there is not")
        if dropped > (0 if kind != Kind.ROTATION else ANY if mode == Mode.LINEAR else 3):
            self._fail(at, f"a track leaves out component {dropped}")
        width = 1 if kind == Kind.EXTRA else 3
        every = tuple(widths >> (WIDTH_BITS * place) & (2**WIDTH_BITS - 1) for place in range(6))
        bits, slopes = every[:width], every[3 : 3 + width]
        if max(every) > MOST_BITS:
            self._fail(at, f"expected at most {MOST_BITS} bits, got {bits} and {slopes}")
        reader.row = at
        if mode == Mode.CONSTANT:
            if keys:
                self._fail(at, f"a constant track with {keys} keys")
            return PackedTrack(Kind(kind), index, Mode.CONSTANT, reader.floats(width), dropped, bits, slopes)
        if not 2 <= keys <= self.ticks or (told == EVERY and keys != self.ticks):
            self._fail(at, f"expected 2 to {self.ticks} keys, got {keys}")
        low = reader.lows() if kind == Kind.ROTATION else reader.floats(width)
        reach = reader.floats if kind == Kind.EXTRA else reader.smalls
        extent = reach(width)
        slope = reach(width) if mode == Mode.CUBIC else np.zeros(width, np.float32)
        fields = [*([2] if dropped == ANY else []), *bits, *(slopes if mode == Mode.CUBIC else ())]
        taken = {EVERY: 0, BITMAP: self.ticks, LIST: keys * tick_bits(self.ticks)}[told]
        stream = reader.bits(taken + keys * sum(fields))
        ticks = self._places(stream[:taken], told, keys, at)
        columns = _columns(stream[taken:], keys, fields)
        drops = columns.pop(0).astype(np.uint8) if dropped == ANY else np.zeros(0, np.uint8)
        codes = np.stack(columns, axis=1)
        return PackedTrack(
            Kind(kind), index, Mode(mode), low, dropped, bits, slopes, ticks, codes, drops, extent, slope
        )

    def _places(self, drawn: npt.NDArray[np.uint8], told: int, keys: int, at: int) -> npt.NDArray[np.int32]:
        if told == EVERY:
            return np.arange(keys, dtype=np.int32)
        if told == BITMAP:
            ticks = np.flatnonzero(drawn)
        else:
            ticks = _columns(drawn, keys, [tick_bits(self.ticks)])[0].astype(np.int64)
        if len(ticks) != keys or ticks[0] != 0 or ticks[-1] != self.ticks - 1 or (np.diff(ticks) <= 0).any():
            self._fail(at, f"expected {keys} keys from the first tick to the last, in order")
        return ticks.astype(np.int32)


class _Words:
    """Reads words one after the other, never beyond the last.

    Attributes
    ----------
    row : offset of the row of the track that is being read
    """

    def __init__(self, file: _File, words: npt.NDArray[np.uint32], data: int) -> None:
        self._file, self._words, self._next, self._data = file, words, 0, data
        self.row = data

    def take(self, count: int) -> npt.NDArray[np.uint32]:
        """The next words."""
        if self._next + count > len(self._words) - 2:
            self._file._fail(
                self.row, f"the data of this track runs beyond byte {self._data + 4 * len(self._words)}"
            )
        taken = self._words[self._next : self._next + count]
        self._next += count
        return taken

    def floats(self, count: int) -> npt.NDArray[np.float32]:
        """The next float32s, finite."""
        first = self._next
        values = self.take(count).view("<f4").astype(np.float32)
        if not np.isfinite(values).all() or np.abs(values).max(initial=0.0) > 1e12:
            self._file._fail(self._data + 4 * first, f"expected finite numbers, got {values.tolist()}")
        return values

    def lows(self) -> npt.NDArray[np.float32]:
        """Least values of a rotation's components."""
        first, second = (int(word) for word in self.take(2))
        return low_values(parted(first | second << 32, LOW_BITS))

    def smalls(self, _width: int) -> npt.NDArray[np.float32]:
        """Three short floats."""
        return small_values(parted(int(self.take(1)[0]), SMALL_BITS))

    def bits(self, count: int) -> npt.NDArray[np.uint8]:
        """A number of bits, and the padding to whole words."""
        return np.unpackbits(self.take((count + 31) // 32).view(np.uint8), bitorder="little")[:count]


def _columns(stream: npt.NDArray[np.uint8], rows: int, widths: list[int]) -> list[npt.NDArray[np.uint32]]:
    """A column of whole numbers for each width."""
    flat = stream.reshape(rows, sum(widths))
    columns, start = [], 0
    for width in widths:
        place = np.uint32(1) << np.arange(width, dtype=np.uint32)
        columns.append((flat[:, start : start + width] * place).sum(axis=1).astype(np.uint32))
        start += width
    return columns
