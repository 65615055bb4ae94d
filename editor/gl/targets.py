"""Framebuffers the renderer draws into before anything reaches the screen."""

from editor.gl.api import GL

PixelSize = tuple[int, int]


class Target:
    """A framebuffer with a colour (texture or multisampled renderbuffer) and maybe a depth buffer with a stencil.

    Raises
    ------
    RuntimeError
        When the driver cannot make it; the message names size and status.
    """

    def __init__(
        self, size: PixelSize, samples: int = 0, depth: bool = True, format_: int | None = None
    ) -> None:
        self.size = size
        self.samples = samples
        color_format = GL.GL_RGBA8 if format_ is None else format_
        self.handle = int(GL.glGenFramebuffers(1))
        self.texture = 0
        self._renderbuffers: list[int] = []
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self.handle)
        if samples:
            self._attach_renderbuffer(GL.GL_COLOR_ATTACHMENT0, color_format)
        else:
            self._attach_texture(color_format)
        if depth:
            self._attach_renderbuffer(GL.GL_DEPTH_STENCIL_ATTACHMENT, GL.GL_DEPTH24_STENCIL8)
        status = GL.glCheckFramebufferStatus(GL.GL_FRAMEBUFFER)
        if status != GL.GL_FRAMEBUFFER_COMPLETE:
            raise RuntimeError(
                f"framebuffer {size[0]}x{size[1]} with {samples} samples: status {int(status):#x}"
            )

    def _attach_renderbuffer(self, attachment: int, format_: int) -> None:
        buffer = int(GL.glGenRenderbuffers(1))
        self._renderbuffers.append(buffer)
        GL.glBindRenderbuffer(GL.GL_RENDERBUFFER, buffer)
        if self.samples:
            GL.glRenderbufferStorageMultisample(GL.GL_RENDERBUFFER, self.samples, format_, *self.size)
        else:
            GL.glRenderbufferStorage(GL.GL_RENDERBUFFER, format_, *self.size)
        GL.glFramebufferRenderbuffer(GL.GL_FRAMEBUFFER, attachment, GL.GL_RENDERBUFFER, buffer)

    def _attach_texture(self, format_: int) -> None:
        self.texture = int(GL.glGenTextures(1))
        GL.glBindTexture(GL.GL_TEXTURE_2D, self.texture)
        GL.glTexImage2D(GL.GL_TEXTURE_2D, 0, format_, *self.size, 0, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE, None)
        for name, value in (
            (GL.GL_TEXTURE_MIN_FILTER, GL.GL_LINEAR),
            (GL.GL_TEXTURE_MAG_FILTER, GL.GL_LINEAR),
            (GL.GL_TEXTURE_WRAP_S, GL.GL_CLAMP_TO_EDGE),
            (GL.GL_TEXTURE_WRAP_T, GL.GL_CLAMP_TO_EDGE),
        ):
            GL.glTexParameteri(GL.GL_TEXTURE_2D, name, value)
        GL.glFramebufferTexture2D(
            GL.GL_FRAMEBUFFER, GL.GL_COLOR_ATTACHMENT0, GL.GL_TEXTURE_2D, self.texture, 0
        )

    def bind(self) -> None:
        """Draw into it from here on, over its whole size."""
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self.handle)
        GL.glViewport(0, 0, *self.size)

    def copy_to(self, framebuffer: int, mask: int, area: tuple[int, int, int, int] | None = None) -> None:
        """Copy colour or depth (a `GL_..._BUFFER_BIT` mask) to another framebuffer of the same size.

        Parameters
        ----------
        area : left, bottom, width and height of the part to copy; None is all of it
        """
        left, bottom, width, height = area or (0, 0, *self.size)
        corners = left, bottom, left + width, bottom + height
        GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, self.handle)
        GL.glBindFramebuffer(GL.GL_DRAW_FRAMEBUFFER, framebuffer)
        GL.glBlitFramebuffer(*corners, *corners, mask, GL.GL_NEAREST)

    def release(self) -> None:
        """Delete it; the context must be current."""
        GL.glDeleteFramebuffers(1, [self.handle])
        if self._renderbuffers:
            GL.glDeleteRenderbuffers(len(self._renderbuffers), self._renderbuffers)
        if self.texture:
            GL.glDeleteTextures(1, [self.texture])
        self.handle = self.texture = 0
        self._renderbuffers = []
