"""The value axis and its marks by hand: bounds, flat ranges, narrow heights, steps."""

from math import inf, nan

import numpy as np
import pytest

from core.tracks.keys import scalar_track
from editor.panels.curves.space import Fit, Layout, ValueAxis, extent, fits_for, value_ticks
from editor.tools.curves.lanes import Curve, Lane
from tests.editor.panels.curves.curve_stage import X


@pytest.mark.parametrize(
    ("given", "held"),
    [
        ((1.0, 50.0, 200.0), (1.0, 50.0, 200.0)),
        ((nan, nan, 200.0), (0.0, 100.0, 200.0)),
        ((inf, -inf, 0.0), (0.0, 100.0, 1.0)),
        ((2.0, 1e-7, 0.5), (2.0, 1e-6, 1.0)),
        ((2.0, 1e10, 1.5), (2.0, 1e9, 1.5)),
        ((2.0, -3.0, -1.0), (2.0, 1e-6, 1.0)),
    ],
)
def test_an_axis_is_held_to_what_can_be_shown(given, held) -> None:
    axis = ValueAxis(*given)
    assert (axis.low, axis.scale, axis.height) == held


def test_values_grow_upward() -> None:
    axis = ValueAxis(-1.0, 50.0, 200.0)
    assert axis.high == 3.0 and (ValueAxis().low, ValueAxis().scale, ValueAxis().height) == (
        -1.0,
        100.0,
        200.0,
    )
    for value, y in ((-1.0, 200.0), (3.0, 0.0), (0.0, 150.0), (4.0, -50.0)):
        assert axis.y(value) == y and axis.value(y) == value and axis.ys(np.array([value])).tolist() == [y]
    assert axis.panned(50.0) == ValueAxis(0.0, 50.0, 200.0)
    assert axis.zoomed(2.0, 50.0) == ValueAxis(0.5, 100.0, 200.0)
    assert axis.zoomed(0.5, 200.0) == ValueAxis(-1.0, 25.0, 200.0)


@pytest.mark.parametrize(
    ("height", "low", "high", "margin", "bottom", "scale"),
    [
        (200.0, 0.0, 4.0, 20.0, -0.5, 40.0),
        (200.0, 0.0, 4.0, 50.0, -2.0, 25.0),
        (200.0, 0.0, 3.0, 90.0, -3.5, 20.0),  # three tenths of the height at the least
        (40.0, -1.0, 2.0, 20.0, -4.5, 4.0),
        (200.0, 2.0, 2.0, 20.0, 1.375, 160.0),  # a flat one: half a unit about it
        (200.0, -40.0, -40.0, 20.0, -45.0, 20.0),  # or a tenth of it
        (200.0, 5.0, 5.0, 20.0, 4.375, 160.0),
        (200.0, 10.0, 10.0, 20.0, 8.75, 80.0),
        (200.0, 0.0, 0.0, 20.0, -0.625, 160.0),
    ],
)
def test_a_range_is_shown_with_a_margin(height, low, high, margin, bottom, scale) -> None:
    axis = ValueAxis(9.0, 7.0, height).fitted(low, high, margin)
    assert (axis.low, axis.scale, axis.height) == (pytest.approx(bottom), pytest.approx(scale), height)
    assert ValueAxis(9.0, 7.0, 200.0).fitted(0.0, 4.0).scale == 40.0  # the margin that is meant else is 20


@pytest.mark.parametrize(
    ("low", "high", "flat"),
    [
        (0.0, 0.9e-9, True), (0.0, 1.1e-9, False), (0.0, 1.9e-9, False), (-0.9e-9, 0.0, True), (-1.1e-9, 0.0, False),
        (100.0, 100.0 + 0.9e-7, True), (100.0, 100.0 + 1.2e-7, False), (-100.0, -100.0 + 0.9e-7, True),
        (-100.0, -100.0 + 1.2e-7, False), (0.5, 0.5 + 0.9e-9, True), (0.5, 0.5 + 1.2e-9, False),
    ],
)  # fmt: skip
def test_a_range_of_next_to_nothing_counts_as_flat(low, high, flat) -> None:
    axis = ValueAxis(0.0, 1.0, 200.0).fitted(low, high)
    assert (axis.scale < 200.0) == flat


@pytest.mark.parametrize(
    ("scale", "gap", "step"),
    [
        (22.0, 22.0, 1.0), (21.9, 22.0, 2.0), (11.0, 22.0, 2.0), (10.9, 22.0, 5.0), (4.4, 22.0, 5.0), (4.3, 22.0, 10.0),
        (2.2, 22.0, 10.0), (2.1, 22.0, 20.0), (220.0, 22.0, 0.1), (110.0, 22.0, 0.2), (109.0, 22.0, 0.5),
        (44.0, 22.0, 0.5), (22.0, 44.0, 2.0), (22000.0, 22.0, 0.001),
    ],
)  # fmt: skip
def test_marks_stand_at_ones_twos_and_fives_with_a_gap(scale, gap, step) -> None:
    axis = ValueAxis(-2.5 * step, scale, 10.0 * step * scale)
    found, places = value_ticks(axis, gap)
    assert found == pytest.approx(step) and places == pytest.approx(np.arange(-2, 8) * step)
    assert found * scale >= gap * (1.0 - 1e-9)
    edge = ValueAxis(-2.0 * found, scale, 4.0 * found * scale)
    assert value_ticks(edge, gap)[1] == pytest.approx(np.arange(-2, 3) * step)  # marks on the edges count


def curve(*values: float, line=None) -> Curve:
    track = scalar_track(np.arange(len(values), dtype=float), np.array(values))
    return (
        Curve(Lane(X), track, track.values, line) if line is not None else Curve(Lane(X), track, track.values)
    )


def test_curves_are_laid_into_bands_or_onto_one_height() -> None:
    some = [curve(2.0, 6.0), curve(-1.0, 1.0), curve(5.0), curve(0.25, 0.25), curve(0.0, 1e-13)]
    for layout, half, middles in (
        (Layout.NORMALISED, 1.0, [0.0] * 5), (Layout.STACKED, 0.4, [-0.5, -1.5, -2.5, -3.5, -4.5]),
    ):  # fmt: skip
        fits = fits_for(layout, some)
        for fit, (low, high), middle in zip(fits, ((2.0, 6.0), (-1.0, 1.0)), middles, strict=False):
            assert (fit.on(low), fit.on(high)) == pytest.approx((middle - half, middle + half))
        assert [fit.factor for fit in fits[2:]] == pytest.approx([half / 5.0, half, half])
        assert [fit.on(v) for fit, v in zip(fits[2:], (5.0, 0.25, 0.0), strict=True)] == pytest.approx(
            middles[2:]
        )
    assert extent(some[0]) == (2.0, 6.0)
    assert fits_for(Layout.STACKED, []) == [] and (Fit().factor, Fit().offset) == (1.0, 0.0)
    fit = Fit(2.0, -1.0)
    assert fit.on(3.0) == 5.0 and fit.back(5.0) == 3.0


def test_the_extent_of_a_curve_that_is_drawn_through_points_is_theirs() -> None:
    drawn = curve(0.0, 1.0, line=(np.array([0.0, 0.5, 1.0]), np.array([0.0, 7.0, 1.0])))
    assert extent(drawn) == (0.0, 7.0)
