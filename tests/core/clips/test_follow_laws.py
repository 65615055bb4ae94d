"""Follow-through on branching chains: nothing adds up, swings are bounded by the motion, still chains stay still."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.clips.clip import Channel, Clip, Property
from core.clips.follow import followed
from core.clips.sample import sample_many
from core.errors import ValidationError
from core.ids import AssetId
from core.math import quat
from core.pose import kinematics
from core.timing import FrameRate
from core.tracks.keys import Interpolation, scalar_track
from tests.editor.rigs import small_rig

RIG = small_rig()
RATE = FrameRate.of(30)
NAMES = RIG.skeleton.names
TIMES = np.arange(61) / 30.0
BODY = NAMES[1:10]  # the spine, the head and both arms
LEFT = ("upper_arm_l", "lower_arm_l", "hand_l")
RIGHT = ("upper_arm_r", "lower_arm_r", "hand_r")
angles = st.floats(-70.0, 70.0)
lags = st.floats(0.5, 10.0)


def clip_of(turns: dict[str, list[float]], drop: float = 0.0) -> Clip:
    """Bones that turn about X through four values; the pelvis drops by metres meanwhile and comes back."""
    at, line = [0.0, 0.5, 0.8, 1.4, 2.0], int(Interpolation.LINEAR)
    tracks = {
        Channel(bone, Property.ROTATE, 0): scalar_track(at, [v[0], *v], interpolations=line)
        for bone, v in turns.items()
    }
    if drop:
        tracks[Channel("pelvis", Property.TRANSLATE, 1)] = scalar_track(
            at, [1.0, 1.0, 1.0 - drop, 1.0, 1.0], interpolations=line
        )
    return Clip(AssetId("clip-1"), "c", RIG.id, 2.0, RATE, False, tracks)


def model_of(clip: Clip):
    return kinematics.to_model(RIG.skeleton, sample_many(RIG, clip, TIMES).local)


def apart(a: Clip, b: Clip):
    """Degrees ``(T, B)`` between the bones of two clips, in the character's space."""
    return np.degrees(quat.angle_between(model_of(a).rotation, model_of(b).rotation))


@given(st.lists(angles, min_size=4, max_size=4), lags)
@settings(max_examples=15, deadline=None)
def test_no_bone_of_a_branching_chain_swings_further_than_the_motion(turn, lag) -> None:
    clip = clip_of({"spine": turn})
    assert apart(followed(RIG, clip, BODY, lag), clip).max() <= np.ptp(turn) + 1e-3


def test_a_stop_is_swung_past_by_less_than_half_however_long_the_chain() -> None:
    clip = clip_of({"spine": [0.0, 40.0, 40.0, 40.0]})
    off = apart(followed(RIG, clip, BODY, 4.0), clip)
    assert 5.0 < off.max() < 40.0
    assert off[TIMES > 1.1].max() < 20.0  # and then it settles


def test_a_drop_bends_the_end_of_a_chain_most_and_no_bone_by_more_than_the_drop_over_its_length() -> None:
    clip = clip_of({"spine": [25.0] * 4}, drop=0.4)
    off = apart(followed(RIG, clip, BODY, 3.0), clip)
    by_bone = dict(zip(NAMES, off.max(axis=0), strict=True))
    assert by_bone["spine"] < 1e-6 and by_bone["pelvis"] < 1e-6
    assert by_bone["upper_arm_l"] < by_bone["hand_l"]
    assert max(by_bone.values()) < 60.0


@given(st.lists(angles, min_size=4, max_size=4), st.lists(angles, min_size=4, max_size=4), lags)
@settings(max_examples=10, deadline=None)
def test_a_branch_trails_alike_with_and_without_its_siblings(left, right, lag) -> None:
    clip = clip_of({"upper_arm_l": left, "upper_arm_r": right}, drop=0.2)
    both, one = followed(RIG, clip, LEFT + RIGHT, lag), followed(RIG, clip, LEFT, lag)
    columns = [RIG.skeleton.index(bone) for bone in LEFT]
    assert apart(both, one)[:, columns].max() < 1e-6


@given(st.lists(angles, min_size=3, max_size=3), lags, st.floats(0.0, 1.0))
@settings(max_examples=15, deadline=None)
def test_a_still_chain_stays_still(pose, lag, strength) -> None:
    clip = clip_of({bone: [v] * 4 for bone, v in zip(("spine", *LEFT[:2]), pose, strict=True)})
    assert apart(followed(RIG, clip, BODY, lag, strength=strength), clip).max() < 1e-4


@given(st.lists(angles, min_size=4, max_size=4), lags, st.floats(0.05, 1.0))
@settings(max_examples=10, deadline=None)
def test_strength_is_a_share_of_the_swing_and_the_first_frame_stays(turn, lag, strength) -> None:
    clip = clip_of({"upper_arm_l": turn})
    whole, part = (apart(followed(RIG, clip, LEFT, lag, strength=s), clip) for s in (1.0, strength))
    assert part[1:-7] == pytest.approx(strength * whole[1:-7], abs=1e-3)
    assert whole[0].max() < 1e-5 and whole[-1].max() < 1e-5
    assert followed(RIG, clip, LEFT, lag, strength=0.0) is clip


def test_a_strength_beyond_its_range_is_refused() -> None:
    for strength in (-0.1, 1.1, np.nan):
        with pytest.raises(ValidationError, match="strength of 0 to 1"):
            followed(RIG, clip_of({}), LEFT, 3.0, strength=strength)
