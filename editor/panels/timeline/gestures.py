"""Gestures of the timeline alone: panning, and dragging an end of the play range. Free of Qt."""

from enum import Enum
from typing import Protocol

from editor.model.playback import Playback
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


class RangeEdge(Enum):
    """An end of the play range."""

    START = "start"
    END = "end"


class DragRange(Gesture):
    """Drag an end of the play range on the ruler."""

    def __init__(self, model: Axes, playback: Playback, edge: RangeEdge) -> None:
        self._model = model
        self._edge = edge
        self._playback = playback
        self._before = playback.range

    def move(self, pointer: Pointer) -> None:
        playback = self._playback
        start, end = playback.span
        time = max(self._model.axis.frame_time(self._model.axis_x(pointer.x)), 0.0)
        frame = playback.rate.frame
        if self._edge is RangeEdge.START:
            playback.set_range(min(time, end - frame), end)
        else:
            playback.set_range(start, max(time, start + frame))

    def cancel(self) -> None:
        self._playback.set_range(*(self._before or (None, None)))
