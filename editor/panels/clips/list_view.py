"""The list of clips: rows to show, rename in place, and drag elsewhere."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QMimeData,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from editor.model.drag_kinds import CLIP
from editor.panels.clips.view_model import ClipList, Row
from editor.qt import tokens
from editor.qt.keys import keeps
from editor.qt.theme import Theme

Index = QModelIndex | QPersistentModelIndex
NOWHERE = QModelIndex()
ROW_HEIGHT = 24


class ClipModel(QAbstractListModel):
    """Rows are clips; setting a row's text renames it."""

    def __init__(self, clips: ClipList, parent) -> None:
        super().__init__(parent)
        self.clips = clips
        self.rows: tuple[Row, ...] = ()

    def show(self, rows: tuple[Row, ...]) -> None:
        """List other rows; nothing is reset where only their contents differ."""
        if [r.id for r in rows] == [r.id for r in self.rows]:
            self.rows = rows
            if rows:
                self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
            return
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row = self.rows[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return row.name
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{row.name}\n{row.detail}"
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row = self.rows[index.row()]
        return str(value) != row.name and self.clips.rename(row.id, str(value))

    def flags(self, index: Index) -> Qt.ItemFlag:
        flag = Qt.ItemFlag
        return flag.ItemIsEnabled | flag.ItemIsSelectable | flag.ItemIsEditable | flag.ItemIsDragEnabled

    def mimeTypes(self) -> list[str]:
        return [CLIP]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        data = QMimeData()
        data.setData(CLIP, self.rows[indexes[0].row()].id.encode("utf-8"))
        data.setText(self.rows[indexes[0].row()].name)
        return data

    def supportedDragActions(self) -> Qt.DropAction:
        return Qt.DropAction.CopyAction


class ClipDelegate(QStyledItemDelegate):
    """Name at the left, length dim at the right, signs for loop and root motion; the clip shown in accent."""

    def __init__(self, theme: Theme, model: ClipModel, parent) -> None:
        super().__init__(parent)
        self.theme, self.model = theme, model

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(80, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, rect = self.model.rows[index.row()], option.rect
        painter.save()
        if row.shown:
            painter.fillRect(rect, self.theme.color("raised"))
            painter.fillRect(QRect(rect.left(), rect.top(), 2, rect.height()), self.theme.color("accent"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, self.theme.color("hover"))
        painter.setFont(self.theme.font(tokens.CAPTION, tabular=True))
        painter.setPen(self.theme.color("dim"))
        width = painter.fontMetrics().horizontalAdvance(row.detail)
        right = rect.right() - 8
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRect(right - width, rect.top(), width + 1, rect.height()), middle, row.detail)
        right -= width + 8
        for on, icon in ((row.root_motion, "root_motion"), (row.looping, "loop")):
            if on:
                self.theme.icon(icon, "dim").paint(painter, QRect(right - 14, rect.top() + 5, 14, 14))
                right -= 18
        painter.setFont(self.theme.font(bold=row.shown))
        painter.setPen(self.theme.color("text"))
        room = QRect(rect.left() + 12, rect.top(), right - rect.left() - 16, rect.height())
        text = painter.fontMetrics().elidedText(row.name, Qt.TextElideMode.ElideMiddle, room.width())
        painter.drawText(room, middle, text)
        painter.restore()

    def createEditor(self, parent, option: QStyleOptionViewItem, index: Index):
        editor = QLineEdit(parent)
        editor.setObjectName("clipName")
        return editor

    def updateEditorGeometry(self, editor, option, index) -> None:
        editor.setGeometry(option.rect.adjusted(6, 0, -6, 0))


class ClipView(QListView):
    """Double click or F2 renames; rows can be dragged out."""

    def __init__(self, model: ClipModel, theme: Theme, parent) -> None:
        super().__init__(parent)
        self.setObjectName("clips")
        self.setModel(model)
        self.setItemDelegate(ClipDelegate(theme, model, self))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.DoubleClicked | triggers.EditKeyPressed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)

    def event(self, event: QEvent) -> bool:
        keys = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_F2, Qt.Key.Key_Delete)
        return keeps(event, keys) or super().event(event)

    def keyboardSearch(self, search: str) -> None:
        """Letters belong to the tools."""
