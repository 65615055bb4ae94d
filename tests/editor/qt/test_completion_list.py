"""Completions below a line: where the list stands, which keys it takes, and when it goes."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from core.graph.language.completion import Completion
from editor.qt.completion_list import MOST_ROWS, MOST_WIDTH, Completing, CompletionList
from tests.editor.user import User

WORDS = ("speed", "spin(", "split", "crouch", "curve('", "Foot')")


class Bench(User):
    """A person at a small window with a line at its top, one in the middle and one at its bottom."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.window = window
        self.done: list[str] = []

    def line(self, name: str = "middle") -> QLineEdit:
        return self.window.findChild(QLineEdit, name)

    def typed(self, text: str, name: str = "middle") -> None:
        self.click(name)
        self.press("Ctrl+A")
        self.type(text)

    @property
    def shown(self) -> CompletionList | None:
        return next((x for x in self.window.findChildren(CompletionList) if x.isVisible()), None)

    def rows(self) -> list[str]:
        return [] if self.shown is None else [self.shown.item(k).text() for k in range(self.shown.count())]


def offers(text: str, cursor: int) -> list[Completion]:
    """What begins as what stands behind the last space, bracket or quote does; all of it behind a bracket or quote."""
    begin = max(text.rfind(mark, 0, cursor) for mark in " ('") + 1
    word = text[begin:cursor]
    if not word and begin and text[begin - 1] == " ":
        return []
    return [Completion(w, begin, cursor, f"about {w}") for w in WORDS if w.startswith(word) and w != word]


@pytest.fixture
def bench(qtbot, theme) -> Bench:
    window = QWidget()
    qtbot.addWidget(window)
    theme.dress(window)
    column = QVBoxLayout(window)
    made = Bench(window)
    for name in ("top", "middle", "bottom"):
        line = QLineEdit()
        line.setObjectName(name)
        line.returnPressed.connect(lambda line=line: made.done.append(line.text()))
        Completing(line, offers)
        column.addWidget(line)
        if name != "bottom":
            column.addStretch(1)
    window.resize(320, 400)
    window.show()
    made.settle()
    return made


def test_each_row_says_what_it_is(bench: Bench) -> None:
    bench.typed("sp")
    assert bench.rows() == ["speed   about speed", "spin(   about spin(", "split   about split"]
    assert bench.shown is not None and bench.shown.currentRow() == -1


@pytest.mark.parametrize(("name", "below"), [("top", True), ("middle", True), ("bottom", False)])
def test_it_stands_below_its_line_or_above_it_where_there_is_no_room(
    bench: Bench, name: str, below: bool
) -> None:
    bench.typed("c", name)
    line, shown = bench.line(name), bench.shown
    assert shown is not None and bench.window.rect().contains(shown.geometry())
    top, bottom = (
        line.mapTo(bench.window, QPoint()).y(),
        line.mapTo(bench.window, QPoint(0, line.height())).y(),
    )
    assert shown.y() == bottom + 1 if below else shown.y() + shown.height() == top - 1
    assert shown.width() >= line.width()


def test_it_is_as_high_as_its_rows_and_no_wider_than_the_window(bench: Bench) -> None:
    bench.typed("s")
    shown = bench.shown
    assert shown is not None and shown.verticalScrollBar().maximum() == 0 and shown.count() < MOST_ROWS
    high = shown.height()
    bench.typed("spl")
    assert bench.shown is not None and bench.shown.height() < high
    bench.window.resize(200, 400)
    bench.typed("s")
    assert bench.shown is not None and bench.shown.geometry().right() < 200
    bench.window.resize(900, 400)
    bench.settle()
    bench.typed("s")
    assert bench.shown is not None and bench.shown.width() == MOST_WIDTH


def test_down_and_up_stay_within_the_rows(bench: Bench) -> None:
    bench.typed("sp")
    shown = bench.shown
    assert shown is not None
    seen = []
    for key in ("Up", "Down", "Down", "Down", "Down", "Up", "Up", "Up", "Up"):
        bench.press(key)
        seen.append(shown.currentRow())
    assert seen == [-1, 0, 1, 2, 2, 1, 0, -1, -1]
    assert bench.line().cursorPosition() == 2 and bench.line().hasFocus()


def test_enter_takes_what_is_chosen_and_hands_over_where_nothing_is(bench: Bench) -> None:
    bench.typed("sp")
    bench.press("Down")
    bench.press("Return")
    assert bench.line().text() == "speed" and bench.done == [] and bench.shown is None
    bench.press("Return")
    assert bench.done == ["speed"]
    bench.typed("sp")
    bench.press("Return")
    assert bench.done == ["speed", "sp"] and bench.shown is None


def test_tab_takes_the_first_and_goes_on_where_there_is_none(bench: Bench) -> None:
    bench.typed("sp")
    bench.press("Tab")
    assert bench.line().text() == "speed" and bench.line().hasFocus() and bench.line().isModified()
    bench.press("Tab")
    assert bench.line("bottom").hasFocus()


def test_behind_a_bracket_and_a_quote_it_goes_on(bench: Bench) -> None:
    bench.typed("spi")
    bench.press("Tab")
    assert bench.line().text() == "spin(" and len(bench.rows()) == len(WORDS)
    bench.typed("cur")
    bench.press("Tab")
    assert bench.line().text() == "curve('" and len(bench.rows()) == len(WORDS)
    bench.press("Up")
    for _ in WORDS:
        bench.press("Down")
    bench.press("Return")
    assert bench.line().text() == "curve('Foot')" and bench.shown is None


def test_only_the_word_at_the_cursor_is_replaced(bench: Bench) -> None:
    bench.typed("1 + sp * 2")
    for _ in range(4):
        bench.press("Left")
    bench.type("e")
    bench.press("Tab")
    assert (bench.line().text(), bench.line().cursorPosition()) == ("1 + speed * 2", len("1 + speed"))


def test_it_goes_with_the_keyboard_by_escape_and_where_nothing_is_typed(bench: Bench) -> None:
    bench.typed("sp")
    bench.press("Escape")
    assert bench.shown is None and bench.line().text() == "sp"
    bench.typed("sp")
    bench.click("top")
    assert bench.shown is None
    bench.typed("sp")
    bench.press("Backspace")
    bench.press("Backspace")
    assert bench.shown is None and bench.line().text() == ""


def test_it_stays_below_a_line_that_moves(bench: Bench) -> None:
    bench.typed("sp")
    line = bench.line()
    before = line.y()
    bench.window.resize(320, 600)
    bench.settle()
    assert line.y() > before and bench.shown is not None
    assert bench.shown.y() == line.mapTo(bench.window, QPoint(0, line.height())).y() + 1
