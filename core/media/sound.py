"""Sound, decoded once to samples in a temporary file, so that any moment of it is there at once."""

import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt

from core.errors import FormatError
from core.media import ffmpeg
from core.media.probe import MediaInfo, probe
from core.progress import Progress

RATE = 48_000
"""Samples a second that everything is decoded to."""
PEAK = 480
"""Samples of one column of the waveform: a hundredth of a second."""
MOST_SECONDS = 3600.0
"""So much of a file is decoded; the rest is not played."""
UNTOLD_SECONDS = 1200.0
CHUNK = 1 << 18

Samples = npt.NDArray[np.int16]
Peaks = npt.NDArray[np.int8]


class Sound:
    """The samples of one file. While it is decoded, what is there already can be played and drawn.

    Parameters
    ----------
    seconds : how long it is, as the file says; more is not decoded

    Attributes
    ----------
    count : samples that are there
    done : whether all are
    cut : whether the file is longer than what is decoded
    """

    def __init__(self, path: Path, info: MediaInfo) -> None:
        told = info.seconds
        self.path = path
        self._mono = info.mono
        self.cut = told is not None and told > MOST_SECONDS
        seconds = UNTOLD_SECONDS if told is None else min(told + 1.0, MOST_SECONDS)
        self._most = max(PEAK, int(seconds * RATE))
        self._file = tempfile.TemporaryFile(prefix="posewright-sound-")  # noqa: SIM115 - closed with the sound
        self._file.truncate(self._most * 4)
        self.samples: Samples = np.memmap(self._file, np.int16, "r+", shape=(self._most, 2))
        self.peaks: Peaks = np.zeros((-(-self._most // PEAK), 2), np.int8)
        self.count = 0
        self.done = False

    @property
    def seconds(self) -> float:
        """Seconds that are there."""
        return self.count / RATE

    def decode(self, progress: Progress) -> None:
        """Decode the file; on a worker.

        Raises
        ------
        FormatError
            Nothing of it can be decoded.
        Cancelled
            From `progress`.
        """
        both = "pan=stereo|c0=c0|c1=c0," if self._mono else ""  # as loud on either side as it is
        words = [
            *ffmpeg.reading(self.path), "-map", "0:a:0", "-vn", "-sn", "-ac", "2", "-ar", str(RATE),
            "-af", f"{both}aresample=async=1:first_pts=0", "-t", f"{self._most / RATE:.6f}", "-f", "s16le", "pipe:1",
        ]  # fmt: skip
        process = ffmpeg.start(words)
        try:
            assert process.stdout is not None
            while self.count < self._most:
                progress.report(self.count / self._most)
                data = process.stdout.read(CHUNK)
                if len(data) < 4:
                    break
                self._take(np.frombuffer(data[: len(data) // 4 * 4], "<i2").reshape(-1, 2))
            self.cut = self.cut or self.count >= self._most
        finally:
            ffmpeg.stop(process)
        if self.count == 0:
            raise FormatError(self.path, "", "its sound cannot be decoded", "choose another file")
        self.done = True

    def _take(self, block: Samples) -> None:
        first = self.count
        block = block[: self._most - first]
        last = first + len(block)
        self.samples[first:last] = block
        begin = first // PEAK
        columns = np.asarray(self.samples[begin * PEAK : last]).mean(axis=1)
        columns = np.pad(columns, (0, -len(columns) % PEAK)).reshape(-1, PEAK)
        self.peaks[begin : begin + len(columns), 0] = np.floor(columns.min(axis=1) / 256.0)
        self.peaks[begin : begin + len(columns), 1] = np.ceil(np.minimum(columns.max(axis=1) / 256.0, 127.0))
        self.count = last

    def __del__(self) -> None:
        if not self._file.closed:
            self._file.close()

    def close(self) -> None:
        """Nothing plays it from now on. Its room is given back with the sound: a device may be reading it still."""
        self.count = 0
        self._file.close()


def open_sound(path: Path) -> Sound:
    """A sound whose samples are not decoded yet.

    Raises
    ------
    FormatError
        The file is missing, empty, cut off or has no sound.
    UnsupportedError
        The extra ``media`` is missing.
    """
    info = probe(path)
    if not info.sound:
        raise FormatError(path, "", "it has no sound", "choose another file")
    return Sound(path, info)
