"""Stacking of bars: none covers another, and no more levels than overlap at once."""

from hypothesis import given
from hypothesis import strategies as st

from editor.model.lanes import stacked

spans = st.lists(
    st.tuples(st.floats(0, 100), st.floats(0.01, 20)).map(lambda pair: (pair[0], pair[0] + pair[1])),
    max_size=30,
)


@given(spans)
def test_none_covers_another_and_no_level_too_many(found):
    levels = stacked(found)
    for k, (start, end) in enumerate(found):
        for j, (first, last) in enumerate(found[:k]):
            assert levels[k] != levels[j] or end <= first or last <= start
    deepest = max((sum(s <= start < e for s, e in found) for start, _ in found), default=0)
    assert max(levels, default=-1) + 1 == deepest


def test_those_that_touch_share_a_level():
    assert stacked([(0.0, 1.0), (1.0, 2.0), (0.5, 1.5)]) == (0, 0, 1)
