"""What a press on the canvas begins, or does at once: by button, modifiers, and what lies under the pointer."""

import pytest

from editor.model.graph.geometry import Rect, View
from editor.model.graph.layout import Comment
from editor.model.graph.nodes import NewNode
from editor.model.graph.scene import knot_key, wire_key
from editor.model.graph.state import ChoicePlace, PinPlace
from editor.tools.graph.gestures import BoxSelect, CutLine, DragKnot, Pan
from editor.tools.graph.move import MoveItems, SizeComment
from editor.tools.graph.press import END_REACH, gesture_at
from editor.tools.graph.scrub import OpenChoice, ScrubLiteral
from editor.tools.graph.wire import DrawArrow, DrawWire
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
    POSES,
    STATES,
    WALKING,
)  # fmt: skip

SHIFT, CTRL, ALT, NONE = Modifiers.SHIFT, Modifiers.CTRL, Modifiers.ALT, Modifiers.NONE
HELD = [NONE, SHIFT, CTRL, ALT]


@pytest.fixture
def machine(hand):
    hand.canvas.open(GRAPH, STATES)
    hand.canvas.view = View(-120.0, -300.0, 1.0)
    return hand


def wire_of(hand, target=OUTPUT):
    return next(wire_key(x) for x in hand.canvas.sheet.links if x.target == target)


def middle(hand, target=OUTPUT, pin="pose"):
    link = next(x for x in hand.canvas.sheet.links if (x.target, x.pin) == (target, pin))
    (x0, y0), (x1, y1) = hand.pin(link.source, link.output, True), hand.pin(link.target, link.pin)
    return (x0 + x1) / 2.0, (y0 + y1) / 2.0


@pytest.mark.parametrize("held", HELD)
def test_buttons_pan_but_the_left_and_the_right_with_ctrl(hand, held):
    place = hand.title(CLIP_A)
    assert type(hand.press(place, held, Button.MIDDLE)) is Pan
    assert type(hand.press(place, held, Button.RIGHT)) is (CutLine if held is CTRL else Pan)
    hand.canvas.preview(None)
    assert type(hand.press(place, held, panning=True)) is Pan
    assert type(hand.press(place, held, Button.RIGHT, panning=True)) is (CutLine if held is CTRL else Pan)
    hand.canvas.preview(None)
    assert type(hand.press(place, held)) is MoveItems
    assert type(hand.press((700.0, 700.0), held)) is BoxSelect


def test_without_a_graph_a_press_begins_nothing(hand):
    hand.session.document.replace(hand.session.document.project.without(GRAPH), None)
    for button in Button:
        assert gesture_at(hand.editor, Pointer(10.0, 10.0, button, CTRL)) is None


@pytest.mark.parametrize("held", HELD)
def test_a_pin_begins_a_wire_and_with_alt_loses_its_own(hand, held):
    gesture = hand.press(hand.pin(BLEND, "out", True), held)
    if held is ALT:
        assert gesture is None and hand.labels == ("Cut wires",)
        assert {x.source for x in hand.canvas.sheet.links} == {CLIP_A, CLIP_B}
    else:
        assert type(gesture) is DrawWire and gesture.pin == PinPlace(BLEND, "out", True)
        assert hand.labels == ()
        gesture.cancel()


@pytest.mark.parametrize("held, before, after", [
    (NONE, {CLIP_A}, {"wire"}), (SHIFT, {CLIP_A}, {"wire", CLIP_A}), (CTRL, {CLIP_A, "wire"}, {CLIP_A}),
])  # fmt: skip
def test_a_press_on_a_wire_or_knot_selects_adds_or_removes(hand, held, before, after):
    wire = wire_of(hand)

    def named(items):
        return {wire if i == "wire" else i for i in items}

    hand.canvas.select(named(before))
    assert hand.press(middle(hand), held) is None
    assert hand.chosen == named(after) and hand.labels == ()
    hand.editor.wires.add_knot(wire, (470.0, 200.0))
    knot = knot_key(OUTPUT, "pose", 0)
    hand.canvas.select({knot if i == "wire" else i for i in before})
    gesture = hand.press((hand.canvas.layout.knots[OUTPUT, "pose"][0]), held)
    assert type(gesture) is DragKnot and gesture.knot == knot
    assert hand.chosen == {knot if i == "wire" else i for i in after}


