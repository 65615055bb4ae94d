"""The timeline without its widget: time axis, rows, what lies where, which gesture begins. Free of Qt."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.clips.clip import Channel, Clip, Marker
from editor.model.selection import Mode
from editor.panels.timeline.gestures import DragRange, Pan, RangeEdge
from editor.panels.timeline.layout import ARROW, EDGE, INDENT, REACH, Region
from editor.panels.timeline.shown import TimelineShown
from editor.tools import key_edits, markers
from editor.tools.gesture import Gesture, GestureHost
from editor.tools.key_drag import BoxKeys, DragKeys, ScaleKeys, Snapping
from editor.tools.markers import DragMarker
from editor.tools.pick import mode_of
from editor.tools.pointer import Button, Pointer
from editor.tools.rows import Row
from editor.tools.scrub import Scrub, scrub_from

KeyNumbers = dict[Channel, npt.NDArray[np.int64]]
MOST_STOPS = 100_000


class TimelineModel(GestureHost, TimelineShown):
    """State of one timeline, with the hands that work in it."""

    def select_row(self) -> None:
        """Select the keys of the row aimed at."""
        row = next((row for row in self.rows() if row.key == self.aimed_row), None)
        if row is not None:
            self.session.selection.select_keys(self.channels_keys(row.channels, -np.inf, np.inf))

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
        return self.take(self._gesture_for(pointer, scrubbing), pointer)

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
                return DragRange(self, self.session.playback, edge)
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
            """A click, not a drag: only now is the rest of the selection dropped, or (Ctrl) this key."""
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
