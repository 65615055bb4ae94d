"""Fitting, reducing, filters, sliders, smoothing, components: laws and second routes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import signal
from scipy.spatial.transform import Rotation

from core.errors import ValidationError
from core.math import euler, kernels, quat
from core.tracks import filters, sliders
from core.tracks.components import Reading, from_angles, set_angles, to_angles
from core.tracks.edits import insert_key
from core.tracks.evaluate import evaluate_quaternion, evaluate_scalar
from core.tracks.fit import fit_knots, fit_track, knots_numpy, tridiagonal
from core.tracks.keys import Interpolation, TangentMode, quaternion_track, scalar_track
from core.tracks.places import KeyPlaces, Places
from core.tracks.reduce import reduced, reduced_rotation
from core.tracks.sliders import Slider
from core.tracks.smoothing import smoothed_slopes
from core.tracks.tangents import with_tangents

seeds = st.integers(0, 2**31)


def wave(count=200, rate=30.0, seed=0):
    t = np.arange(count) / rate
    r = np.random.default_rng(seed)
    return t, sum(r.normal() * 20.0 * np.sin(2 * np.pi * f * t + r.uniform(0, 6)) for f in (0.3, 0.7, 1.9))


def keyed(seed, count=9):
    r = np.random.default_rng(seed)
    times = np.cumsum(r.uniform(0.05, 0.6, count))
    return with_tangents(scalar_track(times, r.normal(size=count) * 40.0))


# ---------------------------------------------------------------- fit and reduce
@given(seeds, st.floats(0.01, 5.0))
def test_fit_of_samples_stays_within_tolerance_at_every_sample(seed, tolerance):
    t, v = wave(120, seed=seed)
    track = fit_track(t, v, tolerance)
    assert np.abs(evaluate_scalar(track, t) - v).max() <= tolerance * (1 + 1e-9)
    assert len(track) <= len(t)


def test_fit_of_one_cubic_needs_two_keys():
    t = np.linspace(0.0, 2.0, 61)
    v = 3.0 - 2.0 * t + 5.0 * t**2 - 1.5 * t**3
    track = fit_track(t, v, 1e-3)
    assert len(track) == 2
    assert track.out_slopes[0] == pytest.approx(-2.0, abs=1e-3)


def test_fit_with_seeds_keeps_them_and_wrong_shapes_are_refused():
    t, v = wave(50)
    assert set(fit_knots(t, v[:, None], 100.0, seeds=[7, 20]).keys) == {0, 7, 20, 49}
    with pytest.raises(ValidationError, match="values"):
        fit_knots(t, v, 1.0)
    with pytest.raises(ValidationError, match="more than 0"):
        fit_knots(t, v[:, None], 0.0)


@given(seeds, st.integers(1, 4), st.booleans(), st.booleans(), st.floats(0.02, 5.0))
def test_fit_kernel_and_twin_choose_the_same_keys(seed, columns, joint, shares, tolerance):
    assert kernels.load() is not None
    r = np.random.default_rng(seed)
    t = np.cumsum(r.uniform(0.5, 1.5, 90)) / 30.0
    v = np.stack([wave(90, seed=seed + c)[1] + 0.05 * r.normal(size=90) for c in range(columns)], axis=1)
    share = r.uniform(0.2, 1.0, 90) if shares else np.ones(90)
    given = np.unique([0, 89, *r.integers(1, 89, 3)])
    found = fit_knots(t, v, tolerance, given, share=share, joint=joint)
    twin = knots_numpy(t, v, np.full(columns, 1.0 / tolerance), 1.0 / share, joint, given)
    assert np.array_equal(found.keys, twin.keys)
    assert np.allclose(found.slopes, twin.slopes, rtol=1e-6, atol=1e-6)
    assert found.error == pytest.approx(twin.error, abs=1e-6) and found.error <= 1.0
    assert set(given) <= set(found.keys)


@given(seeds, st.floats(0.05, 1.0), st.floats(0.02, 3.0))
def test_fit_with_few_places_is_the_same_in_kernel_and_twin_and_uses_no_other(seed, share, tolerance):
    assert kernels.load() is not None
    r = np.random.default_rng(seed)
    t = np.cumsum(r.uniform(0.5, 1.5, 90)) / 30.0
    v = np.stack([wave(90, seed=seed)[1] + 0.05 * r.normal(size=90)], axis=1)
    free = r.random(90) < share
    found = fit_knots(t, v, tolerance, free=free)
    twin = knots_numpy(t, v, np.full(1, 1.0 / tolerance), np.ones(90), False, np.array([0, 89]), free)
    assert np.array_equal(found.keys, twin.keys)
    assert set(found.keys) <= {0, 89, *np.flatnonzero(free)}
    everything = np.count_nonzero(free[1:-1]) + 2
    assert found.error <= 1.0 + 1e-9 or len(found.keys) <= everything


def test_reduction_that_may_not_add_keys_leaves_a_curve_that_needs_them_all():
    """Weighted handles: no plain cubic between the same keys is the same curve."""
    track = scalar_track(
        np.arange(5.0), [0.0, 5.0, -3.0, 8.0, 0.0], 20.0, 20.0, modes=TangentMode.FREE, weights=(0.9, 0.1)
    )
    assert reduced(track, 0.01) is track
    assert len(reduced(track, 0.01, places=Places(KeyPlaces.ANYWHERE))) >= 5


def test_reduction_with_a_share_is_tighter_where_that_says_so():
    t, v = wave(300)
    track = scalar_track(t, v, interpolations=int(Interpolation.LINEAR))
    less = reduced(track, 1.0, share=lambda at: np.where(at < t[150], 0.05, 1.0))
    off = np.abs(evaluate_scalar(less, t) - v)
    assert off[:150].max() <= 0.05 * (1 + 1e-9) < off[150:].max() <= 1.0 + 1e-9
    again = reduced(track, 0.5, seeds=less.times)
    assert np.isin(less.times, again.times).all()


def test_tridiagonal_agrees_with_dense_solver():
    r = np.random.default_rng(3)
    beside = r.normal(size=11)
    diagonal = 3.0 + np.abs(r.normal(size=12))
    right = r.normal(size=(12, 3))
    dense = np.diag(diagonal) + np.diag(beside, 1) + np.diag(beside, -1)
    assert np.allclose(tridiagonal(diagonal, beside, right), np.linalg.solve(dense, right), atol=1e-12)


@given(seeds, st.floats(0.05, 5.0))
def test_reduction_of_sampled_motion_is_within_tolerance_with_fewer_keys(seed, tolerance):
    t, v = wave(150, seed=seed)
    track = scalar_track(t, v, interpolations=int(Interpolation.LINEAR))
    less = reduced(track, tolerance)
    assert np.abs(evaluate_scalar(less, t) - v).max() <= tolerance * (1 + 1e-9)
    assert len(less) < len(track) / 2 or tolerance < 0.5


@given(seeds)
def test_reduction_keeps_steps_and_corners_exactly(seed):
    r = np.random.default_rng(seed)
    count = 14
    times = np.cumsum(r.uniform(0.1, 0.5, count))
    track = scalar_track(
        times, r.normal(size=count) * 10, interpolations=r.integers(0, 3, count).astype(np.uint8)
    )
    track = with_tangents(track)
    less = reduced(track, 0.05)
    dense = np.linspace(times[0], times[-1], 4001)
    assert np.abs(evaluate_scalar(less, dense) - evaluate_scalar(track, dense)).max() < 0.06


def test_reduction_of_a_still_curve_leaves_one_key():
    track = scalar_track(np.arange(40) / 30.0, np.full(40, 7.0))
    assert len(reduced(track, 0.01)) == 1


def test_reduction_between_selected_keys_leaves_the_rest_bit_for_bit():
    t, v = wave(90)
    track = with_tangents(scalar_track(t, v))
    less = reduced(track, 1.0, keys=[20, 50])
    assert len(less) < len(track)
    outside = np.r_[np.linspace(t[0], t[20], 200), np.linspace(t[50], t[-1], 200)]
    assert np.array_equal(evaluate_scalar(less, outside), evaluate_scalar(track, outside))
    inside = t[20:51]
    assert np.abs(evaluate_scalar(less, inside) - v[20:51]).max() <= 1.0 + 1e-9


def test_reduction_of_rotations_is_within_the_angle():
    t = np.arange(120) / 30.0
    q = Rotation.from_euler("XYZ", np.stack([np.sin(t), t, np.cos(2 * t)], 1)).as_quat()
    track = quaternion_track(t, quat.continuous(q))
    less = reduced_rotation(track, 0.2)
    assert len(less) < 60
    assert np.degrees(quat.angle_between(evaluate_quaternion(less, t), q)).max() <= 0.2


# ---------------------------------------------------------------- filters
@given(seeds)
def test_euler_filter_keeps_every_rotation_and_takes_jumps_away(seed):
    r = np.random.default_rng(seed)
    t = np.arange(40) / 30.0
    smooth = np.cumsum(r.normal(size=(40, 3)) * 6.0, axis=0)
    order = int(r.integers(0, 6))
    wild = smooth + 360.0 * r.integers(-1, 2, (40, 3))
    j = euler.SEQUENCE[order][1]
    for row in np.flatnonzero(r.random(40) < 0.3):
        twin = wild[row] + 180.0
        twin[j] = 180.0 - wild[row, j]
        wild[row] = twin
    wild[0] = smooth[0]
    tracks = tuple(scalar_track(t, wild[:, axis]) for axis in range(3))
    done = filters.euler_filter(tracks, order)
    degrees = np.stack([track.values for track in done], axis=1)
    same = quat.angle_between(euler.to_quaternion(degrees, order), euler.to_quaternion(wild, order))
    assert same.max() < 1e-9
    assert (
        np.abs(np.diff(degrees, axis=0)).sum(1).max() <= np.abs(np.diff(smooth, axis=0)).sum(1).max() + 1e-6
    )


def test_euler_filter_of_selected_keys_changes_only_those():
    t = np.arange(6.0)
    x = scalar_track(t, [0.0, 350.0, 20.0, 380.0, 40.0, 410.0])
    flat = scalar_track(t, np.zeros(6))
    done = filters.euler_filter((x, flat, flat), 0, keys=[1, 2])[0]
    assert done.values.tolist() == [0.0, -10.0, 20.0, 380.0, 40.0, 410.0]


def test_euler_filter_with_other_times_keys_all_three_first():
    x, y, z = (
        scalar_track([0.0, 1.0], [0.0, 370.0]),
        scalar_track([0.0, 0.5], [0.0, 5.0]),
        scalar_track([0.0], [0.0]),
    )
    done = filters.euler_filter((x, y, z), 0)
    assert all(len(t) == 3 for t in done)
    assert abs(done[0].values[-1] - done[0].values[-2]) <= 185.0


@given(seeds, st.sampled_from([2, 4]), st.floats(1.0, 8.0))
def test_butterworth_agrees_with_scipy_in_the_middle(seed, order, cutoff):
    t, v = wave(300, seed=seed)
    mine = filters.zero_phase(v, cutoff, 30.0, order)
    sos = signal.butter(order, cutoff, fs=30.0, output="sos")
    pad = min(max(3 * (order + 1), int(np.ceil(3.0 * 30.0 / cutoff))), len(v) - 1)
    theirs = signal.sosfiltfilt(sos, v, padtype="odd", padlen=pad)
    assert np.allclose(mine, theirs, atol=1e-9 * np.abs(v).max())


def test_butterworth_over_many_columns_is_each_column_alone():
    _, v = wave(80)
    both = filters.zero_phase(np.stack([v, 2 * v], 1), 3.0, 30.0)
    assert np.allclose(both[:, 1], filters.zero_phase(2 * v, 3.0, 30.0), atol=1e-12)


def test_gaussian_keeps_straight_lines_and_calms_noise():
    t = np.arange(60) / 30.0
    line = with_tangents(scalar_track(t, 3.0 * t - 1.0))
    assert np.allclose(filters.gaussian(line, np.arange(60), 0.1).values, line.values, atol=1e-9)
    r = np.random.default_rng(1)
    noisy = with_tangents(scalar_track(t, r.normal(size=60)))
    calm = filters.gaussian(noisy, np.arange(60), 0.1)
    assert np.diff(calm.values).std() < 0.25 * np.diff(noisy.values).std()
    part = filters.gaussian(noisy, [10, 11], 0.1)
    assert np.flatnonzero(part.values != noisy.values).tolist() == [10, 11]


# ---------------------------------------------------------------- sliders
@given(seeds, st.sampled_from(list(sliders.Slider)))
def test_slider_at_zero_gives_the_track_itself(seed, slider):
    track = keyed(seed)
    assert sliders.slid(slider, track, [2, 3, 6], 0.0) is track


@given(seeds, st.sampled_from(list(sliders.Slider)), st.floats(-1.0, 1.0))
def test_slider_changes_values_of_chosen_keys_only(seed, slider, amount):
    track = keyed(seed)
    done = sliders.slid(slider, track, [2, 3, 6], amount, size=0.1)
    untouched = np.setdiff1d(np.arange(len(track)), [2, 3, 6])
    assert np.array_equal(done.values[untouched], track.values[untouched])
    assert np.array_equal(done.times, track.times)


def test_sliders_at_their_ends_reach_what_they_name():
    track = keyed(5)
    v = track.values
    assert sliders.slid(Slider.TWEEN, track, [3], 1.0).values[3] == pytest.approx(v[4])
    assert sliders.slid(Slider.TWEEN, track, [3], -1.0).values[3] == pytest.approx(v[2])
    assert sliders.slid(Slider.BLEND_NEIGHBOUR, track, [3, 4], 1.0).values[4] == pytest.approx(v[5])
    moved = sliders.slid(Slider.BLEND_NEIGHBOUR, track, [3, 4], 1.0).values - v
    assert moved[3] == pytest.approx(moved[4])
    assert np.ptp(sliders.slid(Slider.SCALE_AVERAGE, track, [2, 3, 4], -1.0).values[2:5]) < 1e-12
    flat = sliders.slid(Slider.PUSH_PULL, track, [3, 4], -1.0)
    assert np.allclose(flat.values[3:5], np.interp(track.times[3:5], track.times[[2, 5]], v[[2, 5]]))
    late = sliders.time_offset(track, [3], 0.02)
    assert late.values[3] == pytest.approx(float(evaluate_scalar(track, track.times[3] - 0.02)))


def test_noise_is_the_same_for_one_seed_and_another_for_another():
    track = keyed(1)
    a, b, c = (
        sliders.slid(Slider.NOISE, track, [1, 2, 3], 1.0, None, 5.0, seed).values for seed in (4, 4, 5)
    )
    assert np.array_equal(a, b) and not np.array_equal(a, c)
    assert np.array_equal(sliders.slid(Slider.NOISE, track, [2], 1.0, None, 5.0, 4).values[2:3], a[2:3])


# ---------------------------------------------------------------- smooth
def test_smooth_at_full_strength_is_auto_and_weights_pick_a_side():
    track = with_tangents(scalar_track([0.0, 1.0, 3.0], [0.0, 2.0, -4.0], modes=int(TangentMode.FLAT)))
    auto = with_tangents(scalar_track([0.0, 1.0, 3.0], [0.0, 2.0, -4.0]))
    assert smoothed_slopes(track, [1]).in_slopes[1] == pytest.approx(auto.in_slopes[1])
    assert smoothed_slopes(track, [1], weight=0.0).in_slopes[1] == pytest.approx(2.0)
    assert smoothed_slopes(track, [1], weight=1.0).out_slopes[1] == pytest.approx(-3.0)
    assert smoothed_slopes(track, [1], weight=1.0, strength=0.5).out_slopes[1] == pytest.approx(-1.5)
    assert smoothed_slopes(track, [1], strength=0.0) is track
    with pytest.raises(ValidationError):
        smoothed_slopes(track, [1], strength=2.0)


# ---------------------------------------------------------------- components
@given(seeds, st.sampled_from(list(Reading)), st.integers(0, 2))
def test_components_there_and_back_change_no_rotation(seed, reading, axis):
    r = np.random.default_rng(seed)
    q = quat.continuous(quat.normalise(np.cumsum(r.normal(size=(30, 4)), axis=0)))
    rest = quat.normalise(r.normal(size=4))
    angles = to_angles(q, rest, reading, axis)
    back = from_angles(angles, rest, reading, axis)
    assert np.degrees(quat.angle_between(q, back)).max() < 1e-5


@given(seeds, st.sampled_from(list(Reading)))
def test_no_op_edit_of_a_component_changes_nothing(seed, reading):
    r = np.random.default_rng(seed)
    q = quat.continuous(quat.normalise(r.normal(size=(6, 4))))
    track = quaternion_track(
        np.arange(6.0), q, r.normal(size=(6, 4)), r.normal(size=(6, 4)), int(Interpolation.CUBIC)
    )
    angles = to_angles(track.values, quat.IDENTITY, reading)
    for component in range(3):
        assert (
            set_angles(track, np.arange(6), component, angles[:, component], quat.IDENTITY, reading) is track
        )
        near = set_angles(track, np.arange(6), component, angles[:, component] + 1e-7, quat.IDENTITY, reading)
        times = np.linspace(0.0, 5.0, 101)
        moved = quat.angle_between(evaluate_quaternion(near, times), evaluate_quaternion(track, times))
        # A sharp cubic passes near zero length between random keys, which magnifies any change.
        assert np.degrees(moved[::20]).max() < 1e-4


@pytest.mark.parametrize("reading", list(Reading))
def test_components_through_the_pole_of_euler_angles_run_smooth(reading):
    t = np.linspace(0.0, 1.0, 60)
    q = euler.to_quaternion(np.stack([20 * t, 180.0 * t, 30 * t], 1), 0)
    steps = np.abs(np.diff(to_angles(q, quat.IDENTITY, reading, 1), axis=0))
    assert steps.max() < 10.0


def test_component_edit_turns_only_the_chosen_key():
    q = euler.to_quaternion(np.array([[0.0, 0, 0], [10, 20, 30], [0, 0, 0]]), 0)
    track = quaternion_track([0.0, 1.0, 2.0], q)
    done = set_angles(track, [1], 0, 50.0, quat.IDENTITY)
    angles = to_angles(done.values, quat.IDENTITY)
    assert angles[1, 0] == pytest.approx(50.0)
    assert np.allclose(angles[1, 1:], to_angles(track.values, quat.IDENTITY)[1, 1:])
    assert np.array_equal(done.values[[0, 2]], track.values[[0, 2]])


# ---------------------------------------------------------------- laws of insertion and locality
@given(seeds, st.floats(0.01, 0.99))
def test_inserted_key_keeps_the_shape(seed, part):
    track = keyed(seed)
    time = float(track.times[0] + part * (track.times[-1] - track.times[0]))
    dense = np.linspace(track.times[0], track.times[-1], 501)
    after = insert_key(track, time)
    assert np.abs(evaluate_scalar(after, dense) - evaluate_scalar(track, dense)).max() < 1e-9 * 100


def test_butterworth_over_keys_a_billion_seconds_apart_is_refused_with_words():
    from core.errors import ValidationError
    from core.tracks.filters import butterworth

    track = scalar_track([0.0, 1.0, 1e9], [0.0, 1.0, 2.0])
    with pytest.raises(ValidationError, match="span"):
        butterworth(track, [0, 1, 2], 1.0, 30.0)
