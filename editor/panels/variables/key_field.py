"""A field that takes the next key that is pressed."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QPushButton

from editor.model.i18n import tr
from editor.panels.variables.keyboard import LONE, key_name
from editor.qt.theme import Theme


class KeyField(QPushButton):
    """Click it, then press the key; Escape cancels.

    Attributes
    ----------
    chosen : the key that was pressed, as bindings name it
    """

    chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("variableKey")
        self._text = ""
        self.waiting = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setToolTip(tr("Click, then press the key that sets the variable while the run goes on"))
        self.clicked.connect(self._begin)
        self.show_text("")

    def show_text(self, text: str) -> None:
        """Show the keys that are chosen."""
        self._text = text
        if not self.waiting:
            self.setText(text or tr("None"))

    def _begin(self) -> None:
        self.waiting = True
        self.setText(tr("Press a key…"))

    def _end(self) -> None:
        self.waiting = False
        self.show_text(self._text)

    def event(self, event: QEvent) -> bool:
        if self.waiting and isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:
                self._take(event)
                return True
        return super().event(event)

    def _take(self, event: QKeyEvent) -> None:
        if Qt.Key(event.key()) in LONE:
            return
        self._end()
        if event.key() != Qt.Key.Key_Escape:
            self.chosen.emit(key_name(event))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._end()
        super().focusOutEvent(event)
