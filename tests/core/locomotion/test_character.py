"""A character on level ground: starting, stopping, jumping, crouching; states are values."""

import numpy as np
import pytest

from core.locomotion.character import (
    CharacterState,
    begin,
    placement,
    pose,
    pose_between,
    step,
    step_all,
)
from core.locomotion.input import Gait, Input, RotationMode
from core.locomotion.recording import Recording
from core.terrain.terrain import flat_terrain
from tests.core.locomotion.sample import sample

FLAT = flat_terrain()
AHEAD = (0.0, 1.0)


def run(inputs: list[Input], state: CharacterState | None = None) -> list[CharacterState]:
    states = [state or begin(sample(), FLAT)]
    for given in inputs:
        states.append(step(sample(), FLAT, states[-1], given))
    return states


def active(state: CharacterState) -> str:
    return state.result.states["moves"]


def test_standing_walking_and_standing_again_are_states_of_the_graph():
    walk = Input.of(AHEAD, gait=Gait.WALK)
    states = run([Input()] * 10 + [walk] * 60 + [Input()] * 60)
    assert active(states[10]) == "stand"
    assert active(states[12]) == "ahead"  # two steps after the input
    assert active(states[-1]) == "stand"
    assert placement(states[-1]).translation[2] > 1.5


@pytest.mark.parametrize("gait", list(Gait))
def test_stride_rate_and_clip_speed_make_the_capsules_speed(gait):
    for state in run([Input.of(AHEAD, gait=gait)] * 120)[5:]:
        made = state.played.rate * state.played.stride * state.played.clip_speed
        assert made == pytest.approx(state.body.speed, rel=1e-3)


def test_going_back_changes_the_space_and_keeps_the_phase():
    def way(x: float, z: float) -> Input:
        return Input.of((x, z), mode=RotationMode.LOOKING, gait=Gait.WALK)

    states = run([way(0, 1)] * 60 + [way(0, -1)] * 60)
    assert active(states[60]) == "ahead"
    assert active(states[-1]) == "back"


def test_a_jump_leaves_the_ground_and_lands():
    states = run([Input()] * 5 + [Input.of(jump=True)] * 2 + [Input()] * 120)
    seen = [active(state) for state in states]
    assert "leap" in seen
    assert seen.index("land") > seen.index("leap")
    assert seen[-1] == "stand"


def test_crouching_goes_by_its_own_space():
    states = run([Input.of(AHEAD, crouch=True)] * 40)
    assert active(states[-1]) == "crouch"


def test_a_state_goes_on_to_the_same_bytes_whatever_ran_in_between():
    first = run([Input.of(AHEAD)] * 25)[-1]
    one = step(sample(), FLAT, first, Input.of(AHEAD))
    run([Input.of((1.0, 0.0), jump=True)] * 30)
    other = step(sample(), FLAT, first, Input.of(AHEAD))
    assert one.to_bytes() == other.to_bytes()


def test_many_at_once_are_the_same_as_one_by_one():
    states = [run([Input.of(AHEAD)] * n)[-1] for n in (3, 9, 27)]
    inputs = [Input.of(AHEAD), Input.of((1.0, 0.0)), Input.of(jump=True)]
    together = step_all(sample(), FLAT, states, inputs)
    alone = [step(sample(), FLAT, state, given) for state, given in zip(states, inputs, strict=True)]
    assert [a.to_bytes() for a in together] == [a.to_bytes() for a in alone]


def test_a_recording_scrubs_a_character():
    recording = Recording(begin(sample(), FLAT), lambda state, given: step(sample(), FLAT, state, given))
    made = [recording.append(Input.of(AHEAD)) for _ in range(70)]
    assert recording.state_at(41).to_bytes() == made[40].to_bytes()


def test_poses_are_unit_rotations_and_blend_for_display():
    states = run([Input.of(AHEAD)] * 20)
    local, curves, _ = pose(sample(), states[-1])
    assert np.linalg.norm(local.rotation, axis=-1) == pytest.approx(1.0)
    assert {"contact_l", "contact_r", "FootPosition"} <= set(curves)
    where, half = pose_between(sample(), states[-2], states[-1], 0.5)
    middle = (placement(states[-2]).translation + placement(states[-1]).translation) / 2.0
    assert where.translation == pytest.approx(middle)
    assert np.linalg.norm(half.rotation, axis=-1) == pytest.approx(1.0)
