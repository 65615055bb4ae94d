"""Lines, points and flat triangles: smooth at any pixel ratio without multisampling."""

import numpy as np

from core.arrays import Float32Array
from editor.gl.api import GL
from editor.gl.buffers import Buffer, VertexArray
from editor.gl.draw_list import Layer, Lines, Points, Shape, Triangles
from editor.gl.frame_view import FrameView
from editor.gl.shader import Program

_CORNERS = np.array([[0, -1], [1, -1], [0, 1], [1, 1]], np.float32)

# Each segment is a quad in screen space, wide enough for its soft edge. Ends behind the eye are cut
# off first: dividing by their depth would throw them to the wrong side.
_LINE_VERTEX = """
layout(location = 0) in vec2 corner;
layout(location = 1) in vec3 start;
layout(location = 2) in vec3 end;
layout(location = 3) in vec4 start_color;
layout(location = 4) in vec4 end_color;
layout(location = 5) in vec2 widths;
uniform mat4 matrix;
uniform vec2 viewport;
uniform float ratio;
noperspective out vec2 at;
noperspective out vec4 ink;
flat out vec3 shape;  // length, radius at start, radius at end (framebuffer pixels)
void main() {
    vec4 a = matrix * vec4(start, 1.0), b = matrix * vec4(end, 1.0);
    vec4 ca = start_color, cb = end_color;
    float da = a.z + a.w, db = b.z + b.w;
    at = vec2(0.0);
    ink = ca;
    shape = vec3(0.0);
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    if (da <= 0.0 && db <= 0.0) return;
    if (da < 0.0) { float t = da / (da - db) + 1e-5; a = mix(a, b, t); ca = mix(ca, cb, t); }
    else if (db < 0.0) { float t = db / (db - da) + 1e-5; b = mix(b, a, t); cb = mix(cb, ca, t); }
    vec2 pa = a.xy / a.w * viewport * 0.5, pb = b.xy / b.w * viewport * 0.5;
    vec2 run = pb - pa;
    float len = length(run);
    vec2 dir = len > 1e-4 ? run / len : vec2(1.0, 0.0);
    vec2 radius = max(widths * ratio * 0.5, vec2(0.35));
    float reach = max(radius.x, radius.y) + 1.0;
    vec4 here = corner.x < 0.5 ? a : b;
    vec2 pixel = (corner.x < 0.5 ? pa - dir * reach : pb + dir * reach) + vec2(-dir.y, dir.x) * corner.y * reach;
    at = vec2(corner.x < 0.5 ? -reach : len + reach, corner.y * reach);
    ink = corner.x < 0.5 ? ca : cb;
    shape = vec3(len, radius);
    gl_Position = vec4(pixel / (viewport * 0.5) * here.w, here.z, here.w);
}
"""

_LINE_FRAGMENT = """
noperspective in vec2 at;
noperspective in vec4 ink;
flat in vec3 shape;
uniform float dash;
uniform bool caps;
out vec4 color;
void main() {
    float x = clamp(at.x, 0.0, shape.x);
    float radius = mix(shape.y, shape.z, shape.x > 0.0 ? x / shape.x : 0.0);
    float off = 0.0;
    if (abs(shape.y - shape.z) > 0.01) off = max(abs(at.y) - radius, abs(at.x - x) - 0.5);
    else if (caps) off = length(vec2(at.x - x, at.y)) - radius;
    else if (at.x < 0.0 || at.x >= shape.x) discard;
    else off = abs(at.y) - radius;
    float cover = clamp(0.5 - off, 0.0, 1.0);
    if (dash > 0.0) {
        float phase = abs(mod(at.x, dash * 2.0) - dash);
        cover *= clamp(phase - dash * 0.5 + 0.5, 0.0, 1.0);
    }
    float alpha = ink.a * cover;
    if (alpha < 0.004) discard;
    color = vec4(ink.rgb * alpha, alpha);
}
"""

