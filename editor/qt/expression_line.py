"""A line to type expressions of graphs into: what is wrong is underlined."""

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QLineEdit, QWidget

from editor.model.graph.language import Fault
from editor.qt.theme import Theme


class ExpressionLine(QLineEdit):
    """A line for an expression; what is wrong is underlined, and said by the tip in the place of the line's own."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.fault: Fault | None = None
        self._tip = ""

    def setToolTip(self, text: str) -> None:
        """The tip of the line while nothing is wrong."""
        self._tip = text
        super().setToolTip(text if self.fault is None else self.fault.message)

    def show_fault(self, fault: Fault | None) -> None:
        """Underline what is wrong."""
        if fault != self.fault:
            self.fault = fault
            super().setToolTip(self._tip if fault is None else fault.message)
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.fault is None:
            return
        metrics = self.fontMetrics()
        begin = self.cursorRect().center().x() - metrics.horizontalAdvance(
            self.text()[: self.cursorPosition()]
        )
        left = begin + metrics.horizontalAdvance(self.text()[: self.fault.column])
        part = self.text()[self.fault.column : self.fault.column + self.fault.length]
        wide = max(metrics.horizontalAdvance(part), 6)
        y = self.height() / 2.0 + metrics.height() / 2.0 - 1.0
        points = [QPointF(left + k * 2.0, y + (1.5 if k % 2 else 0.0)) for k in range(int(wide / 2) + 1)]
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.theme.color("error"), 1.2))
        painter.drawPolyline(QPolygonF(points))
        painter.end()
