"""Euler angles against products of elementary matrices."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import ValidationError
from core.math import euler, quat

orders = st.integers(0, 5)
degrees = st.tuples(*[st.floats(-720.0, 720.0)] * 3).map(np.array)
angles = st.tuples(*[st.floats(-180.0, 180.0)] * 3).map(np.array)


def elementary(axis: int, degree: float) -> np.ndarray:
    c, s = np.cos(np.radians(degree)), np.sin(np.radians(degree))
    i, j = (axis + 1) % 3, (axis + 2) % 3
    m = np.eye(3)
    m[i, i] = m[j, j] = c
    m[i, j], m[j, i] = -s, s
    return m


def matrix(xyz: np.ndarray, order: int) -> np.ndarray:
    first, second, third = ("XYZ".index(letter) for letter in euler.ORDERS[order])
    return elementary(third, xyz[third]) @ elementary(second, xyz[second]) @ elementary(first, xyz[first])


@given(degrees, orders)
def test_to_quaternion_every_order_is_the_product_of_turns_about_fixed_axes(xyz, order):
    assert np.allclose(quat.to_matrix(euler.to_quaternion(xyz, order)), matrix(xyz, order), atol=1e-11)


@given(degrees, orders)
def test_from_quaternion_any_turn_comes_back(xyz, order):
    q = euler.to_quaternion(xyz, order)
    back = euler.from_quaternion(q, order)
    assert quat.angle_between(euler.to_quaternion(back, order), q) < 1e-6


@given(angles, orders, st.sampled_from([-90.0, 90.0]))
def test_from_quaternion_at_gimbal_lock_keeps_the_turn(xyz, order, middle):
    xyz[euler.SEQUENCE[order][1]] = middle
    q = euler.to_quaternion(xyz, order)
    assert quat.angle_between(euler.to_quaternion(euler.from_quaternion(q, order), order), q) < 1e-6


@given(degrees, degrees, orders)
def test_nearest_is_the_same_turn_and_none_of_the_equivalents_is_nearer(xyz, reference, order):
    q = euler.to_quaternion(xyz, order)
    found = euler.nearest(q, order, reference)
    assert quat.angle_between(euler.to_quaternion(found, order), q) < 1e-5
    change = np.abs(found - reference).sum()
    j = euler.SEQUENCE[order][1]
    base = euler.from_quaternion(q, order)
    if abs(abs(base[j]) - 90.0) < 0.01:
        return  # near the lock the split is free
    twin = base + 180.0
    twin[j] = 180.0 - base[j]
    for start in (base, twin):
        for turns in itertools.product((-1, 0, 1), repeat=3):
            near = start + 360.0 * (np.round((reference - start) / 360.0) + np.array(turns))
            assert change <= np.abs(near - reference).sum() + 1e-6


@given(st.tuples(*[st.floats(-150.0, 150.0)] * 3).map(np.array), orders)
def test_nearest_to_its_own_angles_changes_nothing(xyz, order):
    j = euler.SEQUENCE[order][1]
    if abs(abs(xyz[j]) - 90.0) > 0.1:
        assert np.allclose(euler.nearest(euler.to_quaternion(xyz, order), order, xyz), xyz, atol=1e-5)


def test_unroll_a_spin_through_several_turns_never_jumps():
    spin = np.zeros((50, 3))
    spin[:, 1] = np.linspace(0.0, 2000.0, 50)
    broken = np.array([euler.from_quaternion(euler.to_quaternion(row, 0), 0) for row in spin])
    whole = euler.unroll(broken, 0)
    assert np.abs(np.diff(whole, axis=0)).max() < 60.0


def test_order_index_unknown_letters_are_refused():
    assert euler.order_index("zxy") == euler.ORDERS.index("ZXY")
    with pytest.raises(ValidationError, match="XYZ"):
        euler.order_index("XYX")
