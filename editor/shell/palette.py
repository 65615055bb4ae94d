"""The command palette: every action by a few letters of its name."""

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from editor.actions.synonyms import meanings, near, note
from editor.model.i18n import tr
from editor.qt import tokens
from editor.qt.keys import keeps
from editor.qt.theme import Theme
from editor.qt.widgets import label

NOWHERE = QModelIndex()
ROW_HEIGHT = 28
ROWS = 12
WIDTH = 520
SHADOW = 20
"""Pixels around the box that its shadow takes."""
SCATTERED = 3.0
"""Rank from which on a word's letters are only found here and there."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One action as the palette lists it."""

    id: str
    title: str
    place: str
    shortcut: str
    icon: str
    enabled: bool
    checked: bool = False


def rank(words: str, title: str, place: str) -> float | None:
    """How well an entry fits the words (smaller is better), or None where it doesn't.

    Every word must be found in the title or its menu, mean something in the title under another name, or else have
    its letters there in this order.
    """
    wanted, text = words.casefold().split(), title.casefold()
    if not wanted:
        return 0.0
    total = 0.0
    for word in wanted:
        at = text.find(word)
        if at == 0 or (at > 0 and not text[at - 1].isalnum()):
            total += at * 0.01
        elif at > 0:
            total += 1.0 + at * 0.01
        elif word in place.casefold():
            total += 2.0
        elif (means := _meant(word, text)) is not None:
            total += 2.5 + means * 0.01
        elif meanings(word):
            return None
        else:
            gaps = _scattered(word, text)
            if gaps is None:
                return None
            total += SCATTERED + gaps * 0.1
    return total + len(text) * 0.001


def _meant(word: str, text: str) -> int | None:
    """Which meaning of a word of another program begins a word of the text; None where none does."""
    for place, means in enumerate(meanings(word)):
        at = text.find(means)
        if at == 0 or (at > 0 and not text[at - 1].isalnum()):
            return place
    return None


def _scattered(word: str, text: str) -> int | None:
    """Letters skipped while finding the word's letters in order; None where one is missing."""
    at, skipped = 0, 0
    for letter in word:
        found = text.find(letter, at)
        if found < 0:
            return None
        skipped += found - at
        at = found + 1
    return skipped if skipped <= 3 * len(word) else None


class EntryModel(QAbstractListModel):
    """Entries that fit, the best first."""

    def __init__(self, parent) -> None:
        super().__init__(parent)
        self.entries: list[Entry] = []

    def show(self, entries: list[Entry]) -> None:
        """List these."""
        self.beginResetModel()
        self.entries = entries
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.entries)

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        return self.entries[index.row()].title if role == Qt.ItemDataRole.DisplayRole else None

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        usable = Qt.ItemFlag.ItemIsEnabled if self.entries[index.row()].enabled else Qt.ItemFlag.NoItemFlags
        return usable | Qt.ItemFlag.ItemIsSelectable


class EntryDelegate(QStyledItemDelegate):
    """Icon, title, menu dim, shortcut at the right."""

    def __init__(self, theme: Theme, model: EntryModel, parent) -> None:
        super().__init__(parent)
        self.theme, self.model = theme, model

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(WIDTH - 20, ROW_HEIGHT)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        entry, rect = self.model.entries[index.row()], option.rect
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.theme.color("hover"))
            painter.drawRoundedRect(rect.adjusted(0, 1, 0, -1), tokens.RADIUS, tokens.RADIUS)
        if entry.checked:  # as in menus, a tick says that it is on
            self.theme.icon("check", "accent").paint(
                painter, QRect(rect.left() + 8, rect.center().y() - 7, 16, 16)
            )
        elif entry.icon:
            icon = self.theme.icon(entry.icon, "text" if entry.enabled else "disabled")
            icon.paint(painter, QRect(rect.left() + 8, rect.center().y() - 7, 16, 16))
        middle = Qt.AlignmentFlag.AlignVCenter
        x = rect.left() + 32
        painter.setFont(self.theme.font())
        painter.setPen(self.theme.color("text" if entry.enabled else "disabled"))
        painter.drawText(QRect(x, rect.top(), rect.width(), rect.height()), middle, entry.title)
        x += painter.fontMetrics().horizontalAdvance(entry.title) + 12
        painter.setFont(self.theme.font(tokens.CAPTION))
        quiet = "text" if chosen else "dim"
        painter.setPen(self.theme.color(quiet if entry.enabled else "disabled"))
        painter.drawText(QRect(x, rect.top(), rect.width(), rect.height()), middle, entry.place)
        right = QRect(rect.left(), rect.top(), rect.width() - 8, rect.height())
        painter.drawText(right, middle | Qt.AlignmentFlag.AlignRight, entry.shortcut)
        painter.restore()


