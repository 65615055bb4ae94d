"""The samples below the plot: name, place, weight as a bar and as a number."""

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from editor.model.i18n import tr
from editor.panels.blend_space.view_model import BlendSpaceModel, SampleRow
from editor.qt import tokens
from editor.qt.theme import Theme

ROW = 22


class WeightList(QWidget):
    """One row a sample; a click selects, a double click edits, Delete removes."""

    edit_wanted = Signal(int, QPointF)

    def __init__(self, model: BlendSpaceModel, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model, self.theme = model, theme
        self.setObjectName("blendWeights")
        self.setAccessibleName(tr("Sample weights"))
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(200, max(len(self.model.rows()), 1) * ROW)

    def minimumSizeHint(self) -> QSize:
        return QSize(140, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rows = self.model.rows()
        for row in rows:
            self._paint_row(painter, row, QRectF(0, row.number * ROW, self.width(), ROW))
        painter.end()

    def _paint_row(self, painter: QPainter, row: SampleRow, box: QRectF) -> None:
        theme = self.theme
        if row.number == self.model.selected:
            painter.fillRect(box, theme.color("selected_row"))
            painter.fillRect(QRectF(box.left(), box.top(), 2, box.height()), theme.color("selection"))
        elif row.number == self.model.hovered:
            painter.fillRect(box, theme.color("hover"))
        bar = QRectF(box.left() + 12, box.bottom() - 3, box.width() - 24, 2)
        painter.fillRect(bar, theme.color("divider"))
        painter.fillRect(
            QRectF(bar.left(), bar.top(), bar.width() * row.weight, 2), theme.color("preview_point")
        )
        middle = Qt.AlignmentFlag.AlignVCenter
        inner = box.adjusted(12, 0, -12, -2)
        painter.setFont(theme.font(tabular=True))
        painter.setPen(theme.color("text" if row.weight > 0.0 else "dim"))
        painter.drawText(inner, middle | Qt.AlignmentFlag.AlignRight, f"{row.weight:.3f}")
        painter.setFont(theme.font(tokens.CAPTION, tabular=True))
        painter.setPen(theme.color("dim"))
        place = "  ".join(f"{value + 0.0:.4g}".replace("-", "−") for value in row.place)
        if abs(row.rate - 1.0) > 1e-9:
            place += f"  ×{row.rate:.3g}"
        wide = painter.fontMetrics().horizontalAdvance(place)
        painter.drawText(inner.adjusted(0, 0, -48, 0), middle | Qt.AlignmentFlag.AlignRight, place)
        painter.setFont(theme.font())
        painter.setPen(theme.color("text" if row.weight > 0.0 else "dim"))
        room = inner.width() - 56 - wide
        name = painter.fontMetrics().elidedText(row.name, Qt.TextElideMode.ElideRight, int(max(room, 20)))
        painter.drawText(inner, middle, name)

    def _row_at(self, place: QPointF) -> int | None:
        number = int(place.y() // ROW)
        return number if 0 <= number < len(self.model.rows()) else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.model.select(self._row_at(event.position()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.model.hover(self._row_at(event.position()))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        number = self._row_at(event.position())
        if number is not None:
            self.edit_wanted.emit(number, event.position())

    def leaveEvent(self, event: QEvent) -> None:
        self.model.hover(None)

    def event(self, event: QEvent) -> bool:
        keys = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and event.key() in keys
            and self.model.selected is not None
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.model.remove_selected()
        else:
            super().keyPressEvent(event)
