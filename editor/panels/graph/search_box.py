"""The search over the canvas: a field with the focus, a list below; Enter puts the first."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QVBoxLayout,
    QWidget,
)

from editor.model.graph.choosing import Pick
from editor.model.graph.editor import GraphEditor, SearchWanted
from editor.model.graph.search import Entry
from editor.model.i18n import tr
from editor.panels.graph.ink import Ink
from editor.qt.keys import keeps
from editor.qt.theme import Theme

WIDTH, ROW, ROWS = 300, 24, 11
KEYS = (
    Qt.Key.Key_Return,
    Qt.Key.Key_Enter,
    Qt.Key.Key_Escape,
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_PageUp,
    Qt.Key.Key_PageDown,
    Qt.Key.Key_Tab,
)
STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: ROWS, Qt.Key.Key_PageUp: -ROWS}


class EntryModel(QAbstractListModel):
    """Entries, the best first."""

    def __init__(self, parent) -> None:
        super().__init__(parent)
        self.entries: Sequence[Entry | Pick] = []

    def show(self, entries: Sequence[Entry | Pick]) -> None:
        """List these."""
        self.beginResetModel()
        self.entries = entries
        self.endResetModel()

    def rowCount(self, parent=QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.entries)

    def data(self, index, role: int = Qt.ItemDataRole.DisplayRole):
        entry = self.entries[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.title
        return entry.help if role == Qt.ItemDataRole.ToolTipRole and entry.help else None


class EntryDelegate(QStyledItemDelegate):
    """A dot in the colour of the family, the title, the group dim at the right."""

    def __init__(self, ink: Ink, model: EntryModel, parent) -> None:
        super().__init__(parent)
        self.ink, self.model = ink, model

    def sizeHint(self, option, index) -> QSize:
        return QSize(WIDTH - 16, ROW)

    def paint(self, painter: QPainter, option, index) -> None:
        entry, rect, ink = self.model.entries[index.row()], option.rect, self.ink
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if chosen:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ink.color("accent", 0.25))
            painter.drawRoundedRect(QRectF(rect).adjusted(2, 1, -2, -1), 3, 3)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(ink.tone(entry.tone, 0.9)))
        painter.drawEllipse(QRectF(rect.x() + 9, rect.center().y() - 3, 7, 7))
        middle = float(rect.center().y()) + 0.5
        _, metrics = ink.font(11)
        wide = min(metrics.horizontalAdvance(entry.group) + 4.0, 110.0)
        place = rect.right() - wide - 8.0
        ink.text(painter, (rect.x() + 24.0, middle), entry.title, place - rect.x() - 30.0, ink.color("text"))
        ink.text(painter, (place, middle), entry.group, wide, ink.color("dim"), 11, align=1.0)
        painter.restore()


class SearchBox(QFrame):
    """One for each canvas, shown when it is wanted: for what is added, or for what is chosen on a node.

    `chosen` tells what is to be added and where; `closed` that it is gone.
    """

    chosen = Signal(object, object)
    closed = Signal()

    def __init__(self, editor: GraphEditor, theme: Theme, ink: Ink, parent: QWidget) -> None:
        super().__init__(parent)
        self.editor, self.theme = editor, theme
        self.wanted = SearchWanted((0.0, 0.0))
        self._picks: Callable[[str], list[Pick]] | None = None
        self._picked: Callable[[Pick], object] = lambda pick: None
        self.setObjectName("graphSearch")
        self.setProperty("role", "popup")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAutoFillBackground(True)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 6, 6, 6)
        column.setSpacing(4)
        self.field = QLineEdit()
        self.field.setObjectName("graphSearchField")
        self.field.textChanged.connect(lambda _: self._list())
        self.field.installEventFilter(self)
        column.addWidget(self.field)
        self.model = EntryModel(self)
        self.list = QListView()
        self.list.setObjectName("graphSearchList")
        self.list.setModel(self.model)
        self.list.setUniformItemSizes(True)
        self.list.setItemDelegate(EntryDelegate(ink, self.model, self.list))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.clicked.connect(lambda index: self._take(index.row()))
        column.addWidget(self.list)
        # Else a click beside an entry, or on the bar of the list, gives the keyboard to the canvas below.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setFocusProxy(self.field)
        self.setFixedWidth(WIDTH)
        self.hide()

    def open(self, wanted: SearchWanted, at: QPoint) -> None:
        """Show it at a place of the canvas, the keyboard in its field."""
        self.wanted, self._picks = wanted, None
        self._show(at, wanted.text, tr("Add: node, clip, variable, function…"))

    def open_choice(
        self,
        at: QPoint,
        hint: str,
        find: Callable[[str], list[Pick]],
        picked: Callable[[Pick], object],
    ) -> None:
        """Show a list to choose from.

        Parameters
        ----------
        hint : what the empty field says
        find : rows for a text
        picked : gets the row that was chosen
        """
        self._picks, self._picked = find, picked
        self._show(at, "", hint)

    def _show(self, at: QPoint, text: str, hint: str) -> None:
        self.field.setPlaceholderText(hint)
        self.field.setText(text)
        self._list()
        area = self.parentWidget().rect()
        height = min(ROWS * ROW + 48, area.height() - 8)
        self.setFixedHeight(max(height, 120))
        x = min(max(at.x() + 4, 4), max(area.width() - self.width() - 4, 4))
        y = min(max(at.y() + 4, 4), max(area.height() - self.height() - 4, 4))
        self.move(x, y)
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)
        self.field.setCursorPosition(len(text))

    def _list(self) -> None:
        wanted, text, row = self.wanted, self.field.text(), 0
        if self._picks is not None:
            picks = self._picks(text)
            row = next((k for k, p in enumerate(picks) if p.now and not text), 0)
            self.model.show(picks)
        else:
            self.model.show(
                self.editor.search.find(text, wanted.joined, wanted.from_state, kinds_only=bool(wanted.swap))
            )
        if self.model.entries:
            self.list.setCurrentIndex(self.model.index(row, 0))

    def _take(self, row: int) -> None:
        if 0 <= row < len(self.model.entries):
            entry = self.model.entries[row]
            self.close_box()
            if isinstance(entry, Pick):
                self._picked(entry)
            else:
                self.chosen.emit(self.wanted, entry)

    def close_box(self) -> None:
        """Hide it; the canvas has the keyboard again."""
        if self.isVisible():
            self.hide()
            self.closed.emit()

    def eventFilter(self, watched, event: QEvent) -> bool:
        if keeps(event, KEYS):
            return True
        if event.type() == QEvent.Type.FocusOut and not self.underMouse():
            self.close_box()
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        key = event.key()
        row = self.list.currentIndex().row()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._take(max(row, 0))
        elif key == Qt.Key.Key_Escape:
            self.close_box()
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Tab, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            step = STEPS.get(Qt.Key(key), 1)
            row = min(max(row + step, 0), len(self.model.entries) - 1)
            self.list.setCurrentIndex(self.model.index(row, 0))
        else:
            return False
        return True
