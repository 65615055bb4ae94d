"""A terrain: lit by the slope of its faces, with lines of a metre grid, fading into the background far away."""

import numpy as np

from editor.gl.api import GL
from editor.gl.buffers import Buffer, VertexArray
from editor.gl.colors import ViewportColors
from editor.gl.draw_list import Floor, Surface
from editor.gl.frame_view import FrameView
from editor.gl.passes.shadow import ShadowPass
from editor.gl.shader import Program

_VERTEX = """
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 face;
uniform mat4 view_projection;
out vec3 world;
flat out vec3 normal;
void main() {
    world = position;
    normal = face;
    gl_Position = view_projection * vec4(position, 1.0);
}
"""

_FRAGMENT = """
uniform vec4 flat_color, steep_color, line_color, top, bottom, shade;
uniform vec3 eye, centre;
uniform float radius, line_pixels, half_size, rows, walkable;
uniform sampler2D image;
in vec3 world;
flat in vec3 normal;
out vec4 color;

float lines(vec2 p, vec2 pixel) {
    vec2 off = abs(fract(p - 0.5) - 0.5) / pixel;
    vec2 cover = clamp(line_pixels * 0.5 + 0.5 - off, 0.0, 1.0) * (1.0 - smoothstep(0.05, 0.25, pixel));
    return max(cover.x, cover.y);
}

void main() {
    // The grid of a wall runs along it and up; of ground over x and z.
    bool upright = abs(normal.y) < 0.5;
    vec2 across = normalize(vec2(-normal.z, normal.x) + vec2(0.0, 1e-6));
    vec2 at = upright ? vec2(dot(world.xz, across), world.y) : world.xz;
    vec2 pixel = max(fwidth(at), vec2(1e-6));
    float light = 0.80 + 0.20 * max(normal.y, 0.0) + 0.10 * dot(normal, vec3(0.45, 0.0, 0.55));
    float steep = smoothstep(walkable + 0.01, walkable - 0.01, normal.y) * step(0.02, abs(normal.y));
    vec3 ink = mix(flat_color.rgb, steep_color.rgb, steep) * light;
    ink = mix(ink, line_color.rgb, lines(at, pixel) * line_color.a * (upright ? 0.6 : 1.0));
    vec2 under = (world.xz - centre.xy) / half_size * 0.5 + 0.5;
    if (shade.a > 0.0 && normal.y > 0.3 && abs(world.y - centre.z) < 0.7
        && under == clamp(under, 0.0, 1.0)) {
        vec2 dark = texture(image, under).rg;
        vec2 edge = smoothstep(0.0, 0.1, under) * smoothstep(0.0, 0.1, 1.0 - under);
        float cover = (1.0 - (1.0 - 0.85 * dark.r) * (1.0 - 0.72 * dark.g)) * shade.a * edge.x * edge.y;
        ink = mix(ink, shade.rgb, cover);
    }
    vec3 sky = mix(bottom.rgb, top.rgb, smoothstep(0.0, 1.0, gl_FragCoord.y / rows));
    float fade = smoothstep(0.25, 1.0, length(world - eye) / radius);
    color = vec4(mix(ink, sky, fade), 1.0);
}
"""

FADED = 70.0
"""Metres from the eye at which the floor has become background, at the least."""
WALKABLE = 0.7071
"""Upward part of the normal of 45°: what is steeper is tinted."""


class FloorPass:
    """Keeps the triangles of one surface."""

    def __init__(self) -> None:
        self._program = Program("floor", _VERTEX, _FRAGMENT)
        self._data = Buffer()
        self._array = VertexArray()
        self._array.floats(0, self._data, 3, 24)
        self._array.floats(1, self._data, 3, 24, 12)
        self._surface: Surface | None = None

    def draw(self, floor: Floor, view: FrameView, colors: ViewportColors, shadow: ShadowPass) -> None:
        """Draw it, solid; call it after the background and before what stands on it."""
        surface = floor.surface
        if surface is not self._surface:
            rows = np.empty((len(surface.corners), 3, 6), np.float32)
            rows[:, :, :3], rows[:, :, 3:] = surface.corners, surface.normals[:, None]
            self._data.fill(rows)
            self._surface = surface
        program = self._program
        program.use()
        program.set_matrix("view_projection", view.view_projection)
        program.set_float("flat_color", *colors.floor)
        program.set_float("steep_color", *colors.floor_steep)
        program.set_float("line_color", *colors.grid_major)
        program.set_float("top", *colors.background_top)
        program.set_float("bottom", *colors.background_bottom)
        program.set_float("eye", *view.eye)
        program.set_float("radius", max(FADED, 6.0 * view.camera.distance))
        program.set_float("line_pixels", max(1.0, view.pixel_ratio * 0.9))
        program.set_float("rows", float(view.pixels[1]))
        program.set_float("walkable", WALKABLE)
        shadow.lay(program, colors)
        GL.glDisable(GL.GL_CULL_FACE)
        self._array.bind()
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3 * len(surface.corners))
        view.stats.count("floor", 3 * len(surface.corners))

    def release(self) -> None:
        """Delete what it holds; the context must be current."""
        self._program.release()
        self._array.release()
        self._data.release()
        self._surface = None