_POINT_VERTEX = """
layout(location = 0) in vec2 corner;
layout(location = 1) in vec3 centre;
layout(location = 2) in vec4 fill;
layout(location = 3) in float size;
uniform mat4 matrix;
uniform vec2 viewport;
uniform float ratio;
noperspective out vec2 at;
flat out vec4 ink;
flat out float radius;
void main() {
    vec4 p = matrix * vec4(centre, 1.0);
    ink = fill;
    radius = max(size * ratio * 0.5, 0.5);
    float reach = radius + 1.0;
    at = vec2(corner.x * 2.0 - 1.0, corner.y) * reach;
    if (p.z + p.w <= 0.0) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    gl_Position = vec4(p.xy + at / (viewport * 0.5) * p.w, p.z, p.w);
}
"""

_POINT_FRAGMENT = """
noperspective in vec2 at;
flat in vec4 ink;
flat in float radius;
uniform int glyph;
uniform vec4 outline;
uniform float outline_width;
out vec4 color;
void main() {
    vec2 p = abs(at);
    float off = length(p) - radius;
    if (glyph == 1) off = max(p.x, p.y) - radius * 0.886;
    if (glyph == 2) off = (p.x + p.y - radius) * 0.7071;
    float cover = clamp(0.5 - off, 0.0, 1.0);
    if (glyph == 3) cover *= clamp(off + outline_width + 0.5, 0.0, 1.0);
    vec4 mark = ink;
    if (outline.a > 0.0 && glyph != 3) mark = mix(mark, outline, clamp(off + outline_width + 0.5, 0.0, 1.0));
    float alpha = mark.a * cover;
    if (alpha < 0.004) discard;
    color = vec4(mark.rgb * alpha, alpha);
}
"""

_FLAT_VERTEX = """
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 fill;
uniform mat4 matrix;
out vec4 ink;
void main() { ink = fill; gl_Position = matrix * vec4(position, 1.0); }
"""

_FLAT_FRAGMENT = """
in vec4 ink;
out vec4 color;
void main() { color = vec4(ink.rgb * ink.a, ink.a); }
"""


