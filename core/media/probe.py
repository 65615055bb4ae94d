"""What a media file holds, as ffmpeg tells it."""

import re
from dataclasses import dataclass
from pathlib import Path

from core.errors import FormatError
from core.media import ffmpeg

SECONDS = 20.0

_DURATION = re.compile(r"Duration: (\d+):(\d\d):(\d\d(?:\.\d+)?)")
_STREAM = re.compile(r"Stream #\d+:\d+.*?: (Video|Audio): (.*)")
_SIZE = re.compile(r"\b(\d{1,6})x(\d{1,6})\b")
_SHAPE = re.compile(r"\bSAR (\d+):(\d+)")
_RATE = re.compile(r"([\d.]+) fps")
_TURNED = re.compile(r"rotation of (-?[\d.]+) degrees")
_REASONS = (
    ("moov atom not found", "it is cut off, or no movie: its index is missing"),
    ("Invalid data found", "it is neither sound, video nor a picture that can be read"),
    ("not allowed", "files of this kind are not read"),
    ("Picture size", "its pictures are too large"),
)


@dataclass(frozen=True, slots=True)
class MediaInfo:
    """What is in a file.

    Parameters
    ----------
    seconds : how long it is, None where it does not say
    size : pixels of its pictures as they are shown, None without any
    rate : pictures a second on average, 0 where it does not say
    sound : whether there is any
    mono : whether it has one channel
    """

    seconds: float | None
    size: tuple[int, int] | None
    rate: float
    sound: bool
    mono: bool = False


def probe(path: Path) -> MediaInfo:
    """Ask what a file holds.

    Raises
    ------
    FormatError
        Missing, empty, cut off, or no media; says what to do.
    UnsupportedError
        The extra ``media`` is missing.
    """
    ffmpeg.checked(path)
    words = ffmpeg.reading(path, *still_options(path), level="info")
    _, text, _ = ffmpeg.told(words, SECONDS)
    found = _parsed(text)
    if found is not None and found.size is None and not found.sound:
        text, found = "Invalid data found", None  # its name says what it would be
    if found is None:
        raise FormatError(path, "", reason(text), "choose another file")
    return found


def still_options(path: Path) -> tuple[str, ...]:
    """Options for a picture: its name is no pattern, whatever signs are in it."""
    return ("-f", "image2", "-pattern_type", "none") if path.suffix.lower() in PICTURES else ()


PICTURES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".tga", ".exr", ".webp", ".dpx")
"""What names a picture, or one of a sequence."""


def reason(text: str) -> str:
    """Why a file could not be read, from what ffmpeg says."""
    for sign, words in _REASONS:
        if sign in text:
            return words
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    said = next((line for line in reversed(lines) if "At least one output" not in line), "")
    return f"it cannot be read ({said[:120]})" if said else "it cannot be read"


def _parsed(text: str) -> MediaInfo | None:
    streams = _STREAM.findall(text)
    if not streams:
        return None
    size, rate = None, 0.0
    for kind, what in streams:
        if kind == "Video" and size is None and "attached pic" not in what:
            size, rate = _shown_size(what), _number(_RATE.search(what))
    turned = _TURNED.search(text)
    if size is not None and turned is not None and round(float(turned.group(1)) / 90.0) % 2:
        size = size[1], size[0]
    length = _DURATION.search(text)
    seconds = None
    if length is not None:
        seconds = 3600.0 * int(length.group(1)) + 60.0 * int(length.group(2)) + float(length.group(3))
    sounds = [what for kind, what in streams if kind == "Audio"]
    return MediaInfo(seconds, size, rate, bool(sounds), bool(sounds) and ", mono" in sounds[0])


def _shown_size(what: str) -> tuple[int, int] | None:
    found = _SIZE.search(what.partition(", ")[2] or what)
    if found is None:
        return None
    width, height = int(found.group(1)), int(found.group(2))
    shape = _SHAPE.search(what)
    if shape is not None and int(shape.group(1)) and int(shape.group(2)):  # pixels that are not square
        width = max(1, round(width * int(shape.group(1)) / int(shape.group(2))))
    return (width, height) if width and height else None


def _number(found: "re.Match[str] | None") -> float:
    try:
        return float(found.group(1)) if found is not None else 0.0
    except ValueError:
        return 0.0
