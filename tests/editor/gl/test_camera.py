from dataclasses import replace
from math import pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import ValidationError
from editor.gl import camera as cam
from editor.gl.camera import Camera, View

SIZE = (900.0, 500.0)


def numbers(low: float, high: float) -> st.SearchStrategy[float]:
    return st.floats(low, high, allow_nan=False, allow_subnormal=False)


cameras = st.builds(
    Camera,
    target=st.tuples(*[numbers(-50, 50)] * 3),
    yaw=numbers(-7, 7),
    pitch=numbers(-2, 2),
    distance=numbers(0.05, 200),
    fov=numbers(0.2, 1.5),
    orthographic=st.booleans(),
    mirrored=st.booleans(),
)
pixels = st.tuples(numbers(0, 900), numbers(0, 500))


@given(cameras, pixels, numbers(0.3, 4))
def test_unproject_then_project_returns_pixel_and_depth(camera, pixel, reach):
    depth = camera.distance * reach
    point = cam.unproject(camera, pixel, depth, SIZE)
    back, deep = cam.project(camera, point, SIZE)
    np.testing.assert_allclose(back, pixel, atol=1e-5)
    np.testing.assert_allclose(deep, depth, rtol=1e-7)


@given(cameras, pixels, numbers(0.3, 4))
def test_project_agrees_with_the_matrix_the_graphics_card_uses(camera, pixel, reach):
    point = cam.unproject(camera, pixel, camera.distance * reach, SIZE)
    clip = cam.view_projection(camera, SIZE) @ np.append(point, 1.0)
    assert clip[3] > 0
    ndc = clip[:3] / clip[3]
    np.testing.assert_allclose([(ndc[0] + 1) * 450, (1 - ndc[1]) * 250], pixel, atol=1e-4)
    assert -1.0 <= ndc[2] <= 1.0


@given(cameras, pixels, numbers(0.3, 4))
def test_ray_passes_through_what_is_seen_at_its_pixel(camera, pixel, reach):
    point = cam.unproject(camera, pixel, camera.distance * reach, SIZE)
    origin, direction = cam.ray(camera, pixel, SIZE)
    assert np.linalg.norm(direction) == pytest.approx(1.0)
    along = (point - origin) @ direction
    assert along > 0
    np.testing.assert_allclose(origin + along * direction, point, atol=1e-6 * camera.distance + 1e-9)


@given(cameras)
def test_view_matrix_is_a_rigid_motion_that_puts_the_eye_at_the_origin(camera):
    view = cam.view_matrix(camera)
    np.testing.assert_allclose(view[:3, :3] @ view[:3, :3].T, np.eye(3), atol=1e-12)
    assert np.linalg.det(view[:3, :3]) == pytest.approx(1.0)
    np.testing.assert_allclose(view @ np.append(cam.eye(camera), 1), [0, 0, 0, 1], atol=1e-9)
    np.testing.assert_allclose(view @ (*camera.target, 1), [0, 0, -camera.distance, 1], atol=1e-9)


@given(cameras, numbers(-300, 300), numbers(-300, 300))
def test_pan_moves_what_is_under_the_hand_with_the_hand(camera, dx, dy):
    point = cam.unproject(camera, (450, 250), camera.distance, SIZE)
    seen, _ = cam.project(cam.pan(camera, dx, dy, SIZE), point, SIZE)
    np.testing.assert_allclose(seen, (450 + dx, 250 + dy), atol=1e-4)


@given(cameras, pixels, numbers(0.3, 3))
def test_dolly_keeps_what_is_under_the_cursor(camera, cursor, factor):
    point = cam.unproject(camera, cursor, camera.distance, SIZE)
    moved = cam.dolly(camera, factor, SIZE, cursor)
    seen, _ = cam.project(moved, point, SIZE)
    np.testing.assert_allclose(seen, cursor, atol=1e-4)
    assert moved.distance == pytest.approx(camera.distance * factor)


@pytest.mark.parametrize("factor", [0.0, -1.0, float("nan"), float("inf")])
def test_dolly_by_nonsense_leaves_the_camera(factor):
    assert cam.dolly(Camera(), factor, SIZE, (3, 4)) == Camera()


