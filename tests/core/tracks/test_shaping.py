"""Pulling keys by one number: exact at the neighbours and goals, straight between, no other key touched."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import ValidationError
from core.math import quat
from core.tracks.keys import Interpolation, ScalarTrack, quaternion_track, scalar_track
from core.tracks.shaping import GIVEN, Shape, pull, shaped
from core.tracks.tangents import with_tangents

COUNT = 9
ALL = list(Shape)
chosen_keys = st.sets(st.integers(0, COUNT - 1), min_size=1).map(sorted)
seeds = st.integers(0, 2**31)
kinds = st.booleans()


def track_of(seed: int, turning: bool):
    """A track with times and values from a seed: scalar, or cubic rotations."""
    rng = np.random.default_rng(seed)
    times = np.cumsum(rng.uniform(0.05, 0.4, COUNT))
    if not turning:
        return with_tangents(scalar_track(times, rng.normal(scale=40.0, size=COUNT)))
    turns = quat.normalise(rng.normal(size=(COUNT, 4)))
    slopes = rng.normal(size=(COUNT, 4))
    return quaternion_track(times, turns, slopes, slopes, np.full(COUNT, Interpolation.CUBIC))


def pulled(shape: Shape, track, keys, amount: float, goal=None, **more):
    found = pull(shape, track, keys, goal=goal, seconds=0.3, size=5.0, seed=3, **more)
    return shaped(track, keys, found, amount)


def same(a: np.ndarray, b: np.ndarray, angle: float = 1e-6) -> bool:
    """Equal values, or rotations within an angle (radians), whatever their signs."""
    if np.shape(a)[-1:] == (4,):
        return bool(np.all(quat.angle_between(a, b) <= angle))
    return bool(np.allclose(a, b, rtol=1e-9, atol=1e-9))


def exactly(a: np.ndarray, b: np.ndarray) -> bool:
    """The very numbers; of quaternions up to the sign of the whole."""
    if np.ndim(a) and np.shape(a)[-1] == 4:
        b = quat.aligned(b, a)
    return np.array_equal(a, b)


def neighbours(track, keys):
    """Values before and after each key's run, the slow way."""
    before, after = [], []
    for key in keys:
        low = high = key
        while low in keys:
            low -= 1
        while high in keys:
            high += 1
        first = next(k for k in keys if k > low)
        last = next(k for k in reversed(keys) if k < high)
        before.append(track.values[low if low >= 0 else first])
        after.append(track.values[high if high < COUNT else last])
    return np.array(before), np.array(after)


@given(seeds, kinds, chosen_keys)
def test_tween_at_0_and_100_percent_is_exactly_the_neighbours(seed, turning, keys) -> None:
    track = track_of(seed, turning)
    before, after = neighbours(track, keys)
    assert exactly(pulled(Shape.TWEEN, track, keys, 0.0).values[keys], before)
    assert exactly(pulled(Shape.TWEEN, track, keys, 1.0).values[keys], after)
    assert exactly(pulled(Shape.TWEEN_NEIGHBOUR, track, keys, -1.0).values[keys], before)
    assert exactly(pulled(Shape.TWEEN_NEIGHBOUR, track, keys, 1.0).values[keys], after)


@given(seeds, chosen_keys, st.floats(-0.5, 1.5))
def test_tween_is_the_straight_line_between_the_neighbours_and_goes_on_beyond(seed, keys, share) -> None:
    track = track_of(seed, False)
    before, after = neighbours(track, keys)
    done = pulled(Shape.TWEEN, track, keys, share)
    assert same(done.values[keys], before + share * (after - before))


@given(seeds, st.integers(1, COUNT - 2), st.floats(0.0, 1.0))
def test_tween_of_rotations_turns_at_one_rate(seed, key, share) -> None:
    track = track_of(seed, True)
    before, after = track.values[key - 1], track.values[key + 1]
    done = pulled(Shape.TWEEN, track, [key], share).values[key]
    whole = quat.angle_between(before, after)
    assert quat.angle_between(before, done) == pytest.approx(share * whole, abs=1e-5)
    assert quat.angle_between(done, after) == pytest.approx((1.0 - share) * whole, abs=1e-5)


@given(seeds, kinds, chosen_keys, st.sampled_from([s for s in ALL if s is not Shape.TWEEN]))
def test_zero_is_the_track_itself(seed, turning, keys, shape) -> None:
    track = track_of(seed, turning)
    goal = track.values[list(reversed(keys))] if shape in GIVEN else None
    assert pulled(shape, track, keys, 0.0, goal) is track


@given(seeds, kinds, chosen_keys, st.sampled_from(ALL), st.floats(-1.5, 1.5))
def test_only_the_values_of_the_chosen_keys_change(seed, turning, keys, shape, amount) -> None:
    track = track_of(seed, turning)
    goal = track.values[list(reversed(keys))] if shape in GIVEN else None
    done = pulled(shape, track, keys, amount, goal)
    rest = np.setdiff1d(np.arange(COUNT), keys)
    assert done.times is track.times and np.array_equal(done.values[rest], track.values[rest])
    if turning:
        assert np.allclose(np.linalg.norm(done.values, axis=1), 1.0)


@given(seeds, kinds, chosen_keys, st.sampled_from(GIVEN))
def test_given_goals_are_reached_exactly(seed, turning, keys, shape) -> None:
    track = track_of(seed, turning)
    goal = track_of(seed + 1, turning).values[keys]
    assert exactly(pulled(shape, track, keys, 1.0, goal).values[keys], goal)


