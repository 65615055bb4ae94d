"""Keys, sticks and mouse as inputs, and fixed steps for pictures at any time."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.locomotion.controls import Controls, Key, Sticks, controlled, stick
from core.locomotion.input import Gait, Input, RotationMode
from core.locomotion.pacing import MOST, Pace, paced
from core.locomotion.setup import H


def held(*keys: Key) -> frozenset[Key]:
    return frozenset(keys)


def after(*steps: frozenset[Key], sticks: Sticks = Sticks()) -> tuple[Controls, Input]:  # noqa: B008
    controls, made = Controls(), Input()
    for keys in steps:
        controls, made = controlled(controls, keys, sticks)
    return controls, made


axes = st.floats(-1.0, 1.0)


@given(axes, axes)
def test_a_stick_begins_at_its_dead_zone_and_ends_at_one(x, y):
    made, length = stick(x, y), math.hypot(x, y)
    assert math.hypot(*made) <= 1.0 + 1e-12
    if length <= 0.15:
        assert made == (0.0, 0.0)
    else:
        assert math.hypot(*made) == pytest.approx(min((length - 0.15) / 0.85, 1.0))
        assert made[0] * y == pytest.approx(made[1] * x, abs=1e-12)


def test_keys_move_as_the_view_looks_and_diagonals_are_no_faster():
    assert after(held(Key.AHEAD))[1].move == (0.0, 1.0)
    assert after(held(Key.LEFT))[1].move == (-1.0, 0.0)
    assert after(held(Key.LEFT, Key.RIGHT))[1].move == (0.0, 0.0)
    assert math.hypot(*after(held(Key.AHEAD, Key.RIGHT))[1].wish) <= 1.0 + 1e-12


def test_walk_and_crouch_toggle_when_pressed_and_sprint_counts_while_held():
    walking = after(held(Key.WALK), held(Key.WALK), held())
    assert walking[1].gait is Gait.WALK and walking[0].walking
    assert after(held(Key.WALK), held(), held(Key.WALK))[1].gait is Gait.RUN
    assert after(held(Key.SPRINT))[1].gait is Gait.SPRINT
    assert after(held(Key.SPRINT), held())[1].gait is Gait.RUN
    assert (
        after(held(Key.CROUCH), held())[1].crouch
        and not after(held(Key.CROUCH), held(), held(Key.CROUCH))[1].crouch
    )


def test_aiming_is_held_over_the_mode_that_was_chosen():
    assert after(held(Key.LOOKING), held())[1].mode is RotationMode.LOOKING
    assert after(held(Key.LOOKING), held(Key.AIM))[1].mode is RotationMode.AIMING
    assert after(held(Key.LOOKING), held(Key.AIM), held())[1].mode is RotationMode.LOOKING
    assert after(held(Key.LOOKING), held(Key.VELOCITY))[1].mode is RotationMode.VELOCITY


def test_view_turns_by_the_square_of_the_stick_and_by_the_mouse():
    full = after(*[held()] * 60, sticks=Sticks(view=(1.0, 0.0)))[0]
    assert abs(full.yaw) == pytest.approx(180.0)
    half = after(*[held()] * 60, sticks=Sticks(view=(-(0.15 + 0.85 / 2.0), 0.0)))[0]
    assert half.yaw == pytest.approx(45.0)
    moused = after(held(), sticks=Sticks(mouse=(10.0, 120.0)))
    assert moused[0].yaw == pytest.approx(-10.0) and moused[1].pitch == 89.0
    assert after(held(), sticks=Sticks(mouse=(math.nan, math.inf), move=(math.nan, 0.0)))[1] == Input()


@given(st.lists(st.floats(0.0, 0.06), max_size=60))
def test_pictures_get_the_steps_of_their_time(spans):
    pace, total = Pace(), 0
    for seconds in spans:
        pace, steps = paced(pace, seconds)
        total += steps
        assert 0 <= steps <= MOST and -1e-9 <= pace.share <= 1.0 + 1e-6
    assert total + pace.dropped == 0 or (total + pace.dropped) * H + pace.left == pytest.approx(
        sum(spans), abs=1e-9
    )


def test_a_long_pause_drops_steps_and_counts_them():
    pace, steps = paced(Pace(), 1.0)
    assert steps == MOST and pace.dropped == 60 - MOST
    assert paced(pace, math.nan) == (pace, 0) and paced(pace, -1.0) == (pace, 0)
