"""Quaternions against rotation matrices, the second way to turn things."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import ValidationError
from core.math import quat

parts = st.floats(-1.0, 1.0)
units = (
    st.tuples(parts, parts, parts, parts)
    .filter(lambda q: np.linalg.norm(q) > 0.1)
    .map(lambda q: np.array(q) / np.linalg.norm(q))
)
vectors = st.tuples(*[st.floats(-10.0, 10.0)] * 3).map(np.array)


def matrix(q: np.ndarray) -> np.ndarray:
    """Rodrigues' formula from axis and angle, not the quaternion's own products."""
    angle = 2.0 * math.atan2(np.linalg.norm(q[:3]), q[3])
    length = np.linalg.norm(q[:3])
    if length < 1e-15:
        return np.eye(3)
    x, y, z = q[:3] / length
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * k + (1.0 - math.cos(angle)) * (k @ k)


@given(units, units)
def test_multiply_two_turns_is_the_matrix_product(a, b):
    assert np.allclose(matrix(quat.multiply(a, b)), matrix(a) @ matrix(b), atol=1e-12)


@given(units, vectors)
def test_rotate_a_vector_agrees_with_the_matrix(q, v):
    assert np.allclose(quat.rotate(q, v), matrix(q) @ v, atol=1e-11)
    assert np.allclose(quat.to_matrix(q), matrix(q), atol=1e-12)


def test_rotate_gives_one_vector_the_bits_that_it_has_among_many():
    rng = np.random.default_rng(0)
    q, v = rng.normal(size=(400, 4)), rng.normal(size=(400, 3))
    q /= np.linalg.norm(q, axis=1)[:, None]
    many = quat.rotate(q, v)
    assert np.array_equal(many, [quat.rotate(a, b) for a, b in zip(q, v, strict=True)])
    assert np.array_equal(quat.rotate(q, v[0])[:9], quat.rotate(q[:9], v[0]))
    assert np.array_equal(quat.rotate(q[0], v)[:9], quat.rotate(q[0], v[:9]))
    assert np.allclose(many, np.einsum("nij,nj->ni", [matrix(a) for a in q], v), atol=1e-11)


@given(units)
def test_from_matrix_any_turn_comes_back(q):
    assert quat.angle_between(quat.from_matrix(matrix(q)), q) < 1e-7


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_from_matrix_half_turn_about_an_axis_comes_back(axis):
    q = np.zeros(4)
    q[axis] = 1.0
    assert quat.angle_between(quat.from_matrix(matrix(q)), q) < 1e-12


@given(units)
def test_rotation_vector_round_trip_gives_the_same_turn(q):
    assert quat.angle_between(quat.from_rotation_vector(quat.to_rotation_vector(q)), q) < 1e-9


@given(units, units, st.floats(0.0, 1.0))
def test_slerp_divides_the_angle_and_takes_the_short_way(a, b, u):
    whole = float(quat.angle_between(a, b))
    between = quat.slerp(a, b, u)
    if whole < 3.1:  # at a half turn both ways are short
        assert float(quat.angle_between(a, between)) == pytest.approx(u * whole, abs=1e-7)
        assert float(quat.angle_between(between, b)) == pytest.approx((1 - u) * whole, abs=1e-7)
    assert np.linalg.norm(between) == pytest.approx(1.0, abs=1e-12)


@given(vectors, vectors)
def test_shortest_arc_turns_one_direction_into_the_other(a, b):
    la, lb = np.linalg.norm(a), np.linalg.norm(b)
    if la > 1e-3 and lb > 1e-3:
        assert np.allclose(quat.rotate(quat.shortest_arc(a, b), a / la), b / lb, atol=1e-6)


def test_shortest_arc_of_many_is_that_of_each_alone():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(300, 3)), rng.normal(size=(300, 3))
    b[7], b[9], a[11] = -2.0 * a[7], 0.0, 0.0
    each = [quat.shortest_arc(x, y) for x, y in zip(a, b, strict=True)]
    assert np.array_equal(quat.shortest_arc(a, b), each)


def test_shortest_arc_opposite_directions_is_a_half_turn():
    q = quat.shortest_arc([0.0, 0.0, 1.0], [0.0, 0.0, -2.0])
    assert np.allclose(quat.rotate(q, [0.0, 0.0, 1.0]), [0.0, 0.0, -1.0], atol=1e-12)


@given(units, vectors)
def test_swing_twist_split_multiplies_back_and_twists_about_the_axis(q, axis):
    if np.linalg.norm(axis) < 1e-3:
        return
    axis = axis / np.linalg.norm(axis)
    swing, twist = quat.swing_twist(q, axis)
    assert np.allclose(quat.multiply(swing, twist), q, atol=1e-9)
    assert np.linalg.norm(np.cross(twist[:3], axis)) < 1e-9


def test_continuous_alternating_signs_become_one():
    q = np.array([quat.from_axis_angle([0, 1, 0], a) for a in np.linspace(0, 3, 20)])
    flipped = q * np.where(np.arange(20) % 3 == 0, -1.0, 1.0)[:, None]
    smooth = quat.continuous(flipped)
    assert (np.sum(smooth[1:] * smooth[:-1], axis=1) > 0).all()
    assert np.allclose(quat.angle_between(smooth, q), 0.0, atol=1e-9)


@pytest.mark.parametrize("bad", [[0, 0, 0, 0], [np.nan, 0, 0, 1], [np.inf, 0, 0, 0]])
def test_require_units_what_is_no_rotation_is_refused_by_index(bad):
    with pytest.raises(ValidationError, match=r"index \(1,\)"):
        quat.require_units([[0, 0, 0, 1], bad], "keys")