@given(seeds, kinds, st.integers(1, COUNT - 3), st.integers(1, 2))
def test_blend_to_neighbour_moves_a_run_as_one_until_its_end_meets(seed, turning, first, number) -> None:
    track, keys = track_of(seed, turning), list(range(first, first + number))
    late = pulled(Shape.BLEND_NEIGHBOUR, track, keys, 1.0).values
    early = pulled(Shape.BLEND_NEIGHBOUR, track, keys, -1.0).values
    assert exactly(late[keys[-1]], track.values[keys[-1] + 1])
    assert exactly(early[keys[0]], track.values[keys[0] - 1])
    if not turning:
        assert np.diff(late[keys]) == pytest.approx(np.diff(track.values[keys]))
    elif number == 2:
        was = quat.angle_between(track.values[keys[0]], track.values[keys[1]])
        assert quat.angle_between(late[keys[0]], late[keys[1]]) == pytest.approx(was, abs=1e-5)


@given(seeds, chosen_keys)
def test_ease_lies_between_the_neighbours_and_its_two_sides_are_slow_at_their_own_end(seed, keys) -> None:
    track = track_of(seed, False)
    before, after = neighbours(track, keys)
    slow = pulled(Shape.BLEND_EASE, track, keys, -1.0).values[keys]
    fast = pulled(Shape.BLEND_EASE, track, keys, 1.0).values[keys]
    low, high = np.minimum(before, after) - 1e-9, np.maximum(before, after) + 1e-9
    for values in (slow, fast):
        assert (values >= low).all() and (values <= high).all()
    assert (np.abs(slow - before) <= np.abs(fast - before) + 1e-9).all()


def test_ease_of_a_key_in_the_middle_is_an_eighth_and_seven_eighths_of_the_way() -> None:
    track = scalar_track([0.0, 1.0, 2.0], [0.0, 3.0, 8.0])
    assert pulled(Shape.BLEND_EASE, track, [1], -1.0).values[1] == pytest.approx(1.0)
    assert pulled(Shape.BLEND_EASE, track, [1], 1.0).values[1] == pytest.approx(7.0)


@given(seeds, kinds, chosen_keys, st.sampled_from(["average", "first", "last"]))
def test_scaling_flattens_at_minus_100_percent_and_doubles_at_100(seed, turning, keys, about) -> None:
    track, shape = track_of(seed, turning), Shape(f"scale_{about}")
    flat = pulled(shape, track, keys, -1.0).values[keys]
    assert same(flat, np.broadcast_to(flat[0], flat.shape))
    if about != "average":
        assert same(flat[0], track.values[keys[0 if about == "first" else -1]])
    if not turning:
        own = track.values[keys]
        assert same(pulled(shape, track, keys, 1.0).values[keys] - flat, 2.0 * (own - flat))


def test_smoothing_calms_noise_in_values_and_rotations_alike() -> None:
    rng, count = np.random.default_rng(5), 60
    times = np.arange(count) / 30.0
    degrees = np.linspace(0.0, 90.0, count) + rng.normal(scale=4.0, size=count)
    turns = quat.from_axis_angle([0.0, 1.0, 0.0], np.radians(degrees))
    keys, inner = np.arange(count), slice(5, -5)
    flat: ScalarTrack = scalar_track(times, degrees)
    found = pull(Shape.SMOOTH, flat, keys, seconds=0.08)
    one = shaped(flat, keys, found, 1.0).values
    turned = quaternion_track(times, turns)
    two = shaped(turned, keys, pull(Shape.SMOOTH, turned, keys, seconds=0.08), 1.0).values
    assert np.abs(np.diff(one, 2)).mean() < 0.2 * np.abs(np.diff(degrees, 2)).mean()
    angle = np.degrees(2.0 * np.arctan2(two[:, 1], two[:, 3]))
    assert np.abs(angle - one)[inner].max() < 0.1  # a second route: about one axis both are the same
    rough = shaped(flat, keys, found, -1.0).values
    assert np.allclose(rough, 2.0 * degrees - one)


@given(seeds, kinds, chosen_keys, seeds)
def test_noise_stays_within_its_size_and_is_the_same_for_one_seed(seed, turning, keys, noise) -> None:
    track = track_of(seed, turning)
    one, two = (pull(Shape.NOISE, track, keys, size=5.0, seed=noise).at(1.0) for _ in range(2))
    assert np.array_equal(one, two)
    if turning:
        assert np.degrees(quat.angle_between(one, track.values[keys])).max() <= 5.0 * np.sqrt(3.0) + 1e-6
    else:
        assert np.abs(one - track.values[keys]).max() <= 5.0 + 1e-9
    alone = pull(Shape.NOISE, track, keys[-1:], size=5.0, seed=noise).at(1.0)
    assert np.array_equal(alone[0], one[-1])


def test_cubic_tangents_turn_along_with_their_key() -> None:
    track = track_of(7, True)
    done = pulled(Shape.TWEEN, track, [3], 0.5)
    turn = quat.multiply(done.values[3], quat.conjugate(track.values[3]))
    assert np.allclose(done.in_tangents[3], quat.multiply(turn, track.in_tangents[3]))


@pytest.mark.parametrize("shape", GIVEN)
def test_goals_that_are_missing_or_do_not_fit_are_refused(shape) -> None:
    track = track_of(1, False)
    for goal in (None, np.zeros(3), np.zeros((2, 4))):
        with pytest.raises(ValidationError, match="goal"):
            pull(shape, track, [1, 2], goal=goal)


@pytest.mark.parametrize("keys", [[], [COUNT], [-1]])
def test_keys_that_are_not_there_are_refused(keys) -> None:
    with pytest.raises(ValidationError, match="keys"):
        pull(Shape.TWEEN, track_of(1, False), keys)
