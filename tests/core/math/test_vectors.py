"""Unit vectors and angles within half a turn, by second routes."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.math.vectors import unit, within_half_turn

FINITE = st.floats(-1e6, 1e6)


@given(st.lists(st.tuples(FINITE, FINITE, FINITE), min_size=1, max_size=6))
def test_unit_points_the_same_way_at_length_one_or_is_the_fallback(rows):
    made = unit(rows, (0.0, 1.0, 0.0))
    for given_row, row in zip(rows, made, strict=True):
        length = math.sqrt(sum(v * v for v in given_row))
        if length > 1e-11:
            assert math.isclose(math.sqrt(float(row @ row)), 1.0, rel_tol=1e-12)
            assert np.allclose(row * length, given_row, rtol=1e-12, atol=1e-300)
        elif length < 1e-13:
            assert tuple(row) == (0.0, 1.0, 0.0)


def test_unit_of_one_vector_keeps_its_shape():
    assert unit((0.0, 3.0, 4.0), (1.0, 0.0, 0.0)).tolist() == [0.0, 0.6, 0.8]
    assert unit(np.zeros(3), (1.0, 0.0, 0.0)).tolist() == [1.0, 0.0, 0.0]
    assert unit((1e-10, 0.0, 0.0), (0.0, 0.0, 1.0), least=1e-9).tolist() == [0.0, 0.0, 1.0]


@given(st.floats(-100.0, 100.0))
def test_angle_within_half_a_turn_has_the_same_sine_and_cosine(angle):
    made = float(within_half_turn(angle))
    assert -math.pi <= made < math.pi + 1e-12
    assert math.isclose(math.sin(made), math.sin(angle), abs_tol=1e-12)
    assert math.isclose(math.cos(made), math.cos(angle), abs_tol=1e-12)
