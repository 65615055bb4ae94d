"""Bones that move and bones with keys of a type, counted by hand."""

import numpy as np
import pytest

from core.clips.clip import WHOLE, Channel, Property
from core.clips.edits import new_clip
from core.clips.moving_bones import AT_ONCE, STILL, bones_with_keys, frames_between, moving_bones
from core.math import quat
from core.math.transform import Transform
from core.timing import FrameRate
from core.tracks.key_types import KeyType
from core.tracks.keys import quaternion_track, scalar_track
from tests.core.clips import making

LATE = AT_ONCE + 40


def sampled(changes):
    """Six bones at rest, changed at frames: (frame, bone, part, value)."""

    def sample(times):
        frames = np.round(times * 30.0).astype(int)
        count = len(frames)
        rest = np.tile([0.0, 0.0, 0.0, 1.0], (count, 6, 1))
        made = Transform(np.zeros((count, 6, 3)), rest, np.ones((count, 6, 3)))
        for frame, bone, part, value in changes:
            made[part][frames == frame, bone] = value
        return made

    return sample


TURN = quat.from_axis_angle([0.0, 0.0, 1.0], 0.01)


@pytest.mark.parametrize("frame", [1, AT_ONCE - 1, AT_ONCE, LATE - 1])
def test_a_bone_moves_whose_place_turn_or_size_changes_anywhere(frame):
    changes = [(frame, 1, 0, 2e-6), (3, 2, 1, TURN), (frame, 3, 2, [1.0, 1.0, 1.1]),
               (frame, 4, 1, [0.0, 0.0, 0.0, -1.0]), (frame, 5, 0, 0.5 * STILL)]  # fmt: skip
    assert moving_bones(sampled(changes), np.arange(LATE) / 30.0) == (1, 2, 3)


def test_without_times_or_with_one_no_bone_moves():
    moved = sampled([(0, 1, 0, 1.0)])
    assert moving_bones(moved, np.zeros(0)) == () == moving_bones(moved, np.zeros(1))


@pytest.mark.parametrize(("start", "end", "frames"), [
    (0.0, 0.2, [0, 1, 2, 3, 4, 5]), (0.05, 0.15, [1.25, 2, 3, 3.75]), (0.04, 0.12, [1, 2, 3]),
    (0.01, 0.02, [0.25, 0.5]), (0.1, 0.1, [2.5]),
])  # fmt: skip
def test_frames_between_are_those_within_and_both_ends(start, end, frames):
    np.testing.assert_allclose(frames_between(FrameRate.of(25), start, end) * 25.0, frames, atol=1e-6)


def test_bones_with_keys_of_a_type_are_counted_in_a_span_with_its_ends():
    first, second = KeyType.KEY, KeyType.BREAKDOWN
    tracks = {
        Channel("b0", Property.ROTATE, 0): scalar_track([0.0, 1.0], [0.0, 1.0]),
        Channel("b1", Property.ROTATE, WHOLE): quaternion_track([0.5], [quat.IDENTITY]),
        Channel("b2", Property.TRANSLATE, 1): scalar_track([2.0], [0.0]),
    }
    clip = making.clip().with_tracks(tracks)
    own = {channel.bone for channel in clip.tracks}
    assert bones_with_keys(clip, [first]) == own and bones_with_keys(clip, [second]) == frozenset()
    only = new_clip(making.rig(), "c", 2.0).with_tracks(tracks)
    for span, wanted in (((0.5, 0.9), {"b1"}), ((1.0, 2.0), {"b0", "b2"}), ((1.1, 1.9), set())):
        assert bones_with_keys(only, [first, second], span) == wanted


def test_a_new_clip_has_thirty_frames_a_second_and_nothing_else():
    made, other = (new_clip(making.rig(), "c") for _ in range(2))
    assert made.rate == FrameRate.of(30) and (made.length, made.looping, made.name) == (1.0, False, "c")
    assert not made.tracks and made.rig == making.RIG and made.id != other.id and not made.root_motion.enabled
    assert new_clip(making.rig(), "c", 2.0, FrameRate.of(24), True).rate == FrameRate.of(24)
