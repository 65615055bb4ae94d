"""Lists of a completer, which belong to no window, in the theme of their field's."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QCompleter, QWidget


class _Dressed(QObject):
    """Gives a list the style sheet of a field's window each time it is shown."""

    def __init__(self, popup: QWidget, field: QWidget) -> None:
        super().__init__(popup)
        self._field = field
        popup.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget):
            dressed = self._field  # or what is above it: a dialog has the sheet of its window
            while (above := dressed.parentWidget()) is not None:
                dressed = above
            if watched.styleSheet() != dressed.styleSheet():
                watched.setStyleSheet(dressed.styleSheet())
        return False


def dress(completer: QCompleter | None, field: QWidget) -> None:
    """Keep a completer's list in the theme of its field's window; call it when its mode has been set."""
    popup = None if completer is None else completer.popup()
    if popup is not None:
        _Dressed(popup, field)
