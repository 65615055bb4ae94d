"""The transport in time: where it can go, how time runs, and what it tells of it."""

import numpy as np
import pytest

from core.timing import TIME_EPSILON
from editor.model.document import Document
from editor.model.playback import LoopMode, Playback, PlayMode
from tests.editor.model.transports import CLIP, Told, project


@pytest.fixture
def document() -> Document:
    return Document(project())


@pytest.fixture
def playback(document: Document) -> Playback:
    made = Playback(document)
    made.set_clip(CLIP)
    return made


# ---------------------------------------------------------------- time
@pytest.mark.parametrize(
    ("time", "expected"),
    [(float("nan"), 0.0), (float("inf"), 0.0), (-1.0, 0.0), (2.0, 2.0), (2.0 + 1e-6, 2.0)],
)
def test_a_time_sought_is_finite_and_within_the_clip(
    playback: Playback, time: float, expected: float
) -> None:
    playback.seek(1.0)
    playback.seek(time)
    assert playback.time == expected


def test_seeking_while_time_runs_begins_from_the_next_tick(playback: Playback) -> None:
    playback.play()
    playback.tick(10.0)
    assert playback.ticked_at == 10.0
    playback.seek(0.5)
    assert playback.ticked_at is None
    assert not playback.tick(20.0)
    assert playback.time == 0.5 and playback.ticked_at == 20.0


def test_a_range_is_in_order_cut_to_the_clip_and_told_once(playback: Playback) -> None:
    told = Told(playback)
    playback.set_range(5.0, -1.0)
    assert playback.range == playback.span == (0.0, 2.0) and told.take() == ["range"]
    playback.set_range(0.0, 2.0)
    assert told.take() == []
    playback.set_range(0.5)
    assert playback.range is None and told.take() == ["range"]


@pytest.mark.parametrize(("length", "kept"), [(0.5, False), (1.0, False), (1.5, True)])
def test_a_range_counts_where_it_is_longer_than_times_are_told_apart(
    playback: Playback, length: float, kept: bool
) -> None:
    playback.set_range(0.0, length * TIME_EPSILON)
    assert (playback.range is not None) is kept


def test_start_and_end_are_those_of_the_range(playback: Playback) -> None:
    playback.set_range(0.5, 1.5)
    playback.go_end()
    assert playback.time == 1.5
    playback.go_start()
    assert playback.time == 0.5


@pytest.mark.parametrize(
    ("frame", "step", "expected"),
    [(3.0, 1, 4), (3.0, -1, 2), (3.4, 1, 4), (3.4, -1, 3), (3.4, 5, 8), (4 - 1e-7, 1, 5), (4 + 1e-7, -1, 3)],
)
def test_a_step_goes_from_the_frame_grid_and_stops_time(
    playback: Playback, frame: float, step: int, expected: int
) -> None:
    playback.seek(frame / 30.0)
    playback.play()
    playback.step(step)
    assert playback.frame == pytest.approx(expected, abs=1e-9) and not playback.playing


def test_keys_that_stand_at_the_playhead_or_past_the_clip_are_not_next(playback: Playback) -> None:
    playback.key_times = lambda: np.array([0.0, 0.5, 0.5 + TIME_EPSILON / 2.0, 2.0, 2.5])
    stops = []
    for _ in range(3):
        playback.next_key()
        stops.append(playback.time)
    assert stops == [0.5, 2.0, 2.0]
    back = []
    for _ in range(3):
        playback.previous_key()
        back.append(playback.time)
    assert back[1:] == [0.0, 0.0] and back[0] == pytest.approx(0.5, abs=TIME_EPSILON)


def test_going_to_a_key_stops_time_and_only_where_there_is_one(playback: Playback) -> None:
    playback.key_times = lambda: np.array([1.0])
    for go, time in ((playback.next_key, 0.5), (playback.previous_key, 1.5)):
        playback.seek(time)
        playback.play()
        go()
        assert playback.time == 1.0 and not playback.playing
    for go in (playback.next_key, playback.previous_key):
        playback.play()
        go()
        assert playback.time == 1.0 and playback.playing


# ---------------------------------------------------------------- how time runs
def test_settings_tell_of_a_change_once(playback: Playback) -> None:
    told = Told(playback)
    for name, value in (
        ("speed", 2.0),
        ("mode", PlayMode.EVERY_FRAME),
        ("loop", LoopMode.ONCE),
        ("in_place", False),
    ):
        setattr(playback, name, value)
        assert told.take() == ["state"] and getattr(playback, name) == value
        setattr(playback, name, value)
        assert told.take() == []
    playback.mode, playback.loop = "real_time", "ping_pong"
    assert playback.mode is PlayMode.REAL_TIME and playback.loop is LoopMode.PING_PONG


