"""Playing what is recorded: to its end, or a chosen span over and over; with marks to come back to."""

from editor.model.events import Event
from editor.model.graph_run.clock import STEP
from editor.model.graph_run.take import Take


class Replay:
    """The place in a recording that is played, its chosen span and its marks.

    Attributes
    ----------
    changed : the span or the marks differ
    """

    def __init__(self) -> None:
        self._time = 0.0
        self._at = -1
        self.span: tuple[float, float] | None = None
        self.marks: tuple[float, ...] = ()
        self.changed: Event[None] = Event()

    def clear(self) -> None:
        """Another recording begins."""
        self.span, self.marks = None, ()

    def loops(self, take: Take) -> bool:
        """Whether a span that is recorded whole plays over and over."""
        return self.span is not None and self.span[1] <= take.length + 1e-9

    def advance(self, take: Take, seconds: float) -> bool:
        """Go on in what is recorded; False where its end is reached."""
        if self._at != take.at:
            self._time = take.time
        self._time += seconds
        low, high = self.span if self.span is not None and self.loops(take) else (0.0, take.length)
        over = self._time >= high
        if over and self.span is not None and self.loops(take):
            self._time, over = low + (self._time - high) % (high - low), False
        take.goto(take.number_at(min(self._time, high)))
        self._at = take.at
        return not over

    def set_span(self, span: tuple[float, float] | None) -> None:
        """Choose a span, to be looped and exported; None is all."""
        if span is not None:
            low, high = sorted((max(span[0], 0.0), max(span[1], 0.0)))
            span = (low, high) if high - low > STEP / 2 else None
        if span != self.span:
            self.span = span
            self.changed.emit(None)

    def mark(self, time: float) -> None:
        """Set a mark, or remove the one there."""
        near = {mark for mark in self.marks if abs(mark - time) < STEP / 2}
        self.marks = tuple(sorted({*self.marks} - near if near else {*self.marks, time}))
        self.changed.emit(None)
