"""Keys, view and gamepad of Play: what is held, what takes over a recorded run, how far the view turns."""

import math

import pytest

from core.locomotion.controls import DEAD, VIEW_RATE, Key
from core.locomotion.input import Gait, RotationMode
from core.locomotion.pacing import MOST
from core.locomotion.setup import H
from editor.model.play.clock import PlayClock
from editor.model.play.controls import (
    DEGREES_PER_PIXEL,
    LOOKS_DOWN,
    PAD_BUTTONS,
    STEEPEST,
    STEERING,
    TRIGGER,
    PlayControls,
)


@pytest.fixture
def controls() -> PlayControls:
    made = PlayControls()
    made.told = []
    made.changed.connect(lambda _: made.told.append(1))
    return made


# ---------------------------------------------------------------- keys
def test_at_first_nothing_is_held_and_the_view_looks_down_a_little(controls) -> None:
    assert (controls.yaw, controls.pitch) == (0.0, LOOKS_DOWN) and LOOKS_DOWN < 0.0
    assert not controls.walking and not controls.crouching and controls.mode is RotationMode.VELOCITY
    assert controls.held == frozenset() and not controls.steers
    given = controls.input()
    assert given.move == (0.0, 0.0) and given.pitch == LOOKS_DOWN and given.gait is Gait.RUN
    assert controls.told == []


@pytest.mark.parametrize("key", list(Key))
def test_which_keys_take_over_a_recorded_run(controls, key) -> None:
    controls.press(key)
    moves = {Key.AHEAD, Key.BACK, Key.LEFT, Key.RIGHT, Key.JUMP, Key.CROUCH, Key.RAGDOLL}
    assert controls.steers is (key in moves) is (key in STEERING)
    controls.release_all()
    assert not controls.steers and controls.held == frozenset()


def test_a_key_is_held_until_it_comes_up(controls) -> None:
    controls.press(Key.AHEAD)
    assert [controls.input().move for _ in range(3)] == [(0.0, 1.0)] * 3
    controls.release(Key.AHEAD)
    controls.release(Key.LEFT)  # never pressed
    assert controls.held == frozenset() and controls.input().move == (0.0, 0.0)


def test_a_tap_is_held_until_the_next_step(controls) -> None:
    controls.press(Key.CROUCH)
    controls.release(Key.CROUCH)
    assert controls.held == {Key.CROUCH} and controls.steers
    assert controls.input().crouch and controls.crouching
    assert controls.held == frozenset() and not controls.steers
    controls.press(Key.CROUCH)
    controls.release(Key.CROUCH)
    assert not controls.input().crouch, "a second tap ends it"


@pytest.mark.parametrize(
    ("key", "before", "after"),
    [
        (Key.WALK, (False, False, RotationMode.VELOCITY), (True, False, RotationMode.VELOCITY)),
        (Key.CROUCH, (False, False, RotationMode.VELOCITY), (False, True, RotationMode.VELOCITY)),
        (Key.LOOKING, (False, False, RotationMode.VELOCITY), (False, False, RotationMode.LOOKING)),
    ],
)
def test_a_toggle_that_differs_is_told_once(controls, key, before, after) -> None:
    def toggles() -> tuple[bool, bool, RotationMode]:
        return controls.walking, controls.crouching, controls.mode

    assert toggles() == before
    controls.press(key)
    controls.input()
    assert toggles() == after and controls.told == [1]
    controls.input()
    assert toggles() == after and controls.told == [1], "it is held, not pressed again"


def test_keys_that_toggle_nothing_are_not_told(controls) -> None:
    for key in (Key.AHEAD, Key.SPRINT, Key.JUMP, Key.AIM, Key.VELOCITY):
        controls.press(key)
        controls.input()
    assert controls.told == []


def test_a_blow_counts_for_one_step_and_takes_over(controls) -> None:
    controls.hit("head", (1.0, -2.5, 3.0))
    assert controls.steers
    given = controls.input()
    assert given.blow.bone == "head" and given.blow.impulse == (1.0, -2.5, 3.0)
    assert not controls.steers and controls.input().blow is None
    controls.hit("head", (1.0, 0.0, 0.0))
    controls.release_all()
    assert not controls.steers and controls.input().blow is None


# ---------------------------------------------------------------- the view
def test_the_mouse_turns_the_view_against_its_way(controls) -> None:
    controls.look(40.0, 20.0)
    assert controls.yaw == -40.0 * DEGREES_PER_PIXEL == -10.0
    assert controls.pitch == LOOKS_DOWN - 20.0 * DEGREES_PER_PIXEL == LOOKS_DOWN - 5.0
    given = controls.input()
    assert (given.yaw, given.pitch) == (controls.yaw, controls.pitch)


@pytest.mark.parametrize(
    ("pitch", "end"), [(500.0, STEEPEST), (-500.0, -STEEPEST), (10.0, LOOKS_DOWN + 10.0)]
)
def test_the_view_turns_around_and_stops_before_straight_up_and_down(controls, pitch, end) -> None:
    controls.turn(270.0, pitch)
    assert controls.yaw == -90.0 and controls.pitch == end and 80.0 < STEEPEST < 90.0


@pytest.mark.parametrize("turned", [(math.nan, 1.0), (1.0, math.nan), (math.inf, 1.0), (1.0, -math.inf)])
def test_a_turn_that_is_no_number_is_left_out(controls, turned) -> None:
    controls.turn(*turned)
    assert (controls.yaw, controls.pitch) == (0.0, LOOKS_DOWN)


