"""The controller: speeds and times of the specification, ground, air, turning, and equal bytes."""

import math
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest

from core.locomotion.controller import start, step
from core.locomotion.dampers import wrap
from core.locomotion.input import Gait, Input, RotationMode
from core.locomotion.rotation import yaw_offset
from core.locomotion.setup import PRESETS, H, Setup
from core.locomotion.state import Hips, State, between
from core.terrain.course import ANGLES, DROPS, course_terrain, drop_at, slope_at
from core.terrain.pieces import Box, Plane, Slope
from core.terrain.terrain import Terrain, flat_terrain

SETUP = PRESETS["normal"]
AHEAD = (0.0, 1.0)


@cache
def flat() -> Terrain:
    return flat_terrain()


@cache
def course() -> Terrain:
    return course_terrain()


def ran(
    state: State, given: Input, steps: int, terrain: Terrain | None = None, setup: Setup = SETUP
) -> list[State]:
    """States after each of some steps with one input."""
    made = []
    for _ in range(steps):
        state = step(setup, terrain or flat(), state, given)
        made.append(state)
    return made


def go(gait: Gait, move: tuple[float, float] = AHEAD) -> Input:
    return Input.of(move, gait=gait)


TOPS = {Gait.WALK: 1.75, Gait.RUN: 3.75, Gait.SPRINT: 6.5}


# ------------------------------------------------------------------------- response times
@pytest.mark.parametrize(
    ("gait", "to_speed", "to_stop", "way", "to_reverse"),
    [(Gait.WALK, 5, 7, 0.088, 9), (Gait.RUN, 11, 16, 0.48, 17), (Gait.SPRINT, 20, 37, 2.29, 32)],
)
def test_speed_stop_and_reversal_take_the_steps_of_the_specification(
    gait, to_speed, to_stop, way, to_reverse
):
    top = TOPS[gait]
    states = ran(start(SETUP, flat()), go(gait), 120)
    assert next(s.step for s in states if s.speed >= 0.9 * top) == to_speed
    full = states[-1]
    assert full.speed == pytest.approx(top) and full.gait is gait and full.gait_amount == pytest.approx(gait)
    stopping = ran(full, Input.of(gait=gait), 60)
    stopped = next(s for s in stopping if s.speed == 0.0)
    assert stopped.step - full.step == to_stop
    assert math.dist(stopped.position, full.position) == pytest.approx(way, abs=0.006)
    back = ran(full, go(gait, (0.0, -1.0)), 60)
    assert next(s.step for s in back if s.velocity[2] <= -0.9 * top) - full.step == to_reverse


@pytest.mark.parametrize("name", PRESETS)
def test_the_first_step_with_input_moves(name):
    state = start(PRESETS[name], flat())
    state = step(PRESETS[name], flat(), state, go(Gait.WALK))
    assert state.speed > 0.0 and state.position[2] > 0.0 and state.moving


def test_half_a_stick_is_half_the_speed_and_a_slower_gait_brakes_to_its_own():
    assert ran(start(SETUP, flat()), Input.of((0.0, 0.5)), 60)[-1].speed == pytest.approx(3.75 * 64 / 127)
    full = ran(start(SETUP, flat()), go(Gait.SPRINT), 90)[-1]
    walking = ran(full, go(Gait.WALK), 90)
    assert walking[-1].speed == pytest.approx(1.75)
    speeds = [s.speed for s in walking]
    assert all(a >= b - 1e-12 for a, b in pairwise(speeds))


def test_too_fast_it_can_still_turn_and_does_not_brake_below_the_wish():
    full = ran(start(SETUP, flat()), go(Gait.SPRINT), 90)[-1]
    turned = ran(full, go(Gait.WALK, (1.0, 0.0)), 40)
    assert turned[-1].travel_yaw == pytest.approx(-90.0, abs=5.0) and turned[-1].speed == pytest.approx(1.75)
    assert min(s.speed for s in turned) > 0.5


# ------------------------------------------------------------------------- what is allowed
def test_sprint_needs_input_standing_no_aim_and_in_looking_the_view():
    state = start(SETUP, flat())
    for mode, yaw, move, allowed in (
        (RotationMode.VELOCITY, 90.0, AHEAD, Gait.SPRINT), (RotationMode.AIMING, 0.0, AHEAD, Gait.RUN),
        (RotationMode.LOOKING, 0.0, (0.7, 0.7), Gait.SPRINT), (RotationMode.LOOKING, 0.0, (1.0, 0.0), Gait.RUN),
        (RotationMode.VELOCITY, 0.0, (0.0, 0.0), Gait.RUN),
    ):  # fmt: skip
        assert step(SETUP, flat(), state, Input.of(move, yaw, gait=Gait.SPRINT, mode=mode)).allowed is allowed
    crouched = Input.of(AHEAD, gait=Gait.SPRINT, crouch=True)
    last = ran(state, crouched, 60)[-1]
    assert last.crouching and last.allowed is Gait.RUN and last.speed == pytest.approx(1.5)


