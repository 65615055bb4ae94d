import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from core.arrays import distinct, quantile

NUMBERS = st.floats(-1e6, 1e6)


@given(arrays.arrays(np.float64, arrays.array_shapes(max_dims=2, min_side=0), elements=NUMBERS))
def test_distinct_gives_what_unique_gives(values):
    assert np.array_equal(distinct(values), np.unique(values))


@given(arrays.arrays(np.int64, st.integers(0, 20), elements=st.integers(-3, 3)))
def test_distinct_keeps_whole_numbers_whole(values):
    assert np.array_equal(distinct(values), np.unique(values))
    assert distinct(values).dtype == np.int64


@given(arrays.arrays(np.float64, st.integers(1, 30), elements=NUMBERS), st.floats(0.0, 1.0))
def test_quantile_is_that_of_numpy(values, part):
    assert np.isclose(quantile(values, part), np.quantile(values, part), rtol=1e-12, atol=1e-9)
