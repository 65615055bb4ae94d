"""The keys of a camera of the shot above the rows of the timeline: clicked, dragged, nudged and deleted."""

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF, QWheelEvent
from PySide6.QtWidgets import QWidget

from core.shot.camera import ShotCamera, key_times
from core.timing import TIME_EPSILON, frame_text
from editor.model.i18n import tr
from editor.model.shot.state import Shot
from editor.panels.timeline.playhead import PlayheadTrail
from editor.panels.timeline.strip_parts import LanePainter, StripDrag
from editor.panels.timeline.view_model import TimelineModel
from editor.qt.binding import Bindings
from editor.qt.keys import keeps
from editor.qt.panel import PanelContext
from editor.qt.pointer import BUTTONS
from editor.tools.camera_keys import DragCameraKeys, delete, retime
from editor.tools.pointer import Button

LANE = 18
REACH, SIZE = 6.0, 5.0
"""Pixels within which a key is hit, and half the size that it is drawn in."""
ARROWS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
KEYS = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace, Qt.Key.Key_Escape, *ARROWS)
MENU = ("shot.key_camera", "shot.unkey_camera", None, "shot.look_through", "shot.lock")


class CameraStrip(QWidget):
    """One lane with the keys of the camera that is selected or looked through; not there without keys."""

    def __init__(self, context: PanelContext, model: TimelineModel) -> None:
        super().__init__()
        self.shot = context.session.feature(Shot)  # first: `event` asks both from the first event on
        self.chosen: tuple[float, ...] = ()
        self._drag = StripDrag(context, self._ended)
        self._gesture: DragCameraKeys | None = None
        self.setObjectName("cameraStrip")
        self.setAccessibleName(tr("Camera keys"))
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setFixedHeight(self.sizeHint().height())
        self._context, self._model, self._session = context, model, context.session
        self._painter = LanePainter(self, context, model.view, LANE)
        self._trail = PlayheadTrail(self, model, context.session.playback)
        bindings = Bindings(self)
        bindings.refresh(self._paint_again, model.changed)
        bindings.refresh(self._trail.follow, model.moved)
        bindings.refresh(self._renew, self.shot.changed, self._session.document.changed)
        context.theme.changed.connect(self.update)
        self._renew()

    def sizeHint(self) -> QSize:
        return QSize(400, LANE + 2)

    # ------------------------------------------------------------ what is shown
    def _paint_again(self) -> None:
        self._trail.take()
        self.update()

    def _renew(self) -> None:
        camera = self.shot.in_timeline
        times = () if camera is None else tuple(key_times(camera).tolist())
        if self._gesture is None:
            self.chosen = tuple(
                t for t in self.chosen if any(abs(t - other) <= TIME_EPSILON for other in times)
            )
        self.setVisible(bool(times))
        self.update()

    def place_of(self, time: float) -> QPointF:
        """Where the key at a time is drawn."""
        return QPointF(self._model.view.view_x(time), 1.0 + LANE / 2.0)

    def _key_at(self, x: float) -> float | None:
        """Time of the key under an x pixel."""
        camera = self.shot.in_timeline
        times = np.zeros(0) if camera is None else key_times(camera)
        if not len(times) or x < self._model.view.layout().labels:
            return None
        nearest = float(times[int(np.argmin(np.abs(times - self._seconds_at(x))))])
        return nearest if abs(self._model.view.view_x(nearest) - x) <= REACH else None

    # ------------------------------------------------------------ painting
    def paintEvent(self, event: QPaintEvent) -> None:
        self._trail.painted()
        camera = self.shot.in_timeline
        title = "" if camera is None else camera.name
        room = int(self._model.view.layout().labels) - 24
        shown = self.fontMetrics().elidedText(title, Qt.TextElideMode.ElideMiddle, room)
        self._painter.paint([(shown, False)], self._paint_keys, self._trail.time)

    def _paint_keys(self, painter: QPainter) -> None:
        camera = self.shot.in_timeline
        if camera is None:
            return
        color, moved = self._context.theme.color, self._moved()
        for time in key_times(camera).tolist():
            place = self.place_of(time)
            on = any(abs(time - other) <= TIME_EPSILON for other in moved)
            corners = ((0.0, -SIZE), (SIZE, 0.0), (0.0, SIZE), (-SIZE, 0.0))
            painter.setPen(QPen(color("window"), 1))
            painter.setBrush(color("selection" if on else "text"))
            painter.drawPolygon(QPolygonF([place + QPointF(dx, dy) for dx, dy in corners]))

    def _moved(self) -> tuple[float, ...]:
        """Times at which the chosen keys are seen."""
        shift = 0.0 if self._gesture is None else self._gesture.shift
        return tuple(time + shift for time in self.chosen)

    # ------------------------------------------------------------ mouse
    def _seconds_at(self, x: float) -> float:
        view = self._model.view
        return view.axis.time(view.axis_x(x))

    def _camera(self) -> ShotCamera | None:
        """The camera as the document has it, no drag shown."""
        return self.shot.in_timeline

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place, button = event.position(), BUTTONS.get(event.button(), Button.NONE)
        if self._drag.running:
            if button is Button.RIGHT:
                self._cancel()
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        camera, time = self._camera(), self._key_at(place.x())
        if camera is None:
            return
        if button is Button.RIGHT:
            self._context.window.menu_of(MENU, self).popup(event.globalPosition().toPoint())
            return
        if button is not Button.LEFT:
            return
        if time is None:
            self._choose(())
            return
        add = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if time not in self.chosen:
            self._choose((*self.chosen, time) if add else (time,))
        self._session.playback.pause()
        first = (time, *(other for other in self.chosen if other != time))
        self._gesture = DragCameraKeys(
            self.shot, camera, first, self._session.playback.rate, self._seconds_at
        )
        self._drag.begin(self._gesture, event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._drag.running:
            self._drag.move(event)
            self.update()
            return
        time = self._key_at(event.position().x())
        self.setCursor(Qt.CursorShape.ArrowCursor if time is None else Qt.CursorShape.SizeHorCursor)
        self.setToolTip("" if time is None else self._tip(time))

    def _tip(self, time: float) -> str:
        frame = frame_text(self._session.playback.rate.to_frame(time))
        return tr("Camera key at frame {frame}", frame=frame) + "\n" + tr(
            "Drag: another frame · Shift-click adds · double-click goes there · Delete deletes · "
            "Alt and an arrow moves it by a frame"
        )  # fmt: skip

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        time = self._key_at(event.position().x())
        if time is not None:
            self._session.playback.seek(time)
        else:
            self.mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._drag.release(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._drag.wheel(self._model.view, event)

    def _ended(self) -> None:
        moved, self._gesture = self._moved(), None
        self._choose(moved)
        self._renew()

    def _cancel(self) -> None:
        self._drag.cancel()
        self._gesture = None
        self._renew()

    def _choose(self, times: tuple[float, ...]) -> None:
        self.chosen = times
        self.update()

    # ------------------------------------------------------------ keys
    def event(self, event: QEvent) -> bool:
        """Delete, Escape and arrows are its own while it has the keyboard and a key is chosen, or one is dragged."""
        busy = bool(self.chosen) or self._drag.running
        return (busy and keeps(event, KEYS)) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        camera = self._camera()
        if event.key() == Qt.Key.Key_Escape and self._drag.running:
            self._cancel()
        elif event.key() == Qt.Key.Key_Escape:
            self._choose(())
        elif event.key() in KEYS[:2] and camera is not None and self.chosen:
            delete(self.shot, camera, self.chosen)
        elif event.key() in ARROWS and camera is not None and self.chosen and not self._drag.running:
            self._arrow(camera, ARROWS[Qt.Key(event.key())], event.modifiers())
        else:
            super().keyPressEvent(event)

    def _arrow(self, camera: ShotCamera, sign: int, modifiers: Qt.KeyboardModifier) -> None:
        """Alt moves the chosen keys by a frame; without it the next key is chosen, and the playhead goes there."""
        if modifiers & Qt.KeyboardModifier.AltModifier:
            step, now = max(sign * self._session.playback.rate.frame, -min(self.chosen)), self.chosen
            if retime(self.shot, camera, now, step):
                self._choose(tuple(time + step for time in now))
            return
        times = key_times(camera)
        nearest = int(np.argmin(np.abs(times - self.chosen[-1])))
        found = float(times[min(max(nearest + sign, 0), len(times) - 1)])
        self._choose((found,))
        self._session.playback.seek(found)
