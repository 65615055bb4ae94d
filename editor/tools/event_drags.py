"""Notifies, sync markers and contacts of a clip dragged, trimmed, copied, or selected by a box. Free of Qt."""

from collections.abc import Callable
from dataclasses import replace

from core.clips.clip import Clip
from editor.model.i18n import tr
from editor.model.session import Session
from editor.tools.clip_events import ClipEvent, Kind, Lane, found, named, replaced, within
from editor.tools.gesture import Gesture
from editor.tools.pointer import Modifiers, Pointer
from editor.tools.span_part import Part
from editor.tools.transform import JITTER


class DragEvents(Gesture):
    """Drag events along the timeline, or trim an end of one; shown meanwhile, one step at the end.

    Parameters
    ----------
    events : what moves; the first is the one that is held
    time_at : seconds at an x pixel, not snapped
    snap : seconds to the nearest stop
    alone : what a click without a drag does
    chosen : told which events are meant from now on
    lane_at : the lane at a y pixel: notifies can be dragged to another lane of notifies
    """

    def __init__(
        self,
        session: Session,
        events: tuple[ClipEvent, ...],
        part: Part,
        time_at: Callable[[float], float],
        snap: Callable[[float], float],
        alone: Callable[[], None],
        chosen: Callable[[tuple[ClipEvent, ...]], None],
        lane_at: Callable[[float], Lane | None] = lambda y: None,
    ) -> None:
        clip = session.clip
        if clip is None:
            raise ValueError("events can only be dragged in a clip")
        self._session, self._clip, self._events, self._part = session, clip, events, part
        self._time_at, self._snap, self._alone, self._chosen = time_at, snap, alone, chosen
        self._lane_at = lane_at
        self._copy = False
        self._start: Pointer | None = None
        self._result: Clip | None = None
        self._moved: tuple[ClipEvent, ...] = events

    def begin(self, pointer: Pointer) -> None:
        self._start = pointer
        self._copy = pointer.has(Modifiers.ALT) and self._part is Part.WHOLE
        self._session.playback.pause()

    def move(self, pointer: Pointer) -> None:
        if self._start is None or (self._result is None and self._start.distance(pointer) < JITTER):
            return
        held = self._events[0]
        grip = held.end if self._part is Part.LAST else held.time
        at = grip + self._time_at(pointer.x) - self._time_at(self._start.x)
        if self._session.switches["snap"] != pointer.has(Modifiers.CTRL):
            at = self._snap(at)
        onto = self._lane_at(pointer.y) if self._part is Part.WHOLE else None
        self._moved = tuple(_onto(self._shifted(event, at - grip), onto) for event in self._events)
        gone = [] if self._copy else [(event, None) for event in self._events]
        pairs = [*gone, *((None, event) for event in self._moved)]
        self._result = replaced(self._clip, pairs)
        self._chosen(self._moved)
        self._session.preview.set_clip(self._result)

    def _shifted(self, event: ClipEvent, step: float) -> ClipEvent:
        clip, end = self._clip, event.end
        if self._part is Part.WHOLE:
            return within(clip, replace(event, time=event.time + step))
        least = clip.rate.frame if event.lane.kind is Kind.CONTACT else 0.0
        if self._part is Part.FIRST:
            time = min(max(event.time + step, 0.0), end - least)
            return replace(event, time=time, duration=end - time)
        return replace(event, duration=max(min(end + step, clip.length) - event.time, least))

    def finish(self, pointer: Pointer) -> None:
        if self._result is None:
            self._alone()
            return
        word = tr("Move {what}") if self._part is Part.WHOLE else tr("Trim {what}")
        word = tr("Copy {what}") if self._copy else word
        self._session.edits.put(word.format(what=named(self._events)), self._result)
        self._session.preview.clear()
        self._chosen(self._moved)

    def cancel(self) -> None:
        self._session.preview.clear()
        self._chosen(self._events)

    @property
    def hint(self) -> str:
        return tr("Ctrl: between frames · Alt when pressing: copies · Esc or right button cancels")


def _onto(event: ClipEvent, lane: Lane | None) -> ClipEvent:
    fits = lane is not None and lane.kind is Kind.NOTIFY and event.lane.kind is Kind.NOTIFY
    return replace(event, lane=lane) if lane is not None and fits else event


class BoxEvents(Gesture):
    """Select events by a box; a press without a drag selects nothing.

    Parameters
    ----------
    find : events that a box (x0, y0, x1, y1) touches
    kept : those that stay selected
    chosen, show : told which events are selected, and the box
    """

    def __init__(
        self,
        find: Callable[[tuple[float, float, float, float]], tuple[ClipEvent, ...]],
        kept: tuple[ClipEvent, ...],
        chosen: Callable[[tuple[ClipEvent, ...]], None],
        show: Callable[[tuple[float, float, float, float] | None], None],
    ) -> None:
        self._find, self._kept, self._chosen, self._show = find, kept, chosen, show
        self._start: Pointer | None = None

    def begin(self, pointer: Pointer) -> None:
        self._start = pointer

    def move(self, pointer: Pointer) -> None:
        start = self._start
        if start is None:
            return
        xs, ys = sorted((start.x, pointer.x)), sorted((start.y, pointer.y))
        box = (xs[0], ys[0], xs[1], ys[1])
        self._show(box)
        inside = [e for e in self._find(box) if found(self._kept, e) is None]
        self._chosen((*self._kept, *inside))

    def finish(self, pointer: Pointer) -> None:
        self._show(None)

    def cancel(self) -> None:
        self._show(None)
        self._chosen(self._kept)
