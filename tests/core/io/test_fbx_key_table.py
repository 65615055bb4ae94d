"""Curves of an FBX file made all at once against the same made one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import ValidationError
from core.io.fbx.curves import is_expressible, track_of
from core.io.fbx.key_table import Curve, expressible, key_table
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import columns

NUMBERS = st.floats(-50.0, 50.0, allow_nan=False, width=32)
HANDLES = st.sampled_from([0.0, 0.01, 1.0 / 30.0, 0.1, 0.5])


@st.composite
def curves(draw):
    """Keys of all interpolations, some of them too close to each other, with handles of many lengths."""
    count = draw(st.integers(1, 6))
    gaps = [draw(st.sampled_from([5e-6, 1e-3, 0.1, 1.0 / 3.0])) for _ in range(count)]
    rows = np.zeros((count, 7))
    rows[:, 0] = np.cumsum(gaps) + draw(st.sampled_from([-1.0, 0.0, 100.0]))
    for row in rows:
        row[1] = draw(NUMBERS)
        row[2] = draw(st.integers(0, 3))
        row[3:] = draw(HANDLES), draw(NUMBERS), draw(HANDLES), draw(NUMBERS)
    ends = draw(st.tuples(st.integers(0, 4), st.integers(0, 4)))
    return Curve(rows, ends, draw(st.sampled_from([0.0, 12.5])), draw(st.sampled_from([1.0, 0.01])))


@settings(max_examples=60)
@given(st.lists(curves(), min_size=1, max_size=6), st.sampled_from([0.0, 0.25]))
def test_tracks_made_together_are_those_made_one_by_one(given_curves, shift):
    alone = [
        track_of(c.rows, c.ends, shift, c.factor, c.add * c.factor) for c in given_curves
    ]  # value·factor + add there
    table = key_table(given_curves, shift)
    for single, track in zip(alone, table.tracks(), strict=True):
        for name in columns(single):
            kept = getattr(track, name)
            assert np.allclose(kept, getattr(single, name), rtol=1e-12, atol=1e-12), name
            assert not kept.flags.writeable
            assert kept.dtype == getattr(single, name).dtype
        assert (track.before, track.after) == (single.before, single.after)
    times = [np.linspace(t.times[0] - 0.5, t.times[-1] + 0.5, 23) for t in alone]
    for single, at, values in zip(alone, times, table.values(times), strict=True):
        assert np.allclose(values, evaluate_scalar(single, at), rtol=1e-9, atol=1e-9)


@settings(max_examples=30)
@given(st.lists(curves(), max_size=6))
def test_vertical_handles_are_found_curve_by_curve(given_curves):
    assert expressible(given_curves).tolist() == [is_expressible(c.rows) for c in given_curves]


def test_curves_keyed_at_the_same_times_share_them():
    rows = np.zeros((3, 7))
    rows[:, 0], rows[:, 2] = [0.0, 0.5, 1.0], 2
    first, second = key_table([Curve(rows), Curve(rows + [0, 1, 0, 0, 0, 0, 0])]).tracks()
    assert first.times is second.times
    assert first.in_slopes.strides == (0,), "a column of one value costs no memory"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda rows: rows[:0], "no keys"),
        (lambda rows: np.insert(rows[:, 1:], 0, [2.0, 3.0, 0.5], axis=1), "rise"),
        (lambda rows: rows * [np.nan, 1, 1, 1, 1, 1, 1], "rise"),
        (lambda rows: rows * [1, np.inf, 1, 1, 1, 1, 1], "finite"),
        (lambda rows: rows * [1, 1, 9, 1, 1, 1, 1], "interpolation"),
    ],
)
def test_keys_that_are_no_curve_are_refused(change, told):
    rows = np.ones((3, 7))
    rows[:, 0] = [0.0, 0.5, 1.0]
    with np.errstate(all="ignore"), pytest.raises(ValidationError, match=told):
        key_table([Curve(rows), Curve(change(rows))])


def test_unknown_extrapolation_is_refused():
    with pytest.raises(ValidationError, match="unknown way"):
        key_table([Curve(np.ones((1, 7)), (0, 9))])
