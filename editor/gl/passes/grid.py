"""The ground grid, computed per pixel: lines stay one pixel wide and fade before they alias.

Where the processor draws, its pixels are computed when the camera moves only: they are kept as they were before the
mesh hid some of them and taken from there, which gives the same picture to the last bit in a third of the time.
"""

from math import sqrt

import numpy as np

from editor.gl.api import GL
from editor.gl.buffers import Buffer, VertexArray
from editor.gl.camera import Camera, Size, axes, half_extent
from editor.gl.colors import ViewportColors
from editor.gl.draw_list import Grid
from editor.gl.frame_view import FrameView
from editor.gl.passes.veil import draw_veil
from editor.gl.shader import Program
from editor.gl.targets import Target

_VERTEX = """
layout(location = 0) in vec2 corner;
uniform mat4 view_projection;
uniform vec3 centre, across, along;
uniform float radius;
out vec2 at;
void main() {
    vec3 world = centre + (corner.x * across + corner.y * along) * radius;
    at = vec2(dot(world, across), dot(world, along));
    gl_Position = view_projection * vec4(world, 1.0);
}
"""

_FRAGMENT = """
uniform vec4 minor_color, major_color, across_color, along_color;
uniform vec2 middle;
uniform float radius, line_pixels;
uniform bool tinted;
in vec2 at;
out vec4 color;

// Coverage of the lines `spacing` apart, averaging out to nothing as they come closer than pixels.
float lines(vec2 p, vec2 pixel, float spacing) {
    vec2 cell = p / spacing, width = pixel / spacing;
    vec2 off = abs(fract(cell - 0.5) - 0.5) / width;
    vec2 cover = clamp(line_pixels * 0.5 + 0.5 - off, 0.0, 1.0);
    vec2 open = 1.0 - smoothstep(0.05, 0.22, width);
    cover *= open;
    return max(cover.x, cover.y);
}

void main() {
    vec2 pixel = max(fwidth(at), vec2(1e-7));
    float fade = 1.0 - smoothstep(0.25, 1.0, length(at - middle) / radius);
    float fine = lines(at, pixel, 0.1) * minor_color.a;
    float coarse = lines(at, pixel, 1.0) * major_color.a;
    float wide = lines(at, pixel, 10.0) * major_color.a;
    vec4 ink = vec4(minor_color.rgb, fine);
    float strong = max(coarse, wide);
    if (strong > fine) ink = vec4(major_color.rgb, strong);
    if (tinted) {
        vec2 axis = clamp(line_pixels * 0.75 + 0.5 - abs(at) / pixel, 0.0, 1.0);
        ink = mix(ink, vec4(across_color.rgb, 0.85), axis.y);
        ink = mix(ink, vec4(along_color.rgb, 0.85), axis.x);
    }
    ink.a *= fade * fade;
    if (ink.a < 0.002) discard;
    color = ink;
}
"""

_KEPT_FRAGMENT = """
uniform sampler2D kept;
out vec4 color;
void main() {
    color = texelFetch(kept, ivec2(gl_FragCoord.xy), 0);
    if (color.a == 0.0) discard;
}
"""


def grid_plane(camera: Camera) -> tuple[int, int]:
    """The two world axes the grid lies along: the ground, or the picture in a side view.

    A parallel view along the ground would see the ground edge-on; it gets an upright grid.
    """
    if not camera.orthographic:
        return 0, 2
    forward = np.abs(axes(camera)[2])
    if forward[2] > 0.999:
        return 0, 1
    if forward[0] > 0.999:
        return 2, 1
    return 0, 2


