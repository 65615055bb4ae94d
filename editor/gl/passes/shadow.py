"""A soft contact shadow: the character seen from above, blurred, laid on the ground.

Red holds what is close to the ground and blurs little, green holds the whole body and blurs a lot:
feet get a crisp dark contact, the rest a faint wide shade.
"""

from dataclasses import dataclass

import numpy as np

from editor.gl.api import GL
from editor.gl.array_value import same_value
from editor.gl.buffers import Buffer, VertexArray
from editor.gl.colors import ViewportColors
from editor.gl.draw_list import DrawList, Grid, MeshInstance
from editor.gl.frame_view import FrameView
from editor.gl.mesh_store import MeshStore
from editor.gl.passes.background import FULL_SCREEN
from editor.gl.passes.mesh import SKINNING
from editor.gl.passes.veil import draw_veil
from editor.gl.shader import Program
from editor.gl.targets import Target

_FINE, _COARSE = 256, 144  # edge of the texture on a graphics card and in software
_REACH = 1.1  # metres of ground shaded beside what casts
_STAGE = 3.0  # metres around the character over which the ground is lighter

_CAST_VERTEX = (
    SKINNING
    + """
uniform vec3 centre;  // x, z, ground height
uniform float half_size;
out float rise;
void main() {
    blend_bones();
    vec3 world = skinned_position();
    rise = world.y - centre.z;
    vec2 slant = vec2(0.20, -0.12) * rise;
    gl_Position = vec4((world.xz + slant - centre.xy) / half_size, 0.0, 1.0);
}
"""
)

_CAST_FRAGMENT = """
in float rise;
out vec4 color;
void main() {
    float high = max(rise, 0.0);
    float under = step(-0.10, rise);
    color = vec4(exp(-high * 11.0), exp(-high * 1.1), 0.0, 1.0) * under;
}
"""

_BLUR_FRAGMENT = """
uniform sampler2D image;
uniform vec2 tight, wide;
in vec2 at;
out vec4 color;
// Nine weights of a bell; a texture is read between two texels, which gives the mean of both, so that five reads do.
const float weight[3] = float[](0.2042, 0.3040, 0.0939);
const float away[3] = float[](0.0, 1.4072, 3.2939);
void main() {
    float r = weight[0] * texture(image, at).r, g = weight[0] * texture(image, at).g;
    for (int i = 1; i < 3; ++i) {
        float near = away[i];
        r += weight[i] * (texture(image, at + tight * near).r + texture(image, at - tight * near).r);
        g += weight[i] * (texture(image, at + wide * near).g + texture(image, at - wide * near).g);
    }
    color = vec4(r, g, 0.0, 1.0);
}
"""

_GROUND_VERTEX = """
layout(location = 0) in vec2 corner;
uniform mat4 view_projection;
uniform vec3 centre;
uniform float half_size, edge;
out vec2 at, away;
void main() {
    at = corner * edge / half_size * 0.5 + 0.5;
    away = corner;
    vec2 ground = centre.xy + corner * edge;
    gl_Position = view_projection * vec4(ground.x, centre.z, ground.y, 1.0);
}
"""

_GROUND_FRAGMENT = """
uniform sampler2D image;
uniform vec4 shade, stage;
in vec2 at, away;
out vec4 color;
void main() {
    float near = max(1.0 - dot(away, away), 0.0);
    float lit = stage.a * near * near, alpha = 0.0;
    if (at == clamp(at, 0.0, 1.0)) {
        vec2 dark = texture(image, at).rg;
        vec2 edge = smoothstep(0.0, 0.1, at) * smoothstep(0.0, 0.1, 1.0 - at);
        alpha = (1.0 - (1.0 - 0.85 * dark.r) * (1.0 - 0.72 * dark.g)) * shade.a * edge.x * edge.y;
    }
    float whole = alpha + lit * (1.0 - alpha);
    if (whole < 0.003) discard;
    color = vec4(mix(stage.rgb, shade.rgb, alpha / whole), whole);
}
"""


@dataclass(frozen=True, slots=True)
class _Place:
    centre: tuple[float, float, float]
    half_size: float


