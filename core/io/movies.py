"""Playblasts: pictures written as an animated GIF or WebP (Pillow) or as MP4 (ffmpeg of imageio-ffmpeg).

Both libraries are the extra ``pictures`` and imported only here, when needed.
"""

from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from core.arrays import ByteArray
from core.errors import FormatError, UnsupportedError, ValidationError
from core.io.common.atomic import write_atomic
from core.progress import Progress, nothing

SUFFIXES = (".gif", ".webp", ".mp4")
MOST_MEGABYTES = 4000
"""Bytes of the images held at once for GIF and WebP."""


def write_movie(
    path: Path,
    pictures: Iterable[ByteArray],
    count: int,
    rate: float,
    progress: Progress | None = None,
    transparent: bool = False,
    sound: Path | None = None,
) -> None:
    """Write images as one movie, complete or not at all.

    Parameters
    ----------
    path : its suffix, one of `SUFFIXES`, selects the kind
    pictures : ``(H, W, 3 or 4)`` uint8, all of one size; consumed one by one
    count : how many there will be, for the progress
    rate : pictures a second; a GIF counts in hundredths of a second, so its rate is rounded
    transparent : keep the fourth channel as opacity, which only WebP can
    sound : a WAV file that becomes the sound of an MP4

    Raises
    ------
    UnsupportedError
        The extra ``pictures`` is not installed; the message names it.
    FormatError
        An unknown suffix, or the file cannot be written.
    ValidationError
        No image, or more than the memory limit.
    Cancelled
        From `progress`; nothing is left behind.
    """
    kind = path.suffix.lower()
    if kind not in SUFFIXES:
        raise FormatError(
            path, "", f"cannot write moving pictures named *{kind}", f"known: {', '.join(SUFFIXES)}"
        )
    if not rate > 0.0:
        raise ValidationError(f"moving picture: expected a rate above 0, got {rate}")
    missing = why_missing(kind)
    if missing is not None:
        raise missing
    shown = _told(pictures, count, progress or nothing(), 4 if transparent and kind == ".webp" else 3)
    try:
        if kind == ".mp4":
            _mp4(path, shown, rate, sound)
        else:
            _with_pillow(path, shown, rate, kind)
    except OSError as error:
        raise FormatError(path, "", f"cannot be written: {error.strerror or error}") from error


def _told(
    pictures: Iterable[ByteArray], count: int, progress: Progress, channels: int
) -> Iterator[ByteArray]:
    for number, picture in enumerate(pictures):
        progress.report(number / max(1, count), f"picture {number + 1} of {count}")
        yield np.ascontiguousarray(picture[..., :channels])


def why_missing(kind: str) -> UnsupportedError | None:
    """Why a kind of movie cannot be written here, or None where it can.

    Parameters
    ----------
    kind : one of `SUFFIXES`
    """
    module, package = ("imageio_ffmpeg", "imageio-ffmpeg") if kind == ".mp4" else ("PIL", "Pillow")
    if find_spec(module) is not None:
        return None
    return UnsupportedError(
        f"{kind[1:].upper()} needs the package {package}, which is not installed: install the extra 'pictures' "
        "(pip install 'posewright[pictures]')"
    )


def _with_pillow(path: Path, pictures: Iterator[ByteArray], rate: float, kind: str) -> None:
    import io

    from PIL import Image

    frames: list[Any] = []
    size = 0
    for picture in pictures:
        size += picture.nbytes
        if size > MOST_MEGABYTES << 20:
            raise ValidationError(
                f"{len(frames)} pictures are more than {MOST_MEGABYTES} MB; take fewer or smaller ones"
            )
        image = Image.fromarray(picture)
        frames.append(image.quantize(128) if kind == ".gif" else image)
    if not frames:
        raise ValidationError("a moving picture needs a picture")
    out = io.BytesIO()
    # Durations that add up: each image ends on its own hundredth (GIF) or thousandth of a second.
    unit = 10 if kind == ".gif" else 1
    ends = [round(1000.0 * (n + 1) / rate / unit) * unit for n in range(len(frames))]
    spans = [max(unit, int(b - a)) for a, b in zip([0, *ends[:-1]], ends, strict=True)]
    more: dict[str, Any] = {"quality": 85, "method": 4} if kind == ".webp" else {"disposal": 1}
    form = "WEBP" if kind == ".webp" else "GIF"
    frames[0].save(out, form, save_all=True, append_images=frames[1:], duration=spans, loop=0, **more)
    write_atomic(path, out.getvalue())


def _mp4(path: Path, pictures: Iterator[ByteArray], rate: float, sound: Path | None) -> None:
    from imageio_ffmpeg import write_frames

    first = next(pictures, None)
    if first is None:
        raise ValidationError("a moving picture needs a picture")
    height, width = first.shape[:2]
    even = (width - width % 2, height - height % 2)  # the codec requires even sizes
    if min(even) < 2:
        raise ValidationError(f"an MP4 needs 2 by 2 pixels or more, got {width} by {height}")
    part = path.with_name(f".{path.stem}.part.mp4")
    heard: dict[str, Any] = {} if sound is None else {"audio_path": str(sound), "audio_codec": "aac"}
    try:
        writer = write_frames(
            str(part), even, fps=rate, quality=8, macro_block_size=2, pix_fmt_in="rgb24",
            output_params=["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact"],
            **heard,
        )  # fmt: skip
        writer.send(None)
        try:
            writer.send(np.ascontiguousarray(first[: even[1], : even[0]]))
            for picture in pictures:
                writer.send(np.ascontiguousarray(picture[: even[1], : even[0]]))
        finally:
            writer.close()
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
