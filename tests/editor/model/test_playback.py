"""The transport: how time runs, and what is shown at its edges."""

from dataclasses import replace

import numpy as np
import pytest

from core.ids import AssetId
from editor.model.playback import LoopMode, PlayMode
from editor.model.session import Session
from tests.editor.rigs import small_project


@pytest.fixture
def session() -> Session:
    session = Session.create()
    session.document.replace(small_project(), None)
    yield session
    session.close()


def run(session: Session, seconds: float, step: float = 1 / 60, start: float = 100.0) -> list[float]:
    """Tick by a clock; the times shown."""
    shown = []
    session.playback.tick(start)
    for count in range(1, round(seconds / step) + 1):
        session.playback.tick(start + count * step)
        shown.append(session.playback.time)
    return shown


def test_opening_shows_the_first_clip(session: Session) -> None:
    assert (session.playback.clip, session.playback.rig) == ("clip-small", "rig-small")
    assert session.playback.length == 2.0 and session.playback.frame == 0.0


def test_playing_in_real_time_drops_frames_when_drawing_is_slow(session: Session) -> None:
    session.playback.play()
    shown = run(session, 1.0, step=0.25)
    assert shown == pytest.approx([0.25, 0.5, 0.75, 1.0])
    assert session.playback.measured_fps == pytest.approx(4.0)


def test_playing_every_frame_shows_each_however_slow(session: Session) -> None:
    session.playback.mode = PlayMode.EVERY_FRAME
    session.playback.play()
    shown = run(session, 1.0, step=0.25)
    assert np.array(shown) * 30 == pytest.approx([1, 2, 3, 4])


def test_playing_every_frame_is_not_faster_than_the_rate(session: Session) -> None:
    session.playback.mode = PlayMode.EVERY_FRAME
    session.playback.play()
    assert run(session, 0.5, step=1 / 240)[-1] == pytest.approx(0.5, abs=0.04)


def test_loop_goes_on_from_the_start_and_counts_turns(session: Session) -> None:
    session.playback.play()
    run(session, 5.0, step=0.5)
    assert session.playback.turns == 2 and session.playback.time == pytest.approx(1.0)
    session.playback.seek(0.1)
    assert session.playback.turns == 0


def test_at_exactly_the_end_stopped_shows_the_end_and_going_on_the_start(session: Session) -> None:
    session.playback.seek(2.0)
    assert session.playback.time == 2.0
    session.playback.play()
    session.playback.tick(0.0)
    session.playback.tick(0.25)
    assert session.playback.time == pytest.approx(0.25)
    session.playback.seek(1.75)
    session.playback.tick(1.0)
    session.playback.tick(1.25)
    assert session.playback.time == 0.0  # a time that falls on the end while playing is the start


def test_ping_pong_turns_round_at_both_ends(session: Session) -> None:
    session.playback.loop = LoopMode.PING_PONG
    session.playback.play()
    assert run(session, 4.5, step=0.5) == pytest.approx([0.5, 1, 1.5, 2, 1.5, 1, 0.5, 0, 0.5])


def test_once_stops_at_the_end_and_starts_over(session: Session) -> None:
    session.playback.loop = LoopMode.ONCE
    session.playback.play()
    run(session, 3.0, step=0.4)
    assert session.playback.time == 2.0 and not session.playback.playing
    session.playback.play()
    assert session.playback.time == 0.0


def test_ping_pong_turns_round_at_the_ends_of_a_range(session: Session) -> None:
    session.playback.loop = LoopMode.PING_PONG
    session.playback.set_range(0.25, 1.0)
    session.playback.seek(0.25)
    session.playback.play()
    once = [0.5, 0.75, 1.0, 0.75, 0.5, 0.25]
    assert run(session, 3.0, step=0.25) == pytest.approx([*once, *once])
    past_the_ends = run(session, 1.6, step=0.4)  # which come in the middle of a step
    assert past_the_ends == pytest.approx([0.65, 0.95, 0.55, 0.35])


def test_range_is_what_is_played(session: Session) -> None:
    session.playback.set_range(1.5, 0.5)
    session.playback.go_start()
    session.playback.play()
    assert min(run(session, 3.0, step=0.3)) >= 0.5
    session.playback.set_range(1.0, 1.0)
    assert session.playback.range is None


