"""What lies under the pointer in a timeline, and which gesture a press begins. Free of Qt."""

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip
from editor.model.events import Event
from editor.model.selection import Mode
from editor.model.session import Session
from editor.panels.timeline.gestures import Pan
from editor.panels.timeline.layout import ARROW, EDGE, INDENT, REACH, Region
from editor.panels.timeline.marker_lane import MarkerLane
from editor.panels.timeline.row_list import KeyNumbers, RowList
from editor.panels.timeline.timeline_view import TimelineView
from editor.tools import key_edits
from editor.tools.gesture import Gesture, GestureHost
from editor.tools.key_drag import BoxKeys, DragKeys, ScaleKeys, Snapping
from editor.tools.markers import DragMarker
from editor.tools.pick import mode_of
from editor.tools.play_range import DragRange, RangeEdge, edge_at
from editor.tools.pointer import Button, Pointer
from editor.tools.rows import Row
from editor.tools.scrub import Scrub, scrub_from

MOST_STOPS = 100_000


class TimelinePointer:
    """Finds keys and edges under the pointer, and begins gestures.

    Attributes
    ----------
    changed : what is hovered, or the box, differs
    hovered : number of the row and time of the key under the pointer
    edge : whether the late (True) or early (False) edge of the selection's span is under the pointer
    box : the box that is drawn, in pixels
    near : the end of the play range under the pointer
    """

    def __init__(
        self,
        session: Session,
        rows: RowList,
        view: TimelineView,
        markers: MarkerLane,
        gestures: GestureHost,
    ) -> None:
        self._session = session
        self._rows = rows
        self._view = view
        self._markers = markers
        self._gestures = gestures
        self.changed: Event[None] = Event()
        self.box: tuple[float, float, float, float] | None = None
        self.hovered: tuple[int, float] | None = None
        self.edge: bool | None = None
        self.near: RangeEdge | None = None

    def snapping(self, moving: key_edits.Keys) -> Snapping:
        """Where a drag of these keys snaps to."""
        clip, switches = self._session.clip, self._session.switches
        assert clip is not None
        stops: list[FloatArray] = [np.zeros(0)]
        if switches["snap_markers"]:
            stops.append(np.array([marker.time for marker in clip.markers]))
        if switches["snap_keys"]:
            stops += [np.array([self._session.playback.time]), *self._still_times(clip, moving)]
        return Snapping(clip.rate.snap, np.unique(np.concatenate(stops)), REACH / self._view.axis.scale)

    def _still_times(self, clip: Clip, moving: key_edits.Keys) -> list[FloatArray]:
        """Times in sight of keys that stay where they are; none where there are too many to aim at."""
        tracks, rows = key_edits.all_tracks(clip), self._rows.all()
        seen: set[object] = set()
        found: list[FloatArray] = []
        for channel in rows[0].channels if rows else ():
            times = tracks[channel].times if channel in tracks else np.zeros(0)
            numbers = moving.get(channel)
            name = id(times), None if numbers is None else (len(numbers), int(numbers[0]), int(numbers[-1]))
            if name not in seen:
                seen.add(name)
                stay = times if numbers is None else np.delete(times, numbers[numbers < len(times)])
                found.append(
                    stay[slice(*np.searchsorted(stay, (self._view.axis.start, self._view.axis.end)))]
                )
        return found if sum(map(len, found)) <= MOST_STOPS else []

    def selected_span(self) -> tuple[float, float] | None:
        """First and last time of the selected keys of the rows shown, where there are several times."""
        clip, rows = self._rows.clip, self._rows.all()
        if clip is None or not rows or not self._session.selection.keys:
            return None
        shown = set(rows[0].channels)
        found = key_edits.span(clip, {c: k for c, k in self._session.selection.keys.items() if c in shown})
        return (
            found if found is not None and found[1] - found[0] > self._view.axis.rate.frame * 0.25 else None
        )

    def span_edge_at(self, x: float, y: float) -> bool | None:
        """Whether the late (True) or early (False) edge of the selection's span is under a place."""
        layout, span = self._view.layout(), self.selected_span()
        if span is None or layout.region(x, y) is not Region.KEYS:
            return None
        left, right = self._view.view_x(span[0]) - EDGE, self._view.view_x(span[1]) + EDGE
        if abs(x - left) <= REACH - 1.0 and self.key_at(x, y) is None:
            return False
        return True if abs(x - right) <= REACH - 1.0 and self.key_at(x, y) is None else None

    def arrow_at(self, x: float, row: Row) -> bool:
        """Whether a place in the label column is on the row's arrow."""
        left = 4.0 + row.level * INDENT
        return row.opens and left - 2.0 <= x <= left + ARROW + 2.0

    def key_at(self, x: float, y: float) -> tuple[Row, float] | None:
        """The row and time of the key under a place, or None."""
        layout = self._view.layout()
        number = layout.row_at(y)
        if number is None or layout.region(x, y) is not Region.KEYS:
            return None
        row, at = self._rows.all()[number], self._view.axis.time(self._view.axis_x(x))
        reach = REACH / self._view.axis.scale
        times = self._rows.keys_in(row, at - reach, at + reach).times
        if not len(times):
            return None
        return row, float(times[int(np.argmin(np.abs(times - at)))])

    def keys_in_box(self, x0: float, y0: float, x1: float, y1: float) -> KeyNumbers:
        """Keys of the rows that a box touches; the summary and closed rows stand for all below them."""
        layout, rows = self._view.layout(), self._rows.all()
        start, end = self._view.axis.time(self._view.axis_x(x0)), self._view.axis.time(self._view.axis_x(x1))
        touched = [n for n in range(len(rows)) if layout.top(n) + 3.0 < y1 and layout.top(n) + 19.0 > y0]
        # An open row's keys are those of the rows below it: it counts only where the box holds nothing deeper.
        deep = [n for n in touched if not rows[n].is_open] or touched
        channels = dict.fromkeys(channel for n in deep for channel in rows[n].channels)
        return self._rows.channels_keys(channels, start, end)

    def hover(self, x: float, y: float) -> None:
        """The pointer moved with no button held."""
        found = self.key_at(x, y)
        number = self._view.layout().row_at(y)
        hovered = (number, found[1]) if found is not None and number is not None else None
        edge = self.span_edge_at(x, y)
        near = self.range_edge_at(x) if self._view.layout().region(x, y) is Region.RULER else None
        if (hovered, edge, near) != (self.hovered, self.edge, self.near):
            self.hovered, self.edge, self.near = hovered, edge, near
            self.changed.emit(None)

    def aim(self, x: float, y: float) -> Region:
        """Note what a menu opened at a place is about, and select the key under it; tells where that is."""
        region, number = self._view.layout().region(x, y), self._view.layout().row_at(y)
        self._markers.aimed_marker = self._markers.marker_at(x, y)
        self._rows.aimed_row = self._rows.all()[number].key if number is not None else None
        hit = self.key_at(x, y)
        if hit is not None:
            under, selected = (
                self._rows.channels_keys(hit[0].channels, hit[1], hit[1]),
                self._session.selection.keys,
            )
            if not all(c in selected and np.isin(k, selected[c]).all() for c, k in under.items()):
                self._session.selection.select_keys(under)
        return region

    def leave(self) -> None:
        """The pointer left."""
        if (self.hovered, self.edge, self.near) != (None, None, None):
            self.hovered = self.edge = self.near = None
            self.changed.emit(None)

    def press(self, pointer: Pointer, scrubbing: bool = False) -> Gesture | None:
        """The gesture that a press begins, already begun."""
        return self._gestures.take(self._gesture_for(pointer, scrubbing), pointer)

    def range_edge_at(self, x: float) -> RangeEdge | None:
        """The end of the play range whose bracket is under an x on the ruler."""
        return edge_at(self._session.playback, self._view.view_x, x)

    def _gesture_for(self, pointer: Pointer, scrubbing: bool) -> Gesture | None:
        playback, region = self._session.playback, self._view.layout().region(pointer.x, pointer.y)
        if pointer.button is Button.MIDDLE:
            return Pan(self._view)
        if pointer.button is not Button.LEFT:
            return None
        if scrubbing:
            return scrub_from(playback, pointer.x, playback.rate.snap, playback.rate.frame)
        if region is Region.CORNER:
            self._view.set_unit(self._view.unit.next)
            return None
        if region is Region.RULER:
            edge = self.range_edge_at(pointer.x)
            if edge is not None:
                return DragRange(playback, edge, self._time_at)
            return Scrub(
                playback, lambda x: max(self._view.axis.time(self._view.axis_x(x)), 0.0), playback.rate.snap
            )
        if region is Region.MARKERS:
            return self._press_marker(pointer)
        if region is Region.LABELS:
            self._press_label(pointer)
            return None
        late = self.span_edge_at(pointer.x, pointer.y)
        span = self.selected_span()
        if late is not None and span is not None and self._session.clip is not None:
            moving = self._session.selection.keys
            return ScaleKeys(self._session, span, late, self._time_at, self.snapping(moving))
        return self._press_keys(pointer)

    def _time_at(self, x: float) -> float:
        return self._view.axis.time(self._view.axis_x(x))

    def _press_marker(self, pointer: Pointer) -> Gesture:
        marker, playback = self._markers.marker_at(pointer.x, pointer.y), self._session.playback
        if marker is None:
            return Scrub(playback, lambda x: max(self._time_at(x), 0.0), playback.rate.snap)
        self._markers.aimed_marker = marker
        snap, offset = self.snapping({}), self._time_at(pointer.x) - marker.time

        def time_at(x: float, snapping: bool) -> float:
            time = self._time_at(x) - offset
            return snap(time) if snapping else time

        return DragMarker(self._session, marker, time_at)

    def _press_label(self, pointer: Pointer) -> None:
        number = self._view.layout().row_at(pointer.y)
        if number is None:
            return
        row = self._rows.all()[number]
        self._rows.aimed_row = row.key
        if self.arrow_at(pointer.x, row):
            self._rows.toggle_row(row)
        else:
            self._session.selection.select_keys(
                self._rows.channels_keys(row.channels, -np.inf, np.inf), mode_of(pointer)
            )

    def _press_keys(self, pointer: Pointer) -> Gesture:
        hit = self.key_at(pointer.x, pointer.y)
        if hit is None:
            return BoxKeys(self._session.selection, self.keys_in_box, self._show_box)
        row, time = hit
        under = self._rows.channels_keys(row.channels, time, time)
        mode = mode_of(pointer)
        selected = self._session.selection.keys
        chosen = all(
            channel in selected and np.isin(k, selected[channel]).all() for channel, k in under.items()
        )
        if mode is Mode.ADD or not chosen:
            self._session.selection.select_keys(under, Mode.ADD if mode is Mode.ADD else Mode.REPLACE)

        def alone() -> None:
            """A click, not a drag: only now is the rest of the selection dropped, or (Ctrl) this key."""
            if mode is Mode.REMOVE:
                self._session.selection.select_keys(selected, Mode.REPLACE)
                self._session.selection.select_keys(under, mode)
            elif chosen and mode is Mode.REPLACE:
                self._session.selection.select_keys(under)

        snap = self.snapping(self._session.selection.keys) if self._session.clip is not None else None
        return DragKeys(self._session, time, self._time_at, alone, snap)

    def _show_box(self, box: tuple[float, float, float, float] | None) -> None:
        self.box = box
        self.changed.emit(None)
