"""The run as rows over time: where each lane stands, what lies under the pointer, what a drag does. Free of Qt."""

from dataclasses import dataclass
from enum import Enum

from core.timing import FrameRate
from editor.model.events import Event
from editor.model.graph_run.lanes import Bar, Lane, LaneKind, Mark
from editor.model.graph_run.state import GraphRun
from editor.model.time_axis import TimeAxis

RULER = 22.0
LABELS = 148.0
GAP = 2.0
HEIGHTS = {
    LaneKind.INPUT: 24.0,
    LaneKind.STATES: 22.0,
    LaneKind.TRANSITIONS: 16.0,
    LaneKind.MONTAGE: 20.0,
    LaneKind.NOTIFIES: 18.0,
    LaneKind.EVENTS: 18.0,
    LaneKind.WATCH: 36.0,
}
"""Pixels of a row, by what its lane shows."""
NEAR = 4.0
"""Pixels within which a mark is under the pointer."""
RATE = FrameRate.of(60)


class Part(Enum):
    """What lies under the pointer."""

    RULER = "ruler"
    LABEL = "label"
    LANE = "lane"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Row:
    """One lane's place.

    Parameters
    ----------
    old : the same lane of the run before a change, drawn below
    top, height : pixels below the ruler, unscrolled; of the present run alone
    """

    lane: Lane
    old: Lane | None
    top: float
    height: float

    @property
    def whole(self) -> float:
        """Pixels with the old lane."""
        return self.height * 2.0 if self.old is not None else self.height


@dataclass(frozen=True, slots=True)
class Found:
    """What lies at a place.

    Parameters
    ----------
    item : the bar or mark there
    old : whether it is of the run before
    """

    part: Part
    time: float = 0.0
    row: Row | None = None
    item: Bar | Mark | None = None
    old: bool = False

    @property
    def node(self) -> str:
        """The node that it is of."""
        if self.item is not None and self.item.node:
            return self.item.node
        return "" if self.row is None else self.row.lane.node


class Drag(Enum):
    """What a drag with the left or middle button does."""

    SCRUB = "scrub"
    SPAN = "span"
    PAN = "pan"


