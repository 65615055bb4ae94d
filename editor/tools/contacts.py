"""Contacts over time: dragging, drawing and deleting the spans in which a foot or hand stands. Free of Qt."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.retarget.contacts import ContactSpan
from editor.model.i18n import tr
from editor.model.retarget.state import Retargeting
from editor.tools.gesture import Gesture
from editor.tools.pointer import Pointer
from editor.tools.span_part import Part

LEAST = 1
"""Frames that a contact lasts at least after its first."""


@dataclass(frozen=True, slots=True)
class Lane:
    """One point of a limb: the heel or ball of a foot, a wrist."""

    limb: str
    point: int


def lanes_of(spans: Sequence[ContactSpan], limbs: Sequence[tuple[str, int]]) -> tuple[Lane, ...]:
    """A lane for each point of the limbs that can be held, and for any other that has a span."""
    found = {(name, point): None for name, count in limbs for point in range(count)}
    found |= {(span.limb, span.point): None for span in spans}
    return tuple(Lane(*key) for key in sorted(found))


def clear_of(span: ContactSpan, others: Sequence[ContactSpan], frames: int) -> ContactSpan | None:
    """A span kept within the clip and clear of its neighbours in the lane; None where there is no room."""
    lane = sorted((o for o in others if (o.limb, o.point) == (span.limb, span.point)), key=lambda o: o.first)
    middle = (span.first + span.last) / 2
    low = max((o.last + 1 for o in lane if (o.first + o.last) / 2 < middle), default=0)
    high = min((o.first - 1 for o in lane if (o.first + o.last) / 2 >= middle), default=frames - 1)
    if high < low:
        return None
    first = min(max(span.first, low), high)
    return replace(span, first=first, last=max(min(span.last, high), first))


class DragSpan(Gesture):
    """Drag an end of a contact, or all of it; the timeline shows it meanwhile, the result is one step.

    Parameters
    ----------
    frame_at : frame under an x pixel, not rounded
    show : shows spans while the drag lasts; None ends that
    """

    def __init__(
        self,
        state: Retargeting,
        span: ContactSpan,
        part: Part,
        frames: int,
        frame_at: Callable[[float], float],
        show: Callable[[tuple[ContactSpan, ...] | None, ContactSpan], None],
    ) -> None:
        self._state, self._span, self._part, self._frames = state, span, part, frames
        self._frame_at, self._show = frame_at, show
        self._others = tuple(s for s in state.computation.spans if s != span)
        self._start = 0.0
        self._result: ContactSpan | None = None

    def begin(self, pointer: Pointer) -> None:
        self._start = self._frame_at(pointer.x)

    def move(self, pointer: Pointer) -> None:
        step = round(self._frame_at(pointer.x) - self._start)
        span = self._span
        if self._part is Part.WHOLE:
            step = min(max(step, -span.first), self._frames - 1 - span.last)
            moved = replace(span, first=span.first + step, last=span.last + step)
        elif self._part is Part.FIRST:
            moved = replace(span, first=min(span.first + step, span.last - LEAST))
        else:
            moved = replace(span, last=max(span.last + step, span.first + LEAST))
        self._result = clear_of(moved, self._others, self._frames) or self._result or span
        self._show((*self._others, self._result), self._result)

    def finish(self, pointer: Pointer) -> None:
        result = self._result
        self._show(None, result or self._span)
        if result is not None and result != self._span:
            label = tr("Move contact of {limb}", limb=self._span.limb)
            self._state.edits.set_spans((*self._others, result), label)

    def cancel(self) -> None:
        self._show(None, self._span)

    @property
    def hint(self) -> str:
        return tr("Drag to set when the foot is planted · Esc or right button cancels")


def delete(state: Retargeting, span: ContactSpan) -> None:
    """Take a contact away: one step."""
    kept = [s for s in state.computation.spans if s != span]
    if len(kept) < len(state.computation.spans):
        state.edits.set_spans(kept, tr("Delete contact of {limb}", limb=span.limb))


def add(state: Retargeting, lane: Lane, frame: float, frames: int, rate: float) -> ContactSpan | None:
    """A contact of a fifth of a second about a frame, where there is room: one step."""
    middle, half = round(frame), max(round(0.1 * rate), LEAST)
    taken = [s for s in state.computation.spans if (s.limb, s.point) == (lane.limb, lane.point)]
    if any(s.first <= middle <= s.last for s in taken) or not 0 <= middle < frames:
        return None
    made = clear_of(ContactSpan(lane.limb, lane.point, middle - half, middle + half), taken, frames)
    if made is not None:
        state.edits.set_spans((*state.computation.spans, made), tr("Add contact of {limb}", limb=lane.limb))
    return made
