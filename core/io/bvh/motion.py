"""The MOTION part of a BVH file."""

import math
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np

from core.arrays import FloatArray
from core.errors import FormatError
from core.io.report import ImportReport

ENTRY = re.compile(rb"\s*(FRAMES|FRAME\s*TIME)\b[ \t]*[:=]?[ \t]*([^\s:=]*)[^\n]*", re.IGNORECASE)
TIME_HINT = "give the frame time when reading it"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Motion:
    """Frames as columns: ``values`` is ``(columns, frames)``; `frame_time` in seconds."""

    values: FloatArray
    frame_time: float


def parse_motion(
    data: bytes, start: int, columns: int, path: Path, report: ImportReport, given: float | None = None
) -> Motion:
    """Read the rows after byte `start`, where the word MOTION ends.

    Parameters
    ----------
    given : frame time to take in place of the file's

    Raises
    ------
    FormatError
        Naming the line.
    """

    def line_of(place: int) -> int:
        return data.count(b"\n", 0, place) + 1

    head, end = _head(data, start)
    where = f"line {line_of(head.get('frames', (b'', end))[1])}"
    if data[start:].isspace() and b"\n" in data[start:]:  # nothing more was ever meant to be there
        return Motion(np.zeros((columns, 0)), given or 1.0)
    if "frames" not in head or ("frametime" not in head and given is None):
        raise FormatError(path, where, "expected Frames: and Frame Time: after MOTION", TIME_HINT)
    declared = _number(head["frames"][0], int)
    frame_time = given or _number(head["frametime"][0], float)
    if declared is None or frame_time is None:
        words = b", ".join(word for word, _ in head.values())[:60].decode("latin-1")
        raise FormatError(path, where, f"expected the number of frames and a time, got {words}")
    if declared < 0:
        raise FormatError(path, where, f"expected 0 frames or more, got {declared}")
    if not (math.isfinite(frame_time) and 1e-5 <= frame_time <= 1000.0):
        reason = f"expected a frame time of 0.00001 to 1000 s, got {frame_time}"
        raise FormatError(path, where, reason, TIME_HINT)
    values = _numbers(data, end, path, line_of)
    if columns == 0:
        return Motion(np.zeros((0, 0)), frame_time)
    rows, rest = divmod(len(values), columns)
    if rest:
        line = _uneven_line(data, end, columns) + line_of(end) - 1
        raise FormatError(
            path,
            f"line {line}",
            f"expected {columns} numbers in each row, got {len(values)} = {rows} rows and {rest} more",
            "the file looks truncated" if rows < declared else "",
        )
    if rows != declared:
        report.warn(f"the file declares {declared} frames and holds {rows}; all that are there were read")
    table: FloatArray = np.ascontiguousarray(values.reshape(rows, columns).T)
    if not np.isfinite(table).all():
        column, row = (int(i) for i in np.argwhere(~np.isfinite(table))[0])
        raise FormatError(path, f"frame {row}", f"expected finite numbers, got {table[column, row]}")
    return Motion(table, frame_time)


def _head(data: bytes, start: int) -> tuple[dict[str, tuple[bytes, int]], int]:
    """The entries before the rows, in either order: word and offset of each; and where they end."""
    found: dict[str, tuple[bytes, int]] = {}
    while match := ENTRY.match(data, start):
        found.setdefault(b"".join(match[1].lower().split()).decode(), (match[2], match.start(1)))
        start = match.end()
    return found, start


def _number(word: bytes, kind: Callable[[bytes], T]) -> T | None:
    try:
        return kind(word)
    except ValueError:
        return None


def _numbers(data: bytes, start: int, path: Path, line_of: "object") -> FloatArray:
    """All numbers from a byte on; numpy's own parser is several times quicker than Python's."""
    text = data[start:]
    if not text.strip():
        return np.zeros(0)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return np.fromstring(text, dtype=np.float64, sep=" ")
    except (ValueError, DeprecationWarning):
        pass
    first = data.count(b"\n", 0, start)
    for number, row in enumerate(text.split(b"\n")):
        for word in row.split():
            try:
                float(word)
            except ValueError:
                given = word[:40].decode("latin-1")
                raise FormatError(
                    path, f"line {first + number + 1}", f"expected numbers, got {given!r}"
                ) from None
    # Python reads spellings that numpy does not, such as 1_000.
    return np.array(text.split(), dtype=np.float64)


def _uneven_line(data: bytes, start: int, columns: int) -> int:
    """Line, counted from `start`'s, of the first row that has another number of values."""
    for number, row in enumerate(data[start:].split(b"\n"), 1):
        words = row.split()
        if words and len(words) != columns:
            return number
    return 1
