"""The rows of a set-up as a table; a click on what plays a part opens a list with search."""

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QBrush
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCompleter,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from editor.model.i18n import tr
from editor.model.play.setups import Part
from editor.panels.play_setup.view_model import Group, Row, SetupRows
from editor.qt import completion
from editor.qt.choice import ChoiceBox
from editor.qt.theme import Theme

PART = Qt.ItemDataRole.UserRole


class _Choosing(QStyledItemDelegate):
    """Edits what plays a part: a list that words narrow."""

    def __init__(self, table: "SetupTable") -> None:
        super().__init__(table)
        self._table = table

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QWidget:
        box, part = ChoiceBox(parent), self._table.part(index)
        box.setObjectName("setupChoice")
        box.setEditable(True)
        box.setInsertPolicy(ChoiceBox.InsertPolicy.NoInsert)
        for id, name in self._table.rows.choices(part) if part is not None else ():
            box.addItem(name, id)
        completer = box.completer()
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        completion.dress(completer, box)
        box.activated.connect(lambda _: self._taken(box))
        return box

    def _taken(self, box: ChoiceBox) -> None:
        if box.isVisible():  # Tab has taken it already, and the box tells of its choice once more as it goes
            self.commitData.emit(box)
            self.closeEditor.emit(box)

    def setEditorData(self, editor: QWidget, index: QModelIndex | QPersistentModelIndex) -> None:
        assert isinstance(editor, ChoiceBox)
        part = self._table.part(index)
        at = -1 if part is None or not part.name else editor.findText(part.name)
        editor.setCurrentIndex(max(at, 0))
        field = editor.lineEdit()
        if field is not None:
            field.selectAll()

    def setModelData(self, editor: QWidget, model, index: QModelIndex | QPersistentModelIndex) -> None:
        assert isinstance(editor, ChoiceBox)
        part, at = self._table.part(index), editor.findText(editor.currentText())
        before = -1 if part is None or not part.name else editor.findText(part.name)
        if part is not None and at >= 0 and at != max(before, 0):
            self._table.choose(part, str(editor.itemData(at)))

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(super().sizeHint(option, index).width(), 22)


class SetupTable(QTreeWidget):
    """Groups of rows.

    Parameters
    ----------
    choose : takes what was chosen for a part
    """

    def __init__(self, theme: Theme, rows: SetupRows, choose: Callable[[Part, str], object]) -> None:
        super().__init__()
        self.setObjectName("setupTable")
        self.setAccessibleName(tr("Parts of the set-up"))
        self.theme, self.rows, self.choose = theme, rows, choose
        self._groups: tuple[Group, ...] = ()
        self._closed: set[str] = set()
        self._known: set[str] = set()
        self.setColumnCount(2)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(True)
        self.setIndentation(12)
        self.setUniformRowHeights(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.header().setStretchLastSection(True)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Fixed)
        self.setItemDelegateForColumn(1, _Choosing(self))
        self.itemClicked.connect(self._edit)
        self.itemActivated.connect(self._edit)
        self.itemExpanded.connect(lambda item: self._closed.discard(item.data(0, PART)))
        self.itemCollapsed.connect(lambda item: self._closed.add(item.data(0, PART)))
        theme.changed.connect(lambda: self._fill(self._groups))

    def part(self, index: QModelIndex | QPersistentModelIndex) -> Part | None:
        """The part of a row."""
        found = index.siblingAtColumn(0).data(PART)
        return found if isinstance(found, Part) else None

    def show_groups(self) -> None:
        """Show the rows as they are now."""
        groups = self.rows.groups()
        if groups != self._groups:
            self._fill(groups)

    def open_group(self, id: str) -> None:
        """Open one group and show it at the top."""
        for number, group in enumerate(self._groups):
            top = self.topLevelItem(number)
            if group.id == id and top is not None:
                top.setExpanded(True)
                self.scrollToItem(top, QAbstractItemView.ScrollHint.PositionAtTop)

    def _fill(self, groups: tuple[Group, ...]) -> None:
        """Show rows; where the table is scrolled to stays."""
        self._groups, place = groups, self.verticalScrollBar().value()
        self.clear()
        for group in groups:
            top = QTreeWidgetItem([group.title, ""])
            top.setData(0, PART, group.id)
            top.setFirstColumnSpanned(True)
            font = top.font(0)
            font.setBold(True)
            top.setFont(0, font)
            self.addTopLevelItem(top)
            if group.id not in self._known and not group.open:
                self._closed.add(group.id)
            self._known.add(group.id)
            for row in group.rows:
                top.addChild(self._item(row))
            top.setFirstColumnSpanned(True)
            with QSignalBlocker(self):  # what a filter opens is closed again without it
                top.setExpanded(group.id not in self._closed or bool(self.rows.words))
        self.verticalScrollBar().setValue(place)

    def _item(self, row: Row) -> QTreeWidgetItem:
        item = QTreeWidgetItem([row.title, row.text])
        item.setForeground(1, QBrush(self.theme.color(row.token)))
        for column in (0, 1):
            item.setToolTip(column, f"{row.title}: {row.text}\n{row.tip}")
        if row.part is not None:
            item.setData(0, PART, row.part)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
        return item

    def _edit(self, item: QTreeWidgetItem, column: int) -> None:
        if isinstance(item.data(0, PART), Part):
            self.editItem(item, 1)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self.header().resizeSection(0, round(self.viewport().width() * 0.46))
