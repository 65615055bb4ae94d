"""A canvas that many key glyphs are stamped on at once. Free of Qt.

A thousand keys cost a few array operations instead of a thousand painter calls.
"""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from editor.qt.key_glyphs import Words, channels, words


class Canvas:
    """A transparent picture in device pixels that glyphs are stamped on."""

    def __init__(self, width: int, height: int) -> None:
        self.pixels: Words = np.zeros((max(height, 1), max(width, 1)), dtype=np.uint32)

    def stamp(self, image: Words, xs: npt.NDArray[np.int64], ys: npt.NDArray[np.int64]) -> None:
        """Put a glyph's middle at every place; what lies outside is cut off."""
        half = image.shape[0] // 2
        rows, columns = np.nonzero(image)
        y = (ys[:, None] + (rows - half)).ravel()
        x = (xs[:, None] + (columns - half)).ravel()
        value = np.broadcast_to(image[rows, columns], (len(xs), len(rows))).ravel()
        inside = (y >= 0) & (y < self.pixels.shape[0]) & (x >= 0) & (x < self.pixels.shape[1])
        self.pixels[y[inside], x[inside]] = value[inside]

    def bar(self, x0: int, x1: int, y0: int, y1: int, color: str, alpha: float) -> None:
        """Fill a rectangle; at least one pixel wide."""
        self.pixels[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, x0 + 1, 0)] = _word(color, round(alpha, 2))


@lru_cache(maxsize=512)
def _word(color: str, alpha: float) -> np.uint32:
    """A pixel; asked for once a bar, and there may be a thousand bars of few shades."""
    return np.uint32(words(np.array(channels(color)) * alpha, np.asarray(alpha)))
