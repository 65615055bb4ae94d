"""The search: boxes find what looking at every frame finds, compiled and in numpy, bit for bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import ValidationError
from core.locomotion.matching.search import (
    LANES,
    Index,
    Spans,
    by_twin,
    cost_of,
    make_index,
    nearest,
    without,
)
from core.math import kernels


def case(seed: int, count: int, wide: int, whole: bool) -> tuple[Index, np.ndarray]:
    """An index and a query; whole numbers make many equal distances."""
    random = np.random.default_rng(seed)
    rows = (
        random.integers(-2, 3, (count, wide)) if whole else random.normal(size=(count, wide)).cumsum(axis=0)
    )
    query = random.integers(-2, 3, wide) if whole else rows[random.integers(count)] + random.normal(size=wide)
    return make_index(rows), query.astype(np.float32)


def spans_of(seed: int, count: int) -> Spans:
    cuts = np.unique(np.random.default_rng(seed).integers(0, count + 1, 6))
    pairs = [(a, b) for a, b in zip(cuts[::2], cuts[1::2], strict=False)]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 400), st.integers(1, 30), st.booleans(), st.booleans())
def test_boxes_the_kernel_and_the_twin_find_the_same_frame(seed, count, wide, whole, all_of_it):
    compiled = kernels.load()
    index, query = case(seed, count, wide, whole)
    spans = index.everything if all_of_it else spans_of(seed, count)
    used = 1 + seed % wide
    expected = by_twin(index, query, spans, np.inf, used)
    found = nearest(index, query, spans, count=used)
    assert found == expected
    if compiled is not None:
        plain = compiled.matching.nearest_of_all(query, used, index.blocks, spans, np.float32(np.inf))
        assert (int(plain[0]), float(plain[1])) == tuple(expected)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 200))
def test_what_has_to_be_beaten_decides_whether_any_is_found(seed, count):
    index, query = case(seed, count, 5, True)
    best = nearest(index, query, index.everything)
    assert nearest(index, query, index.everything, best.cost).frame == -1
    assert nearest(index, query, index.everything, best.cost + 1.0) == best
    assert cost_of(index, query, best.frame) == best.cost


def test_a_frames_own_features_are_at_distance_0():
    index, _ = case(3, 100, 27, False)
    for frame in (0, 15, 16, 63, 64, 99):
        assert nearest(index, np.array(index.row(frame)), index.everything) == (frame, 0.0)


def test_the_first_of_equal_frames_is_found():
    index = make_index(np.zeros((70, 3)))
    query = np.ones(3, dtype=np.float32)
    assert nearest(index, query, index.everything).frame == 0
    assert nearest(index, query, np.array([[20, 30], [40, 70]])).frame == 20


def test_no_frames_no_spans_and_a_query_that_is_not_a_number_find_nothing():
    empty, query = make_index(np.zeros((0, 4))), np.zeros(4, dtype=np.float32)
    assert nearest(empty, query, empty.everything).frame == -1
    index, _ = case(1, 40, 4, False)
    assert nearest(index, query, np.zeros((0, 2), dtype=np.int64)).frame == -1
    assert nearest(index, np.full(4, np.nan, dtype=np.float32), index.everything).frame == -1


def test_features_that_are_not_finite_are_refused():
    with pytest.raises(ValidationError, match="finite"):
        make_index([[0.0, np.inf]])


@given(st.integers(0, 60), st.integers(0, 60))
def test_taking_frames_out_leaves_all_others(first, length):
    spans = np.array([[0, 20], [25, 50]], dtype=np.int64)
    left = {k for a, b in without(spans, first, first + length).tolist() for k in range(a, b)}
    assert left == ({*range(20), *range(25, 50)} - set(range(first, first + length)))


def test_bounds_of_the_last_box_are_those_of_its_frames():
    index = make_index(np.arange(1, 18, dtype=float)[:, None])
    assert index.low[1, 0] == index.high[1, 0] == 17.0
    assert len(index.blocks) == 2 and index.blocks.shape[2] == LANES
