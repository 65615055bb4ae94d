"""The table of bones: name, a bar of the largest error, and the frame at which it is."""

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
)

from editor.model.i18n import tr
from editor.panels.compile.view_model import BoneRow, Column, CompileModel
from editor.qt import tokens
from editor.qt.keys import keeps
from editor.qt.theme import Theme

Index = QModelIndex | QPersistentModelIndex
NOWHERE = QModelIndex()
ROW_HEIGHT = 22


class BoneModel(QAbstractTableModel):
    """Rows are bones in the order that the view model gives."""

    def __init__(self, model: CompileModel, parent) -> None:
        super().__init__(parent)
        self.model = model
        self.rows: tuple[BoneRow, ...] = ()

    def show(self) -> None:
        """Read the rows again."""
        rows = self.model.rows()
        if rows != self.rows:
            self.beginResetModel()
            self.rows = rows
            self.endResetModel()

    def place(self, bone: str | None) -> int | None:
        """Row of a bone."""
        return next((i for i, row in enumerate(self.rows) if row.name == bone), None)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self.model.sort(Column(column), order == Qt.SortOrder.DescendingOrder)
        self.show()

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(Column)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation is Qt.Orientation.Horizontal:
            return (tr("Bone"), tr("Error, mm"), tr("Frame"))[section]
        if role == Qt.ItemDataRole.ToolTipRole:
            what = (
                tr("Bone"),
                tr("Largest error of the bone"),
                tr("Frame of the largest error"),
            )
            return tr("{what}; click to sort", what=what[section])
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return (row.name, f"{row.millimetres:.4f}", f"{row.frame:.1f}".removesuffix(".0"))[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return tr(
                "{bone}: {share} % of the bound. Click to select it and go to that frame.",
                bone=row.name,
                share=f"{100.0 * row.share:.0f}",
            )
        return None


class BoneDelegate(QStyledItemDelegate):
    """Names at the left, a bar behind the error, tabular figures."""

    def __init__(self, theme: Theme, model: BoneModel, parent) -> None:
        super().__init__(parent)
        self.theme, self.model = theme, model

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(48, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, rect, theme = self.model.rows[index.row()], option.rect, self.theme
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.color("selected_row"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, theme.color("hover"))
        room = rect.adjusted(8, 0, -8, 0)
        aligned = Qt.AlignmentFlag.AlignVCenter
        text, token = str(index.data()), "text"
        if index.column() == Column.ERROR:
            self._paint_bar(painter, room, row.share)
            aligned |= Qt.AlignmentFlag.AlignRight
        elif index.column() == Column.FRAME:
            aligned |= Qt.AlignmentFlag.AlignRight
            token = "dim"
        painter.setFont(theme.font(tokens.BODY, tabular=True))
        painter.setPen(theme.color(token))
        text = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, room.width())
        painter.drawText(room, aligned, text)
        painter.restore()

    def _paint_bar(self, painter: QPainter, room: QRect, share: float) -> None:
        token = "error" if share > 1.0 + 1e-6 else "accent"
        painter.fillRect(room.adjusted(0, room.height() - 5, 0, -2), self.theme.color("field"))
        bar = QRect(room.left(), room.bottom() - 4, round(room.width() * min(share, 1.0)), 3)
        painter.fillRect(bar, self.theme.color(token))


class BoneTable(QTreeView):
    """Sorted by a click on a heading; a click on a row, or Return, picks the bone."""

    picked = Signal(object)

    def __init__(self, theme: Theme, model: CompileModel) -> None:
        super().__init__()
        self.setObjectName("compileBones")
        self.bones = BoneModel(model, self)
        self.setModel(self.bones)
        self.setItemDelegate(BoneDelegate(theme, self.bones, self))
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setMouseTracking(True)
        self.setAllColumnsShowFocus(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumHeight(96)
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(Column.BONE, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(Column.ERROR, QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(Column.FRAME, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(Column.ERROR, 88)
        header.resizeSection(Column.FRAME, 52)
        header.setSectionsClickable(True)
        self.setSortingEnabled(True)
        self.sortByColumn(Column.ERROR, Qt.SortOrder.DescendingOrder)
        self.clicked.connect(self._pick)
        self.activated.connect(self._pick)
        theme.changed.connect(self.viewport().update)

    def sizeHint(self) -> QSize:
        return QSize(260, 180)

    def show_bone(self, bone: str | None) -> None:
        """Mark the row of a bone, without picking it."""
        self.bones.show()
        place = self.bones.place(bone)
        if place is None:
            self.clearSelection()
        elif self.currentIndex().row() != place or not self.selectionModel().isRowSelected(place, NOWHERE):
            self.setCurrentIndex(self.bones.index(place, 0))

    def _pick(self, index: QModelIndex) -> None:
        self.picked.emit(self.bones.rows[index.row()])

    def event(self, event) -> bool:
        keys = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter)
        return keeps(event, keys) or super().event(event)

    def keyPressEvent(self, event) -> None:
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and self.currentIndex().isValid():
            self._pick(self.currentIndex())

    def keyboardSearch(self, search: str) -> None:
        """Letters belong to the tools."""

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """The second press of a double click is a press like any other."""
        self.mousePressEvent(event)
