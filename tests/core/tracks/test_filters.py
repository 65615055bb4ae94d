"""Filters in loops and on curves, held against plain sums and against the rotations that curves give."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.math import euler, quat
from core.tracks import filters
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import TangentMode, scalar_track
from core.tracks.tangents import with_tangents

COUNT, RATE, SIGMA = 30, 30.0, 0.08


def cycle(seed: int) -> np.ndarray:
    """Values ``(31,)`` of a second, the last one the first again."""
    values = np.random.default_rng(seed).normal(size=COUNT + 1)
    values[-1] = values[0]
    return values


def smoothed_round(values: np.ndarray) -> np.ndarray:
    """The Gaussian of a cycle by a plain sum over its neighbours round the seam."""
    away = np.arange(-COUNT, COUNT + 1) / RATE
    bell = np.exp(-0.5 * (away / SIGMA) ** 2) - np.exp(-8.0)
    bell = np.where(np.abs(away) <= 4.0 * SIGMA + 1e-9, np.maximum(bell, 0.0), 0.0)
    once = values[:-1]
    rows = (np.arange(COUNT + 1)[:, None] + np.arange(-COUNT, COUNT + 1)[None, :]) % COUNT
    return (once[rows] * bell).sum(axis=1) / bell.sum()


def gaussian(values: np.ndarray, loop: float | None) -> np.ndarray:
    track = with_tangents(scalar_track(np.arange(len(values)) / RATE, values), loop)
    return filters.gaussian(track, np.arange(len(values)), SIGMA, loop).values


@given(st.integers(0, 1000))
def test_gaussian_of_a_loop_takes_neighbours_from_round_the_seam(seed):
    values = cycle(seed)
    assert np.allclose(gaussian(values, 1.0), smoothed_round(values), atol=1e-9)


@given(st.integers(0, 1000), st.integers(1, COUNT - 1))
def test_gaussian_of_a_loop_does_not_know_where_the_loop_begins(seed, shift):
    values = cycle(seed)
    begun_later = np.append(np.roll(values[:-1], shift), np.roll(values[:-1], shift)[0])
    wanted = np.roll(gaussian(values, 1.0)[:-1], shift)
    assert np.allclose(gaussian(begun_later, 1.0)[:-1], wanted, atol=1e-9)


def test_gaussian_of_a_loop_without_a_last_key_is_that_of_the_closed_one():
    values = cycle(4)
    open_end = gaussian(values[:-1], 1.0)
    assert np.allclose(open_end, gaussian(values, 1.0)[:-1], atol=1e-9)
    assert not np.allclose(open_end, gaussian(values[:-1], None), atol=1e-3)


@pytest.mark.parametrize("order", range(6))
def test_euler_filter_of_twins_keeps_the_rotation_between_the_keys(order):
    """A twin's middle angle runs the other way: with the slope of before the curve between two keys is another."""
    rng = np.random.default_rng(order)
    times = np.arange(5.0)
    middle = euler.SEQUENCE[order][1]
    tracks = []
    for axis in range(3):
        values, slopes = rng.uniform(-40.0, 40.0, 5), rng.uniform(-60.0, 60.0, 5)
        if axis == middle:
            values[1:], slopes[1:] = 180.0 - values[1:], -slopes[1:]
        else:
            values[1:] += 180.0
        tracks.append(scalar_track(times, values, slopes, slopes, modes=int(TangentMode.FREE)))
    done = filters.euler_filter((tracks[0], tracks[1], tracks[2]), order)
    assert np.abs(np.diff([track.values for track in done], axis=1)).max() < 180.0
    between = np.linspace(1.0, 4.0, 61)

    def turns(of) -> np.ndarray:
        angles = np.stack([evaluate_scalar(track, between) for track in of], axis=1)
        return euler.to_quaternion(angles, order)

    assert np.degrees(quat.angle_between(turns(done), turns(tracks))).max() < 1e-5
