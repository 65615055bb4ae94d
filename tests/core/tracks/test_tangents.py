"""Slopes of every tangent mode against its formula."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import Interpolation, TangentMode, scalar_track
from core.tracks.tangents import with_tangents

T, V = [0.0, 1.0, 1.5, 3.0], [2.0, 4.0, 1.0, 1.5]
M = TangentMode


@st.composite
def columns(draw, fewest=2, most=8):
    count = draw(st.integers(fewest, most))
    gaps = draw(st.lists(st.floats(0.01, 3.0), min_size=count, max_size=count))
    values = draw(st.lists(st.floats(-20, 20), min_size=count, max_size=count))
    return np.cumsum(gaps), np.array(values)


def test_auto_inner_keys_weigh_the_nearer_chord_more():
    track = with_tangents(scalar_track(T, V))
    p, n, hp, hn = (4 - 2) / 1.0, (1 - 4) / 0.5, 1.0, 0.5
    assert track.in_slopes[1] == pytest.approx((hn * p + hp * n) / (hp + hn))
    assert (track.in_slopes == track.out_slopes).all()


def test_auto_ends_take_the_one_chord_there_is():
    track = with_tangents(scalar_track(T, V))
    assert track.out_slopes[0] == pytest.approx(2.0)
    assert track.in_slopes[-1] == pytest.approx(0.5 / 1.5)


@given(st.floats(-5, 5), st.floats(-5, 5), st.floats(-5, 5), columns(3))
def test_auto_keys_on_a_parabola_get_its_slope(a, b, c, keys):
    times, _ = keys
    track = with_tangents(scalar_track(times, a * times**2 + b * times + c))
    assert np.allclose(track.in_slopes[1:-1], 2 * a * times[1:-1] + b, atol=1e-6)


@given(columns())
def test_clamped_no_segment_overshoots_its_keys(keys):
    times, values = keys
    track = with_tangents(scalar_track(times, values, modes=M.CLAMPED))
    for i in range(len(times) - 1):
        between = evaluate_scalar(track, np.linspace(times[i], times[i + 1], 60))
        low, high = sorted(values[i : i + 2])
        assert between.min() >= low - 1e-9
        assert between.max() <= high + 1e-9
        assert (np.diff(between) * np.sign(values[i + 1] - values[i]) >= -1e-9).all()


@given(columns(3), st.floats(1 / 3, 1.0), st.floats(1 / 3, 1.0))
def test_clamped_with_long_handles_does_not_overshoot_either(keys, into, out):
    times, values = keys
    track = with_tangents(scalar_track(times, values, modes=M.CLAMPED, weights=(into, out)))
    inside = evaluate_scalar(track, np.linspace(times[0], times[-1], 300))
    assert inside.min() >= values.min() - 1e-9
    assert inside.max() <= values.max() + 1e-9


def test_clamped_is_flat_at_extremes_ends_and_beside_flat_segments():
    track = with_tangents(scalar_track([0, 1, 2, 3, 4], [0, 5, 2, 2, 3], modes=M.CLAMPED))
    assert track.in_slopes.tolist() == [0, 0, 0, 0, 0]


def test_clamped_gentle_rise_is_as_auto():
    track = with_tangents(scalar_track([0, 1, 2], [0, 1, 2.5], modes=M.CLAMPED))
    assert track.in_slopes[1] == pytest.approx(1.25)


def test_flat_linear_and_stepped_follow_their_definitions():
    track = scalar_track(T, V, 9.0, 9.0, modes=[M.FLAT, M.LINEAR, M.STEPPED, M.LINEAR])
    done = with_tangents(track)
    assert (done.in_slopes[0], done.out_slopes[0]) == (0.0, 0.0)
    assert (done.in_slopes[1], done.out_slopes[1]) == pytest.approx((2.0, -6.0))
    assert (done.in_slopes[2], done.out_slopes[2]) == (0.0, 0.0)
    assert done.interpolations.tolist() == [2, 2, Interpolation.CONSTANT, 2]
    assert done.in_slopes[3] == pytest.approx(0.5 / 1.5)


def test_free_and_broken_keys_keep_their_slopes():
    track = scalar_track(T, V, [1, 2, 3, 4], [5, 6, 7, 8], modes=[M.FREE, M.BROKEN, M.FREE, M.BROKEN])
    assert with_tangents(track) is track


def test_only_the_keys_asked_for_are_computed():
    track = scalar_track(T, V, 9.0, 9.0)
    part, whole = with_tangents(track, keys=[2]), with_tangents(track)
    assert part.in_slopes.tolist() == [9, 9, whole.in_slopes[2], 9]


def test_nothing_to_change_gives_the_same_track():
    track = with_tangents(scalar_track(T, V))
    assert with_tangents(track) is track
    assert with_tangents(track, keys=[]) is track


def test_lone_key_is_flat():
    assert with_tangents(scalar_track([1.0], [3.0]), 2.0).in_slopes[0] == 0.0


@pytest.mark.parametrize("mode", [M.AUTO, M.CLAMPED])
def test_loop_that_closes_wraps_its_neighbours(mode):
    track = with_tangents(scalar_track([0, 0.5, 1.5, 2.0], [1, 2, 0, 1], modes=mode), 2.0)
    unrolled = with_tangents(scalar_track([-0.5, 0, 0.5, 1.5, 2, 2.5], [0, 1, 2, 0, 1, 2], modes=mode))
    assert np.allclose(track.in_slopes, unrolled.in_slopes[1:5])
    assert track.in_slopes[0] == track.out_slopes[-1] == pytest.approx(2.0)


def test_loop_with_a_gap_wraps_across_it():
    track = with_tangents(scalar_track([0.2, 0.5, 1.5], [1, 2, 0]), 2.0)
    unrolled = with_tangents(scalar_track([-0.5, 0.2, 0.5, 1.5, 2.2], [0, 1, 2, 0, 1]))
    assert np.allclose(track.in_slopes, unrolled.in_slopes[1:4])


def test_loop_whose_ends_disagree_keeps_one_sided_ends():
    track = scalar_track([0, 1, 2], [0, 1, 5])
    assert with_tangents(track, 2.0).in_slopes.tolist() == with_tangents(track).in_slopes.tolist()


def test_slopes_that_agree_on_both_sides_share_one_column():
    track = with_tangents(scalar_track(T, V))
    assert track.in_slopes is track.out_slopes
