"""Tables as text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from core.io.common.decimals import rows_of

tables = arrays.arrays(np.float64, arrays.array_shapes(min_dims=2, max_dims=2, max_side=6),
                       elements=st.floats(-1e8, 1e8))  # fmt: skip


@given(tables, st.sampled_from([3, 6]))
def test_rows_hold_each_number_to_its_last_place(table, places):
    lines = rows_of(table, places).decode().splitlines()
    found = np.array([[float(word) for word in line.split(" ")] for line in lines])
    assert found.shape == table.shape
    assert np.abs(found - table).max() <= 0.5001 * 10.0**-places + np.abs(table).max() * 1e-15
    assert all(len(word.partition(".")[2]) == places for line in lines for word in line.split(" "))


@pytest.mark.parametrize(
    ("number", "text"),
    [(0.0, "0.000000"), (-1e-9, "0.000000"), (-0.25, "-0.250000"), (12.5, "12.500000"), (1000.0, "1000.000000"),
     (0.1234565, "0.123456"), (1e12, "1000000000000.000000"), (-3e9, "-3000000000.000000")],
)  # fmt: skip
def test_numbers_look_as_people_write_them(number, text):
    assert rows_of(np.array([[number]])).decode() == text + "\n"


def test_table_without_columns_has_its_lines():
    assert rows_of(np.zeros((3, 0))) == b"\n\n\n"
