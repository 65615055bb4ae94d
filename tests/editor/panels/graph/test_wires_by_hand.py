"""Adding and wiring by mouse and keys: search, pin drags, cut line, wires in between, healing, literals."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QListView

from core.arrays import same_value
from editor.model.graph.state import Wiring
from tests.editor.panels.graph.graphs import BLEND, CLIP_A, CLIP_B, MACHINE, OUTPUT, STATES, hand
from tests.editor.stage import TURN
from tests.editor.user import ALT, CTRL, RIGHT, SHIFT


@pytest.fixture
def here(qapp):
    with hand(qapp) as made:
        yield made


def titles(here) -> list[str]:
    view = here.user.find("graphSearchList")
    assert isinstance(view, QListView)
    return here.user.rows(view)


def test_tab_searches_and_enter_puts_the_first(here):
    here.user.move(here.view, here.at(300, 250))
    here.user.press("Tab")
    here.user.type("slot")
    assert titles(here)[0] == "Slot"
    here.user.press("Return")
    node = here.node_of("slot")
    assert here.canvas.state.selection == {node.id}
    here.user.press("Ctrl+Z")
    assert all(n.kind != "slot" for n in here.sheet.nodes)


OTHERS = {"crossfade": "blend", "fsm": "machine", "lookat": "look_at", "bone modify": "transform_bone"}


@pytest.mark.parametrize("words", OTHERS)
def test_words_of_other_programs_find_nodes(here, words):
    assert any(e.new.kind == OTHERS[words] for e in here.editor.search.find(words)[:6])


def test_anim_notify_finds_events_in_update_sheets(here):
    here.editor.add_update_sheet()
    kinds = [e.new.kind for e in here.editor.search.find("anim notify")[:3]]
    assert "on_event" in kinds and "emit_event" in kinds


def test_typing_over_the_canvas_searches_with_that_letter(here):
    here.user.move(here.view, here.at(300, 250))
    here.user.type("m")
    here.user.type("irror")
    assert titles(here)[0] == "Mirror"
    here.user.press("Esc")
    assert not here.user.visible("graphSearch")


def test_right_click_on_nothing_searches_and_a_click_on_a_row_adds_there(here):
    here.click(here.at(300, 250), button=RIGHT)
    here.user.type("walk")
    here.user.click_row("graphSearchList", "walk")
    added = [n for n in here.sheet.nodes if n.kind == "clip" and n.id not in (CLIP_A, CLIP_B)]
    assert len(added) == 1
    x, y = here.place(added[0].id)
    assert abs(x - 300) <= 16 and abs(y - 250) <= 32


def test_pin_drag_connects_and_shows_what_fits(here):
    seen = {}

    def look() -> None:
        preview = here.canvas.state.preview
        assert isinstance(preview, Wiring)
        seen.update(here.canvas.state.fits)

    before = here.graph
    here.drag(here.pin(MACHINE, "out", True), here.pin(BLEND, "a"), during=look)
    assert here.link(BLEND, "a").source == MACHINE
    assert seen[here.pin_place(BLEND, "a")] == ""
    assert seen[here.pin_place(BLEND, "alpha")] != ""
    here.user.press("Ctrl+Z")
    assert same_value(here.graph, before)


def test_dropping_a_wire_on_a_body_takes_the_first_fitting_pin(here):
    here.drag(here.pin(MACHINE, "out", True), here.middle(OUTPUT))
    assert here.link(OUTPUT, "pose").source == MACHINE


def test_dropping_a_wire_on_nothing_searches_for_what_fits_and_connects_it(here):
    here.drag(here.pin(MACHINE, "out", True), here.at(420, 260))
    assert here.user.visible("graphSearch")
    assert "Clip" not in titles(here)  # a clip takes no pose
    here.user.type("mirror")
    here.user.press("Return")
    mirror = here.node_of("mirror")
    assert here.link(mirror.id, "pose").source == MACHINE


def test_escape_during_a_wire_changes_nothing(here):
    before = here.graph
    here.drag(here.pin(MACHINE, "out", True), here.pin(BLEND, "a"), during=lambda: here.user.press("Esc"))
    assert here.graph is before
    assert here.canvas.state.fits is None


def test_circles_are_refused_with_the_reason(here):
    here.drag(here.pin(BLEND, "out", True), here.pin(BLEND, "a"))
    assert here.link(BLEND, "a").source == CLIP_A


def test_alt_click_on_a_pin_and_on_a_wire_cuts(here):
    here.click(here.pin(BLEND, "a"), modifiers=ALT)
    assert here.link(BLEND, "a") is None
    a, b = here.scene.pin_place(BLEND, "out", True), here.scene.pin_place(OUTPUT, "pose", False)
    here.click(here.at((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), modifiers=ALT)
    assert here.link(OUTPUT, "pose") is None


def test_ctrl_drag_moves_all_wires_of_a_pin(here):
    here.drag(here.pin(BLEND, "a"), here.pin(OUTPUT, "pose"), modifiers=CTRL)
    assert here.link(BLEND, "a") is None
    assert here.link(OUTPUT, "pose").source == CLIP_A


def test_cut_line_cuts_what_it_crosses(here):
    here.drag(here.at(215, -20), here.at(215, 240), button=RIGHT, modifiers=CTRL)
    assert here.link(BLEND, "a") is None and here.link(BLEND, "b") is None
    assert here.link(OUTPUT, "pose") is not None
    assert here.session.history.undo_label == "Cut wires"


def test_node_dropped_on_a_wire_goes_in_between(here):
    node = here.editor.add_named("mirror", (300.0, 250.0))
    start = here.middle(node)
    a, b = here.scene.pin_place(BLEND, "out", True), here.scene.pin_place(OUTPUT, "pose", False)
    wire = here.at((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    here.drag(start, wire)
    assert here.link(OUTPUT, "pose").source == node
    assert here.link(node, "pose").source == BLEND
    here.drag(here.middle(node), here.middle(node) + QPoint(0, 160), modifiers=ALT)  # and out again
    assert here.link(OUTPUT, "pose").source == BLEND
    assert here.link(node, "pose") is None


def test_deleting_with_healing_joins_the_wires(here):
    here.click(here.middle(BLEND))
    here.user.press("Shift+Del")
    assert here.link(OUTPUT, "pose").source == CLIP_A
    here.user.press("Ctrl+Z")
    here.click(here.middle(BLEND))
    here.user.press("Del")
    assert here.link(OUTPUT, "pose") is None


def test_deleting_a_machine_takes_its_sheets_and_undo_brings_them_back(here):
    before = here.graph
    here.click(here.middle(MACHINE))
    here.user.press("Del")
    assert all(s.id != STATES for s in here.graph.sheets)
    assert len(here.graph.sheets) == 1
    here.user.press("Ctrl+Z")
    assert same_value(here.graph, before)


def test_the_output_stays(here):
    here.click(here.middle(OUTPUT))
    here.user.press("Del")
    assert here.node_of("output").id == OUTPUT


def test_shift_drag_duplicates_and_ctrl_d_too(here):
    start = here.middle(CLIP_A)
    here.drag(start, start + QPoint(0, -100), modifiers=SHIFT)
    assert sum(n.kind == "clip" for n in here.sheet.nodes) == 3
    assert here.place(CLIP_A) == (0, 0)
    here.user.press("Ctrl+D")
    assert sum(n.kind == "clip" for n in here.sheet.nodes) == 4


def test_converting_node_is_offered_for_an_impossible_wire(here):
    node = here.editor.add_named("mirror", (300.0, 250.0))
    get = here.editor.nodes.add_variable("speed", (64.0, 260.0))
    here.drag(here.pin(get, "out", True), here.pin(node, "on"))
    here.user.choose_in_popup("Convert by “a > 0”")
    middle = here.link(node, "on").source
    assert here.node_of("expression").literals["value"] == "a > 0"
    assert here.link(middle, "a").source == get


def literal(here, node: str, pin: str) -> QPoint:
    from editor.model.graph.hits import literal_box

    box = literal_box(here.scene.nodes[node], here.place(node), pin)
    return here.at(box.x + box.w / 2, box.y + box.h / 2)


def test_literal_is_scrubbed_typed_and_refused_with_an_underline(here):
    here.drag(literal(here, CLIP_A, "rate"), literal(here, CLIP_A, "rate") + QPoint(50, 0))
    rate = next(n for n in here.sheet.nodes if n.id == CLIP_A).literals["rate"]
    assert 1.3 < float(rate) < 1.7
    here.click(literal(here, CLIP_A, "rate"))
    field = here.user.find("graphInPlaceField")
    here.user.press("Ctrl+A")
    here.user.type("spead * 2")
    assert field.fault is not None and field.fault.column == 0
    assert "speed" in here.user.find("graphInPlaceSaid").text()
    here.user.press("Ctrl+A")
    here.user.type("speed * 2")
    assert field.fault is None
    here.user.press("Return")
    assert next(n for n in here.sheet.nodes if n.id == CLIP_A).literals["rate"] == "speed * 2"


def test_what_is_completed_in_the_middle_is_typed_on_behind_it(here):
    here.click(literal(here, CLIP_A, "rate"))
    here.user.press("Ctrl+A")
    here.user.type("sp * 2")
    for _ in range(4):
        here.user.press("Left")
    here.user.type("e")
    offered = here.user.find("graphCompletions")
    here.user.click(offered.viewport(), offered.visualItemRect(offered.item(0)).center())
    here.user.type("+1")
    assert here.user.find("graphInPlaceField").text() == "speed+1 * 2"
    here.user.press("Esc")


def test_the_completion_that_is_clicked_is_the_one_that_is_typed(here):
    here.click(literal(here, CLIP_A, "rate"))
    here.user.press("Ctrl+A")
    here.user.type("s")
    offered = here.user.find("graphCompletions")
    widest = max(offered.visualItemRect(offered.item(row)).width() for row in range(offered.count()))
    assert widest <= offered.viewport().width(), "what each does can be read"
    first, second = (offered.item(row).text().split()[0] for row in (0, 1))
    here.user.click(offered.viewport(), offered.visualItemRect(offered.item(1)).center())
    assert here.user.find("graphInPlaceField").text() == second != first
    here.user.press("Esc")


def test_truth_is_turned_by_a_click(here):
    node = here.editor.add_named("mirror", (300.0, 250.0))
    here.click(literal(here, node, "on"))
    assert next(n for n in here.sheet.nodes if n.id == node).literals["on"] == "false"


def test_reroute_by_double_click_is_dragged_and_deleted(here):
    a, b = here.scene.pin_place(BLEND, "out", True), here.scene.pin_place(OUTPUT, "pose", False)
    middle = here.at((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    here.click(middle, double=True)
    knots = here.canvas.layout.knots[OUTPUT, "pose"]
    assert len(knots) == 1
    here.drag(here.at(*knots[0]), here.at(knots[0][0], knots[0][1] + 80))
    assert here.canvas.layout.knots[OUTPUT, "pose"][0][1] == pytest.approx(knots[0][1] + 80, abs=16)
    here.user.press("Del")
    assert here.canvas.layout.knots == {}


def test_clip_dropped_on_the_canvas_becomes_a_node_and_on_a_clip_node_replaces(here):
    from PySide6.QtCore import QMimeData, Qt

    from editor.model.drag_kinds import CLIP
    from editor.panels.graph.drops import dropped

    data = QMimeData()
    data.setData(CLIP, TURN.encode())
    dropped(here.editor, data, (300.0, 260.0), Qt.KeyboardModifier.NoModifier)
    assert sum(n.kind == "clip" for n in here.sheet.nodes) == 3
    dropped(here.editor, data, (40.0, 10.0), Qt.KeyboardModifier.NoModifier)
    assert next(n for n in here.sheet.nodes if n.id == CLIP_A).parameters["clip"] == TURN
    assert sum(n.kind == "clip" for n in here.sheet.nodes) == 3


def test_swap_keeps_wires_of_equal_pins(here):
    from editor.model.graph.nodes import NewNode

    here.editor.nodes.swap(BLEND, NewNode("layered"))
    assert {x.pin for x in here.sheet.links if x.target == BLEND} == {"base", "layer"}
    assert here.link(OUTPUT, "pose").source == BLEND
