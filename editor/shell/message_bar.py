"""The notice over the window: what went wrong, and the next step; good news only pass by in the status bar."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCursor, QEnterEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMainWindow, QPushButton, QSizePolicy, QWidget

from editor.model.i18n import tr
from editor.model.messages import Level, Message
from editor.qt.theme import Theme
from editor.qt.widgets import ElidedLabel, icon_button, set_role

HEIGHT, MARGIN, WIDEST = 32, 12, 900
NAMES = {Level.INFO: "info", Level.WARNING: "warning", Level.ERROR: "error"}
ICONS = {
    Level.INFO: ("info", "accent"),
    Level.WARNING: ("warning", "warning"),
    Level.ERROR: ("error", "error"),
}
SECONDS = {Level.INFO: 5, Level.WARNING: 12, Level.ERROR: 0}
"""How long each stays; 0 until it is closed, replaced or resolved."""


class MessageBar(QFrame):
    """Shows the newest message; a less grave one never replaces an error that is still shown.

    Attributes
    ----------
    wanted : the id of the action behind a message's button was asked for
    """

    shown = Signal(bool)
    wanted = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("messageBar")
        self.setFixedHeight(HEIGHT)
        self.theme = theme
        self.level: Level | None = None
        self._action = ""
        self._icon = QLabel()
        self._text = ElidedLabel()
        self._text.setObjectName("messageText")
        self._next = ElidedLabel(role="dim")
        self._next.setObjectName("messageNextStep")
        self.button = QPushButton()
        self.button.setObjectName("messageAction")
        self.button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.button.clicked.connect(self._act)
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
        row.addWidget(self.button)
        row.addWidget(close)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.dismiss)
        theme.changed.connect(self._tint)
        self.hide()

    def show_message(self, message: Message, title: str = "") -> None:
        """Show a message for as long as its level deserves; `title` is what its action's button says."""
        if self.level is Level.ERROR and message.level is not Level.ERROR:
            return
        self.level, self._action = message.level, message.action
        set_role(self, NAMES[message.level], "level")
        self._text.set_text(message.text)
        self._next.set_text(message.next_step)
        self._next.setVisible(bool(message.next_step))
        self.button.setText(title)
        self.button.setVisible(bool(message.action))
        self._tint()
        self.shown.emit(True)
        self._start_timer()

    def _start_timer(self) -> None:
        self._timer.stop()
        if self.level is not None and SECONDS[self.level]:
            self._timer.start(SECONDS[self.level] * 1000)

    def enterEvent(self, event: QEnterEvent) -> None:
        """It stays while the pointer is on it: a click on its button must not go to what lies below."""
        super().enterEvent(event)
        self._timer.stop()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._start_timer()

    def dismiss(self) -> None:
        """Put it away."""
        self._timer.stop()
        self.level = None
        self.hide()
        self.shown.emit(False)

    def resolve(self) -> None:
        """What failed before has gone well now: an error that is still shown goes."""
        if self.level is Level.ERROR:
            self.dismiss()

    def _act(self) -> None:
        action = self._action
        self.dismiss()
        self.wanted.emit(action)

    def _tint(self) -> None:
        if self.level is not None:
            self._icon.setPixmap(self.theme.icon(*ICONS[self.level]).pixmap(QSize(16, 16)))


class MessageArea(QObject):
    """Lays the bar over the lower edge of the window, where it moves nothing; elsewhere if the pointer is there."""

    def __init__(self, theme: Theme, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.bar = MessageBar(theme, window)
        self.bar.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.bar.shown.connect(self._on_shown)
        window.installEventFilter(self)

    def _on_shown(self, shown: bool) -> None:
        if not shown:
            return
        pointer = self._window.mapFromGlobal(QCursor.pos())
        self._place(pointer)
        self.bar.show()
        self.bar.raise_()

    def _place(self, pointer: QPoint | None = None) -> None:
        """Above the status bar, or below the tool bar where the pointer is in the way."""
        window = self._window
        wide = min(WIDEST, window.width() - 2 * MARGIN, max(self.bar.sizeHint().width(), 360))
        left = (window.width() - wide) // 2
        low = window.statusBar().geometry().top() - HEIGHT - MARGIN
        spot = QRect(left, low, wide, HEIGHT)
        if pointer is not None and spot.adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN).contains(pointer):
            spot.moveTop(window.centralWidget().geometry().top() + MARGIN)
        self.bar.setGeometry(spot)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.bar.level is not None:
            self._place()
        return False
