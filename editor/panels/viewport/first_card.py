"""A card over the sample character for whoever sees it for the first time: three things to do, then never again."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from editor.model.history import Step, StepKind
from editor.model.i18n import tr
from editor.model.session import Session
from editor.qt import tokens
from editor.qt.binding import Bindings
from editor.qt.theme import Theme
from editor.qt.widgets import icon_button, label

SEEN = "first_card_seen"
MARGIN = 16
SWITCHES, ABOVE_SWITCHES = 190, 56
"""Pixels at the right that the row of switches takes, and at the bottom where the card would lie on it."""
STEPS = (
    (tr("Click an arm"), tr("selects its bone")),
    (tr("Drag a ring"), tr("turns it and sets a key")),
    (tr("Space"), tr("plays and stops")),
)


class FirstCard(QWidget):
    """There from the first start with the sample until it is closed, or until something was done."""

    def __init__(self, parent: QWidget, session: Session, theme: Theme) -> None:
        super().__init__(parent)
        self._session, self._theme = session, theme
        self.setObjectName("firstCard")
        self.setCursor(Qt.CursorShape.ArrowCursor)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 12, 8, 12)
        row.setSpacing(24)
        for title, text in STEPS:
            column = QVBoxLayout()
            column.setSpacing(2)
            column.addWidget(label(title, "title"))
            words: QLabel = label(text, "caption")
            column.addWidget(words)
            row.addLayout(column)
        close = icon_button(theme, "close", tr("Close"), name="firstCardClose", token="dim", size=20)
        close.clicked.connect(self.dismiss)
        row.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)
        self.hide()
        Bindings(self).on(session.history.stepped, self._on_step)
        theme.changed.connect(self.update)

    def greet(self) -> None:
        """Show it, unless it was seen."""
        if not self._session.preferences.get(SEEN, False):
            self.show()
            self.place()

    def dismiss(self) -> None:
        """Away for good."""
        self._session.preferences.set(SEEN, True)
        self.hide()

    def _on_step(self, step: Step) -> None:
        if self.isVisible() and step.kind is StepKind.DO:
            self.dismiss()

    def place(self) -> None:
        """In the middle below the character; not in a view that has no room for it."""
        self.adjustSize()
        view = self.parentWidget()
        if self.isVisible() and (view.width() < self.width() + 2 * MARGIN or view.height() < 240):
            self.hide()
        left = (view.width() - self.width()) // 2
        free = left + self.width() + MARGIN < view.width() - SWITCHES
        self.move(left, view.height() - self.height() - (MARGIN if free else ABOVE_SWITCHES))
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._theme.color("border"))
        painter.setBrush(self._theme.color("raised", 0.96))
        painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), 2 * tokens.RADIUS, 2 * tokens.RADIUS)
        painter.end()
