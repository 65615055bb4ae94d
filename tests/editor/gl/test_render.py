"""Pictures, judged by their pixels: what should be where is computed by the camera's plain maths."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from editor.gl.bone_geometry import unit_sphere
from editor.gl.camera import Camera, View, metres_per_pixel, project, standard_view
from editor.gl.capture import OffscreenRenderer
from editor.gl.character_drawables import bone_caster
from editor.gl.colors import DARK, LIGHT
from editor.gl.cpu_skin import skin, skin_positions
from editor.gl.draw_list import (
    AxisWidget,
    BoneStyle,
    DrawList,
    Ghost,
    GizmoShape,
    Grid,
    Layer,
    Lines,
    MeshGeometry,
    MeshInstance,
    Points,
    PointShape,
    Shading,
    Triangles,
    polyline,
)
from editor.gl.gizmo import Handle
from tests.editor.gl.figure import WALKING, figure, rotation, with_states

SIZE = (320, 220)
BARE = replace(LIGHT, stage=(*LIGHT.stage[:3], 0.0))
CAMERA = Camera(target=(0, 0.85, 0), yaw=0.6, pitch=0.25, distance=3.6)
WHITE = np.ones((1, 4))
RED = np.array((1.0, 0.0, 0.0, 1.0))
RNG = np.random.default_rng(5)


def picture(view: OffscreenRenderer, frame: DrawList, camera=CAMERA, size=SIZE, **more) -> np.ndarray:
    return view.render(frame, camera, size, **more)[..., :3].astype(np.int16)


def changed(a: np.ndarray, b: np.ndarray, least: int = 12) -> np.ndarray:
    return np.abs(a - b).max(axis=2) >= least


def color_at(image: np.ndarray, pixel: np.ndarray, ratio: float = 1.0) -> np.ndarray:
    x, y = (np.asarray(pixel) * ratio).astype(int)
    return image[y, x]


def ball(scale=(1.0, 1.0, 1.0), key: str = "ball") -> MeshGeometry:
    """An ellipsoid whose normals were computed from its own formula."""
    rows = unit_sphere(24, 32).astype(np.float64)
    points = rows[:, :3] * scale
    normals = rows[:, :3] / scale
    keep = np.arange(len(points)).reshape(-1, 3)
    return MeshGeometry((key, scale), points, normals, keep)


def test_mesh_covers_the_pixels_its_vertices_project_to(view, small_figure):
    posed = figure(WALKING, geometry=small_figure)
    empty, drawn = picture(view, DrawList()), picture(view, DrawList(meshes=(posed.mesh,)))
    covered = changed(empty, drawn)
    pixels, _ = project(CAMERA, skin_positions(posed.mesh), SIZE)
    corners = pixels[posed.mesh.geometry.triangles]
    inner = [corners @ np.eye(2)] + [
        (corners + np.roll(corners, 1, axis=1) * n) / (n + 1) for n in (0.5, 1, 2)
    ]
    spots = np.clip(np.round(np.concatenate(inner).reshape(-1, 2)).astype(int), 0, np.array(SIZE) - 1)
    near = np.zeros_like(covered)
    for dx in range(-5, 6):
        for dy in range(-5, 6):
            near[np.clip(spots[:, 1] + dy, 0, SIZE[1] - 1), np.clip(spots[:, 0] + dx, 0, SIZE[0] - 1)] = True
    assert covered.sum() > 2500
    assert not (covered & ~near).any()
    triangles = pixels[posed.mesh.geometry.triangles].mean(axis=1).astype(int)
    # A triangle at the very outline may miss the middle of its pixel.
    assert covered[triangles[:, 1], triangles[:, 0]].mean() > 0.9


@pytest.mark.parametrize("influences", [1, 3, 4, 8])
def test_skinning_by_graphics_card_and_processor_give_the_same_picture(view, influences):
    geometry = ball(key=f"ball{influences}")
    count, bones = len(geometry.positions), 300
    weights = RNG.random((count, influences)) ** 3
    place = (geometry.positions @ (0.3, 1.0, 0.2))[:, None] + np.arange(influences) * 0.2
    numbers = np.clip(((place + 2.0) / 5.0 * bones).astype(int), 0, bones - 1)
    geometry = replace(
        geometry,
        key=("many", influences),
        bones=numbers,
        weights=weights / weights.sum(axis=1, keepdims=True),
    )
    matrices = np.tile(np.eye(4)[:3], (bones, 1, 1))
    for bone in range(bones):
        turn = rotation(1, bone * 0.25) @ rotation(0, bone * 0.1)
        matrices[bone, :, :3] = turn[:3, :3] * (0.5, 0.6 + bone * 0.0004, 0.45)
        matrices[bone, :, 3] = (0, 0.9, 0)
    instance = MeshInstance(geometry, matrices, [(0.8, 0.7, 0.6, 1)])
    positions, normals = skin(instance)
    world = replace(instance, skinned_positions=positions, skinned_normals=normals)
    by_card, by_processor = (picture(view, DrawList(meshes=(mesh,))) for mesh in (instance, world))
    assert changed(by_card, picture(view, DrawList())).sum() > 3000
    difference = np.abs(by_card - by_processor).max(axis=2)
    assert np.percentile(difference, 99.7) <= 2 and difference.mean() < 0.1
    with OffscreenRenderer(samples=0, cpu_skinning=True) as fallback:
        forced = picture(fallback, DrawList(meshes=(instance,)))
    np.testing.assert_array_equal(forced, by_processor)


def test_normals_under_uneven_scale_light_a_ball_like_the_ellipsoid_it_becomes(view):
    scale = (0.8, 0.25, 0.5)
    stretched = np.zeros((1, 3, 4))
    stretched[0, :, :3] = np.diag(scale)
    stretched[0, :, 3] = (0, 0.85, 0)
    moved = np.eye(4)[None, :3].copy()
    moved[0, :, 3] = (0, 0.85, 0)
    by_matrix = picture(view, DrawList(meshes=(MeshInstance(ball(), stretched, WHITE),)))
    by_formula = picture(view, DrawList(meshes=(MeshInstance(ball(scale), moved, WHITE),)))
    assert np.abs(by_matrix - by_formula).max() <= 3
    mirrored = stretched * np.array([[[-1.0], [1.0], [1.0]]])
    mirrored[0, :, 3] = (0, 0.85, 0)
    by_mirror = picture(view, DrawList(meshes=(MeshInstance(ball(), mirrored, WHITE),)))
    assert np.abs(by_mirror - by_formula).mean() < 0.5


def test_morph_targets_move_the_surface_as_the_processor_says(view):
    still = ball(key="morphing")
    delta = np.stack([still.positions * (1.0, 0.0, 0.0), still.positions * (0.0, 0.5, 0.0)])
    geometry = replace(still, key="morphing2", morph_positions=delta)
    place = np.eye(4)[None, :3] * 0.5
    place[0, :, 3] = (0, 0.85, 0)
    instance = MeshInstance(geometry, place, WHITE)
    plain = picture(view, DrawList(meshes=(instance,)))
    weighted = replace(instance, morph_weights=(0.5, 0.2))
    positions, normals = skin(weighted)
    expected = replace(weighted, morph_weights=None, skinned_positions=positions, skinned_normals=normals)
    found, wanted = picture(view, DrawList(meshes=(weighted,))), picture(view, DrawList(meshes=(expected,)))
    assert np.abs(found - wanted).max() <= 3
    assert changed(found, plain).sum() > 500
    np.testing.assert_array_equal(picture(view, DrawList(meshes=(instance,))), plain)


def test_materials_colour_their_own_triangles(view):
    square = np.array([(-1, 0, 0), (0, 0, 0), (0, 1.7, 0), (-1, 1.7, 0), (1, 0, 0), (1, 1.7, 0)], float)
    geometry = MeshGeometry(
        "two halves",
        square,
        np.tile((0, 0, 1), (6, 1)),
        [(0, 1, 2), (0, 2, 3), (1, 4, 5), (1, 5, 2)],
        parts=[0, 0, 1, 7],
    )
    flat = MeshInstance(geometry, np.eye(4)[None], [(1, 0, 0, 1), (0, 0, 1, 1)], shading=Shading.FLAT)
    camera = standard_view(CAMERA, View.FRONT)
    image = picture(view, DrawList(meshes=(flat,)), camera)
    pixels, _ = project(camera, [(-0.5, 0.8, 0), (0.5, 0.4, 0), (0.5, 1.4, 0)], SIZE)
    for pixel, wanted in zip(pixels, [(255, 0, 0), (0, 0, 255), (0, 0, 255)], strict=True):
        np.testing.assert_array_equal(color_at(image, pixel), wanted)


def test_back_faces_are_hidden_unless_the_mesh_is_double_sided(view):
    triangle = MeshGeometry(
        "back", [(-1, 0, 0), (0, 1.7, 0), (1, 0, 0)], np.tile((0, 0, -1), (3, 1)), [(0, 1, 2)]
    )
    camera, empty = standard_view(CAMERA, View.FRONT), DrawList()
    one = DrawList(meshes=(MeshInstance(triangle, np.eye(4)[None], WHITE),))
    two = DrawList(
        meshes=(MeshInstance(replace(triangle, key="both", double_sided=True), np.eye(4)[None], WHITE),)
    )
    assert not changed(picture(view, one, camera), picture(view, empty, camera)).any()
    assert changed(picture(view, two, camera), picture(view, empty, camera)).any()
    behind = standard_view(CAMERA, View.BACK)
    assert changed(picture(view, one, behind), picture(view, empty, behind)).any()


def test_grid_lines_lie_where_their_points_project_to(view):
    camera = Camera(target=(0, 0, 0), yaw=0.3, pitch=0.9, distance=4)
    empty, drawn = picture(view, DrawList(), camera), picture(view, DrawList(Grid()), camera)
    difference = np.abs(drawn - empty).sum(axis=2)
    t = np.arange(-0.9, 0.95, 0.05)
    on_x, _ = project(camera, [(x, 0, 0) for x in t if abs(x) > 0.06], SIZE)
    ink = np.array([color_at(drawn, p) for p in on_x])
    assert (ink[:, 0] > ink[:, 2] + 60).mean() > 0.9  # the x axis is red
    on_z, _ = project(camera, [(0, 0, z) for z in t if abs(z) > 0.06], SIZE)
    ink = np.array([color_at(drawn, p) for p in on_z])
    assert (ink[:, 2] > ink[:, 0] + 60).mean() > 0.9  # the z axis is blue
    on_metre, _ = project(camera, [(1, 0, z) for z in t], SIZE)
    off_metre, _ = project(camera, [(1.05, 0, z + 0.025) for z in t], SIZE)
    strength = [
        np.mean([color_at(difference[..., None], p)[0] for p in row]) for row in (on_metre, off_metre)
    ]
    assert strength[0] > 3 * strength[1] + 5


def test_side_view_gets_an_upright_grid(view):
    camera = standard_view(Camera(target=(0, 1, 0)), View.RIGHT)
    drawn = picture(view, DrawList(Grid()), camera)
    pixel, _ = project(camera, (0, 1.33, 0), SIZE)
    red, green, blue = color_at(drawn, pixel)
    assert green > red + 30 and green > blue + 30  # the y axis stands upright


def test_ground_is_lighter_round_the_character_and_not_three_metres_away(view, small_figure):
    posed = figure(geometry=small_figure)
    camera = replace(CAMERA, target=(0, 0, 0), pitch=0.9, distance=12.0)
    plain, lit = (
        picture(view, DrawList(Grid(axes=False), (posed.mesh,)), camera, colors=replace(colors, vignette=0.0))
        for colors in (replace(DARK, stage=(*DARK.stage[:3], 0.0)), DARK)
    )
    gain = (lit - plain).sum(axis=2)
    near, _ = project(camera, (-0.9, 0, -0.7), SIZE)
    far, _ = project(camera, (3.1, 0, 0.4), SIZE)
    assert gain[round(near[1]), round(near[0])] > 6
    assert abs(gain[round(far[1]), round(far[0])]) <= 3


def test_shading_modes_are_lit_colours_alone_and_one_colour(view, small_figure):
    posed = figure(geometry=small_figure)
    shown = {
        shading: picture(view, DrawList(meshes=(replace(posed.mesh, shading=shading),)), CAMERA)
        for shading in Shading
    }
    body = changed(shown[Shading.FLAT], picture(view, DrawList(), CAMERA))
    tones = {shading: len(np.unique(image[body], axis=0)) for shading, image in shown.items()}
    assert tones[Shading.LIT] > 100 and tones[Shading.UNLIT] < 20


def test_bones_without_a_mesh_are_opaque_and_throw_a_shadow(view, small_figure):
    bones = figure(geometry=small_figure).bones
    thin = picture(view, DrawList(bones=bones), CAMERA, colors=LIGHT)
    solid = picture(view, DrawList(bones=replace(bones, solid=True)), CAMERA, colors=LIGHT)
    empty = picture(view, DrawList(), CAMERA, colors=LIGHT)
    both = changed(thin, empty) & changed(solid, empty)
    away = [np.abs(shown - empty).sum(axis=2)[both].mean() for shown in (thin, solid)]
    assert away[1] > 1.4 * away[0]
    camera = replace(CAMERA, target=(0, 0, 0), pitch=0.9)
    ground = DrawList(Grid(axes=False), bones=replace(bones, solid=True))
    plain = picture(view, ground, camera, colors=BARE)
    shaded = picture(view, replace(ground, casters=(bone_caster(bones),)), camera, colors=BARE)
    assert ((plain - shaded).sum(axis=2) > 20).sum() > 100


def test_covered_vertices_are_darker(view, small_figure):
    posed = figure(geometry=small_figure)
    count = len(posed.mesh.geometry.positions)
    half = np.where(posed.mesh.geometry.positions[:, 1] > 1.0, 1.0, 0.2)
    plain = picture(view, DrawList(meshes=(posed.mesh,)), CAMERA)
    open_, covered = (
        picture(view, DrawList(meshes=(replace(posed.mesh, occlusion=shade),)), CAMERA)
        for shade in (np.ones(count), half)
    )
    assert not changed(open_, plain).any(), "what is all open is drawn as if nothing was baked"
    darker = (plain - covered).sum(axis=2)
    assert (darker > 40).sum() > 200 and darker.min() >= -3


def test_shadow_darkens_the_ground_below_and_not_far_away(view, small_figure):
    posed = figure(geometry=small_figure)
    camera = replace(CAMERA, target=(0, 0, 0), pitch=0.5)
    lit = DrawList(Grid(axes=False), (posed.mesh,))
    with_shadow, without = (picture(view, replace(lit, shadow=s), camera, colors=BARE) for s in (True, False))
    darker = (without - with_shadow).sum(axis=2)
    assert (darker < -3).mean() < 0.002  # a shaded foot below the ground may be darker than its shadow
    near, _ = project(camera, (0.18, 0, 0.22), SIZE)
    far, _ = project(camera, (1.6, 0, 0.5), SIZE)
    assert color_at(darker[..., None], near)[0] > 40 and color_at(darker[..., None], far)[0] < 12


@pytest.mark.parametrize("style", list(BoneStyle))
@pytest.mark.parametrize("colors", [DARK, LIGHT], ids=["dark", "light"])
def test_bones_show_through_the_mesh_in_the_colour_of_their_state(view, small_figure, style, colors):
    posed = figure(geometry=small_figure)
    bones = replace(with_states(posed.bones, selected=[11], hover=[15], hidden=[12]), style=style)
    camera = Camera(target=(0, 0.7, 0), yaw=0, pitch=0.1, distance=2)
    plain = picture(view, DrawList(meshes=(posed.mesh,)), camera, colors=colors)
    drawn = picture(view, DrawList(meshes=(posed.mesh,), bones=bones), camera, colors=colors)
    seen, _ = project(camera, posed.bones.heads + 0.18 * (posed.bones.tails - posed.bones.heads), SIZE)
    places = seen if style is BoneStyle.OCTAHEDRAL else project(camera, posed.bones.heads, SIZE)[0]
    for bone, wanted in ((11, colors.bone_selected), (15, colors.bone_hover)):
        x, y = places[bone].astype(int)
        patch = drawn[y - 2 : y + 3, x - 2 : x + 3].reshape(-1, 3)
        nearest = np.abs(patch - np.array(wanted[:3]) * 255).sum(axis=1).min()
        was = np.abs(plain[y, x] - np.array(wanted[:3]) * 255).sum()
        assert nearest < 150 and nearest < was * 0.6, (bone, nearest, was)
    x, y = seen[12].astype(int)
    assert np.abs(drawn[y, x] - plain[y, x]).max() < 3


def test_ghosts_tint_beside_the_mesh_and_hide_behind_it(view, small_figure):
    here, there = figure(geometry=small_figure), figure(at=(0.7, 0, 0), geometry=small_figure)
    hidden = figure(at=(0, 0, -0.5), geometry=small_figure)
    camera = Camera(target=(0.3, 0.9, 0), yaw=0, pitch=0, distance=4, orthographic=True)
    blue = (0.2, 0.4, 1.0, 0.6)
    solo = picture(view, DrawList(meshes=(here.mesh,)), camera)
    drawn = picture(view, DrawList(meshes=(here.mesh,), ghosts=(Ghost(there.mesh, blue),)), camera)
    spot, _ = project(camera, (0.7, 1.0, 0), SIZE)
    assert color_at(drawn, spot)[2] > color_at(solo, spot)[2] + 20
    covered = picture(view, DrawList(meshes=(here.mesh,), ghosts=(Ghost(hidden.mesh, blue),)), camera)
    assert changed(covered, solo, 6).mean() < 0.004  # same outline: at most rounding at the rim
    twice = DrawList(meshes=(here.mesh,), ghosts=(Ghost(there.mesh, blue), Ghost(there.mesh, blue)))
    assert np.abs(picture(view, twice, camera) - drawn).max() <= 3  # ghosts don't pile up


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0, 3.0])
@pytest.mark.parametrize("width", [1.5, 2.0, 6.0])
def test_line_is_as_wide_as_asked_at_any_pixel_ratio(view, width, ratio):
    ends = np.array([[(40.0, 60.25, 0), (200.0, 60.25, 0)]])
    line = Lines(ends, np.ones(4), width, layer=Layer.OVERLAY)
    black = replace(DARK, background_top=(0, 0, 0, 1), background_bottom=(0, 0, 0, 1))
    image = view.render(DrawList(shapes=(line,)), CAMERA, SIZE, black, ratio)[..., 0]
    column = image[:, round(120 * ratio)].astype(float) / 255
    assert column.sum() == pytest.approx(width * ratio, abs=0.12)
    middle = (column * (np.arange(len(column)) + 0.5)).sum() / column.sum()
    assert middle == pytest.approx(60.25 * ratio, abs=0.1)
    row = image[round(60.25 * ratio)].astype(float) / 255
    assert row.sum() == pytest.approx(160 * ratio + width * ratio, abs=width * ratio)


def test_line_that_passes_behind_the_eye_is_cut_not_thrown_about(view):
    camera = Camera(target=(0, 0, 0), yaw=0, pitch=0, distance=2)
    line = Lines(np.array([[(0.0, -0.2, 0.0), (0.0, -0.2, 50.0)]]), RED, 3.0)
    drawn = changed(picture(view, DrawList(shapes=(line,)), camera), picture(view, DrawList(), camera))
    assert drawn.any() and not drawn[: SIZE[1] // 2 - 2].any()
    behind = Lines(np.array([[(0.0, 0.0, 5.0), (1.0, 0.0, 9.0)]]), RED, 3.0)
    assert not changed(
        picture(view, DrawList(shapes=(behind,)), camera), picture(view, DrawList(), camera)
    ).any()


def test_see_through_polyline_without_caps_has_no_dark_dots(view):
    row = np.linspace((40.0, 60.5, 0), (280.0, 60.5, 0), 25)
    half = np.array((1.0, 1.0, 1.0, 0.5))
    black = replace(DARK, background_top=(0, 0, 0, 1), background_bottom=(0, 0, 0, 1))
    seamless = Lines(polyline(row), half, 3.0, layer=Layer.OVERLAY, caps=False)
    values = view.render(DrawList(shapes=(seamless,)), CAMERA, SIZE, black)[60, 45:275, 0]
    assert values.min() >= 126 and values.max() <= 129


def test_layers_decide_what_hides_a_shape(view):
    wall = MeshInstance(ball(), np.eye(4)[None] * (0.5, 0.5, 0.5, 1), WHITE)
    camera = Camera(target=(0, 0, 0), yaw=0, pitch=0, distance=4)
    seen = {}
    for layer in (Layer.SCENE, Layer.XRAY, Layer.FRONT):
        spot = Points(np.array([(0.0, 0, -1)]), RED, 11.0, layer=layer)
        seen[layer] = (
            color_at(picture(view, DrawList(meshes=(wall,), shapes=(spot,)), camera), (160, 110))[1] < 60
        )
    assert seen == {Layer.SCENE: False, Layer.XRAY: True, Layer.FRONT: True}


@pytest.mark.parametrize(
    ("shape", "area"), [(PointShape.DISC, 0.785), (PointShape.SQUARE, 0.785), (PointShape.DIAMOND, 0.5)]
)
def test_point_glyphs_have_their_size(view, shape, area):
    spot = Points(np.array([(100.0, 80.0, 0)]), RED, 40.0, shape=shape, layer=Layer.OVERLAY)
    black = replace(DARK, background_top=(0, 0, 0, 1), background_bottom=(0, 0, 0, 1))
    image = view.render(DrawList(shapes=(spot,)), CAMERA, SIZE, black)[..., 0] / 255
    assert image.sum() == pytest.approx(area * 1600, rel=0.04)


def test_dashes_leave_gaps_and_triangles_fill(view):
    ends = np.array([[(20.0, 40.5, 0), (300.0, 40.5, 0)]])
    black = replace(DARK, background_top=(0, 0, 0, 1), background_bottom=(0, 0, 0, 1))
    dashed = Lines(ends, RED, 2.0, dash=6.0, layer=Layer.OVERLAY)
    row = view.render(DrawList(shapes=(dashed,)), CAMERA, SIZE, black)[40, :, 0] / 255
    assert row[20:300].mean() == pytest.approx(0.5, abs=0.1)
    fill = Triangles(np.array([[(20, 100, 0), (120, 100, 0), (20, 200, 0)]]), RED, Layer.OVERLAY)
    image = view.render(DrawList(shapes=(fill,)), CAMERA, SIZE, black)[..., 0] / 255
    assert image.sum() == pytest.approx(5000, rel=0.03)


@pytest.mark.parametrize("mode", ["translate", "rotate", "scale"])
def test_gizmo_is_drawn_in_front_and_its_hovered_handle_lights_up(view, small_figure, mode):
    posed = figure(geometry=small_figure)
    pivot = np.array((0.0, 1.0, 0.0))
    base = DrawList(meshes=(posed.mesh,))
    idle = picture(view, replace(base, gizmo=GizmoShape(mode, pivot, np.eye(3))))
    hot = picture(view, replace(base, gizmo=GizmoShape(mode, pivot, np.eye(3), hovered=Handle.Y)))
    assert changed(idle, picture(view, base)).sum() > 200
    lit = hot[changed(idle, hot)]
    assert (np.abs(lit - np.array(DARK.gizmo_hover[:3]) * 255).sum(axis=1) < 40).any()


def test_axis_widget_is_drawn_in_its_corner_only(view):
    with_widget, without = picture(view, DrawList(axis_widget=AxisWidget())), picture(view, DrawList())
    rows, columns = np.nonzero(changed(with_widget, without))
    assert len(rows) > 300 and rows.max() < 100 and columns.min() > SIZE[0] - 100


def test_mirrored_camera_shows_the_mirrored_picture(view, small_figure):
    posed = figure(WALKING, geometry=small_figure)
    frame = DrawList(meshes=(posed.mesh,), bones=posed.bones)
    camera = replace(CAMERA, yaw=0.0)
    plain, mirrored = picture(view, frame, camera), picture(view, frame, replace(camera, mirrored=True))
    covered = changed(plain, picture(view, DrawList(), camera))
    flipped = changed(mirrored, picture(view, DrawList(), camera))[:, ::-1]
    assert (covered ^ flipped).sum() < 0.05 * covered.sum()  # outlines are about as dark as what is behind


def test_equal_frame_is_not_drawn_again_and_any_change_is(view, small_figure):
    def frame() -> DrawList:
        posed = figure(WALKING, geometry=small_figure)
        return DrawList(
            Grid(), (posed.mesh,), bones=posed.bones, shapes=(Lines(polyline(np.eye(3)), WHITE[0]),)
        )

    with view.current():
        draw = partial(view.renderer.draw, framebuffer=None)
        draw(frame(), CAMERA, SIZE)
        assert draw(frame(), CAMERA, SIZE) is False
        assert draw(frame(), replace(CAMERA, yaw=1.0), SIZE) is True
        assert draw(replace(frame(), grid=None), replace(CAMERA, yaw=1.0), SIZE) is True
        assert draw(frame(), CAMERA, (SIZE[0] + 1, SIZE[1])) is True
        view.renderer.forget()
        assert draw(frame(), CAMERA, (SIZE[0] + 1, SIZE[1])) is True
    assert view.renderer.stats.draw_calls >= 4 and view.renderer.stats.vertices > 2000


def test_released_and_initialised_again_it_draws_the_same(small_figure):
    posed = figure(WALKING, geometry=small_figure)
    frame = DrawList(Grid(), (posed.mesh,), (Ghost(posed.mesh, (1, 0, 0, 0.5)),), bones=posed.bones)
    with OffscreenRenderer(samples=0) as own:
        before = own.render(frame, CAMERA, SIZE)
        with own.current():
            own.renderer.release()
            own.renderer.release()
            assert not own.renderer.ready
            own.renderer.initialise()
        np.testing.assert_array_equal(own.render(frame, CAMERA, SIZE), before)
    own.close()


def test_release_leaves_nothing_on_the_graphics_card(small_figure):
    posed = figure(WALKING, geometry=small_figure)
    morphing = replace(
        small_figure, key="left over", morph_positions=np.ones((1, len(small_figure.positions), 3)) * 0.01
    )
    meshes = (posed.mesh, replace(posed.mesh, geometry=morphing, morph_weights=(1.0,)))
    frame = DrawList(
        Grid(), meshes, (Ghost(posed.mesh, (1, 0, 0, 0.5)),), bones=posed.bones, axis_widget=AxisWidget()
    )
    with OffscreenRenderer(samples=4) as own:
        from editor.gl.api import GL

        own.render(frame, CAMERA, SIZE)
        with own.current():
            own.renderer.release()
            kinds = (GL.glIsBuffer, GL.glIsTexture, GL.glIsVertexArray, GL.glIsProgram, GL.glIsRenderbuffer)
            left = [(kind.__name__, n) for kind in kinds for n in range(1, 200) if kind(n)]
            left += [("framebuffer", n) for n in range(1, 50) if GL.glIsFramebuffer(n)]
        # What stays is the picture's own target: one texture, one framebuffer.
        assert sorted(name for name, _ in left) == ["framebuffer", "glIsTexture"]


def test_meshes_that_are_not_drawn_any_more_are_forgotten(view, small_figure):
    posed = figure(geometry=replace(small_figure, key="passing"))
    view.render(DrawList(meshes=(posed.mesh,)), CAMERA, SIZE)
    store = view.renderer._passes.store
    assert "passing" in store._meshes
    with view.current():
        for _ in range(310):
            store.begin_frame()
    assert "passing" not in store._meshes


def test_multisampling_softens_the_outline(small_figure, view):
    posed = figure(WALKING, geometry=small_figure)
    frame = DrawList(meshes=(posed.mesh,), ghosts=(Ghost(figure(at=(0.5, 0, 0)).mesh, (0.2, 0.4, 1, 0.5)),))
    rough = picture(view, frame)
    with OffscreenRenderer(samples=4) as fine:
        smooth = picture(fine, frame)
    assert 50 < changed(rough, smooth).sum() < 3000
    assert np.abs(rough - smooth).mean() < 1.5


def test_picture_size_and_limits(view):
    assert view.render(DrawList(), CAMERA, (33, 17), device_pixel_ratio=1.5).shape == (26, 50, 4)
    assert (view.render(DrawList(), CAMERA, (5, 5))[..., 3] == 255).all()
    with pytest.raises(ValueError, match="8192"):
        view.render(DrawList(), CAMERA, (9000, 10))


def test_line_width_in_the_scene_does_not_shrink_with_distance(view):
    for distance in (1.0, 30.0):
        camera = Camera(target=(0, 0, 0), yaw=0, pitch=0, distance=distance)
        reach = float(metres_per_pixel(camera, (0, 0, 0), SIZE)) * 60
        line = Lines(np.array([[(-reach, 0, 0), (reach, 0, 0)]]), np.ones(4), 4.0, layer=Layer.FRONT)
        black = replace(DARK, background_top=(0, 0, 0, 1), background_bottom=(0, 0, 0, 1))
        image = view.render(DrawList(shapes=(line,)), camera, SIZE, black)[..., 0] / 255
        assert image[:, 160].sum() == pytest.approx(4, abs=0.15)
        assert image[110].sum() == pytest.approx(124, abs=4)


def test_ghost_that_nearly_coincides_leaves_no_specks_on_the_body(view):
    """A ball and its ghost of other triangles, a little larger: without the margin it shines through in spots."""
    body = MeshInstance(ball(key="body"), np.eye(4)[None], WHITE)
    rows = unit_sphere(9, 12).astype(np.float64)
    coarse = MeshGeometry("rough ball", 1.02 * rows[:, :3], rows[:, :3], np.arange(len(rows)).reshape(-1, 3))
    eye = Camera(target=(0, 0, 0), distance=5.0)
    alone = picture(view, DrawList(None, (body,)), eye)
    radius = 0.8 / metres_per_pixel(eye, np.zeros((1, 3)), SIZE)[0]
    y, x = np.mgrid[: SIZE[1], : SIZE[0]]
    disc = np.hypot(x - SIZE[0] / 2, y - SIZE[1] / 2) < radius
    specks = {}
    for behind in (0.0, 0.2):
        ghost = Ghost(MeshInstance(coarse, np.eye(4)[None], WHITE), (0.2, 0.4, 1.0, 0.65), behind)
        specks[behind] = (changed(picture(view, DrawList(None, (body,), (ghost,)), eye), alone) & disc).sum()
    assert specks[0.0] > 50
    assert specks[0.2] == 0


def test_ghost_has_an_outline_stronger_than_its_inside(view):
    ghost = Ghost(MeshInstance(ball(key="ghost"), np.eye(4)[None], WHITE), (1.0, 0.4, 0.1, 0.4))
    eye = Camera(target=(0, 0, 0), distance=5.0)
    red = picture(view, DrawList(None, (), (ghost,)), eye)[SIZE[1] // 2, :, 0]
    seen = np.flatnonzero(red > picture(view, DrawList(None), eye)[SIZE[1] // 2, :, 0] + 10)
    assert red[seen[0]] > red[SIZE[0] // 2] + 40
    assert red[seen[-1]] > red[SIZE[0] // 2] + 40
