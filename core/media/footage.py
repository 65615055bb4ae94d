"""Reference footage: when each picture of a video or a sequence begins, and reading them frame by frame, exact."""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.arrays import ByteArray, FloatArray
from core.errors import FormatError
from core.media import ffmpeg
from core.media.probe import PICTURES, probe, still_options
from core.progress import Progress

MOST_PICTURES = 400_000
"""Pictures of a video that are shown: almost four hours at 30 a second."""
AHEAD = 48
"""So many pictures are read and dropped rather than seeking anew."""
LEAST_EDGE = 16
MOST_DECODED = 2_400_000
"""Pixels that smaller footage is scaled up to, at most."""
_NUMBERED = re.compile(r"^(.*?)(\d+)$", re.DOTALL)


@dataclass(frozen=True, slots=True, eq=False)
class Footage:
    """A video, a sequence, or one picture.

    Parameters
    ----------
    times : (N,) seconds from the file's start at which each picture begins, rising
    end : seconds at which the last one ends; infinite for one picture, which is shown at every time
    size : pixels as shown
    files : of a sequence, the file of each picture
    cut : whether it has more pictures than are shown
    """

    path: Path
    times: FloatArray
    end: float
    size: tuple[int, int]
    files: tuple[Path, ...] = ()
    cut: bool = False

    @property
    def still(self) -> bool:
        """Whether it is one picture."""
        return len(self.files) == 1

    def index_at(self, seconds: float) -> int | None:
        """The picture shown at a time from the file's start, None before the first and after the last."""
        if self.still:
            return 0
        if not (self.times[0] - 1e-6 <= seconds < self.end - 1e-6):
            return None
        return max(0, int(np.searchsorted(self.times, seconds + 1e-6, side="right")) - 1)

    def scaled(self, rows: int) -> tuple[int, int]:
        """Pixels to decode it in where it is shown `rows` high: just those, within bounds.

        A picture that need not be scaled is shown at a fraction of the cost where the processor draws.
        """
        width, height = self.size
        most = max(width * height, MOST_DECODED)
        shown = max(LEAST_EDGE, rows)
        part = min(shown / height, (most / (width * height)) ** 0.5)
        return max(1, round(width * part)), max(1, round(height * part))


def open_footage(path: Path, rate: float, progress: Progress | None = None) -> Footage:
    """Find out when each picture of a file is shown.

    Parameters
    ----------
    path : a video, a picture, or one picture of a numbered sequence
    rate : pictures a second of a sequence

    Raises
    ------
    FormatError
        It is missing, empty, cut off, or has no pictures.
    UnsupportedError
        The extra ``media`` is missing.
    Cancelled
        From `progress`.
    """
    ffmpeg.checked(path)
    info = probe(path)
    if info.size is None:
        raise FormatError(path, "", "it has no pictures", "choose a video or a picture")
    if path.suffix.lower() in PICTURES:
        files, times = sequence(path)
        seconds = times / rate
        end = float("inf") if len(files) == 1 else float(seconds[-1]) + 1.0 / rate
        return Footage(path, seconds, end, info.size, files)
    rows = _timed(path, progress or Progress())
    if not len(rows):
        raise FormatError(path, "", "it has no pictures that can be decoded", "choose another file")
    times = rows[:, 0]
    step = float(np.median(np.diff(times))) if len(times) > 1 else 1.0 / (info.rate or 25.0)
    last = float(rows[-1, 1]) or step
    return Footage(path, times, float(times[-1]) + last, info.size, cut=len(times) >= MOST_PICTURES)


def sequence(path: Path) -> tuple[tuple[Path, ...], FloatArray]:
    """The pictures of a numbered sequence and their places (N,), counted from the first; a gap leaves places out."""
    found = _NUMBERED.match(path.stem)
    if found is None:
        return (path,), np.zeros(1)
    head, suffix = found.group(1), path.suffix
    numbers: dict[int, Path] = {}
    for other in path.parent.iterdir():
        if other.suffix != suffix or not other.stem.startswith(head):
            continue
        digits = other.stem[len(head) :]
        if digits.isdecimal() and digits.isascii() and len(digits) <= 12:
            numbers.setdefault(int(digits), other)
    places = sorted(numbers)[:MOST_PICTURES]
    if not places:
        return (path,), np.zeros(1)
    return tuple(numbers[n] for n in places), np.array(places, dtype=np.float64) - places[0]


