"""A standard view is come to in a short, eased move, so that one keeps one's bearings."""

import os

from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation
from PySide6.QtWidgets import QApplication, QStyle

from editor.gl import camera as cameras
from editor.gl.camera import Camera
from editor.gl.camera_controller import ViewCameraController
from editor.model.preferences import Preferences

MILLISECONDS = 120
STILL = "POSEWRIGHT_STILL"
"""Environment variable; set to anything, nothing in the window moves by itself."""
REDUCED = "reduced_motion"
"""Preference with the same effect."""


class CameraTween(QObject):
    """Moves a view to a camera step by step; whatever moves the view meanwhile ends that."""

    def __init__(self, controller: ViewCameraController, preferences: Preferences, parent: QObject) -> None:
        super().__init__(parent)
        self._controller, self._preferences = controller, preferences
        self._from = self._to = self._shown = controller.camera
        self._move = QVariantAnimation(self)
        self._move.setStartValue(0.0)
        self._move.setEndValue(1.0)
        self._move.setDuration(MILLISECONDS)
        self._move.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._move.valueChanged.connect(self._step)

    def __call__(self, camera: Camera) -> None:
        """Go to a camera."""
        self._move.stop()
        if os.environ.get(STILL) or self._preferences.get(REDUCED, False) or not _style_moves():
            self._controller.set_camera(camera)
            return
        self._from = self._shown = self._controller.camera
        self._to = camera
        self._move.start()

    def stop(self) -> None:
        """Stay where it is."""
        self._move.stop()

    def _step(self, part: float) -> None:
        if self._controller.camera != self._shown:  # the view was moved meanwhile
            self._move.stop()
            return
        self._shown = cameras.interpolate(self._from, self._to, float(part))
        self._controller.set_camera(self._shown)


def _style_moves() -> bool:
    """Whether the desktop's style has animations: it says no milliseconds where they are switched off."""
    return QApplication.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) > 0
