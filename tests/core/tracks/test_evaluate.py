"""Tracks at times: interpolation, extrapolation, the seam of a loop."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.arrays import constant
from core.errors import ValidationError
from core.math import quat
from core.tracks.evaluate import evaluate_quaternion, evaluate_scalar
from core.tracks.keys import Extrapolation, Interpolation, quaternion_track, scalar_track
from core.tracks.tangents import with_tangents

E = Extrapolation


def slope_at(track, t, loop=None, side=1, step=1e-7):
    a, b = evaluate_scalar(track, [t, t + side * step], loop)
    return (b - a) / (side * step)


@st.composite
def tracks(draw, fewest=1, most=7):
    count = draw(st.integers(fewest, most))
    gaps = draw(st.lists(st.floats(0.05, 2.0), min_size=count, max_size=count))
    numbers = st.lists(st.floats(-50, 50), min_size=count, max_size=count)
    return scalar_track(
        np.cumsum(gaps) - draw(st.floats(0.0, 3.0)),
        draw(numbers),
        draw(numbers),
        draw(numbers),
        draw(st.lists(st.integers(0, 2), min_size=count, max_size=count)),
    )


def by_hand(track, t):
    """The value by the spec's formula, one time and one branch after the other."""
    times, values = track.times, track.values
    if t <= times[0]:
        return values[0]
    if t >= times[-1]:
        return values[-1]
    i = max(k for k in range(len(times)) if times[k] <= t)
    h = times[i + 1] - times[i]
    u = (t - times[i]) / h
    if track.interpolations[i] == Interpolation.CONSTANT:
        return values[i]
    if track.interpolations[i] == Interpolation.LINEAR:
        return values[i] * (1 - u) + values[i + 1] * u
    return (
        (2 * u**3 - 3 * u**2 + 1) * values[i]
        + (u**3 - 2 * u**2 + u) * h * track.out_slopes[i]
        + (-2 * u**3 + 3 * u**2) * values[i + 1]
        + (u**3 - u**2) * h * track.in_slopes[i + 1]
    )


@given(tracks(), st.lists(st.floats(-5.0, 20.0), min_size=1, max_size=8))
def test_evaluate_scalar_any_track_follows_the_formula(track, times):
    expected = [by_hand(track, t) for t in times]
    assert np.allclose(evaluate_scalar(track, times), expected, atol=1e-9)


@given(tracks())
def test_evaluate_scalar_at_its_keys_gives_their_values(track):
    assert (evaluate_scalar(track, track.times) == track.values).all()


def test_evaluate_scalar_constant_segment_steps_exactly_at_the_next_key():
    track = scalar_track([0.0, 1.0], [2.0, 5.0], interpolations=Interpolation.CONSTANT)
    assert evaluate_scalar(track, [1.0 - 1e-12, 1.0]).tolist() == [2.0, 5.0]


def test_evaluate_scalar_weighted_segment_agrees_with_bisection():
    track = scalar_track([1.0, 3.0], [0.0, 4.0], 3.0, -2.0, weights=(0.8, 0.6))
    for t in np.linspace(1.0, 3.0, 41):
        low, high = 0.0, 1.0
        for _ in range(100):
            b = 0.5 * (low + high)
            time = 3 * (1 - b) ** 2 * b * (0.6 * 2) + 3 * (1 - b) * b * b * (2 - 0.8 * 2) + b**3 * 2
            low, high = (b, high) if time < t - 1.0 else (low, b)
        near, far = 0.0 + 0.6 * 2 * -2.0, 4.0 - 0.8 * 2 * 3.0
        value = 3 * (1 - b) ** 2 * b * near + 3 * (1 - b) * b * b * far + b**3 * 4.0
        assert evaluate_scalar(track, [t])[0] == pytest.approx(value, abs=2e-9)


def test_evaluate_scalar_weights_of_a_third_written_out_change_nothing():
    plain = scalar_track([0, 1, 2], [0, 3, 1], [1, 2, 3], [4, 5, 6])
    spelled = scalar_track([0, 1, 2], [0, 3, 1], [1, 2, 3], [4, 5, 6], weights=([1 / 3] * 3, None))
    t = np.linspace(-1, 3, 50)
    assert (evaluate_scalar(plain, t) == evaluate_scalar(spelled, t)).all()