class ShapePass:
    """Draws one shape at a time; the order is the caller's."""

    def __init__(self) -> None:
        self._lines = Program("lines", _LINE_VERTEX, _LINE_FRAGMENT)
        self._points = Program("points", _POINT_VERTEX, _POINT_FRAGMENT)
        self._flat = Program("flat", _FLAT_VERTEX, _FLAT_FRAGMENT)
        self._corners = Buffer()
        self._corners.fill(_CORNERS)
        self._data = Buffer(usage=GL.GL_STREAM_DRAW)
        self._line_array = self._instanced((3, 3, 4, 4, 2))
        self._point_array = self._instanced((3, 4, 1))
        self._flat_array = VertexArray()
        self._flat_array.floats(0, self._data, 3, 28)
        self._flat_array.floats(1, self._data, 4, 28, 12)

    def _instanced(self, sizes: tuple[int, ...]) -> VertexArray:
        array = VertexArray()
        array.floats(0, self._corners, 2)
        stride, offset = sum(sizes) * 4, 0
        for location, size in enumerate(sizes, start=1):
            array.floats(location, self._data, size, stride, offset, divisor=1)
            offset += size * 4
        return array

    def draw(self, shape: Shape, view: FrameView) -> None:
        """Draw one shape in its layer."""
        if not len(shape.points):
            return
        _enter(shape.layer)
        if isinstance(shape, Lines):
            self._draw_lines(shape, view)
        elif isinstance(shape, Points):
            self._draw_points(shape, view)
        else:
            self._draw_triangles(shape, view)
        _leave()

    def _begin(self, program: Program, layer: Layer, view: FrameView) -> None:
        program.use()
        program.set_matrix("matrix", pixel_matrix(view) if layer is Layer.OVERLAY else view.view_projection)

    def _draw_lines(self, lines: Lines, view: FrameView) -> None:
        self._data.fill(line_rows(lines))
        self._begin(self._lines, lines.layer, view)
        self._lines.set_float("viewport", *view.pixels)
        self._lines.set_float("ratio", view.pixel_ratio)
        self._lines.set_float("dash", lines.dash * view.pixel_ratio)
        self._lines.set_int("caps", int(lines.caps))
        self._line_array.bind()
        GL.glDrawArraysInstanced(GL.GL_TRIANGLE_STRIP, 0, 4, len(lines.points))
        view.stats.count("lines", 4 * len(lines.points))

    def _draw_points(self, points: Points, view: FrameView) -> None:
        count = len(points.points)
        rows = np.empty((count, 8), np.float32)
        rows[:, :3], rows[:, 3:7], rows[:, 7] = points.points, points.colors, points.sizes
        self._data.fill(rows)
        program = self._points
        self._begin(program, points.layer, view)
        program.set_float("viewport", *view.pixels)
        program.set_float("ratio", view.pixel_ratio)
        program.set_int("glyph", int(points.shape))
        program.set_float("outline", *points.outline)
        program.set_float("outline_width", points.outline_width * view.pixel_ratio)
        self._point_array.bind()
        GL.glDrawArraysInstanced(GL.GL_TRIANGLE_STRIP, 0, 4, count)
        view.stats.count("points", 4 * count)

    def _draw_triangles(self, triangles: Triangles, view: FrameView) -> None:
        count = len(triangles.points)
        rows = np.empty((count, 3, 7), np.float32)
        rows[:, :, :3] = triangles.points
        rows[:, :, 3:] = triangles.colors if triangles.colors.ndim == 1 else triangles.colors[:, None]
        self._data.fill(rows)
        self._begin(self._flat, triangles.layer, view)
        self._flat_array.bind()
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3 * count)
        view.stats.count("triangles", 3 * count)

    def release(self) -> None:
        """Delete what it holds; the context must be current."""
        for thing in (
            self._lines, self._points, self._flat, self._corners, self._data,
            self._line_array, self._point_array, self._flat_array,
        ):  # fmt: skip
            thing.release()


def line_rows(lines: Lines) -> Float32Array:
    """Per-instance data (N, 16): both ends, both colours, both widths."""
    rows = np.empty((len(lines.points), 16), np.float32)
    rows[:, 0:3], rows[:, 3:6] = lines.points[:, 0], lines.points[:, 1]
    if lines.colors.ndim == 3:
        rows[:, 6:10], rows[:, 10:14] = lines.colors[:, 0], lines.colors[:, 1]
    else:
        rows[:, 6:10] = rows[:, 10:14] = lines.colors
    rows[:, 14:16] = lines.width
    return rows


def pixel_matrix(view: FrameView) -> Float32Array:
    """Logical pixels from the top left corner to clip space."""
    width, height = view.size
    matrix = np.eye(4, dtype=np.float32)
    matrix[0, 0], matrix[1, 1] = 2.0 / width, -2.0 / height
    matrix[0, 3], matrix[1, 3] = -1.0, 1.0
    matrix[2, 2] = 0.0
    return matrix


def _enter(layer: Layer) -> None:
    GL.glEnable(GL.GL_BLEND)
    GL.glBlendFunc(GL.GL_ONE, GL.GL_ONE_MINUS_SRC_ALPHA)
    GL.glDisable(GL.GL_CULL_FACE)
    GL.glDepthMask(GL.GL_FALSE)
    if layer >= Layer.FRONT:
        GL.glDisable(GL.GL_DEPTH_TEST)
    elif layer is Layer.XRAY:
        GL.glDepthRange(0.02, 0.1)


def _leave() -> None:
    GL.glDepthMask(GL.GL_TRUE)
    GL.glDepthRange(0.1, 1.0)
    GL.glEnable(GL.GL_DEPTH_TEST)
    GL.glDisable(GL.GL_BLEND)
