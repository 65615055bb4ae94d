"""Short labels in pictures, drawn without Qt: the letters are those of the interface font, kept as coverage."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from core.arrays import ByteArray, Float32Array, IntArray
from editor.gl.colors import Color, ViewportColors


class _Letters(NamedTuple):
    """Coverage ``(N, H, W)`` 0..1 of each letter, drawn one pixel from the left, and pixels to the next one."""

    number: dict[str, int]
    coverage: Float32Array
    advances: IntArray


@cache
def _letters() -> _Letters:
    import resources

    with np.load(Path(next(iter(resources.__path__))) / "fonts" / "labels.npz", allow_pickle=False) as data:
        number = {chr(code): index for index, code in enumerate(data["codes"])}
        coverage = data["coverage"].astype(np.float32) / 255.0
        return _Letters(number, coverage, data["advances"].astype(np.int64))


def line_height() -> int:
    """Pixels from the top of a line to the top of the next."""
    return int(_letters().coverage.shape[1])


def text_width(text: str) -> int:
    """Pixels a text takes."""
    return int(_letters().advances[_numbers(text)].sum())


def _numbers(text: str) -> list[int]:
    known = _letters().number
    return [known.get(letter, known["?"]) for letter in text]


def shortened(text: str, width: int) -> str:
    """The text, or as much of it as fits into a width, with an ellipsis; "" where nothing fits."""
    if text_width(text) <= width:
        return text
    for count in range(len(text) - 1, 0, -1):
        part = text[:count].rstrip() + "…"
        if text_width(part) <= width:
            return part
    return ""


def put_text(picture: ByteArray, text: str, at: tuple[int, int], color: Color) -> None:
    """Draw one line into a picture; what lies outside is cut off.

    Parameters
    ----------
    picture : ``(H, W, 4)`` uint8, changed in place
    at : pixels from the left and from the top to the line's top left corner
    color : of the letters; its opacity counts
    """
    letters = _letters()
    height, width = picture.shape[:2]
    left, top = at
    ink = np.array([*(255.0 * part for part in color[:3]), 255.0], np.float32)
    for number in _numbers(text):
        cover = letters.coverage[number] * color[3]
        x, y = left - 1, top
        x0, y0 = max(x, 0), max(y, 0)
        x1, y1 = min(x + cover.shape[1], width), min(y + cover.shape[0], height)
        if x0 < x1 and y0 < y1:
            share = cover[y0 - y : y1 - y, x0 - x : x1 - x, None]
            part = picture[y0:y1, x0:x1]
            picture[y0:y1, x0:x1] = np.rint(part * (1.0 - share) + ink * share).astype(np.uint8)
        left += int(letters.advances[number])


def put_counter(picture: ByteArray, text: str, colors: ViewportColors) -> None:
    """Write a frame's number into the lower left corner of a picture ``(H, W, 4)``, in place."""
    put_text(picture, text, (10, picture.shape[0] - line_height() - 8), colors.text)