# ---------------------------------------------------------------- extrapolation

WAVE = scalar_track([1.0, 2.0, 4.0], [0.0, 3.0, 1.0], [0.5, 1.0, -2.0], [1.5, 1.0, 0.0])


def wave(before, after):
    return scalar_track(WAVE.times, WAVE.values, WAVE.in_slopes, WAVE.out_slopes, beyond=(before, after))


def test_evaluate_scalar_hold_keeps_the_end_values():
    assert evaluate_scalar(wave(E.HOLD, E.HOLD), [-100.0, 1e9]).tolist() == [0.0, 1.0]


def test_evaluate_scalar_linear_goes_on_with_the_slope_at_the_end():
    track = wave(E.LINEAR, E.LINEAR)
    assert evaluate_scalar(track, [-1.0, 6.0]).tolist() == [0.0 - 2.0 * 1.5, 1.0 + 2.0 * -2.0]
    assert slope_at(track, 4.0) == pytest.approx(slope_at(track, 4.0, side=-1), abs=1e-4)


@given(st.floats(-50.0, 50.0))
def test_evaluate_scalar_cycles_repeat_shift_and_reflect(t):
    inner = 1.0 + (t - 1.0) % 3.0
    turn = math.floor((t - 1.0) / 3.0)
    if 1.0 <= t <= 4.0 or min(abs((t - 1.0) % 3.0), abs((t - 1.0) % 3.0 - 3.0)) < 1e-6:
        return
    value = by_hand(WAVE, inner)
    back = by_hand(WAVE, 5.0 - inner) if turn % 2 else value
    assert evaluate_scalar(wave(E.CYCLE, E.CYCLE), [t])[0] == pytest.approx(value, abs=1e-9)
    assert evaluate_scalar(wave(E.CYCLE_OFFSET, E.CYCLE_OFFSET), [t])[0] == pytest.approx(
        value + turn, abs=1e-9
    )
    assert evaluate_scalar(wave(E.MIRROR, E.MIRROR), [t])[0] == pytest.approx(back, abs=1e-9)


@pytest.mark.parametrize("how", list(Extrapolation))
def test_evaluate_scalar_lone_key_is_its_value_everywhere(how):
    track = scalar_track([1.0], [7.0], beyond=(how, how))
    assert (evaluate_scalar(track, [-1e6, 0.0, 1.0, 1e6]) == 7.0).all()


@pytest.mark.parametrize("how", list(Extrapolation))
def test_evaluate_scalar_huge_times_stay_finite(how):
    assert np.isfinite(evaluate_scalar(wave(how, how), [-1e12, 1e12])).all()


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_evaluate_times_that_are_not_finite_are_refused(bad):
    with pytest.raises(ValidationError, match="finite"):
        evaluate_scalar(WAVE, [0.0, bad])


def test_evaluate_no_times_gives_no_values():
    assert evaluate_scalar(WAVE, []).shape == (0,)
    assert evaluate_quaternion(quaternion_track([0.0], [[0, 0, 0, 1]]), []).shape == (0, 4)


def test_evaluate_scalar_constant_columns_without_memory_work():
    track = scalar_track([0.0, 1.0, 2.0], constant(4.0, 3), constant(0.0, 3), constant(0.0, 3))
    assert (evaluate_scalar(track, np.linspace(-1, 3, 9)) == 4.0).all()


# ---------------------------------------------------------------- loops


def test_evaluate_scalar_loop_seam_runs_from_the_last_key_to_the_first_one_shifted():
    track = scalar_track([0.5, 1.0, 1.75], [0.0, 2.0, 1.0], [1, 2, 3], [4, 5, -6])
    gap = scalar_track([1.75, 2.5], [1.0, 0.0], [0, 1], [-6, 0])
    t = np.linspace(1.75, 2.0, 11)
    assert np.allclose(evaluate_scalar(track, t, 2.0), evaluate_scalar(gap, t), atol=1e-12)
    t = np.linspace(0.0, 0.5, 11)
    assert np.allclose(evaluate_scalar(track, t, 2.0), evaluate_scalar(gap, t + 2.0), atol=1e-12)


