"""Boxes of panels: a choice that the wheel leaves alone in passing, and a check box that the keyboard reaches."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from editor.qt.keys import keeps


class ChoiceBox(QComboBox):
    """A `QComboBox` that the wheel changes only where it has the keyboard, so that panels scroll under it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class KeyCheckBox(QCheckBox):
    """A `QCheckBox` that Space checks once Tab has reached it, though Space plays in the window.

    A click gives it no focus: Space plays on after it.
    """

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def event(self, event: QEvent) -> bool:
        """Space is its own while it has the keyboard."""
        return keeps(event, (Qt.Key.Key_Space,)) or super().event(event)
