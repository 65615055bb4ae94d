"""The height at which the root is shown: the capsule's on level ground and slopes, a ramp on stairs, no jumps."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from core.locomotion.controller import start, step
from core.locomotion.input import Gait, Input
from core.locomotion.setup import PRESETS
from core.locomotion.state import State
from core.terrain.course import course_terrain, slope_at
from core.terrain.pieces import Box, Plane
from core.terrain.terrain import Terrain

SETUP = PRESETS["normal"]
COURSE = course_terrain()


def ran(
    terrain: Terrain, place: tuple[float, float, float], steps: int, given: Input, yaw: float = 0.0
) -> list[State]:
    made = [start(SETUP, terrain, place, yaw)]
    for _ in range(steps):
        made.append(step(SETUP, terrain, made[-1], given))
    return made


def jerk(heights: list[float]) -> float:
    """m/s³, 95th percentile."""
    return float(np.percentile(np.abs(np.diff(heights, 3)) * 60.0**3, 95.0))


@pytest.mark.parametrize(("number", "angle"), [(0, 10.0), (2, 30.0), (3, 40.0)])
def test_on_a_slope_it_is_the_capsules_own_height(number, angle):
    x, _, z = slope_at(number)
    state = start(SETUP, COURSE, (x, 9.0, z + 2.0))
    assert state.root_height == pytest.approx(state.position[1], abs=5e-5)
    states = ran(COURSE, (x, 9.0, z + 1.0), 20, Input.of((0.0, 1.0)))
    for one in states[1:]:
        assert one.root_height == pytest.approx(one.position[1], abs=5e-5)
        rise = math.tan(math.radians(angle)) * (one.position[2] - z)
        lift = SETUP.radius * (1.0 / math.cos(math.radians(angle)) - 1.0)  # of the round end on the slope
        assert one.position[1] == pytest.approx(rise + lift, abs=0.0005)


@pytest.mark.parametrize("gait", [Gait.WALK, Gait.RUN])
@pytest.mark.parametrize(("place", "yaw"), [((-15.0, 0.0, 9.0), 0.0), ((-15.0, 1.8, 15.0), 0.0)])
def test_stairs_become_a_ramp(gait, place, yaw):
    """The same gait's capsule jerks at least twenty times as much."""
    states = ran(COURSE, place, 110, Input.of((0.0, 1.0), gait=gait), yaw)
    shown, own = [s.root_height for s in states], [s.position[1] for s in states]
    assert jerk(shown) < jerk(own) / 20.0
    assert np.abs(np.array(shown) - own).max() < 0.07
    assert np.ptp(own) > 1.0


def test_a_ledge_above_the_step_height_does_not_pull_it_down_and_a_fall_does_not_jump():
    terrain = Terrain((Plane(), Box((0.0, 0.0, 0.0), size=(4.0, 1.0, 4.0))))
    states = ran(terrain, (0.0, 1.0, 0.0), 100, Input.of((0.0, 1.0)))
    edge = next(k for k, s in enumerate(states) if s.in_air)
    assert all(s.root_height > 0.85 for s in states[:edge])
    for a, b in pairwise(states):
        assert abs(b.root_height - a.root_height) < abs(b.position[1] - a.position[1]) + 0.06
    assert states[-1].root_height == pytest.approx(0.0, abs=1e-9) and states[-1].root_offset == 0.0
    assert states[-1].root == (states[-1].position[0], states[-1].root_height, states[-1].position[2])


def test_standing_still_it_stays_to_the_bit():
    states = ran(COURSE, (-15.0, 5.0, 10.9), 60, Input.of())
    assert len({s.root_height for s in states[1:]}) == 1


def test_what_jumps_beyond_the_steepest_way_comes_in_time():
    state = replace(start(SETUP, COURSE), root_height=0.3)  # as if the ground had dropped by 0.3
    shown = [state.root_height]
    for _ in range(60):
        state = step(SETUP, COURSE, state, Input.of((0.0, 0.1)))
        shown.append(state.root_height)
    assert shown[1] > 0.25 and shown[10] < 0.15 and abs(shown[-1]) < 1e-3
    assert all(b <= a + 1e-12 for a, b in pairwise(shown))