@given(tracks(fewest=2), st.floats(0.01, 3.0), st.integers(-3, 3))
def test_evaluate_scalar_loop_is_continuous_and_repeats(track, gap, turns):
    track = scalar_track(track.times - track.times[0], track.values, track.in_slopes, track.in_slopes)
    length = float(track.times[-1]) + gap
    inside = np.linspace(0.01, 0.99, 23) * length
    assert np.allclose(
        evaluate_scalar(track, inside + turns * length, length),
        evaluate_scalar(track, inside, length),
        atol=1e-6,
    )
    near = evaluate_scalar(track, [length - 1e-9, 0.0], length)
    assert near[0] == pytest.approx(near[1], abs=1e-5)


def test_evaluate_scalar_loop_with_automatic_slopes_is_smooth_at_the_seam():
    for times in ([0.0, 0.5, 1.2, 2.0], [0.3, 0.5, 1.2, 1.6]):
        track = with_tangents(scalar_track(times, [1.0, 3.0, -2.0, 1.0]), 2.0)
        before, after = slope_at(track, 2.0, 2.0, side=-1), slope_at(track, 0.0, 2.0)
        assert before == pytest.approx(after, abs=1e-4)


def test_evaluate_scalar_at_the_length_is_the_end_frame_and_past_it_the_start():
    track = scalar_track([0.0, 2.0], [0.0, 1.4], interpolations=Interpolation.LINEAR)
    assert evaluate_scalar(track, [0.0, 2.0, 2.5, -0.5], 2.0) == pytest.approx([0.0, 1.4, 0.35, 1.05])


def test_evaluate_scalar_loop_with_keys_outside_the_clip_stays_among_them():
    track = scalar_track([-5.0, -4.0, -3.5], [1.0, 2.0, 3.0])
    values = evaluate_scalar(track, np.linspace(0.0, 2.0, 33), 2.0)
    assert np.isfinite(values).all()
    assert values.min() >= 1.0
    assert values.max() <= 3.0


def test_evaluate_scalar_loop_without_length_does_not_loop():
    assert evaluate_scalar(WAVE, [9.0], 0.0)[0] == 1.0


# ---------------------------------------------------------------- quaternions


def rotations(seed, count):
    q = np.random.default_rng(seed).normal(size=(count, 4))
    return q / np.linalg.norm(q, axis=1, keepdims=True)


def test_evaluate_quaternion_cubic_is_gltf_s_spline():
    rng = np.random.default_rng(3)
    times, keys = np.array([0.2, 0.7, 1.9]), rotations(3, 3)
    into, out = rng.normal(size=(3, 4)), rng.normal(size=(3, 4))
    track = quaternion_track(times, keys, into, out, Interpolation.CUBIC)
    for t in np.linspace(0.2, 1.9, 30)[:-1]:
        k = 0 if t < 0.7 else 1
        td = times[k + 1] - times[k]
        s = (t - times[k]) / td
        # The formula of glTF 2.0, appendix C (cubic spline interpolation), term by term.
        value = (
            (2 * s**3 - 3 * s**2 + 1) * keys[k]
            + td * (s**3 - 2 * s**2 + s) * out[k]
            + (-2 * s**3 + 3 * s**2) * keys[k + 1]
            + td * (s**3 - s**2) * into[k + 1]
        )
        assert np.allclose(evaluate_quaternion(track, [t])[0], value / np.linalg.norm(value), atol=1e-12)


def test_evaluate_quaternion_linear_turns_evenly_on_the_short_way():
    a, b = quat.from_axis_angle([0, 1, 0], 0.3), -quat.from_axis_angle([0, 1, 0], 1.1)
    track = quaternion_track([0.0, 2.0], [a, b])
    for t in np.linspace(0, 2, 9):
        expected = quat.from_axis_angle([0, 1, 0], 0.3 + 0.4 * t)
        assert quat.angle_between(evaluate_quaternion(track, [t])[0], expected) < 1e-9


