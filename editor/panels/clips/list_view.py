"""The list of clips: rows to show, rename in place, and drag elsewhere."""

from collections.abc import Callable, Sequence
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
from PySide6.QtGui import QKeyEvent, QPainter, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from core.ids import AssetId
from editor.model.drag_kinds import CLIP
from editor.panels.clips.view_model import ClipList, Row
from editor.qt import tokens
from editor.qt.keys import keeps
from editor.qt.theme import Theme

Index = QModelIndex | QPersistentModelIndex
Pictures = Callable[[AssetId], QPixmap | None]
"""Gives the picture of a clip, as far as there is one."""
NOWHERE = QModelIndex()
ROW_HEIGHT, TALL_ROW = 24, 44
"""Pixels of a row where few fit, and where the list has the room for rows with larger pictures."""
ENOUGH_ROWS = 5
MOST_SMALL = 400
"""Pictures kept in the size of a row."""


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

    def __init__(self, theme: Theme, model: ClipModel, pictures: Pictures, parent) -> None:
        super().__init__(parent)
        self.theme, self.model, self.pictures = theme, model, pictures
        self.high = ROW_HEIGHT
        self._small: dict[tuple[int, int, float], QPixmap] = {}

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(80, self.high)

    def _fitted(self, picture: QPixmap, edge: int, ratio: float) -> QPixmap:
        """A picture made small once, smoothly: a painter would leave pixels out."""
        key = (picture.cacheKey(), edge, ratio)
        if key not in self._small:
            if len(self._small) > MOST_SMALL:
                self._small.clear()
            mode = Qt.TransformationMode.SmoothTransformation
            small = picture.scaledToHeight(round(edge * ratio), mode)
            small.setDevicePixelRatio(ratio)
            self._small[key] = small
        return self._small[key]

    def _paint_picture(self, painter: QPainter, row: Row, rect: QRect) -> int:
        """The clip's picture at the left; where the name begins."""
        edge = rect.height() - 2
        place = QRect(rect.left() + 6, rect.top() + 1, edge, edge)
        picture = self.pictures(row.id)
        if picture is not None:
            painter.drawPixmap(
                place.topLeft(), self._fitted(picture, edge, painter.device().devicePixelRatioF())
            )
        return place.right() + 7

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
                top = rect.top() + (rect.height() - 14) // 2
                self.theme.icon(icon, "dim").paint(painter, QRect(right - 14, top, 14, 14))
                right -= 18
        painter.setFont(self.theme.font(bold=row.shown))
        painter.setPen(self.theme.color("text"))
        left = self._paint_picture(painter, row, rect)
        room = QRect(left, rect.top(), right - left - 4, rect.height())
        text = painter.fontMetrics().elidedText(row.name, Qt.TextElideMode.ElideMiddle, room.width())
        painter.drawText(room, middle, text)
        painter.restore()

    def createEditor(self, parent, option: QStyleOptionViewItem, index: Index):
        editor = QLineEdit(parent)
        editor.setObjectName("clipName")
        return editor

    def updateEditorGeometry(self, editor, option, index) -> None:
        middle = (option.rect.height() - ROW_HEIGHT) // 2
        editor.setGeometry(option.rect.adjusted(option.rect.height() + 4, middle, -6, -middle))


class ClipView(QListView):
    """Double click or F2 renames; rows can be dragged out."""

    def __init__(self, model: ClipModel, theme: Theme, pictures: Pictures, parent) -> None:
        super().__init__(parent)
        self.setObjectName("clips")
        self.setModel(model)
        self._rows = ClipDelegate(theme, model, pictures, self)
        self.setItemDelegate(self._rows)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.DoubleClicked | triggers.EditKeyPressed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Rows are tall where some of them still fit."""
        high = TALL_ROW if event.size().height() >= ENOUGH_ROWS * TALL_ROW else ROW_HEIGHT
        if high != self._rows.high:
            self._rows.high = high
            self.scheduleDelayedItemsLayout()
        super().resizeEvent(event)

    def event(self, event: QEvent) -> bool:
        keys = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_F2, Qt.Key.Key_Delete)
        alt = isinstance(event, QKeyEvent) and event.modifiers() & Qt.KeyboardModifier.AltModifier
        return (not alt and keeps(event, keys)) or super().event(event)

    def keyboardSearch(self, search: str) -> None:
        """Letters belong to the tools."""
