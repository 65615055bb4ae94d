"""A path laid onto an arc: spacing is kept, ends decide the frames, direction does not matter."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evaluation.drawn_arc import along, covered, laid_onto


def wave(count):
    x = np.linspace(0.0, 100.0, count)
    return np.stack([x, 20.0 * np.sin(x / 20.0)], axis=-1)


@given(st.lists(st.floats(0.1, 30.0), min_size=2, max_size=30), st.integers(2, 40))
def test_spacing_along_the_arc_is_that_along_the_path(steps, points):
    path = np.stack([np.cumsum(steps), np.zeros(len(steps))], axis=-1)
    stroke = wave(points)
    onto = laid_onto(path, stroke)
    assert onto[0] == pytest.approx(stroke[0]) and onto[-1] == pytest.approx(stroke[-1])
    shares, marks = along(path), along(stroke)
    expected = [[np.interp(s, marks, stroke[:, a]) for a in (0, 1)] for s in shares]
    assert onto == pytest.approx(np.array(expected))


def test_straight_arc_keeps_the_very_spacing():
    path = np.array([[0.0, 0.0], [1.0, 0.0], [3.0, 0.0], [7.0, 0.0], [8.0, 0.0]])
    onto = laid_onto(path, np.array([[0.0, 0.0], [0.0, 16.0]]))
    assert onto == pytest.approx(np.stack([np.zeros(5), 2.0 * path[:, 0]], axis=-1))


def test_stroke_covers_the_frames_between_its_ends_in_either_direction():
    path = wave(11)
    part = np.array([path[3] + [1.0, -2.0], [50.0, 60.0], path[8] + [-1.0, 2.0]])
    for stroke in (part, part[::-1]):
        first, last, turned = covered(path, stroke)
        assert (first, last) == (3, 8) and turned == pytest.approx(part)


def test_stroke_that_ends_where_it_begins_is_for_the_whole_path():
    path = wave(11)
    loop = np.array([path[5], path[5] + [0.0, 30.0], path[5] + [1.0, 1.0]])
    assert covered(path, loop)[:2] == (0, 10)


def test_path_of_a_bone_that_stands_still_is_spread_evenly():
    assert laid_onto(np.ones((5, 2)), np.array([[0.0, 0.0], [4.0, 0.0]]))[:, 0] == pytest.approx(
        np.arange(5.0)
    )
