"""A name typed in its place: Enter or leaving takes it, Esc gives it up."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget


class NameField(QLineEdit):
    """Goes away by itself once it has an answer.

    Parameters
    ----------
    done : gets what was typed; not called after Esc
    """

    def __init__(self, name: str, done: Callable[[str], None], parent: QWidget) -> None:
        super().__init__(name, parent)
        self._done: Callable[[str], None] | None = done
        self.returnPressed.connect(lambda: self._end(True))

    def open(self) -> None:
        """Show it with the name selected."""
        self.show()
        self.setFocus()
        self.selectAll()

    def _end(self, accept: bool) -> None:
        done, self._done = self._done, None
        if done is None:
            return
        parent = self.parentWidget()
        self.hide()
        self.deleteLater()
        if parent is not None:
            parent.setFocus()
        if accept:
            done(self.text())

    def event(self, event: QEvent) -> bool:
        """Esc is no shortcut here."""
        override = event.type() == QEvent.Type.ShortcutOverride
        if override and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._end(False)
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._end(True)