def test_evaluate_quaternion_constant_steps():
    keys = rotations(5, 3)
    track = quaternion_track([0, 1, 2], keys, interpolations=Interpolation.CONSTANT)
    assert np.allclose(evaluate_quaternion(track, [0.99, 1.0, 5.0]), keys[[0, 1, 2]])


@pytest.mark.parametrize("kind", [Interpolation.LINEAR, Interpolation.CUBIC])
def test_evaluate_quaternion_loop_seam_takes_the_short_way(kind):
    a, b = quat.from_axis_angle([1, 0, 0], 0.2), quat.from_axis_angle([1, 0, 0], 0.6)
    track = quaternion_track([0.0, 1.0], [-a, b], interpolations=kind)
    middle = evaluate_quaternion(track, [1.5], 2.0)[0]
    assert quat.angle_between(middle, quat.from_axis_angle([1, 0, 0], 0.4)) < 1e-9


def test_evaluate_quaternion_linear_extrapolation_keeps_turning():
    q = [quat.from_axis_angle([0, 0, 1], a) for a in (0.1, 0.3)]
    track = quaternion_track([0.0, 1.0], q, before=E.LINEAR, after=E.LINEAR)
    ends = evaluate_quaternion(track, [-2.0, 4.0])
    assert quat.angle_between(ends[0], quat.from_axis_angle([0, 0, 1], -0.3)) < 1e-9
    assert quat.angle_between(ends[1], quat.from_axis_angle([0, 0, 1], 0.9)) < 1e-9


def test_evaluate_quaternion_cubic_linear_extrapolation_leaves_smoothly():
    keys = rotations(8, 2)
    tangents = np.random.default_rng(8).normal(size=(2, 4))
    tangents -= np.sum(tangents * keys, axis=1, keepdims=True) * keys  # along the sphere
    track = quaternion_track([0.0, 1.0], keys, tangents, tangents, Interpolation.CUBIC, after=E.LINEAR)
    step = 1e-5
    before, at, after = evaluate_quaternion(track, [1 - step, 1.0, 1 + step])
    change = quat.multiply(at, quat.conjugate(before)), quat.multiply(after, quat.conjugate(at))
    rates = [quat.to_rotation_vector(c) / step for c in change]
    assert np.allclose(rates[0], rates[1], atol=1e-3)


def test_evaluate_quaternion_cycle_with_offset_composes_the_whole_turn():
    q = [quat.from_axis_angle([0, 1, 0], a) for a in (0.2, 0.9)]
    track = quaternion_track([0.0, 1.0], q, after=E.CYCLE_OFFSET)
    found = evaluate_quaternion(track, [3.5])[0]
    assert quat.angle_between(found, quat.from_axis_angle([0, 1, 0], 0.2 + 0.7 * 3.5)) < 1e-9


def test_evaluate_scalar_loop_of_keys_before_it_comes_to_the_nearest_turn_that_has_some():
    track = scalar_track([-5.0, -3.0, -1.0], [1.0, 2.0, 4.0], interpolations=int(Interpolation.LINEAR))
    assert evaluate_scalar(track, np.array([0.0, 0.5, 1.0]), loop=2.0) == pytest.approx([3.0, 3.5, 4.0])


@pytest.mark.parametrize("kind", list(Interpolation))
def test_times_of_any_shape_give_what_each_gives_alone_over_the_seam_too(kind):
    rng = np.random.default_rng(3)
    turns = quat.continuous(quat.normalise(rng.normal(size=(4, 4))))
    turns[3:] *= -np.sign(
        np.sum(turns[0] * turns[3])
    )  # the seam goes from one half of the quaternions to the other
    slopes = rng.normal(scale=0.2, size=(4, 4))
    track = quaternion_track([0.0, 0.5, 1.0, 1.5], turns, slopes, slopes, interpolations=int(kind))
    times = rng.uniform(-3.0, 5.0, size=(5, 4, 2))
    times[:, 0, 0] = 1.75
    whole = evaluate_quaternion(track, times, 2.0)
    alone = [evaluate_quaternion(track, np.array([t]), 2.0)[0] for t in times.ravel()]
    np.testing.assert_allclose(whole, np.reshape(alone, (5, 4, 2, 4)), atol=1e-12)
