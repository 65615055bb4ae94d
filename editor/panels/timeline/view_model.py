"""The timeline without its widget: time axis, rows, what lies where, which gesture begins. Free of Qt."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.clips.clip import Channel, Clip, Marker
from core.tracks.keys import Track
from editor.model.events import Event
from editor.model.i18n import trn
from editor.model.selection import Mode
from editor.model.session import Session
from editor.model.time_axis import TimeAxis, TimeUnit
from editor.panels.timeline.gestures import DragRange, Pan, RangeEdge
from editor.panels.timeline.layout import ARROW, EDGE, INDENT, KEY_SIZE, LANE, REACH, Layout, Region
from editor.panels.timeline.row_view import RowView, dense
from editor.panels.timeline.seam_meter import SeamMeter, SeamReading
from editor.tools import key_edits, markers
from editor.tools.gesture import Gesture
from editor.tools.key_drag import BoxKeys, DragKeys, ScaleKeys, Snapping
from editor.tools.markers import DragMarker
from editor.tools.pick import mode_of
from editor.tools.pointer import Button, Modifiers, Pointer
from editor.tools.rows import Row, RowKey, RowKeys, keys_of, rows_for, top_of
from editor.tools.scrub import Scrub, scrub_from

KeyNumbers = dict[Channel, npt.NDArray[np.int64]]
MARGIN = 24.0
ZOOM_STEP = 1.18
MOST_STOPS = 100_000


class TimelineModel:
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
        self._drops = [event.connect(self._on_content) for event in (
            s.document.changed, s.playback.clip_changed, s.selection.bones_changed,
        )]  # fmt: skip
        for event in (s.document.replaced, s.playback.clip_changed):
            self._drops.append(event.connect(lambda _: self.cancel()))  # what the hand held is gone
        self._drops.append(s.preview.changed.connect(self._on_preview))
        self._drops.append(s.selection.keys_changed.connect(self._on_keys))
        self._drops += [event.connect(self._repaint) for event in (
            s.playback.time_changed, s.playback.range_changed, s.selection.flags_changed,
        )]  # fmt: skip
        self._drops.append(s.playback.time_changed.connect(self._follow))
        self._drops.append(s.time_view.join(lambda: self.axis, self.set_axis, self.changed))

    def close(self) -> None:
        """Stop listening."""
        while self._drops:
            self._drops.pop()()

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
                bones = tuple(reversed(self.session.selection.bones)) or None
                title = trn("{count} bone", "{count} bones", len(bones)) if bones else clip.name
                self._rows = rows_for(
                    self.tracks, bones, self._open_rows(bones), title, self.hidden, self.solo
                )
        return self._rows

    def _open_rows(self, bones: tuple[str, ...] | None) -> frozenset[RowKey]:
        """Rows the user opened, and those that are open until closed: the summary, a lone bone's."""
        defaults: set[RowKey] = {()}
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
        return Layout(*self._size, len(self.rows()), self.scroll, lane)

    def resize(self, width: float, height: float) -> None:
        """The view has another size."""
        self._size = max(width, 1.0), max(height, 1.0)
        self.axis = self.axis.resized(self.layout().keys_width)
        self._fit_once()
        self.set_scroll(self.scroll)
        self._repaint()

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
        clip = self.session.playback.shown
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
            self._opened = {(c.bone,): True for c in tracks if c.axis >= 0}
            self._opened |= {(c.bone, c.property.name): True for c in tracks if c.axis >= 0}
            self._opened |= {row.key: True for row in self.rows() if row.key[:1] == ("",)}
        else:
            self._opened = {row.key: False for row in self.rows() if row.key}
        self._rows = None
        self._row_keys.clear()
        self.set_scroll(self.scroll)
        self._repaint()

    def select_row(self) -> None:
        """Select the keys of the row aimed at."""
        row = next((row for row in self.rows() if row.key == self.aimed_row), None)
        if row is not None:
            self.session.selection.select_keys(self.channels_keys(row.channels, -np.inf, np.inf))

    def seam(self) -> SeamReading:
        """How the document's clip closes."""
        return self._meter.read(self.session.clip)

    # -------------------------------------------------- snapping, markers, the span of the selection
    def snapping(self, moving: key_edits.Keys) -> Snapping:
        """Where a drag of these keys snaps to."""
        clip, switches = self.session.clip, self.session.switches
        assert clip is not None
        stops: list[FloatArray] = [np.zeros(0)]
        if switches["snap_markers"]:
            stops.append(np.array([marker.time for marker in clip.markers]))
        if switches["snap_keys"]:
            stops += [np.array([self.session.playback.time]), *self._still_times(clip, moving)]
        return Snapping(clip.rate.snap, np.unique(np.concatenate(stops)), REACH / self.axis.scale)

    def _still_times(self, clip: Clip, moving: key_edits.Keys) -> list[FloatArray]:
        """Times in sight of keys that stay where they are; none where there are too many to aim at."""
        tracks, rows = key_edits.all_tracks(clip), self.rows()
        seen: set[object] = set()
        found: list[FloatArray] = []
        for channel in rows[0].channels if rows else ():
            times = tracks[channel].times if channel in tracks else np.zeros(0)
            numbers = moving.get(channel)
            name = id(times), None if numbers is None else (len(numbers), int(numbers[0]), int(numbers[-1]))
            if name not in seen:
                seen.add(name)
                stay = times if numbers is None else np.delete(times, numbers[numbers < len(times)])
                found.append(stay[slice(*np.searchsorted(stay, (self.axis.start, self.axis.end)))])
        return found if sum(map(len, found)) <= MOST_STOPS else []

    def markers(self) -> tuple[Marker, ...]:
        """The markers of the clip shown."""
        clip = self.clip
        return clip.markers if clip is not None else ()

    def marker_at(self, x: float, y: float) -> Marker | None:
        """The marker under a place of the lane; its name counts too."""
        if self.layout().region(x, y) is not Region.MARKERS:
            return None
        before = [m for m in self.markers() if self.view_x(m.time) - REACH <= x]
        if not before:
            return None
        return before[-1] if x - self.view_x(before[-1].time) <= 8.0 + 7.0 * len(before[-1].name) else None

    def go_to_marker(self) -> None:
        """Go to the marker aimed at, else to the nearest one."""
        marker = self._marker_meant()
        if marker is not None:
            self.session.playback.seek(marker.time)

    def delete_marker(self) -> None:
        """Take the marker aimed at away."""
        marker = self._marker_meant()
        if marker is not None:
            markers.delete(self.session, marker)

    def _marker_meant(self) -> Marker | None:
        now = self.session.playback.time
        there = self.markers()
        return (
            self.aimed_marker
            if self.aimed_marker in there
            else min(there, key=lambda m: abs(m.time - now), default=None)
        )

    def selected_span(self) -> tuple[float, float] | None:
        """First and last time of the selected keys of the rows shown, where there are several times."""
        clip, rows = self.clip, self.rows()
        if clip is None or not rows or not self.session.selection.keys:
            return None
        shown = set(rows[0].channels)
        found = key_edits.span(clip, {c: k for c, k in self.session.selection.keys.items() if c in shown})
        return found if found is not None and found[1] - found[0] > self.axis.rate.frame * 0.25 else None

    def span_edge_at(self, x: float, y: float) -> bool | None:
        """Whether the late (True) or early (False) edge of the selection's span is under a place."""
        layout, span = self.layout(), self.selected_span()
        if span is None or layout.region(x, y) is not Region.KEYS:
            return None
        left, right = self.view_x(span[0]) - EDGE, self.view_x(span[1]) + EDGE
        if abs(x - left) <= REACH - 1.0 and self.key_at(x, y) is None:
            return False
        return True if abs(x - right) <= REACH - 1.0 and self.key_at(x, y) is None else None

    # -------------------------------------------------- what lies where
    def arrow_at(self, x: float, row: Row) -> bool:
        """Whether a place in the label column is on the row's arrow."""
        left = 4.0 + row.level * INDENT
        return row.opens and left - 2.0 <= x <= left + ARROW + 2.0

    def key_at(self, x: float, y: float) -> tuple[Row, float] | None:
        """The row and time of the key under a place, or None."""
        layout = self.layout()
        number = layout.row_at(y)
        if number is None or layout.region(x, y) is not Region.KEYS:
            return None
        row, at = self.rows()[number], self.axis.time(self.axis_x(x))
        reach = REACH / self.axis.scale
        times = self.keys_in(row, at - reach, at + reach).times
        if not len(times):
            return None
        return row, float(times[int(np.argmin(np.abs(times - at)))])

    def channels_keys(self, channels: Iterable[Channel], start: float, end: float) -> KeyNumbers:
        """Numbers of the keys of channels between two times (both included)."""
        found: KeyNumbers = {}
        tracks = self.tracks
        for channel in channels:
            if channel in tracks:
                times = tracks[channel].times
                a, b = np.searchsorted(times, start - 5e-6), np.searchsorted(times, end + 5e-6)
                if b > a:
                    found[channel] = np.arange(a, b)
        return found

    def keys_in_box(self, x0: float, y0: float, x1: float, y1: float) -> KeyNumbers:
        """Keys of the rows that a box touches; the summary and closed rows stand for all below them."""
        layout, rows = self.layout(), self.rows()
        start, end = self.axis.time(self.axis_x(x0)), self.axis.time(self.axis_x(x1))
        touched = [n for n in range(len(rows)) if layout.top(n) + 3.0 < y1 and layout.top(n) + 19.0 > y0]
        # An open row's keys are those of the rows below it: it counts only where the box holds nothing deeper.
        deep = [n for n in touched if not rows[n].is_open] or touched
        channels = dict.fromkeys(channel for n in deep for channel in rows[n].channels)
        return self.channels_keys(channels, start, end)

    # -------------------------------------------------- the pointer
    def hover(self, x: float, y: float) -> None:
        """The pointer moved with no button held."""
        found = self.key_at(x, y)
        number = self.layout().row_at(y)
        hovered = (number, found[1]) if found is not None and number is not None else None
        edge = self.span_edge_at(x, y)
        if (hovered, edge) != (self.hovered, self.edge):
            self.hovered, self.edge = hovered, edge
            self._repaint()

    def aim(self, x: float, y: float) -> Region:
        """Note what a menu opened at a place is about, and select the key under it; tells where that is."""
        region, number = self.layout().region(x, y), self.layout().row_at(y)
        self.aimed_marker = self.marker_at(x, y)
        self.aimed_row = self.rows()[number].key if number is not None else None
        hit = self.key_at(x, y)
        if hit is not None:
            under, selected = self.channels_keys(hit[0].channels, hit[1], hit[1]), self.session.selection.keys
            if not all(c in selected and np.isin(k, selected[c]).all() for c, k in under.items()):
                self.session.selection.select_keys(under)
        return region

    def leave(self) -> None:
        """The pointer left."""
        if self.hovered is not None or self.edge is not None:
            self.hovered = self.edge = None
            self._repaint()

    def press(self, pointer: Pointer, scrubbing: bool = False) -> Gesture | None:
        """The gesture that a press begins, already begun."""
        gesture = self._gesture_for(pointer, scrubbing)
        if gesture is not None:
            self.gesture = gesture
            gesture.begin(pointer)
        return gesture

    def move(self, pointer: Pointer) -> None:
        """The pointer moved with a gesture in hand."""
        if self.gesture is not None:
            self.gesture.move(pointer)

    def release(self, pointer: Pointer) -> None:
        """The button was let go."""
        gesture, self.gesture = self.gesture, None
        if gesture is not None:
            gesture.finish(pointer)

    def cancel(self) -> bool:
        """Esc or the right button; whether there was something to cancel."""
        gesture, self.gesture = self.gesture, None
        if gesture is None:
            return False
        gesture.cancel()
        return True

    def range_edge_at(self, x: float) -> RangeEdge | None:
        """The end of a set play range under an x on the ruler."""
        if self.session.playback.range is None:
            return None
        start, end = (self.view_x(t) for t in self.session.playback.span)
        if abs(x - start) <= REACH:
            return RangeEdge.START
        return RangeEdge.END if abs(x - end) <= REACH else None

    def _gesture_for(self, pointer: Pointer, scrubbing: bool) -> Gesture | None:
        playback, region = self.session.playback, self.layout().region(pointer.x, pointer.y)
        if pointer.button is Button.MIDDLE:
            return Pan(self)
        if pointer.button is not Button.LEFT:
            return None
        if scrubbing:
            return scrub_from(playback, pointer.x, playback.rate.snap, playback.rate.frame)
        if region is Region.CORNER:
            self.set_unit(self.unit.next)
            return None
        if region is Region.RULER:
            edge = self.range_edge_at(pointer.x)
            if edge is not None:
                return DragRange(self, edge)
            return Scrub(playback, lambda x: max(self.axis.time(self.axis_x(x)), 0.0), playback.rate.snap)
        if region is Region.MARKERS:
            return self._press_marker(pointer)
        if region is Region.LABELS:
            self._press_label(pointer)
            return None
        late = self.span_edge_at(pointer.x, pointer.y)
        span = self.selected_span()
        if late is not None and span is not None and self.session.clip is not None:
            moving = self.session.selection.keys
            return ScaleKeys(self.session, span, late, self._time_at, self.snapping(moving))
        return self._press_keys(pointer)

    def _time_at(self, x: float) -> float:
        return self.axis.time(self.axis_x(x))

    def _press_marker(self, pointer: Pointer) -> Gesture:
        marker, playback = self.marker_at(pointer.x, pointer.y), self.session.playback
        if marker is None:
            return Scrub(playback, lambda x: max(self._time_at(x), 0.0), playback.rate.snap)
        self.aimed_marker = marker
        snap, offset = self.snapping({}), self._time_at(pointer.x) - marker.time

        def time_at(x: float, snapping: bool) -> float:
            time = self._time_at(x) - offset
            return snap(time) if snapping else time

        return DragMarker(self.session, marker, time_at)

    def _press_label(self, pointer: Pointer) -> None:
        number = self.layout().row_at(pointer.y)
        if number is None:
            return
        row = self.rows()[number]
        self.aimed_row = row.key
        if self.arrow_at(pointer.x, row):
            self.toggle_row(row)
        else:
            self.session.selection.select_keys(
                self.channels_keys(row.channels, -np.inf, np.inf), _key_mode(pointer)
            )

    def _press_keys(self, pointer: Pointer) -> Gesture:
        hit = self.key_at(pointer.x, pointer.y)
        if hit is None:
            return BoxKeys(self.session.selection, self.keys_in_box, self._show_box)
        row, time = hit
        under = self.channels_keys(row.channels, time, time)
        mode = _key_mode(pointer)
        selected = self.session.selection.keys
        chosen = all(
            channel in selected and np.isin(k, selected[channel]).all() for channel, k in under.items()
        )
        if mode is Mode.ADD or not chosen:
            self.session.selection.select_keys(under, Mode.ADD if mode is Mode.ADD else Mode.REPLACE)

        def alone() -> None:
            """A click, not a drag: only now is the rest of the selection let go, or (Ctrl) this key."""
            if mode is Mode.REMOVE:
                self.session.selection.select_keys(selected, Mode.REPLACE)
                self.session.selection.select_keys(under, mode)
            elif chosen and mode is Mode.REPLACE:
                self.session.selection.select_keys(under)

        snap = self.snapping(self.session.selection.keys) if self.session.clip is not None else None
        return DragKeys(self.session, time, self._time_at, alone, snap)

    def _show_box(self, box: tuple[float, float, float, float] | None) -> None:
        self.box = box
        self._repaint()


def _key_mode(pointer: Pointer) -> Mode:
    return mode_of(pointer)


def _unit(name: object) -> TimeUnit:
    return TimeUnit(name) if name in {u.value for u in TimeUnit} else TimeUnit.FRAMES
