"""Columns laid side by side and searched for extremes: kernel and twin against plain numpy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.arrays import constant
from core.errors import ValidationError
from core.math import columns, kernels


def some(count, keys, seed=0):
    """Columns of every layout that tracks have: plain, one number for all keys, a column of a table."""
    r = np.random.default_rng(seed)
    table = r.normal(size=(keys, count))
    kinds = (lambda n: r.normal(size=keys), lambda n: constant(float(n), keys), lambda n: table[:, n])
    return [kinds[n % 3](n) for n in range(count)]


def both(call):
    """What the kernel gives, and its twin."""
    assert kernels.load() is not None
    quick = call()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "compiled", lambda: None)
        return quick, call()


@given(st.integers(1, 40), st.integers(1, 200), st.integers(1, 17), st.integers(0, 10**6), st.data())
@settings(deadline=None, max_examples=40)
def test_extremes_are_those_of_each_group(count, keys, size, seed, data):
    given_columns = some(count, keys, seed)
    start = data.draw(st.integers(0, keys - 1))
    end = data.draw(st.integers(start + 1, keys))
    for low, high in both(lambda: columns.extremes(given_columns, start, end, size)):
        assert low.shape == high.shape == (-(-(end - start) // size), count)
        for number, column in enumerate(given_columns):
            groups = [column[first : min(first + size, end)] for first in range(start, end, size)]
            assert np.array_equal(low[:, number], np.float32([group.min() for group in groups]))
            assert np.array_equal(high[:, number], np.float32([group.max() for group in groups]))


def test_columns_of_other_numbers_are_read_as_what_they_are():
    given_columns = [np.arange(6, dtype=np.float32), np.arange(6)[::-1]]
    for low, high in both(lambda: columns.extremes(given_columns, 1, 6, 3)):
        assert low.tolist() == [[1.0, 2.0], [4.0, 0.0]] and high.tolist() == [[3.0, 4.0], [5.0, 1.0]]


@pytest.mark.parametrize(("start", "end"), [(-1, 3), (2, 2), (0, 6)])
def test_rows_that_a_column_lacks_are_refused(start, end):
    with pytest.raises(ValidationError, match="every column"):
        columns.extremes([np.zeros(9), np.zeros(5)], start, end, 4)


@pytest.mark.parametrize("count", [1, 16, 17, 130])
def test_rows_lie_side_by_side(count):
    given_columns = some(count, 90)
    rows = columns.beside(given_columns, 7, 88)
    assert np.array_equal(rows, np.float32(given_columns).T[7:88])
    assert rows.flags.c_contiguous


@given(st.integers(1, 300), st.integers(1, 300))
def test_turned_is_the_transpose(rows, across):
    block = np.arange(rows * across, dtype=np.float32).reshape(rows, across)
    assert np.array_equal(columns.turned(block), block.T)
