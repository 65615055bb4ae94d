"""The skinned mesh: matte, lit by the sky, by a key, a fill and a rim, and darker in its folds; and its ghosts."""

from enum import Enum

from core.rig.mesh import AlphaMode
from editor.gl.api import GL
from editor.gl.camera import axes
from editor.gl.colors import Color, ViewportColors
from editor.gl.draw_list import MeshInstance, Shading
from editor.gl.frame_view import FrameView
from editor.gl.matcap import Matcap
from editor.gl.mesh_store import TINT, PreparedMesh
from editor.gl.shader import Program
from editor.gl.texture_store import UNIT, TextureStore
from editor.gl.texture_values import PLAIN, PLAIN_BOTH, Surface

# Bones live in a texture buffer, three rows each, so their number has no small limit.
# Normals go through the cofactor matrix: right under any scale, and never a division.
SKINNING = """
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in ivec4 bones_a;
layout(location = 3) in ivec4 bones_b;
layout(location = 4) in vec4 weights_a;
layout(location = 5) in vec4 weights_b;
uniform samplerBuffer rows;
uniform int influences;
vec4 r0, r1, r2;
void add_bone(int bone, float weight) {
    if (weight == 0.0) return;
    r0 += weight * texelFetch(rows, bone * 3);
    r1 += weight * texelFetch(rows, bone * 3 + 1);
    r2 += weight * texelFetch(rows, bone * 3 + 2);
}
void blend_bones() {
    r0 = r1 = r2 = vec4(0.0);
    if (influences == 0) { r0.x = 1.0; r1.y = 1.0; r2.z = 1.0; return; }
    if (influences == 1) { add_bone(0, 1.0); return; }
    for (int i = 0; i < 4; ++i) add_bone(bones_a[i], weights_a[i]);
    if (influences > 4) for (int i = 0; i < 4; ++i) add_bone(bones_b[i], weights_b[i]);
}
vec3 skinned_position() {
    vec4 p = vec4(position, 1.0);
    return vec3(dot(r0, p), dot(r1, p), dot(r2, p));
}
vec3 skinned_normal() {
    vec3 a = vec3(r0.x, r1.x, r2.x), b = vec3(r0.y, r1.y, r2.y), c = vec3(r0.z, r1.z, r2.z);
    vec3 bc = cross(b, c);
    vec3 n = normal.x * bc + normal.y * cross(c, a) + normal.z * cross(a, b);
    return dot(a, bc) < 0.0 ? -n : n;
}
"""

_VERTEX = (
    SKINNING
    + """
layout(location = 6) in vec4 tint;
layout(location = 7) in int part;
layout(location = 8) in vec2 uv;
layout(location = 9) in float shade;
uniform mat4 view_projection;
uniform int part_row, part_count;
out vec3 world;
out vec3 facing;
out vec4 albedo;
out float open;
#ifdef GLOW
layout(location = 10) in float region;
out float glowing;
#endif
#ifdef TEXTURED
uniform vec3 place_u, place_v;
out vec2 place;
#endif
#ifdef GHOST
uniform vec3 eye, look;
uniform bool parallel;
uniform float behind;
#endif
void main() {
    blend_bones();
    world = skinned_position();
    facing = skinned_normal();
    albedo = tint * texelFetch(rows, part_row + min(part, part_count - 1));
    open = shade;
#ifdef GLOW
    glowing = region;
#endif
    gl_Position = view_projection * vec4(world, 1.0);
#ifdef TEXTURED
    place = vec2(dot(place_u, vec3(uv, 1.0)), dot(place_v, vec3(uv, 1.0)));
#endif
#ifdef GHOST
    // Where ghost and body nearly coincide the body wins, whatever triangles each is made of.
    vec3 away = parallel ? look : normalize(world - eye);
    vec4 pushed = view_projection * vec4(world + behind * away, 1.0);
    gl_Position.z = pushed.z / pushed.w * gl_Position.w;
#endif
}
"""
)

