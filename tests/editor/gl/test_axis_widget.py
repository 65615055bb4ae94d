from dataclasses import replace

import numpy as np
import pytest

from editor.gl.axis_widget import VIEWS, bubble_at, bubbles, centre, inside, widget_shapes
from editor.gl.camera import Camera, axes, standard_view
from editor.gl.colors import DARK
from editor.gl.draw_list import AxisWidget, Layer

SIZE = (900.0, 500.0)
WIDGET = AxisWidget()


def test_every_bubble_is_caught_at_its_middle_unless_a_nearer_one_hides_it():
    camera = Camera(yaw=0.5, pitch=0.4)
    middles, depth = bubbles(WIDGET, camera, SIZE)
    for n, middle in enumerate(middles):
        caught = bubble_at(WIDGET, camera, SIZE, tuple(middle))
        assert caught is not None and (caught == n or depth[caught] < depth[n])
    assert bubble_at(WIDGET, camera, SIZE, (10, 10)) is None


@pytest.mark.parametrize("n", range(6))
def test_a_click_leads_to_the_view_from_that_side(n):
    direction = np.concatenate([np.eye(3), -np.eye(3)])[n]
    np.testing.assert_allclose(axes(standard_view(Camera(), VIEWS[n]))[2], -direction, atol=1e-12)


def test_widget_sits_in_the_top_right_corner_and_moves_with_mirroring():
    x, y = centre(WIDGET, SIZE)
    assert 900 - 12 - 84 <= x <= 900 - 12 and 12 <= y <= 96
    camera = Camera(yaw=0.5, pitch=0.4)
    plain, _ = bubbles(WIDGET, camera, SIZE)
    flipped, _ = bubbles(WIDGET, replace(camera, mirrored=True), SIZE)
    np.testing.assert_allclose(plain[:, 0] - x, -(flipped[:, 0] - x), atol=1e-9)
    assert inside(WIDGET, SIZE, (x + 20, y)) and not inside(WIDGET, SIZE, (x - 60, y))


def test_shapes_are_pixels_within_the_widget():
    for shape in widget_shapes(AxisWidget(hovered=4), Camera(), SIZE, DARK):
        assert shape.layer is Layer.OVERLAY
        points = shape.points.reshape(-1, 3)[:, :2]
        assert (np.abs(points - centre(WIDGET, SIZE)) <= 42).all()
