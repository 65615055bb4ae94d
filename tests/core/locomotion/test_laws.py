"""Laws of dampers, springs, quantised inputs and recordings."""

import json
import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.errors import FormatError, ValidationError
from core.locomotion.controller import start, step
from core.locomotion.dampers import approach_angle, damp, damp_angle, spring, table, wrap
from core.locomotion.input import Gait, Input, RotationMode
from core.locomotion.recording import KEPT_EVERY, Recording
from core.locomotion.recording_file import RecordedInputs, read_recording, rows_of, write_recording
from core.locomotion.setup import AMOUNTS, PRESETS, Setup, preset
from core.locomotion.state import State
from core.terrain.course import course_terrain
from core.terrain.terrain import flat_terrain

numbers = st.floats(-100.0, 100.0)
spans = st.floats(1e-4, 2.0)
halves = st.floats(0.02, 2.0)
angles = st.floats(-1000.0, 1000.0)


# ------------------------------------------------------------------------- dampers
@given(numbers, numbers, spans, spans, halves)
def test_damp_twice_is_damp_once_over_both_spans(x, goal, a, b, half):
    assert damp(damp(x, goal, a, half), goal, b, half) == pytest.approx(damp(x, goal, a + b, half), abs=1e-9)
    assert damp(x, goal, half, half) == pytest.approx((x + goal) / 2.0, abs=1e-9)
    assert damp(x, goal, a, 0.0) == goal


@given(numbers, numbers, numbers, spans, spans, halves)
def test_spring_twice_is_spring_once_over_both_spans(x, v, goal, a, b, half):
    once = spring(x, v, goal, a + b, half)
    twice = spring(*spring(x, v, goal, a, half), goal, b, half)
    assert twice[0] == pytest.approx(once[0], abs=1e-7) and twice[1] == pytest.approx(once[1], abs=1e-6)


@given(numbers, numbers, numbers, halves)
def test_spring_obeys_its_equation(x, v, goal, half):
    """x'' = −2y x' − y²(x − goal), by central differences."""
    y, h = 2.0 * math.log(2.0) / half, 1e-4 * half
    places = [spring(x, v, goal, t, half)[0] for t in (0.3 * half - h, 0.3 * half, 0.3 * half + h)]
    speed = spring(x, v, goal, 0.3 * half, half)[1]
    scale = 1.0 + abs(x - goal) * y * y + abs(v) * y
    assert (places[2] - places[0]) / (2.0 * h) == pytest.approx(
        speed, abs=1e-6 * scale * half + 1e-6 * abs(v) + 1e-6
    )
    curve = (places[0] - 2.0 * places[1] + places[2]) / (h * h)
    assert curve == pytest.approx(-2.0 * y * speed - y * y * (places[1] - goal), abs=1e-3 * scale)


@given(numbers, numbers, halves, st.lists(spans, min_size=1, max_size=20))
def test_spring_from_rest_never_passes_its_goal_and_its_energy_falls(x, goal, half, steps):
    y, v, energy = 2.0 * math.log(2.0) / half, 0.0, math.inf
    begin = x
    for h in steps:
        x, v = spring(x, v, goal, h, half)
        assert (x - goal) * (begin - goal) >= -1e-9
        now = 0.5 * v * v + 0.5 * y * y * (x - goal) ** 2
        assert now <= energy + 1e-9
        energy = now
    assert spring(3.0, 2.0, 1.0, 0.1, 0.0) == (1.0, 0.0)


@given(angles, angles, spans, halves)
def test_angles_are_wrapped_and_go_the_short_way(x, goal, h, half):
    assert -180.0 < wrap(x) <= 180.0
    assert math.isclose(math.cos(math.radians(wrap(x))), math.cos(math.radians(x)), abs_tol=1e-9)
    gap = abs(wrap(goal - x))
    assert abs(wrap(goal - damp_angle(x, goal, h, half))) <= gap + 1e-9
    assert abs(wrap(goal - approach_angle(x, goal, 5.0))) == pytest.approx(max(gap - 5.0, 0.0), abs=1e-9)
    assert wrap(-180.0) == 180.0 and wrap(540.0) == 180.0 and wrap(-190.0) == 170.0


