"""A driven character that falls as a ragdoll and gets up: the modes, that nothing jumps, and rewinding."""

from functools import lru_cache

import numpy as np
import pytest

from core.io import load
from core.locomotion.character import (
    CharacterState,
    begin,
    character_setup,
    placement,
    pose,
    pose_between,
    step,
)
from core.locomotion.course_file import read_course
from core.locomotion.fall import Phase
from core.locomotion.input import Input
from core.locomotion.recording import Recording
from core.math.transform import compose, down_chain
from core.physics import engine
from core.terrain.pieces import Box, Plane, Stairs
from core.terrain.terrain import Terrain
from resources.sample.locomotion import FILE
from tests.core.locomotion.sample import sample as setup

pytestmark = pytest.mark.skipif(bool(engine.unavailable()), reason="the physics engine is not installed")

STAIRS = Terrain((Plane(), Stairs(at=(0.0, 0.0, 3.0), count=12, width=8.0)))
CLIFF = Terrain((Plane(), Box(at=(0.0, 0.0, 0.0), size=(6.0, 9.0, 6.0))))
AHEAD, KEY = Input.of((0.0, 1.0)), Input.of((0.0, 0.0), ragdoll=True)


def run(terrain, state, inputs):
    states = [state]
    for given in inputs:
        states.append(step(setup(), terrain, states[-1], given))
    return states


def places(state: CharacterState):
    """World positions of all bones but the root."""
    model = down_chain(setup().rig.skeleton.parents, pose(setup(), state).local)
    where = placement(state)
    return compose(type(where)(*(part[None] for part in where)), model).translation[1:]


@lru_cache(maxsize=1)
def fallen():
    """Up the stairs, down, and up again."""
    inputs = [AHEAD] * 75 + [KEY] * 3 + [Input()] * 420
    return run(STAIRS, begin(setup(), STAIRS), inputs), inputs


def test_the_key_lets_it_fall_and_lying_still_lets_it_get_up():
    states, _ = fallen()
    phases = [state.fall.phase for state in states]
    assert phases[75] is Phase.STANDING and phases[76] is Phase.FALLING
    assert Phase.RISING in phases
    assert phases[-1] is Phase.STANDING and states[-1].fall.fade is None
    last = states[-1].body
    assert not last.in_air and not last.moving
    lowest = min(float(places(state)[:, 1].min()) for state in states[76:400:9])
    assert lowest > -0.1


def test_no_bone_jumps_at_the_switches():
    states, _ = fallen()
    phases = [state.fall.phase for state in states]
    shown = [places(state) for state in states]
    for number in range(1, len(states)):
        if phases[number] is phases[number - 1]:
            continue
        moved = float(np.linalg.norm(shown[number] - shown[number - 1], axis=1).max())
        if phases[number] is Phase.FALLING:
            assert moved < 0.2  # a running foot goes so far in a step
        elif phases[number] is Phase.RISING:
            assert moved < 0.02  # the body's last step; the rise itself begins where that ends
            after = float(np.linalg.norm(shown[number + 1] - shown[number], axis=1).max())
            assert after < 0.001
        else:
            assert moved < 0.02


def test_steps_repeat_to_the_byte_from_any_moment_of_the_fall():
    states, inputs = fallen()
    for number in (76, 90, 130, 180, 260, len(inputs) - 200):
        again = run(STAIRS, states[number], inputs[number : number + 12])
        assert [a.to_bytes() for a in again] == [b.to_bytes() for b in states[number : number + 13]]


def test_what_is_displayed_between_steps_of_a_fall_lies_between_them():
    states, _ = fallen()
    for number in range(70, 400, 3):
        first, second = states[number], states[number + 1]
        where, local = pose_between(setup(), first, second, 0.5)
        model = down_chain(setup().rig.skeleton.parents, local)
        shown = compose(type(where)(*(part[None] for part in where)), model).translation[1:]
        a, b = places(first), places(second)
        off = np.linalg.norm(shown - 0.5 * (a + b), axis=1).max()
        assert off < 0.005 + 0.5 * np.linalg.norm(b - a, axis=1).max(), number


def test_a_recording_goes_back_into_the_fall_and_plays_on_to_the_same_bytes():
    states, inputs = fallen()
    recording = Recording(states[0], lambda state, given: step(setup(), STAIRS, state, given), inputs[:220])
    assert recording.state_at(110).to_bytes() == states[110].to_bytes()
    assert recording.state_at(220).to_bytes() == states[220].to_bytes()
    assert recording.state_at(95).to_bytes() == states[95].to_bytes()


def test_the_course_ends_its_ragdoll_section_on_the_feet():
    course = read_course(FILE.with_name("course") / "course.json")
    section = next(section for section in course.sections if section.name == "ragdoll")
    state = begin(setup(), course.terrain, section.at, section.yaw)
    states = run(course.terrain, state, section.inputs())
    phases = {state.fall.phase for state in states}
    assert phases == {Phase.STANDING, Phase.FALLING, Phase.RISING}
    assert states[-1].fall.phase is Phase.STANDING
    assert not any(state.fall.ragdoll is not None and state.fall.ragdoll.ended for state in states)


def test_a_landing_from_high_up_is_a_fall():
    state = begin(setup(), CLIFF, (0.0, 9.0, 1.0))
    states = run(CLIFF, state, [AHEAD] * 200)
    phases = [s.fall.phase for s in states]
    assert Phase.FALLING in phases
    first = phases.index(Phase.FALLING)
    assert states[first].body.impact >= 10.0 and states[first - 1].body.in_air


def test_the_key_again_lets_it_get_up_before_it_lies_still():
    states = run(STAIRS, begin(setup(), STAIRS), [Input()] * 5 + [KEY] * 2 + [Input()] * 60 + [KEY] * 2)
    assert states[-1].fall.phase is Phase.RISING


def test_moving_interrupts_the_end_of_getting_up_only():
    states, _ = fallen()
    risen = next(k for k, s in enumerate(states) if s.fall.phase is Phase.RISING)
    on = run(STAIRS, states[risen + 5], [AHEAD] * 160)
    phases = [s.fall.phase for s in on]
    up = phases.index(Phase.STANDING)
    assert 75 < up < 140
    assert on[-1].body.speed > 1.0


def test_without_the_engine_the_key_does_nothing(monkeypatch):
    monkeypatch.setattr(engine, "installed", lambda: False)
    project = load(FILE).project
    plain = character_setup(project, project.rigs[0])
    assert plain.falls is None and "mujoco-core" in plain.missing[-1]
    state = begin(plain, STAIRS)
    for _ in range(5):
        state = step(plain, STAIRS, state, KEY)
    assert state.fall.phase is Phase.STANDING and not state.body.moving
