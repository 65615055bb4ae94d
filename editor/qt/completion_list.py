"""Words that could stand at the cursor, in a list: below a field of a panel, or part of what holds the field."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QLineEdit, QListWidget

from core.graph.language.completion import Completion
from editor.qt.keys import keeps, plain_key

MOST_ROWS = 7
MOST_WIDTH = 460
BESIDE = 34
"""Pixels of its width that completions do not get: margins, and the bar that scrolls them."""
TAKEN = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab)
KEYS = (*TAKEN, Qt.Key.Key_Escape, Qt.Key.Key_Up, Qt.Key.Key_Down)


class CompletionList(QListWidget):
    """Hidden while nothing is offered; the keyboard stays in the field, which tells it of its keys."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.offered: Sequence[Completion] = ()
        self.setObjectName(name)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    @property
    def wanted_width(self) -> int:
        """Pixels in which every row can be read."""
        return self.sizeHintForColumn(0) + BESIDE

    def offer(self, found: Sequence[Completion]) -> None:
        """Show what could stand there; none of it is current."""
        self.offered = found
        self.clear()
        for one in found:
            self.addItem(f"{one.text}   {one.help}" if one.help else one.text)
        self.setFixedHeight(min(len(found), MOST_ROWS) * self.sizeHintForRow(0) + 4)
        self.setCurrentRow(-1)
        self.setVisible(bool(found))

    def step(self, key: Qt.Key) -> bool:
        """Go up or down by a key; whether it was one of them."""
        if not self.offered or key not in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            return False
        row = self.currentRow() + (1 if key == Qt.Key.Key_Down else -1)
        self.setCurrentRow(min(max(row, -1), len(self.offered) - 1))
        return True

    def row_for_tab(self, text: str) -> int:
        """The row that Tab takes of a line's text: the current one, else the first if it begins so; or −1."""
        if self.currentRow() >= 0 or not self.offered:
            return self.currentRow()
        first = self.offered[0]
        return 0 if first.text.casefold().startswith(text[first.begin : first.end].casefold()) else -1

    def put_into(self, line: QLineEdit, row: int) -> Completion | None:
        """Write what a row offers into a line, the cursor behind it; None where there is no such row."""
        if not 0 <= row < len(self.offered):
            return None
        found, text = self.offered[row], line.text()
        line.setText(text[: found.begin] + found.text + text[found.end :])
        line.setCursorPosition(found.begin + len(found.text))
        return found


class Completing(QObject):
    """Offers completions below a line while one types into it.

    Up and Down choose, Enter takes what is chosen, Tab the first that begins as what is typed where nothing is; Escape
    puts the list away.

    Parameters
    ----------
    offers : what could stand at the cursor of a text
    """

    def __init__(self, line: QLineEdit, offers: Callable[[str, int], Sequence[Completion]]) -> None:
        super().__init__(line)
        self._line, self._offers = line, offers
        self._list: CompletionList | None = None
        self._asked = ""
        line.textEdited.connect(self._edited)
        line.textChanged.connect(self._changed)
        line.installEventFilter(self)

    def _changed(self, text: str) -> None:
        """What is put there by something else has no completions."""
        if text != self._asked:
            self._put_away()

    def _edited(self) -> None:
        line = self._line
        self._asked = line.text()
        self._show(self._offers(line.text(), line.cursorPosition()) if line.text().strip() else ())

    def _show(self, found: Sequence[Completion]) -> None:
        if self._list is None:
            if not found:
                return
            self._list = self._made()
        if found and self._list.parentWidget() is not self._line.window():  # its panel may float by now
            self._list.setParent(self._line.window())
        self._list.offer(found)
        if found:
            self._place(self._list)

    def _made(self) -> CompletionList:
        made = CompletionList("completions")
        made.setProperty("role", "popup")
        made.setViewportMargins(4, 0, 0, 0)
        made.itemClicked.connect(lambda item: self._take(made.row(item)))
        self._line.destroyed.connect(made.deleteLater)
        holder = self._line.parentWidget()
        while holder is not None:
            if isinstance(holder, QAbstractScrollArea):
                holder.verticalScrollBar().valueChanged.connect(self._put_away)
            holder = holder.parentWidget()
        return made

    def _put_away(self) -> None:
        self._show(())

    def _place(self, shown: CompletionList) -> None:
        """Below the line, or above it where there is no room; as wide as its rows, within the window."""
        line, window = self._line, self._line.window()
        width = min(max(shown.wanted_width, line.width()), MOST_WIDTH, window.width() - 4)
        shown.setFixedWidth(width)
        below = line.mapTo(window, QPoint(0, line.height() + 1))
        above = line.mapTo(window, QPoint(0, -1)).y() - shown.height()
        y = below.y() if below.y() + shown.height() <= window.height() or above < 0 else above
        shown.move(max(min(below.x(), window.width() - width - 2), 2), y)
        shown.raise_()

    def _take(self, row: int) -> None:
        line, shown = self._line, self._list
        found = None if shown is None else shown.put_into(line, row)
        if found is None:
            return
        line.setModified(True)
        line.textEdited.emit(line.text())
        if not found.text.endswith(("(", "'")):
            self._put_away()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        shown = self._list
        if shown is None or shown.isHidden():
            return False
        if keeps(event, KEYS):
            return True
        if event.type() in (QEvent.Type.FocusOut, QEvent.Type.Hide):
            self._put_away()  # a click on the list takes no keyboard: who loses it went elsewhere
            return False
        if event.type() in (QEvent.Type.Move, QEvent.Type.Resize):
            self._place(shown)
            return False
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        key, row = plain_key(event), shown.currentRow()
        if key is None:
            return False
        if key in TAKEN:
            row = shown.row_for_tab(self._line.text()) if key == Qt.Key.Key_Tab else row
            if row >= 0:
                self._take(row)
                return True
            self._put_away()
            return False  # Enter hands over what was typed, Tab goes on to the next field
        if key == Qt.Key.Key_Escape:
            self._put_away()
            return True
        return shown.step(key)
