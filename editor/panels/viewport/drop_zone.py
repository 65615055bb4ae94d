"""What lies over an empty view: where files are dropped, which ones, and what is being opened."""

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

import core.io
from editor.model.i18n import tr
from editor.model.session import Session
from editor.qt import tokens
from editor.qt.binding import Bindings
from editor.qt.theme import Theme

WIDE, HIGH, MARGIN = 440.0, 168.0, 16.0
ICON = 28
ROOM = 24.0
"""Pixels that are kept free at each side of the words."""


def formats_told() -> str:
    """The endings of what can be read, in the order of the formats."""
    suffixes = dict.fromkeys(s for f in core.io.formats() if f.can_read for s in f.suffixes)
    return "  ".join(suffixes)


class DropZone(QWidget):
    """Takes no mouse: the window takes the files. Hidden while a character is shown and nothing happens.

    Three states: `over` while files are held over the window, `opening` while one is read, `empty` while there is no
    character.
    """

    def __init__(self, parent: QWidget, session: Session, theme: Theme) -> None:
        super().__init__(parent)
        self._session, self._theme = session, theme
        self._empty = self._over = False
        self.setObjectName("dropZone")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.hide()
        Bindings(self).refresh(self._refresh, session.jobs.changed)
        theme.changed.connect(self.update)

    @property
    def state(self) -> str:
        """What it shows: "over", "opening", "empty" or nothing."""
        if self._over:
            return "over"
        if self._session.jobs.opening:
            return "opening"
        return "empty" if self._empty else ""

    @property
    def words(self) -> tuple[str, str, str]:
        """Title and two lines below it, as shown."""
        if self.state == "opening":
            return tr("Opening {name}…", name=self._session.jobs.opening), "", ""
        if self.state == "over":
            return tr("Drop to open or import"), formats_told(), ""
        if self.state == "empty":
            hint = tr("or File › Open (Ctrl+O) · Open the sample character")
            return tr("Drop a character or animation here"), formats_told(), hint
        return "", "", ""

    def show_empty(self, empty: bool) -> None:
        """Whether there is no character."""
        self._empty = empty
        self._refresh()

    def show_over(self, over: bool) -> None:
        """Whether files are held over the window."""
        self._over = over
        self._refresh()

    def _refresh(self) -> None:
        shown = bool(self.state)
        if shown:
            self.place()
        self.setVisible(shown)
        self.update()

    def place(self) -> None:
        """Over the whole view, above what else is written there."""
        view = self.parentWidget()
        self.setGeometry(view.rect())
        self.raise_()

    # ------------------------------------------------------------ painting
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.state == "opening":
            self._paint_opening(painter)
        else:
            self._paint_zone(painter)
        painter.end()

    def _plate(self, size: QSizeF) -> QRectF:
        width = min(size.width(), self.width() - 2 * MARGIN)
        height = min(size.height(), self.height() - 2 * MARGIN)
        return QRectF((self.width() - width) / 2, (self.height() - height) / 2, width, height)

    def _paint_opening(self, painter: QPainter) -> None:
        font = self._theme.font(tokens.TITLE, bold=True)
        words = QFontMetricsF(font)
        plate = self._plate(QSizeF(words.horizontalAdvance(self.words[0]) + 2 * ROOM, 44.0))
        painter.setPen(QPen(self._theme.color("border"), 1.0))
        painter.setBrush(self._theme.color("raised", 0.96))
        painter.drawRoundedRect(plate, 2 * tokens.RADIUS, 2 * tokens.RADIUS)
        painter.setFont(font)
        painter.setPen(self._theme.ink("text"))
        text = words.elidedText(self.words[0], Qt.TextElideMode.ElideMiddle, plate.width() - ROOM)
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, text)

    def _paint_zone(self, painter: QPainter) -> None:
        over = self.state == "over"
        plate = self._plate(QSizeF(WIDE, HIGH))
        painter.setBrush(self._theme.color("panel", 0.94 if over else 0.72))
        line = QPen(self._theme.color("accent" if over else "border"), 1.5)
        line.setDashPattern([5.0, 4.0])
        painter.setPen(line)
        painter.drawRoundedRect(plate, 2 * tokens.RADIUS, 2 * tokens.RADIUS)
        title, formats, hint = self.words
        rows = [
            (title, self._theme.font(tokens.TITLE, bold=True), "text"),
            (formats, self._theme.font(tokens.CAPTION), "dim"),
            (hint, self._theme.font(tokens.BODY), "dim"),
        ]
        rows = [row for row in rows if row[0]]
        high = ICON + 12.0 + 22.0 * len(rows)
        y = plate.center().y() - high / 2
        icon = self._theme.icon("import", "accent" if over else "dim")
        icon.paint(painter, QRectF(plate.center().x() - ICON / 2, y, ICON, ICON).toRect())
        y += ICON + 12.0
        for text, font, token in rows:
            painter.setFont(font)
            painter.setPen(self._theme.ink(token))
            room = QRectF(QPointF(plate.left() + ROOM / 2, y), QSizeF(plate.width() - ROOM, 22.0))
            short = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, short)
            y += 22.0