def test_play_and_pause_tell_once(playback: Playback) -> None:
    told = Told(playback)
    playback.play()
    playback.play()
    assert told.take() == ["state"]
    playback.pause()
    playback.pause()
    assert told.take() == ["state"]


def test_a_tick_while_stopped_shows_nothing_new(playback: Playback) -> None:
    assert not playback.tick(0.0) and not playback.tick(1.0)
    assert playback.time == 0.0 and playback.ticked_at is None


def test_a_clock_that_goes_back_moves_nothing(playback: Playback) -> None:
    playback.play()
    playback.tick(5.0)
    assert playback.tick(4.0) and playback.time == 0.0
    playback.tick(4.5)
    assert playback.time == pytest.approx(0.5)


@pytest.mark.parametrize(("elapsed", "shown"), [(2 / 30 - 2e-3, False), (2 / 30 - 5e-4, True), (0.5, True)])
def test_every_frame_at_half_speed_waits_two_frames_and_goes_one(
    playback: Playback, elapsed: float, shown: bool
) -> None:
    playback.mode, playback.speed = PlayMode.EVERY_FRAME, 0.5
    playback.play()
    playback.tick(0.0)
    assert playback.tick(elapsed) is shown
    assert playback.frame == pytest.approx(1.0 if shown else 0.0)


def test_measured_rate_is_that_of_the_last_thirty_ticks_and_none_while_stopped(playback: Playback) -> None:
    playback.play()
    playback.tick(0.0)
    assert playback.measured_fps == 0.0
    playback.tick(1.0)
    assert playback.measured_fps == 1.0
    for number in range(1, 30):
        playback.tick(1.0 + number / 64.0)
    assert playback.measured_fps == pytest.approx(64.0)
    playback.pause()
    assert playback.measured_fps == 0.0
    playback.play()
    playback.tick(7.0)
    playback.tick(7.0)
    assert playback.measured_fps == 0.0


def test_a_long_tick_counts_every_turn(playback: Playback) -> None:
    playback.set_range(0.5, 1.5)
    playback.seek(1.0)
    playback.play()
    playback.tick(0.0)
    playback.tick(3.75)
    assert playback.turns == 4 and playback.time == pytest.approx(0.75)


def test_a_time_before_the_range_runs_into_it(playback: Playback) -> None:
    playback.set_range(0.5, 1.5)
    playback.play()
    playback.tick(0.0)
    playback.tick(0.25)
    assert playback.time == pytest.approx(0.25) and playback.turns == 0


def test_ping_pong_forgets_its_way_back_when_it_starts_again_or_loops_otherwise(playback: Playback) -> None:
    playback.loop = LoopMode.PING_PONG

    def back() -> None:
        playback.seek(1.75)
        playback.play()
        playback.tick(0.0)
        playback.tick(0.5)
        assert playback.direction == -1 and playback.time == pytest.approx(1.75)

    back()
    playback.pause()
    assert playback.direction == -1
    playback.play()
    assert playback.direction == 1
    playback.pause()
    back()
    playback.loop = LoopMode.LOOP
    assert playback.direction == 1


@pytest.mark.parametrize(
    ("loop", "time", "expected"),
    [
        (LoopMode.ONCE, 1.5, 0.5),
        (LoopMode.ONCE, 1.5 - TIME_EPSILON / 2.0, 0.5),
        (LoopMode.ONCE, 1.5 - 1e-3, 1.5 - 1e-3),
        (LoopMode.LOOP, 1.5, 1.5),
    ],
)
def test_play_at_the_end_begins_again_only_where_it_does_not_loop(
    playback: Playback, loop: LoopMode, time: float, expected: float
) -> None:
    playback.set_range(0.5, 1.5)
    playback.loop = loop
    playback.seek(time)
    playback.play()
    assert playback.time == expected


def test_once_tells_of_its_end(playback: Playback) -> None:
    playback.loop = LoopMode.ONCE
    playback.seek(1.5)
    playback.play()
    playback.tick(0.0)
    told = Told(playback)
    playback.tick(0.5)
    assert told.take() == ["state", "time"] and playback.time == 2.0


def test_shown_time_is_a_whole_frame_only_while_time_runs(playback: Playback) -> None:
    playback.seek(3.6 / 30.0)
    assert playback.shown_frame == pytest.approx(3.6) and playback.shown_time == playback.time
    playback.play()
    assert playback.shown_frame == 3.0 and playback.shown_time == pytest.approx(3.0 / 30.0)
    playback.seek((4.0 - 1e-7) / 30.0)
    assert playback.shown_frame == 4.0
