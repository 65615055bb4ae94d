"""The history panel: every step by name, a click goes there; and what they cost."""

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from editor.panels.history.view_model import HistoryList, Memory, Steps
from editor.qt import tokens
from editor.qt.binding import Bindings
from editor.qt.panel import Panel, PanelContext
from editor.qt.theme import Theme
from editor.qt.turns import Rank

Index = QModelIndex | QPersistentModelIndex
NOWHERE = QModelIndex()
ROW_HEIGHT = 22


class StepModel(QAbstractListModel):
    """Rows are steps, the oldest first."""

    def __init__(self, parent) -> None:
        super().__init__(parent)
        self.steps = Steps((), 0)

    def show(self, steps: Steps) -> None:
        """Show other steps; rows at the end come and go without a reset."""
        old, new = self.steps.labels, steps.labels
        same = 0
        while same < min(len(old), len(new)) and old[same] == new[same]:
            same += 1
        if same < len(old):
            self.beginRemoveRows(QModelIndex(), same, len(old) - 1)
            self.steps = Steps(old[:same], min(self.steps.position, same))
            self.endRemoveRows()
        if same < len(new):
            self.beginInsertRows(QModelIndex(), same, len(new) - 1)
            self.steps = steps
            self.endInsertRows()
        self.steps = steps
        if new:
            self.dataChanged.emit(self.index(0), self.index(len(new) - 1))

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.steps.labels)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.steps.labels):
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self.steps.labels[index.row()]
        return None


class StepDelegate(QStyledItemDelegate):
    """A dot on a line for each step: done, current, undone."""

    def __init__(self, theme: Theme, model: StepModel, parent) -> None:
        super().__init__(parent)
        self.theme, self.model = theme, model

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(80, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect, row, now = option.rect, index.row(), self.model.steps.position
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row == now:
            painter.fillRect(rect, self.theme.color("raised"))
        elif option.state & option.state.State_MouseOver:
            painter.fillRect(rect, self.theme.color("hover"))
        x, middle = rect.left() + 16.5, rect.center().y() + 1
        painter.setPen(self.theme.color("border"))
        top = rect.top() if row else middle
        bottom = rect.bottom() + 1 if row < self.model.rowCount() - 1 else middle
        painter.drawLine(QPointF(x, top), QPointF(x, bottom))
        token = "accent" if row == now else "dim" if row < now else "disabled"
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.theme.color(token))
        radius = 4.0 if row == now else 2.5
        painter.drawEllipse(QPointF(x, middle), radius, radius)
        painter.setPen(self.theme.color("text" if row <= now else "disabled"))
        painter.setFont(self.theme.font(bold=row == now))
        room = QRect(rect.left() + 30, rect.top(), rect.width() - 38, rect.height())
        text = painter.fontMetrics().elidedText(str(index.data()), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)
        painter.restore()


class MemoryBar(QWidget):
    """How much memory the steps hold: in words, over a line that fills up."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("undoMemory")
        self.setFixedHeight(ROW_HEIGHT)
        self._theme, self._memory = theme, Memory("", 0.0, "")
        theme.changed.connect(self.update)

    @property
    def text(self) -> str:
        """What it says."""
        return self._memory.text

    def show_memory(self, memory: Memory) -> None:
        """Show another amount."""
        if memory != self._memory:
            self._memory = memory
            self.setToolTip(memory.tip)
            self.setAccessibleName(memory.tip)
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        painter.fillRect(QRect(0, 0, self.width(), 1), theme.color("divider"))
        full = "warning" if self._memory.share > 0.9 else "accent"
        painter.fillRect(QRect(0, 0, round(self.width() * self._memory.share), 2), theme.color(full))
        painter.setFont(theme.font(tokens.CAPTION, tabular=True))
        painter.setPen(theme.color("dim"))
        room = self.rect().adjusted(12, 2, -8, 0)
        text = painter.fontMetrics().elidedText(self._memory.text, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()


class HistoryPanel(Panel):
    """The list of steps."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.history = HistoryList(context.session)
        self.model = StepModel(self)
        self.view = QListView()
        self.view.setObjectName("steps")
        self.view.setModel(self.model)
        self.view.setItemDelegate(StepDelegate(context.theme, self.model, self.view))
        self.view.setUniformItemSizes(True)
        self.view.setMouseTracking(True)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.clicked.connect(lambda index: self.history.go_to(index.row()))
        self.view.activated.connect(lambda index: self.history.go_to(index.row()))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.view)
        self.memory = MemoryBar(context.theme)
        layout.addWidget(self.memory)
        session = context.session
        Bindings(self).refresh(
            self.refresh, session.history.changed, session.document.file_changed, rank=Rank.LAST
        )
        context.theme.changed.connect(self.view.viewport().update)
        self.refresh()

    def focus_widget(self) -> QWidget:
        """Gets the focus when the pointer comes in."""
        return self.view

    def refresh(self) -> None:
        """List the steps as they are now."""
        steps = self.history.steps()
        if steps != self.model.steps:
            self.model.show(steps)
            self.view.scrollTo(self.model.index(steps.position))
        self.memory.show_memory(self.history.memory())


def make(context: PanelContext) -> Panel:
    """The panel's widget."""
    return HistoryPanel(context)