def test_table_is_linear_between_and_held_beyond():
    assert [table(x, AMOUNTS, (20.0, 20.0, 20.0, 7.5)) for x in (-1.0, 0.5, 2.5, 9.0)] == [
        20.0,
        20.0,
        13.75,
        7.5,
    ]


# ------------------------------------------------------------------------- inputs
moves = st.tuples(st.floats(-2.0, 2.0), st.floats(-2.0, 2.0))


@given(moves, angles, st.floats(-200.0, 200.0))
@example((0.0, 1.0059), 0.0, 0.0)
def test_quantising_twice_is_quantising_once(move, yaw, pitch):
    once = Input.of(move, yaw, pitch)
    assert Input.of(once.move, once.yaw, once.pitch) == once
    assert math.hypot(*once.wish) <= 1.0 + 1e-12 and abs(once.pitch) <= 89.0 and -180.0 < once.yaw <= 180.0
    assert abs(wrap(once.yaw - yaw)) <= 0.005 + 1e-9
    length = max(math.hypot(*move), 1.0)
    assert math.dist(once.move, (move[0] / length, move[1] / length)) <= 0.72 / 127 + 0.0061


def test_the_wish_is_turned_by_the_view_with_left_on_plus_x():
    assert Input.of((0.0, 1.0)).wish == pytest.approx((0.0, 1.0))
    assert Input.of((1.0, 0.0)).wish == pytest.approx((-1.0, 0.0))
    assert Input.of((0.0, 1.0), 90.0).wish == pytest.approx((1.0, 0.0))
    assert Input.of((math.nan, math.inf), math.nan) == Input()


@pytest.mark.parametrize(
    "wrong", [{"right": 128}, {"view_yaw": 18001}, {"view_yaw": -18000}, {"view_pitch": 8901}]
)
def test_an_input_out_of_bounds_is_refused(wrong):
    with pytest.raises(ValidationError, match=f"{next(iter(wrong))}: expected"):
        Input(**wrong)


@pytest.mark.parametrize(
    "wrong", [{"walk": 9.0}, {"radius": -1.0}, {"crouch_height": 0.2}, {"braking": (1.0, math.nan, 1.0, 1.0)}]
)
def test_a_set_up_that_cannot_be_is_refused(wrong):
    with pytest.raises(ValidationError, match="expected"):
        Setup(**wrong)
    with pytest.raises(ValidationError, match="normal, responsive, sluggish"):
        preset("fast")


# ------------------------------------------------------------------------- recordings
inputs = st.builds(
    Input.of, moves, angles, st.floats(-80.0, 80.0), st.sampled_from(Gait), st.sampled_from(RotationMode),
    jump=st.booleans(), crouch=st.booleans(),
)  # fmt: skip
FLAT = flat_terrain()
SETUP = PRESETS["normal"]


def advance(state: State, given_input: Input) -> State:
    return step(SETUP, FLAT, state, given_input)


def recorded(given_inputs: list[Input]) -> tuple[Recording[State], list[State]]:
    recording = Recording(start(SETUP, FLAT), advance)
    return recording, [recording.start, *(recording.append(one) for one in given_inputs)]


