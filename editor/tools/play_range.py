"""The ends of the play range on a ruler: where they are held, and the drag that moves one. Free of Qt."""

from collections.abc import Callable
from enum import Enum

from editor.model.i18n import tr
from editor.model.playback import Playback
from editor.tools.gesture import Gesture
from editor.tools.pointer import Modifiers, Pointer

OUTSIDE, INSIDE = 10.0, 2.0
"""Pixels around an end within which its bracket is held; most of them lie outside, so that the first and the last
frame can be scrubbed to."""


class RangeEdge(Enum):
    """An end of the play range."""

    START = "start"
    END = "end"


def edge_at(playback: Playback, x_of: Callable[[float], float], x: float) -> RangeEdge | None:
    """The end of the play range (of the whole clip where none is set) whose bracket lies at a pixel.

    Parameters
    ----------
    x_of : pixel of a time in seconds
    """
    if playback.length <= 0.0:
        return None
    start, end = (x_of(time) for time in playback.span)
    inside = INSIDE if playback.range is not None else -INSIDE
    if start - OUTSIDE <= x <= start + inside:
        return RangeEdge.START
    return RangeEdge.END if end - inside <= x <= end + OUTSIDE else None


class DragRange(Gesture):
    """Drag an end of the play range, by whole frames, between them with Shift; over the whole clip there is none.

    Parameters
    ----------
    time_at : seconds that an x pixel stands for
    """

    def __init__(self, playback: Playback, edge: RangeEdge, time_at: Callable[[float], float]) -> None:
        self._playback, self._edge, self._time_at = playback, edge, time_at
        self._before = playback.range

    def move(self, pointer: Pointer) -> None:
        playback = self._playback
        rate, (start, end) = playback.rate, playback.span
        time = self._time_at(pointer.x)
        time = max(time if pointer.has(Modifiers.SHIFT) else rate.snap(time), 0.0)
        if self._edge is RangeEdge.START:
            start = min(time, end - rate.frame)
        else:
            end = max(time, start + rate.frame)
        whole = start <= 0.0 and end >= playback.length - 1e-3 * rate.frame
        playback.set_range(*((None, None) if whole else (start, end)))

    def cancel(self) -> None:
        self._playback.set_range(*(self._before or (None, None)))

    @property
    def hint(self) -> str:
        return tr("Drag to play a part of the clip · double-click plays all of it · Esc cancels")
