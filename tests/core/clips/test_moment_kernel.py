"""One moment by the kernels gives what the arrays of many moments give: poses, root motion, blends."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.blending.space_player import SpacePlayer
from core.clips import root_motion
from core.clips.clip import RootMotion, RootPose
from core.clips.evaluator import ClipEvaluator
from core.math import kernels, quat, transform
from core.math.transform import Transform
from core.pose import blend
from tests.core.blending.test_space_player import CLIPS, SPACE
from tests.core.blending.test_space_player import RIG as BLEND_RIG
from tests.core.clips import making

seeds = st.integers(0, 10_000)


@pytest.fixture(autouse=True, scope="module")
def loaded():
    assert kernels.load() is not None


def row_of(local: Transform) -> np.ndarray:
    return np.concatenate([part.reshape(-1) for part in local])


def with_root(seed: int, looping: bool, bone: str, **settings) -> ClipEvaluator:
    """Any clip, its root motion on, of a bone that may have others above it; even scales."""
    root = RootMotion(True, bone, **settings)
    clip = making.clip(6, looping=looping, seed=seed, root_motion=root)
    tracks = {channel: track for channel, track in clip.tracks.items() if channel.property != 2}
    return ClipEvaluator(making.rig(6, seed), replace(clip, tracks=tracks))


@settings(max_examples=25)
@given(seeds, st.booleans(), st.floats(0.0, 2.0), st.booleans())
def test_pose_at_one_time_is_that_of_many(seed, looping, time, wild):
    evaluator = ClipEvaluator(
        making.rig(7, seed, even=False), making.clip(7, looping=looping, seed=seed, wild=wild)
    )
    one, many = evaluator.pose_at(time), evaluator.sample_many([time], wrap=False).pose(0)
    for ours, twin in zip(one.local, many.local, strict=True):
        assert np.abs(ours - twin).max() < 1e-9
    assert one.curves.keys() == many.curves.keys() and one.morphs == many.morphs
    assert all(abs(one.curves[name] - many.curves[name]) < 1e-12 for name in one.curves)
    assert not any(part.flags.writeable for part in one.local)


@settings(max_examples=25)
@given(
    seeds, st.booleans(), st.sampled_from(["b0", "b2", "b5"]), st.floats(0.0, 2.0), st.booleans(), st.booleans(),
    st.sampled_from(list(RootPose)),
)  # fmt: skip
def test_root_motion_taken_out_of_a_row_is_that_of_arrays(seed, looping, bone, time, yaw, height, pose):
    source = with_root(seed, looping, bone, yaw=yaw, height=height, pose=pose)
    local = source.sample_many([time], wrap=False).pose(0).local
    row = row_of(local)
    root_motion.take_out(source, row)
    assert np.abs(row - row_of(root_motion.without_root(source, local))).max() < 1e-9


@settings(max_examples=25)
@given(seeds, st.booleans(), st.sampled_from(["b0", "b3"]), st.floats(-7.0, 9.0), st.floats(-7.0, 9.0))
def test_motion_between_two_moments_is_that_of_the_path(seed, looping, bone, start, end):
    source = with_root(seed, looping, bone)
    path = root_motion.accumulate(source, [start, end])
    first, last = (Transform(*(part[k] for part in path)) for k in (0, 1))
    told = transform.compose(transform.inverse(first), last)
    found = root_motion.motion_between(source, start, end)
    assert np.allclose(found.translation, told.translation, atol=1e-9)
    assert quat.angle_between(quat.normalise(found.rotation), quat.normalise(told.rotation)) < 1e-7


@settings(max_examples=30)
@given(seeds, st.integers(2, 7), st.booleans())
def test_blended_rows_agree_with_the_numpy_twin(seed, count, ties):
    rng = np.random.default_rng(seed)
    parts = [
        Transform(
            rng.normal(size=(5, 3)), quat.normalise(rng.normal(size=(5, 4))), rng.uniform(0.5, 2.0, (5, 3))
        )
        for _ in range(count)
    ]
    weights = rng.integers(0, 3, count).astype(float) if ties else rng.uniform(0.0, 1.0, count)
    weights[0] += 0.1
    shares = blend.checked_weights(weights)
    row = np.empty(50)
    kernels.load().moment.blended(np.array([row_of(part) for part in parts]), shares, row)
    assert np.abs(row - row_of(blend._by_numpy(parts, shares))).max() < 1e-12


@given(st.floats(0.0, 1.0), st.floats(-3.0, 5.0))
def test_blend_space_at_one_clock_is_that_of_many(share, clock):
    player = SpacePlayer(BLEND_RIG, SPACE, CLIPS)
    weights = np.array([1.0 - share, share])
    one = player._pose(clock, weights)
    many = player.poses([clock], weights[None]).pose(0)
    assert one is not None
    for ours, twin in zip(one.local, many.local, strict=True):
        assert np.abs(ours - twin).max() < 1e-9
    assert one.curves.keys() == many.curves.keys()
    assert all(abs(one.curves[name] - many.curves[name]) < 1e-12 for name in one.curves)