class Palette(QWidget):
    """A box at the top of the window: type, arrows, Enter; Escape or a click elsewhere puts it away.

    It is as tall as what it lists, and has its shadow in a margin of its own: one that the window draws does not
    reach over the view.
    """

    chosen = Signal(str)

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("palette")
        self._theme = theme
        self._entries: list[Entry] = []
        self._back: QWidget | None = None
        self.field = QLineEdit()
        self.field.setObjectName("paletteField")
        self.field.setPlaceholderText(tr("Find an action"))
        self.field.textChanged.connect(self._filter)
        self.field.installEventFilter(self)
        self.model = EntryModel(self)
        self.view = QListView()
        self.view.setObjectName("paletteList")
        self.view.setModel(self.model)
        self.view.setItemDelegate(EntryDelegate(theme, self.model, self.view))
        self.view.setUniformItemSizes(True)
        self.view.setMouseTracking(True)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.entered.connect(self.view.setCurrentIndex)
        self.view.clicked.connect(lambda _: self._run())
        self.note = label("", "dim", wrap=True)
        self.note.setObjectName("paletteNote")
        self.note.setContentsMargins(8, 4, 8, 4)
        self.note.hide()
        self.box = QFrame()
        self.box.setProperty("role", "popup")
        outer = QVBoxLayout(self)
        outer.setContentsMargins(SHADOW, SHADOW, SHADOW, SHADOW)
        outer.addWidget(self.box)
        layout = QVBoxLayout(self.box)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(4)
        layout.addWidget(self.field)
        layout.addWidget(self.note)
        layout.addWidget(self.view)
        self.hide()

    def open(self, entries: list[Entry]) -> None:
        """Show every entry in the order given, the field empty; the focus comes back where it was."""
        for part in (self, *self.findChildren(QWidget)):
            part.ensurePolished()  # never shown before, it does not know its frames and fonts yet
        self._entries = entries
        self._back = self.window().focusWidget()
        self.field.clear()
        self._filter("")
        self.view.scrollToTop()
        self.show()
        self.raise_()
        self.field.setFocus()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("shadow", 0.05 if self._theme.tokens.dark else 0.025))
        box = self.box.geometry().translated(0, 4)
        for wide in range(SHADOW - 4, -1, -1):  # each darkens what lies nearer a little more
            painter.drawRoundedRect(box.adjusted(-wide, -wide, wide, wide), 6 + wide, 6 + wide)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Beside the box is elsewhere."""
        if not self.box.geometry().contains(event.position().toPoint()):
            self.put_away()

    def put_away(self) -> None:
        """Hide, and give the focus back."""
        if not self.isVisible():
            return
        self.hide()
        if self._back is not None:
            self._back.setFocus()
        self._back = None

    def _place(self) -> None:
        """At the top of the window, as tall as what is listed."""
        window = self.window()
        width = min(WIDTH, window.width() - 32)
        rows = min(max(self.model.rowCount(), 0), ROWS, max((window.height() - 190) // ROW_HEIGHT, 3))
        self.view.setFixedHeight(rows * ROW_HEIGHT + 2 * self.view.frameWidth())
        self.view.setVisible(rows > 0)
        height = 16 + self.field.sizeHint().height() + 2
        if rows:
            height += 4 + self.view.height()
        if not self.note.isHidden():
            height += 4 + self.note.heightForWidth(width - 18)
        left = (window.width() - width) // 2
        self.setGeometry(left - SHADOW, 72 - SHADOW, width + 2 * SHADOW, height + 2 * SHADOW)

    def _filter(self, words: str) -> None:
        found, said = self._fitting(words), note(words)
        if not found:
            close = near(words, [entry.title for entry in self._entries])
            found = [e for word in close for e in self._fitting(word)]
            found = list(dict.fromkeys(found))
            said = tr("No results for “{words}”.", words=words.strip())
            if found:
                said += " " + tr("Did you mean: {words}", words=", ".join(close))
            else:
                said += " " + tr("Try another word, such as “key”, “view” or “export”.")
        self.note.setText(said)
        self.note.setVisible(bool(said))
        self.model.show(found)
        if found:
            self.view.setCurrentIndex(self.model.index(0))
        self._place()

    def _fitting(self, words: str) -> list[Entry]:
        """Entries that fit the words, the best first; what cannot be done now comes last of those that hold the words.

        Letters found here and there count least: Enter after the name of a disabled action runs no other one.
        """
        ranked = [(rank(words, e.title, e.place), n, e) for n, e in enumerate(self._entries)]
        fitting = sorted((r >= SCATTERED, not e.enabled, r, n) for r, n, e in ranked if r is not None)
        return [self._entries[n] for *_, n in fitting]

    def _run(self) -> None:
        row = self.view.currentIndex().row()
        if 0 <= row < len(self.model.entries) and self.model.entries[row].enabled:
            action = self.model.entries[row].id
            self.put_away()
            self.chosen.emit(action)

    def eventFilter(self, watched, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent):
            return keeps(event, MINE) or (event.type() == QEvent.Type.KeyPress and self._key(event))
        left = isinstance(event, QFocusEvent) and event.lostFocus()
        if left and event.reason() != Qt.FocusReason.ActiveWindowFocusReason:  # type: ignore[attr-defined]
            self.hide()
        return False

    def _key(self, event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Escape:
            self.put_away()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._run()
        elif (step := STEPS.get(Qt.Key(event.key()))) is not None:
            last = max(self.model.rowCount() - 1, 0)
            row = min(max(self.view.currentIndex().row() + step, 0), last)
            self.view.setCurrentIndex(self.model.index(row))
        else:
            return False
        return True


STEPS = {
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_PageUp: -ROWS,
    Qt.Key.Key_PageDown: ROWS,
}
MINE = (*STEPS, Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter)
