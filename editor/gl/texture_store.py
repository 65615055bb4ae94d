"""Images in graphics memory, kept while frames use them, and how they are sampled."""

from collections.abc import Sequence

import numpy as np

from core.arrays import ByteArray
from core.rig.mesh import Wrap
from editor.gl.api import GL
from editor.gl.texture_values import Surface, TextureImage

UNIT = 1
"""Texture unit of surfaces; other passes use the first."""
KEEP_FRAMES = 300
SOFTWARE_EDGE = 1024
"""In software, larger images cost more than they show."""
_WRAPS = {
    Wrap.REPEAT: GL.GL_REPEAT,
    Wrap.MIRROR: GL.GL_MIRRORED_REPEAT,
    Wrap.CLAMP: GL.GL_CLAMP_TO_EDGE,
}


class TextureStore:
    """Uploads what a frame needs and forgets what no frame has needed for a while."""

    def __init__(self, software: bool) -> None:
        self._software = software
        edge = int(GL.glGetIntegerv(GL.GL_MAX_TEXTURE_SIZE))
        self._edge = min(edge, SOFTWARE_EDGE) if software else edge
        self._textures: dict[int, tuple[TextureImage, int]] = {}
        self._used: dict[int, int] = {}
        self._samplers: dict[object, int] = {}
        self._white = _upload((np.full((1, 1, 4), 255, np.uint8),))
        self._frame = 0

    def begin_frame(self) -> None:
        """Drop what is stale."""
        self._frame += 1
        for key in [key for key, frame in self._used.items() if self._frame - frame > KEEP_FRAMES]:
            GL.glDeleteTextures(1, [self._textures.pop(key)[1]])
            del self._used[key]

    def bind(self, surface: Surface) -> None:
        """Make the image of a surface, or plain white, readable at `UNIT`."""
        GL.glActiveTexture(GL.GL_TEXTURE0 + UNIT)
        GL.glBindTexture(GL.GL_TEXTURE_2D, self._white if surface.image is None else self._of(surface.image))
        GL.glBindSampler(UNIT, self._sampler(surface))

    def _of(self, image: TextureImage) -> int:
        key = id(image)  # the image is kept as long as its number
        if key not in self._textures:
            fits = [level for level in image.levels if max(level.shape[:2]) <= self._edge]
            self._textures[key] = image, _upload(fits)
        self._used[key] = self._frame
        return self._textures[key][1]

    def _sampler(self, surface: Surface) -> int:
        key = surface.wrap, surface.smooth
        if key not in self._samplers:
            sampler = self._samplers[key] = int(GL.glGenSamplers(1))
            smooth = GL.GL_LINEAR_MIPMAP_NEAREST if self._software else GL.GL_LINEAR_MIPMAP_LINEAR
            for name, value in (
                (GL.GL_TEXTURE_MIN_FILTER, smooth if surface.smooth else GL.GL_NEAREST_MIPMAP_NEAREST),
                (GL.GL_TEXTURE_MAG_FILTER, GL.GL_LINEAR if surface.smooth else GL.GL_NEAREST),
                (GL.GL_TEXTURE_WRAP_S, _WRAPS[surface.wrap[0]]),
                (GL.GL_TEXTURE_WRAP_T, _WRAPS[surface.wrap[1]]),
            ):
                GL.glSamplerParameteri(sampler, name, value)
        return self._samplers[key]

    def release(self) -> None:
        """Delete everything; the context must be current."""
        GL.glDeleteTextures(1, [self._white])
        for _, texture in self._textures.values():
            GL.glDeleteTextures(1, [texture])
        if self._samplers:
            GL.glBindSampler(UNIT, 0)
            GL.glDeleteSamplers(len(self._samplers), list(self._samplers.values()))
        self._textures, self._used, self._samplers = {}, {}, {}


def _upload(levels: Sequence[ByteArray]) -> int:
    texture = int(GL.glGenTextures(1))
    GL.glActiveTexture(GL.GL_TEXTURE0 + UNIT)
    GL.glBindTexture(GL.GL_TEXTURE_2D, texture)
    GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 1)
    GL.glTexParameteri(GL.GL_TEXTURE_2D, GL.GL_TEXTURE_MAX_LEVEL, len(levels) - 1)
    for number, level in enumerate(levels):
        GL.glTexImage2D(
            GL.GL_TEXTURE_2D, number, GL.GL_RGBA8, level.shape[1], level.shape[0], 0, GL.GL_RGBA,
            GL.GL_UNSIGNED_BYTE, np.ascontiguousarray(level),
        )  # fmt: skip
    return texture
