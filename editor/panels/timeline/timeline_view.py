"""What stretch of time and which rows a timeline shows, and where. Free of Qt."""

from core.clips.clip import Clip
from editor.model.evaluator import Evaluator
from editor.model.events import Event
from editor.model.playback import Playback
from editor.model.preferences import Preferences
from editor.model.selection import Selection
from editor.model.time_axis import TimeAxis, TimeUnit
from editor.panels.timeline.layout import KEY_SIZE, LANE, Layout, Region, labels_width
from editor.panels.timeline.row_list import RowList
from editor.panels.timeline.row_view import RowView, dense
from editor.tools import key_edits
from editor.tools.pointer import Modifiers
from editor.tools.rows import Row

MARGIN = 24.0
ZOOM_STEP = 1.18


class TimelineView:
    """Time axis, scroll and layout.

    Attributes
    ----------
    changed : another part is shown
    scroll : pixels that the rows are scrolled by
    column : width of the label column; 0 is the usual one
    strips : height of the lanes of events and contacts above the rows
    partial : a part of the clip is out of sight, or was since all of it was last asked for
    """

    def __init__(
        self,
        rows: RowList,
        evaluator: Evaluator,
        playback: Playback,
        selection: Selection,
        preferences: Preferences,
    ) -> None:
        self._rows = rows
        self._evaluator = evaluator
        self._playback = playback
        self._selection = selection
        self._preferences = preferences
        self.changed: Event[None] = Event()
        self.axis = TimeAxis(rate=playback.rate)
        self.unit = TimeUnit.of(preferences.get("time_unit"))
        self.scroll = 0.0
        self.column = 0.0
        self.strips = 0.0
        self.partial = False
        self._size = (600.0, 200.0)
        self._fitted: object = None
        self._whole: TimeAxis | None = None
        self._length = 0.0

    def layout(self) -> Layout:
        """Where things are."""
        clip = self._rows.clip
        lane = LANE if clip is not None and clip.markers else 0.0
        return Layout(*self._size, len(self._rows.all()), self.scroll, lane, self.column, self.strips)

    def resize(self, width: float, height: float) -> None:
        """The view has another size."""
        self._size = max(width, 1.0), max(height, 1.0)
        clip, whole = self._rows.clip, self.axis is self._whole
        self.axis = self.axis.resized(self.layout().keys_width)
        if whole and clip is not None:  # all of the clip was asked for, and is shown at this width too
            self.axis = self._whole = self.axis.fitted(0.0, clip.length, MARGIN)
        self._fit_once()
        self.set_scroll(self.scroll)
        self.changed.emit(None)

    def set_column(self, column: float) -> None:
        """Give the label column another width; 0 is the usual one."""
        if column != self.column:
            self.column = column
            self.resize(*self._size)

    def set_strips(self, height: float) -> None:
        """The lanes above the rows take so much room."""
        if height != self.strips:
            self.strips = height
            self.keep_in_sight()
            self.changed.emit(None)

    def axis_x(self, x: float) -> float:
        """Pixels from the axis' own left edge."""
        return x - labels_width(self._size[0], self.column)

    def view_x(self, seconds: float) -> float:
        """Pixel of a time in the view."""
        return self.axis.x(seconds) + labels_width(self._size[0], self.column)

    def row_views(self) -> list[RowView]:
        """The visible rows with their keys."""
        layout, rows, axis = self.layout(), self._rows.all(), self.axis
        pad = KEY_SIZE / axis.scale
        return [self._row_view(rows[n], layout, n, axis.start - pad, axis.end + pad) for n in layout.shown()]

    def _row_view(self, row: Row, layout: Layout, number: int, start: float, end: float) -> RowView:
        keys = self._rows.keys_in(row, start, end)
        xs = self.axis.xs(keys.times) + layout.labels
        return RowView(row, layout.top(number), keys, xs, dense(xs))

    # -------------------------------------------------- another part
    def take_clip(self, clip: Clip | None) -> None:
        """Show what the clip needs: its rate, all of it at first, rows that are there."""
        if clip is not None and clip.rate != self.axis.rate:
            whole = self.axis is self._whole
            self.axis = self.axis.at_rate(clip.rate)
            self._whole = self.axis if whole else self._whole
        if clip is not None and clip.id == self._fitted and clip.length != self._length:
            self._length = clip.length
            if self.axis is self._whole:  # all of the clip was in sight, and still is at its new length
                self.axis = self._whole = self.axis.fitted(0.0, clip.length, MARGIN)
                self.changed.emit(None)
        self._fit_once()
        self.keep_in_sight()

    def keep_in_sight(self) -> None:
        """Scroll no further than there are rows."""
        self.set_scroll(self.scroll)

    def _fit_once(self) -> None:
        """Show the whole of a clip when it is first shown."""
        clip = self._evaluator.clip
        if clip is not None and clip.id != self._fitted and self._size[0] > 100.0:
            self._fitted, self._length = clip.id, clip.length
            self.axis = self._whole = self.axis.fitted(0.0, clip.length, MARGIN)
            self.partial = False

    def _note_partial(self) -> None:
        """Once a part was out of sight that stays noted: the strip of the whole clip must not flicker in a zoom."""
        clip = self._evaluator.clip
        if clip is not None and (self.axis.start > 1e-6 or self.axis.end < clip.length - 1e-6):
            self.partial = True

    def follow(self, time: float) -> None:
        """Keep the playhead in sight while it runs."""
        if self._playback.playing and self.axis.end - self.axis.start < self._playback.length:
            self.set_axis(self.axis.following(time))

    def set_axis(self, axis: TimeAxis) -> None:
        """Show another stretch of time."""
        if axis != self.axis:
            self.axis = axis
            self._note_partial()
            self.changed.emit(None)

    def set_scroll(self, scroll: float) -> None:
        """Scroll the rows."""
        clamped = min(max(scroll, 0.0), self.layout().most_scroll)
        if clamped != self.scroll:
            self.scroll = clamped
            self.changed.emit(None)

    def set_unit(self, unit: TimeUnit) -> None:
        """Write times in another unit."""
        if unit is not self.unit:
            self.unit = unit
            self._preferences.set("time_unit", unit.value)
            self.changed.emit(None)

    def fit_all(self) -> None:
        """Show the whole clip."""
        clip = self._rows.clip
        if clip is not None:
            self.set_axis(
                self.axis.fitted(min(0.0, self._first()), max(clip.length, clip.last_key()), MARGIN)
            )
            self.partial = False
            self.changed.emit(None)

    def _first(self) -> float:
        times = self._rows.key_times()
        return float(times[0]) if len(times) else 0.0

    def fit_selection(self) -> None:
        """Show the selected keys, else the whole clip."""
        clip = self._rows.clip
        found = key_edits.span(clip, self._selection.keys) if clip is not None else None
        if found is None:
            self.fit_all()
        else:
            room = 2.0 * self.axis.rate.frame
            self.set_axis(self.axis.fitted(found[0] - room, found[1] + room, MARGIN))

    def wheel(self, x: float, y: float, steps: float, modifiers: Modifiers) -> None:
        """Zoom at the cursor; scroll over the labels or with Shift; pan with Alt."""
        if Modifiers.SHIFT in modifiers or self.layout().region(x, y) is Region.LABELS:
            self.set_scroll(self.scroll - steps * 44.0)
        elif Modifiers.ALT in modifiers:
            self.set_axis(self.axis.panned(steps * 60.0))
        else:
            self.set_axis(self.axis.zoomed(ZOOM_STEP**steps, self.axis_x(x)))
