"""Where things are in the timeline: ruler, label column, lanes of events, rows. Free of Qt."""

from dataclasses import dataclass
from enum import Enum

RULER = 24.0
"""As `editor.qt.time_ruler.HEIGHT`: it is free of Qt here."""
LANE = 15.0
ROW = 22.0
LABELS = 184.0
INDENT = 14.0
ARROW = 14.0
KEY_SIZE = 11.0
REACH = 6.0
EDGE = 11.0
DENSE = 4.0
"""Logical pixels; keys nearer to each other than `DENSE` are drawn as a bar, and the edges that scale the
selected keys stand `EDGE` outside the first and the last."""


class Region(Enum):
    """Part of the view."""

    CORNER = "corner"
    RULER = "ruler"
    MARKERS = "markers"
    LABELS = "labels"
    KEYS = "keys"


def labels_width(width: float, column: float) -> float:
    """Width of the label column of a view of some width; `column` where it lines up with another, or 0."""
    return column or min(LABELS, max(width * 0.35, 60.0))


@dataclass(frozen=True, slots=True)
class Layout:
    """Sizes of one view.

    Parameters
    ----------
    width, height : logical pixels of the whole view
    rows : how many rows there are
    scroll : pixels the rows are scrolled up by
    lane : height of the markers' lane below the ruler; 0 without markers
    column : width of the label column that lines up with the curve editor; 0 for the usual one
    strips : height of the lanes of events and contacts, below the markers
    """

    width: float
    height: float
    rows: int
    scroll: float = 0.0
    lane: float = 0.0
    column: float = 0.0
    strips: float = 0.0

    @property
    def lanes(self) -> float:
        """Lower edge of ruler and markers: where the lanes of events begin."""
        return RULER + self.lane

    @property
    def head(self) -> float:
        """Where the rows begin."""
        return self.lanes + self.strips

    @property
    def labels(self) -> float:
        """Width of the label column; it gives way in a narrow view."""
        return labels_width(self.width, self.column)

    @property
    def keys_width(self) -> float:
        """Width of the part over time."""
        return max(self.width - self.labels, 1.0)

    @property
    def view_height(self) -> float:
        """Height of the part that scrolls."""
        return max(self.height - self.head, 1.0)

    @property
    def most_scroll(self) -> float:
        """How far one can scroll."""
        return max(0.0, self.rows * ROW - self.view_height)

    def region(self, x: float, y: float) -> Region:
        """What lies at a place."""
        if y < RULER:
            return Region.CORNER if x < self.labels else Region.RULER
        if y < self.lanes:
            return Region.LABELS if x < self.labels else Region.MARKERS
        return Region.LABELS if x < self.labels else Region.KEYS

    def row_at(self, y: float) -> int | None:
        """Number of the row at a height, or None below the last."""
        row = int((y - self.head + self.scroll) // ROW)
        return row if y >= self.head and 0 <= row < self.rows else None

    def top(self, row: int) -> float:
        """Upper edge of a row."""
        return self.head + row * ROW - self.scroll

    def shown(self) -> range:
        """Numbers of the rows that can be seen."""
        first = int(self.scroll // ROW)
        last = int((self.scroll + self.view_height) // ROW) + 1
        return range(max(first, 0), min(last, self.rows))
