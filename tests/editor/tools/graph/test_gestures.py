"""Gestures on the canvas without a window: what a press begins, modifiers, one step at the end, Escape, the edges."""

from types import SimpleNamespace

import pytest

from core.arrays import same_value
from editor.model.graph.geometry import GRID, View
from editor.model.graph.state import Cutting
from editor.tools.graph.gestures import EDGE, SCROLL, edge_scroll
from editor.tools.graph.press import gesture_at
from editor.tools.pointer import Button, Modifiers, Pointer
from tests.editor.panels.graph.graphs import (
    BACK,
    BLEND,
    CLIP_A,
    CLIP_B,
    GO,
    GRAPH,
    IDLE,
    MACHINE,
    OUTPUT,
    STATES,
    WALKING,
)  # fmt: skip

SHIFT, CTRL, ALT = Modifiers.SHIFT, Modifiers.CTRL, Modifiers.ALT


# ---------------------------------------------------------------- the edges of the view
@pytest.mark.parametrize("size", [(1600.0, 1200.0), (160.0, 100.0)])
def test_a_drag_at_the_edge_lets_the_view_go_on_and_most_of_a_small_one_is_free(size):
    w, h = size
    across, down = min(EDGE, w / 8.0), min(EDGE, h / 8.0)
    sides = {
        (across - 0.1, h / 2.0): (SCROLL, 0.0), (w - across + 0.1, h / 2.0): (-SCROLL, 0.0),
        (w / 2.0, down - 0.1): (0.0, SCROLL), (w / 2.0, h - down + 0.1): (0.0, -SCROLL),
        (1.0, 1.0): (SCROLL, SCROLL), (across + 0.1, down + 0.1): (0.0, 0.0),
        (w - across - 0.1, h - down - 0.1): (0.0, 0.0),
    }  # fmt: skip
    for place, way in sides.items():
        view = View(0.0, 0.0, 1.0)
        canvas = SimpleNamespace(size=size, view=view)
        assert edge_scroll(canvas, Pointer(*place)) is (way != (0.0, 0.0))
        assert canvas.view == view.panned(*way)


# ---------------------------------------------------------------- selecting
def test_clicks_select_add_and_remove(hand):
    hand.click(hand.title(CLIP_A))
    assert hand.chosen == {CLIP_A}
    hand.click(hand.title(BLEND), SHIFT)
    assert hand.chosen == {CLIP_A, BLEND}
    hand.click(hand.title(CLIP_A), CTRL)
    assert hand.chosen == {BLEND}
    hand.click(hand.title(CLIP_A), SHIFT)
    hand.click(hand.title(CLIP_A))  # one of several: it alone
    assert hand.chosen == {CLIP_A}
    hand.click((300.0, 600.0), SHIFT)
    assert hand.chosen == {CLIP_A}
    hand.click((300.0, 600.0))
    assert hand.chosen == set() and hand.labels == ()


def test_a_click_on_the_selected_goes_to_what_lies_below_and_back(hand):
    hand.editor.nodes.move({CLIP_B: hand.canvas.committed.places[CLIP_A]})
    place = hand.title(CLIP_A)
    hand.click(place)
    first = hand.chosen
    hand.click(place)
    assert len(hand.chosen) == 1 and hand.chosen | first == {CLIP_A, CLIP_B}
    hand.click(place)
    assert hand.chosen == first
    hand.click(place, SHIFT)
    assert hand.chosen == first


@pytest.mark.parametrize("held, left", [
    (Modifiers.NONE, {CLIP_A, CLIP_B}), (SHIFT, {CLIP_A, CLIP_B, OUTPUT}), (CTRL, {OUTPUT}),
])  # fmt: skip
def test_a_box_selects_adds_or_removes_and_escape_brings_the_selection_back(hand, held, left):
    for start, end in (((-40.0, -40.0), (30.0, 230.0)), ((-40.0, 230.0), (30.0, -40.0))):
        hand.canvas.select([OUTPUT, CLIP_A] if held is CTRL else [OUTPUT])
        before = hand.chosen
        hand.drag(start, (start[0] + 9.0, start[1]), end, held=held)
        nodes = {i for i in hand.chosen if i in hand.canvas.committed.nodes}
        assert nodes == left
        hand.canvas.select(before)
        hand.drag(start, end, held=held, end="cancel")
        assert hand.chosen == before


# ---------------------------------------------------------------- the view
@pytest.mark.parametrize("button", [Button.MIDDLE, Button.RIGHT])
def test_the_middle_and_right_button_pan_and_escape_brings_the_view_back(hand, button):
    view = hand.canvas.view
    gesture = gesture_at(hand.editor, Pointer(400.0, 400.0, button))
    gesture.begin(Pointer(400.0, 400.0, button))
    gesture.move(Pointer(401.0, 400.0, button))
    assert hand.canvas.view == view and not gesture.moved
    gesture.move(Pointer(450.0, 380.0, button))
    assert hand.canvas.view == view.panned(50.0, -20.0) and gesture.moved
    gesture.move(Pointer(401.0, 400.0, button))
    assert hand.canvas.view == view.panned(1.0, 0.0)
    gesture.cancel()
    assert hand.canvas.view == view and hand.labels == ()


