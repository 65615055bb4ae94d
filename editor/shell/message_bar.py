"""The quiet bar above the status bar: what went wrong, and the next step; good news only pass by below it."""

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMainWindow, QSizePolicy, QToolBar, QWidget

from editor.model.i18n import tr
from editor.model.messages import Level, Message
from editor.qt.theme import Theme
from editor.qt.widgets import ElidedLabel, icon_button, set_role

HEIGHT = 28
NAMES = {Level.INFO: "info", Level.WARNING: "warning", Level.ERROR: "error"}
ICONS = {
    Level.INFO: ("info", "accent"),
    Level.WARNING: ("warning", "warning"),
    Level.ERROR: ("error", "error"),
}
SECONDS = {Level.INFO: 5, Level.WARNING: 12, Level.ERROR: 0}
"""How long each stays; 0 until it is closed or replaced."""


class MessageBar(QFrame):
    """Shows the newest message; a less grave one never replaces an error that is still shown."""

    shown = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("messageBar")
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
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
        row.setContentsMargins(12, 0, 8, 0)
        row.setSpacing(12)
        row.addWidget(self._icon)
        for words in (self._text, self._next):
            words.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
            row.addWidget(words)
        row.addStretch(1)
        row.addWidget(close)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.dismiss)
        theme.changed.connect(self._tint)
        self.hide()

    def show_message(self, message: Message) -> None:
        """Show a message for as long as its level deserves."""
        if self.level is Level.ERROR and message.level is not Level.ERROR:
            return
        self.level = message.level
        set_role(self, NAMES[message.level], "level")
        self._text.set_text(message.text)
        self._next.set_text(message.next_step)
        self._next.setVisible(bool(message.next_step))
        self._tint()
        self.show()
        self.shown.emit(True)
        self._timer.stop()
        if SECONDS[message.level]:
            self._timer.start(SECONDS[message.level] * 1000)

    def dismiss(self) -> None:
        """Put it away."""
        self._timer.stop()
        self.level = None
        self.hide()
        self.shown.emit(False)

    def _tint(self) -> None:
        if self.level is not None:
            self._icon.setPixmap(self.theme.icon(*ICONS[self.level]).pixmap(QSize(16, 16)))


class MessageArea(QToolBar):
    """The bar's place at the bottom of the window; takes no room while there is nothing to say."""

    def __init__(self, theme: Theme, window: QMainWindow) -> None:
        super().__init__(tr("Messages"), window)
        self.setObjectName("messageArea")
        self.setMovable(False)
        self.setFloatable(False)
        self.setFixedHeight(HEIGHT)
        layout = self.layout()
        if layout is not None:
            layout.setContentsMargins(0, 0, 0, 0)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.toggleViewAction().setEnabled(False)
        self.bar = MessageBar(theme)
        self._action = self.addWidget(self.bar)
        self.bar.shown.connect(self.settle)
        self.settle()

    def settle(self, *_: object) -> None:
        """Be there while there is a message, whatever a stored layout says."""
        shown = self.bar.level is not None
        self._action.setVisible(shown)
        self.setVisible(shown)