def test_a_run_that_begins_is_looked_at_from_behind(controls) -> None:
    controls.turn(30.0, 40.0)
    controls.press(Key.WALK)
    controls.input()
    controls.face(190.0)
    assert (controls.yaw, controls.pitch) == (-170.0, LOOKS_DOWN) and controls.walking


# ---------------------------------------------------------------- gamepad
@pytest.mark.parametrize(("name", "key"), list(PAD_BUTTONS.items()))
def test_each_button_is_a_key_from_half_way_down(controls, name, key) -> None:
    controls.gamepad({name: 0.5}, 0.1)
    assert controls.held == frozenset()
    controls.gamepad({name: 0.51}, 0.1)
    assert controls.held == {key}
    controls.gamepad({name: 0.0}, 0.1)
    assert controls.held == {key}, "a tap between two steps counts"
    controls.input()
    assert controls.held == frozenset()


def test_buttons_mean_what_is_printed_on_them() -> None:
    assert {name: key.value for name, key in PAD_BUTTONS.items()} == {
        "a": "jump", "b": "walk", "y": "crouch", "back": "ragdoll", "left_stick": "sprint",
        "up": "velocity", "down": "looking",
    }  # fmt: skip


def test_the_left_trigger_aims_from_a_third_on(controls) -> None:
    controls.gamepad({"left_trigger": TRIGGER}, 0.0)
    assert controls.input().mode is RotationMode.VELOCITY and 0.2 < TRIGGER < 0.4
    controls.gamepad({"left_trigger": TRIGGER + 0.01}, 0.0)
    assert controls.held == {Key.AIM} and controls.input().mode is RotationMode.AIMING


def test_a_held_button_is_held_beside_the_keys_and_is_no_tap(controls) -> None:
    controls.press(Key.AHEAD)
    controls.gamepad({"a": 1.0}, 0.0)
    assert controls.held == {Key.AHEAD, Key.JUMP}
    controls.input()
    controls.gamepad({"a": 1.0}, 0.0)
    controls.gamepad({}, 0.0)
    assert controls.held == {Key.AHEAD}, "it was held at the last step: letting go is no tap"
    controls.release_all()
    assert controls.held == frozenset()


def test_the_keyboard_that_is_lost_leaves_the_gamepad(controls) -> None:
    controls.gamepad({"a": 1.0}, 0.0)
    controls.input()
    controls.press(Key.AHEAD)
    controls.release_all()
    assert controls.held == {Key.JUMP}


@pytest.mark.parametrize(("x", "y"), [(0.6, 0.0), (0.0, -0.6)])
def test_a_stick_beyond_its_dead_zone_takes_over(controls, x, y) -> None:
    controls.gamepad({"left_x": x, "left_y": y}, 0.1)
    assert controls.steers and controls.yaw == 0.0
    share = (0.6 - DEAD) / (1.0 - DEAD)
    move = controls.input().move
    assert move == pytest.approx((math.copysign(share, x) if x else 0.0, -share if y else 0.0), abs=0.005)


def test_the_right_stick_turns_the_view_by_the_square_of_its_way(controls) -> None:
    controls.gamepad({"right_x": 1.0}, 0.05)
    assert controls.yaw == pytest.approx(-VIEW_RATE * 0.05) and controls.pitch == LOOKS_DOWN
    controls.face(0.0)
    controls.gamepad({"right_y": 0.6}, 0.05)
    share = (0.6 - DEAD) / (1.0 - DEAD)
    assert controls.pitch == pytest.approx(LOOKS_DOWN + VIEW_RATE * 0.05 * share**2) and controls.yaw == 0.0
    assert not controls.steers, "to look around does not take over"
    controls.face(0.0)
    controls.gamepad({"right_x": 0.6, "right_y": 0.8}, 0.1)
    assert controls.yaw == pytest.approx(-0.6 * VIEW_RATE * 0.1)
    assert controls.pitch == pytest.approx(LOOKS_DOWN + 0.8 * VIEW_RATE * 0.1)


# ---------------------------------------------------------------- the clock
def test_what_passes_while_the_clock_rests_does_not_count() -> None:
    clock = PlayClock()
    assert clock.passed(5.0) == 0.0 and clock.passed(5.25) == 0.25
    assert clock.passed(5.0) == 0.0, "a clock that runs backwards gives nothing"
    clock.pause()
    assert clock.passed(9.0) == 0.0 and clock.passed(9.5) == 0.5
    clock.reset()
    assert clock.passed(20.0) == 0.0


def test_slow_motion_gives_fewer_steps_and_a_share_of_the_next() -> None:
    clock = PlayClock()
    assert clock.share == 0.0 and clock.speed == 1.0
    clock.speed = 0.25
    assert [clock.steps(H) for _ in range(5)] == [0, 0, 0, 1, 0]
    assert clock.share == pytest.approx(0.25)
    clock.pause()
    assert clock.share == pytest.approx(0.25), "a pause leaves it between the steps"
    clock.reset()
    assert clock.share == 0.0


def test_a_reset_forgets_what_was_dropped() -> None:
    clock = PlayClock()
    assert clock.steps(10.0 * H) == MOST and clock.dropped == 10 - MOST
    clock.reset()
    assert clock.dropped == 0