def test_a_knot_goes_along_and_is_one_step_but_not_by_a_click_or_after_escape(hand):
    hand.editor.wires.add_knot(wire_of(hand), (470.0, 200.0))
    steps = len(hand.labels)
    place = hand.canvas.layout.knots[OUTPUT, "pose"][0]
    gesture = hand.press(place)
    gesture.move(hand.pointer((place[0] + 2.0, place[1])))
    assert hand.canvas.state.knot is None
    gesture.move(hand.pointer((place[0] + 50.0, place[1] + 31.0)))
    assert hand.canvas.state.knot == ((OUTPUT, "pose"), 0, (place[0] + 50.0, place[1] + 31.0))
    gesture.cancel()
    assert hand.canvas.state.knot is None and len(hand.labels) == steps
    hand.drag(place, (place[0] + 2.0, place[1]))
    assert len(hand.labels) == steps
    hand.drag(place, (place[0] + 48.0, place[1] + 32.0))
    assert hand.labels[steps:] == ("Move knot",) and hand.canvas.state.knot is None
    (moved,) = hand.canvas.layout.knots[OUTPUT, "pose"]
    assert (
        abs(moved[0] - place[0] - 48.0) <= 8.0 and abs(moved[1] - place[1] - 32.0) <= 8.0 and moved != place
    )


@pytest.mark.parametrize("held", HELD)
def test_fields_of_nodes_are_for_the_bare_button_and_move_the_node_with_a_modifier(hand, held):
    for pin, y in (("rate", 56.0), ("start", 76.0), ("clip_name", 96.0)):
        gesture = hand.press((130.0, y), held)
        assert type(gesture) is (ScrubLiteral if held is NONE else MoveItems)
        if held is NONE:
            assert gesture.pin == PinPlace(CLIP_A, pin)
        hand.canvas.select([])
    gesture = hand.press((176.0 - 20.0, 13.0), held)
    assert type(gesture) is (OpenChoice if held is NONE else MoveItems)
    if held is NONE:
        assert gesture.choice == ChoicePlace(CLIP_A, "clip")


def test_a_comments_head_moves_and_its_corner_sizes_it(hand):
    graph, _ = hand.canvas.require()
    made = [Comment(f"c-{k}", POSES, "words", Rect(800.0 + 300.0 * k, 0.0, 200.0, 100.0)) for k in range(2)]
    hand.canvas.commit("Comment", graph, hand.canvas.layout.with_comment(made[0]).with_comment(made[1]))
    assert type(hand.press((1110.0, 10.0))) is MoveItems
    gesture = hand.press((1300.0, 100.0))
    assert type(gesture) is SizeComment and gesture.comment == made[1]
    assert type(hand.press((1200.0, 60.0))) is BoxSelect


def test_the_selected_one_of_a_stack_is_taken_hold_of_else_the_upper_one(hand):
    hand.editor.nodes.move({CLIP_B: (0.0, 0.0), MACHINE: (0.0, 0.0)})
    upper = hand.press((60.0, 13.0)).item
    for item in (CLIP_A, CLIP_B, MACHINE):
        hand.canvas.select([item, BLEND])
        assert hand.press((60.0, 13.0)).item == item
        hand.canvas.select([item])
        assert hand.press((60.0, 13.0), SHIFT).item == upper
        hand.canvas.select([item])
        assert hand.press((60.0, 13.0), CTRL).item == upper
    hand.canvas.select([BLEND])
    assert hand.press((60.0, 13.0)).item == upper


# ---------------------------------------------------------------- arrows
LINE = (240.0, 33.0)
"""On the arrow from idle to walking, far from its ends."""


@pytest.mark.parametrize("held, before, after", [
    (NONE, {BACK}, {GO}), (SHIFT, {BACK}, {GO, BACK}), (CTRL, {GO, BACK}, {BACK}), (NONE, {GO}, {GO}),
])  # fmt: skip
def test_a_press_on_an_arrow_selects_adds_or_removes(machine, held, before, after):
    machine.canvas.select(before)
    assert machine.press(LINE, held) is None
    assert machine.chosen == {str(x) for x in after} and machine.labels == ()


