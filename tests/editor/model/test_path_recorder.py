"""The path of a blend space's point: noted, then played again over and over."""

import numpy as np
import pytest

from core.blending.space_player import SpacePlayer
from editor.model.blending.path_recorder import PathRecorder
from tests.core.blending.test_space_player import CLIPS, RIG, SPACE

PLAYER = SpacePlayer(RIG, SPACE, CLIPS)


def noted() -> PathRecorder:
    """A path from 2 m/s to 3 m/s within a second, noted from second 5 on."""
    recorder = PathRecorder()
    recorder.begin(5.0, (2.0,))
    recorder.note(5.5, (2.25,))
    recorder.note(5.5, (2.5,))
    recorder.note(6.0, (3.0,))
    recorder.finish()
    return recorder


def test_path_starts_at_zero_and_keeps_the_last_point_of_a_moment() -> None:
    path = noted().path
    assert path is not None
    assert path.times == pytest.approx([0.0, 0.5, 1.0])
    assert np.ravel(path.points) == pytest.approx([2.0, 2.5, 3.0])


def test_replay_drives_the_point_over_and_over_until_it_is_stopped() -> None:
    recorder = noted()
    assert recorder.replayed(0.1, PLAYER) is None
    recorder.start_replay()
    points = [recorder.replayed(0.25, PLAYER) for _ in range(5)]
    assert np.ravel(points) == pytest.approx([2.25, 2.5, 2.75, 2.0, 2.25])
    recorder.stop_replay()
    assert recorder.replayed(0.25, PLAYER) is None and not recorder.replaying


def test_single_moment_is_no_path_and_what_comes_after_is_not_noted() -> None:
    recorder = PathRecorder()
    recorder.begin(0.0, (2.0,))
    recorder.finish()
    recorder.note(1.0, (3.0,))
    assert recorder.path is None and not recorder.recording