_FRAGMENT = """
in vec3 world;
in vec3 facing;
in vec4 albedo;
in float open;
uniform vec3 eye, look, right, up;
uniform bool parallel, two_sided;
uniform int shading;  // 0 lit, 1 its colours alone, 2 one colour
uniform vec3 sky, ground;  // linear
uniform sampler2D matcap;
#ifdef GHOST
uniform vec4 ghost;
#endif
#ifdef GLOW
in float glowing;
uniform vec4 glow;
#endif
#ifdef TEXTURED
in vec2 place;
uniform sampler2D image;
#endif
#ifdef SHEER
uniform float least, most;  // opacities drawn
uniform bool blended;
#endif
out vec4 color;

const float MOST = 0.75;  // of the light that a surface gives back, so that white ones keep their shape
const float LINE = 0.72;  // how dark the line along its outlines is

void main() {
    float size = length(facing);
    vec3 v = parallel ? -look : normalize(eye - world);
    vec3 n = size > 1e-20 ? facing / size : v;
    if (two_sided && !gl_FrontFacing) n = -n;
#ifdef GLOW
    // Strongest where the surface turns away, so that the shading below stays readable.
    float away = 1.0 - clamp(dot(n, v), 0.0, 1.0);
    float alpha = glow.a * smoothstep(0.30, 0.60, glowing) * (0.18 + 0.62 * away * away);
    color = vec4(glow.rgb * alpha, alpha);
    return;
#endif
#ifdef GHOST
    float edge = 1.0 - clamp(dot(n, v), 0.0, 1.0);
    float lit = 0.70 + 0.30 * dot(n, up);
    color = vec4(ghost.rgb * mix(lit, 1.15, edge * edge), ghost.a * (0.45 + 0.55 * pow(edge, 1.4)));
    color.rgb *= color.a;
    return;
#endif
    vec4 dyed = albedo;
#ifdef TEXTURED
    dyed *= texture(image, place);
#endif
    float opacity = 1.0;
#ifdef SHEER
    if (dyed.a < least || dyed.a >= most) discard;
    if (blended) opacity = dyed.a;
#endif
    if (shading == 2) { color = vec4(albedo.rgb, opacity); return; }
    if (shading == 1) { color = vec4(dyed.rgb, opacity); return; }
    // Squares and roots stand for the display's curve; they cost a tenth of powers.
    vec3 base = dyed.rgb * dyed.rgb;
    base *= min(1.0, MOST / max(max(base.r, max(base.g, base.b)), 1e-4));
    // The three lights travel with the eye: the side one looks at is never in the dark.
    vec4 lights = texture(matcap, vec2(dot(n, right), dot(n, up)) * 0.485 + 0.5);
    vec3 light = mix(ground, sky, 0.5 + 0.5 * n.y) * open + lights.rgb * (0.6 + 1.4 * open);
    vec3 shaded = base * light + lights.a * open * (0.25 + 0.5 * base);
    // Pixels to where the surface turns away, which is its outline.
    float across = dot(n, v);
    shaded *= 1.0 - LINE * clamp(1.3 - across / max(fwidth(across), 1e-5), 0.0, 1.0);
    color = vec4(sqrt(min(shaded, vec3(1.0))), opacity);
}
"""


MATCAP_UNIT = 2
SHADINGS = {Shading.LIT: 0, Shading.UNLIT: 1, Shading.FLAT: 2}
SOLID = 0.996
"""Opacity from which a blended surface is drawn with what is opaque: its order then does not matter."""


class Variant(Enum):
    """A program for what a draw needs: a test that is not there costs nothing, and `discard` costs the most."""

    PLAIN = ""
    TEXTURED = "#define TEXTURED\n"
    SHEER = "#define TEXTURED\n#define SHEER\n"
    GHOST = "#define GHOST\n"
    GLOW = "#define GLOW\n"


