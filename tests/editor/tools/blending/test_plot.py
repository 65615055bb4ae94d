"""The plot of a blend space: places and pixels undo each other, the second axis runs up, ruler values are round."""

from itertools import pairwise
from math import floor, log10

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.blending.blend_space import BlendSpace, SpaceAxis, SpaceKind
from core.ids import AssetId
from editor.tools.blending.plot import PlotFrame, ticks

SPEED = SpaceAxis("speed", 0.0, 600.0)
TURN = SpaceAxis("turn", -180.0, 180.0, unit="°")
PLANE = PlotFrame(
    BlendSpace(AssetId("space"), "walks", AssetId("rig"), (SPEED, TURN)), 40.0, 10.0, 300.0, 200.0
)
LINE = PlotFrame(
    BlendSpace(AssetId("space"), "walks", AssetId("rig"), (SPEED,), kind=SpaceKind.LINE),
    40.0,
    10.0,
    300.0,
    200.0,
)


def test_corners_of_the_axes_are_corners_of_the_box_and_up_is_more():
    assert PLANE.pixel((0.0, -180.0)) == pytest.approx((40.0, 210.0))
    assert PLANE.pixel((600.0, 180.0)) == pytest.approx((340.0, 10.0))
    assert PLANE.pixel((150.0, 0.0)) == pytest.approx((115.0, 110.0))
    assert LINE.pixel((450.0,)) == pytest.approx((265.0, 110.0))


@given(st.floats(0.0, 600.0), st.floats(-180.0, 180.0))
def test_a_place_has_the_pixel_that_has_the_place(speed, turn):
    assert PLANE.place(PLANE.pixel((speed, turn))) == pytest.approx((speed, turn), abs=1e-9)
    assert LINE.place(LINE.pixel((speed,))) == pytest.approx((speed,), abs=1e-9)


@given(st.floats(-900.0, 900.0), st.floats(-900.0, 900.0))
def test_pixels_beside_the_box_stand_for_its_edge(x, y):
    speed, turn = PLANE.place((x, y))
    inside = min(max(x, 40.0), 340.0), min(max(y, 10.0), 210.0)
    assert (speed, turn) == pytest.approx(PLANE.place(inside), abs=1e-9)
    assert 0.0 <= speed <= 600.0 and -180.0 <= turn <= 180.0


@given(st.floats(-500.0, 500.0), st.floats(0.01, 2000.0), st.floats(60.0, 900.0), st.sampled_from(["", "°"]))
def test_ruler_values_are_round_within_the_axis_and_apart(low, extent, room, unit):
    axis = SpaceAxis("a", low, low + extent, unit=unit)
    found = ticks(axis, room)
    assert all(axis.minimum - 1e-6 <= value <= axis.maximum + 1e-6 for value in found)
    for value, after in pairwise(found):
        step = after - value
        assert step * room / extent >= 44.0 - 1e-6
        mantissa = step / 10.0 ** floor(log10(step) + 1e-9)
        assert any(
            abs(mantissa - m) < 1e-6
            for m in ((1, 2, 2.5, 5, 1.5, 3, 4.5, 6, 9, 1.8) if unit else (1, 2, 2.5, 5))
        ) or step == pytest.approx(extent)


@pytest.mark.parametrize(
    "axis, room, values",
    [
        (SpaceAxis("a", 0.0, 10.0), 100.0, [0, 5, 10]),
        (SpaceAxis("a", 0.0, 10.0), 240.0, [0, 2, 4, 6, 8, 10]),
        (SpaceAxis("a", 0.0, 1.0), 200.0, [0, 0.25, 0.5, 0.75, 1]),
        (SpaceAxis("a", -180.0, 180.0, unit="°"), 200.0, [-180, -90, 0, 90, 180]),
        (SpaceAxis("a", -90.0, 90.0, unit="°"), 300.0, [-90, -60, -30, 0, 30, 60, 90]),
    ],
)
def test_ruler_of_known_axes(axis, room, values):
    assert ticks(axis, room) == pytest.approx(values)
