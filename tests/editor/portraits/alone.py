"""A widget in a window of its own: what it shows, paints and tells after each thing that is done to it."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget

from editor.qt.theme import Theme
from tests.editor.portraits import happenings, pointer, words
from tests.editor.portraits.brush import Brush, noted
from tests.editor.portraits.in_hand import otherwise
from tests.editor.turning import in_front, turn_until_shown

LINE = re.compile(r"(: drawLine .*) in #\S+$")
MOST = 14
"""So many lines of words, and of a picture, are told of one deed; of more only how many there are."""


class Alone:
    """Does one thing after the other to a widget, and notes what came of each.

    Attributes
    ----------
    heard : what the widget has told since the last deed; whoever listens to its signals adds to it
    other : a field beside it, for the keyboard to go to
    """

    def __init__(self, theme: Theme, widget: QWidget, size: tuple[int, int]) -> None:
        self.theme, self.widget = theme, widget
        self.heard: list[str] = []
        self.lines: list[str] = []
        self.window, self.other = QWidget(), QLineEdit("elsewhere")
        column = QVBoxLayout(self.window)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(widget)
        column.addWidget(self.other)
        column.addStretch(1)
        theme.dress(self.window)
        self.window.resize(*size)
        self.window.show()
        in_front(self.window)
        self.other.setFocus()
        self.log: Brush
        self._words: list[str] = []
        self._picture: list[str] = []

    # ------------------------------------------------------------ telling
    def settle(self) -> None:
        turn_until_shown()

    def begin(self, log: Brush) -> None:
        """How it stands before anything is done."""
        self.log = log
        self.settle()
        self._words, self._picture = words.lines(self.window), self._whole()

    def _whole(self) -> list[str]:
        """All that it paints."""
        self.log.taken()
        for part in (self.widget, *self.widget.findChildren(QWidget)):
            part.update()
        self.settle()
        return self._taken()

    def _taken(self) -> list[str]:
        """What was painted; lines are not filled, whatever brush there is."""
        return list(dict.fromkeys(LINE.sub(r"\1", line) for line in self.log.taken()))

    def do(self, what: str, *deeds: Callable[[], object]) -> None:
        """Do something; a picture that comes only when it is asked for is a fault."""
        self.heard.clear()
        for deed in deeds:
            deed()
            self.settle()
        own = self._taken()
        now, picture = words.lines(self.window), self._whole()
        told = happenings.differs(self._words, now)
        painted = [f"paints {line}" for line in otherwise(self._picture, picture)]
        late = [f"LATE {line}" for line in picture if line not in self._picture and line not in own]
        focus = QApplication.focusWidget()
        name = (focus.objectName() or type(focus).__name__) if focus is not None else "nobody"
        self.lines.append(f"{what}: {'; '.join(self.heard)} [{name}]")
        for part in (told, painted, late):
            self.lines += [f"    {line}" for line in part[:MOST]]
            self.lines += [f"    … {len(part)} lines"] if len(part) > MOST else []
        self._words, self._picture = now, picture

    # ------------------------------------------------------------ hands
    def find(self, name: str) -> QWidget:
        """The part with a name; one that was made again and waits to be deleted is not meant."""
        return next(w for w in self.widget.findChildren(QWidget, name) if not w.isHidden())

    def tap(self, name: str, at: QPoint | None = None) -> None:
        """Click a widget: at its left end, where a check box has its box."""
        widget = self.find(name)
        QTest.mouseClick(
            widget,
            Qt.MouseButton.LeftButton,
            pos=at or QPoint(min(9, widget.width() // 2), widget.height() // 2),
        )

    def key(self, code: Qt.Key, held: Qt.KeyboardModifier = pointer.NONE) -> None:
        """A key for who has the keyboard."""
        target = QApplication.activePopupWidget() or QApplication.focusWidget()
        if target is not None:
            QTest.keyClick(target, code, held)

    def type(self, text: str) -> None:
        """Letters for who has the keyboard, in place of what is there."""
        self.key(Qt.Key.Key_A, pointer.CTRL)
        self.key(Qt.Key.Key_Delete)
        for letter in text:
            target = QApplication.activePopupWidget() or QApplication.focusWidget()
            QTest.keyClicks(target, letter)
            self.settle()

    def elsewhere(self) -> None:
        """The keyboard goes to another field."""
        self.other.setFocus()


@contextmanager
def alone(
    qapp: QApplication, make: Callable[[Theme], QWidget], size: tuple[int, int] = (280, 500)
) -> Iterator[Alone]:
    """A widget alone for the time of a block."""
    theme = Theme(qapp)
    here = Alone(theme, make(theme), size)
    try:
        with noted() as log:
            here.begin(log)
            yield here
    finally:
        here.window.close()
        here.window.deleteLater()
        here.settle()
