"""What painted lanes over time have in common as widgets: a hint in the status bar, and keys kept for themselves."""

from collections.abc import Collection

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QWidget

from editor.qt.keys import keeps
from editor.qt.panel import WindowServices


class TimeLanes(QWidget):
    """Lanes that are painted whole, and follow the pointer.

    Parameters
    ----------
    name, title : object name, and what screen readers say
    keys : keys that are wanted here although they are shortcuts elsewhere
    """

    def __init__(self, name: str, title: str, window: WindowServices, keys: Collection[Qt.Key]) -> None:
        super().__init__()
        self._window, self._keys = window, keys
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def say(self, hint: str) -> None:
        """Show a hint until the pointer leaves."""
        self._window.set_hint(hint)

    def leaveEvent(self, event: QEvent) -> None:
        self._window.set_hint("")
        super().leaveEvent(event)

    def event(self, event: QEvent) -> bool:
        return keeps(event, self._keys) or super().event(event)
