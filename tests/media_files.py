"""Sound and video made for tests: every sample and every image says which one it is."""

import subprocess
import wave
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.arrays import ByteArray
from core.media.ffmpeg import executable

BITS = 12
SIZE = (192, 64)
SAW = 24_000
"""Samples of a turn of the counted sound."""


def counted_movie(
    path: Path,
    count: int,
    rate: float = 30.0,
    size: tuple[int, int] = SIZE,
    options: Sequence[str] = (
        "-c:v",
        "libx264",
        "-preset",
        "ultrafast",
        "-bf",
        "2",
        "-g",
        "50",
        "-pix_fmt",
        "yuv420p",
    ),
) -> Path:
    """A video whose image number n shows n in stripes, white for 1 and black for 0, the lowest bit at the left."""
    width, height = size
    words = [executable(), "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "gray", "-s", f"{width}x{height}",
             "-r", str(rate), "-i", "pipe:0", *options, str(path)]  # fmt: skip
    numbers = np.arange(count)[:, None] >> np.minimum(np.arange(width) * BITS // width, BITS - 1) & 1
    frames = np.repeat((numbers * 255).astype(np.uint8)[:, None, :], height, axis=1)
    subprocess.run(words, input=frames.tobytes(), check=True, timeout=120)
    return path


def number_in(image: ByteArray) -> int:
    """The number that an image of a counted movie shows."""
    width = image.shape[1]
    middles = [int((bit + 0.5) * width / BITS) for bit in range(BITS)]
    return sum(
        1 << bit for bit, at in enumerate(middles) if image[:, max(at - 1, 0) : at + 2, 1].mean() > 126
    )


def counted_wav(path: Path, seconds: float, rate: int = 48_000) -> Path:
    """A sound whose samples say which one they are: left counts a turn of `SAW`, right counts the turns."""
    at = np.arange(round(seconds * rate))
    samples = np.stack([at % SAW, at // SAW * 100], axis=1).astype("<i2")
    with wave.open(str(path), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(samples.tobytes())
    return path


def seconds_in(sample: "np.ndarray[tuple[int], np.dtype[np.float32]]") -> float:
    """The place of a sample (2,) of a counted sound as a mixer plays it, in seconds at 48,000 a second."""
    left, right = (float(value) * 32768.0 for value in sample)
    return (round(right / 100.0) * SAW + left) / 48_000.0


def sine_wav(path: Path, seconds: float, hertz: float = 440.0, rate: int = 48_000) -> Path:
    """A sine, one channel, half as loud as can be."""
    samples = np.round(16_000.0 * np.sin(2.0 * np.pi * hertz * np.arange(round(seconds * rate)) / rate))
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(samples.astype("<i2").tobytes())
    return path
