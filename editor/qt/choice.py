"""Boxes of panels: a choice that the wheel leaves alone in passing, and a check box that the keyboard reaches."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSignalBlocker, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from editor.qt.keys import keeps


class ChoiceBox(QComboBox):
    """A `QComboBox` that the wheel changes only where it has the keyboard, so that panels scroll under it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_choices(
        self, choices: Sequence[tuple[str, object]], chosen: object, otherwise: int = -1
    ) -> None:
        """Show these entries, without a signal.

        Entries that stay the same are not made again: a panel may be refreshed while its list is open, and a click
        on a list that is made again between press and release chooses nothing.

        Parameters
        ----------
        choices : text and data of each entry
        chosen : data of the current entry
        otherwise : the current entry's index where no entry has that data
        """
        with QSignalBlocker(self):
            if [(self.itemText(k), self.itemData(k)) for k in range(self.count())] != list(choices):
                self.clear()
                for text, data in choices:
                    self.addItem(text, data)
            self.setCurrentIndex(
                next((k for k, (_, data) in enumerate(choices) if data == chosen), otherwise)
            )

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
