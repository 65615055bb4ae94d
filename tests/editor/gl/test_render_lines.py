"""What the renderer draws besides meshes: lines, dots, gizmo, ghosts; and when it draws at all."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from editor.gl.bone_geometry import unit_sphere
from editor.gl.camera import Camera, metres_per_pixel, project
from editor.gl.capture import OffscreenRenderer
from editor.gl.colors import DARK
from editor.gl.draw_list import (
    AxisWidget,
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
    Triangles,
    polyline,
)
from editor.gl.gizmo import Handle
from tests.editor.gl.figure import WALKING, figure
from tests.editor.gl.render_values import CAMERA, SIZE, WHITE, ball, changed, color_at, picture

RED = np.array((1.0, 0.0, 0.0, 1.0))


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
        assert not left


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
