"""Keys that are only taken away, never made: what is left holds the bound, and stays as it is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.math import quat
from core.timing import FrameRate
from core.tracks.evaluate import evaluate_quaternion, evaluate_scalar
from core.tracks.key_types import KeyType
from core.tracks.keys import Interpolation, quaternion_track, scalar_track
from core.tracks.places import KeyPlaces, Places
from core.tracks.reduce import reduced, reduced_rotation
from core.tracks.typed import carried

EXACT = Places(KeyPlaces.EXACT, FrameRate.of(30))
LINEAR = int(Interpolation.LINEAR)


@given(st.integers(0, 10_000), st.sampled_from([1e-3, 0.02, 0.2]))
def test_a_slow_bend_keeps_as_many_keys_as_its_bound_needs(seed, bound):
    rng = np.random.default_rng(seed)
    times = np.arange(40) / 10.0
    values = np.cumsum(np.cumsum(rng.normal(scale=0.01, size=40)))
    track = scalar_track(times, values, interpolations=LINEAR)
    found = reduced(track, bound, places=EXACT)
    dense = np.linspace(0.0, times[-1], 2001)
    assert np.abs(evaluate_scalar(found, dense) - evaluate_scalar(track, dense)).max() <= bound * 1.01
    kept = np.searchsorted(track.times, found.times)
    np.testing.assert_array_equal(found.times, track.times[kept])
    np.testing.assert_array_equal(found.values, track.values[kept])


@pytest.mark.parametrize("degrees", [0.5, 5.0])
def test_a_turn_that_bends_slowly_keeps_its_bound(degrees):
    times = np.arange(30) / 10.0
    turns = quat.multiply(
        quat.from_axis_angle([0.0, 1.0, 0.0], 0.03 * np.arange(30) ** 1.5),
        quat.from_axis_angle([1.0, 0.0, 0.0], 0.5 * np.sin(times)),
    )
    track = quaternion_track(times, quat.continuous(turns), interpolations=LINEAR)
    found = reduced_rotation(track, degrees, places=EXACT)
    dense = np.linspace(0.0, times[-1], 1001)
    apart = quat.angle_between(evaluate_quaternion(found, dense), evaluate_quaternion(track, dense))
    assert np.degrees(apart.max()) <= degrees * 1.01 and len(found) < len(track)


def test_breakdowns_between_posts_come_along_unless_these_fall_together():
    times = np.array([0.0, 0.5, 1.0, 2.0])
    types = np.array([0, int(KeyType.BREAKDOWN), 0, 0], dtype=np.uint8)
    for goal in ([3.0, 4.0], [3.0, 2.5], [5.0, 4.0]):
        found = carried(times, types, np.array([0, 2]), np.array(goal))
        assert found.keys.tolist() == [0, 1, 2]
        np.testing.assert_allclose(found.times, [goal[0], 0.5 * (goal[0] + goal[1]), goal[1]])
    together = carried(times, types, np.array([0, 2]), np.array([3.0, 3.0]))  # no share of no time: it stays
    assert together.keys.tolist() == [0, 2]
    one = carried(times, types, np.array([0]), np.array([1.0]))  # its post meets the other: it stays
    assert one.keys.tolist() == [0]
    same = carried(times, types, np.array([0, 2]), np.array([0.0, 1.0]))
    assert same.keys.tolist() == [0, 2]
