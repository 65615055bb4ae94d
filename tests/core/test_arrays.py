"""Frozen arrays and deep equality."""

from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.arrays import (
    column_least,
    column_most,
    constant,
    frozen,
    frozen_mapping,
    require_finite,
    row_lengths,
    row_sums,
    same,
    same_value,
    stretched,
)
from core.errors import ValidationError


def test_frozen_from_a_writable_array_is_a_copy_nobody_can_change() -> None:
    source = np.zeros((2, 3))
    held = frozen(source, (2, 3), "thing")
    source[0, 0] = 7.0
    assert held[0, 0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        held[0, 0] = 1.0


def test_frozen_of_a_read_only_view_on_a_writable_array_still_copies() -> None:
    source = np.zeros(4)
    view = source[:]
    view.flags.writeable = False
    held = frozen(view, (4,), "thing")
    source[0] = 5.0
    assert held[0] == 0.0


def test_frozen_of_a_frozen_array_shares_it() -> None:
    held = frozen([1.0, 2.0], (2,), "thing")
    assert frozen(held, (None,), "thing") is held


def test_frozen_with_another_shape_names_both_shapes() -> None:
    with pytest.raises(ValidationError, match=r"rest: expected shape \(any, 3\), got \(2, 4\)"):
        frozen(np.zeros((2, 4)), (None, 3), "rest")


def test_constant_costs_no_memory_per_element() -> None:
    column = constant(2.5, 1_000_000)
    assert column.strides == (0,)
    assert column[999_999] == 2.5
    assert frozen(column, (None,), "column") is column


def test_constant_of_the_same_value_is_the_same_array() -> None:
    assert constant(2.0, 100) is constant(2.0, 100)
    assert constant(2.0, 100) is not constant(2.0, 101)
    assert constant(2, 100, np.uint8).dtype == np.uint8
    assert np.signbit(constant(-0.0, 5)).all() and not np.signbit(constant(0.0, 5)).any()


def test_stretched_column_keeps_its_value_and_costs_nothing() -> None:
    longer = stretched(constant(3, 4, np.uint8), 9)
    assert longer.tolist() == [3] * 9 and longer.dtype == np.uint8 and longer.strides == (0,)
    rows = stretched(np.broadcast_to(np.array([1.0, 2.0]), (3, 2)), 5)
    assert rows.shape == (5, 2) and (rows == [1.0, 2.0]).all() and rows.strides[0] == 0


def test_require_finite_names_the_place() -> None:
    with pytest.raises(ValidationError, match=r"index \(1, 0\)"):
        require_finite(np.array([[0.0, 1.0], [np.nan, 0.0]]), "numbers")


def test_same_tells_type_and_nan_apart() -> None:
    assert same(np.array([1.0, np.nan]), np.array([1.0, np.nan]))
    assert not same(np.array([1.0]), np.array([1.0], dtype=np.float32))
    assert not same(np.array([1.0]), np.array([1.0, 1.0]))


@dataclass(frozen=True, eq=False)
class _Thing:
    array: np.ndarray
    names: tuple[str, ...] = ()
    table: dict[str, float] = field(default_factory=dict)


def test_same_value_compares_deeply() -> None:
    one = _Thing(np.arange(3.0), ("a",), {"x": float("nan")})
    assert same_value(one, _Thing(np.arange(3.0), ("a",), {"x": float("nan")}))
    assert not same_value(one, _Thing(np.arange(3.0), ("b",), {"x": float("nan")}))
    assert not same_value(one, _Thing(np.arange(3.0) + 1, ("a",), {"x": float("nan")}))
    assert not same_value(one, _Thing(np.arange(3.0), ("a",), {"y": 1.0}))
    assert not same_value(1, 1.0)


def test_frozen_mapping_is_cut_off_from_its_source() -> None:
    source = {"a": 1}
    held = frozen_mapping(source)
    source["b"] = 2
    assert dict(held) == {"a": 1}
    with pytest.raises(TypeError):
        held["c"] = 3  # type: ignore[index]


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 5), st.sampled_from([1, 7, 90, 400]), st.integers(0, 99))
def test_sums_of_short_rows_are_those_of_numpy_to_the_last_bit(width: int, rows: int, seed: int) -> None:
    array = np.random.default_rng(seed).normal(size=(rows, 2, width)) ** 5
    assert np.array_equal(row_sums(array), array.sum(axis=-1))
    assert np.array_equal(row_lengths(array), np.linalg.norm(array, axis=-1))
    assert np.array_equal(row_sums(array[::2, 1, ::-1]), array[::2, 1, ::-1].sum(axis=-1))
    assert np.array_equal(column_least(array[:, 0]), array[:, 0].min(axis=0))
    assert np.array_equal(column_most(array[:, 0]), array[:, 0].max(axis=0))