class GridPass:
    """10 cm, 1 m and, from far away, 10 m lines; axes in their own colours.

    Parameters
    ----------
    software : the processor draws: what was computed for a camera is kept
    """

    def __init__(self, software: bool = False) -> None:
        self._program = Program("grid", _VERTEX, _FRAGMENT)
        self._again = Program("grid kept", _VERTEX, _KEPT_FRAGMENT) if software else None
        self._array = VertexArray()
        self._corners = Buffer()
        self._corners.fill(np.array([[-1, -1], [1, -1], [-1, 1], [1, 1]], np.float32))
        self._array.floats(0, self._corners, 2)
        self._layer: Target | None = None
        self._kept: tuple[object, ...] | None = None

    def draw(self, grid: Grid, view: FrameView, colors: ViewportColors, target: Target) -> None:
        """One quad, hidden by what is solid, hiding nothing; `target` is bound."""
        if self._again is None or target.samples:
            self._set(self._program, grid, view, colors)
        else:
            wanted = grid, view.camera, view.size, view.pixels, view.pixel_ratio, colors
            if self._kept != wanted:
                self._keep(grid, view, colors)
                target.bind()
                self._kept = wanted
            assert self._layer is not None
            self._set(self._again, grid, view, colors)
            self._again.set_int("kept", 0)
            GL.glActiveTexture(GL.GL_TEXTURE0)
            GL.glBindTexture(GL.GL_TEXTURE_2D, self._layer.texture)
        draw_veil(self._array)
        view.stats.count("grid", 4)

    def _keep(self, grid: Grid, view: FrameView, colors: ViewportColors) -> None:
        """Compute the grid as if nothing hid it; leaves another framebuffer bound."""
        if self._layer is None or self._layer.size != view.pixels:
            if self._layer is not None:
                self._layer.release()
            self._layer = Target(view.pixels, depth=False)
        self._layer.bind()
        GL.glClearColor(0.0, 0.0, 0.0, 0.0)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT)
        self._set(self._program, grid, view, colors)
        GL.glDisable(GL.GL_DEPTH_TEST)
        GL.glDisable(GL.GL_CULL_FACE)
        GL.glDisable(GL.GL_BLEND)
        self._array.bind()
        GL.glDrawArrays(GL.GL_TRIANGLE_STRIP, 0, 4)
        GL.glEnable(GL.GL_DEPTH_TEST)

    def _set(self, program: Program, grid: Grid, view: FrameView, colors: ViewportColors) -> None:
        """Use a program with the place of the grid and, where it computes it, its look."""
        camera = view.camera
        across, along = grid_plane(camera)
        centre = np.array(camera.target)
        normal = 3 - across - along
        centre[normal] = grid.height if normal == 1 else 0.0
        program.use()
        program.set_matrix("view_projection", view.view_projection)
        program.set_float("centre", *centre)
        program.set_float("across", *np.eye(3)[across])
        program.set_float("along", *np.eye(3)[along])
        program.set_float("radius", grid_radius(camera, view.size, grid.height))
        if program is not self._program:
            return
        axis_colors = (colors.axis_x, colors.axis_y, colors.axis_z)
        program.set_float("middle", centre[across], centre[along])
        program.set_float("line_pixels", max(1.0, view.pixel_ratio * 0.9))
        program.set_int("tinted", int(grid.axes))
        program.set_float("minor_color", *colors.grid_minor)
        program.set_float("major_color", *colors.grid_major)
        program.set_float("across_color", *axis_colors[across])
        program.set_float("along_color", *axis_colors[along])

    def release(self) -> None:
        """Delete what it holds; the context must be current."""
        self._program.release()
        if self._again is not None:
            self._again.release()
        if self._layer is not None:
            self._layer.release()
        self._layer = self._kept = None
        self._array.release()
        self._corners.release()


def grid_radius(camera: Camera, size: Size, height: float) -> float:
    """How far from under the target the grid has faded away, metres."""
    half_x, half_y = half_extent(camera, size)
    if camera.orthographic:
        return max(20.0, 2.5 * sqrt(half_x * half_x + half_y * half_y))
    rise = abs(camera.target[1] - height)
    return max(9.0, 3.2 * camera.distance + rise)