class ShadowPass:
    """Casts into a small texture, blurs it, draws it as one quad on the ground."""

    def __init__(self, software: bool) -> None:
        self._edge = _COARSE if software else _FINE
        self._cast = Program("shadow cast", _CAST_VERTEX, _CAST_FRAGMENT)
        self._blur = Program("shadow blur", FULL_SCREEN, _BLUR_FRAGMENT)
        self._ground = Program("shadow ground", _GROUND_VERTEX, _GROUND_FRAGMENT)
        self._images = [Target((self._edge, self._edge), depth=False, format_=GL.GL_RG8) for _ in range(2)]
        self._empty = VertexArray()
        self._quad = VertexArray()
        self._corners = Buffer()
        self._corners.fill(np.array([[-1, -1], [1, -1], [-1, 1], [1, 1]], np.float32))
        self._quad.floats(0, self._corners, 2)
        self._place: _Place | None = None
        self._kept: tuple[tuple[object, ...], _Place | None] | None = None

    def prepare(self, draw_list: DrawList, store: MeshStore, cpu: bool, view: FrameView) -> None:
        """Cast and blur, unless the same was cast last; may leave another framebuffer bound."""
        casters = [instance for instance in (*draw_list.meshes, *draw_list.casters) if instance.shadow]
        height = draw_list.shadow_height or 0.0
        wanted = (height, *(thing for instance in casters for thing in _cast_of(instance)))
        if self._kept is not None and _same(self._kept[0], wanted):
            self._place = self._kept[1]
            return
        self._place = _place(casters, height)
        self._kept = wanted, self._place
        if self._place is None:
            return
        for capability in (GL.GL_DEPTH_TEST, GL.GL_CULL_FACE, GL.GL_SCISSOR_TEST):
            GL.glDisable(capability)
        self._images[0].bind()
        GL.glClearColor(0.0, 0.0, 0.0, 0.0)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT)
        GL.glEnable(GL.GL_BLEND)
        GL.glBlendEquation(GL.GL_MAX)
        self._cast.use()
        self._cast.set_float("centre", *self._place.centre)
        self._cast.set_float("half_size", self._place.half_size)
        self._cast.set_int("rows", 0)
        for instance in casters:
            self._cast_one(instance, store, cpu, view)
        GL.glBlendEquation(GL.GL_FUNC_ADD)
        GL.glDisable(GL.GL_BLEND)
        texel = 1.0 / self._edge
        metre = 0.5 / self._place.half_size
        tight, wide = max(0.35 * texel, 0.006 * metre), max(texel, 0.035 * metre)
        self._blur_once(self._images[0], self._images[1], (tight, 0.0), (wide, 0.0))
        self._blur_once(self._images[1], self._images[0], (0.0, tight), (0.0, wide))

    def _cast_one(self, instance: MeshInstance, store: MeshStore, cpu: bool, view: FrameView) -> None:
        light = instance
        if instance.coarse is not None and instance.skinned_positions is None:
            light = MeshInstance(instance.coarse, instance.matrices, instance.part_colors)
        mesh = store.prepare(light, cpu)
        if mesh is None:
            return
        self._cast.set_int("influences", mesh.influences)
        mesh.rows.bind(0)
        mesh.draw()
        view.stats.count("shadow", mesh.vertex_count)

    def _blur_once(
        self, source: Target, target: Target, tight: tuple[float, float], wide: tuple[float, float]
    ) -> None:
        target.bind()
        GL.glActiveTexture(GL.GL_TEXTURE0)
        GL.glBindTexture(GL.GL_TEXTURE_2D, source.texture)
        self._blur.use()
        self._blur.set_int("image", 0)
        self._blur.set_float("tight", *tight)
        self._blur.set_float("wide", *wide)
        self._empty.bind()
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)

    def lay(self, program: Program, colors: ViewportColors) -> None:
        """Give a floor's program the shadow: image, place and strength; none where nothing casts."""
        place = self._place
        program.set_int("image", 0)
        program.set_float("shade", *colors.shadow[:3], colors.shadow[3] if place is not None else 0.0)
        program.set_float("centre", *(place.centre if place is not None else (0.0, 0.0, 0.0)))
        program.set_float("half_size", place.half_size if place is not None else 1.0)
        GL.glActiveTexture(GL.GL_TEXTURE0)
        GL.glBindTexture(GL.GL_TEXTURE_2D, self._images[0].texture)

    def forget(self) -> None:
        """Nothing casts in this picture."""
        self._place = None

    def draw(self, grid: Grid, view: FrameView, colors: ViewportColors) -> None:
        """Darken the ground in a lighter round; nothing where nothing casts, or seen from below."""
        if self._place is None or view.eye[1] <= grid.height:
            return
        program = self._ground
        program.use()
        program.set_matrix("view_projection", view.view_projection)
        program.set_float("centre", *self._place.centre)
        program.set_float("half_size", self._place.half_size)
        program.set_float("edge", max(_STAGE, self._place.half_size))
        program.set_float("shade", *colors.shadow)
        program.set_float("stage", *colors.stage)
        program.set_int("image", 0)
        GL.glActiveTexture(GL.GL_TEXTURE0)
        GL.glBindTexture(GL.GL_TEXTURE_2D, self._images[0].texture)
        draw_veil(self._quad)
        view.stats.count("shadow", 4)

    def release(self) -> None:
        """Delete what it holds; the context must be current."""
        for program in (self._cast, self._blur, self._ground):
            program.release()
        for image in self._images:
            image.release()
        for array in (self._empty, self._quad):
            array.release()
        self._corners.release()


def _cast_of(instance: MeshInstance) -> tuple[object, ...]:
    """What the shadow of a mesh depends on."""
    return (
        instance.geometry, instance.coarse, instance.matrices, instance.skinned_positions, instance.morph_weights,
    )  # fmt: skip


def _same(before: tuple[object, ...], now: tuple[object, ...]) -> bool:
    return len(before) == len(now) and all(map(same_value, before, now))


def _place(casters: list[MeshInstance], height: float) -> _Place | None:
    """The patch of ground the casters stand over: from bone matrices, so it needs no skinning."""
    spots = []
    for instance in casters:
        geometry = instance.geometry
        if not len(geometry.positions):
            continue
        if instance.skinned_positions is not None:
            spots.append(instance.skinned_positions[:: max(1, len(instance.skinned_positions) // 64)])
            continue
        bones, centres = geometry.bone_centroids
        carried = instance.matrices[bones]
        spots.append(np.einsum("cij,cj->ci", carried[:, :, :3], centres) + carried[:, :, 3])
    if not spots:
        return None
    points = np.concatenate(spots)
    low, high = points.min(axis=0), points.max(axis=0)
    half = float(max(high[0] - low[0], high[2] - low[2])) / 2 + _REACH
    if not np.isfinite(half):
        return None
    return _Place((float(low[0] + high[0]) / 2, float(low[2] + high[2]) / 2, height), half)
