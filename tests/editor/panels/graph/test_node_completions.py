"""Words are completed in the fields of the Node panel as they are on the canvas."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication

from core.graph.edits import transition_in
from editor.qt.completion_list import CompletionList
from editor.shell.window import MINIMUM
from tests.editor.panels.graph.graphs import GO, IDLE, STATES, Hand

LIST = "completions"


@pytest.fixture
def here(shared_hand: Hand) -> Hand:
    window = shared_hand.stage.window
    window.show_panel("graph_node")
    shared_hand.canvas.enter(STATES)
    shared_hand.canvas.select([GO])
    shared_hand.user.settle()
    return shared_hand


def rule(here: Hand):
    return here.user.find("transition.rule")


def typed(here: Hand, text: str) -> None:
    here.user.click(rule(here))
    here.user.press("Ctrl+A")
    here.user.type(text)


def rows(here: Hand) -> list[str]:
    shown = here.user.find(LIST)
    return [shown.item(k).text().split("   ")[0] for k in range(shown.count())]


def offered(here: Hand) -> bool:
    return here.user.visible(LIST)


def test_tab_takes_the_first_and_enter_hands_over(here: Hand) -> None:
    typed(here, "spe")
    assert rows(here)[0] == "speed"
    here.user.press("Tab")
    assert rule(here).text() == "speed" and rule(here).hasFocus() and not offered(here)
    here.user.type(" > 2")
    here.user.press("Return")
    assert transition_in(here.graph, GO).rule == "speed > 2"


def test_down_chooses_and_enter_takes_what_is_chosen_first(here: Hand) -> None:
    before = transition_in(here.graph, GO).rule
    typed(here, "c")
    second = rows(here)[1]
    here.user.press("Down")
    here.user.press("Down")
    here.user.press("Return")
    assert rule(here).text() == second and transition_in(here.graph, GO).rule == before, "it is still typed"


def test_escape_puts_the_list_away_and_keeps_what_is_typed(here: Hand) -> None:
    typed(here, "spe")
    assert offered(here)
    here.user.press("Escape")
    assert not offered(here) and rule(here).text() == "spe" and rule(here).hasFocus()


def test_a_click_takes_a_row_and_the_keyboard_stays(here: Hand) -> None:
    typed(here, "crou")
    shown = here.user.find(LIST)
    here.user.click(shown.viewport(), shown.visualItemRect(shown.item(0)).center())
    assert rule(here).text() == "crouch" and rule(here).hasFocus()
    here.user.press("Return")
    assert transition_in(here.graph, GO).rule == "crouch"


def test_the_list_stands_below_its_line_and_goes_with_it(here: Hand) -> None:
    typed(here, "s")
    shown, line, window = here.user.find(LIST), rule(here), here.stage.window
    assert shown.mapTo(window, QPoint()).y() == line.mapTo(window, QPoint(0, line.height() + 1)).y()
    assert window.rect().contains(shown.geometry())
    assert all(
        shown.visualItemRect(shown.item(k)).width() <= shown.viewport().width() for k in range(shown.count())
    )
    here.user.click("transition.min_time")
    assert not offered(here)


@pytest.mark.parametrize("text", ["speed", "x", "2", "not"])
def test_tab_behind_a_whole_name_or_an_unknown_one_goes_on_to_the_next_field(here: Hand, text: str) -> None:
    typed(here, text)
    here.user.press("Tab")
    assert rule(here).text() == text and not rule(here).hasFocus() and not offered(here)


def test_what_is_put_there_by_something_else_is_not_completed(here: Hand) -> None:
    typed(here, "spe")
    assert offered(here)
    rule(here).setText("crouch")
    assert not offered(here)


def test_what_was_completed_is_kept_when_the_graph_changes_meanwhile(here: Hand) -> None:
    typed(here, "spe")
    here.user.press("Tab")
    more = replace(here.graph.variables[0], name="more")
    here.session.edits.put("more", replace(here.graph, variables=(*here.graph.variables, more)))
    here.user.settle()
    assert rule(here).text() == "speed" and rule(here).hasFocus()


def test_scrolling_the_form_puts_it_away(here: Hand) -> None:
    window = here.stage.window
    usual = window.size()
    window.resize(usual.width(), MINIMUM[1])
    here.user.settle()
    typed(here, "s")
    area = window.docks["graph_node"].body.panel.area
    assert area.verticalScrollBar().maximum() > 0 and offered(here)
    here.user.wheel(area.viewport(), -1, (4, area.height() - 6))  # beside the fields
    after = area.verticalScrollBar().value() > 0, offered(here)
    window.resize(usual)
    here.user.settle()
    assert after == (True, False)


def test_another_workspace_takes_the_list_along_though_the_pointer_rests_on_it(here: Hand) -> None:
    typed(here, "s")
    shown = here.user.find(LIST)
    here.user.move(shown.viewport(), (20, 20))
    assert shown.underMouse()
    here.user.press("Ctrl+1")
    left = offered(here)
    here.user.press("Ctrl+6")
    assert here.stage.window.layouts.current.id == "graph" and not left and not offered(here)


def test_the_list_comes_with_a_panel_that_floats(here: Hand) -> None:
    line, usual = rule(here), rule(here).text()
    typed(here, "spe")
    here.user.press("Escape")
    typed(here, usual)  # nothing is handed over: the line stays the same
    dock = here.stage.window.docks["graph_node"]
    dock.setFloating(True)
    dock.activateWindow()
    here.user.wait_until(lambda: QApplication.activeWindow() is dock)
    typed(here, "spee")
    shown = dock.findChild(CompletionList, LIST)
    inside = shown is not None and shown.isVisible() and shown.window() is rule(here).window()
    here.user.press("Tab")
    text, same = rule(here).text(), rule(here) is line
    dock.setFloating(False)
    here.user.settle()
    assert (inside, text, same) == (True, "speed", True)


def test_a_statement_begins_with_an_own_variable_or_an_event(here: Hand) -> None:
    here.canvas.select([IDLE])
    here.user.settle()
    here.user.click("state.enter")
    here.user.type("em")
    here.user.press("Tab")
    assert here.user.find("state.enter").text() == "emit('"
    here.user.type("landed')")
    here.user.press("Return")
    assert next(n for n in here.sheet.nodes if n.id == IDLE).literals["enter"] == "emit('landed')"
    assert QApplication.activePopupWidget() is None
