"""What lies on the ground like a veil: blended over the picture, and hiding nothing."""

from editor.gl.api import GL
from editor.gl.buffers import VertexArray


def draw_veil(corners: VertexArray) -> None:
    """Draw four corners as a strip with the program in use, seen from both sides, without writing depth."""
    GL.glEnable(GL.GL_BLEND)
    GL.glBlendFuncSeparate(
        GL.GL_SRC_ALPHA, GL.GL_ONE_MINUS_SRC_ALPHA, GL.GL_ONE, GL.GL_ONE_MINUS_SRC_ALPHA
    )  # the picture stays opaque: a translucent one is brightened where it is taken apart
    GL.glDepthMask(GL.GL_FALSE)
    GL.glDisable(GL.GL_CULL_FACE)
    corners.bind()
    GL.glDrawArrays(GL.GL_TRIANGLE_STRIP, 0, 4)
    GL.glDepthMask(GL.GL_TRUE)
    GL.glDisable(GL.GL_BLEND)