def _timed(path: Path, progress: Progress) -> FloatArray:
    """Start and length (N, 2) in seconds of every picture of a video, by its packets: nothing is decoded."""
    process = ffmpeg.start([*ffmpeg.reading(path), "-map", "0:v:0", "-c", "copy", "-f", "framecrc", "pipe:1"])
    try:
        assert process.stdout is not None
        rows = np.array(list(_packets(process.stdout, progress)), dtype=np.float64).reshape(-1, 2)
    finally:
        ffmpeg.stop(process)
    rows = rows[rows[:, 0] > -1e-9]  # what comes before the start is decoded, but not shown
    rows = rows[np.argsort(rows[:, 0], kind="stable")]
    keep = np.ones(len(rows), dtype=bool)
    keep[1:] = np.diff(rows[:, 0]) > 1e-7
    shown: FloatArray = rows[keep]
    return shown


def _packets(lines: Iterator[bytes], progress: Progress) -> Iterator[tuple[float, float]]:
    unit, count = 1.0, 0
    for line in lines:
        if line.startswith(b"#tb"):
            above, _, below = line.split()[-1].partition(b"/")
            unit = int(above) / max(1, int(below))
            continue
        parts = line.split(b",")
        if line.startswith(b"#") or len(parts) < 5:
            continue
        try:
            yield int(parts[2]) * unit, int(parts[3]) * unit
        except ValueError:
            continue
        count += 1
        if count >= MOST_PICTURES:
            return
        if count % 512 == 0:
            progress.report(0.0)


class FootageReader:
    """Decodes pictures of footage one after another; going on is quick, a jump starts the decoder anew.

    Parameters
    ----------
    size : pixels to decode to
    """

    def __init__(self, footage: Footage, size: tuple[int, int]) -> None:
        self.footage, self.size = footage, size
        self._process: subprocess.Popen[bytes] | None = None
        self._next, self._until = 0, 0
        self._closed = False

    def read(self, index: int) -> ByteArray | None:
        """A picture (H, W, 4) uint8, opaque, the lowest row first; None where the file ends or is broken."""
        if self._closed:
            return None
        going = self._process is not None and 0 <= index - self._next <= AHEAD and index < self._until
        if not going:
            self._seek(index)
        while True:
            data = self._one()
            if data is None:
                self._end()
                return None
            self._next += 1
            if self._next > index:
                return data

    def close(self) -> None:
        """End the decoder, from whichever thread; nothing is read afterwards."""
        self._closed = True
        process = self._process
        if process is not None and process.poll() is None:
            process.kill()

    def finish(self) -> None:
        """End the decoder and wait for that; on the thread that reads."""
        self._closed = True
        self._end()

    def _end(self) -> None:
        process, self._process = self._process, None
        ffmpeg.stop(process)

    def _one(self) -> ByteArray | None:
        width, height = self.size
        process = self._process
        if process is None or process.stdout is None:
            return None
        wanted = width * height * 4
        data = process.stdout.read(wanted)
        if len(data) < wanted:
            return None
        return np.frombuffer(data, np.uint8).reshape(height, width, 4)

    def _seek(self, index: int) -> None:
        self._end()
        footage, (width, height) = self.footage, self.size
        if footage.files:
            words, self._until = self._pictures(index)
        else:
            # Half way from the picture before: exact, whatever the spacing is.
            before = footage.times[index - 1] if index else footage.times[0] - 0.02
            at = max(0.0, (float(before) + float(footage.times[index])) / 2.0)
            words = ffmpeg.reading(footage.path, "-max_pixels", str(ffmpeg.MOST_PIXELS), "-ss", f"{at:.6f}")
            self._until = len(footage.times)
        self._next = index
        flat = "format=rgb24," if footage.files else ""  # what a picture has of opacity is left out
        look = f"scale={width}:{height},{flat}format=rgba,vflip"
        self._process = ffmpeg.start(
            [
                *words,
                "-map",
                "0:v:0",
                "-an",
                "-sn",
                "-fps_mode",
                "passthrough",
                "-vf",
                look,
                "-f",
                "rawvideo",
                "pipe:1",
            ]
        )
        if self._closed:  # meanwhile
            self._end()

    def _pictures(self, index: int) -> tuple[list[str], int]:
        """A run of pictures with numbers that follow each other, from one on; and where it ends."""
        files = self.footage.files
        path = files[index]
        found = _NUMBERED.match(path.stem)
        limit = ("-max_pixels", str(ffmpeg.MOST_PIXELS))
        if found is None or len(files) == 1:
            return ffmpeg.reading(path, *still_options(path), *limit), index + 1
        head, digits = found.groups()
        until = index + 1
        while until < len(files) and until - index < 256:
            following = files[until].stem[len(head) :]
            if int(following) != int(digits) + until - index or len(following) != len(digits):
                break
            until += 1
        name = f"{head}".replace("%", "%%") + f"%0{len(digits)}d{path.suffix}"
        folder = str(path.parent).replace("%", "%%")
        pattern = Path(folder) / name
        options = ("-f", "image2", "-pattern_type", "sequence", "-start_number", str(int(digits)))
        return ffmpeg.reading(pattern, *options, *limit), until
