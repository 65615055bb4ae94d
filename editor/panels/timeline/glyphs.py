"""Key glyphs as small pictures, and a canvas that many are stamped on at once. Free of Qt.

A thousand keys cost a few array operations instead of a thousand painter calls. Colours are
``#rrggbb``; pixels are premultiplied ARGB words as a `QImage` wants them.
"""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.tracks.keys import TangentMode
from editor.tools.rows import MIXED

Words = npt.NDArray[np.uint32]
SHAPES = {
    TangentMode.AUTO: "diamond",
    TangentMode.CLAMPED: "diamond",
    TangentMode.FREE: "circle",
    TangentMode.BROKEN: "triangle",
    TangentMode.FLAT: "lozenge",
    TangentMode.LINEAR: "square",
    TangentMode.STEPPED: "step",
    MIXED: "diamond",
}
"""What a tangent mode looks like (design: look, Curves and keys)."""


def _distance(shape: str, size: int) -> FloatArray:
    """Pixels inside (positive) or outside a shape's edge, for a square of odd `size`."""
    half = (size - 1) / 2.0
    y, x = np.mgrid[-half : half + 1, -half : half + 1]
    reach = half + 0.1
    if shape == "circle":
        return np.asarray(reach * 0.86 - np.hypot(x, y))
    if shape == "square":
        return np.asarray(reach * 0.74 - np.maximum(np.abs(x), np.abs(y)))
    if shape == "lozenge":
        return np.asarray((reach * 0.58 - np.abs(y) - np.abs(x) * 0.58) / 1.156)
    if shape == "triangle":
        return np.asarray(np.minimum(reach * 0.72 - y, (y + reach * 0.9) * 0.52 - np.abs(x) * 0.9))
    if shape == "step":  # a square whose upper left quarter is missing: the value jumps here
        square = reach * 0.74 - np.maximum(np.abs(x), np.abs(y))
        return np.asarray(np.minimum(square, np.maximum(x + 0.5, y + 0.5)))
    return np.asarray((reach - np.abs(x) - np.abs(y)) / np.sqrt(2.0))


@lru_cache(maxsize=256)
def glyph(shape: str, size: int, fill: str, edge: str, hollow: bool, line: float) -> Words:
    """A glyph ``(size, size)``: `fill` inside, a rim of `edge` of `line` pixels."""
    distance = _distance(shape, size)
    inside = np.clip(distance + 0.5, 0.0, 1.0)
    core = np.clip(distance + 0.5 - line, 0.0, 1.0)
    layers = (_channels(edge), inside - core), (_channels(fill), core)
    rgb = sum(np.asarray(color)[:, None, None] * cover for color, cover in layers)
    alpha = inside
    if hollow:
        rgb = np.asarray(_channels(edge))[:, None, None] * (inside - core)
        alpha = inside - core
    return words(np.asarray(rgb), alpha)


def words(rgb: FloatArray, alpha: FloatArray) -> Words:
    """Premultiplied colour ``(3, …)`` and opacity ``(…)``, 0..1, as ARGB words."""
    r, g, b, a = (np.round(np.clip(part, 0.0, 1.0) * 255.0).astype(np.uint32) for part in (*rgb, alpha))
    return np.asarray((a << 24) | (r << 16) | (g << 8) | b, dtype=np.uint32)


def _channels(color: str) -> tuple[float, float, float]:
    return int(color[1:3], 16) / 255, int(color[3:5], 16) / 255, int(color[5:7], 16) / 255


class Canvas:
    """A transparent picture in device pixels that glyphs are stamped on."""

    def __init__(self, width: int, height: int) -> None:
        self.pixels: Words = np.zeros((max(height, 1), max(width, 1)), dtype=np.uint32)

    def stamp(self, picture: Words, xs: npt.NDArray[np.int64], ys: npt.NDArray[np.int64]) -> None:
        """Put a glyph's middle at every place; what lies outside is cut off."""
        half = picture.shape[0] // 2
        rows, columns = np.nonzero(picture)
        y = (ys[:, None] + (rows - half)).ravel()
        x = (xs[:, None] + (columns - half)).ravel()
        value = np.broadcast_to(picture[rows, columns], (len(xs), len(rows))).ravel()
        inside = (y >= 0) & (y < self.pixels.shape[0]) & (x >= 0) & (x < self.pixels.shape[1])
        self.pixels[y[inside], x[inside]] = value[inside]

    def bar(self, x0: int, x1: int, y0: int, y1: int, color: str, alpha: float) -> None:
        """Fill a rectangle; at least one pixel wide."""
        rgb = np.array(_channels(color)) * alpha
        value = words(rgb, np.asarray(alpha))
        self.pixels[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, x0 + 1, 0)] = value