def test_alt_on_an_arrow_deletes_its_transition(machine):
    assert machine.press(LINE, ALT) is None
    assert [t.id for t in machine.canvas.sheet.transitions] == [BACK]
    assert machine.labels == ("Delete transitions",)


def test_presses_on_a_stack_of_transitions_take_turns(machine):
    second = machine.editor.machines.connect(IDLE, WALKING)
    third = machine.editor.machines.connect(IDLE, WALKING)
    ids = [str(GO), second, third]
    assert [str(t.id) for t in machine.canvas.committed.arrows[0].transitions] == ids
    machine.canvas.select([])
    seen = []
    for _ in range(4):
        machine.press(LINE)
        (chosen,) = machine.chosen
        seen.append(chosen)
    first = ids.index(seen[0])
    assert seen == [ids[(first + k) % 3] for k in range(4)]
    machine.canvas.select([GO, second])  # two of them: the one that lies there
    machine.press(LINE)
    assert machine.chosen == {seen[0]}
    machine.canvas.select([third])
    machine.press(LINE, SHIFT)
    assert machine.chosen == {third, seen[0]}


@pytest.mark.parametrize("x, source, end", [
    (320.0 - 10.0, IDLE, "target"), (320.0 - END_REACH, IDLE, "target"), (320.0 - END_REACH - 0.5, "", ""),
    (160.0 + 10.0, WALKING, "source"), (160.0 + END_REACH, WALKING, "source"), (160.0 + END_REACH + 0.5, "", ""),
])  # fmt: skip
def test_the_ends_of_the_selected_arrow_are_taken_hold_of(machine, x, source, end):
    assert machine.press((x, 33.0)) is None  # not selected yet
    assert machine.chosen == {str(GO)}
    gesture = machine.press((x, 33.0))
    if not end:
        assert gesture is None
        return
    assert type(gesture) is DrawArrow
    assert (gesture.source, gesture.transition, gesture.end) == (source, str(GO), end)
    machine.canvas.select([GO, machine.editor.machines.connect(IDLE, WALKING)])
    assert machine.press((x, 33.0)) is None  # of two that are selected it would be anyone's guess


def test_the_reach_of_an_end_is_in_pixels(machine):
    machine.canvas.view = View(-120.0, -300.0, 2.0)
    machine.canvas.select([GO])
    assert machine.press((320.0 - 9.0, 33.0)) is not None
    machine.canvas.select([GO])
    assert machine.press((320.0 - 9.5, 33.0)) is None


def test_a_loop_has_no_ends(machine):
    loop = machine.editor.machines.connect(IDLE, IDLE)
    machine.canvas.select([loop])
    line = machine.canvas.committed.curves[IDLE, IDLE]
    assert machine.press(tuple(float(v) for v in line[-2])) is None
    assert machine.chosen == {loop}


def test_the_border_of_a_state_begins_a_transition_and_its_middle_moves_it(machine):
    for place in ((3.0, 24.0), (157.0, 24.0), (80.0, 3.0), (80.0, 45.0)):
        gesture = machine.press(place)
        assert type(gesture) is DrawArrow
        assert (gesture.source, gesture.transition, gesture.end) == (IDLE, "", "target")
    for place in ((8.0, 24.0), (152.0, 24.0), (80.0, 8.0), (80.0, 40.0)):
        assert type(machine.press(place)) is MoveItems


# ---------------------------------------------------------------- drawing transitions
def drag_arrow(hand, start, *way, end="finish"):
    seen = []
    hand.editor.search_wanted.connect(seen.append)
    gesture = hand.press(start)
    for place in way:
        gesture.move(hand.pointer(place))
    shown = hand.canvas.state.preview
    if end == "finish":
        gesture.finish(hand.pointer(way[-1] if way else start))
    else:
        gesture.cancel()
    assert hand.canvas.state.preview is None
    return shown, seen


def arrows(hand):
    return [(t.source, t.target) for t in hand.canvas.sheet.transitions]