def test_under_a_low_ceiling_it_stays_crouched():
    terrain = Terrain((Plane(), Box((0.0, 1.3, 3.0), size=(4.0, 0.2, 2.0))))
    inside = ran(start(SETUP, terrain), Input.of(AHEAD, crouch=True), 110, terrain)[-1]
    assert 2.2 < inside.position[2] < 3.8
    still = ran(inside, Input.of(), 30, terrain)[-1]
    assert still.crouching
    out = ran(inside, Input.of(AHEAD), 120, terrain)[-1]
    assert not out.crouching and out.position[2] > 5.0
    blocked = ran(start(SETUP, terrain), Input.of(AHEAD), 120, terrain)[-1]
    assert blocked.position[2] < 2.0 - SETUP.radius + 0.01 and blocked.speed < 0.01


# ------------------------------------------------------------------------- ground
@pytest.mark.parametrize("number", range(len(ANGLES)))
def test_slopes_up_to_45_degrees_are_climbed_at_full_speed_and_steeper_ones_are_not(number):
    x, _, z = slope_at(number)
    begin = start(SETUP, course(), (x, 0.0, z - 1.5))
    states = ran(begin, go(Gait.RUN), 130, course())
    assert all(s.returned == 0 for s in states)
    if ANGLES[number] > 45.0:
        assert states[-1].position[1] < 0.3
        return
    assert states[-1].position[2] > z + 5.0
    assert states[-1].position[1] == pytest.approx(4.0 * math.tan(math.radians(ANGLES[number])), abs=1e-6)
    assert not any(s.in_air for s in states)
    steady = [s for s in states if s.step > 30]
    for a, b in pairwise(steady):
        assert (b.position[2] - a.position[2]) / H == pytest.approx(3.75, abs=0.01)


def test_slope_keeps_its_place_while_standing():
    """Nothing creeps: a minute on 40 degrees moves less than a hundredth of a millimetre."""
    x, _, z = slope_at(3)
    first = start(SETUP, course(), (x, 3.0, z + 2.0))
    assert not first.in_air and first.ground_normal[1] == pytest.approx(math.cos(math.radians(40.0)))
    last = ran(first, Input.of(), 600, course())[-1]
    assert math.dist(first.position, last.position) < 1e-6


def test_stairs_are_climbed_and_descended_without_falling():
    begin = start(SETUP, course(), (-15.0, 0.0, 9.0))
    up = ran(begin, go(Gait.RUN), 90, course())
    assert max(s.position[1] for s in up) == pytest.approx(1.8, abs=1e-6)
    over = ran(up[-1], go(Gait.RUN), 100, course())
    assert over[-1].position[1] == pytest.approx(0.0, abs=1e-6) and over[-1].position[2] > 20.0
    assert not any(s.in_air for s in (*up, *over))
    rises = [b.position[1] - a.position[1] for a, b in pairwise(up)]
    assert min(rises) > -1e-6 and max(rises) < 0.19


@pytest.mark.parametrize(("height", "climbed"), [(0.40, True), (0.44, True), (0.47, False), (1.0, False)])
def test_a_box_up_to_the_step_height_is_stepped_on(height, climbed):
    terrain = Terrain((Plane(), Box((0.0, 0.0, 3.0), size=(4.0, height, 2.0))))
    states = ran(start(SETUP, terrain), go(Gait.WALK), 110, terrain)
    assert (states[-1].position[1] > 0.3) == climbed
    if not climbed:
        assert (
            states[-1].position[2] == pytest.approx(2.0 - SETUP.radius, abs=0.002) and states[-1].speed < 0.01
        )


def test_along_a_wall_it_slides_and_in_a_corner_it_stops():
    terrain = Terrain(
        (Plane(), Box((0.0, 0.0, 3.0), size=(20.0, 3.0, 1.0)), Box((3.0, 0.0, 0.0), size=(1.0, 3.0, 20.0)))
    )
    sliding = ran(start(SETUP, terrain, (-3.0, 0.0, 0.0)), go(Gait.RUN, (-0.7, 0.7)), 80, terrain)
    assert sliding[-1].position[2] == pytest.approx(2.5 - SETUP.radius, abs=0.002)
    assert 1.0 < sliding[-1].velocity[0] < 3.75
    corner = ran(sliding[-1], go(Gait.RUN, (-0.7, 0.7)), 120, terrain)[-1]
    assert corner.position[0] == pytest.approx(2.5 - SETUP.radius, abs=0.002) and corner.speed < 0.05


