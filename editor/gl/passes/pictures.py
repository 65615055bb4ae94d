"""Reference pictures: flat rectangles of the view, behind everything or in front of it.

Where the processor draws, a picture that is opaque and needs no scaling is copied: at 1600 x 900 that takes half a
millisecond instead of ten.
"""

from editor.gl.api import GL
from editor.gl.buffers import VertexArray
from editor.gl.camera import Size
from editor.gl.colors import ViewportColors
from editor.gl.draw_list import PictureShape, PictureSource
from editor.gl.frame_view import FrameView
from editor.gl.passes.background import GRADIENT, BackgroundPass, set_gradient
from editor.gl.shader import Program
from editor.gl.targets import Target

_UNIT = 6
_KEPT = 4

_VERTEX = """
uniform vec4 place;
out vec2 at;
void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    at = corner;
    gl_Position = vec4(mix(place.xy, place.zw, corner), 0.0, 1.0);
}
"""

# Over the whole view its background is mixed in here, which spares drawing that before and blending with it. Each way
# is a program of its own: the processor would work out what a test leaves out.
_FRAGMENT = (
    GRADIENT
    + """
uniform sampler2D image;
uniform float opacity;
in vec2 at;
out vec4 color;
#ifdef DRAWN
uniform vec2 pixels;
vec3 ground() { return gradient(gl_FragCoord.xy / pixels); }
#endif
#ifdef KEPT
uniform sampler2D background;
vec3 ground() { return texelFetch(background, ivec2(gl_FragCoord.xy), 0).rgb; }
#endif
void main() {
    vec3 shown = texture(image, at).rgb;
#if defined(DRAWN) || defined(KEPT)
    color = vec4(mix(ground(), shown, opacity), 1.0);
#else
    color = vec4(shown, opacity);
#endif
}
"""
)
_WAYS = {"": "", "drawn": "#define DRAWN\n", "kept": "#define KEPT\n"}
"""What a picture is laid over: what is there, the background drawn with it, or one that was drawn before."""


def covers(shape: PictureShape, size: Size) -> bool:
    """Whether a picture lies over all of the background, which it then draws itself as far as it is seen."""
    left, top, right, bottom = shape.place
    inside = left <= 0.0 and top <= 0.0 and right >= size[0] and bottom >= size[1]
    return shape.behind and inside


class PicturePass:
    """Keeps the pictures shown last on the graphics card; a picture is sent once."""

    def __init__(self, copies: bool) -> None:
        self._copies = copies
        self._programs: dict[str, Program] = {}
        self._array = VertexArray()
        self._kept: list[_Uploaded] = []

    def draw(
        self,
        shapes: tuple[PictureShape, ...],
        behind: bool,
        view: FrameView,
        target: Target,
        colors: ViewportColors,
        background: BackgroundPass,
    ) -> None:
        """Draw the pictures of one depth, in order; the first over the whole view stands for the background."""
        backed = next((shape for shape in shapes if covers(shape, view.size)), None) if behind else None
        for shape in shapes if backed is None else (backed, *(s for s in shapes if s is not backed)):
            if shape.behind is behind:
                self._draw(shape, view, target, (colors, background) if shape is backed else None)

    def _program(self, way: str) -> Program:
        if way not in self._programs:
            self._programs[way] = Program(f"picture {way}".strip(), _VERTEX, _WAYS[way] + _FRAGMENT)
        return self._programs[way]

    def _draw(
        self,
        shape: PictureShape,
        view: FrameView,
        target: Target,
        backed: tuple[ViewportColors, BackgroundPass] | None,
    ) -> None:
        kept = self._uploaded(shape.source)
        view.stats.count("pictures", 4)
        large = (
            4 * kept.size[0] * kept.size[1] > target.size[0] * target.size[1]
        )  # a copy waits for what came before
        if (
            self._copies
            and large
            and shape.opacity >= 1.0
            and not target.samples
            and kept.copy(shape, view, target)
        ):
            return
        kept_ground = backed[1].kept(backed[0], target) if backed is not None else 0
        program = self._program("" if backed is None else "kept" if kept_ground else "drawn")
        GL.glDisable(GL.GL_DEPTH_TEST)
        GL.glDisable(GL.GL_CULL_FACE)
        program.use()
        program.set_int("image", _UNIT)
        self._array.bind()
        GL.glActiveTexture(GL.GL_TEXTURE0 + _UNIT)
        GL.glBindTexture(GL.GL_TEXTURE_2D, kept.texture)
        kept.filter(shape, view)
        left, top, right, bottom = shape.place
        width, height = view.size
        program.set_float(
            "place", 2.0 * left / width - 1.0, 1.0 - 2.0 * bottom / height,
            2.0 * right / width - 1.0, 1.0 - 2.0 * top / height,
        )  # fmt: skip
        program.set_float("opacity", shape.opacity)
        if backed is None:
            GL.glEnable(GL.GL_BLEND)
        elif kept_ground:
            program.set_int("background", _UNIT + 1)
            GL.glActiveTexture(GL.GL_TEXTURE0 + _UNIT + 1)
            GL.glBindTexture(GL.GL_TEXTURE_2D, kept_ground)
        else:
            program.set_float("pixels", float(view.pixels[0]), float(view.pixels[1]))
            set_gradient(program, backed[0])
        GL.glBlendFuncSeparate(
            GL.GL_SRC_ALPHA, GL.GL_ONE_MINUS_SRC_ALPHA, GL.GL_ZERO, GL.GL_ONE
        )  # the view stays opaque
        GL.glDrawArrays(GL.GL_TRIANGLE_STRIP, 0, 4)
        GL.glDisable(GL.GL_BLEND)
        GL.glBindTexture(GL.GL_TEXTURE_2D, 0)
        GL.glActiveTexture(GL.GL_TEXTURE0 + _UNIT)
        GL.glBindTexture(GL.GL_TEXTURE_2D, 0)
        GL.glActiveTexture(GL.GL_TEXTURE0)
        GL.glEnable(GL.GL_DEPTH_TEST)

    def _uploaded(self, source: PictureSource) -> "_Uploaded":
        """The texture of a picture; that of the one not used for longest is taken for a new one."""
        found = next((kept for kept in self._kept if kept.source is source), None)
        if found is None:
            same = [kept for kept in self._kept if kept.size == source.size]
            if len(same) >= 2 or (same and len(self._kept) >= _KEPT):
                found = same[0]
            else:
                if len(self._kept) >= _KEPT:
                    self._kept.pop(0).release()
                found = _Uploaded(source.size, self._copies)
                self._kept.append(found)
            found.fill(source)
        self._kept.remove(found)
        self._kept.append(found)
        return found

    def release(self) -> None:
        """Delete what it holds; the context must be current."""
        for kept in self._kept:
            kept.release()
        self._kept = []
        for program in self._programs.values():
            program.release()
        self._array.release()


