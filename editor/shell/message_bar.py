"""The quiet bar: what happened, and the next step; nothing to click away in a hurry."""

from PySide6.QtCore import QSize, QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QWidget

from editor.model.i18n import tr
from editor.model.messages import Level, Message
from editor.qt.theme import Theme
from editor.qt.widgets import ElidedLabel, icon_button, set_role

NAMES = {Level.INFO: "info", Level.WARNING: "warning", Level.ERROR: "error"}
ICONS = {Level.INFO: ("info", "accent"), Level.WARNING: ("warning", "warning"), Level.ERROR: ("error", "error")}
SECONDS = {Level.INFO: 5, Level.WARNING: 12, Level.ERROR: 0}
"""How long each stays; 0 until it is closed or replaced."""


class MessageBar(QFrame):
    """Shows the newest message; a less grave one never replaces an error that is still shown."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("messageBar")
        self.setFixedHeight(28)
        self.theme = theme
        self.level: Level | None = None
        self._icon = QLabel()
        self._text = ElidedLabel()
        self._text.setObjectName("messageText")
        self._next = ElidedLabel(role="dim")
        self._next.setObjectName("messageNextStep")
        close = icon_button(theme, "close", tr("Close"), name="closeMessage", token="dim", size=20)
        close.clicked.connect(self.dismiss)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 4, 0)
        row.setSpacing(8)
        row.addWidget(self._icon)
        row.addWidget(self._text, 3)
        row.addWidget(self._next, 2)
        row.addWidget(close)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.dismiss)
        theme.changed.connect(self._tint)
        self.hide()

    def show_message(self, message: Message) -> None:
        """Show a message for as long as its level deserves."""
        if self.isVisible() and self.level is Level.ERROR and message.level is not Level.ERROR:
            return
        self.level = message.level
        set_role(self, NAMES[message.level], "level")
        self._text.set_text(message.text)
        self._next.set_text(message.next_step)
        self._next.setVisible(bool(message.next_step))
        self._tint()
        self.show()
        self._timer.stop()
        if SECONDS[message.level]:
            self._timer.start(SECONDS[message.level] * 1000)

    def dismiss(self) -> None:
        """Put it away."""
        self._timer.stop()
        self.level = None
        self.hide()

    def _tint(self) -> None:
        if self.level is not None:
            self._icon.setPixmap(self.theme.icon(*ICONS[self.level]).pixmap(QSize(16, 16)))
