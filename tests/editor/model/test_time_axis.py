"""The shared time axis: ticks on frames, labels apart, zoom and pan that stay put."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.timing import FrameRate
from editor.model.time_axis import LABEL_GAP, TimeAxis, TimeUnit

rates = st.sampled_from(
    [FrameRate.of(12), FrameRate.of(24), FrameRate.of(30), FrameRate.of(60), FrameRate(Fraction(30000, 1001))]
)
axes = st.builds(
    TimeAxis,
    start=st.floats(-500.0, 5000.0),
    scale=st.floats(0.01, 20000.0),
    width=st.floats(50.0, 4000.0),
    rate=rates,
)


def text_width(text: str) -> float:
    return 6.5 * len(text)


@given(axes, st.sampled_from(TimeUnit))
def test_ticks_of_any_view_fall_on_frames_and_labels_keep_apart(axis, unit):
    ticks = axis.ticks(unit, text_width)
    for times in (ticks.major, ticks.minor):
        frames = times * axis.rate.fps
        assert np.abs(frames - np.round(frames)).max(initial=0.0) < 1e-5
    assert not set(ticks.major.tolist()) & set(ticks.minor.tolist())
    assert len(ticks.labels) == len(ticks.major)
    edges = [
        (axis.x(float(t)) - text_width(s) / 2, text_width(s))
        for t, s in zip(ticks.major, ticks.labels, strict=True)
    ]
    for (left, width), (right, _) in pairwise(edges):
        assert left + width < right + 1e-6


@given(axes, st.sampled_from(TimeUnit))
def test_ticks_of_any_view_are_few(axis, unit):
    ticks = axis.ticks(unit, text_width)
    assert len(ticks.major) <= axis.width / LABEL_GAP + 3
    assert len(ticks.minor) <= axis.width / 5.0 + 12


@given(axes, st.floats(0.05, 20.0), st.floats(0.0, 1.0))
def test_zoom_keeps_what_is_under_the_pointer(axis, factor, share):
    x = axis.width * share
    assert axis.zoomed(factor, x).time(x) == pytest.approx(axis.time(x), abs=1e-6)


@given(axes, st.floats(-2000.0, 2000.0))
def test_pan_moves_by_its_pixels_and_back_again(axis, dx):
    at = axis.time(100.0)
    moved = axis.panned(dx)
    assert moved.x(at) == pytest.approx(100.0 + dx, abs=1e-3)
    assert moved.panned(-dx).start == pytest.approx(axis.start, abs=1e-6)


@given(axes, st.floats(-10.0, 100.0), st.floats(0.0, 500.0))
def test_fit_shows_the_whole_range_inside(axis, start, length):
    fitted = axis.fitted(start, start + length)
    assert fitted.x(start) >= -1e-6 and fitted.x(start + length) <= fitted.width + 1e-6


def test_pixels_of_many_times_agree_with_each_alone():
    axis = TimeAxis(start=0.3, scale=211.0)
    times = np.linspace(-1.0, 4.0, 17)
    assert axis.xs(times).tolist() == [axis.x(float(t)) for t in times]


def test_number_that_is_no_number_is_not_taken_over():
    axis = TimeAxis(start=float("nan"), scale=float("inf"), width=-3.0)
    assert axis.start == 0.0 and axis.width == 1.0 and np.isfinite(axis.scale)


def test_text_of_a_time_in_each_unit():
    axis = TimeAxis()
    assert [axis.text(1.5, unit) for unit in TimeUnit] == ["45", "1.50", "00:00:01:15"]
    assert axis.text(1.51, TimeUnit.FRAMES) == "45.3"


def test_time_out_of_sight_is_paged_to():
    axis = TimeAxis(start=0.0, scale=100.0, width=500.0)
    assert axis.following(4.9) is axis
    assert axis.following(7.0).x(7.0) == pytest.approx(24.0)