def test_a_transition_is_drawn_to_another_state_to_itself_or_to_a_new_one(machine):
    before = arrows(machine)
    shown, asked = drag_arrow(machine, (157.0, 24.0), (250.0, 60.0), (400.0, 24.0))
    assert (shown.source, shown.over, shown.reason, shown.at) == (IDLE, WALKING, "", (400.0, 24.0))
    assert arrows(machine) == [*before, (IDLE, WALKING)] and machine.labels == ("Add transition",)
    assert asked == [] and machine.chosen == {str(machine.canvas.sheet.transitions[-1].id)}
    shown, asked = drag_arrow(machine, (157.0, 24.0), (250.0, 60.0), (80.0, 24.0))
    assert shown.over == IDLE and arrows(machine)[-1] == (IDLE, IDLE)
    steps = machine.labels
    shown, asked = drag_arrow(machine, (157.0, 24.0), (250.0, 300.0))
    assert (shown.over, shown.reason) == ("", "")
    (wanted,) = asked
    assert (wanted.at, wanted.from_state, wanted.joined, wanted.swap) == ((250.0, 300.0), IDLE, (), "")
    assert machine.labels == steps
    shown, asked = drag_arrow(machine, (157.0, 24.0), (250.0, 300.0), (400.0, 24.0), end="cancel")
    assert asked == [] and machine.labels == steps and shown.over == WALKING


def test_a_click_on_a_border_selects_the_state_and_with_shift_adds_it(machine):
    machine.canvas.select([WALKING])
    machine.click((157.0, 24.0), SHIFT)
    assert machine.chosen == {WALKING, IDLE}
    machine.canvas.select([WALKING])
    machine.click((157.0, 24.0))
    assert machine.chosen == {IDLE} and machine.labels == ()
    drag_arrow(machine, (157.0, 24.0), (158.0, 24.0))  # no more than a click
    assert machine.labels == () and machine.chosen == {IDLE}


def test_where_no_transition_can_lead_it_is_said_why(machine):
    entry = machine.editor.nodes.add(NewNode("entry"), (160.0, 400.0))
    steps = machine.labels
    rect = machine.canvas.committed.rect(entry)
    shown, asked = drag_arrow(machine, (157.0, 24.0), (250.0, 300.0), rect.centre)
    assert (shown.over, shown.reason) == ("", "nothing leads to an entry or to any state")
    assert asked == [] and machine.labels == steps
    assert machine.session.messages.latest.text == "Nothing leads to an entry or to any state"


@pytest.mark.parametrize("x, way, left", [
    (310.0, "target", (IDLE, "new")), (170.0, "source", ("new", WALKING)),
])  # fmt: skip
def test_the_end_of_a_transition_is_led_to_another_state(machine, x, way, left):
    new = machine.editor.nodes.add(NewNode("state"), (160.0, 400.0))
    machine.canvas.select([GO])
    rect = machine.canvas.committed.rect(new)
    steps = len(machine.labels)
    shown, asked = drag_arrow(machine, (x, 33.0), (250.0, 200.0))
    assert shown.over == "" and asked == [] and len(machine.labels) == steps  # on nothing it stays as it was
    machine.canvas.select([GO])
    shown, asked = drag_arrow(machine, (x, 33.0), (250.0, 200.0), rect.centre)
    assert shown.over == new and shown.source == (IDLE if way == "target" else WALKING)
    assert arrows(machine)[0] == tuple(new if n == "new" else n for n in left)
    assert machine.labels[steps:] == ("Move transition",) and machine.canvas.sheet.transitions[0].id == GO


def test_an_end_led_where_none_may_lead_stays_and_it_is_said_why(machine):
    entry = machine.editor.nodes.add(NewNode("entry"), (160.0, 400.0))
    machine.canvas.select([GO])
    before = arrows(machine)
    shown, _ = drag_arrow(machine, (310.0, 33.0), (250.0, 200.0), machine.canvas.committed.rect(entry).centre)
    assert shown.reason == "nothing leads to an entry or to any state" and arrows(machine) == before
    assert machine.session.messages.latest.text == "Nothing leads to an entry or to any state"
    exit_ = machine.editor.nodes.add(NewNode("exit"), (600.0, 400.0))
    machine.canvas.select([GO])
    shown, _ = drag_arrow(machine, (170.0, 33.0), (250.0, 200.0), machine.canvas.committed.rect(exit_).centre)
    assert shown.reason == "nothing leads on from an exit" and arrows(machine) == before
