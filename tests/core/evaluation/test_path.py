"""A path pulled at one frame: the point goes where it is wanted, neighbours follow with a falloff, the rest stays."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.clips.clip import Channel, Property
from core.clips.keying import Tolerance
from core.evaluation.clip_pipeline import ClipPipeline
from core.evaluation.path import moved_bones, path_through, path_times, pulled_path, share
from core.evaluation.spaces import switched
from core.math.transform import down_chain
from core.rig.spaces import target_named
from core.tracks.keys import scalar_track
from tests.editor.rigs import small_clip, small_rig

RIG = small_rig()
EVERY = Tolerance(0.0, 0.0, 0.0)


def bent_clip():
    times = np.arange(0, 61, 5) / 30.0
    bend = 40.0 + 20.0 * np.sin(times * 3.0)
    return small_clip(RIG).with_tracks(
        {
            Channel("lower_arm_l", Property.ROTATE, 2): scalar_track(times, bend),
            Channel("calf_l", Property.ROTATE, 0): scalar_track(times, bend),
        }
    )


def places(pipeline, bone, times):
    local = pipeline.sample_many(np.asarray(times)).local
    model = down_chain(RIG.skeleton.parents, local).translation
    return model[:, RIG.skeleton.index(bone)]


@settings(max_examples=12, deadline=None)
@given(
    bone=st.sampled_from(["hand_l", "foot_l", "lower_arm_l", "pelvis", "head"]), frame=st.integers(0, 60),
    frames=st.integers(0, 20), step=st.tuples(*[st.floats(-0.04, 0.04)] * 3),
)  # fmt: skip
def test_keys_within_the_falloff_follow_and_all_others_keep_their_values(bone, frame, frames, step):
    pipeline = ClipPipeline(RIG, bent_clip())
    time, falloff = frame / 30.0, frames / 30.0
    times = path_times(pipeline, bone, time, falloff)
    assert np.abs(times - time).max() < max(falloff, 1e-9) and np.abs(times - time).min() < 1e-9
    clip = pulled_path(pipeline, bone, time, np.array(step), falloff, EVERY)
    names = moved_bones(RIG.skeleton, bone)
    after = pipeline.with_clip(clip)
    wanted = (
        places(pipeline, bone, times)
        + np.array([share(abs(t - time), falloff) for t in times])[:, None] * step
    )
    if (
        bone in ("pelvis", "foot_l") and np.linalg.norm(step) < 0.03
    ):  # a leg that is bent reaches, and so does a body
        assert np.abs(places(after, bone, times) - wanted).max() < 1e-4
    for channel, old in pipeline.clip.tracks.items():
        new = clip.tracks[channel]
        if channel.bone not in names:
            assert new is old
            continue
        outside = np.abs(old.times - time) >= max(falloff - 1e-5, 1e-5)
        kept = np.isin(np.round(new.times, 6), np.round(old.times[outside], 6))
        assert np.array_equal(new.values[kept], old.values[outside])
        assert set(np.round(new.times[~kept], 6)) <= set(np.round(times, 6))


def test_a_pull_in_a_span_keys_the_goal_in_its_space():
    made = switched(ClipPipeline(RIG, bent_clip()), "hand_l", target_named(RIG, "pelvis"), 0.5, 1.5)
    live = ClipPipeline(made.rig, made.clip)
    clip = pulled_path(live, "hand_l", 1.0, np.array([0.0, 0.02, 0.0]), 0.0)
    moved = places(live.with_clip(clip), "hand_l", [1.0]) - places(live, "hand_l", [1.0])
    assert moved[0] == pytest.approx([0.0, 0.02, 0.0], abs=1e-5)
    assert clip.tracks == made.clip.tracks


def test_the_falloff_is_one_here_and_nothing_at_its_edge():
    assert share(0.0, 0.0) == 1.0 and share(0.5, 0.5) == 0.0 and share(0.2, 0.0) == 0.0
    values = [share(t, 1.0) for t in np.linspace(0.0, 1.0, 9)]
    assert values == sorted(values, reverse=True) and share(0.5, 1.0) == pytest.approx(0.5)


def test_path_through_places_meets_them_and_changes_no_key_outside():
    pipeline = ClipPipeline(RIG, bent_clip())
    times = np.array([0.5, 2 / 3, 5 / 6])
    before, shoulder = places(pipeline, "hand_l", times), places(pipeline, "upper_arm_l", times)
    goals = before + 0.1 * (shoulder - before)
    clip = path_through(pipeline, "hand_l", times, goals, EVERY)
    after = ClipPipeline(RIG, clip)
    assert places(after, "hand_l", times) == pytest.approx(goals, abs=1e-6)
    ends = np.array([0.0, clip.length])
    assert places(after, "hand_l", ends) == pytest.approx(places(pipeline, "hand_l", ends), abs=1e-9)
    moved = set(moved_bones(RIG.skeleton, "hand_l"))
    for channel, track in pipeline.clip.tracks.items():
        if channel.bone not in moved:
            assert clip.tracks[channel] is track