# ---------------------------------------------------------------- moving
def test_dragged_nodes_land_on_the_grid_in_one_step_and_with_alt_anywhere(hand):
    start = hand.title(MACHINE)
    hand.drag(start, (start[0] + 40.0, start[1] + 30.0), (start[0] + 103.0, start[1] + 207.0))
    assert hand.labels == ("Move 1 node",)
    x, y = hand.canvas.committed.places[MACHINE]
    assert x % GRID == 0.0 and y % GRID == 0.0 and (x, y) != (0.0, 320.0)
    hand.session.undo()
    assert same_value(hand.session.document.project, hand.before)
    hand.canvas.select([CLIP_A, MACHINE])
    hand.drag(start, (start[0] + 800.0, start[1] + 400.0))
    places = hand.canvas.committed.places
    assert hand.labels[-1] == "Move 2 nodes"
    assert (places[MACHINE][0] - places[CLIP_A][0], places[MACHINE][1] - places[CLIP_A][1]) == (0.0, 320.0)


def test_a_drag_taken_back_or_back_at_its_start_is_no_step(hand):
    start = hand.title(MACHINE)
    hand.canvas.select([CLIP_A])
    hand.drag(start, (start[0] + 90.0, start[1]), end="cancel")
    assert hand.chosen == {CLIP_A}
    hand.drag(start, (start[0] + 90.0, start[1]), start)
    assert hand.labels == () and hand.session.document.project is hand.before


def test_a_node_is_put_into_the_wire_that_it_is_dropped_on_and_not_beside_it(hand):
    hand.editor.nodes.move({OUTPUT: (1000.0, 32.0), BLEND: (256.0, 32.0), MACHINE: (500.0, 400.0)})
    scene = hand.canvas.committed
    (begin, end) = (
        scene.pin_place(BLEND, scene.nodes[BLEND].outputs[0].name, True),
        scene.pin_place(OUTPUT, "pose", False),
    )
    middle = (begin[0] + end[0]) / 2.0, (begin[1] + end[1]) / 2.0
    kind = next(iter(k for k in ("inertialize", "save_pose", "slot", "cache_pose") if k in _kinds()))
    node = hand.editor.nodes.add(_new(kind), (600.0, 600.0))
    before = hand.wires()
    start = hand.title(node)
    hand.drag(start, (start[0] + 9.0, start[1]), (middle[0], middle[1] + 200.0))
    assert hand.wires() == before and hand.labels[-1] == "Move 1 node"
    start = hand.title(node)
    hand.drag(start, (start[0] + 9.0, start[1]), middle)
    assert hand.labels[-1] == "Put node into wire"
    assert hand.canvas.sheet.link_to(OUTPUT, "pose").source == node
    assert any(link.source == BLEND and link.target == node for link in hand.canvas.sheet.links)
    hand.session.undo()
    assert hand.wires() == before


def _kinds():
    from core.graph.catalogue.every import NODE_TYPES

    return NODE_TYPES


def _new(kind: str):
    from editor.model.graph.nodes import NewNode

    return NewNode(kind)


# ---------------------------------------------------------------- cutting
def test_a_stroke_cuts_what_it_crosses_on_its_whole_way_in_one_step(hand):
    before = hand.wires()
    scene = hand.canvas.committed
    x = (scene.rect(CLIP_A).right + scene.rect(BLEND).x) / 2.0
    gesture = gesture_at(hand.editor, hand.pointer((x, -250.0), CTRL, Button.RIGHT))
    gesture.begin(hand.pointer((x, -250.0), CTRL, Button.RIGHT))
    assert hand.canvas.state.preview == Cutting(((x, -250.0),))
    for y in (-100.0, 300.0, 310.0):
        gesture.move(hand.pointer((x, y), CTRL, Button.RIGHT))
    shown = hand.canvas.state.preview
    assert [p[1] for p in shown.stroke] == [-250.0, -100.0, 300.0, 310.0] and len(shown.cut) == 2
    gesture.finish(hand.pointer((x, 310.0), CTRL, Button.RIGHT))
    assert hand.wires() == before - shown.cut and hand.labels == ("Cut wires",)
    assert {key.split(">")[1].split(".")[0] for key in shown.cut} == {BLEND}
    hand.session.undo()
    assert hand.wires() == before
    hand.drag((x, -250.0), (x, 300.0), held=CTRL, button=Button.RIGHT, end="cancel")
    hand.drag((x, -250.0), (x, -200.0), held=CTRL, button=Button.RIGHT)
    assert hand.wires() == before and hand.session.history.position == 0


def test_alt_on_a_wire_cuts_it_and_a_click_selects_it(hand):
    scene = hand.canvas.committed
    wire = next(w for w in scene.wires if w.link.target == OUTPUT)
    (x0, y0), (x1, y1) = scene.wire_points(wire)
    place = (x0 + x1) / 2.0, (y0 + y1) / 2.0
    hand.click(place)
    assert hand.chosen == {wire.key}
    hand.click(place, CTRL)
    assert hand.chosen == set()
    hand.click(place, ALT)
    assert wire.key not in hand.wires() and hand.labels == ("Cut wires",)


# ---------------------------------------------------------------- arrows
def test_transitions_of_one_arrow_take_turns(hand):
    hand.canvas.open(GRAPH, STATES)
    hand.canvas.view = View(-120.0, -300.0, 1.0)
    more = hand.editor.machines.connect(IDLE, WALKING)
    scene = hand.canvas.committed
    arrow = next(a for a in scene.arrows if a.source == IDLE)
    line = scene.curves[IDLE, WALKING]
    place = tuple(float(v) for v in (line[0] + line[-1]) / 2.0)
    own = [str(t.id) for t in arrow.transitions]
    if more is None or len(own) < 2:
        hand.click(place)
        assert hand.chosen == {str(GO)}
        return
    seen = []
    for _ in range(3):
        hand.click(place)
        seen += hand.chosen
    assert set(seen[:2]) == set(own) and seen[2] == seen[0]
    hand.canvas.select([str(BACK)])
    hand.click(place, SHIFT)
    assert str(BACK) in hand.chosen and len(hand.chosen) == 2
