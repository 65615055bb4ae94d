"""One stretch of time for all panels over it."""

from dataclasses import replace

import pytest

from editor.model.events import Event
from editor.model.time_axis import TimeAxis
from editor.model.time_view import TimeView


class Panel:
    def __init__(self, view: TimeView, width: float) -> None:
        self.axis, self.changed = TimeAxis(width=width), Event()
        self.leave = view.join(lambda: self.axis, self.show, self.changed)

    def show(self, axis: TimeAxis) -> None:
        if axis != self.axis:
            self.axis = axis
            self.changed.emit(None)

    @property
    def stretch(self) -> tuple[float, float]:
        return self.axis.start, self.axis.end


def two() -> tuple[Panel, Panel, TimeView]:
    view = TimeView()
    return Panel(view, 600.0), Panel(view, 400.0), view


def test_zoom_in_one_panel_zooms_the_other_over_its_own_width() -> None:
    a, b, _ = two()
    a.changed.emit(None)
    b.changed.emit(None)
    a.show(a.axis.zoomed(2.0, 300.0))
    assert b.stretch == pytest.approx(a.stretch) and b.axis.width == 400.0
    b.show(b.axis.panned(50.0))
    assert a.stretch == pytest.approx(b.stretch) and a.axis.width == 600.0


def test_panel_that_gets_another_size_takes_the_common_stretch() -> None:
    a, b, _ = two()
    a.changed.emit(None)
    a.show(a.axis.fitted(2.0, 5.0))
    b.show(replace(b.axis.resized(900.0), start=-7.0))  # as a panel does that comes into sight
    assert b.stretch == pytest.approx(a.stretch) and a.axis.start > 1.0


def test_panel_that_left_is_left_alone() -> None:
    a, b, _ = two()
    a.changed.emit(None)
    b.leave()
    before = b.axis
    a.show(a.axis.panned(100.0))
    assert b.axis == before and len(b.changed) == 0
