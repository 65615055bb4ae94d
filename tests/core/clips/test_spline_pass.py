"""The spline pass: nothing outside of its range changes, poses stay, holds stay flat."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.clips.clip import WHOLE, Channel, Clip, Property
from core.clips.spline_pass import SPLINE_MODES, splined
from core.errors import ValidationError
from core.ids import AssetId
from core.math import quat
from core.timing import FrameRate
from core.tracks.evaluate import evaluate_quaternion, evaluate_scalar
from core.tracks.key_types import KeyType
from core.tracks.keys import Interpolation, TangentMode, quaternion_track, scalar_track
from core.tracks.tangents import with_tangents
from core.tracks.typed import with_type

ARM, HAND = Channel("a", Property.ROTATE, 0), Channel("h", Property.ROTATE, WHOLE)


def clip_of(seed: int, looping: bool = False, steps: float = 0.7) -> Clip:
    """A scalar and a quaternion track whose segments are of all kinds, most of them stepped."""
    rng = np.random.default_rng(seed)
    times = np.cumsum(rng.uniform(0.1, 0.6, 8))
    times -= times[0]
    stepped = rng.random(8) < steps
    modes = np.where(stepped, int(TangentMode.STEPPED), rng.choice([0, 1, 3, 4], 8)).astype(np.uint8)
    codes = np.where(stepped, 0, rng.choice([1, 2], 8)).astype(np.uint8)
    arm = with_tangents(
        scalar_track(times, rng.uniform(-50, 50, 8), rng.normal(size=8), rng.normal(size=8), codes, modes)
    )
    turns = quat.normalise(rng.normal(size=(8, 4)))
    hand = quaternion_track(times, turns, rng.normal(size=(8, 4)), rng.normal(size=(8, 4)), codes)
    length = float(times[-1]) + (0.3 if seed % 2 else 0.0)
    return Clip(
        AssetId("clip-1"), "c", AssetId("rig"), length, FrameRate.of(30), looping, {ARM: arm, HAND: hand}
    )


def values(clip: Clip, times):
    loop = clip.length if clip.looping else None
    return evaluate_scalar(clip.tracks[ARM], times, loop), evaluate_quaternion(clip.tracks[HAND], times, loop)


@given(
    st.integers(0, 2**31), st.booleans(), st.sampled_from(SPLINE_MODES),
    st.tuples(st.floats(0.0, 1.0), st.floats(0.0, 1.0)).filter(lambda s: abs(s[0] - s[1]) > 1e-3),
)  # fmt: skip
@settings(max_examples=120, deadline=None)
def test_nothing_outside_of_the_range_changes_and_every_key_keeps_its_value(
    seed, looping, mode, shares
) -> None:
    clip = clip_of(seed, looping)
    start, end = sorted(share * clip.length for share in shares)
    done = splined(clip, clip.tracks, (start, end), mode)
    times = np.linspace(0.0, clip.length, 400, endpoint=False)
    outside = times[(times < start - 1e-6) | (times > end + 1e-6)]
    old, new = values(clip, outside), values(done, outside)
    np.testing.assert_allclose(new[0], old[0], atol=1e-9)
    assert (quat.angle_between(new[1], old[1]) < 1e-6).all()
    for channel in (ARM, HAND):
        before, after = clip.tracks[channel], done.tracks[channel]
        np.testing.assert_array_equal(before.times, after.times)
        np.testing.assert_allclose(np.abs(before.values), np.abs(after.values), atol=1e-12)


@given(st.integers(0, 2**31), st.sampled_from([TangentMode.AUTO, TangentMode.CLAMPED, TangentMode.LINEAR]))
@settings(max_examples=30, deadline=None)
def test_no_step_is_left_within_the_range_and_stepping_again_brings_the_poses_back(seed, mode) -> None:
    clip = clip_of(seed, steps=1.1)
    done = splined(clip, clip.tracks, None, mode)
    for track in done.tracks.values():
        assert (track.interpolations[:-1] != Interpolation.CONSTANT).all()
    assert splined(done, done.tracks, None, mode) is done
    back = splined(done, done.tracks, None, TangentMode.STEPPED)
    times = np.linspace(0.0, clip.length, 200)
    old, new = values(clip, times), values(back, times)
    np.testing.assert_allclose(new[0], old[0], atol=1e-9)
    assert (quat.angle_between(new[1], old[1]) < 1e-6).all()


def test_splined_quaternions_turn_the_short_way() -> None:
    turns = [[0, 0, 0, 1.0], [0, 0, -np.sin(0.2), -np.cos(0.2)], [0, 0, np.sin(0.3), np.cos(0.3)]]
    track = quaternion_track([0, 1, 2.0], turns, interpolations=int(Interpolation.CONSTANT))
    clip = Clip(AssetId("clip-1"), "c", AssetId("rig"), 2.0, FrameRate.of(30), False, {HAND: track})
    done = splined(clip, [HAND], None, TangentMode.AUTO)
    found = evaluate_quaternion(done.tracks[HAND], np.linspace(0.0, 2.0, 41))
    assert np.degrees(quat.angle_between(found, [0, 0, 0, 1.0])).max() < 36.0


@pytest.mark.parametrize("mode", [TangentMode.AUTO, TangentMode.CLAMPED])
def test_a_pose_that_is_held_stays_still(mode) -> None:
    track = scalar_track([0, 1, 2, 3.0], [0, 10, 10, 40.0], interpolations=0, modes=int(TangentMode.STEPPED))
    clip = Clip(
        AssetId("clip-1"),
        "c",
        AssetId("rig"),
        3.0,
        FrameRate.of(30),
        False,
        {ARM: with_type(track, [2], KeyType.HOLD)},
    )
    done = splined(clip, [ARM], None, mode)
    held = evaluate_scalar(done.tracks[ARM], np.linspace(1.0, 2.0, 20))
    np.testing.assert_allclose(held, 10.0, atol=1e-9)


def test_a_mode_that_is_not_computed_and_an_empty_range_are_refused() -> None:
    clip = clip_of(1)
    with pytest.raises(ValidationError, match="tangent mode"):
        splined(clip, clip.tracks, None, TangentMode.FREE)
    with pytest.raises(ValidationError, match="range of time"):
        splined(clip, clip.tracks, (1.0, 1.0), TangentMode.AUTO)
