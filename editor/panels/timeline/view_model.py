"""The timeline without its widget: time axis, rows, what lies where, which gesture begins. Free of Qt."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.clips.clip import Channel, Clip
from core.tracks.keys import Track
from editor.model.events import Event
from editor.model.i18n import trn
from editor.model.selection import Mode
from editor.model.session import Session
from editor.model.time_axis import TimeAxis, TimeUnit
from editor.panels.timeline.gestures import DragRange, Pan, RangeEdge
from editor.panels.timeline.layout import ARROW, INDENT, KEY_SIZE, REACH, Layout, Region
from editor.panels.timeline.row_view import RowView, dense
from editor.tools import key_edits
from editor.tools.gesture import Gesture
from editor.tools.key_drag import BoxKeys, DragKeys
from editor.tools.pick import mode_of
from editor.tools.pointer import Button, Modifiers, Pointer
from editor.tools.rows import Row, RowKey, RowKeys, keys_of, rows_for
from editor.tools.scrub import Scrub, scrub_from

KeyNumbers = dict[Channel, npt.NDArray[np.int64]]
MARGIN = 24.0
ZOOM_STEP = 1.18


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
        """Tracks of the clip shown."""
        clip = self.clip
        return dict(clip.tracks) if clip is not None else {}

    def rows(self) -> tuple[Row, ...]:
        """The rows, from the selection; of every bone with keys where nothing is selected."""
        if self._rows is None:
            clip = self.clip
            if clip is None:
                self._rows = ()
            else:
                bones = tuple(reversed(self.session.selection.bones)) or None
                title = trn("{count} bone", "{count} bones", len(bones)) if bones else clip.name
                self._rows = rows_for(clip.tracks, bones, self._open_rows(bones), title)
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
        return Layout(*self._size, len(self.rows()), self.scroll)

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
        clip = self.clip
        tracks = clip.tracks if clip is not None else {}
        found = keys_of(tracks, row, start, end, self.session.selection.keys)
        self._row_keys[row.key] = start, end, found
        return found

    def key_times(self) -> FloatArray:
        """Times of the keys of all rows, for stepping from key to key."""
        clip, rows = self.clip, self.rows()
        if clip is None or not rows:
            return np.zeros(0)
        times = {id(clip.tracks[c].times): clip.tracks[c].times for c in rows[0].channels}
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
        clip = self.clip
        found: KeyNumbers = {}
        tracks = clip.tracks if clip is not None else {}
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
        if hovered != self.hovered:
            self.hovered = hovered
            self._repaint()

    def leave(self) -> None:
        """The pointer left."""
        if self.hovered is not None:
            self.hovered = None
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
        if region is Region.LABELS:
            self._press_label(pointer)
            return None
        return self._press_keys(pointer)

    def _press_label(self, pointer: Pointer) -> None:
        number = self.layout().row_at(pointer.y)
        if number is None:
            return
        row = self.rows()[number]
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

        return DragKeys(self.session, time, lambda x: self.axis.time(self.axis_x(x)), alone)

    def _show_box(self, box: tuple[float, float, float, float] | None) -> None:
        self.box = box
        self._repaint()


def _key_mode(pointer: Pointer) -> Mode:
    return mode_of(pointer)


def _unit(name: object) -> TimeUnit:
    return TimeUnit(name) if name in {u.value for u in TimeUnit} else TimeUnit.FRAMES
