"""What lies under the pointer in the curve editor, and which gesture a press begins. Free of Qt."""

import numpy as np

from core.clips.clip import Channel
from core.clips.keying import loop_length
from core.tracks.evaluate import evaluate_scalar
from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.selection import Mode
from editor.model.session import Session
from editor.panels.curves.curve_view import REACH, CurveView
from editor.panels.curves.handles import Handle
from editor.panels.curves.lane_list import LaneList
from editor.tools import key_edits
from editor.tools.curves import edits
from editor.tools.curves.gestures import CatchKeys, DragCurveKeys, DragHandle, Points, within
from editor.tools.curves.lanes import Curve, Lane
from editor.tools.gesture import Gesture, GestureHost
from editor.tools.key_edits import Keys
from editor.tools.pick import mode_of
from editor.tools.play_range import DragRange, RangeEdge, edge_at
from editor.tools.pointer import Button, Modifiers, Pointer
from editor.tools.scrub import Scrub, scrub_from


class _Pan(Gesture):
    """Drag the picture."""

    def __init__(self, view: CurveView) -> None:
        self._view, self._before = view, (view.axis, view.values)
        self._last: Pointer | None = None

    def begin(self, pointer: Pointer) -> None:
        self._last = pointer

    def move(self, pointer: Pointer) -> None:
        if self._last is not None:
            view = self._view
            view.set_axes(
                view.axis.panned(pointer.x - self._last.x), view.values.panned(pointer.y - self._last.y)
            )
            self._last = pointer

    def cancel(self) -> None:
        self._view.set_axes(*self._before)


