"""The map as a table: a row a chain, bones to type or to choose."""

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QAction, QBrush, QFontMetrics
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCompleter,
    QHeaderView,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from editor.model.i18n import tr
from editor.panels.retarget.view_model import Row
from editor.qt import completion, tokens
from editor.qt.theme import Theme
from editor.qt.widgets import dress

CHAIN, SOURCE, TARGET, CONFIDENCE, ROTATION = range(5)
HEADS = ("Chain", "Source", "Target", "Confidence", "Rotation")
TIPS = (
    "Body part of the chain",
    "Bones of the source, from the body outward; double-click to type or choose",
    "Bones of this character that follow them; double-click to type or choose",
    "How well names and places of the bones agree with the chain, in percent",
    "Degrees by which the source's rest pose was rotated to agree with the target's",
)
SIDE = 3
"""Pixels beside a heading, as the style sheet has it for this table: its bones need the room."""
NUMBERS = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
SIDES = {SOURCE: "source", TARGET: "target"}


class _LastBone(QCompleter):
    """Completes the last bone of several that are parted by commas."""

    def splitPath(self, path: str) -> list[str]:
        return [path.rpartition(",")[2].strip()]

    def pathFromIndex(self, index: QModelIndex | QPersistentModelIndex) -> str:
        field = self.widget()
        before, comma, _ = field.text().rpartition(",") if isinstance(field, QLineEdit) else ("", "", "")
        return f"{before}{comma}{' ' if comma else ''}{index.data()}"


class BoneField(QLineEdit):
    """Bones to type, with a list of all of them to choose from."""

    def __init__(self, theme: Theme, bones: tuple[str, ...], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("mapCell")
        self.setToolTip(tr("Bones separated by commas, or “first … last” for all in between"))
        completer = _LastBone(list(bones), self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setMaxVisibleItems(12)
        self.setCompleter(completer)
        completion.dress(completer, self)
        every = QAction(tr("All bones"), self)
        dress(every, theme, "down", "dim")
        every.triggered.connect(self._list)
        self.addAction(every, QLineEdit.ActionPosition.TrailingPosition)

    def _list(self) -> None:
        completer = self.completer()
        completer.setCompletionPrefix("")
        completer.complete()


class _BoneEdit(QStyledItemDelegate):
    """Edits a cell of bones."""

    def __init__(self, table: "MapTable") -> None:
        super().__init__(table)
        self._table = table

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QWidget:
        field = BoneField(self._table.theme, self._table.bones(SIDES[index.column()]), parent)
        # with the list open, Return comes to the field past the delegate's filter
        field.returnPressed.connect(lambda: self._close(field))
        return field

    def _close(self, field: BoneField) -> None:
        if field.completer().popup().isVisible():
            self.commitData.emit(field)
            self.closeEditor.emit(field)

    def setEditorData(self, editor: QWidget, index: QModelIndex | QPersistentModelIndex) -> None:
        assert isinstance(editor, BoneField)
        editor.setText(str(index.data()))
        editor.selectAll()

    def setModelData(self, editor: QWidget, model, index: QModelIndex | QPersistentModelIndex) -> None:
        assert isinstance(editor, BoneField)
        text = editor.text()
        if text != str(index.data()):
            chain = str(index.siblingAtColumn(CHAIN).data())
            self._table.written.emit(chain, SIDES[index.column()], text)

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Wider than the cell, so that several bones can be read."""
        room = QRect(option.rect)
        room.setWidth(max(room.width(), 200))
        most = self._table.viewport().width()
        room.moveLeft(max(min(room.left(), most - room.width()), 0))
        editor.setGeometry(room)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(super().sizeHint(option, index).width(), 22)


class MapTable(QTreeWidget):
    """Rows of chains.

    Parameters
    ----------
    bones : the names to choose from, of a side ("source", "target")
    """

    chosen = Signal(str)
    written = Signal(str, str, str)

    def __init__(self, theme: Theme, bones: Callable[[str], tuple[str, ...]]) -> None:
        super().__init__()
        self.setObjectName("chainMap")
        self.theme, self.bones = theme, bones
        self._rows: tuple[Row, ...] = ()
        self.setColumnCount(len(HEADS))
        self.setHeaderLabels([tr(text) for text in HEADS])
        for column, tip in enumerate(TIPS):
            self.headerItem().setToolTip(column, tr(tip))
            if column >= CONFIDENCE:
                self.headerItem().setTextAlignment(column, NUMBERS)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAlternatingRowColors(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = self.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(24)
        header.setSectionResizeMode(CHAIN, QHeaderView.ResizeMode.Interactive)
        for column in (SOURCE, TARGET):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        header.resizeSection(CHAIN, 72)
        words = QFontMetrics(theme.font(tokens.CAPTION))
        for column in (CONFIDENCE, ROTATION):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            header.resizeSection(column, words.horizontalAdvance(tr(HEADS[column])) + 2 * SIDE + 2)
        delegate = _BoneEdit(self)
        for column in SIDES:
            self.setItemDelegateForColumn(column, delegate)
        self.itemDoubleClicked.connect(self._edit)
        self.itemSelectionChanged.connect(self._tell)
        theme.changed.connect(lambda: self._fill(self._rows))

    def show_rows(self, rows: tuple[Row, ...], chosen: str | None) -> None:
        """Show the map, one row chosen."""
        if rows != self._rows:
            self._fill(rows)
        with QSignalBlocker(self):
            self.clearSelection()
            for number, row in enumerate(self._rows):
                if row.name == chosen:
                    item = self.topLevelItem(number)
                    assert item is not None
                    item.setSelected(True)
                    if self.currentIndex().row() != number:  # another cell of it may be open for typing
                        self.setCurrentItem(item)
                    self.scrollToItem(item)

    def _fill(self, rows: tuple[Row, ...]) -> None:
        self._rows = rows
        with QSignalBlocker(self):
            self.clear()
            for row in rows:
                self.addTopLevelItem(self._item(row))

    def _item(self, row: Row) -> QTreeWidgetItem:
        turned = "" if row.degrees is None else f"{row.degrees:.0f}"
        item = QTreeWidgetItem([row.name, row.source, row.target, f"{row.confidence * 100:.0f}", turned])
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
        item.setForeground(CONFIDENCE, QBrush(self.theme.color(row.sure)))
        for column in (SOURCE, TARGET):
            item.setToolTip(column, str(item.text(column)))
        if row.degrees is not None:
            token = "dim" if row.degrees < 30.0 else "text" if row.degrees < 75.0 else "warning"
            item.setForeground(ROTATION, QBrush(self.theme.ink(token)))
        for column in (CONFIDENCE, ROTATION):
            item.setTextAlignment(column, NUMBERS)
        return item

    def _edit(self, item: QTreeWidgetItem, column: int) -> None:
        if column in SIDES:
            self.editItem(item, column)

    def _tell(self) -> None:
        items = self.selectedItems()
        if items:
            self.chosen.emit(items[0].text(CHAIN))
