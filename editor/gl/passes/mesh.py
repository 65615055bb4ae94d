"""The skinned mesh: matte, lit by a key, a fill, a rim and the sky; and its translucent ghosts."""

from editor.gl.api import GL
from editor.gl.camera import axes
from editor.gl.colors import Color, ViewportColors
from editor.gl.draw_list import MeshInstance, Shading
from editor.gl.frame_view import FrameView
from editor.gl.mesh_store import TINT, PreparedMesh
from editor.gl.shader import Program

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
uniform mat4 view_projection;
uniform int part_row, part_count;
out vec3 world;
out vec3 facing;
out vec4 albedo;
void main() {
    blend_bones();
    world = skinned_position();
    facing = skinned_normal();
    albedo = tint * texelFetch(rows, part_row + min(part, part_count - 1));
    gl_Position = view_projection * vec4(world, 1.0);
}
"""
)

_FRAGMENT = """
in vec3 world;
in vec3 facing;
in vec4 albedo;
uniform vec3 eye, look, right, up;
uniform bool parallel, two_sided, flat_shading;
uniform float key, fill, rim;
uniform vec3 sky, ground;
uniform vec4 ghost;
out vec4 color;

float wrapped(float cosine, float wrap) { return max(0.0, (cosine + wrap) / (1.0 + wrap)); }

void main() {
    float size = length(facing);
    vec3 v = parallel ? -look : normalize(eye - world);
    vec3 n = size > 1e-20 ? facing / size : v;
    if (two_sided && !gl_FrontFacing) n = -n;
    float edge = 1.0 - clamp(dot(n, v), 0.0, 1.0);
    if (ghost.a > 0.0) {
        float lit = 0.75 + 0.25 * dot(n, up);
        color = vec4(ghost.rgb * mix(lit, 1.12, edge * edge), ghost.a * (0.30 + 0.70 * pow(edge, 1.6)));
        color.rgb *= color.a;
        return;
    }
    if (flat_shading) { color = albedo; return; }
    // The key and fill lights travel with the eye: the side one looks at is never in the dark.
    vec3 key_at = normalize(-0.55 * right + 0.75 * up - 0.65 * look);
    vec3 fill_at = normalize(0.85 * right + 0.10 * up - 0.50 * look);
    vec3 rim_at = normalize(0.45 * right + 0.55 * up + 0.75 * look);
    vec3 base = pow(albedo.rgb, vec3(2.2));
    vec3 light = mix(ground * ground, sky * sky, 0.5 + 0.5 * n.y);
    light += key * wrapped(dot(n, key_at), 0.18) * vec3(1.0, 0.975, 0.94);
    light += fill * wrapped(dot(n, fill_at), 0.35) * vec3(0.86, 0.92, 1.0);
    vec3 shaded = base * light;
    vec3 h = normalize(key_at + v);
    shaded += 0.035 * key * pow(max(dot(n, h), 0.0), 24.0);
    shaded += rim * edge * edge * edge * wrapped(dot(n, rim_at), 0.25) * mix(vec3(0.5), base, 0.5);
    color = vec4(pow(min(shaded, vec3(1.0)), vec3(1.0 / 2.2)), 1.0);
}
"""


class MeshPass:
    """Draws prepared meshes, solid or as ghosts."""

    def __init__(self) -> None:
        self._program = Program("mesh", _VERTEX, _FRAGMENT)

    def begin(self, view: FrameView, colors: ViewportColors) -> None:
        """Set what all meshes of the frame share."""
        right, up, look = axes(view.camera)
        if view.camera.mirrored:
            right = -right
        program = self._program
        program.use()
        program.set_matrix("view_projection", view.view_projection)
        for name, vector in (("eye", view.eye), ("look", look), ("right", right), ("up", up)):
            program.set_float(name, *vector)
        program.set_int("parallel", int(view.camera.orthographic))
        lights = colors.lighting
        program.set_float("key", lights.key)
        program.set_float("fill", lights.fill)
        program.set_float("rim", lights.rim)
        program.set_float("sky", *lights.sky[:3])
        program.set_float("ground", *lights.ground[:3])
        program.set_int("rows", 0)
        GL.glFrontFace(GL.GL_CW if view.camera.mirrored else GL.GL_CCW)
        GL.glVertexAttrib4f(TINT, 1.0, 1.0, 1.0, 1.0)

    def draw(
        self, mesh: PreparedMesh, instance: MeshInstance, view: FrameView, ghost: Color | None = None
    ) -> None:
        """One draw call; `begin` came before."""
        program = self._program
        program.set_int("influences", mesh.influences)
        program.set_int("part_row", mesh.part_row)
        program.set_int("part_count", mesh.part_count)
        program.set_int("two_sided", int(instance.geometry.double_sided))
        program.set_int("flat_shading", int(instance.shading is Shading.FLAT))
        program.set_float("ghost", *(ghost or (0.0, 0.0, 0.0, 0.0)))
        if mesh.culled:
            GL.glEnable(GL.GL_CULL_FACE)
        else:
            GL.glDisable(GL.GL_CULL_FACE)
        mesh.rows.bind(0)
        mesh.draw()
        view.stats.count("mesh" if ghost is None else "ghosts", mesh.vertex_count)

    def release(self) -> None:
        """Delete what it holds; the context must be current."""
        self._program.release()
