"""Bones drawn through the mesh: instanced, see-through, outlined, sorted from back to front."""

import numpy as np

from core.arrays import Float32Array
from editor.gl.api import GL
from editor.gl.bone_geometry import bone_frames, bone_widths, state_colors, unit_octahedron, unit_sphere
from editor.gl.bone_handles import HANDLE, OUTLINE, chosen_bones, handle_bones, outline_segments
from editor.gl.buffers import Buffer, VertexArray
from editor.gl.camera import axes
from editor.gl.colors import ViewportColors, with_alpha
from editor.gl.draw_list import BoneShapes, BoneState, BoneStyle, Layer, Lines, Points
from editor.gl.frame_view import FrameView
from editor.gl.passes.shapes import ShapePass
from editor.gl.shader import Program

_VERTEX = """
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 origin;
layout(location = 3) in vec3 along;
layout(location = 4) in vec3 side;
layout(location = 5) in vec3 over;
layout(location = 6) in vec4 fill;
layout(location = 7) in vec4 outline;
uniform mat4 view_projection;
out vec3 facing, world, corner;
flat out vec4 inside, rim;
void main() {
    world = origin + side * position.x + along * position.y + over * position.z;
    facing = normal.x * cross(along, over) + normal.y * cross(over, side) + normal.z * cross(side, along);
    int which = gl_VertexID % 3;
    corner = vec3(which == 0, which == 1, which == 2);
    inside = fill;
    rim = outline;
    gl_Position = view_projection * vec4(world, 1.0);
}
"""

_FRAGMENT = """
in vec3 facing, world, corner;
flat in vec4 inside, rim;
uniform vec3 eye, look, right, up;
uniform bool parallel, round_shape;
uniform float line_pixels;
out vec4 color;
void main() {
    vec3 n = normalize(facing);
    vec3 v = parallel ? -look : normalize(eye - world);
    float light = 0.80 + 0.26 * dot(n, normalize(up - 0.6 * right - 0.5 * look));
    float line;
    if (round_shape) {
        line = smoothstep(0.62, 0.78, 1.0 - abs(dot(n, v)));
    } else {
        vec3 step = max(fwidth(corner), vec3(1e-6));
        vec3 away = corner / step;
        line = 1.0 - clamp(min(away.x, min(away.y, away.z)) - line_pixels * 0.5 + 0.5, 0.0, 1.0);
        // A face of a few pixels would be nothing but outline: it keeps its colour instead.
        line *= mix(0.45, 1.0, smoothstep(0.5, 2.0, 0.33 / max(step.x, max(step.y, step.z)) / line_pixels));
    }
    vec4 body = vec4(min(inside.rgb * light, vec3(1.0)), inside.a);
    color = mix(body, vec4(rim.rgb, max(rim.a, inside.a)), line);
    color.rgb *= color.a;
}
"""


STICK = 3.0
"""Width of a stick, logical pixels."""


