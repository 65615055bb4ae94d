import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.arrays import same_value
from core.clips.clip import WHOLE, Channel, Clip, Property
from core.ids import AssetId
from core.tracks.keys import quaternion_track, scalar_track
from editor.tools import key_edits, key_moves
from editor.tools.key_drag import Snapping

X, Y = (Channel("a", Property.ROTATE, axis) for axis in range(2))


def clip(times=(0.0, 0.5, 1.0, 2.0)) -> Clip:
    track = scalar_track(np.array(times), np.arange(len(times)) * 1.0)
    return Clip(AssetId("clip-1"), "c", AssetId("rig-1"), 2.0, tracks={X: track, Y: track})


def test_nothing_moved_is_the_clip_itself():
    c = clip()
    assert key_moves.moved(c, {X: np.array([1])}, 0.0).clip is c


def test_moved_key_wins_over_the_one_in_its_way():
    before = clip()
    result = key_moves.moved(before, {X: np.array([1])}, 0.5)
    assert result.clip.tracks[X].times.tolist() == [0.0, 1.0, 2.0]
    assert result.clip.tracks[X].values.tolist() == [0.0, 1.0, 3.0]
    assert result.keys[X].tolist() == [1]
    assert result.clip.tracks[Y] is before.tracks[Y]


def test_whole_tracks_moved_together_go_on_sharing_their_times():
    c = clip()
    every = {channel: np.arange(4) for channel in (X, Y)}
    result = key_moves.moved(c, every, 0.25).clip
    assert result.tracks[X].times is result.tracks[Y].times
    assert result.tracks[X].times.tolist() == [0.25, 0.75, 1.25, 2.25]


@given(st.sets(st.integers(0, 3), min_size=1), st.integers(-60, 60))
def test_move_there_and_back_without_collision_restores_times(numbers, frames):
    c, seconds = clip(), frames / 30.0 + 0.0001234
    keys = {X: np.array(sorted(numbers))}
    there = key_moves.moved(c, keys, seconds)
    if len(there.clip.tracks[X]) < 4:
        return  # one was in the way
    back = key_moves.moved(there.clip, there.keys, -seconds)
    assert back.clip.tracks[X].times == pytest.approx(c.tracks[X].times, abs=1e-12)


def test_copies_lie_beside_their_originals_and_are_selected():
    result = key_edits.duplicated(clip(), {X: np.array([0, 1])}, 0.2)
    track = result.clip.tracks[X]
    assert track.times == pytest.approx([0.0, 0.2, 0.5, 0.7, 1.0, 2.0])
    assert track.values[result.keys[X]].tolist() == [0.0, 1.0]


def test_copy_on_top_of_a_key_replaces_it():
    result = key_edits.duplicated(clip(), {X: np.array([0])}, 0.5)
    assert result.clip.tracks[X].times.tolist() == [0.0, 0.5, 1.0, 2.0]
    assert result.clip.tracks[X].values.tolist() == [0.0, 0.0, 2.0, 3.0]


def test_keys_of_the_other_kind_of_rotation_are_left_out():
    row = quaternion_track([0.0], [[0.0, 0.0, 0.0, 1.0]])
    result = key_edits.merged(clip(), {Channel("a", Property.ROTATE, WHOLE): row})
    assert not result.keys and same_value(result.clip, clip())


def test_selection_older_than_the_clip_is_cut_to_what_there_is():
    gone = Channel("b", Property.SCALE, 0)
    assert key_edits.known(clip(), {X: np.array([2, 9]), gone: np.array([0])})[X].tolist() == [2]
    assert key_edits.span(clip(), {gone: np.array([0])}) is None


# ---------------------------------------------------------------- ripple, scale, numbers, snapping
@given(st.integers(0, 5), st.integers(-8, 8))
def test_ripple_keeps_the_gaps_of_what_comes_later(first, frames):
    before = clip((0.0, 0.5, 1.0, 1.5, 2.0, 3.0))
    result = key_moves.rippled(before, {X: np.array([first])}, frames / 4.0)
    old, new = before.tracks[X], result.clip.tracks[X]
    later = len(old) - first
    np.testing.assert_allclose(new.times[-later:], old.times[first:] + frames / 4.0)
    assert new.values[-later:].tolist() == old.values[first:].tolist()
    goal = old.times[first] + min(frames, 0) / 4.0
    left = [t for t in old.times[:first].tolist() if t <= goal + 1e-9 or frames >= 0]
    assert new.times[:-later].tolist() == [t for t in left if abs(t - new.times[-later]) > 1e-9]
    other, was = result.clip.tracks[Y], before.tracks[Y].times
    came = was[was >= old.times[first] - 1e-9] + frames / 4.0  # what is later goes along in every channel
    np.testing.assert_allclose(other.times[len(other) - len(came) :], came)
    assert np.isclose(new.times[result.keys[X][0]], old.times[first] + frames / 4.0)


@given(st.sampled_from([0.5, 2.0, -1.0, 3.0]), st.sampled_from([0.0, 0.5, 2.0]))
def test_scaled_keys_and_back_are_where_they_were(factor, pivot):
    before = clip()
    every = {X: np.arange(4)}
    there = key_edits.scaled(before, every, pivot, factor)
    back = key_edits.scaled(there.clip, there.keys, pivot, 1.0 / factor)
    np.testing.assert_allclose(back.clip.tracks[X].times, before.tracks[X].times, atol=1e-9)
    np.testing.assert_allclose(back.clip.tracks[X].values, before.tracks[X].values)


def test_snapping_prefers_a_stop_at_hand_over_a_frame_farther_off():
    snap = Snapping(lambda t: float(round(t)), np.array([2.4, 7.0]), 0.3)
    assert [snap(t) for t in (2.45, 2.2, 2.15, 2.05, 2.9, 6.8, 100.2)] == [
        2.4,
        2.4,
        2.0,
        2.0,
        3.0,
        7.0,
        100.0,
    ]


def test_all_keys_put_at_one_frame_leave_the_last():
    result = key_edits.at_times(clip(), {X: np.arange(4)}, lambda times: np.full(len(times), 1.0))
    assert result.clip.tracks[X].times.tolist() == [1.0] and result.clip.tracks[X].values.tolist() == [3.0]
