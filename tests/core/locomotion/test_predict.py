"""Predictions are what the controller then does on open, level ground."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.locomotion.controller import start, step
from core.locomotion.input import Gait, Input, RotationMode
from core.locomotion.predict import predicted, stopping
from core.locomotion.setup import PRESETS
from core.locomotion.state import State
from core.terrain.terrain import flat_terrain

FLAT = flat_terrain()
axes = st.floats(-1.0, 1.0)
inputs = st.builds(
    Input.of, st.tuples(axes, axes), st.floats(-180.0, 180.0), gait=st.sampled_from(Gait),
    mode=st.sampled_from(RotationMode), crouch=st.booleans(),
)  # fmt: skip


def ran(preset: str, given_input: Input, steps: int, state: State | None = None) -> list[State]:
    setup = PRESETS[preset]
    states = [state or start(setup, FLAT)]
    for _ in range(steps):
        states.append(step(setup, FLAT, states[-1], given_input))
    return states


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(sorted(PRESETS)), inputs, inputs, st.integers(1, 40))
def test_the_path_is_what_the_controller_walks(preset, before, after, count):
    state = ran(preset, before, count)[-1]
    path = predicted(PRESETS[preset], state, after, 45)
    states = ran(preset, after, 45, state)
    np.testing.assert_allclose(path.places, [(s.position[0], s.position[2]) for s in states], atol=1e-6)
    np.testing.assert_allclose(path.velocities, [(s.velocity[0], s.velocity[2]) for s in states], atol=1e-9)
    turns = (path.yaws - [s.yaw for s in states] + 180.0) % 360.0 - 180.0
    assert np.abs(turns).max() < 1e-9


@pytest.mark.parametrize("gait", list(Gait))
def test_the_way_to_the_stop_is_what_is_then_gone(gait):
    full = ran("normal", Input.of((0.6, 0.8), gait=gait), 100)[-1]
    metres, seconds = stopping(PRESETS["normal"], full)
    states = ran("normal", Input.of(), 60, full)
    last = next(s for s in states if s.speed == 0.0)
    assert seconds == pytest.approx((last.step - full.step) / 60.0)
    assert metres == pytest.approx(math.dist(last.position, full.position), abs=1e-6)


def test_a_character_that_stands_is_at_its_stop():
    assert stopping(PRESETS["normal"], State()) == (0.0, 0.0)
