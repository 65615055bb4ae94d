"""Hitting the driven character: the way and strength of a pull, a click, and the most there is."""

import numpy as np
import pytest

from editor.tools.play_push import CLICK, HARDEST, PER_PIXEL, PushBone
from editor.tools.pointer import Pointer

RIGHT, UP, AHEAD = np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0]), np.array([0.6, -0.8, 0.0])


class Controls:
    def __init__(self) -> None:
        self.hits: list[tuple] = []

    def hit(self, bone, impulse):
        self.hits.append((bone, *impulse))


def hit(dx: float, dy: float) -> tuple:
    controls = Controls()
    push = PushBone(controls, "spine", RIGHT, UP, AHEAD)
    push.begin(Pointer(10.0, 10.0))
    push.move(Pointer(10.0 + dx / 2, 10.0 + dy / 2))
    assert not controls.hits  # dealt at the release
    push.finish(Pointer(10.0 + dx, 10.0 + dy))
    (found,) = controls.hits
    assert found[0] == "spine"
    return found[1:]


def test_a_pull_hits_along_the_screen_by_its_length():
    assert hit(50.0, 0.0) == pytest.approx((0.0, 0.0, 50.0 * PER_PIXEL))
    assert hit(0.0, -30.0) == pytest.approx((0.0, 30.0 * PER_PIXEL, 0.0))


def test_a_click_hits_level_away_from_the_viewer():
    assert hit(1.0, 1.0) == pytest.approx((CLICK, 0.0, 0.0))


def test_no_pull_is_harder_than_the_hardest():
    assert np.linalg.norm(hit(3000.0, 4000.0)) == pytest.approx(HARDEST)
    assert hit(4000.0, 0.0)[2] == pytest.approx(HARDEST)


def test_escape_deals_none():
    controls = Controls()
    push = PushBone(controls, "spine", RIGHT, UP, AHEAD)
    push.begin(Pointer(10.0, 10.0))
    push.move(Pointer(90.0, 10.0))
    push.cancel()
    assert not controls.hits