class _Uploaded:
    """A texture of one size; where it is to be copied from, with a framebuffer around it."""

    def __init__(self, size: tuple[int, int], copies: bool) -> None:
        self.size = size
        self.source: PictureSource | None = None
        self.texture = int(GL.glGenTextures(1))
        GL.glActiveTexture(GL.GL_TEXTURE0 + _UNIT)
        GL.glBindTexture(GL.GL_TEXTURE_2D, self.texture)
        GL.glTexImage2D(
            GL.GL_TEXTURE_2D, 0, GL.GL_RGBA8, size[0], size[1], 0, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE, None
        )
        for what, value in (
            (GL.GL_TEXTURE_MIN_FILTER, GL.GL_LINEAR),
            (GL.GL_TEXTURE_MAG_FILTER, GL.GL_LINEAR),
            (GL.GL_TEXTURE_WRAP_S, GL.GL_CLAMP_TO_EDGE),
            (GL.GL_TEXTURE_WRAP_T, GL.GL_CLAMP_TO_EDGE),
        ):
            GL.glTexParameteri(GL.GL_TEXTURE_2D, what, value)
        self._framebuffer = 0
        if copies:
            self._framebuffer = int(GL.glGenFramebuffers(1))
            GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, self._framebuffer)
            GL.glFramebufferTexture2D(
                GL.GL_READ_FRAMEBUFFER, GL.GL_COLOR_ATTACHMENT0, GL.GL_TEXTURE_2D, self.texture, 0
            )

    def fill(self, source: PictureSource) -> None:
        """Send another picture of the same size."""
        GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 4)
        GL.glActiveTexture(GL.GL_TEXTURE0 + _UNIT)
        GL.glBindTexture(GL.GL_TEXTURE_2D, self.texture)
        GL.glTexSubImage2D(
            GL.GL_TEXTURE_2D,
            0,
            0,
            0,
            self.size[0],
            self.size[1],
            GL.GL_RGBA,
            GL.GL_UNSIGNED_BYTE,
            source.pixels,
        )
        self.source = source

    def filter(self, shape: PictureShape, view: FrameView) -> None:
        """Smooth it where it is scaled; it is bound."""
        left, top, right, bottom = (round(edge * view.pixel_ratio) for edge in shape.place)
        how = GL.GL_NEAREST if (right - left, bottom - top) == self.size else GL.GL_LINEAR
        GL.glTexParameteri(GL.GL_TEXTURE_2D, GL.GL_TEXTURE_MIN_FILTER, how)
        GL.glTexParameteri(GL.GL_TEXTURE_2D, GL.GL_TEXTURE_MAG_FILTER, how)

    def copy(self, shape: PictureShape, view: FrameView, target: Target) -> bool:
        """Copy what of it is in the view, if it needs no scaling; whether that was so."""
        left, top, right, bottom = (round(edge * view.pixel_ratio) for edge in shape.place)
        if (right - left, bottom - top) != self.size:
            return False
        across, down = target.size
        x0, x1 = max(left, 0), min(right, across)
        y0, y1 = max(down - bottom, 0), min(down - top, down)
        if x0 < x1 and y0 < y1:
            dx, dy = left, down - bottom
            GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, self._framebuffer)
            GL.glBindFramebuffer(GL.GL_DRAW_FRAMEBUFFER, target.handle)
            GL.glBlitFramebuffer(
                x0 - dx, y0 - dy, x1 - dx, y1 - dy, x0, y0, x1, y1, GL.GL_COLOR_BUFFER_BIT, GL.GL_NEAREST
            )
            GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, target.handle)
        return True

    def release(self) -> None:
        """Delete it; the context must be current."""
        if self._framebuffer:
            GL.glDeleteFramebuffers(1, [self._framebuffer])
        GL.glDeleteTextures(1, [self.texture])
        self.source = None
