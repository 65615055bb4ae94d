"""Cubic segments against de Casteljau's construction and plain bisection."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.math import bezier

numbers = st.floats(-100.0, 100.0)
slopes = st.floats(-1000.0, 1000.0)
fractions = st.floats(0.0, 1.0)
lengths = st.floats(1e-3, 100.0)
weights = st.floats(0.0, 1.0)


def casteljau(points: list[float], b: float) -> float:
    while len(points) > 1:
        points = [p + (q - p) * b for p, q in pairwise(points)]
    return points[0]


def bisect(x: float, w0: float, w1: float) -> float:
    low, high = 0.0, 1.0
    for _ in range(200):
        middle = 0.5 * (low + high)
        if casteljau([0.0, w0, 1.0 - w1, 1.0], middle) < x:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


@given(fractions, lengths, numbers, numbers, slopes, slopes)
def test_hermite_any_segment_is_bezier_with_handles_at_thirds(u, h, v0, v1, s0, s1):
    points = [v0, v0 + s0 * h / 3, v1 - s1 * h / 3, v1]
    size = max(map(abs, points)) + 1.0
    assert bezier.hermite(u, h, v0, v1, s0, s1) == pytest.approx(casteljau(points, u), abs=1e-12 * size)


@given(lengths, numbers, numbers, slopes, slopes)
def test_hermite_at_both_ends_has_the_values_and_slopes_asked_for(h, v0, v1, s0, s1):
    c0, c1, c2, c3 = (float(c) for c in bezier.hermite_coefficients(h, v0, v1, s0, s1))
    size = 1e-12 * (abs(v0) + abs(v1) + h * (abs(s0) + abs(s1)) + 1.0)
    assert c0 == v0
    assert c1 == pytest.approx(s0 * h, abs=size)
    assert c0 + c1 + c2 + c3 == pytest.approx(v1, abs=4 * size)
    assert c1 + 2 * c2 + 3 * c3 == pytest.approx(s1 * h, abs=8 * size)


@given(fractions, lengths, numbers, numbers, slopes, slopes)
def test_weighted_with_weights_of_a_third_is_the_hermite_form(u, h, v0, v1, s0, s1):
    plain = bezier.hermite(u, h, v0, v1, s0, s1)
    size = 1.0 + abs(v0) + abs(v1) + h * (abs(s0) + abs(s1))
    assert bezier.weighted(u, h, v0, v1, s0, s1, 1 / 3, 1 / 3) == pytest.approx(float(plain), abs=1e-9 * size)


@given(fractions, weights, weights)
def test_solve_any_weights_finds_the_time_asked_for(x, w0, w1):
    b = float(bezier.solve(x, w0, w1))
    assert 0.0 <= b <= 1.0
    assert casteljau([0.0, w0, 1.0 - w1, 1.0], b) == pytest.approx(x, abs=1e-12)


@given(fractions, st.floats(0.05, 0.9), st.floats(0.05, 0.9))
def test_solve_ordinary_weights_agrees_with_bisection(x, w0, w1):
    # Where both handles are long the time stands nearly still and no parameter is sharply right.
    if w0 + w1 < 1.7:
        assert float(bezier.solve(x, w0, w1)) == pytest.approx(bisect(x, w0, w1), abs=1e-9)


@given(weights, weights)
def test_solve_rising_times_gives_rising_parameters(w0, w1):
    b = bezier.solve(np.linspace(0.0, 1.0, 101), w0, w1)
    assert (np.diff(b) >= -1e-12).all()
    assert b[0] == 0.0
    assert b[-1] == pytest.approx(1.0, abs=1e-9)


def test_solve_full_handles_on_both_sides_stays_finite_at_the_standing_point():
    b = bezier.solve([0.0, 0.25, 0.5, 0.75, 1.0], 1.0, 1.0)
    assert np.isfinite(b).all()
    assert b[2] == pytest.approx(0.5, abs=1e-5)
