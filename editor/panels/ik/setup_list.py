"""The list of set-ups: a switch, the name, the solver, and a diamond where the clip keys the goal."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from editor.model.i18n import tr
from editor.panels.ik.view_model import Row
from editor.qt import tokens
from editor.qt.icons import paint_diamond
from editor.qt.theme import Theme

ROW = 24
SWITCH = 26
"""Pixels at the left that turn a set-up on and off."""


class SetupList(QWidget):
    """A short list, drawn whole: it lies in a panel that scrolls."""

    chosen = Signal(str)
    toggled = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("ikList")
        self._theme = theme
        self._rows: tuple[Row, ...] = ()
        self._hovered = -1
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setToolTip(tr("Click the dot to turn a set-up on, the name to edit it"))
        theme.changed.connect(self.update)

    def show_rows(self, rows: tuple[Row, ...]) -> None:
        """Show other rows."""
        if rows != self._rows:
            if len(rows) != len(self._rows):
                self.setFixedHeight(ROW * len(rows) + 2)
            self._rows = rows
            self.update()

    def row_rect(self, name: str) -> QRectF:
        """Where a row lies."""
        index = next(i for i, row in enumerate(self._rows) if row.name == name)
        return QRectF(0, 1 + index * ROW, self.width(), ROW)

    def sizeHint(self) -> QSize:
        return QSize(200, ROW * max(len(self._rows), 1) + 2)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = int((event.position().y() - 1) // ROW)
        if event.button() is Qt.MouseButton.LeftButton and 0 <= index < len(self._rows):
            name = self._rows[index].name
            (self.toggled if event.position().x() < SWITCH else self.chosen).emit(name)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(int((event.position().y() - 1) // ROW))

    def leaveEvent(self, event) -> None:
        self._hover(-1)

    def _hover(self, index: int) -> None:
        if index != self._hovered:
            self._hovered = index
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        color = self._theme.color
        for index, row in enumerate(self._rows):
            area = QRectF(0, 1 + index * ROW, self.width(), ROW)
            if row.active or index == self._hovered:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(color("selected_row" if row.active else "row"))
                painter.drawRoundedRect(area.adjusted(0, 1, 0, -1), tokens.RADIUS, tokens.RADIUS)
            centre = QPointF(SWITCH / 2.0, area.center().y())
            painter.setPen(QPen(color("accent" if row.enabled else "dim"), 1.5))
            painter.setBrush(color("accent") if row.enabled else Qt.BrushStyle.NoBrush)
            painter.drawEllipse(centre, 4.0, 4.0)
            painter.setFont(self._theme.font(tokens.BODY))
            painter.setPen(color("text" if row.enabled or row.keyed or row.active else "dim"))
            painter.drawText(area.adjusted(SWITCH, 0, -84, 0), Qt.AlignmentFlag.AlignVCenter, row.name)
            painter.setFont(self._theme.font(tokens.CAPTION))
            painter.setPen(color("dim"))
            right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
            painter.drawText(area.adjusted(0, 0, -22, 0), right, row.solver)
            if row.keyed:
                paint_diamond(painter, QPointF(self.width() - 10.0, area.center().y()), 4.0, color("key"))
