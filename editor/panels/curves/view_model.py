"""The curve editor without its widget: lanes, axes, what lies where, which gesture begins. Free of Qt."""

import numpy as np

from core.clips.clip import Channel
from core.clips.keying import loop_length
from core.tracks.evaluate import evaluate_scalar
from editor.model.i18n import tr
from editor.model.selection import Mode
from editor.panels.curves.handles import Handle
from editor.panels.curves.shown import REACH, ShownCurves
from editor.tools import key_edits
from editor.tools.curves import edits
from editor.tools.curves.gestures import CatchKeys, DragCurveKeys, DragHandle, Points, within
from editor.tools.curves.lanes import Curve, Lane
from editor.tools.gesture import Gesture, GestureHost
from editor.tools.key_edits import Keys
from editor.tools.pick import mode_of
from editor.tools.pointer import Button, Modifiers, Pointer
from editor.tools.scrub import Scrub, scrub_from


class _Pan(Gesture):
    """Drag the picture."""

    def __init__(self, model: "CurvesModel") -> None:
        self._model, self._before = model, (model.axis, model.values)
        self._last: Pointer | None = None

    def begin(self, pointer: Pointer) -> None:
        self._last = pointer

    def move(self, pointer: Pointer) -> None:
        if self._last is not None:
            model = self._model
            model.set_axes(
                model.axis.panned(pointer.x - self._last.x), model.values.panned(pointer.y - self._last.y)
            )
            self._last = pointer

    def cancel(self) -> None:
        self._model.set_axes(*self._before)


