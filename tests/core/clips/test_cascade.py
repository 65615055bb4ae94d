"""Overlap along a chain: the top stays, each bone below comes later, loops stay closed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clips.cascade import cascaded, chain_depths
from core.clips.clip import WHOLE, Channel, Clip, Property
from core.clips.loop_tools import is_linked
from core.errors import ValidationError
from core.ids import AssetId
from core.math import quat
from core.timing import FrameRate
from core.tracks.evaluate import evaluate_quaternion, evaluate_scalar
from core.tracks.keys import quaternion_track, scalar_track
from tests.editor.rigs import small_rig

RATE = FrameRate.of(30)
CHAIN = ("chest", "upper_arm_l", "lower_arm_l", "hand_l")
SKELETON = small_rig().skeleton


def clip_of(seed: int, looping: bool = False) -> Clip:
    rng = np.random.default_rng(seed)
    times = np.linspace(0.0, 2.0, 7)
    tracks = {}
    for bone in CHAIN[:3]:
        values = rng.uniform(-40.0, 40.0, 7)
        values[-1] = values[0]
        tracks[Channel(bone, Property.ROTATE, 0)] = scalar_track(times, values)
    turns = quat.normalise(rng.normal(size=(7, 4)))
    turns[-1] = turns[0]
    tracks[Channel("hand_l", Property.ROTATE, WHOLE)] = quaternion_track(times, turns)
    return Clip(AssetId("clip-1"), "c", AssetId("rig-small"), 2.0, RATE, looping, tracks)


def value(track, times, loop=None):
    read = evaluate_scalar if track.values.ndim == 1 else evaluate_quaternion
    return read(track, times, loop)


def alike(a, b) -> bool:
    if a.ndim == 2:
        return bool((quat.angle_between(a, b) < 1e-6).all())
    return bool(np.allclose(a, b, atol=1e-7))


@given(st.integers(0, 2**31), st.integers(-80, 80).map(lambda n: n / 10.0), st.booleans())
def test_each_bone_is_its_own_motion_of_before_offset_by_its_depth(seed, frames, looping) -> None:
    clip = clip_of(seed, looping)
    done, _ = cascaded(clip, SKELETON, CHAIN, frames)
    probe = np.linspace(0.0, 2.0, 11)[:-1] + 0.0137
    for depth, channel in enumerate(clip.tracks):
        old, new, offset = clip.tracks[channel], done.tracks[channel], depth * frames / 30.0
        if depth == 0:
            assert new is old
        elif looping:
            assert is_linked(new, 2.0) or len(new) == len(old)
            close = value(new, np.mod(probe + offset, 2.0), 2.0)
            assert alike(close, value(old, probe, 2.0))
        else:
            assert np.diff(new.times) == pytest.approx(np.diff(old.times), abs=1e-9)
            assert alike(value(new, probe + offset), value(old, probe))


@given(st.sets(st.integers(0, 6), min_size=1).map(sorted), st.integers(-5, 5))
def test_selected_keys_alone_move_and_keep_their_spacing(numbers, frames) -> None:
    clip = clip_of(4)
    keys = {c: np.array(numbers) for c in clip.tracks}
    done, now = cascaded(clip, SKELETON, CHAIN, frames, keys)
    for depth, channel in enumerate(clip.tracks):
        old, new = clip.tracks[channel], done.tracks[channel]
        moved = new.times[now[channel]]
        assert moved == pytest.approx(old.times[numbers] + depth * frames / 30.0, abs=1e-9)


def test_no_frames_change_nothing_and_bones_that_stay_keep_their_tracks() -> None:
    clip = clip_of(1)
    assert cascaded(clip, SKELETON, CHAIN, 0.0)[0] is clip
    done, _ = cascaded(clip, SKELETON, CHAIN, 2.0, still=["lower_arm_l"])
    low = Channel("lower_arm_l", Property.ROTATE, 0)
    assert done.tracks[low] is clip.tracks[low]
    hand = Channel("hand_l", Property.ROTATE, WHOLE)
    assert done.tracks[hand].times[0] == pytest.approx(3 * 2 / 30)


def test_depth_counts_the_given_bones_above_and_forks_are_alike() -> None:
    found = chain_depths(SKELETON, ["hand_l", "chest", "hand_r", "lower_arm_l", "nobody", "foot_l"])
    assert found == {"chest": 0, "lower_arm_l": 1, "hand_l": 2, "hand_r": 1, "foot_l": 0}


def test_frames_that_are_not_finite_are_refused() -> None:
    with pytest.raises(ValidationError, match="finite"):
        cascaded(clip_of(1), SKELETON, CHAIN, float("nan"))
