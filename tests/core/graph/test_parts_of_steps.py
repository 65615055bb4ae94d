"""Results put together, phases between sync markers, and how far an inertial blend is: by exact numbers."""

import math
from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import SyncMarker
from core.graph.inertial import linear, mean_share
from core.graph.markers import MarkerCycle
from core.graph.output import Output, mix, packed, part_of_motion, summed_motion, unpacked
from core.graph.sync_member import LEAST_WAY, Phase
from core.math import quat
from core.math.transform import Transform
from tests.core.graph.builders import clip

Y = np.array([0.0, 1.0, 0.0])


def motion(x: float, degrees: float) -> Transform:
    return Transform(np.array([x, 0.0, 0.0]), quat.from_axis_angle(Y, math.radians(degrees)), np.ones(3))


def output(x: float, curves=(0.0, 0.0), present=(False, False), degrees: float = 0.0) -> Output:
    local = Transform(
        np.full((2, 3), x), np.tile(quat.from_axis_angle(Y, math.radians(degrees)), (2, 1)), np.ones((2, 3))
    )
    return Output(local, np.array(curves), np.array(present), motion(x, degrees))


def degrees(turn) -> float:
    return math.degrees(quat.to_rotation_vector(turn)[1])


def test_a_result_goes_into_a_row_and_back():
    found = output(2.0, (3.0, 4.0), (True, False), 40.0)
    row = packed(found)
    assert row.shape == (24,) and row[-4:].tolist() == [3.0, 4.0, 1.0, 0.0]
    assert row[:6].tolist() == [2.0] * 6 and row[14:20].tolist() == [1.0] * 6
    back = unpacked(row, 2)
    for one, other in zip(back.local, found.local, strict=True):
        assert one.tolist() == other.tolist()
    assert (back.curves.tolist(), back.present.tolist()) == ([3.0, 4.0], [True, False])
    row[0] = 9.0
    assert back.local.translation[0, 0] == 2.0  # copied


def test_results_mix_by_weights_and_their_motion_by_the_mean_of_both_ends():
    a, b, c = output(1.0, (2.0, 0.0), (True, False)), output(3.0, (6.0, 1.0), (True, True)), output(9.0)
    found = mix([a, b, c], [0.25, 0.75, 0.0])
    assert found.local.translation.tolist() == [[2.5] * 3] * 2
    assert (found.curves.tolist(), found.present.tolist()) == ([5.0, 0.75], [True, True])
    assert found.motion.translation[0] == pytest.approx(2.5)
    found = mix([a, b, c], [0.25, 0.75, 0.0], [0.75, 0.0, 0.25])
    assert found.local.translation[0, 0] == 2.5
    assert found.motion.translation[0] == pytest.approx(0.5 + 3.0 * 0.375 + 9.0 * 0.125)
    assert mix([a, b], [1.0, 0.0]) is a and mix([a, b], [0.0, 1.0]) is b
    alone = mix([a, b], [1.0, 0.0], [0.5, 0.5])
    assert alone is not a and alone.motion.translation[0] == pytest.approx(0.75 + 0.75)
    assert mix([a, c], [0.5, 0.5]).present.tolist() == [True, False]


def test_a_part_of_a_motion_goes_and_turns_by_that_part():
    whole = motion(2.0, 80.0)
    assert part_of_motion(whole, 1.0) is whole
    part = part_of_motion(whole, 0.25)
    assert part.translation[0] == 0.5 and degrees(part.rotation) == pytest.approx(20.0)
    assert part_of_motion(whole, 0.0).translation[0] == 0.0
    assert part_of_motion(whole, 2.0).translation[0] == 4.0


def test_motions_of_parts_are_summed_by_their_shares():
    a, b = motion(2.0, 40.0), motion(1.0, -10.0)
    found = summed_motion([a, b, motion(99.0, 9.0)], [0.5, 1.0, 0.0])
    assert found.translation[0] == pytest.approx(2.0) and degrees(found.rotation) == pytest.approx(10.0)
    assert summed_motion([a, b], [1.0, 0.0]) is a
    assert summed_motion([a], [0.5]).translation[0] == 1.0
    assert summed_motion([], []).translation.tolist() == [0.0] * 3
    assert summed_motion([a, b], [1.0, 1.0]).translation[0] == 3.0


# -------------------------------------------------------------------- markers
def cycle(*marks: tuple[str, float], length: float = 2.0, loops: bool = True) -> MarkerCycle:
    made = replace(clip("a", length), sync_markers=tuple(SyncMarker(name, time) for name, time in marks))
    return MarkerCycle(made, loops)


FEET = ("l", 0.2), ("r", 1.0)


