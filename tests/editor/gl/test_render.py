"""Pictures, judged by their pixels: what should be where is computed by the camera's plain maths."""

from dataclasses import replace

import numpy as np
import pytest

from editor.gl.camera import Camera, View, project, standard_view
from editor.gl.capture import OffscreenRenderer
from editor.gl.character_drawables import bone_caster
from editor.gl.colors import DARK, LIGHT
from editor.gl.cpu_skin import skin, skin_positions
from editor.gl.draw_list import (
    BoneStyle,
    DrawList,
    Grid,
    MeshGeometry,
    MeshInstance,
    Shading,
)
from tests.editor.gl.figure import WALKING, figure, rotation, with_states
from tests.editor.gl.render_values import CAMERA, SIZE, WHITE, ball, changed, color_at, picture

BARE = replace(LIGHT, stage=(*LIGHT.stage[:3], 0.0))


RNG = np.random.default_rng(5)


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
