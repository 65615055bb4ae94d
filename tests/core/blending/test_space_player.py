"""Playing blend spaces: clocks, alignment, motion, curves, smoothing."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.blending.blend_space import BlendSpace, MotionRule, Smoothing, SpaceAxis, SpaceKind, SpaceSample
from core.blending.smoothing import followed
from core.blending.space_player import SpacePlayer
from core.blending.sync import sync_group
from core.clips.clip import Notify
from core.clips.sample import sample
from core.errors import MissingReferenceError, ValidationError
from core.ids import AssetId
from core.math import quat
from tests.core.blending.clips import RIG, walking

WALK = walking("walk", 1.2, 1.5, (("left", 0.1), ("right", 0.6)))
RUN = walking("run", 0.8, 4.0, (("right", 0.0), ("left", 0.5)))
CLIPS = {clip.id: clip for clip in (WALK, RUN)}
SPACE = BlendSpace(
    AssetId("space-1"),
    "speed",
    RIG.id,
    (SpaceAxis("speed", 1.5, 4.0, unit="m/s"),),
    (SpaceSample(WALK.id, (1.5,)), SpaceSample(RUN.id, (4.0,))),
    SpaceKind.LINE,
)
PLAYER = SpacePlayer(RIG, SPACE, CLIPS)
weights_2 = st.floats(0.0, 1.0).map(lambda w: np.array([1.0 - w, w]))


@given(st.floats(0.0, 1.2, exclude_max=True))
def test_at_a_sample_the_space_is_that_clip(time: float) -> None:
    state = PLAYER.advanced(PLAYER.start([1.5]), [1.5], time)
    blended, alone = PLAYER.sample(state).pose, sample(RIG, WALK, time).pose
    assert quat.angle_between(blended.rotations, alone.rotations).max() < 1e-6
    assert np.abs(blended.translations - alone.translations).max() < 1e-9


@given(st.floats(-3.0, 3.0))
def test_markers_are_met_together(clock: float) -> None:
    group = sync_group([WALK, RUN])
    assert group.names == ("left", "right")
    walk, run = group.times(float(np.floor(clock)))
    marker = int(np.floor(clock)) % 2
    assert walk % 1.2 == pytest.approx([0.1, 0.6][marker])
    assert run % 0.8 == pytest.approx([0.5, 0.0][marker], abs=1e-9)


@given(st.floats(0.0, 5.0), weights_2, st.floats(-2.0, 2.0), st.floats(-2.0, 2.0))
def test_clock_advances_alike_in_one_step_or_two(
    clock: float, weights: np.ndarray, a: float, b: float
) -> None:
    group = sync_group([WALK, RUN])
    once = group.advanced(clock, weights, a + b)
    twice = group.advanced(group.advanced(clock, weights, a), weights, b)
    assert once == pytest.approx(twice, abs=1e-9)


@given(weights_2)
def test_cycle_lasts_the_weighted_length(weights: np.ndarray) -> None:
    group = sync_group([WALK, RUN])
    length = weights @ [1.2, 0.8]
    assert group.duration(weights) == pytest.approx(length)
    assert group.interval_durations(weights).sum() == pytest.approx(length)
    assert group.advanced(0.0, weights, length) == pytest.approx(2.0)


@pytest.mark.parametrize("markers", [(), (("left", 0.1),), (("left", 0.1), ("other", 0.5))])
def test_clips_without_common_markers_align_by_normalised_time(
    markers: tuple[tuple[str, float], ...],
) -> None:
    group = sync_group([WALK, walking("odd", 0.6, 2.0, markers)])
    assert group.names == ()
    assert group.times(0.5) == pytest.approx([0.6, 0.3])


@given(st.integers(0, 1))
def test_clock_of_a_clips_own_time_gives_the_time_back(number: int) -> None:
    group = sync_group([WALK, RUN])
    for time in np.linspace(0.0, 0.79, 7):
        assert group.times(group.clock_at(number, time))[number] == pytest.approx(time)


@given(st.floats(1.5, 4.0), st.floats(0.001, 0.3))
def test_root_motion_is_the_weighted_motion(speed: float, seconds: float) -> None:
    before = PLAYER.start([speed])
    after = PLAYER.advanced(before, [speed], seconds)
    moved = PLAYER.sample(after, before).root_motion
    start, end = PLAYER.clip_times(before.clock), PLAYER.clip_times(after.clock)
    assert after.weights is not None
    expected = after.weights @ ((end - start) * [1.5, 4.0])
    assert moved.translation == pytest.approx([0.0, 0.0, expected], abs=1e-9)


def test_curves_blend_by_the_weights() -> None:
    assert PLAYER.sample(PLAYER.start([2.75])).pose.curves["speed"] == pytest.approx(2.75)


def test_many_poses_are_those_of_single_samples() -> None:
    states = [PLAYER.start([2.0])]
    for _ in range(20):
        states.append(PLAYER.advanced(states[-1], [states[-1].point[0] + 0.09], 0.05))
    clocks, weights = [s.clock for s in states], np.array([s.weights for s in states])
    batch, motion = PLAYER.poses(clocks, weights), PLAYER.motion_many(clocks, weights)
    for index, state in enumerate(states):
        single = PLAYER.sample(state, states[index - 1] if index else None)
        assert quat.angle_between(batch.rotations[index], single.pose.rotations).max() < 1e-7
        assert motion.translation[index] == pytest.approx(single.root_motion.translation, abs=1e-9)
        assert batch.curves["speed"][index] == pytest.approx(single.pose.curves["speed"])


def test_rate_makes_a_sample_play_faster() -> None:
    quick = replace(SPACE, samples=(SpaceSample(WALK.id, (1.5,), 2.0), SpaceSample(RUN.id, (4.0,))))
    player = SpacePlayer(RIG, quick, CLIPS)
    state = player.advanced(player.start([1.5]), [1.5], 0.3)
    assert player.clip_times(state.clock)[0] == pytest.approx(0.6)


def test_weight_speed_limits_the_change_and_keeps_the_sum() -> None:
    player = SpacePlayer(RIG, replace(SPACE, weight_speed=2.0), CLIPS)
    state = player.advanced(player.start([1.5]), [4.0], 0.1)
    assert state.weights == pytest.approx([0.8, 0.2])


def test_notifies_come_from_the_heaviest_or_from_all() -> None:
    clips = {
        WALK.id: replace(WALK, notifies=(Notify("walk step", 0.3),)),
        RUN.id: replace(RUN, notifies=(Notify("run step", 0.2),)),
    }
    for rule, expected in ((MotionRule.HEAVIEST, {"walk step"}), (MotionRule.ALL, {"walk step", "run step"})):
        player = SpacePlayer(RIG, replace(SPACE, notifies=rule, sync=False), clips)
        before = player.start([2.0])
        after = player.advanced(before, [2.0], 0.9)
        assert {n.name for n in player.sample(after, before).notifies} == expected


def test_missing_or_foreign_clip_is_named() -> None:
    with pytest.raises(MissingReferenceError, match="sample 1"):
        SpacePlayer(RIG, SPACE, {WALK.id: WALK})
    with pytest.raises(ValidationError, match="another rig"):
        SpacePlayer(RIG, SPACE, {**CLIPS, RUN.id: replace(RUN, rig=AssetId("rig-2"))})


@pytest.mark.parametrize("kind", [s for s in Smoothing if s is not Smoothing.NONE])
def test_smoothed_input_arrives_and_does_not_depend_on_the_step(kind: Smoothing) -> None:
    axis = SpaceAxis("direction", -180.0, 180.0, wrap=True, smoothing=kind, smoothing_time=0.3)
    space = replace(SPACE, axes=(axis,), samples=(SpaceSample(WALK.id, (0.0,)),))
    coarse, fine = ((170.0,), (0.0,)), ((170.0,), (0.0,))
    coarse = followed(space, *coarse, (-170.0,), 0.1)
    for _ in range(100):
        fine = followed(space, *fine, (-170.0,), 0.001)
    assert coarse[0][0] == pytest.approx(fine[0][0], abs=1e-6)
    assert abs(coarse[0][0]) > 169.0  # the short way, over the back
    for _ in range(40):
        fine = followed(space, *fine, (-170.0,), 0.1)
    assert fine[0][0] == pytest.approx(-170.0, abs=0.1)
