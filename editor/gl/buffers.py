"""Vertex arrays, buffers and texture buffers, each owning one handle."""

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

from editor.gl.api import GL, raw_vertex_attrib_i_pointer, raw_vertex_attrib_pointer


class Buffer:
    """A buffer object that is refilled as a whole."""

    def __init__(self, target: int | None = None, usage: int | None = None) -> None:
        self.handle = int(GL.glGenBuffers(1))
        self.target = GL.GL_ARRAY_BUFFER if target is None else target
        self._usage = GL.GL_STATIC_DRAW if usage is None else usage

    def fill(self, data: npt.NDArray[Any]) -> None:
        """Replace the contents; the driver may hand out fresh memory, so nothing waits."""
        block = np.ascontiguousarray(data)
        GL.glBindBuffer(self.target, self.handle)
        GL.glBufferData(self.target, block.nbytes, block, self._usage)

    def release(self) -> None:
        """Delete it; the context must be current."""
        GL.glDeleteBuffers(1, [self.handle])
        self.handle = 0


class VertexArray:
    """A vertex array object: where each attribute of a draw comes from."""

    def __init__(self) -> None:
        self.handle = int(GL.glGenVertexArrays(1))

    def bind(self) -> None:
        """Use it for the next draw or attribute."""
        GL.glBindVertexArray(self.handle)

    def floats(
        self, index: int, buffer: Buffer, size: int, stride: int = 0, offset: int = 0, divisor: int = 0
    ) -> None:
        """Feed float attribute `index` from float32 data (stride and offset in bytes)."""
        self._feed(index, buffer, divisor)
        raw_vertex_attrib_pointer(index, size, GL.GL_FLOAT, GL.GL_FALSE, stride, ctypes.c_void_p(offset))

    def ints(self, index: int, buffer: Buffer, size: int, stride: int = 0, offset: int = 0) -> None:
        """Feed integer attribute `index` from int32 data."""
        self._feed(index, buffer, 0)
        raw_vertex_attrib_i_pointer(index, size, GL.GL_INT, stride, ctypes.c_void_p(offset))

    def _feed(self, index: int, buffer: Buffer, divisor: int) -> None:
        self.bind()
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, buffer.handle)
        GL.glEnableVertexAttribArray(index)
        GL.glVertexAttribDivisor(index, divisor)

    def indices(self, buffer: Buffer) -> None:
        """Take triangle indices from `buffer`."""
        self.bind()
        GL.glBindBuffer(GL.GL_ELEMENT_ARRAY_BUFFER, buffer.handle)

    def release(self) -> None:
        """Delete it; the context must be current."""
        GL.glDeleteVertexArrays(1, [self.handle])
        self.handle = 0


class TextureBuffer:
    """Rows of four floats that a shader reads by number: any count of bones fits."""

    def __init__(self) -> None:
        self._buffer = Buffer(GL.GL_TEXTURE_BUFFER, GL.GL_STREAM_DRAW)
        self._texture = int(GL.glGenTextures(1))

    def fill(self, rows: npt.NDArray[np.float32]) -> None:
        """Replace the contents by (N, 4) float32."""
        self._buffer.fill(rows)
        GL.glBindTexture(GL.GL_TEXTURE_BUFFER, self._texture)
        GL.glTexBuffer(GL.GL_TEXTURE_BUFFER, GL.GL_RGBA32F, self._buffer.handle)

    def bind(self, unit: int) -> None:
        """Make it readable at a texture unit."""
        GL.glActiveTexture(GL.GL_TEXTURE0 + unit)
        GL.glBindTexture(GL.GL_TEXTURE_BUFFER, self._texture)

    def release(self) -> None:
        """Delete it; the context must be current."""
        GL.glDeleteTextures(1, [self._texture])
        self._buffer.release()
