"""Find and replace over the canvas; a click on a place goes there."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from core.errors import AnimError
from editor.model.graph.editor import GraphEditor
from editor.model.i18n import tr
from editor.qt.keys import keeps
from editor.qt.theme import Theme
from editor.qt.widgets import icon_button, label

WIDTH = 340
MOST = 200
KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape, Qt.Key.Key_Up, Qt.Key.Key_Down)


class FindBox(QFrame):
    """Stands at the top right of the canvas while it is open."""

    def __init__(self, editor: GraphEditor, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.editor = editor
        self.setObjectName("graphFind")
        self.setProperty("role", "popup")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAutoFillBackground(True)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 6, 6, 6)
        column.setSpacing(4)
        first = QHBoxLayout()
        self.field = QLineEdit()
        self.field.setObjectName("graphFindField")
        self.field.setPlaceholderText(tr("Find: name, parameter, expression, asset"))
        self.field.textChanged.connect(lambda _: self._list())
        self.field.installEventFilter(self)
        first.addWidget(self.field, 1)
        close = icon_button(theme, "close", tr("Close"), name="graphFindClose", size=20)
        close.clicked.connect(lambda: self.close_box())
        first.addWidget(close)
        column.addLayout(first)
        second = QHBoxLayout()
        self.other = QLineEdit()
        self.other.setObjectName("graphReplaceField")
        self.other.setPlaceholderText(tr("Replace with"))
        self.other.installEventFilter(self)
        second.addWidget(self.other, 1)
        self.button = QPushButton(tr("Replace all"))
        self.button.setObjectName("graphReplace")
        self.button.clicked.connect(self._replace)
        second.addWidget(self.button)
        column.addLayout(second)
        self.said = label("", "caption")
        self.said.setObjectName("graphFindSaid")
        column.addWidget(self.said)
        self.list = QListWidget()
        self.list.setObjectName("graphFound")
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.itemClicked.connect(self._go)
        column.addWidget(self.list, 1)
        self.hide()

    def open(self, text: str = "") -> None:
        """Show it with a text to look for."""
        area = self.parentWidget().rect()
        self.setGeometry(
            max(area.width() - WIDTH - 8, 4), 8, min(WIDTH, area.width() - 12), min(300, area.height() - 16)
        )
        if text:
            self.field.setText(text)
        self._list()
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)
        self.field.selectAll()

    def close_box(self) -> bool:
        """Hide it; whether it was there."""
        shown = self.isVisible()
        self.hide()
        if shown:
            self.parentWidget().setFocus(Qt.FocusReason.OtherFocusReason)
        return shown

    def _list(self) -> None:
        found = self.editor.finding.find(self.field.text())
        self.list.clear()
        for place in found[:MOST]:
            item = QListWidgetItem(f"{place.title} › {place.where}: {place.text}")
            item.setData(Qt.ItemDataRole.UserRole, place.item)
            self.list.addItem(item)
        count = len(found)
        self.said.setText(
            ""
            if not self.field.text()
            else tr("1 place")
            if count == 1
            else tr("{count} places", count=count)
        )
        self.button.setEnabled(bool(found))

    def _go(self, item: QListWidgetItem) -> None:
        self.editor.canvas.show(item.data(Qt.ItemDataRole.UserRole))

    def _replace(self) -> None:
        try:
            count = self.editor.finding.replace(self.field.text(), self.other.text())
        except AnimError as error:
            self.editor.canvas.messages.info(str(error))
            return
        self._list()
        self.said.setText(
            tr("Replaced in 1 place") if count == 1 else tr("Replaced in {count} places", count=count)
        )

    def eventFilter(self, watched, event: QEvent) -> bool:
        if keeps(event, KEYS):
            return True
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        key, row = event.key(), self.list.currentRow()
        if key == Qt.Key.Key_Escape:
            self.close_box()
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.list.setCurrentRow(
                min(max(row + (1 if key == Qt.Key.Key_Down else -1), 0), self.list.count() - 1)
            )
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if watched is self.other:
                self._replace()
            elif self.list.count():
                self.list.setCurrentRow((row + 1) % self.list.count() if row >= 0 else 0)
                self._go(self.list.currentItem())
        else:
            return False
        return True