# ------------------------------------------------------------------------- air
def test_jump_rises_to_its_apex_and_lands_with_its_speed():
    state = start(SETUP, flat())
    jump = Input.of(jump=True)
    states = ran(state, jump, 70)
    assert states[0].in_air and states[0].jumped and states[0].position[1] > 0.0
    assert max(s.position[1] for s in states) == pytest.approx(4.2**2 / 2.0 / 9.81, abs=0.002)
    landing = next(s for s in states if not s.in_air)
    assert landing.impact == pytest.approx(4.2, abs=0.2) and landing.position[1] == pytest.approx(
        0.0, abs=1e-6
    )
    assert not states[-1].in_air  # held, it jumps once


def test_jump_is_buffered_before_the_ground_and_allowed_after_an_edge():
    states = ran(start(SETUP, flat()), Input.of(jump=True), 47)
    assert states[-1].in_air and states[-1].velocity[1] < 0.0
    pressed = ran(ran(states[-1], Input.of(), 1)[-1], Input.of(jump=True), 1)[-1]
    after = ran(pressed, Input.of(), 10)
    assert any(s.velocity[1] > 3.0 for s in after)
    x, y, z = drop_at(2)
    falling = ran(start(SETUP, course(), (x, y, z)), go(Gait.RUN), 60, course())
    edge = next(k for k, s in enumerate(falling) if s.in_air)
    early, late = falling[edge + 3], falling[edge + 9]
    jump = Input.of(AHEAD, jump=True)
    assert step(SETUP, course(), early, jump).velocity[1] > 3.0
    assert step(SETUP, course(), late, jump).velocity[1] < 0.0


@pytest.mark.parametrize("number", range(len(DROPS)))
def test_drops_end_on_the_ground_with_the_speed_of_the_fall(number):
    x, y, z = drop_at(number)
    begin = start(SETUP, course(), (x, y, z))
    assert begin.position[1] == pytest.approx(DROPS[number], abs=1e-9) and not begin.in_air
    states = ran(begin, go(Gait.RUN, (0.0, -1.0)), 160, course())
    fell = [s for s in states if s.in_air]
    last = states[-1]
    assert last.position[1] == pytest.approx(0.0, abs=1e-9) and not last.in_air
    if DROPS[number] <= SETUP.step:
        assert not fell
    else:
        assert last.impact == pytest.approx(math.sqrt(2.0 * 9.81 * DROPS[number]), abs=0.7)


def test_fall_has_a_limit_and_below_everything_it_comes_back():
    terrain = Terrain((Plane(size=(4.0, 4.0)),))
    states = ran(start(SETUP, terrain), go(Gait.RUN), 700, terrain)
    assert min(s.velocity[1] for s in states) == -SETUP.fall_limit
    assert states[-1].returned >= 1 and any(s.position[1] < -50.0 for s in states)


def test_in_the_air_it_is_steered_a_little():
    full = ran(start(SETUP, flat()), go(Gait.RUN), 60)[-1]
    air = ran(full, Input.of((1.0, 0.0), jump=True), 20)
    assert air[-1].speed == pytest.approx(3.75) and 0.2 < -air[-1].velocity[0] < 1.2


def test_steep_ground_is_slid_down():
    terrain = Terrain((Plane(), Slope(60.0, length=5.0, width=5.0)))
    begin = replace(start(SETUP, terrain, (0.0, 0.0, 20.0)), position=(0.0, 6.0, 2.5), in_air=True)
    states = ran(begin, Input.of(), 200, terrain)
    assert states[-1].position[1] == pytest.approx(0.0, abs=1e-6) and not states[-1].in_air
    assert states[-1].position[2] < 0.0


# ------------------------------------------------------------------------- turning
def test_velocity_mode_turns_to_the_travel_and_finishes_when_stopped():
    state = ran(start(SETUP, flat()), go(Gait.RUN, (1.0, 0.0)), 8)[-1]
    assert -90.0 < state.yaw < -5.0
    assert ran(state, Input.of(), 90)[-1].yaw == pytest.approx(-90.0, abs=0.1)
    states = ran(start(SETUP, flat()), go(Gait.RUN, (1.0, 0.0)), 90)
    assert states[-1].yaw == pytest.approx(-90.0, abs=1.0) and states[-1].direction == pytest.approx(
        0.0, abs=1.0
    )


