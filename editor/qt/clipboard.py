"""Ties the session's clipboard to the system's: plain text, read when it has changed and somebody asks."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from editor.model.clipboard import Clipboard


class SystemClipboard(QObject):
    """Lets a session's clipboard read and write the system's while `owner` lives."""

    def __init__(self, owner: QObject, clipboard: Clipboard) -> None:
        super().__init__(owner)
        self._system = QGuiApplication.clipboard()
        self._known: str | None = None
        self._system.dataChanged.connect(self._forget)
        clipboard.read, clipboard.write = self._read, self._write

    def _forget(self) -> None:
        self._known = None

    def _read(self) -> str:
        # Asking another program for its text takes a round trip, and menus ask often.
        if self._known is None:
            self._known = self._system.text()
        return self._known

    def _write(self, text: str) -> None:
        self._system.setText(text)
        self._known = text
