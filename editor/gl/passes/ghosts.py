"""Ghosts: drawn solid into a layer of their own, then laid over the frame.

So the inside of a ghost never shows through its outside and overlapping ghosts do not pile up;
what is solid still hides them, because the layer starts with the frame's depth. Where the layer ends, at the
ghosts' outlines and at what hides them, it is drawn stronger.
"""

from editor.gl.api import GL
from editor.gl.buffers import VertexArray
from editor.gl.passes.background import FULL_SCREEN
from editor.gl.screen_bounds import Area
from editor.gl.shader import Program
from editor.gl.targets import Target

_FRAGMENT = """
uniform sampler2D layer;
in vec2 at;
out vec4 color;
uniform ivec2 reach;  // pixels of the outline across and up
void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    color = texelFetch(layer, here, 0);
    if (color.a == 0.0) discard;
    float least = min(
        min(texelFetch(layer, here + ivec2(reach.x, 0), 0).a, texelFetch(layer, here - ivec2(reach.x, 0), 0).a),
        min(texelFetch(layer, here + ivec2(0, reach.y), 0).a, texelFetch(layer, here - ivec2(0, reach.y), 0).a));
    // The outline is one and a half times as opaque, so that near ghosts have the stronger ones.
    if (least == 0.0) color = vec4(color.rgb / color.a, 1.0) * min(1.0, 1.6 * color.a + 0.12);
}
"""


class GhostPass:
    """The layer and its composition; the meshes are drawn by the mesh pass in between."""

    def __init__(self) -> None:
        self._program = Program("ghost layer", FULL_SCREEN, _FRAGMENT)
        self._array = VertexArray()
        self._layer: Target | None = None

    def begin(self, frame: Target, area: Area | None = None) -> None:
        """Draw into the layer from here on.

        Parameters
        ----------
        area : the part of the frame that the ghosts lie in; None is all of it
        """
        if self._layer is None or self._layer.size != frame.size:
            if self._layer is not None:
                self._layer.release()
            self._layer = Target(frame.size)
        frame.copy_to(self._layer.handle, GL.GL_DEPTH_BUFFER_BIT, area)
        self._layer.bind()
        if area is not None:
            GL.glEnable(GL.GL_SCISSOR_TEST)
            GL.glScissor(*area)
        GL.glClearColor(0.0, 0.0, 0.0, 0.0)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT)
        GL.glDisable(GL.GL_BLEND)

    def finish(self, frame: Target, ratio: float = 1.0) -> None:
        """Lay the layer over the frame, with an outline, and draw into the frame again.

        Parameters
        ----------
        ratio : framebuffer pixels for each logical one
        """
        assert self._layer is not None
        frame.bind()
        GL.glDisable(GL.GL_DEPTH_TEST)
        GL.glDisable(GL.GL_CULL_FACE)
        GL.glEnable(GL.GL_BLEND)
        GL.glBlendFunc(GL.GL_ONE, GL.GL_ONE_MINUS_SRC_ALPHA)
        GL.glActiveTexture(GL.GL_TEXTURE0)
        GL.glBindTexture(GL.GL_TEXTURE_2D, self._layer.texture)
        self._program.use()
        self._program.set_int("layer", 0)
        reach = max(1, round(ratio))
        self._program.set_ints("reach", reach, reach)
        self._array.bind()
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
        GL.glDisable(GL.GL_BLEND)
        GL.glDisable(GL.GL_SCISSOR_TEST)
        GL.glEnable(GL.GL_DEPTH_TEST)

    def release(self) -> None:
        """Delete what it holds; the context must be current."""
        self._program.release()
        self._array.release()
        if self._layer is not None:
            self._layer.release()
