"""The three lights that travel with the eye, as a picture of a lit ball: a look-up in place of sums for a pixel."""

from math import sqrt

import numpy as np

from core.arrays import ByteArray, FloatArray
from editor.gl.api import GL
from editor.gl.colors import Lighting

EDGE = 64
KEY, FILL, RIM = (-0.55, 0.75, 0.65), (0.85, 0.10, 0.50), (0.45, 0.55, -0.75)
"""Where the lights are: right, up, and towards the eye."""
WARM, COOL = (1.0, 0.975, 0.94), (0.86, 0.92, 1.0)
GLOSS = 0.06
"""Of the key's reflection."""


def ball(lights: Lighting) -> ByteArray:
    """The ball ``(64, 64, 4)``, bottom row first: half of the light that falls on it, and what it reflects.

    A surface takes the place of the ball that faces the same way as it does.
    """
    at = (np.arange(EDGE) + 0.5) / EDGE * 2.0 - 1.0
    x, y = np.meshgrid(at / 0.97, at / 0.97)
    flat = np.minimum(np.hypot(x, y), 1.0)
    long = np.maximum(np.hypot(x, y), 1e-9)
    x, y = x * flat / long, y * flat / long
    normal = np.stack([x, y, np.sqrt(np.maximum(1.0 - flat * flat, 0.0))], axis=-1)
    key, fill = _lit(normal, KEY, 0.18), _lit(normal, FILL, 0.35)
    light = lights.key * key[..., None] * WARM + lights.fill * fill[..., None] * COOL
    half = np.array(KEY) / sqrt(sum(part * part for part in KEY)) + (0.0, 0.0, 1.0)
    shine = np.maximum(normal @ (half / np.linalg.norm(half)), 0.0) ** 24
    rim = lights.rim * (1.0 - normal[..., 2]) ** 3 * _lit(normal, RIM, 0.25)
    parts = np.concatenate([light / 2.0, (rim + GLOSS * lights.key * shine)[..., None]], axis=-1)
    return np.rint(255.0 * np.clip(parts, 0.0, 1.0)).astype(np.uint8)


def _lit(normal: FloatArray, way: tuple[float, float, float], wrap: float) -> FloatArray:
    """Light from a direction that reaches a little round the edge."""
    cosine = normal @ (np.array(way) / sqrt(sum(part * part for part in way)))
    return np.asarray(np.maximum(0.0, (cosine + wrap) / (1.0 + wrap)))


class Matcap:
    """The ball in graphics memory; needs a current context."""

    def __init__(self) -> None:
        self._lights: Lighting | None = None
        self._texture = int(GL.glGenTextures(1))

    def bind(self, lights: Lighting, unit: int) -> None:
        """Make it readable at a texture unit, for these lights."""
        GL.glActiveTexture(GL.GL_TEXTURE0 + unit)
        GL.glBindTexture(GL.GL_TEXTURE_2D, self._texture)
        if lights == self._lights:
            return
        self._lights = lights
        GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 1)
        GL.glTexImage2D(
            GL.GL_TEXTURE_2D, 0, GL.GL_RGBA8, EDGE, EDGE, 0, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE, ball(lights)
        )
        for name, value in (
            (GL.GL_TEXTURE_MIN_FILTER, GL.GL_LINEAR),
            (GL.GL_TEXTURE_MAG_FILTER, GL.GL_LINEAR),
            (GL.GL_TEXTURE_WRAP_S, GL.GL_CLAMP_TO_EDGE),
            (GL.GL_TEXTURE_WRAP_T, GL.GL_CLAMP_TO_EDGE),
        ):
            GL.glTexParameteri(GL.GL_TEXTURE_2D, name, value)

    def release(self) -> None:
        """Delete it; the context must be current."""
        GL.glDeleteTextures(1, [self._texture])
        self._texture = 0
