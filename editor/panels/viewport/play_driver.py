"""The clock of Play in the view: steps, the gamepad, the camera that follows, the captured mouse."""

import math
import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QWidget

from core.errors import UnsupportedError
from editor.gl.camera import Camera
from editor.gl.camera_controller import ViewCameraController
from editor.model.graph_run.gamepad import Gamepad, PadWatch
from editor.model.play.camera import FollowCamera
from editor.model.play.state import Play
from editor.panels.viewport.play_input import PlayInput
from editor.qt.binding import Bindings

TICK = 15
"""Milliseconds between two looks at the clock."""
PAD_LOOK = 2.0
"""Seconds between two looks for a gamepad that is not there."""
FOV = 0.9
"""Radians: wider than for posing, so that the way ahead is seen."""


def camera_of(follow: FollowCamera, yaw: float, pitch: float) -> Camera:
    """The view's camera: `yaw` and `pitch` in degrees as the person looks."""
    return Camera(
        follow.pivot, math.radians(yaw) + math.pi, -math.radians(pitch), max(follow.distance, 0.05), FOV
    )


class PlayDriver(QObject):
    """Runs Play while it is on, whichever panel is in sight.

    Attributes
    ----------
    input : takes keys and mouse while Play is on
    picture_seconds : mean seconds from one look at the clock to the next
    """

    def __init__(
        self, view: QWidget, play: Play, controller: ViewCameraController, hint: Callable[[str], None]
    ) -> None:
        super().__init__(view)
        self._hint = hint
        self._view, self._play, self._controller = view, play, controller
        self.input = PlayInput(play, self._capture)
        self._camera: Camera | None = None
        self._watch: PadWatch | None = None
        self._pad: Gamepad | None = None
        self._looked = -math.inf
        self._last = 0.0
        self.picture_seconds = 0.0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK)
        self._timer.timeout.connect(self.tick)
        Bindings(self).on(play.state_changed, lambda _: self._follow())

    def _follow(self) -> None:
        on = self._play.on
        if on == self._timer.isActive():
            return
        if on:
            self._camera = self._controller.camera
            self._watch_pads()
            self._last = time.monotonic()
            self._timer.start()
            self._view.setFocus()
            self._hint(self.input.hint)
            self._show()
        else:
            self._leave()

    def _leave(self) -> None:
        self._timer.stop()
        self._capture(False)
        self.input.release_all()
        self._drop_watch()
        self._hint("")
        if self._camera is not None:
            self._controller.set_camera(self._camera)
        self._camera = None

    def stop(self) -> None:
        """The window closes."""
        self._timer.stop()
        self._drop_watch()

    # ------------------------------------------------------------ time
    def tick(self) -> None:
        """One look at the clock."""
        now = time.monotonic()
        seconds, self._last = now - self._last, now
        known = self.picture_seconds
        self.picture_seconds = seconds if not known else 0.95 * known + 0.05 * seconds
        self._look_at_pad(now, seconds)
        self._play.tick(now)
        self._show()

    def _show(self) -> None:
        controls = self._play.controls
        self._controller.set_camera(camera_of(self._play.camera, controls.yaw, controls.pitch))

    # ------------------------------------------------------------ gamepad
    def _look_at_pad(self, now: float, seconds: float) -> None:
        if self._pad is None and self._watch is not None and now - self._looked > PAD_LOOK:
            self._looked = now
            self._pad = self._watch.look()
        if self._pad is not None:
            found = self._pad.named()
            self._play.controls.gamepad(found, min(seconds, 0.1))
            if not found:
                self._drop_pad()

    def _watch_pads(self) -> None:
        try:
            self._watch = PadWatch()
        except UnsupportedError:  # no extra: keyboard and mouse
            self._watch = None

    def _drop_watch(self) -> None:
        self._drop_pad()
        if self._watch is not None:
            self._watch.close()
        self._watch = None

    def _drop_pad(self) -> None:
        pad, self._pad = self._pad, None
        if pad is not None:
            self._play.controls.gamepad({}, 0.0)
            pad.close()

    # ------------------------------------------------------------ mouse
    def _capture(self, on: bool) -> None:
        if on == self.input.captured:
            return
        self.input.captured = on
        if on:
            self._view.grabMouse(Qt.CursorShape.BlankCursor)
            QCursor.setPos(self._view.mapToGlobal(self._centre()))
        else:
            self._view.releaseMouse()

    def _centre(self) -> QPoint:
        return self._view.rect().center()

    def moved(self, x: float, y: float) -> bool:
        """The captured mouse moved; it goes back to the middle. False where it is free."""
        if not self.input.captured:
            return False
        centre = self._centre()
        dx, dy = x - centre.x(), y - centre.y()
        if dx or dy:
            self._play.controls.look(dx, dy)
            QCursor.setPos(self._view.mapToGlobal(centre))
        return True
