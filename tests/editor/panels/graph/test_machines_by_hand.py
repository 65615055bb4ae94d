"""Machines by mouse and keys: transitions, rules typed in place, order, blends."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFormLayout, QListWidget, QScrollArea

from core.arrays import same_value
from core.blending.easing import EaseShape
from core.graph.compile import compile_graph
from core.graph.edits import transition_in
from core.graph.graph import BlendKind
from editor.model.graph.hits import arrow_points, middle_of
from tests.editor.panels.graph.graphs import BACK, GO, IDLE, STATES, WALKING
from tests.editor.user import ALT


@pytest.fixture
def here(shared_hand):
    shared_hand.canvas.enter(STATES)
    shared_hand.canvas.view = type(shared_hand.canvas.view)(-120.0, -100.0, 1.0)
    shared_hand.user.settle()
    return shared_hand


def border(here, node: str, side: float = 1.0):
    """A place on the right border of a state."""
    rect = here.scene.rect(node)
    return here.at(rect.x + (rect.w - 3 if side > 0 else 3), rect.y + rect.h / 2 + 14)


def on_arrow(here, source: str, target: str):
    arrow = next(a for a in here.scene.arrows if (a.source, a.target) == (source, target))
    return here.at(*middle_of(arrow_points(here.scene, arrow)))


def test_drag_from_the_border_makes_a_transition_and_its_rule_is_typed_in_place(here):
    before = here.graph
    here.drag(border(here, IDLE), here.middle(WALKING))
    made = next(t for t in here.sheet.transitions if t.id not in (GO, BACK))
    assert (made.source, made.target) == (IDLE, WALKING)
    assert here.canvas.state.selection == {made.id}
    arrow = next(a for a in here.scene.arrows if a.source == IDLE)
    assert [t.id for t in arrow.transitions] == [GO, made.id] and arrow.ranks == (1, 2)
    here.user.press("Return")
    field = here.user.find("graphInPlaceField")
    here.user.type("crou")
    assert "crouch" in here.user.find("graphCompletions").item(0).text()
    here.user.press("Tab")
    here.user.type(" and spead > 1")
    assert field.fault is not None and field.fault.column == len("crouch and ")
    for _ in range(len("ead > 1")):
        here.user.press("Backspace")
    here.user.type("eed > 1")
    assert field.fault is None
    here.user.press("Return")
    assert transition_in(here.graph, made.id).rule == "crouch and speed > 1"
    here.user.press("Ctrl+Z")
    here.user.press("Ctrl+Z")
    assert same_value(here.graph, before)


def test_drag_from_the_border_to_nothing_makes_a_state_with_the_clip(here):
    here.drag(border(here, WALKING), here.at(500, 150))
    here.user.type("turn")
    here.user.press("Return")
    state = next(n for n in here.sheet.nodes if n.id not in (IDLE, WALKING))
    assert state.name == "turn"
    assert any(t.source == WALKING and t.target == state.id for t in here.sheet.transitions)
    inside = here.graph.sheet(str(state.parameters["sheet"]))
    assert {n.kind for n in inside.nodes} == {"clip", "output"} and len(inside.links) == 1


@pytest.mark.parametrize("held", [Qt.KeyboardModifier.NoModifier, ALT], ids=["plain", "alt"])
def test_a_state_with_transitions_is_dragged_and_put_back(here, held):
    before, at, ways = here.canvas.layout, here.scene.places[WALKING], here.sheet.transitions
    middle = here.middle(WALKING)
    here.drag(middle, middle + QPoint(40, 100), modifiers=held)
    assert here.sheet.transitions == ways
    x, y = here.scene.places[WALKING]
    assert (x - at[0], y - at[1]) == pytest.approx((40.0, 100.0), abs=16.0)
    here.user.press("Ctrl+Z")
    assert same_value(here.canvas.layout, before)


def test_the_end_of_a_selected_arrow_leads_elsewhere(here):
    here.drag(border(here, WALKING), here.at(240, 150))
    here.user.press("Esc")
    third = here.editor.add_named("state", (240.0, 170.0))
    here.click(on_arrow(here, IDLE, WALKING))
    assert here.canvas.state.selection == {GO}
    arrow = next(a for a in here.scene.arrows if a.source == IDLE)
    x, y = arrow_points(here.scene, arrow)[-1]
    here.drag(here.at(float(x) - 6, float(y)), here.middle(third))
    assert transition_in(here.graph, GO).target == third


def test_hovering_says_rule_and_blend_in_words(here):
    words = here.editor.words_at(here.view.hit(on_arrow(here, IDLE, WALKING).toPointF()))
    assert "idle → walking" in words and "when speed > 0.1" in words and "crossfade over 0.2 s" in words


def test_alt_click_deletes_a_transition_and_double_click_types_its_rule(here):
    here.click(on_arrow(here, WALKING, IDLE), double=True)
    assert here.user.find("graphInPlaceField").text() == "speed < 0.1"
    here.user.press("Esc")
    here.click(on_arrow(here, WALKING, IDLE), modifiers=ALT)
    assert {t.id for t in here.sheet.transitions} == {GO}


def test_order_is_changed_by_list_and_by_keys(here):
    here.editor.machines.connect(IDLE, IDLE)
    made = next(iter(here.canvas.state.selection))
    here.user.settle()
    order = here.user.find("transitionOrder")
    assert isinstance(order, QListWidget) and order.count() == 2
    item = order.takeItem(1)
    order.insertItem(0, item)
    order.tell()  # what a drop inside the list ends in
    assert [t.id for t in sorted(here.sheet.transitions, key=lambda t: t.priority) if t.source == IDLE] == [
        made,
        GO,
    ]
    here.user.settle()
    here.canvas.select([made])
    here.view.setFocus()
    here.user.press("Alt+PgDown")
    arrow = next(a for a in here.scene.arrows if (a.source, a.target) == (IDLE, WALKING))
    assert arrow.ranks == (1,)


def test_inspector_sets_blend_and_easing_and_draws_it(here):
    here.click(on_arrow(here, IDLE, WALKING))
    kind = here.user.find("transition.kind")
    here.user.click(kind)
    here.user.press("Down")
    here.user.press("Down")
    here.user.press("Return")
    assert transition_in(here.graph, GO).blend.kind is BlendKind.INERTIALISE
    here.user.settle()
    here.user.click("transition.ease")
    here.user.press("Down")
    here.user.press("Return")
    assert transition_in(here.graph, GO).blend.easing.shape is EaseShape.SMOOTH
    here.user.settle()
    assert here.user.find("easingPlot").isVisible()
    here.user.type_into("transition.seconds", "0.35")
    assert transition_in(here.graph, GO).blend.seconds == "0.35"


@pytest.mark.parametrize(("name", "title"), [("min_time", "Min time"), ("reentry_time", "Re-entry time")])
def test_a_time_of_a_transition_is_typed_beside_its_title(here, name, title):
    here.click(on_arrow(here, IDLE, WALKING))
    field = here.user.find(f"transition.{name}")
    form = field.parentWidget().findChild(QFormLayout)
    assert form.labelForField(field).whole_text() == title
    area = field
    while not isinstance(area, QScrollArea):
        area = area.parentWidget()
    area.ensureWidgetVisible(field)
    here.user.settle()
    here.user.type_into(field, "0.75")
    assert getattr(transition_in(here.graph, GO), name) == 0.75


def test_what_a_state_does_is_underlined_where_it_is_wrong_while_it_is_typed(here):
    here.canvas.select([IDLE])
    here.user.settle()
    here.user.click("state.leave")
    line = here.user.find("state.leave")
    usual = line.toolTip()
    here.user.type("emit('left'); spead := 1")
    assert line.fault is not None and (line.fault.column, line.fault.length) == (len("emit('left'); "), 5)
    assert "spead" in line.toolTip()
    for _ in range(len("; spead := 1")):
        here.user.press("Backspace")
    assert line.fault is None and line.toolTip() == usual
    here.user.press("Return")
    assert next(n for n in here.sheet.nodes if n.id == IDLE).literals["leave"] == "emit('left')"


def test_conduits_entry_any_and_exit_take_the_transitions_that_make_sense(here):
    any_ = here.editor.add_named("any", (0.0, 200.0))
    exit_ = here.editor.add_named("exit", (500.0, 200.0))
    machines = here.editor.machines
    assert machines.reason(any_, WALKING) == ""
    assert machines.reason(IDLE, any_) != ""
    assert machines.reason(exit_, IDLE) != ""
    assert machines.connect(WALKING, exit_) is not None
    forms = {n.kind: n.form for n in here.scene.nodes.values()}
    assert forms == {"state": "state", "any": "pill", "exit": "pill"}


def test_machine_by_keys_alone(here):
    here.user.move(here.view, here.at(60, 180))
    here.user.press("Tab")
    here.user.type("walk")
    here.user.press("Return")
    state = next(iter(here.canvas.state.selection))
    here.user.press("Up")  # to the nearest one above
    assert here.canvas.state.active in (IDLE, WALKING)
    above = here.canvas.state.active
    here.user.press("Ctrl+Shift+Down")
    assert any(t.source == above and t.target == state for t in here.sheet.transitions)
    here.user.press("Up")  # from the transition back to the state
    assert here.canvas.state.active == above
    here.user.press("Ctrl+Right")
    assert here.place(above)[0] % 16 == 0
    here.user.press("Return")
    assert here.sheet.id != STATES
    here.user.press("Alt+Left")
    assert here.sheet.id == STATES and Qt.Key.Key_Tab


def test_blend_by_its_own_sheet_is_made_opened_and_undone(here):
    """The list of blends offers it; what is made crossfades, and plays."""
    session = here.stage.session
    before = session.document.project
    here.canvas.select([GO])
    here.stage.window.show_panel("graph_node")
    here.user.settle()
    box = here.user.find("transition.kind")
    box.setFocus()
    here.user.press("End")
    blend = transition_in(here.graph, GO).blend
    assert blend.kind is BlendKind.CUSTOM and here.graph.sheet(blend.sheet).of_kind("pose_input")
    compile_graph(here.graph, session.document.project)  # raises where it has faults
    here.user.press("Space", "transition.open_sheet")
    assert here.canvas.sheet.id == blend.sheet
    session.go_to(0)
    assert same_value(session.document.project, before)
