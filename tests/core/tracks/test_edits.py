"""Editing keys, held against the curves' own values and the definitions."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.arrays import same_value
from core.clips.clip import Channel, Property
from core.clips.sample import sample_many
from core.errors import ValidationError
from core.math import kernels, quat
from core.timing import TIME_EPSILON, FrameRate
from core.tracks import edits
from core.tracks.evaluate import evaluate_quaternion, evaluate_scalar
from core.tracks.keys import (
    Extrapolation,
    Interpolation,
    ScalarTrack,
    TangentMode,
    quaternion_track,
    scalar_track,
)
from core.tracks.tangents import with_tangents
from tests.core.clips import making

number = st.floats(-50.0, 50.0)


@st.composite
def tracks(draw: st.DrawFn, weighted: bool = False, count: int = 6, longest: float = 0.6) -> ScalarTrack:
    n = draw(st.integers(2, count))
    gaps = draw(st.lists(st.floats(0.05, 1.0), min_size=n, max_size=n))
    columns = [draw(st.lists(number, min_size=n, max_size=n)) for _ in range(3)]
    weight = st.floats(0.05, longest) if weighted else st.just(1 / 3)
    weights = [draw(st.lists(weight, min_size=n, max_size=n)) for _ in range(2)]
    kinds = draw(st.lists(st.sampled_from(list(Interpolation)), min_size=n, max_size=n))
    return scalar_track(
        np.cumsum(gaps),
        columns[0],
        columns[1],
        columns[2],
        kinds,
        TangentMode.BROKEN,
        (weights[0], weights[1]),
    )


def auto(times: list[float], values: list[float]) -> ScalarTrack:
    return with_tangents(scalar_track(times, values))


# ---------------------------------------------------------------- inserting


@given(tracks(weighted=False), st.floats(0.0, 1.0))
def test_insert_key_in_any_segment_keeps_the_shape(track: ScalarTrack, place: float) -> None:
    time = float(track.times[0] + place * (track.times[-1] - track.times[0]))
    more = edits.insert_key(track, time)
    dense = np.linspace(track.times[0], track.times[-1], 301)
    assert np.abs(evaluate_scalar(more, dense) - evaluate_scalar(track, dense)).max() < 1e-9 * 100


@given(tracks(weighted=True), st.floats(0.02, 0.98))
def test_insert_key_in_weighted_segment_keeps_the_shape(track: ScalarTrack, place: float) -> None:
    time = float(track.times[0] + place * (track.times[-1] - track.times[0]))
    more = edits.insert_key(track, time)
    dense = np.linspace(track.times[0], track.times[-1], 301)
    before = evaluate_scalar(track, dense)
    scale = max(1.0, float(np.abs(before).max()))
    assert np.abs(evaluate_scalar(more, dense) - before).max() < 1e-9 * scale * 10


@given(tracks(weighted=True, longest=0.98), st.lists(st.floats(0.02, 0.98), min_size=1, max_size=3))
def test_insert_key_beside_handles_of_any_length_keeps_the_shape(
    track: ScalarTrack, places: list[float]
) -> None:
    more = track
    for place in places:
        more = edits.insert_key(more, float(track.times[0] + place * np.ptp(track.times)))
    dense = np.linspace(track.times[0], track.times[-1], 301)
    before = evaluate_scalar(track, dense)
    scale = max(1.0, float(np.abs(before).max()))
    assert np.abs(evaluate_scalar(more, dense) - before).max() < 1e-6 * scale


def test_cut_segment_with_a_handle_longer_than_itself_plays_alike_in_the_kernel() -> None:
    wide = scalar_track([0.0, 2.0], [0.0, 10.0], 7.0, -30.0, modes=TangentMode.BROKEN, weights=(0.95, 0.95))
    track = edits.insert_key(wide, 1.3)
    assert float(track.out_weights.max()) > 1.0
    clip = making.clip().with_tracks({Channel("b0", Property.TRANSLATE, 0): track})
    dense = np.linspace(0.0, 2.0, 101)
    kernels.load()
    played = sample_many(making.rig(), clip, dense, wrap=False).translations[:, 0, 0]
    np.testing.assert_allclose(played, evaluate_scalar(wide, dense), atol=1e-9)


def test_handles_that_time_would_run_backwards_with_are_held_to_the_segment() -> None:
    track = scalar_track([0.0, 1.0], [0.0, 1.0], 2.0, 2.0, modes=TangentMode.BROKEN, weights=(0.9, 1.3))
    held = scalar_track([0.0, 1.0], [0.0, 1.0], 2.0, 2.0, modes=TangentMode.BROKEN, weights=(0.9, 1.0))
    dense = np.linspace(0.0, 1.0, 51)
    np.testing.assert_allclose(evaluate_scalar(track, dense), evaluate_scalar(held, dense), atol=1e-12)


def test_insert_key_where_one_stands_returns_the_track_itself() -> None:
    track = auto([0.0, 1.0], [0.0, 2.0])
    assert edits.insert_key(track, 1.0 + TIME_EPSILON / 2) is track


@pytest.mark.parametrize("how", [Extrapolation.HOLD, Extrapolation.LINEAR])
@pytest.mark.parametrize("time", [-0.5, 2.5])
def test_insert_key_beyond_the_ends_keeps_what_was_shown(how: Extrapolation, time: float) -> None:
    track = scalar_track([0.0, 1.0], [1.0, 3.0], 4.0, -1.0, modes=TangentMode.BROKEN, beyond=(how, how))
    more = edits.insert_key(track, time)
    dense = np.linspace(-0.5, 2.5, 101)
    np.testing.assert_allclose(evaluate_scalar(more, dense), evaluate_scalar(track, dense), atol=1e-9)


@pytest.mark.parametrize("time", [0.05, 1.9])
def test_insert_key_in_the_gap_of_a_loop_keeps_the_shape(time: float) -> None:
    track = scalar_track([0.3, 1.5], [1.0, 3.0], [4.0, 2.0], [-1.0, 5.0], modes=TangentMode.BROKEN)
    more = edits.insert_key(track, time, loop=2.0)
    dense = np.linspace(0.0, 2.0, 201)
    np.testing.assert_allclose(
        evaluate_scalar(more, dense, 2.0), evaluate_scalar(track, dense, 2.0), atol=1e-9
    )


def test_insert_key_into_constant_columns_keeps_them_free_of_memory() -> None:
    track = scalar_track(
        np.arange(100.0), np.zeros(100), interpolations=Interpolation.LINEAR, modes=TangentMode.LINEAR
    )
    more = edits.insert_key(track, 3.5)
    assert more.in_weights.strides == more.interpolations.strides == (0,)


@pytest.mark.parametrize("kind", [Interpolation.LINEAR, Interpolation.CONSTANT])
def test_insert_key_in_quaternion_segment_keeps_it_exactly(kind: Interpolation) -> None:
    q = quat.normalise([[0.1, 0.2, 0.3, 0.9], [-0.6, 0.2, 0.1, -0.5]])
    track = quaternion_track([0.0, 1.0], q, interpolations=int(kind))
    more = edits.insert_key(track, 0.3)
    dense = np.linspace(0, 1, 50)
    angle = quat.angle_between(evaluate_quaternion(more, dense), evaluate_quaternion(track, dense))
    assert angle.max() < 1e-7
    assert set(more.interpolations) == {int(kind)}


def test_insert_key_in_cubic_quaternion_segment_of_90_degrees_stays_within_a_hundredth() -> None:
    angles = np.radians([0.0, 60.0, -30.0])
    q = np.stack([[0.0, np.sin(a / 2) * 0.6, np.sin(a / 2) * 0.8, np.cos(a / 2)] for a in angles])
    rates = np.stack([np.zeros(4), (q[2] - q[0]) / 2.0, np.zeros(4)])
    track = quaternion_track([0.0, 1.0, 2.0], q, rates, rates, int(Interpolation.CUBIC))
    dense = np.linspace(0, 2, 400)
    for time in (0.2, 0.5, 1.4, 1.8):
        more = edits.insert_key(track, time)
        error = quat.angle_between(evaluate_quaternion(more, dense), evaluate_quaternion(track, dense))
        assert np.degrees(error).max() < 0.01, time


@pytest.mark.parametrize("turn", [120.0, 175.0, 240.0])
def test_insert_key_in_cubic_quaternion_segments_of_large_turns_keeps_their_way(turn: float) -> None:
    """Keys as a file may hold them, with signs that take the long way; the key between stands on it, too."""
    first = quat.from_axis_angle([0.0, 0.6, 0.8], 0.3)
    second = quat.multiply(quat.from_axis_angle([1.0, 0.0, 0.0], np.radians(turn)), first)
    third = quat.multiply(quat.from_axis_angle([0.0, 1.0, 0.0], np.radians(turn)), second)
    q = np.stack([first, second, third])
    rates = np.stack([q[1] - q[0], (q[2] - q[0]) / 2.0, q[2] - q[1]])
    track = quaternion_track([0.0, 1.0, 2.0], q, rates, rates, int(Interpolation.CUBIC))
    dense = np.linspace(0, 2, 400)
    for time in (0.2, 0.5, 0.9, 1.4, 1.8):
        more = edits.insert_key(track, time)
        error = quat.angle_between(evaluate_quaternion(more, dense), evaluate_quaternion(track, dense))
        assert np.degrees(error).max() < (0.05 if turn < 180.0 else 0.15), time


# ---------------------------------------------------------------- setting values


def test_set_value_changes_slopes_of_the_key_and_its_neighbours_only() -> None:
    track = auto([0, 1, 2, 3, 4, 5, 6], [0, 1, 0, 2, 0, 1, 0])
    stale = edits.put(track.in_slopes, [0, 6], 7.0)  # far keys' slopes must be left alone, whatever they are
    track = scalar_track(track.times, track.values, stale, track.out_slopes)
    changed = edits.set_value(track, 3.0, 5.0)
    differ = np.flatnonzero(changed.out_slopes != track.out_slopes)
    assert set(differ) <= {2, 3, 4} and {2, 4} <= set(differ)
    assert changed.in_slopes[0] == changed.in_slopes[6] == 7.0
    whole = with_tangents(scalar_track(changed.times, changed.values))
    np.testing.assert_array_equal(changed.out_slopes[2:5], whole.out_slopes[2:5])


def test_set_value_of_equal_value_returns_the_same_object() -> None:
    track = auto([0, 1], [3, 4])
    assert edits.set_value(track, 1.0, 4.0) is track


def test_set_value_leaves_free_neighbours_alone() -> None:
    track = scalar_track(
        [0, 1, 2], [0, 1, 0], 3.0, 3.0, modes=[TangentMode.FREE, TangentMode.AUTO, TangentMode.BROKEN]
    )
    changed = edits.set_value(track, 1.0, 9.0)
    assert changed.out_slopes[0] == changed.in_slopes[2] == 3.0 and changed.out_slopes[1] == 0.0


@pytest.mark.parametrize("kind", list(Interpolation))
def test_set_value_of_a_new_key_takes_the_interpolation_it_splits(kind: Interpolation) -> None:
    track = scalar_track([0, 1], [0, 1], interpolations=int(kind))
    assert edits.set_value(track, 0.5, 3.0).interpolations[1] == kind


def test_set_value_on_no_track_starts_one() -> None:
    track = edits.set_value(None, 0.5, 2.0)
    assert (len(track), track.values[0], track.modes[0]) == (1, 2.0, TangentMode.AUTO)


def test_set_value_in_a_closed_loop_smooths_across_the_seam() -> None:
    track = with_tangents(scalar_track([0, 1, 2, 3], [0, 1, 2, 0]), 3.0)
    changed = edits.set_value(track, 1.0, 5.0, loop=3.0)
    np.testing.assert_array_equal(changed.in_slopes, with_tangents(changed, 3.0).in_slopes)
    assert changed.out_slopes[0] == changed.in_slopes[3] == pytest.approx((5.0 - 2.0) / 2)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_set_value_refuses_what_is_not_finite(bad: float) -> None:
    with pytest.raises(ValidationError):
        edits.set_value(auto([0, 1], [0, 1]), 0.5, bad)
    with pytest.raises(ValidationError):
        edits.set_value(auto([0, 1], [0, 1]), bad, 0.5)


def test_set_rotation_keeps_signs_next_to_each_other() -> None:
    q = quat.normalise([[0, 0, 0, 1], [0, 0.3, 0, -0.9]])
    track = quaternion_track([0.0, 1.0], q)
    goal = quat.normalise([0, -0.2, 0, 1])
    for sign in (1.0, -1.0):
        changed = edits.set_rotation(track, 0.5, sign * goal)
        assert float(changed.values[1] @ changed.values[0]) > 0
        assert quat.angle_between(changed.values[1], goal) < 1e-9


# ---------------------------------------------------------------- moving


@given(tracks(), st.data())
def test_move_keys_anywhere_leaves_sorted_times_and_moved_keys_win(
    track: ScalarTrack, data: st.DataObject
) -> None:
    chosen = data.draw(st.lists(st.integers(0, len(track) - 1), min_size=1, unique=True).map(sorted))
    seconds = data.draw(
        st.one_of(st.floats(-3, 3), st.sampled_from([float(g) for g in track.times - track.times[0]]))
    )
    moved = edits.move_keys(track, chosen, seconds)
    result = moved.track
    assert (np.diff(result.times) >= TIME_EPSILON * 0.5).all()
    np.testing.assert_allclose(result.times[moved.keys], track.times[chosen] + seconds)
    np.testing.assert_array_equal(result.values[moved.keys], track.values[chosen])


def test_move_keys_onto_another_replaces_it() -> None:
    moved = edits.move_keys(auto([0, 1, 2, 3], [0, 10, 20, 30]), [1], 1.0)
    assert moved.track.times.tolist() == [0, 2, 3] and moved.track.values.tolist() == [0, 10, 30]
    assert moved.keys.tolist() == [1]


def test_move_keys_past_another_refreshes_neighbours_on_both_ends_only() -> None:
    times = list(range(9))
    track = auto(times, [0, 3, 1, 4, 1, 5, 9, 2, 6])
    stale = scalar_track(track.times, track.values, 7.0, 7.0)
    result = edits.move_keys(stale, [2], 3.5).track  # now between 5 and 6
    fresh = with_tangents(scalar_track(result.times, result.values))
    refreshed = np.flatnonzero(result.in_slopes != 7.0)
    assert refreshed.tolist() == [1, 2, 4, 5, 6]
    np.testing.assert_array_equal(result.in_slopes[refreshed], fresh.in_slopes[refreshed])


def test_move_keys_of_tracks_that_share_times_goes_on_sharing_them() -> None:
    times = auto([0, 1, 2, 3], [0, 0, 0, 0]).times
    first, second = scalar_track(times, [0, 1, 2, 3]), scalar_track(times, [5, 6, 7, 8])
    arranger = edits.Arranger()
    a, b = (edits.move_keys(track, [1], 1.0, arranger=arranger) for track in (first, second))
    assert a.track.times is b.track.times and b.track.values.tolist() == [5, 6, 8]
    c = edits.move_keys(second, [1], 0.5, arranger=arranger)
    assert c.track.times.tolist() == [0, 1.5, 2, 3]


def test_move_keys_with_snap_lands_on_frames() -> None:
    rate = FrameRate.of(30)
    moved = edits.move_keys(auto([0, 0.5, 2], [0, 1, 2]), [1], 0.111, arranger=edits.Arranger(rate.snap))
    assert rate.to_frame(float(moved.track.times[1])) == pytest.approx(18.0, abs=1e-9)


def test_move_keys_by_nothing_returns_the_same_object() -> None:
    track = auto([0, 1], [0, 1])
    assert edits.move_keys(track, [0, 1]).track is track


@given(tracks(), st.floats(0.2, 4.0), st.floats(-3.0, 3.0))
def test_scale_keys_of_a_whole_track_scales_the_curve(track: ScalarTrack, factor: float, tall: float) -> None:
    assume(abs(tall) > 1e-3)
    scaled = edits.scale_keys(track, np.arange(len(track)), factor, tall, 1.0, 2.0).track
    dense = np.linspace(track.times[0], track.times[-1], 50)
    expected = 2.0 + (evaluate_scalar(track, dense) - 2.0) * tall
    found = evaluate_scalar(scaled, 1.0 + (dense - 1.0) * factor)
    inside = np.abs(dense[:, None] - track.times).min(axis=1) > 1e-6  # steps jump at their key
    np.testing.assert_allclose(found[inside], expected[inside], atol=1e-7)


@given(tracks())
def test_scale_keys_by_minus_one_plays_the_curve_backwards(track: ScalarTrack) -> None:
    back = edits.scale_keys(track, np.arange(len(track)), -1.0).track
    dense = np.linspace(track.times[0], track.times[-1], 50)
    cubic = track.interpolations[np.clip(np.searchsorted(track.times, dense, "right") - 1, 0, len(track) - 2)]
    inside = (np.abs(dense[:, None] - track.times).min(axis=1) > 1e-6) & (cubic != Interpolation.CONSTANT)
    found, expected = evaluate_scalar(back, -dense[inside]), evaluate_scalar(track, dense[inside])
    np.testing.assert_allclose(found, expected, atol=1e-7)


def test_scale_keys_to_a_point_leaves_one_key() -> None:
    scaled = edits.scale_keys(auto([0, 1, 2, 5], [1, 2, 3, 4]), [0, 1, 2], 0.0, pivot_time=1.0)
    assert scaled.track.times.tolist() == [1, 5] and scaled.track.values.tolist() == [3, 4]


def test_ripple_makes_room_and_takes_it_away() -> None:
    track = auto([0, 1, 2, 3], [0, 1, 2, 3])
    assert edits.ripple(track, 2.0, 0.5).times.tolist() == [0, 1, 2.5, 3.5]
    assert edits.ripple(track, 2.0, -1.5).times.tolist() == [0, 0.5, 1.5]
    assert edits.ripple(track, 9.0, 1.0) is track


# ---------------------------------------------------------------- deleting


def test_delete_keys_refreshes_only_the_keys_beside_the_gap() -> None:
    stale = scalar_track([0, 1, 2, 3, 4, 5], [0, 3, 1, 4, 1, 5], 7.0, 7.0)
    shorter = edits.delete_keys(stale, [2, 3])
    assert shorter is not None
    assert np.flatnonzero(shorter.in_slopes != 7.0).tolist() == [1, 2]


def test_delete_keys_of_every_key_leaves_no_track() -> None:
    assert edits.delete_keys(auto([0, 1], [0, 1]), [0, 1]) is None


def test_delete_keys_refuses_indices_that_are_not_there() -> None:
    with pytest.raises(ValidationError, match="below 2"):
        edits.delete_keys(auto([0, 1], [0, 1]), [2])


# ---------------------------------------------------------------- modes


def test_set_mode_free_averages_both_sides() -> None:
    track = scalar_track([0, 1, 2], [0, 1, 0], [0, 2, 0], [0, 4, 0], modes=TangentMode.BROKEN)
    changed = edits.set_mode(track, [1], TangentMode.FREE)
    assert changed.in_slopes[1] == changed.out_slopes[1] == 3.0


def test_set_mode_stepped_and_back_changes_the_segment() -> None:
    track = auto([0, 1, 2], [0, 1, 0])
    stepped = edits.set_mode(track, [1], TangentMode.STEPPED)
    assert stepped.interpolations.tolist() == [2, 0, 2]
    back = edits.set_mode(stepped, [1], TangentMode.AUTO)
    assert same_value(np.array(back.out_slopes), np.array(track.out_slopes)) and back.interpolations[1] == 2


def test_set_slopes_makes_automatic_keys_free_and_ties_both_sides() -> None:
    changed = edits.set_slopes(auto([0, 1, 2], [0, 1, 0]), [1], out_slopes=5.0)
    assert changed.modes[1] == TangentMode.FREE and changed.in_slopes[1] == changed.out_slopes[1] == 5.0
    broken = edits.set_slopes(changed, [1], in_slopes=-1.0, mode=TangentMode.BROKEN)
    assert (broken.in_slopes[1], broken.out_slopes[1]) == (-1.0, 5.0)


def test_set_weights_holds_them_within_the_segment() -> None:
    changed = edits.set_weights(auto([0, 1], [0, 1]), [0], out_weights=3.0)
    assert changed.out_weights.tolist() == [1.0, pytest.approx(1 / 3)]


def test_values_for_keys_out_of_order_are_refused() -> None:
    with pytest.raises(ValidationError, match="rising"):
        edits.set_values(auto([0, 1], [0, 1]), [1, 0], [5.0, 6.0])