def varied(count: int) -> list[Input]:
    return [
        Input.of(
            (math.sin(k / 9.0), math.cos(k / 31.0)), k * 1.7, 20.0 * math.sin(k), Gait(1 + k // 20 % 3),
            RotationMode(k // 15 % 3), jump=k % 40 > 35, crouch=k % 70 > 60,
        )
        for k in range(count)
    ]  # fmt: skip


def test_a_state_of_a_recording_has_the_bytes_it_had():
    recording, states = recorded(varied(200))
    assert recording.seconds == pytest.approx(200 / 60)
    again = Recording(start(SETUP, FLAT), advance, recording.inputs)
    for at in (0, 200, 1, 30, 29, 31, 150, 149, 61, 60, 59, 199):
        assert recording.state_at(at).to_bytes() == states[at].to_bytes() == again.state_at(at).to_bytes()
    for wrong in (-1, 201):
        with pytest.raises(ValidationError, match="0 to 200"):
            recording.state_at(wrong)


def test_a_state_is_replayed_from_half_a_second_before_at_most():
    recording, _ = recorded(varied(200))
    count = 0

    def counted(state: State, one: Input) -> State:
        nonlocal count
        count += 1
        return advance(state, one)

    recording._advance = counted
    recording.state_at(100)
    assert count <= KEPT_EVERY
    recording.state_at(101)
    assert count <= KEPT_EVERY + 1


@pytest.mark.parametrize("at", [0, 29, 30, 31, 95])
def test_a_cut_recording_goes_on_with_other_inputs(at):
    recording, states = recorded(varied(120))
    recording.cut(at)
    assert len(recording) == at
    assert (
        recording.append(Input.of((1.0, 0.0))).to_bytes()
        == advance(states[at], Input.of((1.0, 0.0))).to_bytes()
    )


@given(st.lists(inputs, max_size=40))
def test_recorded_inputs_come_back_from_a_file(tmp_path_factory, many):
    path = tmp_path_factory.mktemp("recording") / "run.json"
    many = [one for one in many for _ in range(3)]
    write_recording(RecordedInputs(PRESETS["sluggish"], FLAT, (1.0, 0.0, 2.0), 30.0, tuple(many)), path)
    again = read_recording(path)
    assert again.inputs == tuple(many) and again.place == (1.0, 0.0, 2.0) and again.yaw == 30.0
    assert again.setup == PRESETS["sluggish"] and again.terrain.pieces == FLAT.pieces
    assert len(rows_of(many)) <= len(many) / 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "x"}, "format: expected 'posewright.recording'"), ({"version": 2}, "version: expected"),
        ({"controller": {"preset": "fast"}}, "preset: expected one"),
        ({"inputs": [[1, 0]]}, r"\[0\]: expected \[count"),
        ({"inputs": [[0, 0, 0, 0, 0, 1, 0, ""]]}, r"inputs\[0\]: expected whole numbers"),
        ({"inputs": [[1, 200, 0, 0, 0, 1, 0, ""]]}, r"inputs\[0\]: input: right: expected −?-?127"),
        ({"inputs": [[1, 0, 0, 0, 0, 7, 0, ""]]}, r"inputs\[0\]: 7 is not a valid Gait"),
        ({"inputs": [[1, 0, 0, 0, 0, 1, 0, "x"]]}, r"inputs\[0\]: expected keys held"),
        ({"inputs": [[10**9, 0, 0, 0, 0, 1, 0, ""]]}, r"inputs\[0\]: expected at most 216000 steps"),
        ({"terrain": {}}, "terrain.format: expected"), ({"start": {"at": [1]}}, "start.at: expected 3 numbers"),
    ],
)  # fmt: skip
def test_a_bad_recording_is_refused_by_file_and_place(change, message, tmp_path):
    path = tmp_path / "run.json"
    write_recording(RecordedInputs(SETUP, course_terrain(), (0.0, 0.0, 0.0), 0.0, (Input(),)), path)
    data = json.loads(path.read_text())
    path.write_text(json.dumps({**data, **change}))
    with pytest.raises(FormatError, match=message):
        read_recording(path)


@pytest.mark.parametrize(
    "setup", [*PRESETS.values(), Setup(walk=1.0, braking=(9.0, 8.0, 7.0, 6.0), side_sets=True, name="mine")]
)
def test_a_set_up_comes_back_with_what_was_changed(setup, tmp_path):
    path = tmp_path / "run.json"
    write_recording(RecordedInputs(setup, FLAT, (0.0, 0.0, 0.0), 0.0, ()), path)
    assert read_recording(path).setup == setup
    data = json.loads(path.read_text())
    assert len(data["controller"]) == (1 if setup.name in PRESETS else 5)
    for wrong, message in (
        ({"walk": -1}, "controller: walk: expected"),
        ({"wolk": 1}, "controller.wolk: expected members"),
    ):
        path.write_text(json.dumps({**data, "controller": wrong}))
        with pytest.raises(FormatError, match=message):
            read_recording(path)
