"""Numbers of the time axis at its limits, and who hears of the stretch that panels share."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from core.timing import FrameRate
from editor.model.events import Event
from editor.model.time_axis import (
    LABEL_GAP,
    MAX_PIXELS_PER_FRAME,
    MIN_PIXELS_PER_SECOND,
    MINOR_GAP,
    TimeAxis,
    TimeUnit,
    _pleasing,
)
from editor.model.time_view import TimeView
from tests.editor.model.test_time_view import Panel

FRAMES, SECONDS, TIMECODE = TimeUnit.FRAMES, TimeUnit.SECONDS, TimeUnit.TIMECODE


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("frames", FRAMES),
        ("seconds", SECONDS),
        ("timecode", TIMECODE),
        ("x", FRAMES),
        (3, FRAMES),
        (None, FRAMES),
    ],
)
def test_units_go_by_their_names(name: object, unit: TimeUnit) -> None:
    assert TimeUnit.of(name) is unit


def test_units_go_round() -> None:
    assert [unit.next for unit in TimeUnit] == [SECONDS, TIMECODE, FRAMES]


@pytest.mark.parametrize(
    ("scale", "expected"),
    [
        (0.0, MIN_PIXELS_PER_SECOND),
        (MIN_PIXELS_PER_SECOND, MIN_PIXELS_PER_SECOND),
        (1.0, 1.0),
        (MAX_PIXELS_PER_FRAME * 30.0, MAX_PIXELS_PER_FRAME * 30.0),
        (1e9, MAX_PIXELS_PER_FRAME * 30.0),
        (float("nan"), 160.0),
    ],
)
def test_scale_is_held_between_its_limits(scale: float, expected: float) -> None:
    assert TimeAxis(scale=scale).scale == expected


@pytest.mark.parametrize(("width", "expected"), [(-1.0, 1.0), (0.5, 1.0), (1.0, 1.0), (7, 7.0)])
def test_an_axis_is_a_pixel_wide_at_least(width: float, expected: float) -> None:
    assert TimeAxis(width=width).width == expected


def test_an_axis_begins_a_little_before_the_clip() -> None:
    axis = TimeAxis()
    assert (axis.start, axis.scale, axis.width, axis.rate.fps) == (-0.2, 160.0, 600.0, 30.0)


def test_pixels_and_seconds_turn_into_each_other() -> None:
    axis = TimeAxis(start=-0.5, scale=60.0, width=300.0)
    assert axis.end == 4.5 and axis.pixels_per_frame == pytest.approx(2.0)
    assert axis.x(1.0) == 90.0 and axis.time(90.0) == 1.0 and axis.x(axis.end) == 300.0
    assert axis.frame_time(90.9) == pytest.approx(1.0) and axis.frame_time(91.1) == pytest.approx(31.0 / 30.0)
    assert axis.panned(60.0).start == -1.5 and axis.resized(50.0) == replace(axis, width=50.0)
    other = axis.at_rate(FrameRate.of(10))
    assert (other.start, other.scale, other.rate.fps) == (-0.5, 60.0, 10.0)


def test_zoom_at_its_limit_still_keeps_the_place() -> None:
    axis = TimeAxis(start=0.0, scale=4000.0).zoomed(100.0, 200.0)
    assert axis.scale == 4800.0 and axis.time(200.0) == pytest.approx(0.05)


@pytest.mark.parametrize(
    ("start", "end", "width", "margin", "shown"),
    [
        (1.0, 3.0, 248.0, 24.0, (1.0 - 0.24, 3.0 + 0.24)),
        (1.0, 3.0, 200.0, 0.0, (1.0, 3.0)),
        (1.0, 1.0, 200.0, 0.0, (1.0, 2.0)),
        (0.0, 1.0 / 30.0, 100.0, 0.0, (0.0, 1.0 / 30.0)),
        (1.0, 3.0, 50.0, 24.0, (2.0 - 5.0, 2.0 + 5.0)),
    ],
)
def test_a_range_is_fitted_with_its_margins(
    start: float, end: float, width: float, margin: float, shown: tuple[float, float]
) -> None:
    axis = TimeAxis(width=width).fitted(start, end, margin)
    assert (axis.start, axis.end) == pytest.approx(shown)
    assert axis.fitted(1.0, 3.0) == axis.fitted(1.0, 3.0, 24.0)


@pytest.mark.parametrize(
    ("seconds", "margin", "start"),
    [(1.0, 24.0, 1.0), (6.0, 24.0, 1.0), (0.99, 24.0, 0.75), (6.01, 24.0, 5.77), (9.0, 900.0, 6.5)],
)
def test_a_time_out_of_sight_is_paged_to_with_its_margin(seconds: float, margin: float, start: float) -> None:
    axis = TimeAxis(start=1.0, scale=100.0, width=500.0)
    assert axis.following(seconds, margin).start == pytest.approx(start, abs=1e-9)


@pytest.mark.parametrize(
    ("seconds", "unit", "text"),
    [
        (-0.001, SECONDS, "0.00"),
        (-0.01, SECONDS, "-0.01"),
        (12.345, SECONDS, "12.35"),
        (2.0, FRAMES, "60"),
        (2.01, FRAMES, "60.3"),
        (61.5, TIMECODE, "00:01:01:15"),
    ],
)
def test_times_are_written_in_their_unit(seconds: float, unit: TimeUnit, text: str) -> None:
    assert TimeAxis().text(seconds, unit) == text


@pytest.mark.parametrize(
    ("least", "step"),
    [
        (0.5, 1),
        (1.0, 1),
        (1.01, 2),
        (2.0, 2),
        (2.01, 5),
        (5.0, 5),
        (5.1, 10),
        (10.0, 10),
        (11.0, 20),
        (999.0, 1000),
    ],
)
def test_pleasing_numbers_are_one_two_and_five(least: float, step: int) -> None:
    assert _pleasing(least) == step


@pytest.mark.parametrize(
    ("pixels_per_frame", "unit", "step"),
    [
        (160.0, FRAMES, 1),
        (30.0, FRAMES, 2),
        (10.0, FRAMES, 5),
        (1.0, FRAMES, 50),
        (160.0, SECONDS, 1),
        (20.0, SECONDS, 3),
        (10.0, SECONDS, 5),
        (5.0, TIMECODE, 10),
        (2.0, SECONDS, 30),
        (1.0, SECONDS, 60),
        (0.25, SECONDS, 300),
        (0.03, SECONDS, 1800),
        (0.002, SECONDS, 27000),
        (0.0004, SECONDS, 30 * 3600 * 2),
    ],
)
def test_labels_stand_at_the_smallest_step_that_leaves_them_apart(
    pixels_per_frame: float, unit: TimeUnit, step: int
) -> None:
    axis = TimeAxis(start=0.0, scale=pixels_per_frame * 30.0, width=50.0 * step * pixels_per_frame + 1.0)
    ticks = axis.ticks(unit, lambda text: 50.0 - LABEL_GAP)
    assert np.diff(ticks.major * 30.0) == pytest.approx(np.full(len(ticks.major) - 1, float(step)))


def test_steps_of_seconds_are_those_of_a_clock() -> None:
    axis = TimeAxis(scale=30.0)  # a pixel a frame
    steps = {axis._step(SECONDS, pixels) for pixels in (*range(1, 3000), *range(3000, 54001, 100))}
    parts = {1, 2, 3, 5, 6, 10, 15}
    seconds, minutes = {1, 2, 5, 10, 15, 30}, {1, 2, 5, 10, 15, 30}
    assert steps == parts | {30 * s for s in seconds} | {1800 * m for m in minutes}
    assert [axis._step(SECONDS, hours * 108_000) for hours in (1, 2, 3)] == [108_000, 216_000, 540_000]


def test_steps_of_a_rate_that_is_not_whole_are_those_of_the_nearest() -> None:
    axis = TimeAxis(0.0, 30.0, 600.0, FrameRate(Fraction(30000, 1001)))
    ticks = axis.ticks(SECONDS, lambda text: 40.0)
    assert np.diff(ticks.major * axis.rate.fps) == pytest.approx(np.full(len(ticks.major) - 1, 60.0))


def test_the_widest_label_of_the_stretch_decides() -> None:
    asked: list[str] = []
    axis = TimeAxis(start=-1.0, scale=300.0, width=600.0)
    axis.ticks(FRAMES, lambda text: asked.append(text) or 10.0)
    assert asked[:3] == ["-30", "30", "0"]
    wide = axis.ticks(FRAMES, lambda text: 90.0 if text == "-30" else 1.0)
    assert np.diff(wide.major * 30.0)[0] == pytest.approx(10.0)


@pytest.mark.parametrize(
    ("pixels_per_frame", "step", "minor"),
    [
        (MINOR_GAP, 10, 1),
        (MINOR_GAP - 0.1, 10, 2),
        (2.5, 10, 2),
        (1.0, 50, 5),
        (0.9, 50, 10),
        (4.0, 3, 3),
        (0.5, 60, 10),
        (5.0, 5, 1),
        (5.0, 4, 1),
        (5.0, 3, 1),
        (5.0, 2, 1),
    ],
)
def test_small_marks_divide_the_large_ones_and_stand_apart(
    pixels_per_frame: float, step: int, minor: int
) -> None:
    axis = TimeAxis(start=0.0, scale=pixels_per_frame * 30.0, width=600.0)
    assert axis._minor_step(step) == minor


def test_marks_go_one_beyond_each_edge() -> None:
    axis = TimeAxis(start=0.15, scale=300.0, width=600.0)  # 4.5 to 64.5 frames
    ticks = axis.ticks(FRAMES, lambda text: 40.0)
    assert np.round(ticks.major * 30.0).tolist() == [0, 5, 10, *range(15, 66, 5)]
    assert ticks.labels[:3] == ("0", "5", "10")
    assert np.round(ticks.minor * 30.0)[:5].tolist() == [4, 6, 7, 8, 9]


# ---------------------------------------------------------------- the stretch that panels share
def told(event: Event) -> list[None]:
    heard: list[None] = []
    event.connect(heard.append)
    return heard


def test_edges_and_ruler_tell_of_changes_only() -> None:
    view = TimeView()
    edges, ruler = told(view.edges_changed), told(view.ruler_changed)
    assert (view.edges, view.ruler, view.stretch) == (None, None, None)
    for _ in range(2):
        view.set_edges((3, 9))
        view.set_ruler(7)
    assert (len(edges), len(ruler), view.edges, view.ruler) == (1, 1, (3, 9), 7)
    view.set_edges(None)
    view.set_ruler(None)
    assert (len(edges), len(ruler)) == (2, 2)


def test_the_first_panel_gives_the_stretch_and_one_that_comes_takes_it() -> None:
    view = TimeView()
    first = Panel(view, 600.0)
    first.show(TimeAxis(start=1.0, scale=100.0, width=600.0))
    assert view.stretch == (1.0, 7.0)
    first.show(first.axis.resized(300.0))  # alone: another width is another stretch
    assert view.stretch == (1.0, 4.0)
    second = Panel(view, 900.0)
    second.changed.emit(None)
    assert second.stretch == pytest.approx((1.0, 4.0)) and second.axis.width == 900.0
    assert view.stretch == (1.0, 4.0) and first.stretch == pytest.approx((1.0, 4.0))


def test_news_of_something_else_moves_nobody() -> None:
    view = TimeView()
    first, second = Panel(view, 600.0), Panel(view, 400.0)
    first.changed.emit(None)
    heard = told(second.changed)
    first.changed.emit(None)
    second.changed.emit(None)
    assert len(heard) == 1 and view.stretch == (first.axis.start, first.axis.end)


def test_who_leaves_twice_leaves_the_others() -> None:
    view = TimeView()
    panels = [Panel(view, width) for width in (600.0, 400.0, 500.0)]
    panels[0].changed.emit(None)
    panels[1].leave()
    panels[1].leave()
    before = panels[1].axis
    panels[0].show(panels[0].axis.panned(60.0))
    assert panels[1].axis is before and panels[2].stretch == pytest.approx(panels[0].stretch)


def test_a_panel_that_fails_does_not_keep_the_others_from_moving_later() -> None:
    view = TimeView()
    first, second = Panel(view, 600.0), Panel(view, 400.0)
    first.changed.emit(None)

    def fail(axis: TimeAxis) -> None:
        raise RuntimeError("no")

    broken = Event()
    leave = view.join(lambda: TimeAxis(width=1.0), fail, broken)
    with pytest.raises(RuntimeError):
        first.show(first.axis.panned(60.0))
    leave()
    first.show(first.axis.panned(60.0))
    assert second.stretch == pytest.approx(first.stretch)
