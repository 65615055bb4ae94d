"""What the timeline shows: its stretch of time, rows, keys and seam. Free of Qt."""

from collections.abc import Iterable

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Channel, Clip, Marker
from core.tracks.keys import Track
from editor.model.events import Event
from editor.model.i18n import trn
from editor.model.session import Session
from editor.model.time_axis import TimeAxis, TimeUnit
from editor.model.time_view import TimeView
from editor.panels.timeline.layout import KEY_SIZE, LANE, Layout, Region
from editor.panels.timeline.row_view import RowView, dense
from editor.panels.timeline.seam_meter import SeamMeter, SeamReading
from editor.tools import key_edits
from editor.tools.gesture import Gesture
from editor.tools.pointer import Modifiers
from editor.tools.rows import GROUPS, Row, RowKey, RowKeys, keys_of, rows_for, top_of

MARGIN = 24.0
ZOOM_STEP = 1.18


class TimelineShown:
    """State of one timeline.

    Attributes
    ----------
    changed : what is drawn differs
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.axis = TimeAxis(rate=session.playback.rate)
        self.unit = _unit(session.preferences.get("time_unit"))
        self.scroll = 0.0
        self.column = 0.0
        self.box: tuple[float, float, float, float] | None = None
        self.gesture: Gesture | None = None
        self.hovered: tuple[int, float] | None = None
        self.edge: bool | None = None
        self.hidden: frozenset[RowKey] = frozenset()
        self.solo: frozenset[RowKey] = frozenset()
        self.aimed_row: RowKey | None = None
        self.aimed_marker: Marker | None = None
        self._meter = SeamMeter()
        self._tracks: tuple[Clip | None, dict[Channel, Track]] = (None, {})
        self.changed: Event[None] = Event()
        self._opened: dict[RowKey, bool] = {}
        self._size = (600.0, 200.0)
        self._fitted: object = None
        self._seen: Clip | None = None
        self._rows: tuple[Row, ...] | None = None
        self._row_keys: dict[RowKey, tuple[float, float, RowKeys]] = {}
        s = session
        self._subscriptions = [event.connect(self._on_content) for event in (
            s.document.changed, s.playback.clip_changed, s.selection.bones_changed, s.selection.weights_changed,
        )]  # fmt: skip
        for event in (s.document.replaced, s.playback.clip_changed):
            self._subscriptions.append(event.connect(lambda _: self.cancel()))  # what the hand held is gone
        self._subscriptions.append(s.preview.changed.connect(self._on_preview))
        self._subscriptions.append(s.selection.keys_changed.connect(self._on_keys))
        self._subscriptions += [event.connect(self._repaint) for event in (
            s.playback.time_changed, s.playback.range_changed, s.selection.flags_changed,
        )]  # fmt: skip
        self._subscriptions.append(s.playback.time_changed.connect(self._follow))
        self._subscriptions.append(s.feature(TimeView).join(lambda: self.axis, self.set_axis, self.changed))

    def close(self) -> None:
        """Stop listening."""
        while self._subscriptions:
            self._subscriptions.pop()()

    # -------------------------------------------------- what there is
    @property
    def clip(self) -> Clip | None:
        """The clip shown, as a drag previews it."""
        return self.session.evaluator.clip

    @property
    def tracks(self) -> dict[Channel, Track]:
        """Tracks of the clip shown, named curves' and morphs' too."""
        clip = self.clip
        if self._tracks[0] is not clip:
            self._tracks = clip, key_edits.all_tracks(clip) if clip is not None else {}
        return self._tracks[1]

    def rows(self) -> tuple[Row, ...]:
        """The rows, from the selection; of every bone with keys where nothing is selected."""
        if self._rows is None:
            clip = self.clip
            if clip is None:
                self._rows = ()
            else:
                weights = frozenset(self.session.selection.weights)
                selected = self.session.selection.in_order
                bones = selected if selected or weights else None
                title = trn("{count} bone", "{count} bones", len(selected)) if selected else clip.name
                self._rows = rows_for(
                    self.tracks, bones, self._open_rows(bones, bool(weights)), title, self.hidden, self.solo,
                    weights,
                )  # fmt: skip
        return self._rows

    def _open_rows(self, bones: tuple[str, ...] | None, weights: bool = False) -> frozenset[RowKey]:
        """Rows the user opened, and those open until closed: the summary, a lone bone's, selected sliders'."""
        defaults: set[RowKey] = {(), *GROUPS.values()} if weights else {()}
        if bones is not None and len(bones) == 1:
            defaults |= {(bones[0],), (bones[0], "TRANSLATE"), (bones[0], "ROTATE"), (bones[0], "SCALE")}
        return frozenset(
            (defaults | {k for k, v in self._opened.items() if v})
            - {k for k, v in self._opened.items() if not v}
        )

    def layout(self) -> Layout:
        """Where things are."""
        clip = self.clip
        lane = LANE if clip is not None and clip.markers else 0.0
        return Layout(*self._size, len(self.rows()), self.scroll, lane, self.column)

    def resize(self, width: float, height: float) -> None:
        """The view has another size."""
        self._size = max(width, 1.0), max(height, 1.0)
        self.axis = self.axis.resized(self.layout().keys_width)
        self._fit_once()
        self.set_scroll(self.scroll)
        self._repaint()

    def set_column(self, column: float) -> None:
        """Give the label column another width; 0 is the usual one."""
        if column != self.column:
            self.column = column
            self.resize(*self._size)

    def axis_x(self, x: float) -> float:
        """Pixels from the axis' own left edge."""
        return x - self.layout().labels

    def view_x(self, seconds: float) -> float:
        """Pixel of a time in the view."""
        return self.axis.x(seconds) + self.layout().labels

    def row_views(self) -> list[RowView]:
        """The visible rows with their keys."""
        layout, rows, axis = self.layout(), self.rows(), self.axis
        pad = KEY_SIZE / axis.scale
        return [self._row_view(rows[n], layout, n, axis.start - pad, axis.end + pad) for n in layout.shown()]

    def _row_view(self, row: Row, layout: Layout, number: int, start: float, end: float) -> RowView:
        keys = self.keys_in(row, start, end)
        xs = self.axis.xs(keys.times) + layout.labels
        return RowView(row, layout.top(number), keys, xs, dense(xs))

    def keys_in(self, row: Row, start: float, end: float) -> RowKeys:
        """Keys of a row between two times."""
        known = self._row_keys.get(row.key)
        if known is not None and known[:2] == (start, end):
            return known[2]
        found = keys_of(self.tracks, row, start, end, self.session.selection.keys)
        self._row_keys[row.key] = start, end, found
        return found

    def key_times(self) -> FloatArray:
        """Times of the keys of all rows, for stepping from key to key."""
        rows, tracks = self.rows(), self.tracks
        if not rows:
            return np.zeros(0)
        times = {id(tracks[c].times): tracks[c].times for c in rows[0].channels}
        return np.unique(np.concatenate(list(times.values()))) if times else np.zeros(0)

    # -------------------------------------------------- changes from outside
    def _repaint(self, _: object = None) -> None:
        self.changed.emit(None)

    def _on_preview(self, _: object = None) -> None:
        """A drag shows another clip; dragging a pose changes nothing here."""
        if self.clip is not self._seen:
            self._on_content()

    def _on_keys(self, _: object = None) -> None:
        self._row_keys.clear()
        self._repaint()

    def _on_content(self, _: object = None) -> None:
        self._rows = None
        self._row_keys.clear()
        clip = self._seen = self.clip
        if clip is not None and clip.rate != self.axis.rate:
            self.axis = self.axis.at_rate(clip.rate)
        self._fit_once()
        self.set_scroll(self.scroll)
        self._repaint()

    def _fit_once(self) -> None:
        """Show the whole of a clip when it is first shown."""
        clip = self.session.evaluator.clip
        if clip is not None and clip.id != self._fitted and self._size[0] > 100.0:
            self._fitted = clip.id
            self.axis = self.axis.fitted(0.0, clip.length, MARGIN)

    def _follow(self, time: float) -> None:
        """Keep the playhead in sight while it runs."""
        if self.session.playback.playing and self.axis.end - self.axis.start < self.session.playback.length:
            self.set_axis(self.axis.following(time))

    # -------------------------------------------------- view
    def set_axis(self, axis: TimeAxis) -> None:
        """Show another stretch of time."""
        if axis != self.axis:
            self.axis = axis
            self._repaint()

    def set_scroll(self, scroll: float) -> None:
        """Scroll the rows."""
        clamped = min(max(scroll, 0.0), self.layout().most_scroll)
        if clamped != self.scroll:
            self.scroll = clamped
            self._repaint()

    def set_unit(self, unit: TimeUnit) -> None:
        """Write times in another unit."""
        if unit is not self.unit:
            self.unit = unit
            self.session.preferences.set("time_unit", unit.value)
            self._repaint()

    def fit_all(self) -> None:
        """Show the whole clip."""
        clip = self.clip
        if clip is not None:
            self.set_axis(
                self.axis.fitted(min(0.0, self._first()), max(clip.length, clip.last_key()), MARGIN)
            )

    def _first(self) -> float:
        times = self.key_times()
        return float(times[0]) if len(times) else 0.0

    def fit_selection(self) -> None:
        """Show the selected keys, else the whole clip."""
        clip = self.clip
        found = key_edits.span(clip, self.session.selection.keys) if clip is not None else None
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

    def toggle_row(self, row: Row) -> None:
        """Open or close a row."""
        if row.opens:
            self._opened[row.key] = not row.is_open
            self._rows = None
            self._row_keys.clear()
            self.set_scroll(self.scroll)
            self._repaint()

    def set_rows(self, hidden: Iterable[RowKey], solo: Iterable[RowKey]) -> None:
        """Leave rows of bones and groups out, or list some alone."""
        new = frozenset(hidden), frozenset(solo)
        if new != (self.hidden, self.solo):
            self.hidden, self.solo = new
            self._rows = None
            self._row_keys.clear()
            self.set_scroll(self.scroll)
            self._repaint()

    def hide_row(self) -> None:
        """Leave the row aimed at out, with what stands in the same bone's."""
        if self.aimed_row:
            self.set_rows(self.hidden | {top_of(self.aimed_row)}, self.solo)

    def solo_row(self) -> None:
        """List the row aimed at alone; again lists it with the others."""
        if self.aimed_row:
            self.set_rows(self.hidden, self.solo ^ {top_of(self.aimed_row)})

    def show_rows(self) -> None:
        """List every row again."""
        self.set_rows((), ())

    def open_all(self, is_open: bool) -> None:
        """Open or close every row but the summary."""
        self._rows = None
        self._opened = {}
        if is_open:
            tracks = self.tracks
            self._opened = {(c.bone,): True for c in tracks if c.is_bone}
            self._opened |= {(c.bone, c.property.name): True for c in tracks if c.is_bone}
            self._opened |= {row.key: True for row in self.rows() if row.key[:1] == ("",)}
        else:
            self._opened = {row.key: False for row in self.rows() if row.key}
        self._rows = None
        self._row_keys.clear()
        self.set_scroll(self.scroll)
        self._repaint()

    def seam(self) -> SeamReading:
        """How the document's clip closes."""
        rig = self.session.rig
        return self._meter.read(self.session.clip, rig.skeleton if rig else None)

    def cancel(self) -> bool:
        """Take a running gesture back; here, without hands, there is none."""
        return False


def _unit(name: object) -> TimeUnit:
    return TimeUnit(name) if name in {u.value for u in TimeUnit} else TimeUnit.FRAMES