@given(cameras, st.tuples(*[numbers(-5, 5)] * 3), st.tuples(*[numbers(0, 5)] * 3))
def test_frame_shows_every_corner_and_fills_the_view(camera, low, extent):
    high = np.add(low, extent)
    framed = cam.frame(camera, low, high, SIZE, margin=1.0)
    middle, half = (np.array(low) + high) / 2, np.maximum(np.array(extent) / 2, 0.025)
    corners = middle + half * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    seen, depth = cam.project(framed, corners, SIZE)
    assert framed.orthographic or (depth > 0).all()
    assert (seen >= -1e-3).all() and (seen <= np.array(SIZE) + 1e-3).all()
    # As near as can be: some corner touches the border.
    gap = np.minimum(seen, np.array(SIZE) - seen).min()
    assert gap == pytest.approx(0.0, abs=0.5)


def test_frame_refuses_what_is_not_finite():
    with pytest.raises(ValidationError, match="finite"):
        cam.frame(Camera(), (0, 0, np.nan), (1, 1, 1), SIZE)


def test_camera_refuses_nan_and_clamps_the_rest():
    with pytest.raises(ValidationError, match="finite"):
        Camera(yaw=float("nan"))
    extreme = Camera(pitch=9, distance=0, fov=99, target=(1e30, 0, 0))
    assert extreme.pitch == pytest.approx(pi / 2) and extreme.distance > 0 and extreme.fov < pi
    assert np.isfinite(cam.view_projection(extreme, SIZE)).all()


@given(cameras, st.tuples(numbers(-1e9, 1e9), numbers(-1e9, 1e9)), st.tuples(*[numbers(-1e7, 1e7)] * 3))
def test_nothing_is_ever_nan(camera, pixel, point):
    for size in ((0, 0), (1, 1), (3, 99999)):
        outcomes = [
            *cam.project(camera, point, size),
            *cam.ray(camera, pixel, size),
            cam.unproject(camera, pixel, 0.0, size),
            cam.view_projection(camera, size),
            cam.metres_per_pixel(camera, point, size),
            np.array(cam.pan(camera, *pixel, size).target),
            np.array(cam.dolly(camera, 1e-300, size, pixel).target),
        ]
        assert all(np.isfinite(value).all() for value in outcomes)


@given(cameras, pixels)
def test_metres_per_pixel_matches_two_neighbouring_pixels(camera, pixel):
    depth = camera.distance * 1.3
    a, b = cam.unproject(camera, [pixel, (pixel[0] + 1, pixel[1])], [depth, depth], SIZE)
    assert cam.metres_per_pixel(camera, a, SIZE) == pytest.approx(np.linalg.norm(b - a), rel=1e-6)


def test_front_view_shows_the_characters_left_on_the_right():
    front = cam.standard_view(Camera(target=(0, 1, 0)), View.FRONT)
    (left, up), _ = cam.project(front, [(1, 1, 0), (0, 2, 0)], SIZE)
    assert left[0] > 450 and left[1] == pytest.approx(250)
    assert up[1] < 250
    mirrored, _ = cam.project(replace(front, mirrored=True), (1, 1, 0), SIZE)
    assert mirrored[0] == pytest.approx(900 - left[0])


@pytest.mark.parametrize("view", list(View))
def test_standard_views_look_along_an_axis_and_have_opposites(view):
    camera = cam.standard_view(Camera(), view)
    forward = cam.axes(camera)[2]
    assert np.abs(forward).max() == pytest.approx(1.0)
    np.testing.assert_allclose(cam.axes(cam.opposite(camera))[2], -forward, atol=1e-12)
    assert cam.view_name(camera) is view
    assert cam.view_name(cam.orbit(camera, 0.1, 0)) is not view or view in (View.TOP, View.BOTTOM)


@given(cameras, cameras, numbers(0, 1))
def test_interpolation_stays_between_and_turns_the_short_way(a, b, t):
    assert cam.interpolate(a, b, 0) == a and cam.interpolate(a, b, 1) == b
    c = cam.interpolate(a, b, t)
    assert min(a.distance, b.distance) * 0.999999 <= c.distance <= max(a.distance, b.distance) * 1.000001
    short = abs(cam.wrap_angle(b.yaw - a.yaw))
    assert abs(cam.wrap_angle(c.yaw - a.yaw)) <= short + 1e-9


@given(cameras, numbers(-400, 400), numbers(-400, 400))
def test_orbit_keeps_target_and_distance(camera, dx, dy):
    turned = cam.orbit_pixels(camera, dx, dy)
    assert turned.target == camera.target and turned.distance == camera.distance
    seen, _ = cam.project(turned, camera.target, SIZE)
    np.testing.assert_allclose(seen, (450, 250), atol=1e-6)
