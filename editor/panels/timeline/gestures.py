"""Gestures of the timeline alone: panning. Free of Qt."""

from typing import Protocol

from editor.model.time_axis import TimeAxis
from editor.tools.gesture import Gesture
from editor.tools.pointer import Pointer


class Axes(Protocol):
    """What is panned: the time axis and the rows below it."""

    @property
    def axis(self) -> TimeAxis: ...
    @property
    def scroll(self) -> float: ...
    def set_axis(self, axis: TimeAxis) -> object: ...
    def set_scroll(self, scroll: float) -> object: ...
    def axis_x(self, x: float) -> float: ...


class Pan(Gesture):
    """Drag the axis, and the rows up and down."""

    def __init__(self, model: Axes) -> None:
        self._model = model
        self._before = model.axis, model.scroll
        self._last: Pointer | None = None

    def begin(self, pointer: Pointer) -> None:
        self._last = pointer

    def move(self, pointer: Pointer) -> None:
        if self._last is not None:
            self._model.set_axis(self._model.axis.panned(pointer.x - self._last.x))
            self._model.set_scroll(self._model.scroll - (pointer.y - self._last.y))
            self._last = pointer

    def cancel(self) -> None:
        self._model.set_axis(self._before[0])
        self._model.set_scroll(self._before[1])
