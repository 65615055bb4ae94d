"""A character driven by motion matching: it follows the controller; in the air the rules take over."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.locomotion.character import CharacterState, begin, placement, pose, step
from core.locomotion.driven import Driven
from core.locomotion.input import Gait, Input, RotationMode
from core.locomotion.matching.setup import Tag
from core.locomotion.recording import Recording
from core.math.transform import compose, down_chain
from core.terrain.terrain import flat_terrain
from tests.core.locomotion.matching.sample import character, database

FLAT = flat_terrain()
AHEAD = (0.0, 1.0)
axes = st.floats(-1.0, 1.0)
inputs = st.builds(
    Input.of, st.tuples(axes, axes), st.floats(-180.0, 180.0), st.floats(-80.0, 80.0), gait=st.sampled_from(Gait),
    mode=st.sampled_from(RotationMode), crouch=st.booleans(), jump=st.booleans(),
)  # fmt: skip


def run(given: list[Input], state: CharacterState | None = None) -> list[CharacterState]:
    states = [state or begin(character(), FLAT)]
    for one in given:
        states.append(step(character(), FLAT, states[-1], one))
    return states


def tag(state: CharacterState) -> Tag | None:
    """What the range that plays is for; None where the graph plays."""
    matched = state.matched
    assert matched is not None
    if not matched.on:
        return None
    made = database()
    return made.stretches[int(made.stretch_of[int(matched.frame)])].tag


def places(state: CharacterState) -> np.ndarray:
    """Places ``(B, 3)`` of all bones in the world."""
    local = pose(character(), state).local
    model = down_chain(character().rig.skeleton.parents, local)
    where = placement(state)
    return np.array(
        [compose(where, type(where)(*(p[b] for p in model))).translation for b in range(len(model[0]))]
    )


@pytest.mark.parametrize(("gait", "name"), [(Gait.WALK, "walk"), (Gait.RUN, "run"), (Gait.SPRINT, "sprint")])
def test_each_gait_is_matched_by_its_clip(gait, name):
    state = run([Input.of(AHEAD, gait=gait)] * 120)[-1]
    made = database()
    stretch = made.stretches[int(made.stretch_of[int(state.matched.frame)])]
    assert stretch.clip == name and stretch.bend == 0.0


def test_standing_walking_stopping_and_standing_again_are_ranges_of_their_kind():
    walk = Input.of(AHEAD, gait=Gait.WALK)
    states = run([Input()] * 10 + [walk] * 60 + [Input()] * 90)
    seen = list(dict.fromkeys(tag(state) for state in states[1:]))
    assert seen[:2] == [Tag.STAND, Tag.MOVE] and set(seen) <= {Tag.STAND, Tag.MOVE, Tag.STOP}
    assert tag(states[-1]) is Tag.STAND
    stop = run([Input.of(AHEAD)] * 80 + [Input()] * 20)
    assert Tag.STOP in {tag(state) for state in stop[82:]}
    assert tag(states[12]) is Tag.MOVE  # two steps after the input


@pytest.mark.parametrize("direction", range(-180, 180, 45))
def test_looking_ahead_each_way_is_matched_by_a_clip_that_goes_so(direction):
    angle = np.radians(direction)
    given = Input.of((np.sin(angle), np.cos(angle)), gait=Gait.WALK, mode=RotationMode.LOOKING)
    state = run([Input.of(mode=RotationMode.LOOKING)] * 5 + [given] * 100)[-1]
    own = float(database().speeds[int(state.matched.frame), 1])
    assert abs((own + state.matched.turn - state.body.direction + 180.0) % 360.0 - 180.0) < 12.0


def test_the_root_stays_near_the_controller_and_is_on_it_in_the_end():
    setup = character().matcher.setup
    states = run([Input.of(AHEAD)] * 60 + [Input.of((1.0, 0.0))] * 60 + [Input.of((-1.0, 0.0))] * 180)
    for state in states[1:]:
        root, body = state.matched.root, state.body
        assert np.hypot(root.x - body.position[0], root.z - body.position[2]) <= setup.farthest + 1e-9
        assert abs((root.yaw - body.yaw + 180.0) % 360.0 - 180.0) <= setup.farthest_turn + 1e-9
    assert np.hypot(root.x - body.position[0], root.z - body.position[2]) < 0.01


def test_jumping_falling_landing_and_turning_in_place_are_left_to_the_graph():
    states = run([Input()] * 5 + [Input.of(jump=True)] * 2 + [Input()] * 130)
    for state in states:
        if state.body.in_air:
            assert tag(state) is None
    assert tag(states[-1]) is Tag.STAND
    looking = [Input.of(view_yaw=90.0, mode=RotationMode.LOOKING)] * 120
    turned = run([Input.of(mode=RotationMode.LOOKING)] * 5 + looking)
    assert abs(turned[-1].body.yaw - 90.0) < 20.0
    assert all(tag(state) is None for state in turned[1:])


def test_crouching_is_matched_by_crouched_clips():
    states = run([Input.of(AHEAD, crouch=True)] * 60 + [Input.of(crouch=True)] * 60)
    assert tag(states[55]) is Tag.CROUCH_MOVE
    assert tag(states[-1]) is Tag.CROUCH_STAND


def test_no_bone_jumps_when_another_frame_or_the_graph_takes_over():
    walk, run_, jump = Input.of(AHEAD, gait=Gait.WALK), Input.of((0.7, 0.7)), Input.of(AHEAD, jump=True)
    states = run([Input()] * 20 + [walk] * 50 + [run_] * 50 + [jump] * 2 + [run_] * 100 + [Input()] * 60)
    world = np.array([places(state) for state in states[10:]])
    changed = np.linalg.norm(np.diff(world, n=2, axis=0), axis=2).max(axis=1)
    switched = np.diff([state.matched.switches for state in states[11:]]) > 0
    assert switched.sum() > 4
    assert changed[switched].max() < 0.2  # metres a step squared; the graph's own take-off has 0.18


# ------------------------------------------------------------------------- states are values
def test_the_same_inputs_give_the_same_bytes_from_any_kept_state():
    given = [
        Input.of((np.sin(k / 20), np.cos(k / 31)), k * 0.5, gait=Gait(1 + k // 60 % 3)) for k in range(240)
    ]
    first = run(given)
    again = run(given)
    assert [s.to_bytes() for s in first] == [s.to_bytes() for s in again]
    assert run(given[100:], first[100])[-1].to_bytes() == first[-1].to_bytes()


def test_a_fork_goes_on_to_the_same_bytes():
    driven = Driven(character(), FLAT)
    other = driven.fork()
    given = [Input.of(AHEAD)] * 40
    mine, theirs = driven.start(), other.start()
    for one in given:
        mine, theirs = driven.step(mine, one), other.step(theirs, one)
    assert mine.to_bytes() == theirs.to_bytes()


def test_a_recording_goes_back_to_the_same_bytes():
    recording = Recording(begin(character(), FLAT), lambda s, i: step(character(), FLAT, s, i))
    for k in range(90):
        recording.append(Input.of((np.sin(k / 9), 1.0)))
    kept = recording.state_at(90).to_bytes()
    recording.state_at(17)
    assert recording.state_at(90).to_bytes() == kept


@settings(max_examples=8, deadline=None)
@given(st.lists(st.tuples(inputs, st.integers(1, 40)), min_size=1, max_size=5))
def test_whatever_is_asked_poses_are_finite_and_turns_are_units(script):
    for state in run([one for one, count in script for _ in range(count)]):
        local = pose(character(), state).local
        assert all(np.isfinite(part).all() for part in local)
        np.testing.assert_allclose(np.linalg.norm(local.rotation, axis=1), 1.0, atol=1e-6)
