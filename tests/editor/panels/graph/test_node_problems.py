"""What is wrong stands below the fields of the Node panel: it comes in later, and no field moves for it."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QPushButton, QScrollArea, QWidget

from editor.panels.graph_node.problem_strip import LINE, SHARE
from tests.editor.panels.graph.graphs import BACK, BLEND, GO, MACHINE, POSES, STATES, Hand


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


def test_no_field_moves_when_a_problem_comes_and_when_it_goes(here: Hand) -> None:
    here.canvas.select([GO])
    look(here)
    assert texts(here) == []
    rule, seconds = here.user.find("transition.rule"), here.user.find("transition.seconds")
    before = place(rule), place(seconds)
    here.user.click(rule)
    here.user.press("Ctrl+A")
    here.user.type("speeed > 0.1")
    here.user.press("Return")
    here.user.settle()
    assert texts(here) == [], "it was looked for at once: the test shows nothing"
    look(here)
    ((text, role),) = texts(here)
    assert "speeed" in text and role == "error"
    assert (place(here.user.find("transition.rule")), place(here.user.find("transition.seconds"))) == before
    assert place(strip(here)).y() >= place(panel(here)).y() + panel(here).height() * (1 - SHARE) - 1
    here.user.press("Ctrl+Z")
    look(here)
    assert texts(here) == []
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


def test_it_leaves_the_fields_half_of_the_panel_and_scrolls(here: Hand) -> None:
    here.canvas.select([GO, BACK])
    here.editor.machines.set_rule(GO, " and ".join(f"unknown_{k}" for k in range(9)))
    here.editor.machines.set_rule(BACK, " and ".join(f"not_there_{k}" for k in range(9)))
    look(here)
    window, wanted = here.stage.window, strip(here).widget().layout().totalHeightForWidth(panel(here).width())
    for share in (0.2, 0.7):
        height = round(window.height() * share)
        window.resizeDocks([window.docks["graph_node"]], [height], Qt.Orientation.Vertical)
        here.user.settle()
        most = round(panel(here).height() * SHARE)
        assert strip(here).height() == min(most, wanted + LINE)
        assert place(strip(here)).y() + strip(here).height() <= place(panel(here)).y() + panel(here).height()
    assert most > wanted, "the second size shows all: the first is what scrolls"
