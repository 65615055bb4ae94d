"""A slider for a weight between 0 and 1."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSlider

STEPS = 100


class WeightSlider(QSlider):
    """0 to 1 in hundredths; Escape takes a drag back."""

    cancelled = Signal()

    def __init__(self, name: str) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setObjectName(f"weight_{name}")
        self.setRange(0, STEPS)
        self._cancelled = False
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    def mouseMoveEvent(self, event) -> None:
        if not self._cancelled:
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event) -> None:
        value, quiet = self.value(), self._cancelled
        self.blockSignals(quiet)
        super().mouseReleaseEvent(event)
        if quiet:
            self.setValue(value)
        self.blockSignals(False)
        self._cancelled = False

    def wheelEvent(self, event) -> None:
        event.ignore()

    def event(self, event) -> bool:
        if event.type() == event.Type.ShortcutOverride and self.isSliderDown():
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event) -> None:
        if event.key() == Qt.Key.Key_Escape and self.isSliderDown():
            self.blockSignals(True)
            self.setSliderDown(False)
            self.blockSignals(False)
            self._cancelled = True  # the button is still held, and Qt would go on dragging
            self.cancelled.emit()
            return
        super().keyPressEvent(event)
