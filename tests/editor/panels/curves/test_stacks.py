"""Curves stacked for the picture: what is drawn of them, against the tracks themselves."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.clips.clip import Channel, Property
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import Interpolation, scalar_track
from core.tracks.tangents import with_tangents
from editor.panels.curves import ragged, raster
from editor.panels.curves.stacks import FEW, Bundle, Bundles, parts_of
from editor.tools.curves.lanes import Curve, Lane

KINDS = (Interpolation.CUBIC, Interpolation.LINEAR, Interpolation.CONSTANT)


def curves_of(count, keys, seed=0, times=None):
    r = np.random.default_rng(seed)
    if times is None:
        times = np.sort(r.choice(keys * 4, keys, replace=False)) / 30.0
        times.flags.writeable = False
    found = []
    for number in range(count):
        kinds = np.full(keys, int(KINDS[number % 3]), np.uint8)
        track = with_tangents(scalar_track(times, r.normal(size=keys), interpolations=kinds))
        found.append(Curve(Lane(Channel(f"bone_{number}", Property.ROTATE, 0)), track, track.values))
    return found


@pytest.mark.parametrize("count", [3, FEW + 50])
def test_values_between_keys_are_those_of_the_tracks(count):
    curves = curves_of(4, 400)
    times = np.linspace(curves[0].track.times[0], curves[0].track.times[-1] - 1e-4, count)
    found = Bundle(curves).at(times)
    for column, curve in enumerate(curves):
        assert np.allclose(found[:, column], evaluate_scalar(curve.track, times), atol=1e-5)


def test_levels_hold_the_lowest_and_highest_of_their_keys():
    curves = curves_of(3, 130)
    low, high = Bundle(curves).level(1)
    for column, curve in enumerate(curves):
        blocks = [curve.values[start : start + 16] for start in range(0, 130, 16)]
        assert np.allclose(low[:, column], [block.min() for block in blocks])
        assert np.allclose(high[:, column], [block.max() for block in blocks])


def test_a_changed_curve_is_put_in_its_column_and_many_are_stacked_anew():
    bundles, curves = Bundles(), curves_of(50, 80)
    bundle = bundles.of(curves)[0][0]
    bundle.level(0), bundle.window("values", 0, 80)
    other = curves_of(50, 80, seed=1, times=curves[0].track.times)
    mixed = [other[0], *curves[1:]]
    assert bundles.of(mixed)[0][0] is bundle
    assert np.allclose(bundle.window("values", 0, 80).rows[:, 0], other[0].values)
    assert np.allclose(bundle.level(0)[1], Bundle(mixed).level(0)[1])
    assert bundles.of(other)[0][0] is not bundle


@pytest.mark.parametrize("pixels", [20, 150, 2000])
def test_spans_cover_straight_and_stepped_curves_to_within_a_column(pixels):
    curves = curves_of(3, 400)[1:]
    times = curves[0].track.times
    edges = np.linspace(times[0] - 0.1, times[-1] + 0.1, pixels + 1)
    low, high, columns = raster.spans(Bundle(curves), edges)
    fine = np.linspace(times[0], times[-1], 40_000)
    place = np.clip(np.searchsorted(edges, fine) - 1, columns[0], columns[-1]) - columns[0]
    beside = [np.clip(place + step, 0, len(columns) - 1) for step in (-1, 0, 1)]
    for number, curve in enumerate(curves):
        values = evaluate_scalar(curve.track, fine)
        lowest = np.min([low[at, number] for at in beside], axis=0)
        highest = np.max([high[at, number] for at in beside], axis=0)
        assert (values >= lowest - 1e-4).all() and (values <= highest + 1e-4).all()


def test_bundles_of_single_curves_cover_as_one_bundle_does() -> None:
    """A reduced clip, whose curves have times of their own, costs one pass over the pixels and looks the same."""
    r = np.random.default_rng(5)
    low = r.uniform(-20.0, 90.0, (40, 70)).astype(np.float32)
    high = low + r.uniform(0.0, 30.0, low.shape).astype(np.float32)
    columns, kinds = np.arange(3, 43), r.integers(0, 3, 70)
    for finely in (False, True):
        whole, parts = (raster.Coverage((64, 50), 1.5, 3, finely) for _ in range(2))
        whole.add(low, high, columns, kinds)
        for n in range(70):
            parts.add(low[:, n : n + 1], high[:, n : n + 1], columns, kinds[n : n + 1])
        assert whole.layers().sum() > 0.0
        np.testing.assert_allclose(parts.layers(), whole.layers(), atol=1e-4)


@pytest.mark.parametrize("seed", range(8))
def test_ragged_spans_are_the_lowest_and_highest_values_in_each_column(seed):
    r = np.random.default_rng(seed)
    curves = []
    for n in range(12):
        times = np.sort(r.choice(np.arange(400), int(r.integers(1, 40)), replace=False)) * 0.05
        curves.append(curves_of(n % 3 + 1, len(times), seed, times)[-1])
    start, pitch = r.uniform(-3.0, 12.0), r.uniform(0.002, 0.1)
    edges = start + np.arange(101) * pitch
    low, high, reached = ragged.spans([parts_of(curve) for curve in curves], edges)
    assert reached.any()
    for n, track in enumerate(curve.track for curve in curves):
        first, last = track.times[0], track.times[-1]
        for column, (a, b) in enumerate(pairwise(edges)):
            assert reached[column, n] == (len(track.times) > 1 and b > first and a < last)
            if reached[column, n]:
                within = track.times[(track.times > a) & (track.times < b)]
                values = evaluate_scalar(track, np.clip([a, b, *within], first, last))
                np.testing.assert_allclose(low[column, n], values.min(), atol=2e-4)
                np.testing.assert_allclose(high[column, n], values.max(), atol=2e-4)


@settings(max_examples=40)
@given(
    st.integers(1, 300), st.integers(1, 40), st.booleans(),
    st.lists(st.tuples(st.integers(0, 39), st.integers(0, 299), st.integers(1, 60)), max_size=4),
)  # fmt: skip
def test_levels_taken_over_from_before_a_drag_are_those_made_of_nothing(keys, count, moved, edits):
    curves = curves_of(count, keys)
    bundles = Bundles()
    bundle = bundles.of(curves)[0][0]
    bundle.level(0), bundle.level(1)
    now = curves
    for curve, start, length in edits:
        times = now[0].track.times + (1e-3 if moved else 0.0)
        times.flags.writeable = False
        values = [one.values.copy() for one in now]
        values[curve % count][start : start + length] += 1.0
        now = [
            Curve(old.lane, with_tangents(scalar_track(times, value)), value)
            for old, value in zip(now, values, strict=True)
        ]
        bundle = bundles.of(now)[0][0]  # moves of a drag: nobody asks for a level
    whole = Bundle(now)
    for number in (0, 1, 2):
        for part, wanted in zip(bundle.level(number), whole.level(number), strict=True):
            assert np.array_equal(part, wanted)


def test_only_groups_whose_keys_have_changed_are_made_again(monkeypatch):
    curves = curves_of(40, 4000)
    bundles = Bundles()
    bundles.of(curves)[0][0].level(0)
    times = curves[0].track.times + 1e-3
    times.flags.writeable = False
    now = []
    for curve in curves:
        values = curve.values.copy()
        values[1000:1100] += 1.0
        now.append(Curve(curve.lane, with_tangents(scalar_track(times, values)), values))
    made = []
    groups = Bundle._groups
    monkeypatch.setattr(Bundle, "_groups", lambda self, *place: (made.append(place), groups(self, *place))[1])
    found = bundles.of(now)[0][0].level(0)
    assert made == [(0, 250, 275)]
    assert np.array_equal(found[1], Bundle(now).level(0)[1])
