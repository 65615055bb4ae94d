"""Pictures of keys by tangent mode (design: look, Curves and keys), as premultiplied ARGB words. Free of Qt."""

from functools import lru_cache

import numpy as np

from core.arrays import FloatArray
from core.tracks.keys import TangentMode
from editor.panels.curves.raster import Words

SHAPES = {
    TangentMode.AUTO: "diamond",
    TangentMode.CLAMPED: "diamond",
    TangentMode.FREE: "circle",
    TangentMode.BROKEN: "triangle",
    TangentMode.FLAT: "lozenge",
    TangentMode.LINEAR: "square",
    TangentMode.STEPPED: "step",
}


def _inside(shape: str, size: int) -> FloatArray:
    """Pixels inside (positive) or outside a shape's edge, for a square of odd `size`."""
    half = (size - 1) / 2.0
    y, x = np.mgrid[-half : half + 1, -half : half + 1]
    reach = half - 0.1
    if shape == "circle":
        return np.asarray(reach * 0.9 - np.hypot(x, y))
    if shape == "square":
        return np.asarray(reach * 0.78 - np.maximum(np.abs(x), np.abs(y)))
    if shape == "lozenge":
        return np.asarray((reach * 0.62 - np.abs(y) - np.abs(x) * 0.62) / 1.17)
    if shape == "triangle":
        return np.asarray(np.minimum(reach * 0.75 - y, (y + reach) * 0.5 - np.abs(x) * 0.88))
    if shape == "step":  # a square whose upper left quarter is missing: the value jumps here
        square = reach * 0.78 - np.maximum(np.abs(x), np.abs(y))
        return np.asarray(np.minimum(square, np.maximum(x + 0.5, y + 0.5)))
    return np.asarray((reach - np.abs(x) - np.abs(y)) / np.sqrt(2.0))


@lru_cache(maxsize=256)
def glyph(shape: str, size: int, fill: str, edge: str, line: float) -> Words:
    """A glyph ``(size, size)``: `fill` inside, a rim of `edge` of `line` pixels; colours ``#rrggbb``."""
    distance = _inside(shape, size)
    inside = np.clip(distance + 0.5 + line, 0.0, 1.0)
    core = np.clip(distance + 0.5, 0.0, 1.0)
    rgb = np.zeros((3, size, size))
    for color, cover in ((edge, inside - core), (fill, core)):
        for channel, level in enumerate(channels(color)):
            rgb[channel] += level * cover
    r, g, b, a = (np.round(np.clip(part, 0.0, 1.0) * 255.0).astype(np.uint32) for part in (*rgb, inside))
    return np.asarray((a << 24) | (r << 16) | (g << 8) | b, dtype=np.uint32)


def channels(color: str) -> tuple[float, float, float]:
    """Red, green, blue of ``#rrggbb`` as 0..1."""
    return int(color[1:3], 16) / 255, int(color[3:5], 16) / 255, int(color[5:7], 16) / 255
