"""Velocity, acceleration and curvature of known paths."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.math.paths import acceleration, curvature, velocity


def uneven(count, seed=1):
    return np.cumsum(np.random.default_rng(seed).uniform(0.01, 0.05, count))


@given(st.integers(3, 30), st.integers(0, 99))
def test_parabola_has_its_exact_velocity_and_acceleration_at_uneven_times(count, seed):
    times = uneven(count, seed)
    a, b, c = np.random.default_rng(seed).normal(size=(3, 3))
    places = a + b * times[:, None] + 0.5 * c * times[:, None] ** 2
    assert velocity(places, times) == pytest.approx(b + c * times[:, None], abs=1e-8)
    assert acceleration(places, times) == pytest.approx(np.broadcast_to(c, (count, 3)), abs=1e-6)


@pytest.mark.parametrize("radius", [0.2, 1.0, 5.0])
def test_circle_has_the_curvature_of_its_radius_at_any_speed(radius):
    times = np.linspace(0.0, 1.0, 241)
    angle = 2.0 * np.pi * times**1.5
    circle = radius * np.stack([np.cos(angle), np.zeros_like(angle), np.sin(angle)], axis=-1)
    assert curvature(circle, times)[20:-20] == pytest.approx(1.0 / radius, rel=1e-3)


def test_straight_and_still_paths_are_not_curved():
    times = uneven(12)
    line = times[:, None] * np.array([1.0, 2.0, -3.0])
    assert curvature(line, times) == pytest.approx(0.0, abs=1e-6)
    assert (curvature(np.ones((12, 3)), times) == 0.0).all()


@pytest.mark.parametrize("count", [1, 2])
def test_few_times_give_zeros_or_one_slope(count):
    times = np.arange(count) * 0.5
    places = times[:, None] * np.array([2.0, 0.0, 0.0])
    moved = velocity(places, times)
    assert moved == pytest.approx(np.tile([2.0, 0.0, 0.0], (count, 1)) * (count > 1))
    assert (acceleration(places, times) == 0.0).all() and (curvature(places, times) == 0.0).all()


def test_several_paths_at_once_are_each_alone():
    times = uneven(9)
    paths = np.random.default_rng(4).normal(size=(3, 9, 3))
    for law in (velocity, acceleration, curvature):
        assert law(paths, times) == pytest.approx(np.stack([law(path, times) for path in paths]))
