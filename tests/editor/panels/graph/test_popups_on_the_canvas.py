"""What pops up over the canvas: the keyboard goes to it, Escape closes it, and the canvas has the keyboard again."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint

from tests.editor.panels.graph.graphs import MACHINE, STATES, Hand


def find(here: Hand) -> None:
    here.user.press("Ctrl+F")


def search(here: Hand) -> None:
    here.user.move(here.view, (300, 300))
    here.user.press("Tab")


def rename(here: Hand) -> None:
    here.canvas.select([MACHINE])
    here.user.press("F2")


def rule(here: Hand) -> None:
    here.canvas.enter(STATES)
    here.editor.rule_wanted.emit(here.sheet.transitions[0].id)


POPUPS: dict[str, tuple[Callable[[Hand], None], str, str]] = {
    "find": (find, "graphFind", "graphFindField"),
    "search": (search, "graphSearch", "graphSearchField"),
    "name": (rename, "graphInPlace", "graphInPlaceField"),
    "rule": (rule, "graphInPlace", "graphInPlaceField"),
}


def test_a_field_on_the_canvas_keeps_within_it(shared_hand: Hand) -> None:
    rename(shared_hand)
    shared_hand.user.settle()
    field = shared_hand.user.find("graphInPlace")
    room = field.parentWidget().rect()
    for at in (QPoint(room.width() - 5, room.height() - 5), QPoint(-50, -50)):
        field.open(at, "a name", lambda text: None, checks=False)
        shared_hand.user.settle()
        assert room.contains(field.geometry())
    shared_hand.user.press("Esc")


def test_completions_keep_within_a_narrow_canvas(shared_hand: Hand) -> None:
    rename(shared_hand)
    field = shared_hand.user.find("graphInPlace")
    canvas = field.parentWidget()
    canvas.setMaximumWidth(220)
    shared_hand.user.settle()
    field.open(QPoint(5, 5), "", lambda text: None)
    shared_hand.user.type("s")
    assert shared_hand.user.find("graphCompletions").count() > 1
    assert canvas.width() <= 220 and canvas.rect().contains(field.geometry())
    shared_hand.user.press("Esc")
    canvas.setMaximumWidth(16_777_215)
    shared_hand.user.settle()


def test_the_bar_of_the_list_leaves_the_keyboard_in_the_search(shared_hand: Hand) -> None:
    here = shared_hand
    search(here)
    bar = here.user.find("graphSearchList").verticalScrollBar()
    assert bar.maximum() > 0
    here.user.click(bar, (bar.width() // 2, bar.height() - 8))
    assert bar.value() > 0
    here.user.type("bl")
    assert here.user.find("graphSearchField").text() == "bl"
    here.user.press("Esc")


@pytest.mark.parametrize("name", list(POPUPS))
def test_escape_gives_the_keyboard_back_and_changes_nothing(shared_hand: Hand, name: str) -> None:
    here, (opens, popup, field) = shared_hand, POPUPS[name]
    before = here.session.history.position
    opens(here)
    here.user.settle()
    assert here.user.visible(popup) and here.user.find(field).hasFocus()
    here.user.type("x")
    here.user.press("Esc")
    assert not here.user.visible(popup) and here.view.hasFocus()
    assert here.session.history.position == before
    here.user.press("Esc")  # with nothing open it is the canvas's own
    assert here.view.hasFocus()