class CurvesModel(GestureHost, ShownCurves):
    """What the curve editor shows, and what hands do in it."""

    # -------------------------------------------------- hits
    def handle_at(self, x: float, y: float) -> Handle | None:
        """The handle under a place."""
        near = [(np.hypot(h.place[0] - x, h.place[1] - y), n) for n, h in enumerate(self.handles())]
        found = min(near, default=(np.inf, 0))
        return self.handles()[found[1]] if found[0] <= REACH else None

    def key_at(self, x: float, y: float) -> tuple[Lane, int] | None:
        """The key under a place; of several the selected one, then one of a bright curve."""
        time, reach = self.axis.time(x), REACH / self.axis.scale
        bright, selected = self.bright(), self.session.selection.keys
        best: tuple[float, Lane, int] | None = None
        for curve in self.curves():
            times = curve.track.times
            a, b = np.searchsorted(times, (time - reach, time + reach))
            if a == b or curve.lane in self.locked:
                continue
            xs, ys = self.key_places(curve, slice(int(a), int(b)))
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
        bright = self.bright()
        best: tuple[float, Lane | None] = (np.inf, None)
        for curve in self.curves():
            level = self.value_at(curve, self.axis.time(x))
            near = self.value_at(curve, self.axis.time(x + 1.0))
            fit = self.fit_of(curve.lane)
            y0, y1 = self.values.y(fit.on(level)), self.values.y(fit.on(near))
            distance = abs(y0 - y) / float(np.hypot(1.0, y1 - y0)) - (2.0 if curve.lane in bright else 0.0)
            if distance < best[0]:
                best = distance, curve.lane
        return best[1] if best[0] <= reach else None

    def value_at(self, curve: Curve, time: float) -> float:
        """Value of a curve at a time."""
        clip = self.clip
        if curve.line is not None:
            return float(np.interp(time, *curve.line))
        track = curve.scalar
        assert track is not None and clip is not None
        return float(evaluate_scalar(track, np.array([time]), loop_length(clip))[0])

    def keys_in(self, points: Points) -> Keys:
        """Keys within an outline in pixels."""
        outline = np.array(points)
        start, end = self.axis.time(float(outline[:, 0].min())), self.axis.time(float(outline[:, 0].max()))
        found: dict[Channel, list[key_edits.Numbers]] = {}
        for curve in self.curves():
            if curve.lane in self.locked:
                continue
            a, b = np.searchsorted(curve.track.times, (start, np.nextafter(end, np.inf)))
            if a < b:
                inside = within(points, *self.key_places(curve, slice(int(a), int(b))))
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
            self._repaint()

    def press(self, pointer: Pointer) -> Gesture | None:
        """The gesture that a press begins, already begun."""
        return self.take(self._gesture_for(pointer), pointer)

    def press_ruler(self, pointer: Pointer) -> Gesture | None:
        """Scrub from the ruler."""
        if pointer.button is not Button.LEFT or self.session.clip is None:
            return None
        playback = self.session.playback
        scrub = Scrub(playback, lambda x: max(self.axis.time(x), 0.0), playback.rate.snap)
        return self.take(scrub, pointer)

    def _gesture_for(self, pointer: Pointer) -> Gesture | None:
        if pointer.button is Button.MIDDLE:
            return _Pan(self)
        if pointer.button is not Button.LEFT or self.session.clip is None:
            return None
        if self.scrubbing:
            playback = self.session.playback
            return scrub_from(playback, pointer.x, playback.rate.snap, playback.rate.frame)
        handle = self.handle_at(pointer.x, pointer.y)
        hit = self.key_at(pointer.x, pointer.y)
        if handle is not None and (hit is None or self._far(pointer, handle.key_place) > REACH / 2.0):
            return DragHandle(self, handle.lane, handle.key, handle.side, handle.key_place, handle.weighted)
        if hit is not None:
            return self._press_key(pointer, *hit)
        lasso = self.lasso != pointer.has(Modifiers.ALT)
        return CatchKeys(self.session, self.keys_in, self._show_outline, self._click_ground, lasso)

    @staticmethod
    def _far(pointer: Pointer, place: tuple[float, float]) -> float:
        return float(np.hypot(pointer.x - place[0], pointer.y - place[1]))

    def _press_key(self, pointer: Pointer, lane: Lane, key: int) -> Gesture:
        selection, mode = self.session.selection, mode_of(pointer)
        under = {lane.channel: np.array([key])}
        selected = lane.channel in selection.keys and key in selection.keys[lane.channel]
        curve = self.curve(lane)
        assert curve is not None
        if not selected and mode is not Mode.REMOVE:
            selection.select_keys(under, mode)
        several = selected

        def click() -> None:
            if selected and mode is Mode.REMOVE:
                selection.select_keys(under, Mode.REMOVE)
            elif several and mode is Mode.REPLACE:
                selection.select_keys(under)

        return DragCurveKeys(self, lane, float(curve.track.times[key]), click)

    def _click_ground(self, pointer: Pointer) -> None:
        lane = self.lane_at(pointer.x, pointer.y, 12.0 if pointer.has(Modifiers.CTRL) else REACH)
        if pointer.has(Modifiers.CTRL):
            self.insert_at(pointer.x, lane)
        elif lane is not None:
            chosen = self.chosen ^ {lane} if pointer.has(Modifiers.SHIFT) else {lane}
            self.set_flag("chosen", chosen)
        elif not pointer.has(Modifiers.SHIFT):
            self.session.selection.select_keys({})
            self.set_flag("chosen", ())

    def insert_at(self, x: float, lane: Lane | None) -> bool:
        """Add a key on a curve at a pixel without changing its shape."""
        clip = self.session.clip
        if clip is None or lane is None:
            self.session.messages.info(tr("No curve here"), tr("Ctrl+click on a curve to add a key"))
            return False
        if not self.editable({lane.channel: np.zeros(1, np.int64)}):
            return False
        time = self.axis.time(x)
        if self.session.switches["snap"]:
            time = clip.rate.snap(time)
        result = edits.inserted(clip, lane.channel, time)
        done = self.session.edits.put(
            tr("Add key on {bone} {lane}", bone=lane.channel.bone, lane=lane.name), result.clip
        )
        self.session.selection.select_keys(result.keys)
        return done

    def _show_outline(self, points: Points | None) -> None:
        self.outline = points
        self._repaint()
