"""Key types are a column like any other: kept by every edit, and breakdowns keep their share of time."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import ValidationError
from core.tracks import edits
from core.tracks.key_types import KeyType
from core.tracks.keys import quaternion_track, scalar_track, taken
from core.tracks.reduce import reduced
from core.tracks.typed import carried, keys_of_types, types_from, with_type, with_types

CODES = st.lists(st.integers(0, 4), min_size=3, max_size=9)


def track_of(codes, step=0.5):
    times = np.arange(len(codes)) * step
    track = scalar_track(times, np.sin(times))
    return with_types(track, np.array(codes, dtype=np.uint8))


def test_a_track_made_without_types_has_plain_keys_that_cost_nothing():
    track = scalar_track([0.0, 1.0], [0.0, 1.0])
    assert track.types.tolist() == [0, 0] and track.types.strides == (0,)
    assert quaternion_track([0.0], [[0, 0, 0, 1]]).types.tolist() == [0]


@pytest.mark.parametrize("bad", [[7, 0, 0], [0, 1]])
def test_types_that_are_none_or_too_few_are_refused(bad):
    with pytest.raises(ValidationError, match="key types"):
        with_types(track_of([0, 0, 0]), np.array(bad, dtype=np.uint8))


@given(CODES, st.data())
@settings(max_examples=60, deadline=None)
def test_edits_keep_the_types_of_the_keys_that_stay(codes, data):
    track = track_of(codes)
    count = len(codes)
    longer = edits.insert_key(track, 0.25)
    assert longer.types.tolist() == [codes[0], 0, *codes[1:]]
    assert edits.set_value(track, 0.25, 2.0).types.tolist() == [codes[0], 0, *codes[1:]]
    gone = data.draw(st.integers(0, count - 1))
    assert edits.delete_keys(track, [gone]).types.tolist() == codes[:gone] + codes[gone + 1 :]
    assert edits.scale_keys(track, np.arange(count), -1.0).track.types.tolist() == codes[::-1]
    assert edits.shift(track, 1.0).types.tolist() == codes
    assert edits.ripple(track, 0.5, 1.0).types.tolist() == codes
    assert taken(track, [0, count - 1]).types.tolist() == [codes[0], codes[-1]]


def test_a_key_that_moves_past_others_takes_its_type_along():
    track = track_of([1, 2, 3, 4])
    moved = edits.place_keys(track, [0], [1.25])
    assert moved.track.types.tolist() == [2, 3, 1, 4]
    assert moved.keys.tolist() == [2]


@given(
    st.lists(st.floats(0.1, 2.0), min_size=4, max_size=8),
    st.lists(st.booleans(), min_size=8, max_size=8),
    st.lists(st.floats(-0.04, 3.0), min_size=8, max_size=8),
)
@settings(max_examples=100, deadline=None)
def test_moved_keys_keep_the_proportion_of_the_breakdowns_between_them(gaps, free, shifts):
    """Every breakdown between two keys stays at its share of the time, whichever keys are moved in order."""
    times = np.cumsum(gaps)
    kinds = np.array([1 if f and 0 < n < len(gaps) - 1 else 0 for n, f in enumerate(free[: len(gaps)])])
    track = with_types(scalar_track(times, np.cos(times)), kinds.astype(np.uint8))
    posts = np.flatnonzero(kinds == 0)
    goal = times[posts] + np.cumsum(np.maximum(shifts[: len(posts)], 0.0))
    done = edits.place_keys(track, posts, goal)
    assert len(done.track) == len(track)
    np.testing.assert_allclose(done.track.times[done.keys], goal, atol=1e-9)
    for key in np.flatnonzero(kinds == 1):
        a, b = posts[posts < key][-1], posts[posts > key][0]
        before = (times[key] - times[a]) / (times[b] - times[a])
        new = done.track.times
        assert (new[key] - new[a]) / (new[b] - new[a]) == pytest.approx(before, abs=1e-7)
    assert done.track.types.tolist() == kinds.tolist()
    np.testing.assert_array_equal(done.track.values, track.values)


def test_one_moved_key_carries_the_breakdowns_on_both_sides_and_no_other_key():
    track = with_types(
        scalar_track([0, 1, 2, 3, 4, 5.0], np.zeros(6)), np.array([0, 1, 0, 1, 0, 1], np.uint8)
    )
    done = edits.move_keys(track, [2], 1.0)
    np.testing.assert_allclose(done.track.times, [0, 1.5, 3, 3.5, 4, 5])
    assert done.keys.tolist() == [2]


def test_a_chosen_breakdown_goes_where_it_is_put_and_one_beside_a_key_that_passes_the_other_stays():
    track = with_types(scalar_track([0, 1, 2, 3.0], np.zeros(4)), np.array([0, 1, 0, 0], np.uint8))
    assert edits.move_keys(track, [1], 0.25).track.times.tolist() == [0, 1.25, 2, 3]
    passed = edits.move_keys(track, [2], -2.5)
    assert passed.track.times.tolist() == [-0.5, 0, 1, 3]
    assert passed.track.types.tolist() == [0, 0, 1, 0]


def test_frames_put_in_by_a_ripple_move_no_breakdown_before_them():
    track = with_types(scalar_track([0, 1, 2.0], np.zeros(3)), np.array([0, 1, 0], np.uint8))
    assert edits.ripple(track, 1.5, 1.0).times.tolist() == [0, 1, 3]


def test_types_are_set_found_and_carried_to_a_track_of_the_same_motion():
    track = with_type(track_of([0, 0, 0, 0]), [1, 2], KeyType.EXTREME)
    assert with_type(track, [1], KeyType.EXTREME) is track
    assert keys_of_types(track, [KeyType.EXTREME, KeyType.HOLD]).tolist() == [1, 2]
    again = types_from(scalar_track(track.times, track.values), [track])
    assert again.types.tolist() == track.types.tolist()
    assert types_from(again, []) is again


def test_reducing_keeps_the_types_of_the_keys_it_keeps():
    times = np.linspace(0.0, 2.0, 41)
    track = with_types(
        scalar_track(times, np.sin(3 * times), interpolations=1), np.full(41, 3, dtype=np.uint8)
    )
    shorter = reduced(track, 0.01)
    assert len(shorter) < 41 and (shorter.types == 3).all()


def test_carried_without_breakdowns_gives_the_very_keys():
    chosen, goal = np.array([1]), np.array([5.0])
    found = carried(np.arange(4.0), np.zeros(4, np.uint8), chosen, goal)
    assert found.keys is chosen and found.times is goal
