"""Follow-through: a chain trails and settles, the range's ends and all outside stay, loops stay closed."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.clips.clip import Channel, Clip, Property
from core.clips.follow import followed, tip_of
from core.clips.sample import sample_many
from core.errors import ValidationError
from core.ids import AssetId
from core.math import quat
from core.pose import kinematics
from core.timing import FrameRate
from core.tracks.key_types import KeyType
from core.tracks.keys import Interpolation, TangentMode, scalar_track
from tests.editor.rigs import small_rig

RIG = small_rig()
RATE = FrameRate.of(30)
CHAIN = ("upper_arm_l", "lower_arm_l", "hand_l")
TURN = Channel("upper_arm_l", Property.ROTATE, 1)


def clip_of(looping: bool = False, own: bool = False) -> Clip:
    """The upper arm turns by 60° and stops; with `own` the lower one has keys too."""
    times = [0.0, 0.5, 0.8, 2.0]
    line = int(Interpolation.LINEAR)
    tracks = {TURN: scalar_track(times, [0.0, 0.0, 60.0, 0.0 if looping else 60.0], interpolations=line)}
    if own:
        tracks[Channel("lower_arm_l", Property.ROTATE, 0)] = scalar_track(
            times,
            [5.0, 20.0, 0.0, 5.0],
            [3.0, -4.0, 2.0, 1.0],
            [1.0, -4.0, 5.0, 1.0],
            modes=int(TangentMode.BROKEN),
        )
    return Clip(AssetId("clip-1"), "c", RIG.id, 2.0, RATE, looping, tracks)


def tips(clip: Clip, times, bone: str):
    poses = sample_many(RIG, clip, times)
    model = kinematics.to_model(RIG.skeleton, poses.local)
    index = RIG.skeleton.index(bone)
    turn, head = model.rotation[:, index], model.translation[:, index]
    return head + quat.rotate(turn, np.broadcast_to(tip_of(RIG.skeleton, index), head.shape))


def test_a_bone_without_keys_stays_behind_swings_past_and_settles() -> None:
    clip = clip_of()
    done = followed(RIG, clip, CHAIN, 4.0)
    times = np.arange(61) / 30.0
    apart = np.linalg.norm(tips(done, times, "hand_l") - tips(clip, times, "hand_l"), axis=1)
    assert apart[:14].max() < 1e-6  # nothing has moved yet
    assert apart[15:27].max() > 0.02  # behind
    assert 0.0 < apart[-8] < 0.2 * apart.max() and apart[-1] < 1e-6
    assert done.tracks[TURN] is clip.tracks[TURN]


@given(st.floats(0.5, 8.0))
@settings(max_examples=10, deadline=None)
def test_a_longer_lag_trails_further_behind_a_stop(lag) -> None:
    clip, at = clip_of(), np.array([0.8])
    less, more = (followed(RIG, clip, CHAIN[:2], size) for size in (lag, lag + 1.0))
    goal = tips(clip, at, "lower_arm_l")
    gaps = [np.linalg.norm(tips(found, at, "lower_arm_l") - goal) for found in (less, more)]
    assert gaps[0] < gaps[1] + 1e-6


@pytest.mark.parametrize("own", [False, True])
def test_outside_of_the_range_nothing_changes_and_its_ends_are_met(own) -> None:
    clip = clip_of(own=own)
    done = followed(RIG, clip, CHAIN, 3.0, (0.4, 1.2))
    times = np.concatenate((np.linspace(0.0, 0.4, 30), np.linspace(1.2, 2.0, 40)))
    a, b = sample_many(RIG, clip, times).local, sample_many(RIG, done, times).local
    assert np.degrees(quat.angle_between(a.rotation, b.rotation)).max() < 1e-4
    track = done.tracks[Channel("lower_arm_l", Property.ROTATE, 0)]
    inside = (track.times > 0.41) & (track.times < 1.19)
    kinds = set(track.types[inside].tolist())
    assert kinds == ({KeyType.INBETWEEN, KeyType.KEY} if own else {KeyType.INBETWEEN})


def test_a_loop_stays_closed() -> None:
    clip = clip_of(looping=True)
    done = followed(RIG, clip, CHAIN, 4.0)
    poses = sample_many(RIG, done, np.array([0.0, 2.0 - 1e-9])).local
    assert np.degrees(quat.angle_between(poses.rotation[0], poses.rotation[1])).max() < 1e-3


def test_going_over_the_ground_drags_nothing_and_a_drop_does() -> None:
    for axis, swings in ((0, False), (2, False), (1, True)):
        travel = scalar_track(
            [0.0, 0.5, 1.0, 2.0], [0.0, 0.0, 1.0, 1.0], interpolations=int(Interpolation.LINEAR)
        )
        clip = replace(clip_of(), tracks={Channel("pelvis", Property.TRANSLATE, axis): travel})
        done = followed(RIG, clip, CHAIN, 3.0)
        turned = sample_many(RIG, done, np.array([0.9])).local.rotation
        still = sample_many(RIG, clip, np.array([0.9])).local.rotation
        assert bool(np.degrees(quat.angle_between(turned, still)).max() > 2.0) is swings


def test_locked_bones_no_lag_and_a_lone_bone_change_nothing_and_bad_numbers_are_refused() -> None:
    clip = clip_of()
    assert followed(RIG, clip, CHAIN, 0.0) is clip and followed(RIG, clip, CHAIN[:1], 3.0) is clip
    assert followed(RIG, clip, CHAIN, 3.0, still=CHAIN) is clip
    for lag, span in ((-1.0, None), (np.nan, None), (2.0, (1.0, 1.0))):
        with pytest.raises(ValidationError, match="follow-through"):
            followed(RIG, clip, CHAIN, lag, span)


@pytest.mark.parametrize("length", [2.0 + 1e-7, 2.0 - 1e-7, 0.02, 1.99])
def test_a_clip_may_end_between_frames(length) -> None:
    clip = replace(clip_of(), length=length)
    done = followed(RIG, clip, CHAIN, 3.0)
    assert done.tracks[Channel("hand_l", Property.ROTATE, 0)].times[-1] == length