class CurvePointer:
    """Finds keys, handles and curves under the pointer, and begins gestures.

    Attributes
    ----------
    changed : what is hovered, or the outline, differs
    hovered : lane and number of the key under the pointer
    outline : the box or lasso that is drawn, in pixels
    lasso : whether keys are caught by a lasso instead of a box
    scrubbing : whether a press scrubs
    """

    def __init__(self, session: Session, lanes: LaneList, view: CurveView, gestures: GestureHost) -> None:
        self._session = session
        self._lanes = lanes
        self._view = view
        self._gestures = gestures
        self.changed: Event[None] = Event()
        self.hovered: tuple[Lane, int] | None = None
        self.outline: Points | None = None
        self.lasso = False
        self.scrubbing = False

    # -------------------------------------------------- hits
    def handle_at(self, x: float, y: float) -> Handle | None:
        """The handle under a place."""
        near = [(np.hypot(h.place[0] - x, h.place[1] - y), n) for n, h in enumerate(self._view.handles())]
        found = min(near, default=(np.inf, 0))
        return self._view.handles()[found[1]] if found[0] <= REACH else None

    def key_at(self, x: float, y: float) -> tuple[Lane, int] | None:
        """The key under a place; of several the selected one, then one of a bright curve. None of a result."""
        if self._lanes.result is not None:
            return None
        time, reach = self._view.axis.time(x), REACH / self._view.axis.scale
        bright, selected = self._lanes.bright(), self._session.selection.keys
        best: tuple[float, Lane, int] | None = None
        for curve in self._lanes.curves():
            times = curve.track.times
            a, b = np.searchsorted(times, (time - reach, time + reach))
            if a == b or curve.lane in self._lanes.locked:
                continue
            xs, ys = self._view.key_places(curve, slice(int(a), int(b)))
            far = np.hypot(xs - x, ys - y)
            number = int(np.argmin(far))
            distance, key = float(far[number]), int(a) + number
            if distance > REACH:
                continue
            if curve.lane.channel in selected and key in selected[curve.lane.channel]:
                distance -= REACH
            if curve.lane in bright:
                distance -= REACH / 2.0
            if best is None or distance < best[0]:
                best = distance, curve.lane, key
        return None if best is None else (best[1], best[2])

    def lane_at(self, x: float, y: float, reach: float = REACH) -> Lane | None:
        """The curve that passes under a place; a bright one first."""
        bright = self._lanes.bright()
        best: tuple[float, Lane | None] = (np.inf, None)
        for curve in self._lanes.curves():
            level = self.value_at(curve, self._view.axis.time(x))
            near = self.value_at(curve, self._view.axis.time(x + 1.0))
            fit = self._view.fit_of(curve.lane)
            y0, y1 = self._view.values.y(fit.on(level)), self._view.values.y(fit.on(near))
            distance = abs(y0 - y) / float(np.hypot(1.0, y1 - y0)) - (2.0 if curve.lane in bright else 0.0)
            if distance < best[0]:
                best = distance, curve.lane
        return best[1] if best[0] <= reach else None

    def value_at(self, curve: Curve, time: float) -> float:
        """Value of a curve at a time."""
        clip = self._lanes.clip
        if curve.line is not None:
            return float(np.interp(time, *curve.line))
        track = curve.scalar
        assert track is not None and clip is not None
        return float(evaluate_scalar(track, np.array([time]), loop_length(clip))[0])

    def keys_in(self, points: Points) -> Keys:
        """Keys within an outline in pixels."""
        if self._lanes.result is not None:
            return {}
        outline = np.array(points)
        start, end = (
            self._view.axis.time(float(outline[:, 0].min())),
            self._view.axis.time(float(outline[:, 0].max())),
        )
        found: dict[Channel, list[key_edits.Numbers]] = {}
        for curve in self._lanes.curves():
            if curve.lane in self._lanes.locked:
                continue
            a, b = np.searchsorted(curve.track.times, (start, np.nextafter(end, np.inf)))
            if a < b:
                inside = within(points, *self._view.key_places(curve, slice(int(a), int(b))))
                numbers = np.flatnonzero(inside) + int(a)
                if len(numbers):
                    found.setdefault(curve.lane.channel, []).append(numbers)
        return {
            c: rows[0] if len(rows) == 1 else np.unique(np.concatenate(rows)) for c, rows in found.items()
        }

    # -------------------------------------------------- the pointer
    def hover(self, x: float, y: float) -> None:
        """The pointer moved with no button held."""
        found = self.key_at(x, y)
        if found != self.hovered:
            self.hovered = found
            self.changed.emit(None)

    def press(self, pointer: Pointer) -> Gesture | None:
        """The gesture that a press begins, already begun."""
        return self._gestures.take(self._gesture_for(pointer), pointer)

    def press_ruler(self, pointer: Pointer) -> Gesture | None:
        """Scrub from the ruler, or drag an end of the play range."""
        if pointer.button is not Button.LEFT or self._session.clip is None:
            return None
        playback, edge = self._session.playback, self.range_edge_at(pointer.x)
        if edge is not None:
            return self._gestures.take(DragRange(playback, edge, self._view.axis.time), pointer)
        scrub = Scrub(playback, lambda x: max(self._view.axis.time(x), 0.0), playback.rate.snap)
        return self._gestures.take(scrub, pointer)

    def range_edge_at(self, x: float) -> RangeEdge | None:
        """The end of the play range whose bracket is under an x on the ruler."""
        return edge_at(self._session.playback, self._view.axis.x, x)

    def _gesture_for(self, pointer: Pointer) -> Gesture | None:
        if pointer.button is Button.MIDDLE:
            return _Pan(self._view)
        if pointer.button is not Button.LEFT or self._session.clip is None:
            return None
        if self.scrubbing:
            playback = self._session.playback
            return scrub_from(playback, pointer.x, playback.rate.snap, playback.rate.frame)
        handle = self.handle_at(pointer.x, pointer.y)
        hit = self.key_at(pointer.x, pointer.y)
        if handle is not None and (hit is None or self._far(pointer, handle.key_place) > REACH / 2.0):
            return DragHandle(
                self._session, self._lanes, self._view, handle.lane, handle.key, handle.side,
                handle.key_place, handle.weighted,
            )  # fmt: skip
        if hit is not None:
            return self._press_key(pointer, *hit)
        lasso = self.lasso != pointer.has(Modifiers.ALT)
        return CatchKeys(self._session, self.keys_in, self._show_outline, self._click_ground, lasso)

    @staticmethod
    def _far(pointer: Pointer, place: tuple[float, float]) -> float:
        return float(np.hypot(pointer.x - place[0], pointer.y - place[1]))

    def _press_key(self, pointer: Pointer, lane: Lane, key: int) -> Gesture:
        selection, mode = self._session.selection, mode_of(pointer)
        under = {lane.channel: np.array([key])}
        selected = lane.channel in selection.keys and key in selection.keys[lane.channel]
        curve = self._lanes.curve(lane)
        assert curve is not None
        if not selected and mode is not Mode.REMOVE:
            selection.select_keys(under, mode)
        several = selected

        def click() -> None:
            if selected and mode is Mode.REMOVE:
                selection.select_keys(under, Mode.REMOVE)
            elif several and mode is Mode.REPLACE:
                selection.select_keys(under)

        return DragCurveKeys(
            self._session, self._lanes, self._view, lane, float(curve.track.times[key]), click
        )

    def _click_ground(self, pointer: Pointer) -> None:
        lane = self.lane_at(pointer.x, pointer.y, 12.0 if pointer.has(Modifiers.CTRL) else REACH)
        if pointer.has(Modifiers.CTRL):
            self.insert_at(pointer.x, lane)
        elif lane is not None:
            chosen = self._lanes.chosen ^ {lane} if pointer.has(Modifiers.SHIFT) else {lane}
            self._lanes.set_flag("chosen", chosen)
        elif not pointer.has(Modifiers.SHIFT):
            self._session.selection.select_keys({})
            self._lanes.set_flag("chosen", ())

    def insert_at(self, x: float, lane: Lane | None) -> bool:
        """Add a key on a curve at a pixel without changing its shape."""
        clip = self._session.clip
        if clip is None or lane is None:
            self._session.messages.info(tr("No curve here"), tr("Ctrl+click on a curve to add a key"))
            return False
        if self._lanes.result is not None:
            self._session.messages.warn(
                tr("The result of all layers cannot be edited"), tr("Show the layer's curves to edit them")
            )
            return False
        if not self._lanes.editable({lane.channel: np.zeros(1, np.int64)}):
            return False
        time = self._view.axis.time(x)
        if self._session.switches["snap"]:
            time = clip.rate.snap(time)
        result = edits.inserted(clip, lane.channel, time)
        done = self._session.edits.put(
            tr("Add key on {bone} {lane}", bone=lane.channel.bone, lane=lane.name), result.clip
        )
        self._session.selection.select_keys(result.keys)
        return done

    def _show_outline(self, points: Points | None) -> None:
        self.outline = points
        self.changed.emit(None)
