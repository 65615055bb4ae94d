"""Moving the camera by a drag: which buttons and keys begin what, each way counts once, Esc brings the look back."""

from math import exp

import pytest

from editor.tools.navigate import ZOOM_PER_PIXEL, Move, Navigate, navigation
from editor.tools.pointer import Button, Modifiers, Pointer


class Camera:
    """Keeps what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple] = []

    def look(self):
        return "before"

    def orbit(self, *way):
        self.asked.append(("orbit", *way))

    def pan(self, *way):
        self.asked.append(("pan", *way))

    def dolly(self, factor, at):
        self.asked.append(("dolly", factor, at))

    def restore(self, look):
        self.asked.append(("restore", look))


@pytest.mark.parametrize(
    "button, keys, move",
    [
        (Button.LEFT, Modifiers.ALT, Move.ORBIT), (Button.MIDDLE, Modifiers.ALT, Move.PAN),
        (Button.RIGHT, Modifiers.ALT, Move.ZOOM), (Button.MIDDLE, Modifiers.NONE, Move.ORBIT),
        (Button.MIDDLE, Modifiers.SHIFT, Move.PAN), (Button.MIDDLE, Modifiers.CTRL, Move.ZOOM),
        (Button.LEFT, Modifiers.NONE, None), (Button.RIGHT, Modifiers.SHIFT, None),
    ],
)  # fmt: skip
def test_buttons_and_keys_begin_a_way_of_moving(button, keys, move):
    assert navigation(Pointer(0.0, 0.0, button, keys)) is move


@pytest.mark.parametrize("move", [Move.ORBIT, Move.PAN])
def test_each_part_of_a_drag_counts_once(move):
    camera = Camera()
    drag = Navigate(camera, move)
    drag.begin(Pointer(100.0, 50.0))
    drag.move(Pointer(107.0, 53.0))
    drag.move(Pointer(105.0, 63.0))
    assert camera.asked == [(move.value, 7.0, 3.0), (move.value, -2.0, 10.0)]
    drag.cancel()
    assert camera.asked[-1] == ("restore", "before")


def test_zoom_is_about_where_the_drag_began_up_and_right_come_closer():
    camera = Camera()
    drag = Navigate(camera, Move.ZOOM)
    drag.begin(Pointer(100.0, 50.0))
    drag.move(Pointer(110.0, 50.0))
    drag.move(Pointer(110.0, 45.0))
    (_, right, first), (_, up, second) = camera.asked
    assert first == second == (100.0, 50.0)
    assert right == pytest.approx(exp(-10.0 * ZOOM_PER_PIXEL))
    assert up == pytest.approx(exp(-5.0 * ZOOM_PER_PIXEL))
