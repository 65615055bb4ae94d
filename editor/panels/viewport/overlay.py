"""What is written over the picture: heads-up lines, names, selection box, frame. Takes no mouse."""

from PySide6.QtCore import QPointF, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from editor.gl.camera import Pixel
from editor.model.i18n import tr
from editor.panels.viewport.heads_up import HeadsUp
from editor.panels.viewport.view_model import Box
from editor.qt import tokens
from editor.qt.theme import Theme

MARGIN = 12
PAD = 8
LINE = 17
NAME_GAP = 10.0

Names = tuple[tuple[str, float, float], ...]
Chip = tuple[str, Pixel]
CHIP_GAP, CHIP_HIGH, CHIP_LEAST = 18.0, 22.0, 56.0
"""Pixels between the pointer and the amount of a drag, and the least size of its plate."""

CALM, FLASH = 0.45, 400
"""Opacity of the frame that says that changes are keyed; milliseconds for which it is full when one is."""


class Overlay(QWidget):
    """Paints over the viewport; each setter repaints only what it changes."""

    def __init__(self, parent: QWidget, theme: Theme) -> None:
        super().__init__(parent)
        self._theme = theme
        self._lines = HeadsUp()
        self._names: Names = ()
        self._bright: frozenset[str] = frozenset()
        self._box: Box | None = None
        self._empty, self._bare = "", False
        self._chip: Chip | None = None
        self._plate = QRect()
        self._plate_shown = True
        self._flash = QTimer(self)
        self._flash.setSingleShot(True)
        self._flash.setInterval(FLASH)
        self._flash.timeout.connect(self.update)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setObjectName("viewportOverlay")

    # ------------------------------------------------------------ what is shown
    @property
    def lines(self) -> HeadsUp:
        """The heads-up lines as shown."""
        return self._lines

    def show_lines(self, lines: HeadsUp) -> None:
        """Write the heads-up lines."""
        if lines == self._lines:
            return
        framed = lines.auto_key != self._lines.auto_key
        self._lines = lines
        if framed:
            self.update()
        else:
            self.update(self._plate.united(self._measure()))

    def flash(self) -> None:
        """A key was set: the red frame shows in full for a moment."""
        if self._lines.auto_key:
            self._flash.start()
            self.update()

    def show_names(self, names: Names, bright: frozenset[str]) -> None:
        """Write bone names; `bright` ones stand out and come first."""
        if (names, bright) != (self._names, self._bright):
            self._names, self._bright = names, bright
            self.update()

    def show_box(self, box: Box | None) -> None:
        """Draw the selection box."""
        if box != self._box:
            self._box = box
            self.update()

    @property
    def chip(self) -> Chip | None:
        """The chip shown."""
        return self._chip

    def show_chip(self, chip: Chip | None) -> None:
        """Write an amount beside the pointer."""
        if chip != self._chip:
            before, self._chip = self._chip_plate(), chip
            self.update(before.united(self._chip_plate()).toAlignedRect().adjusted(-2, -2, 2, 2))

    def _chip_plate(self) -> QRectF:
        """Right below the pointer, or on its other side where the view ends."""
        if self._chip is None:
            return QRectF()
        text, (x, y) = self._chip
        width = max(-(-self._advance(text, True) // 8) * 8 + 2 * PAD, CHIP_LEAST)
        left = x + CHIP_GAP if x + CHIP_GAP + width < self.width() - 4 else x - CHIP_GAP - width
        top = y + CHIP_GAP if y + CHIP_GAP + CHIP_HIGH < self.height() - 4 else y - CHIP_GAP - CHIP_HIGH
        return QRectF(round(left), round(top), width, CHIP_HIGH)

    def show_empty(self, text: str, bare: bool = False) -> None:
        """Why there is nothing to see; `bare` leaves out frame and heads-up lines: there is no character."""
        if (text, bare) != (self._empty, self._bare):
            self._empty, self._bare = text, bare
            self.update()

    # ------------------------------------------------------------ painting
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_names(painter)
        self._paint_box(painter)
        self._paint_frame(painter)
        self._paint_lines(painter)
        self._paint_empty(painter)
        self._paint_chip(painter)
        painter.end()

    def _rows(self) -> list[list[tuple[str, str, bool]]]:
        """Text, token and weight of each piece of each line."""
        lines = self._lines
        rows = [[(lines.title, "text", True), (lines.frame, "text", False)]]
        if lines.playing:
            rows.append([(lines.tool or tr("Esc leaves"), "dim", False)])
            return [*rows, [(lines.traffic, "dim", False)]] if lines.traffic else rows
        rows.append([(lines.tool, "text", False)])
        last = []
        if not lines.auto_key:  # that it is on the red frame says
            last.append((lines.key_state, "pending" if lines.pending else "dim", False))
        if last:
            rows.append(last)
        if lines.view:
            rows.append([(lines.view, "dim", False)])
        if lines.blocking:
            rows.append([(lines.blocking, "warning", True)])
        if lines.compiled:
            rows.append([(lines.compiled, "accent", True)])
        if lines.traffic:
            rows.append([(lines.traffic, "dim", False)])
        return rows

    def _width(self, row: list[tuple[str, str, bool]]) -> float:
        return sum(self._advance(text, bold) + 12.0 for text, _, bold in row) - 12.0

    def _advance(self, text: str, bold: bool) -> float:
        return QFontMetricsF(self._theme.font(tokens.BODY, bold, tabular=True)).horizontalAdvance(text)

    def _measure(self) -> QRect:
        rows = self._rows()
        # In steps, so that a running frame number doesn't make the plate tremble.
        width = -(-int(max(self._width(row) for row in rows)) // 24) * 24
        return QRect(MARGIN, MARGIN, width + 2 * PAD, len(rows) * LINE + 2 * PAD - 4)

    def show_plate(self, shown: bool) -> None:
        """Whether the heads-up lines are written at all."""
        if shown != self._plate_shown:
            self._plate_shown = shown
            self.update()

    def _paint_lines(self, painter: QPainter) -> None:
        if not self._plate_shown or self._bare:
            return
        self._plate = self._measure()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._plate_color())
        painter.drawRoundedRect(QRectF(self._plate), tokens.RADIUS, tokens.RADIUS)
        y = self._plate.top() + PAD + 11.0
        for row in self._rows():
            x = float(self._plate.left() + PAD)
            for text, token, bold in row:
                painter.setFont(self._theme.font(tokens.BODY, bold, tabular=True))
                painter.setPen(self._theme.ink(token))
                painter.drawText(QPointF(x, y), text)
                x += self._advance(text, bold) + 12.0
            y += LINE

    def _plate_color(self) -> QColor:
        return self._theme.color("field", tokens.PLATE)

    def _paint_frame(self, painter: QPainter) -> None:
        if self._lines.auto_key and not self._empty and not self._bare:
            strength = 1.0 if self._flash.isActive() else CALM
            color, width, height = self._theme.color("record", strength), self.width(), self.height()
            for side in (
                (0, 0, width, 1),
                (0, height - 1, width, 1),
                (0, 1, 1, height - 2),
                (width - 1, 1, 1, height - 2),
            ):
                painter.fillRect(*side, color)  # far cheaper than the outline of a large rectangle

    def _paint_box(self, painter: QPainter) -> None:
        if self._box is not None:
            (x0, y0), (x1, y1) = self._box
            painter.setPen(QPen(self._theme.color("accent"), 1.0))
            painter.setBrush(self._theme.color("accent", 0.14))
            painter.drawRect(QRectF(QPointF(x0, y0), QPointF(x1, y1)).adjusted(0.5, 0.5, 0.5, 0.5))

    def _paint_chip(self, painter: QPainter) -> None:
        if self._chip is None:
            return
        plate = self._chip_plate()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("field", 0.92))
        painter.drawRoundedRect(plate, tokens.RADIUS, tokens.RADIUS)
        painter.setFont(self._theme.font(tokens.BODY, bold=True, tabular=True))
        painter.setPen(self._theme.ink("text"))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, self._chip[0])

    def _paint_names(self, painter: QPainter) -> None:
        font = self._theme.font(tokens.CAPTION)
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        taken: list[QRectF] = []
        for name, x, y in sorted(self._names, key=lambda entry: entry[0] not in self._bright):
            plate = QRectF(x + NAME_GAP, y - 8.0, metrics.horizontalAdvance(name) + 8.0, 16.0)
            if any(plate.intersects(other) for other in taken) or not QRectF(self.rect()).intersects(plate):
                continue
            taken.append(plate)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._plate_color())
            painter.drawRoundedRect(plate, 3.0, 3.0)
            painter.setPen(self._theme.ink("text" if name in self._bright else "dim"))
            painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, name)

    def _paint_empty(self, painter: QPainter) -> None:
        if self._empty:
            painter.setFont(self._theme.font(tokens.TITLE))
            painter.setPen(self._theme.color("dim"))
            painter.drawText(
                self.rect(), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self._empty
            )
