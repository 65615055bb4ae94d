"""The notice over the window: what went wrong, and the next step; good news only pass by in the status bar."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCursor, QEnterEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from editor.model.i18n import tr
from editor.model.messages import Level, Message
from editor.qt.theme import Theme
from editor.qt.widgets import icon_button, label, set_role

HEIGHT, MARGIN, WIDEST, NARROWEST = 32, 12, 900, 360
SPACING, PADDING, BORDER = 12, 8, 1
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

    What it says is always there as a whole: on one line where there is room, else on as many as it needs.

    Attributes
    ----------
    wanted : the id of the action behind a message's button was asked for
    """

    shown = Signal(bool)
    wanted = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("messageBar")
        self.theme = theme
        self.level: Level | None = None
        self._action = ""
        self._icon = QLabel()
        self._message = "", ""
        self._text, self._next = label(), label(role="dim")
        self._text.setObjectName("messageText")
        self._next.setObjectName("messageNextStep")
        self.button = QPushButton()
        self.button.setObjectName("messageAction")
        self.button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.button.clicked.connect(self._act)
        self._close = icon_button(theme, "close", tr("Close"), name="closeMessage", token="dim", size=20)
        self._close.clicked.connect(self.dismiss)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 8, 0)
        row.setSpacing(SPACING)
        row.addWidget(self._icon)
        self._words = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._words.addWidget(self._text)
        self._words.addWidget(self._next)
        self._words.addStretch(1)
        row.addLayout(self._words, 1)
        row.addWidget(self.button)
        row.addWidget(self._close)
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
        self._message = message.text, message.next_step
        self._next.setVisible(bool(message.next_step))
        self.button.setText(title)
        self.button.setVisible(bool(message.action))
        self._tint()
        self.shown.emit(True)
        self._start_timer()

    def fitted(self, most: int) -> QSize:
        """Lay the words out for a width of at most `most` pixels; how large the bar is then."""
        labels = [words for words in (self._text, self._next) if words is self._text or self._message[1]]
        for words, text in zip((self._text, self._next), self._message, strict=True):
            words.setWordWrap(False)
            words.setText(text)
        row = self.layout()
        assert row is not None
        beside = (
            row.contentsMargins().left() + row.contentsMargins().right() + 2 * self.frameWidth() + SPACING
        )
        for other in (self._icon, self.button, self._close):
            if not other.isHidden():
                beside += other.sizeHint().width() + SPACING
        one_line = beside + sum(words.sizeHint().width() for words in labels) + SPACING * (len(labels) - 1)
        if one_line <= most and not any("\n" in text for text in self._message):
            self._words.setDirection(QBoxLayout.Direction.LeftToRight)
            self._words.setSpacing(SPACING)
            self._words.setContentsMargins(0, 0, 0, 0)
            return QSize(max(one_line, NARROWEST), HEIGHT)
        self._words.setDirection(QBoxLayout.Direction.TopToBottom)
        self._words.setSpacing(2)
        self._words.setContentsMargins(0, PADDING, 0, PADDING)
        tall = 2 * (PADDING + BORDER) + 2 * (len(labels) - 1)
        for words, text in zip((self._text, self._next), self._message, strict=True):
            words.setWordWrap(True)
            words.setText(breakable(text))
            tall += words.heightForWidth(most - beside) if words in labels else 0
        return QSize(most, max(tall, HEIGHT))

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


def breakable(text: str) -> str:
    """The text with places at which long paths may be broken."""
    return text.replace("/", "/\u200b").replace("\\", "\\\u200b")


class MessageArea(QObject):
    """Lays the bar over the lower edge of the window, where it moves nothing; elsewhere if the pointer is there."""

    def __init__(self, theme: Theme, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.bar = MessageBar(theme, window)
        self.bar.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.bar.shown.connect(self._on_shown)

    def _on_shown(self, shown: bool) -> None:
        self._window.removeEventFilter(self)
        if not shown:
            return
        self._window.installEventFilter(self)  # only meanwhile: it hears every event of the window
        pointer = self._window.mapFromGlobal(QCursor.pos())
        self._place(pointer)
        self.bar.show()
        self.bar.raise_()

    def _place(self, pointer: QPoint | None = None) -> None:
        """Above the status bar, or below the tool bar where the pointer is in the way."""
        window = self._window
        size = self.bar.fitted(min(WIDEST, window.width() - 2 * MARGIN))
        left = (window.width() - size.width()) // 2
        low = window.statusBar().geometry().top() - size.height() - MARGIN
        spot = QRect(QPoint(left, low), size)
        if pointer is not None and spot.adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN).contains(pointer):
            spot.moveTop(window.centralWidget().geometry().top() + MARGIN)
        self.bar.setGeometry(spot)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.bar.level is not None:
            self._place()
        return False