class MeshPass:
    """Draws prepared meshes: what is opaque, then what is blended over it; or ghosts."""

    def __init__(self, textures: TextureStore) -> None:
        self._textures = textures
        self._matcap = Matcap()
        self._programs = {Variant.PLAIN: _compiled(Variant.PLAIN)}
        self._ready: set[Variant] = set()
        self._view: FrameView | None = None
        self._colors: ViewportColors | None = None

    def begin(self, view: FrameView, colors: ViewportColors) -> None:
        """Start a frame; what all its meshes share is set when a program is first used in it."""
        self._view, self._colors = view, colors
        self._ready.clear()
        GL.glFrontFace(GL.GL_CW if view.camera.mirrored else GL.GL_CCW)
        GL.glVertexAttrib4f(TINT, 1.0, 1.0, 1.0, 1.0)

    def _use(self, variant: Variant) -> Program:
        if variant not in self._programs:
            self._programs[variant] = _compiled(variant)
        program = self._programs[variant]
        program.use()
        if variant not in self._ready:
            self._ready.add(variant)
            self._share(program)
        return program

    def _share(self, program: Program) -> None:
        view, colors = self._view, self._colors
        assert view is not None
        assert colors is not None
        right, up, look = axes(view.camera)
        if view.camera.mirrored:
            right = -right
        program.set_matrix("view_projection", view.view_projection)
        for name, vector in (("eye", view.eye), ("look", look), ("right", right), ("up", up)):
            program.set_float(name, *vector)
        program.set_int("parallel", int(view.camera.orthographic))
        lights = colors.lighting
        program.set_float("sky", *(part * part for part in lights.sky[:3]))
        program.set_float("ground", *(part * part for part in lights.ground[:3]))
        program.set_int("rows", 0)
        program.set_int("image", UNIT)
        if program.has("matcap"):
            program.set_int("matcap", MATCAP_UNIT)
            self._matcap.bind(lights, MATCAP_UNIT)

    def draw(self, mesh: PreparedMesh, instance: MeshInstance, view: FrameView) -> None:
        """What of a mesh is opaque; `begin` came before."""
        for surface, first, count in groups(instance, mesh.ranges):
            if surface.alpha is AlphaMode.OPAQUE:
                textured = surface.image is not None and instance.shading is not Shading.FLAT
                program = self._use(Variant.TEXTURED if textured else Variant.PLAIN)
            else:
                program = self._use(Variant.SHEER)
                masked = surface.alpha is AlphaMode.MASK
                program.set_float("least", surface.cutoff if masked else SOLID)
                program.set_float("most", 1e9)
                program.set_int("blended", 0)
            self._dress(program, mesh, instance, surface)
            mesh.draw(first, count)
            view.stats.count("mesh", mesh.vertex_count)

    def draw_blended(self, mesh: PreparedMesh, instance: MeshInstance, view: FrameView) -> None:
        """What of a mesh is seen through, over everything opaque: the inside first, then the outside."""
        for surface, first, count in groups(instance, mesh.ranges):
            if surface.alpha is not AlphaMode.BLEND:
                continue
            program = self._use(Variant.SHEER)
            program.set_float("least", 1.0 / 255.0)
            program.set_float("most", SOLID)
            program.set_int("blended", 1)
            self._dress(program, mesh, instance, surface)
            GL.glEnable(GL.GL_BLEND)
            GL.glBlendFuncSeparate(
                GL.GL_SRC_ALPHA, GL.GL_ONE_MINUS_SRC_ALPHA, GL.GL_ONE, GL.GL_ONE_MINUS_SRC_ALPHA
            )
            GL.glDepthMask(GL.GL_FALSE)
            if surface.double_sided and not mesh.mirrored:
                GL.glEnable(GL.GL_CULL_FACE)
                GL.glCullFace(GL.GL_FRONT)
                mesh.draw(first, count)
                GL.glCullFace(GL.GL_BACK)
            mesh.draw(first, count)
            GL.glDepthMask(GL.GL_TRUE)
            GL.glDisable(GL.GL_BLEND)
            view.stats.count("mesh", mesh.vertex_count)

    def draw_ghost(
        self, mesh: PreparedMesh, instance: MeshInstance, view: FrameView, tint: Color, behind: float
    ) -> None:
        """A mesh as a ghost that gives way to what is less than `behind` metres in back of it."""
        program = self._use(Variant.GHOST)
        program.set_float("ghost", *tint)
        program.set_float("behind", behind)
        both = PLAIN_BOTH if instance.geometry.double_sided else PLAIN
        self._dress(program, mesh, instance, both)
        mesh.draw()
        view.stats.count("ghosts", mesh.vertex_count)

    def draw_glow(self, mesh: PreparedMesh, instance: MeshInstance, view: FrameView, color: Color) -> None:
        """The part of the body that is marked, tinted over the opaque surface."""
        if mesh.region is None:
            return
        program = self._use(Variant.GLOW)
        program.set_float("glow", *color)
        self._dress(program, mesh, instance, PLAIN_BOTH if instance.geometry.double_sided else PLAIN)
        GL.glEnable(GL.GL_BLEND)
        GL.glBlendFunc(GL.GL_ONE, GL.GL_ONE_MINUS_SRC_ALPHA)
        GL.glDepthMask(GL.GL_FALSE)
        GL.glEnable(GL.GL_POLYGON_OFFSET_FILL)
        GL.glPolygonOffset(-1.0, -1.0)  # another program may round the same place another way
        mesh.draw_region()
        GL.glDisable(GL.GL_POLYGON_OFFSET_FILL)
        GL.glDepthMask(GL.GL_TRUE)
        GL.glDisable(GL.GL_BLEND)
        view.stats.count("glow", mesh.region[1])

    def _dress(self, program: Program, mesh: PreparedMesh, instance: MeshInstance, surface: Surface) -> None:
        program.set_int("influences", mesh.influences)
        program.set_int("part_row", mesh.part_row)
        program.set_int("part_count", mesh.part_count)
        program.set_int("two_sided", int(surface.double_sided))
        program.set_int("shading", SHADINGS[instance.shading])
        if program.has("image"):
            program.set_float("place_u", *surface.place[:3])
            program.set_float("place_v", *surface.place[3:])
            self._textures.bind(surface)
        if mesh.mirrored or surface.double_sided:
            GL.glDisable(GL.GL_CULL_FACE)
        else:
            GL.glEnable(GL.GL_CULL_FACE)
        mesh.rows.bind(0)

    def release(self) -> None:
        """Delete what it holds; the context must be current."""
        for program in self._programs.values():
            program.release()
        self._matcap.release()


def _compiled(variant: Variant) -> Program:
    return Program(f"mesh {variant.name.lower()}", variant.value + _VERTEX, variant.value + _FRAGMENT)


def groups(instance: MeshInstance, ranges: tuple[tuple[int, int], ...]) -> list[tuple[Surface, int, int]]:
    """What is drawn in one call each: a surface, and first and count of the indices of parts that share it."""
    surfaces = instance.surfaces or (PLAIN_BOTH if instance.geometry.double_sided else PLAIN,)
    found: list[tuple[Surface, int, int]] = []
    for part, (first, count) in enumerate(ranges):
        if not count:
            continue
        surface = surfaces[min(part, len(surfaces) - 1)]
        if found and found[-1][0] == surface:
            found[-1] = surface, found[-1][1], found[-1][2] + count
        else:
            found.append((surface, first, count))
    return found