def test_speed_is_held_within_bounds_and_scales_time(session: Session) -> None:
    session.playback.speed = 100.0
    assert session.playback.speed == 4.0
    session.playback.speed = 0.0
    assert session.playback.speed == 0.1
    session.playback.speed = 2.0
    session.playback.play()
    assert run(session, 0.5)[-1] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("start", "frames", "expected"),
    [(0.0, 1, 1), (0.51 / 30, 1, 1), (0.51 / 30, -1, 0), (2.0, 1, 60), (0.0, -1, 0)],
)
def test_step_goes_to_whole_frames_within_the_clip(
    session: Session, start: float, frames: int, expected: int
) -> None:
    session.playback.seek(start)
    session.playback.step(frames)
    assert session.playback.frame == pytest.approx(expected)


def test_next_and_previous_key_follow_the_selection(session: Session) -> None:
    session.selection.select(["pelvis"])
    session.playback.next_key()
    assert session.playback.time == 2.0
    session.selection.select(["upper_arm_l"])
    session.playback.previous_key()
    assert session.playback.frame == pytest.approx(40)
    session.playback.go_start()
    session.playback.previous_key()
    assert session.playback.time == 0.0


def test_a_clip_of_no_length_stops_at_once(session: Session) -> None:
    session.clips.set_length(session.clip.id, 0.0)
    session.playback.play()
    run(session, 0.2)
    assert (session.playback.time, session.playback.playing) == (0.0, False)


def test_deleting_the_clip_shown_shows_another(session: Session) -> None:
    first = session.playback.clip
    other = session.clips.duplicate(first)
    session.playback.set_clip(first)
    session.clips.delete(first)
    assert session.playback.clip == other
    session.clips.delete(other)
    assert session.playback.clip is None and session.playback.rig == "rig-small"
    session.evaluator.pose()  # the rest pose
    session.playback.play()
    assert not session.playback.playing


def test_set_clip_that_is_not_there_shows_none(session: Session) -> None:
    session.playback.set_clip(AssetId("nobody"))
    assert session.playback.clip is None


def test_shortening_the_clip_shortens_the_range(session: Session) -> None:
    session.playback.set_range(0.5, 1.8)
    session.clips.set_length(session.clip.id, 1.0)
    assert session.playback.range == (0.5, 1.0)


def test_transport_settings_are_remembered() -> None:
    first = Session.create()
    first.playback.loop = LoopMode.ONCE
    first.playback.in_place = False
    first.close()
    second = Session.create()
    assert second.playback.loop is LoopMode.ONCE and not second.playback.in_place
    second.close()


def test_an_equal_value_is_told_to_nobody(session: Session) -> None:
    heard: list[object] = []
    session.playback.time_changed.connect(heard.append)
    session.playback.state_changed.connect(heard.append)
    session.playback.seek(0.0)
    session.playback.speed = session.playback.speed
    session.playback.pause()
    assert heard == []


def test_replaced_clip_of_equal_id_stays_shown(session: Session) -> None:
    session.playback.seek(1.0)
    session.edits.put("rename", replace(session.clip, name="other"))
    assert session.clip.name == "other" and session.playback.time == 1.0


def test_pausing_by_hand_stops_on_a_whole_frame_of_the_same_turn(session: Session) -> None:
    session.playback.toggle()
    run(session, 2.51, step=0.01)
    session.playback.toggle()
    assert session.playback.frame == pytest.approx(round(session.playback.frame), abs=1e-9)
    assert session.playback.turns == 1


def test_times_past_the_clip_cannot_be_sought(session: Session) -> None:
    length = session.clip.length
    session.playback.seek(length + 3.0)
    assert session.playback.time == length
    session.playback.set_range(0.5, length + 3.0)
    assert session.playback.range == (0.5, length)


def test_time_stays_within_a_clip_that_gets_shorter(session: Session) -> None:
    session.playback.seek(session.clip.length)
    session.clips.set_length(session.clip.id, 0.5)
    assert session.playback.time == 0.5


def test_without_a_clip_any_time_can_be_sought(session: Session) -> None:
    session.playback.set_clip(None)
    session.playback.seek(7.0)
    assert session.playback.time == 7.0


def test_shown_frame_is_whole_while_time_runs_and_never_past_the_clip(session: Session) -> None:
    playback = session.playback
    session.clips.set_length(session.clip.id, 31.7 / 30.0)
    playback.play()
    playback.tick(0.0)
    playback.tick(31.69 / 30.0)
    assert playback.frame == pytest.approx(31.69) and playback.shown_frame == 31.0
    playback.toggle()
    assert playback.frame == pytest.approx(31.0) and playback.shown_frame == playback.frame
