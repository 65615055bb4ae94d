"""What a canvas shows: a picture that is drawn with OpenGL, and the format of the surface it asks for."""

from typing import Protocol

from PySide6.QtGui import QOpenGLContext, QSurfaceFormat

from core.arrays import ByteArray


class Picture(Protocol):
    """What draws; all of it is called with the context current."""

    def begin(self, context: QOpenGLContext) -> None:
        """A new context: first, and after a dock was floated."""

    def draw_picture(self, framebuffer: int | None) -> bool:
        """Bring the picture to a framebuffer, or keep it where None is given; whether it is another than before."""

    def read_picture(self) -> ByteArray | None:
        """The picture drawn last ``(H, W, 4)``, lowest row first; None where there is none."""


def opengl_format() -> QSurfaceFormat:
    """What a canvas asks for: 3.3 core, no multisampling of its own (the renderer brings it)."""
    wanted = QSurfaceFormat()
    wanted.setVersion(3, 3)
    wanted.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
    wanted.setDepthBufferSize(0)
    wanted.setStencilBufferSize(0)
    wanted.setSamples(0)
    return wanted
