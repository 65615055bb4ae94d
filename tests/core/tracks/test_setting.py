"""Keys set at once are those set one after another; keys beyond the ends; empty lists of keys."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import ValidationError
from core.math import quat
from core.tracks import components, filters, sliders, smoothing
from core.tracks.edits import insert_key, set_rotation, set_value
from core.tracks.evaluate import evaluate_quaternion, evaluate_scalar
from core.tracks.keys import (
    Extrapolation,
    Interpolation,
    TangentMode,
    columns,
    quaternion_track,
    scalar_track,
)
from core.tracks.reduce import reduced
from core.tracks.setting import _apart, set_curve, set_turns
from core.tracks.tangents import SAME_VALUE, with_tangents

BEYOND = list(Extrapolation)


def same(one, two) -> None:
    assert (one.before, one.after) == (two.before, two.after)
    for name in columns(one):
        a, b = getattr(one, name), getattr(two, name)
        assert a.dtype == b.dtype, name
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-12, err_msg=name)


def turns(seed: int, kinds: str, before: Extrapolation, after: Extrapolation):
    r = np.random.default_rng(seed)
    values = quat.continuous(quat.normalise(r.normal(size=(5, 4))))
    codes = {"straight": [1, 1, 0, 1, 0], "cubic": [2, 2, 2, 2, 2], "mixed": [2, 1, 0, 2, 1]}[kinds]
    slopes = 0.2 * r.normal(size=(2, 5, 4)) if kinds != "straight" else np.zeros((2, 5, 4))
    return quaternion_track(
        [0.2, 0.5, 0.9, 1.0, 1.6], values, *slopes, interpolations=codes, before=before, after=after
    )


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10**6),
    st.sampled_from(["straight", "straight", "cubic", "mixed"]),
    st.sampled_from(list(itertools.product(BEYOND, BEYOND))),
    st.sampled_from([None, 1.8]),
    st.sampled_from(["inside", "first to inside", "inside to beyond", "beyond", "on keys"]),
)
def test_rotations_set_at_once_are_those_set_one_by_one(seed, kinds, beyond, loop, where) -> None:
    track = turns(seed, kinds, *beyond)
    times = {
        "inside": [0.21, 0.3, 0.45, 0.5, 0.95, 1.3], "first to inside": [0.05, 0.1, 0.3, 1.2],
        "inside to beyond": [0.4, 0.9, 1.61, 1.7], "beyond": [0.0, 0.1, 1.7, 1.75], "on keys": [0.2, 0.9, 1.6],
    }[where]  # fmt: skip
    goals = quat.normalise(np.random.default_rng(seed + 1).normal(size=(len(times), 4)))
    one_by_one = track
    for time, goal in zip(times, goals, strict=True):
        one_by_one = set_rotation(one_by_one, time, goal, loop)
    at_once = set_turns(track, times, goals, loop)
    same(at_once, one_by_one)
    found = evaluate_quaternion(at_once, np.array(times), loop)
    assert np.degrees(quat.angle_between(found, goals)).max() < 1e-6


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10**6),
    st.sampled_from(list(itertools.product(BEYOND, BEYOND))),
    st.sampled_from([None, 1.8]),
)
def test_values_set_at_once_are_those_set_one_by_one(seed, beyond, loop) -> None:
    r = np.random.default_rng(seed)
    track = scalar_track(
        [0.2, 0.5, 0.9, 1.0, 1.6], r.normal(size=5), interpolations=r.integers(0, 3, 5),
        modes=int(TangentMode.AUTO), beyond=beyond,
    )  # fmt: skip
    track = with_tangents(track, loop)
    times = np.sort(r.choice([0.0, 0.1, 0.2, 0.35, 0.5, 0.7, 0.95, 1.3, 1.6, 1.7], 4, replace=False))
    values = r.normal(size=4)
    one_by_one = track
    for time, value in zip(times.tolist(), values.tolist(), strict=True):
        one_by_one = set_value(one_by_one, time, value, loop)
    at_once = set_curve(track, times, values, loop)
    np.testing.assert_allclose(at_once.values, one_by_one.values, atol=1e-12)
    np.testing.assert_array_equal(at_once.times, one_by_one.times)
    assert [getattr(at_once, n).dtype for n in columns(at_once)] == [
        getattr(one_by_one, n).dtype for n in columns(one_by_one)
    ]


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.0, 1.0), st.sampled_from([1e-6, 1e-3, 0.02, 0.5, 1.5]))
def test_the_side_of_a_goal_is_told_against_the_slerp(seed, share, spread) -> None:
    r = np.random.default_rng(seed)
    left = quat.normalise(r.normal(size=4))
    right = quat.normalise(left + spread * r.normal(size=4)) * r.choice([-1.0, 1.0])
    middle = quat.slerp(left, right, share)
    # Near the side that is asked about: a rough slerp would put some of these on the wrong one.
    across = quat.normalise(r.normal(size=4))
    across = quat.normalise(across - (across @ middle) * middle)
    for lean in (-0.3, -0.03, 0.03, 0.3):
        goal = quat.normalise(across + lean * middle)
        assert _apart(goal.tolist(), left.tolist(), right.tolist(), share) == (lean < 0.0)


@pytest.mark.parametrize("how", BEYOND)
@pytest.mark.parametrize(("time", "end"), [(0.5, 0), (3.25, -1)])
def test_a_key_beyond_an_end_has_the_slope_that_leads_there(how, time, end) -> None:
    track = scalar_track([1.0, 1.5, 2.25], [2.0, -1.0, 5.0], [3.0, 1.0, 2.0], [4.0, 1.0, 6.0],
                         int(Interpolation.CUBIC), int(TangentMode.FREE), beyond=(how, how))  # fmt: skip
    value = float(evaluate_scalar(track, np.array([time]))[0])
    made = insert_key(track, time)
    new, old = (0, 1) if end == 0 else (3, 2)
    assert made.values[new] == value and made.times[new] == time
    slope = (value - made.values[old]) / (time - made.times[old])
    assert made.in_slopes[new] == pytest.approx(slope) == made.out_slopes[new]
    straight = how in (Extrapolation.HOLD, Extrapolation.LINEAR)
    kind = Interpolation.LINEAR if straight else Interpolation.CUBIC
    assert made.interpolations[min(new, old)] == kind
    if straight:
        between = np.array([time + share * (made.times[old] - time) for share in (0.25, 0.5, 0.75)])
        np.testing.assert_allclose(
            evaluate_scalar(made, between), evaluate_scalar(track, between), atol=1e-12
        )


@pytest.mark.parametrize("size", [0.2, 1.0, 1.7, 40.0])
@pytest.mark.parametrize(("apart", "agree"), [(0.5, True), (1.5, False)])
def test_first_and_last_key_of_a_loop_agree_to_a_share_of_their_size(size, apart, agree) -> None:
    first = -size
    last = first + apart * SAME_VALUE * max(size, 1.0)
    track = scalar_track([0.0, 0.4, 0.7, 1.0], [first, 0.0, 3.0, last], modes=int(TangentMode.AUTO))
    made = with_tangents(track, 1.0)
    assert (abs(made.out_slopes[0] - made.in_slopes[-1]) < 1e-6 * max(size, 1.0)) == agree


def test_the_last_key_of_a_reduced_curve_keeps_its_interpolation() -> None:
    times = np.arange(40) / 30.0
    for last in Interpolation:
        kinds = np.full(40, int(Interpolation.CUBIC))
        kinds[-1] = int(last)
        track = with_tangents(
            scalar_track(times, np.sin(times), interpolations=kinds, modes=int(TangentMode.AUTO))
        )
        fewer = reduced(track, 1e-3)
        assert len(fewer) < 20 and fewer.interpolations[-1] == last


# ------------------------------------------------------------ filters
def curve(count: int = 9):
    times = np.arange(count) * 0.1
    return with_tangents(scalar_track(times, np.sin(9.0 * times), modes=int(TangentMode.AUTO)))


def rotations():
    return quaternion_track([0.0, 0.1, 0.2], quat.normalise(np.random.default_rng(1).normal(size=(3, 4))))


NOTHING = {
    "gaussian": lambda keys: filters.gaussian(curve(), keys, 0.1),
    "butterworth": lambda keys: filters.butterworth(curve(), keys, 3.0, 10.0),
    "smoothed slopes": lambda keys: smoothing.smoothed_slopes(curve(), keys),
    "slider": lambda keys: sliders.slid(sliders.Slider.NOISE, curve(), keys, 0.5),
    "time offset": lambda keys: sliders.time_offset(curve(), keys, 0.05),
    "angles of turns": lambda keys: components.set_angles(rotations(), keys, 0, 5.0, quat.IDENTITY),
}


@pytest.mark.parametrize("name", NOTHING)
def test_no_keys_change_nothing(name) -> None:
    before = rotations() if "turns" in name else curve()
    same(NOTHING[name]([]), before)


def test_gaussian_of_no_width_and_of_two_keys_is_the_track_itself() -> None:
    track, short = curve(), curve(2)
    assert filters.gaussian(track, [1, 2], 0.0) is track
    assert filters.gaussian(track, [1, 2], -0.1) is track
    assert filters.gaussian(short, [0, 1], 0.1) is short
    assert filters.gaussian(curve(3), [1], 0.1).values[1] != curve(3).values[1]


def test_butterworth_above_half_the_rate_and_of_two_keys_is_the_track_itself() -> None:
    track, short = curve(), curve(2)
    assert filters.butterworth(track, [1, 2], 5.0, 10.0) is track
    assert filters.butterworth(short, [0, 1], 2.0, 10.0) is short
    assert filters.butterworth(track, [1, 2], 4.9, 10.0) is not track
    assert filters.butterworth(curve(3), [1], 2.0, 10.0).values[1] != curve(3).values[1]


def test_butterworth_of_keys_off_the_grid_takes_the_quick_and_leaves_the_slow() -> None:
    r = np.random.default_rng(3)
    times = np.cumsum(r.uniform(0.02, 0.05, 120))
    slow, quick = np.sin(2 * np.pi * 0.4 * times), 0.3 * np.sin(2 * np.pi * 9.0 * times)
    keys = np.arange(20, 100)
    made = filters.butterworth(with_tangents(scalar_track(times, slow + quick)), keys, 2.5, 60.0)
    left = made.values - slow
    assert np.abs(left[keys]).max() < 0.12 < np.abs(quick[keys]).max()
    assert np.array_equal(made.values[:20], (slow + quick)[:20])


def test_an_euler_filter_of_chosen_keys_needs_one_set_of_times() -> None:
    angles = [scalar_track([0.0, 1.0], [0.0, 10.0]), scalar_track([0.0, 0.9], [0.0, 10.0])]
    with pytest.raises(ValidationError, match="same times"):
        filters.euler_filter([*angles, angles[0]], 0, keys=[1])
    assert [len(t) for t in filters.euler_filter([*angles, angles[0]], 0)] == [3, 3, 3]
