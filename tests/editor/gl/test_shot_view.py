"""What is seen through a camera of the shot: the same place, direction and picture, in a view of any shape."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.math import quat
from core.shot.camera import CameraView
from editor.gl.camera import axes, eye, project
from editor.gl.shot_view import angles_of, camera_of, fov_within, frame_rectangle, place_of, rotation_of

turns = st.tuples(*[st.floats(-1.0, 1.0, allow_nan=False)] * 4).filter(lambda q: sum(v * v for v in q) > 0.01)
sides = st.floats(50.0, 3000.0)


@settings(max_examples=80, deadline=None)
@given(turns, st.floats(0.02, 2.0), st.floats(0.4, 3.0), sides, sides)
def test_a_view_through_a_camera_stands_and_looks_as_it_does(
    turn: tuple[float, ...], fov: float, aspect: float, width: float, height: float
) -> None:
    rotation, place = quat.normalise(np.array(turn)), np.array([1.0, -2.0, 3.0])
    size = (width, height)
    camera = camera_of(CameraView(place, rotation, fov, aspect), size, 1.0)
    found, turned = place_of(camera)
    assert np.abs(found - place).max() < 1e-9
    assert np.abs(quat.to_matrix(turned) - quat.to_matrix(rotation)).max() < 1e-9
    if camera.fov < 2.9:
        assert fov_within(camera, aspect, size, 1.0) == pytest.approx(fov, abs=1e-9)
        # The upper right corner of what the camera sees is that of the rectangle.
        right, up, ahead = axes(camera)
        high = np.tan(fov / 2.0)
        corner = eye(camera) + 2.0 * (ahead + up * high + right * high * aspect)
        pixel, _ = project(camera, corner, size)
        (_, top), (across, _) = frame_rectangle(aspect, size, 1.0)
        assert np.abs(pixel - [across, top]).max() < 1e-6


@pytest.mark.parametrize("tilt", [np.pi / 2, -np.pi / 2])
def test_straight_up_and_down_are_seen_as_well(tilt: float) -> None:
    rotation = quat.multiply(
        quat.from_axis_angle([0.0, 1.0, 0.0], 0.4), quat.from_axis_angle([1.0, 0.0, 0.0], tilt)
    )
    camera = camera_of(CameraView(np.zeros(3), rotation, 0.7, 1.5), (300.0, 200.0))
    assert np.abs(quat.to_matrix(rotation_of(camera)) - quat.to_matrix(rotation)).max() < 1e-9


def test_a_level_camera_has_no_roll() -> None:
    rotation = quat.multiply(
        quat.from_axis_angle([0.0, 1.0, 0.0], 0.4), quat.from_axis_angle([1.0, 0.0, 0.0], -0.2)
    )
    yaw, pitch, roll = angles_of(rotation)
    assert (yaw, pitch, roll) == pytest.approx((0.4, 0.2, 0.0), abs=1e-12)


def test_a_parallel_camera_fills_the_rectangle_with_its_metres() -> None:
    camera = camera_of(CameraView(np.zeros(3), quat.IDENTITY, 0.5, 2.0, height=3.0), (400.0, 400.0))
    (left, top), (right, bottom) = frame_rectangle(2.0, (400.0, 400.0))
    pixels, _ = project(camera, np.array([[-3.0, 1.5, -4.0], [3.0, -1.5, -9.0]]), (400.0, 400.0))
    assert pixels.ravel().tolist() == pytest.approx([left, top, right, bottom])
