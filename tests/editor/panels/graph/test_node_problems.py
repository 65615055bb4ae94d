"""What is wrong stands below the fields of the Node panel: it comes in later, and no field moves for it."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLabel, QPushButton, QScrollArea, QWidget

from editor.panels.graph_node.problem_strip import LINE, MOST, SHARE
from editor.shell.window import MINIMUM
from tests.editor.panels.graph.graphs import BACK, BLEND, GO, MACHINE, POSES, STATES, Hand, id_of


@pytest.fixture
def here(shared_hand: Hand) -> Hand:
    shared_hand.stage.window.show_panel("graph_node")
    shared_hand.editor.nodes.set_parameter([MACHINE], "sheet", STATES)
    shared_hand.editor.wires.connect(
        shared_hand.pin_place(MACHINE, "out", True), shared_hand.pin_place(BLEND, "a")
    )  # what nothing plays is not compiled
    shared_hand.canvas.enter(STATES)
    return shared_hand


def panel(here: Hand) -> QWidget:
    return here.stage.window.docks["graph_node"].body.panel


def strip(here: Hand) -> QScrollArea:
    found = panel(here).findChild(QScrollArea, "nodeProblems")
    assert found is not None
    return found


def texts(here: Hand) -> list[tuple[str, str]]:
    """What the strip says, with the role that colours it."""
    if not strip(here).isVisible():
        return []
    return [(x.text(), x.property("role")) for x in strip(here).widget().findChildren(QLabel)]


def place(widget: QWidget) -> QPoint:
    return widget.mapToGlobal(QPoint(0, 0))


def look(here: Hand) -> None:
    """As the panel does half a second after an edit."""
    here.editor.problems.check()
    here.user.settle()


def broken(here: Hand, count: int) -> None:
    """Transitions whose rules name nothing that is there, all selected."""
    sheet = here.graph.sheet(STATES)
    more = [replace(sheet.transitions[0], id=id_of(600 + k), rule=f"nothing_{k}") for k in range(count)]
    sheets = [
        replace(s, transitions=(*s.transitions, *more)) if s.id == STATES else s for s in here.graph.sheets
    ]
    here.session.edits.put("more", replace(here.graph, sheets=tuple(sheets)))
    here.canvas.select([t.id for t in more])
    look(here)


def test_no_field_moves_when_a_problem_comes_and_when_it_goes(here: Hand) -> None:
    here.canvas.select([GO])
    look(here)
    assert not strip(here).isVisible()
    rule, seconds = here.user.find("transition.rule"), here.user.find("transition.seconds")
    before = place(rule), place(seconds)
    here.user.click(rule)
    here.user.press("Ctrl+A")
    here.user.type("speeed > 0.1")
    here.user.press("Return")
    look(here)
    ((text, role),) = texts(here)
    assert text.startswith("There is no variable 'speeed'") and role == "error"
    assert (place(here.user.find("transition.rule")), place(here.user.find("transition.seconds"))) == before
    assert place(strip(here)).y() >= place(panel(here)).y() + panel(here).height() * (1 - SHARE) - 1
    here.user.press("Ctrl+Z")
    look(here)
    assert not strip(here).isVisible()
    assert (place(here.user.find("transition.rule")), place(here.user.find("transition.seconds"))) == before


def test_its_quick_fix_is_pressed_there(here: Hand) -> None:
    here.canvas.select([GO])
    here.editor.machines.set_rule(GO, "speeed > 0.1")
    look(here)
    button = strip(here).widget().findChild(QPushButton)
    title = button.text()
    here.user.click(button)
    look(here)
    assert "speeed" in {v.name for v in here.graph.variables} and texts(here) == []
    assert here.session.history.labels[-1] == title


def test_of_several_it_says_which(here: Hand) -> None:
    here.editor.machines.set_rule(GO, "speeed > 0.1")
    here.editor.machines.set_rule(BACK, "sped > 0.1")
    look(here)
    here.canvas.select([BACK])
    here.user.settle()
    assert [text.partition(":")[0] for text, _ in texts(here)] != ["walking → idle › Rule"]
    here.canvas.select([GO, BACK])
    here.user.settle()
    assert {text.partition(":")[0] for text, _ in texts(here)} == {
        "idle → walking › Rule",
        "walking → idle › Rule",
    }


def test_another_node_has_its_own(here: Hand) -> None:
    here.canvas.select([GO])
    here.editor.machines.set_rule(GO, "speeed > 0.1")
    look(here)
    assert texts(here)
    here.canvas.enter(POSES)
    here.canvas.select([BLEND])
    here.user.settle()
    assert texts(here) == []


def test_it_is_not_made_anew_while_it_says_the_same(here: Hand) -> None:
    """A quick fix that has the keyboard would lose it."""
    here.canvas.select([GO])
    here.editor.machines.set_rule(GO, "speeed > 0.1")
    look(here)
    before = strip(here).widget()
    here.editor.machines.change([GO], min_time=0.5)
    look(here)
    assert strip(here).widget() is before


def test_of_very_many_it_tells_the_first_and_how_many_more(here: Hand) -> None:
    broken(here, MOST + 5)
    told = texts(here)
    assert len(told) == MOST + 1 and told[-1] == ("and 5 more", "dim")
    here.canvas.select(sorted(here.canvas.state.selection)[:MOST])
    here.user.settle()
    assert len(texts(here)) == MOST and "more" not in texts(here)[-1][0]


def test_it_leaves_the_fields_their_part_of_a_low_panel_and_scrolls(here: Hand) -> None:
    broken(here, 4)
    window = here.stage.window
    usual, seen = window.size(), []
    for height in (usual.height(), MINIMUM[1], usual.height()):
        window.resize(usual.width(), height)
        here.user.settle()
        wanted = strip(here).widget().layout().totalHeightForWidth(panel(here).width()) + LINE
        seen.append((strip(here).height(), min(wanted, round(panel(here).height() * SHARE)), wanted))
    assert len(texts(here)) == 4
    assert all(height == right for height, right, _ in seen)
    assert seen[1][0] < seen[1][2], "in the low window it scrolls"
    assert seen[0][0] > seen[1][0] and seen[2][0] == seen[0][0]