@pytest.mark.parametrize("direction", range(-180, 180, 30))
def test_looking_mode_turns_the_hips_off_the_view_by_the_table(direction):
    move = math.sin(math.radians(direction)), math.cos(math.radians(direction))
    last = ran(start(SETUP, flat()), Input.of(move, 20.0, mode=RotationMode.LOOKING), 150)[-1]
    offset = yaw_offset(-wrap(last.travel_yaw - 20.0), (1.0, 0.0, 0.0, 0.0))
    assert wrap(last.yaw - (20.0 - offset)) == pytest.approx(0.0, abs=1.0)
    expected = Hips.AHEAD if abs(last.direction) <= 90.0 else Hips.BACK
    if abs(abs(last.direction) - 90.0) > 6.0:
        assert last.hips is expected
    assert wrap(last.aim_yaw + offset) == pytest.approx(0.0, abs=1.0)


def test_the_yaw_offset_tables_hold_what_the_specification_says():
    ahead, left, right = (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0)
    for weights, points in (
        (ahead, {180: 0, -180: 0, -120: 60, -90: 0, -60: -60, 0: 0, 60: 60, 90: 0, 120: -60, 30: 30}),
        (left, {-180: 0, -135: -45, -90: 0, -45: 0, 0: 0, 45: -45, 90: 0, 135: 45, 180: 0}),
        (right, {-135: -45, -90: 0, -45: 45, 0: 0, 45: 0, 90: 0, 135: 45}),
    ):
        for direction, offset in points.items():
            assert yaw_offset(direction, weights) == pytest.approx(offset)
    assert yaw_offset(60.0, (0.5, 0.0, 0.0, 0.5)) == pytest.approx(0.5 * 60.0)


def test_aiming_keeps_within_70_degrees_and_standing_turns_only_by_what_animation_says():
    state = start(SETUP, flat())
    aimed = step(SETUP, flat(), state, Input.of(view_yaw=150.0, mode=RotationMode.AIMING))
    assert wrap(150.0 - aimed.yaw) == pytest.approx(70.0)
    looking = Input.of(view_yaw=150.0, mode=RotationMode.LOOKING)
    assert ran(state, looking, 60)[-1].yaw == 0.0
    assert step(SETUP, flat(), state, looking, turn=3.0).yaw == pytest.approx(3.0)
    turning = replace(state, yaw=10.0, smooth_yaw=20.0, target_yaw=20.0)
    assert step(SETUP, flat(), turning, Input.of(), turn=5.0).target_yaw == pytest.approx(25.0)


def test_a_fast_view_makes_turning_three_times_as_quick():
    moving = ran(start(SETUP, flat()), Input.of(AHEAD, mode=RotationMode.AIMING), 60)[-1]
    slow = step(
        SETUP, flat(), replace(moving, view_yaw=60.0), Input.of(AHEAD, 60.0, mode=RotationMode.AIMING)
    )
    quick = step(SETUP, flat(), moving, Input.of(AHEAD, 60.0, mode=RotationMode.AIMING))
    goal = 1000.0 * H
    assert slow.yaw == pytest.approx(goal * (1.0 - 2.0 ** (-H / 0.1)))
    assert quick.yaw == pytest.approx(goal * (1.0 - 2.0 ** (-3.0 * H / 0.1)))


def test_four_sets_follow_their_borders():
    setup = replace(SETUP, side_sets=True)
    for direction, hips in ((0, Hips.AHEAD), (90, Hips.RIGHT), (-90, Hips.LEFT), (180, Hips.BACK)):
        move = math.sin(math.radians(direction)), math.cos(math.radians(direction))
        last = ran(start(setup, flat()), Input.of(move, mode=RotationMode.AIMING), 120, setup=setup)[-1]
        assert (
            last.hips is hips
            and last.set_weights[hips] > 0.99
            and sum(last.set_weights) == pytest.approx(1.0)
        )


# ------------------------------------------------------------------------- display
def test_between_two_states_places_and_yaws_go_the_short_way():
    a, b = State(yaw=170.0, position=(0.0, 0.0, 0.0)), State(step=1, yaw=-170.0, position=(1.0, 2.0, 3.0))
    half = between(a, b, 0.5)
    assert abs(half.yaw) == pytest.approx(180.0) and half.position == (0.5, 1.0, 1.5) and half.step == 1
    assert between(a, b, 1.0).position == b.position


def test_recording_forgets_its_beginning_and_keeps_every_later_state():
    from core.errors import ValidationError
    from core.locomotion.recording import Recording

    def add(state: int, given: Input) -> int:
        return state * 3 + given.right

    inputs = [Input(right=number % 50) for number in range(200)]
    whole = Recording(1, add, inputs)
    cut = Recording(1, add, inputs)
    cut.state_at(170)
    cut.forget(60)
    assert len(cut) == 140 and cut.start == whole.state_at(60)
    for number in (140, 0, 31, 110):
        assert cut.state_at(number) == whole.state_at(60 + number)
    assert cut.append(Input(right=5)) == whole.state_at(200) * 3 + 5
    for steps in (7, 150, -30):
        with pytest.raises(ValidationError):
            cut.forget(steps)