class BonesPass:
    """Octahedra or balls as instances; sticks, links and joint dots through the shape pass."""

    def __init__(self, shapes: ShapePass) -> None:
        self._shapes = shapes
        self._program = Program("bones", _VERTEX, _FRAGMENT)
        self._instances = Buffer(usage=GL.GL_STREAM_DRAW)
        self._bodies: dict[BoneStyle, tuple[Buffer, VertexArray, int]] = {}
        for style, vertices in ((BoneStyle.OCTAHEDRAL, unit_octahedron()), (BoneStyle.SPHERE, unit_sphere())):
            buffer, array = Buffer(), VertexArray()
            buffer.fill(vertices)
            array.floats(0, buffer, 3, 24)
            array.floats(1, buffer, 3, 24, 12)
            offset = 0
            for location, size in ((2, 3), (3, 3), (4, 3), (5, 3), (6, 4), (7, 4)):
                array.floats(location, self._instances, size, 80, offset, divisor=1)
                offset += size * 4
            self._bodies[style] = buffer, array, len(vertices)

    def draw(self, bones: BoneShapes, view: FrameView, colors: ViewportColors) -> None:
        """Draw the whole skeleton in front of the mesh; bones hide each other by depth."""
        order = _visible(bones)
        if not len(order):
            return
        depth = (bones.heads[order] + bones.tails[order]) @ axes(view.camera)[2].astype(np.float32)
        order = order[np.argsort(-depth)]
        chosen = np.isin(order, chosen_bones(bones))
        order, count = np.concatenate([order[~chosen], order[chosen]]), int(np.count_nonzero(chosen))
        fill, outline = state_colors(bones, colors)
        if bones.links is not None and len(bones.links):
            quiet = np.array(with_alpha(colors.bone, 0.45), np.float32)
            self._shapes.draw(Lines(bones.links, quiet, 1.0, 4.0, Layer.XRAY), view)
        if bones.style is not BoneStyle.OCTAHEDRAL:
            self._draw_sticks(bones, order, fill, view)
        rows = instance_rows(bones, order, fill, outline)
        self._begin_bodies(bones, view)
        self._draw_bodies(bones, rows[: len(rows) - count], view)
        round_joints = bones.solid or bones.style is BoneStyle.STICK
        if count:  # what is selected lies over the rest, with a line around it
            self._draw_selection(bones, order[-count:], rows[-count:], view, colors)
        if not round_joints:
            order = handle_bones(bones, view.camera, view.size)
        self._draw_joints(bones, order, fill, view, colors)

    def _draw_sticks(self, bones: BoneShapes, order: np.ndarray, fill: Float32Array, view: FrameView) -> None:  # type: ignore[type-arg]
        ends = np.stack([bones.heads[order], bones.tails[order]], axis=1)
        ink = fill[order].copy()
        ink[:, 3] = np.minimum(ink[:, 3] * 1.5, 1.0)
        thin = 1.5 if bones.style is BoneStyle.SPHERE else STICK
        self._shapes.draw(Lines(ends, ink, thin, layer=Layer.XRAY), view)

    def _draw_joints(
        self,
        bones: BoneShapes,
        order: np.ndarray,  # type: ignore[type-arg]
        fill: Float32Array,
        view: FrameView,
        colors: ViewportColors,
    ) -> None:
        ink = fill[order].copy()
        ink[:, 3] = np.minimum(ink[:, 3] * 1.6, 1.0)
        rim = with_alpha(colors.bone_outline, 1.0 if bones.solid else 0.7)
        self._shapes.draw(Points(bones.heads[order], ink, HANDLE, rim, layer=Layer.XRAY), view)

    def _draw_selection(
        self,
        bones: BoneShapes,
        numbers: np.ndarray,  # type: ignore[type-arg]
        rows: Float32Array,
        view: FrameView,
        colors: ViewportColors,
    ) -> None:
        """What is selected, and a white and a dark line around all of it, which shows on any colour.

        The bones themselves are marked in the stencil; wide lines along their edges are drawn where it is not set.
        """
        GL.glEnable(GL.GL_STENCIL_TEST)
        GL.glStencilFunc(GL.GL_ALWAYS, 1, 0xFF)
        GL.glStencilOp(GL.GL_REPLACE, GL.GL_REPLACE, GL.GL_REPLACE)
        self._draw_bodies(bones, rows, view)
        edges, own = outline_segments(bones, numbers, rows, view.camera), 0.0
        if bones.style is not BoneStyle.OCTAHEDRAL:
            own = STICK
            GL.glColorMask(GL.GL_FALSE, GL.GL_FALSE, GL.GL_FALSE, GL.GL_FALSE)
            sticks = edges[: len(numbers)]
            self._shapes.draw(Lines(sticks, np.ones(4, np.float32), own, layer=Layer.FRONT), view)
            GL.glColorMask(GL.GL_TRUE, GL.GL_TRUE, GL.GL_TRUE, GL.GL_TRUE)
        GL.glStencilFunc(GL.GL_EQUAL, 0, 0xFF)
        GL.glStencilOp(GL.GL_KEEP, GL.GL_KEEP, GL.GL_KEEP)
        # Both in one draw: all the dark ones, then all the white ones over them.
        inks = np.array([with_alpha(colors.bone_outline, 1.0), colors.selection_line], np.float32)
        widths = np.repeat(own + 2.0 * OUTLINE * np.array([2.0, 1.0], np.float32), len(edges))
        twice = np.concatenate([edges, edges])
        ends = np.stack([widths, widths], axis=1)
        self._shapes.draw(Lines(twice, np.repeat(inks, len(edges), axis=0), ends, layer=Layer.FRONT), view)
        GL.glDisable(GL.GL_STENCIL_TEST)

    def _begin_bodies(self, bones: BoneShapes, view: FrameView) -> None:
        right, up, look = axes(view.camera)
        program = self._program
        program.use()
        program.set_matrix("view_projection", view.view_projection)
        for name, vector in (("eye", view.eye), ("look", look), ("right", right), ("up", up)):
            program.set_float(name, *vector)
        program.set_int("parallel", int(view.camera.orthographic))
        program.set_int("round_shape", int(bones.style is BoneStyle.SPHERE))
        program.set_float("line_pixels", 1.1 * view.pixel_ratio)

    def _draw_bodies(self, bones: BoneShapes, rows: Float32Array, view: FrameView) -> None:
        """Some of the bones, from back to front; sticks have no bodies."""
        if bones.style is BoneStyle.STICK or not len(rows):
            return
        self._instances.fill(rows)
        self._program.use()
        GL.glEnable(GL.GL_CULL_FACE)
        GL.glEnable(GL.GL_BLEND)
        GL.glBlendFunc(GL.GL_ONE, GL.GL_ONE_MINUS_SRC_ALPHA)
        GL.glFrontFace(GL.GL_CW if view.camera.mirrored else GL.GL_CCW)
        GL.glDepthMask(GL.GL_FALSE)
        GL.glDepthRange(0.02, 0.1)
        _, array, vertices = self._bodies[bones.style]
        array.bind()
        GL.glDrawArraysInstanced(GL.GL_TRIANGLES, 0, vertices, len(rows))
        GL.glDepthRange(0.1, 1.0)
        GL.glDepthMask(GL.GL_TRUE)
        GL.glDisable(GL.GL_BLEND)
        view.stats.count("bones", vertices * len(rows))

    def release(self) -> None:
        """Delete what it holds; the context must be current."""
        self._program.release()
        self._instances.release()
        for body in self._bodies.values():
            body[0].release()
            body[1].release()


def _visible(bones: BoneShapes) -> np.ndarray:  # type: ignore[type-arg]
    if bones.states is None:
        return np.arange(len(bones.heads))
    return np.flatnonzero(bones.states != BoneState.HIDDEN)


def instance_rows(
    bones: BoneShapes,
    order: np.ndarray,  # type: ignore[type-arg]
    fill: Float32Array,
    outline: Float32Array,
) -> Float32Array:
    """Per-instance data (N, 20): origin, three axes, fill, outline."""
    along, side = bone_frames(bones)
    width = bone_widths(bones.heads, bones.tails)[:, None]
    unit = along / np.linalg.norm(along, axis=1, keepdims=True)
    over = np.cross(side, unit)
    if bones.style is BoneStyle.SPHERE:
        along = unit * width
    rows = [bones.heads, along, side * width, over * width, fill, outline]
    return np.concatenate([part[order] for part in rows], axis=1).astype(np.float32)
