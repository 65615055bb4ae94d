"""Play shows a run: started, paused, stepped, gone back in, cut, with a span; what is told, and what the view does."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from core.errors import ValidationError
from core.locomotion.controls import Key
from core.locomotion.setup import H
from core.math.transform import to_matrix
from core.physics import engine
from editor.model.play import state as states
from editor.model.play.camera import DISTANCE
from editor.model.play.controls import LOOKS_DOWN
from editor.model.play.state import Play
from tests.editor.model.play.played import light_session, played, told


@pytest.fixture
def session():
    made = light_session()
    yield made
    made.close()


@pytest.fixture
def play(session) -> Play:
    """Ten steps, paused at the end."""
    return played(session, 10)


# ---------------------------------------------------------------- what is shown
def test_before_the_first_character_nothing_is_there(session) -> None:
    play = session.feature(Play)
    assert play.run is None and play.pose() is None and np.array_equal(play.world(), np.eye(4))
    assert play.detail == "" and play.title == "Play: Flat" and play.missing == ()
    assert not play.preparing and not play.failed and not play.on
    assert not play.tick(1.0) and not play.tick(2.0) and not play.advance(1.0)
    play.follow(1.0)
    play.goto(3)
    play.go_on_from_here()
    assert play.run is None and not play.on


def test_a_run_made_elsewhere_is_shown_paused(session) -> None:
    play = played(session)
    assert play.on and not play.running and len(play.run) == 0
    assert play.missing == play.run.driven.missing != ()
    assert play.pose() is play.run.pose
    play.step_once()
    assert told(play) == (1, 1, 0), "it was paused already"


def test_the_words_tell_the_time_and_whether_it_runs(play) -> None:
    assert play.detail == f"{10 * H:.2f} s · paused"
    play.start()
    assert play.detail == f"{10 * H:.2f} s"
    play.goto(6)
    assert play.detail == "0.10 s · paused"
    play.start()
    assert play.detail == "0.10 s · replay"


def test_the_world_is_where_the_character_stands(play) -> None:
    play.controls.press(Key.AHEAD)
    for _ in range(6):
        play.step_once()
    state = play.run.control
    assert state.position[2] > 0.01
    half = math.radians(state.yaw) / 2.0
    wanted = to_matrix(
        type(play.run.pose.local)(
            np.array(state.root), np.array([0.0, math.sin(half), 0.0, math.cos(half)]), np.ones(3)
        )
    )
    assert np.allclose(play.world(), wanted)


def test_only_while_it_runs_it_is_shown_between_two_steps(play) -> None:
    play.start()
    play.clock.speed = 0.25
    play.advance(H)
    assert play.clock.share == pytest.approx(0.25) and play.shown()[0] is not play.run.control
    play.pause()
    assert play.shown() == (play.run.control, play.run.pose) and play.clock.share == 0.0


# ---------------------------------------------------------------- running
def test_to_start_what_is_shown_lets_it_run(play) -> None:
    told(play)
    assert play.start() and play.running and told(play) == (0, 0, 1)
    assert play.start(running=False) and not play.running and play.on


def test_what_passed_before_a_start_does_not_count(play) -> None:
    play.start()
    play.tick(100.0)
    play.start()
    assert not play.tick(200.0) and play.run.at == 10
    assert play.tick(200.0 + H) and play.run.at == 11


def test_a_pause_is_told_once_and_only_where_it_runs(play) -> None:
    play.start()
    told(play)
    play.pause()
    assert told(play) == (1, 0, 1) and not play.running and play.on
    play.pause()
    assert told(play) == (0, 0, 0)


def test_the_button_runs_and_pauses(play) -> None:
    play.toggle()
    assert play.running
    play.toggle()
    assert not play.running and play.on


def test_to_stop_lets_go_of_the_keys(play, session) -> None:
    play.controls.press(Key.AHEAD)
    play.stop()
    assert not play.on and session.display.source is None and play.controls.held == frozenset()
    assert len(play.run) == 10, "what is recorded stays"
    play.controls.press(Key.AHEAD)
    play.stop()
    assert play.controls.held == {Key.AHEAD}, "it was not on"


def test_the_clip_stands_while_play_is_shown(session) -> None:
    session.playback.play()
    play = played(session)
    assert play.on and not session.playback.playing


def test_time_that_passes_while_it_is_paused_moves_the_camera_alone(play) -> None:
    play.start()
    play.controls.press(Key.AHEAD)
    for _ in range(20):
        play.advance(H)
    play.pause()
    assert not play.tick(50.0)
    before = play.camera
    assert not play.tick(50.5) and play.camera.pivot != before.pivot
    assert play.camera.pivot[2] == pytest.approx(play.run.control.position[2], abs=0.01)


def test_time_that_passes_while_it_is_left_does_not_count(play) -> None:
    play.start()
    play.tick(100.0)
    play.stop()
    assert not play.tick(100.5)
    play.start()
    assert not play.tick(101.0) and play.run.at == 10


def test_steps_are_told_together(play) -> None:
    play.start()
    told(play)
    assert play.advance(3.0 * H) and play.run.at == 13 and told(play) == (1, 1, 0)
    assert not play.advance(0.0) and told(play) == (0, 0, 0)
    assert play.advance(0.25 * H) and play.run.at == 13, "between two steps another picture is shown"


def test_a_step_that_is_refused_pauses_and_says_why(play, session, monkeypatch) -> None:
    def refused(given) -> None:
        raise ValidationError("no way")

    monkeypatch.setattr(play.run, "step", refused)
    play.start()
    told(play)
    play.advance(3.0 * H)
    assert not play.running and play.on and session.messages.latest.text == "no way"
    assert len(session.messages.log) == 1 and told(play) == (1, 1, 1)


def test_the_time_of_a_step_is_smoothed(play, monkeypatch) -> None:
    moments = iter([10.0, 10.5, 20.0, 21.0])
    monkeypatch.setattr(states, "time", SimpleNamespace(perf_counter=lambda: next(moments)))
    play.step_seconds = 0.0
    play.step_once()
    assert play.step_seconds == 0.5
    play.step_once()
    assert play.step_seconds == pytest.approx(0.9 * 0.5 + 0.1 * 1.0)


@pytest.mark.parametrize(("key", "there", "said"), [
    (Key.RAGDOLL, False, 1), (Key.RAGDOLL, True, 0), (Key.JUMP, False, 0),
])  # fmt: skip
def test_why_nobody_falls_is_said_only_where_the_engine_is_missing(
    play, session, monkeypatch, key, there, said
) -> None:
    monkeypatch.setattr(engine, "installed", lambda: there)
    monkeypatch.setattr(engine, "unavailable", lambda: "install it")
    monkeypatch.setattr(play.run, "step", lambda given: None)
    play.controls.press(key)
    play.step_once()
    play.step_once()
    assert [message.text for message in session.messages.log] == ["install it"] * said


# ---------------------------------------------------------------- single steps, going back
def test_a_single_step_pauses_and_goes_on_in_what_is_recorded(play) -> None:
    play.goto(4)
    play.start()
    told(play)
    play.step_once()
    assert (play.run.at, len(play.run), play.running) == (5, 10, False) and told(play) == (2, 1, 1)


def test_a_single_step_of_what_is_left_shows_it_first(play) -> None:
    play.stop()
    play.step_once()
    assert play.on and not play.running and play.run.at == 10
    play.step_once()
    assert play.run.at == 11


@pytest.mark.parametrize(("number", "at"), [(4, 4), (-2, 0), (99, 10)])
def test_to_go_to_a_step_pauses_there(play, number, at) -> None:
    play.start()
    told(play)
    play.goto(number)
    assert play.run.at == at and not play.running and told(play) == (2, 1, 1)
    play.goto(number)
    assert told(play) == (1, 1, 0)


def test_to_go_to_a_step_shows_what_was_left(play) -> None:
    play.stop()
    play.goto(4)
    assert play.on and not play.running and play.run.at == 4


@pytest.mark.parametrize(
    ("seconds", "at"), [(4.4 * H, 4), (4.6 * H, 5), (math.nan, 10), (math.inf, 10), (-1.0, 0)]
)
def test_a_time_is_the_nearest_step(play, seconds, at) -> None:
    play.seek(seconds)
    assert play.run.at == at


def test_who_steers_before_the_end_drops_what_comes_after(play) -> None:
    play.goto(4)
    play.start()
    play.advance(H)
    assert (play.run.at, len(play.run)) == (5, 10)
    play.controls.press(Key.RIGHT)
    told(play)
    play.advance(H)
    assert (play.run.at, len(play.run)) == (6, 6) and told(play) == (1, 1, 1)


@pytest.mark.parametrize(("at", "span"), [(8, (2, 8)), (7, None), (10, (2, 8))])
def test_a_span_that_was_cut_is_none(play, at, span) -> None:
    play.set_span((2, 8))
    play.goto(at)
    told(play)
    play.go_on_from_here()
    assert play.span == span and len(play.run) == at and told(play) == (0, 0, int(at < 10))


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ((2, 5), (2, 5)),
        ((5, 2), (2, 5)),
        ((-3, 99), (0, 10)),
        ((4, 4), None),
        ((11, 14), None),
        ((9, 12), (9, 10)),
    ],
)
def test_a_span_lies_within_the_run(play, given, kept) -> None:
    told(play)
    play.set_span(given)
    assert play.span == kept and told(play)[2] == int(kept is not None)
    play.set_span(given)
    assert told(play)[2] == 0
    play.set_span(None)
    assert play.span is None and told(play)[2] == int(kept is not None)


def test_a_span_before_there_is_a_run_is_kept_as_it_is(session) -> None:
    play = session.feature(Play)
    play.set_span((5, 2))
    assert play.span == (5, 2)


# ---------------------------------------------------------------- restart and camera
def test_a_restart_begins_again_where_the_character_starts(play) -> None:
    play.controls.turn(50.0, 30.0)
    play.set_span((2, 5))
    driven = play.run.driven
    told(play)
    play.restart()
    assert play.running and len(play.run) == 0 and play.run.driven is driven and play.span is None
    assert (play.controls.yaw, play.controls.pitch) == (0.0, LOOKS_DOWN) and told(play) == (1, 1, 1)


def test_a_restart_of_what_is_left_does_not_show_it(play) -> None:
    play.stop()
    told(play)
    play.restart()
    assert not play.on and len(play.run) == 0 and told(play) == (1, 1, 0)


def test_a_restart_takes_the_camera_along_as_far_as_it_was_zoomed(play) -> None:
    play.camera = play.camera.zoomed(2.0)
    play.follow(0.01)
    assert play.camera.distance < play.camera.wanted == 2.0 * DISTANCE
    play.restart()
    assert play.camera.wanted == play.camera.distance == 2.0 * DISTANCE
    assert play.camera.pivot == type(play.camera)().pivot


@pytest.mark.parametrize("crouches", [False, True])
def test_the_camera_looks_at_the_height_of_the_stance(play, crouches) -> None:
    if crouches:
        play.controls.press(Key.CROUCH)
    play.step_once()
    setup = play.run.driven.setup.controller
    play.follow(60.0)
    height = setup.crouch_height if crouches else setup.height
    assert play.run.control.crouching is crouches
    assert play.camera.pivot[1] == pytest.approx(0.8 * height, abs=1e-3)


def test_the_camera_looks_as_the_person_looks(play) -> None:
    seen = []

    class Camera:
        def followed(self, place, height, view, seconds, terrain):
            seen.append((place, view, seconds, terrain))
            return self

    play.camera = Camera()
    play.controls.turn(33.0, 22.0)
    play.follow(0.25)
    assert seen == [(play.run.control.position, (33.0, 22.0 + LOOKS_DOWN), 0.25, play.run.terrain)]
