"""The soft vertical gradient behind everything, a little darker towards the corners."""

from editor.gl.api import GL
from editor.gl.buffers import VertexArray
from editor.gl.colors import ViewportColors
from editor.gl.shader import Program
from editor.gl.targets import Target

FULL_SCREEN = """
out vec2 at;
void main() {
    at = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
    gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0);
}
"""

# A little noise hides the steps a slow gradient shows on an 8-bit screen.
GRADIENT = """
uniform vec4 top, bottom;
uniform float vignette;
float noise(vec2 p) { return fract(52.9829189 * fract(dot(p, vec2(0.06711056, 0.00583715)))); }
vec3 gradient(vec2 at) {
    vec2 off = at - 0.5;
    vec3 color = (mix(bottom, top, smoothstep(0.0, 1.0, at.y)) * (1.0 - vignette * dot(off, off))).rgb;
    return color + (noise(gl_FragCoord.xy) - 0.5) / 255.0;
}
"""

_FRAGMENT = (
    GRADIENT
    + """
in vec2 at;
out vec4 color;
void main() { color = vec4(gradient(at), 1.0); }
"""
)


def set_gradient(program: Program, colors: ViewportColors) -> None:
    """Give a program in use the colours of `GRADIENT`."""
    program.set_float("top", *colors.background_top)
    program.set_float("bottom", *colors.background_bottom)
    program.set_float("vignette", colors.vignette)


class BackgroundPass:
    """Fills the frame; nothing before it needs clearing but depth.

    Parameters
    ----------
    software : the processor draws: what was drawn once is copied, which takes a tenth of the time
    """

    def __init__(self, software: bool = False) -> None:
        self._program = Program("background", FULL_SCREEN, _FRAGMENT)
        self._array = VertexArray()
        self._software = software
        self._kept: tuple[ViewportColors, Target] | None = None

    def draw(self, colors: ViewportColors, target: Target) -> None:
        """Fill a target that is bound."""
        if not self._software or target.samples:
            self._fill(colors)
            return
        self._keep(colors, target).copy_to(target.handle, GL.GL_COLOR_BUFFER_BIT)
        target.bind()

    def kept(self, colors: ViewportColors, target: Target) -> int:
        """The texture of the whole background, for what is laid over all of it; 0 where none is kept."""
        if not self._software or target.samples:
            return 0
        texture = self._keep(colors, target).texture
        target.bind()
        return texture

    def _keep(self, colors: ViewportColors, target: Target) -> Target:
        """What is copied, drawn if colours or size are others; may leave it bound."""
        if self._kept is None or self._kept[0] != colors or self._kept[1].size != target.size:
            if self._kept is not None:
                self._kept[1].release()
            self._kept = colors, Target(target.size, depth=False)
            self._kept[1].bind()
            self._fill(colors)
        return self._kept[1]

    def _fill(self, colors: ViewportColors) -> None:
        """One full-screen triangle."""
        GL.glDisable(GL.GL_DEPTH_TEST)
        GL.glDisable(GL.GL_BLEND)
        self._program.use()
        set_gradient(self._program, colors)
        self._array.bind()
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
        GL.glEnable(GL.GL_DEPTH_TEST)

    def release(self) -> None:
        """Delete what it holds; the context must be current."""
        self._program.release()
        self._array.release()
        if self._kept is not None:
            self._kept[1].release()
            self._kept = None