class RunModel:
    """Rows and time axis of a run's lanes.

    Attributes
    ----------
    changed : something looks different
    """

    def __init__(self, run: GraphRun) -> None:
        self.run = run
        self.axis = TimeAxis(-0.1, 120.0, 600.0, RATE)
        self.scroll = 0.0
        self.height = 200.0
        self.follow = True
        self._drag: Drag | None = None
        self._from = (0.0, 0.0)
        self._moved = False
        self._hidden: set[str] = set()
        self.changed: Event[None] = Event()

    # ------------------------------------------------------------ rows
    def rows(self) -> list[Row]:
        """The lanes from top to bottom; those in which nothing has happened take no room."""
        book = self.run.deck.book
        if book is None:
            return []
        found, top = [], 0.0
        other = self.run.deck.comparison
        for lane in book.lanes:
            if self.skipped(lane):
                continue
            old = None if other is None else other.book.named(lane.key)
            row = Row(lane, old, top, HEIGHTS[lane.kind])
            found.append(row)
            top += row.whole + GAP
        return found

    def skipped(self, lane: Lane) -> bool:
        """Whether a lane has nothing to show yet."""
        always = lane.kind in (LaneKind.STATES, LaneKind.WATCH)
        return not (always or lane.bars or lane.marks or len(lane.times) > 1)

    def content(self) -> float:
        """Pixels of all rows."""
        rows = self.rows()
        return rows[-1].top + rows[-1].whole if rows else 0.0

    def resize(self, width: float, height: float) -> None:
        """The view has another size."""
        self.axis = self.axis.resized(max(width - LABELS, 1.0))
        self.height = height
        self._clamp()

    def bar(self) -> tuple[float, float] | None:
        """Top and height in pixels of the scroll bar; None where all rows are in sight."""
        room, content = self.height - RULER, self.content()
        if content <= room or room <= 0.0:
            return None
        return RULER + self.scroll / content * room, room / content * room

    def _clamp(self) -> None:
        self.scroll = min(max(self.scroll, 0.0), max(self.content() - (self.height - RULER), 0.0))

    def x(self, seconds: float) -> float:
        """Pixel of a time."""
        return LABELS + self.axis.x(seconds)

    def time(self, x: float) -> float:
        """Seconds at a pixel."""
        return self.axis.time(x - LABELS)

    def y(self, row: Row) -> float:
        """Top pixel of a row."""
        return RULER + row.top - self.scroll

    # ------------------------------------------------------------ under the pointer
    def at(self, x: float, y: float) -> Found:
        """What lies at a pixel."""
        time = self.time(x)
        if y < RULER:
            return Found(Part.RULER, time)
        for row in self.rows():
            top = self.y(row)
            if not top <= y < top + row.whole:
                continue
            if x < LABELS:
                return Found(Part.LABEL, 0.0, row)
            old = row.old is not None and y >= top + row.height
            lane = row.old if old and row.old is not None else row.lane
            return Found(Part.LANE, time, row, self._item(lane, time), old)
        return Found(Part.NOTHING, time)

    def _item(self, lane: Lane, time: float) -> Bar | Mark | None:
        near = NEAR / self.axis.scale
        marks = [mark for mark in lane.marks if abs(mark.time - time) <= near]
        if marks:
            return min(marks, key=lambda mark: abs(mark.time - time))
        return lane.bar_at(time)

    # ------------------------------------------------------------ gestures
    def press(self, x: float, y: float, *, shift: bool = False, middle: bool = False) -> None:
        """Begin a drag; a click on a lane also points at its node."""
        found = self.at(x, y)
        self._from, self._moved = (x, y), False
        if middle:
            self._drag = Drag.PAN
        elif found.part is Part.LABEL:
            self.point(found.node)
        elif shift:
            self._drag = Drag.SPAN
            self.run.replay.set_span(None)
        else:
            self._drag = Drag.SCRUB
            self.follow = True
            if found.item is not None:
                self.point(found.node)
            self.run.seek(max(found.time, 0.0))

    def move(self, x: float, y: float) -> None:
        """Go on with a drag."""
        dx, dy = x - self._from[0], y - self._from[1]
        self._moved = self._moved or abs(dx) + abs(dy) > 3.0
        if self._drag is Drag.PAN:
            self.axis = self.axis.panned(dx)
            self.scroll -= dy
            self._from = (x, y)
            self._clamp()
            self.changed.emit(None)
        elif self._drag is Drag.SPAN and self._moved:
            take = self.run.take
            length = 0.0 if take is None else take.length
            ends = [min(max(self.time(end), 0.0), length) for end in (self._from[0], x)]
            self.run.replay.set_span((ends[0], ends[1]))
        elif self._drag is Drag.SCRUB:
            self.run.seek(max(self.time(x), 0.0))

    def release(self) -> None:
        """End a drag."""
        self._drag = None

    def cancel(self) -> None:
        """Cancel a drag."""
        if self._drag is Drag.SPAN:
            self.run.replay.set_span(None)
        self._drag = None

    @property
    def dragging(self) -> Drag | None:
        """The drag under way."""
        return self._drag

    def wheel(self, x: float, steps: float, *, shift: bool = False, alt: bool = False) -> None:
        """Zoom at the pointer; with Shift pan; with Alt, or over the names, scroll."""
        if alt or x < LABELS:
            self.scroll -= steps * 40.0
            self._clamp()
        elif shift:
            self.axis = self.axis.panned(steps * 80.0)
        else:
            self.axis = self.axis.zoomed(1.2**steps, max(x - LABELS, 0.0))
        self.changed.emit(None)

    def fit(self) -> None:
        """Show the chosen span, else all that is recorded."""
        take, span = self.run.take, self.run.replay.span
        low, high = span or (0.0, 1.0 if take is None else max(take.length, 0.5))
        self.axis = self.axis.fitted(low, high)
        self.changed.emit(None)

    def step_change(self, by: int) -> None:
        """Go to the next moment at which a machine is in another state, or to the one before."""
        take, at = self.run.take, 0 if self.run.take is None else self.run.take.at
        if take is None:
            return
        samples = take.samples
        found = [k + 1 for k in range(1, len(samples)) if samples[k].active != samples[k - 1].active]
        there = [k for k in found if k > at] if by > 0 else [k for k in reversed(found) if k < at]
        self.run.goto(next(iter(there), len(samples) if by > 0 else 1))

    def followed(self) -> None:
        """Keep the playhead in sight while the run goes on."""
        if self.run.running and self.follow and self._drag is None:
            self.axis = self.axis.following(self.run.time, 40.0)

    def point(self, node: str) -> None:
        """Point at a node, for the canvas."""
        if node:
            self.run.node_chosen.emit(node)

    # ------------------------------------------------------------ words
    def hint(self, found: Found) -> str:
        """What lies under the pointer, in words."""
        if found.row is None:
            return ""
        lane = found.row.old if found.old and found.row.old is not None else found.row.lane
        parts = [lane.title]
        if found.item is not None and found.item.text:
            parts.append(found.item.text)
        if isinstance(found.item, Bar):
            parts.append(f"{found.item.start:.2f} – {found.item.end:.2f} s")
        elif lane.times and (value := lane.value_at(found.time)) is not None:
            parts.append(f"{value:.4g}")
        return " · ".join(parts)
