"""Pictures of keys by tangent mode (design: look, Curves and keys), for every panel over time. Free of Qt.

Colours are ``#rrggbb``; pixels are premultiplied ARGB words as a `QImage` wants them.
"""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray

Words = npt.NDArray[np.uint32]


def _distance(shape: str, size: int, reach: float) -> FloatArray:
    """Pixels inside (positive) or outside a shape's edge, ``(size, size)`` for an odd `size`.

    Parameters
    ----------
    reach : pixels from the middle to the tip of a diamond, by which the other shapes are measured
    """
    half = (size - 1) / 2.0
    y, x = np.mgrid[-half : half + 1, -half : half + 1]
    if shape == "circle":
        return np.asarray(reach * 0.88 - np.hypot(x, y))
    if shape == "square":
        return np.asarray(reach * 0.76 - np.maximum(np.abs(x), np.abs(y)))
    if shape == "lozenge":
        return np.asarray((reach * 0.6 - np.abs(y) - np.abs(x) * 0.6) / np.hypot(1.0, 0.6))
    if shape == "triangle":
        return np.asarray(np.minimum(reach * 0.74 - y, (y + reach * 0.95) * 0.51 - np.abs(x) * 0.89))
    if shape == "step":  # a square whose upper left quarter is missing: the value jumps here
        square = reach * 0.76 - np.maximum(np.abs(x), np.abs(y))
        return np.asarray(np.minimum(square, np.maximum(x + 0.5, y + 0.5)))
    return np.asarray((reach - np.abs(x) - np.abs(y)) / np.sqrt(2.0))


@lru_cache(maxsize=512)
def glyph(
    shape: str, size: int, fill: str, edge: str, line: float, hollow: bool = False, outside: bool = False
) -> Words:
    """A glyph ``(size, size)``: `fill` inside, a rim of `edge`.

    Parameters
    ----------
    shape : one of the values of `GLYPHS` (`editor.model.tangent_modes`)
    size : device pixels, odd
    line : width of the rim in device pixels
    hollow : leave the inside empty
    outside : lay the rim round the shape, to part glyphs that lie on each other; else within it
    """
    distance = _distance(shape, size, (size - 1) / 2.0 + (-0.1 if outside else 0.1))
    grown = line if outside else 0.0
    inside = np.clip(distance + 0.5 + grown, 0.0, 1.0)
    core = np.clip(distance + 0.5 + grown - line, 0.0, 1.0)
    rim = inside - core
    rgb = np.asarray(channels(edge))[:, None, None] * rim
    if hollow:
        return words(rgb, rim)
    return words(rgb + np.asarray(channels(fill))[:, None, None] * core, inside)


def words(rgb: FloatArray, alpha: FloatArray) -> Words:
    """Premultiplied colour ``(3, …)`` and opacity ``(…)``, 0..1, as ARGB words ``(…)``."""
    r, g, b, a = (np.round(np.clip(part, 0.0, 1.0) * 255.0).astype(np.uint32) for part in (*rgb, alpha))
    return np.asarray((a << 24) | (r << 16) | (g << 8) | b, dtype=np.uint32)


def channels(color: str) -> tuple[float, float, float]:
    """Red, green, blue of ``#rrggbb`` as 0..1."""
    return int(color[1:3], 16) / 255, int(color[3:5], 16) / 255, int(color[5:7], 16) / 255