@pytest.mark.parametrize(
    ("time", "markers", "between", "whole"),
    [
        (0.2, ("l", "r"), 0.0, 0.1), (0.6, ("l", "r"), 0.5, 0.3), (1.0, ("r", "l"), 0.0, 0.5),
        (1.6, ("r", "l"), 0.5, 0.8), (0.1, ("r", "l"), 1.1 / 1.2, 0.05), (2.2, ("l", "r"), 0.0, 0.1),
        (-0.4, ("r", "l"), 0.5, 0.8),
    ],
)  # fmt: skip
def test_a_phase_is_between_two_markers_and_in_the_whole(time, markers, between, whole):
    found = cycle(*FEET).phase(time)
    assert found.markers == markers
    assert (found.between, found.whole) == (pytest.approx(between), pytest.approx(whole))


def test_phases_without_markers_loop_or_length():
    assert cycle().phase(0.5) == Phase(None, 0.0, 0.25)
    assert cycle(*FEET, loops=False).phase(0.5) == Phase(None, 0.0, 0.25)
    assert cycle(*FEET, loops=False).phase(3.0) == Phase(None, 0.0, 1.5)
    still = MarkerCycle(replace(clip("a"), tracks={}, curves={}, length=0.0), True)
    assert still.phase(0.5) == Phase(None, 0.0, 0.0)
    assert still.time(Phase(None, 0.0, 0.5), 3.0) == 0.0
    one = cycle(("l", 0.5)).phase(0.0)
    assert (one.markers, one.between) == (("l", "l"), pytest.approx(0.75))
    assert cycle(("l", 0.5), ("r", 0.5)).phase(0.5).markers == ("r", "l")
    assert cycle(("x", -0.5), ("y", 2.0), ("l", 1.9)).names == ["l"]  # what lies outside of the clip is none


@pytest.mark.parametrize(
    ("phase", "near", "time"),
    [
        (Phase(("l", "r"), 0.5, 0.9), 0.0, 0.6), (Phase(("l", "r"), 0.5, 0.9), 2.1, 2.6),
        (Phase(("r", "l"), 0.5, 0.0), -0.3, -0.4), (Phase(("r", "l"), 1.0, 0.0), 2.0, 2.2),
        (Phase(("x", "y"), 0.5, 0.25), 0.0, 0.5), (Phase(None, 0.5, 0.25), 4.1, 4.5),
        (Phase(None, 0.0, 0.9), 0.1, -0.2),
    ],
)  # fmt: skip
def test_a_time_is_the_nearest_at_a_phase(phase, near, time):
    assert cycle(*FEET).time(phase, near) == pytest.approx(time)


def test_a_time_is_between_the_nearest_of_equal_markers():
    twice = cycle(("s", 0.2), ("s", 1.0))
    assert twice.time(Phase(("s", "s"), 0.0, 0.0), 0.9) == pytest.approx(1.0)
    assert twice.time(Phase(("s", "s"), 0.0, 0.0), 0.5) == pytest.approx(0.2)
    assert cycle(*FEET, loops=False).time(Phase(("l", "r"), 0.5, 0.25), 9.0) == 0.5


@pytest.mark.parametrize(
    ("time", "turns", "seconds"),
    [
        (0.0, 1.0, 0.1), (0.2, 1.0, 0.4), (0.6, 2.0, 0.1), (1.6, 1.0, 0.3), (0.6, -1.0, 0.2), (0.2, -1.0, 0.6),
        (0.1, -0.5, 1.1), (2.2, 1.0, 0.4), (0.0, 0.0, math.inf),
    ],
)  # fmt: skip
def test_seconds_to_the_next_marker(time, turns, seconds):
    assert cycle(*FEET).until(time, turns) == pytest.approx(seconds)


def test_a_marker_within_rounding_counts_as_passed():
    found = cycle(*FEET)
    assert found.until(0.2 - LEAST_WAY, 1.0) == pytest.approx(0.4)
    assert found.until(0.2 + LEAST_WAY, -1.0) == pytest.approx(0.6)
    assert found.until(0.2 - 1e-6, 1.0) == pytest.approx(5e-7)
    assert cycle().until(0.5, 1.0) == math.inf
    assert cycle(("l", 0.5)).until(0.5, 1.0) == pytest.approx(1.0)


# -------------------------------------------------------------------- shares of a blend
@pytest.mark.parametrize(
    ("seconds", "elapsed", "span", "share"),
    [
        (0.0, 0.1, 0.1, 1.0), (-1.0, 0.1, 0.1, 1.0), (0.4, 0.2, 0.1, 0.375), (0.4, 0.1, 0.1, 0.125),
        (0.4, 0.05, 0.1, 0.0625), (0.4, 0.5, 0.2, (0.875 * 0.1 + 0.1) / 0.2), (0.4, 0.8, 0.2, 1.0),
        (0.4, 0.2, 0.0, 0.5), (0.4, 0.9, 0.0, 1.0), (0.4, 0.4, 0.4, 0.5),
    ],
)  # fmt: skip
def test_the_mean_share_of_a_target_over_a_step(seconds, elapsed, span, share):
    assert mean_share(linear, seconds, elapsed, span) == pytest.approx(share)
    squared = mean_share(lambda u: u * u, 0.4, 0.2, 0.1)
    assert squared == pytest.approx((0.0625 + 0.25) / 2.0)
