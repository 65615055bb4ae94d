"""Wires drawn from pins, and numbers scrubbed on nodes: what is shown, what a release does, modifiers, Escape."""

import pytest

from editor.model.graph.geometry import View
from editor.model.graph.nodes import NewNode
from editor.model.graph.state import ChoicePlace, PinPlace, Wiring
from editor.tools.graph.gestures import BoxSelect, CutLine, DragKnot, Pan
from editor.tools.graph.move import SizeComment
from editor.tools.graph.scrub import OpenChoice
from editor.tools.graph.wire import DrawArrow, DrawWire
from editor.tools.pointer import Modifiers
from tests.editor.panels.graph.graphs import BLEND, CLIP_A, CLIP_B, MACHINE, OUTPUT, WIRED, links
from tests.editor.tools.graph.canvas_hand import Hand

SHIFT, CTRL, ALT, NONE = Modifiers.SHIFT, Modifiers.CTRL, Modifiers.ALT, Modifiers.NONE
OUT_A, OUT_M = PinPlace(CLIP_A, "out", True), PinPlace(MACHINE, "out", True)
IN_A, IN_B, ALPHA, POSE = (
    PinPlace(BLEND, "a"),
    PinPlace(BLEND, "b"),
    PinPlace(BLEND, "alpha"),
    PinPlace(OUTPUT, "pose"),
)


@pytest.fixture
def hand():
    made = Hand()
    made.searches, made.offers, made.literals, made.choices = [], [], [], []
    made.editor.search_wanted.connect(made.searches.append)
    made.editor.offer_wanted.connect(made.offers.append)
    made.editor.literal_wanted.connect(made.literals.append)
    made.editor.choice_wanted.connect(made.choices.append)
    yield made
    made.session.close()


def place(hand, pin: PinPlace):
    return hand.pin(pin.node, pin.pin, pin.output)


# ---------------------------------------------------------------- what is shown
def test_a_wire_in_hand_shows_what_fits_everywhere_and_nothing_after_it(hand):
    gesture = hand.press(place(hand, OUT_M))
    state = hand.canvas.state
    assert state.preview == Wiring((OUT_M,), place(hand, OUT_M))
    assert state.fits == {
        IN_A: "", IN_B: "", POSE: "", ALPHA: state.fits[ALPHA],
        **{
            pin: state.fits[pin]
            for pin in (PinPlace(c, p) for c in (CLIP_A, CLIP_B) for p in ("rate", "start", "clip_name"))
        },
    }  # fmt: skip
    assert all(reason for pin, reason in state.fits.items() if pin not in (IN_A, IN_B, POSE))
    gesture.cancel()
    assert hand.canvas.state.fits is None and hand.canvas.state.preview is None
    assert hand.labels == () and hand.searches == []


@pytest.mark.parametrize("start, end, over, reason", [
    (OUT_M, IN_A, IN_A, ""), (OUT_M, POSE, POSE, ""), (IN_A, OUT_M, OUT_M, ""),
    (OUT_M, OUT_A, None, "both are outputs"), (IN_A, POSE, None, "both are inputs"),
    (PinPlace(BLEND, "out", True), IN_A, None, "a node cannot feed itself"), (OUT_M, OUT_M, None, ""),
])  # fmt: skip
def test_the_pin_under_the_pointer_is_taken_or_it_is_said_why_not(hand, start, end, over, reason):
    gesture = hand.press(place(hand, start))
    gesture.move(hand.pointer((800.0, 800.0)))
    assert hand.canvas.state.preview == Wiring((start,), (800.0, 800.0))
    assert gesture.hint.startswith("Release on a pin")
    gesture.move(hand.pointer(place(hand, end)))
    assert hand.canvas.state.preview == Wiring((start,), place(hand, end), over, reason)
    if reason:
        assert gesture.hint == reason[0].upper() + reason[1:]
    gesture.finish(hand.pointer(place(hand, end)))
    if over is not None:
        source, target = (start, over) if start.output else (over, start)
        assert (source.node, target.node, target.pin) in links(hand) and hand.labels == ("Connect",)
    else:
        assert links(hand) == WIRED and hand.labels == ()
        if reason:
            assert hand.session.messages.latest.text == reason[0].upper() + reason[1:]
    assert hand.searches == hand.offers == [] and hand.canvas.state.fits is None


def test_on_a_nodes_body_the_first_free_pin_that_fits_is_taken(hand):
    hand.editor.wires.cut_at(IN_B)
    start = place(hand, OUT_M)
    gesture = hand.press(start)
    body = (300.0, 45.0)
    gesture.move(hand.pointer(body))
    assert hand.canvas.state.preview.over == IN_B
    gesture.finish(hand.pointer(body))
    assert links(hand) == {*WIRED - {(CLIP_B, BLEND, "b")}, (MACHINE, BLEND, "b")}


def test_on_a_body_where_no_pin_fits_nothing_is_laid_and_on_its_own_nothing_is_said(hand):
    gesture = hand.press(place(hand, OUT_M))
    gesture.move(hand.pointer((60.0, 13.0)))
    assert (hand.canvas.state.preview.over, hand.canvas.state.preview.reason) == (
        None,
        "no pin of this node fits",
    )
    gesture.finish(hand.pointer((60.0, 13.0)))
    assert links(hand) == WIRED and hand.searches == []
    gesture = hand.press(place(hand, OUT_M))
    gesture.move(hand.pointer((60.0, 340.0)))
    assert (hand.canvas.state.preview.over, hand.canvas.state.preview.reason) == (None, "")
    gesture.cancel()


def test_on_empty_canvas_what_fits_is_searched_for_but_not_after_a_mere_click(hand):
    hand.drag(place(hand, OUT_M), (600.0, 600.0))
    (wanted,) = hand.searches
    assert (wanted.at, wanted.joined, wanted.from_state) == ((600.0, 600.0), (OUT_M,), "")
    x, y = place(hand, IN_A)
    hand.drag((x, y), (x - 2.0, y))
    assert len(hand.searches) == 1 and hand.labels == ()


def test_a_value_of_another_type_is_offered_to_be_converted(hand):
    truth = hand.editor.nodes.add(NewNode("get", {"variable": "crouch"}), (0.0, 900.0))
    out = PinPlace(truth, hand.canvas.committed.nodes[truth].outputs[0].name, True)
    steps = len(hand.labels)
    start, end = place(hand, out), place(hand, ALPHA)
    hand.drag(start, (start[0] + 40.0, start[1]), end)
    (offer,) = hand.offers
    assert (offer.source, offer.target, offer.text) == (out, ALPHA, "if(a, 1.0, 0.0)")
    assert offer.at == ((start[0] + end[0]) / 2.0, (start[1] + end[1]) / 2.0)
    assert len(hand.labels) == steps and hand.searches == []


def test_pins_that_nothing_converts_say_why_they_do_not_fit(hand):
    hand.drag(place(hand, OUT_M), place(hand, ALPHA))
    assert hand.offers == [] and links(hand) == WIRED
    assert hand.session.messages.latest.text == "Expected float, got a pose"


# ---------------------------------------------------------------- all wires of a pin
def test_ctrl_takes_all_wires_of_an_output_to_another(hand):
    one, other = (
        hand.editor.nodes.add(NewNode("get", {"variable": "speed"}), (-300.0, y)) for y in (0.0, 200.0)
    )
    out = hand.canvas.committed.nodes[one].outputs[0].name
    ends = (PinPlace(CLIP_A, "rate"), PinPlace(CLIP_B, "rate"))
    for end in ends:
        hand.editor.wires.connect(PinPlace(one, out, True), end)
    steps = len(hand.labels)
    hand.canvas.view = View(-400.0, -300.0, 1.0)
    start, end = place(hand, PinPlace(one, out, True)), place(hand, PinPlace(other, out, True))
    gesture = hand.press(start, CTRL)
    assert gesture.moves_all and set(gesture.ends) == set(ends)
    gesture.move(hand.pointer(end, CTRL))
    assert hand.canvas.state.preview.over == PinPlace(other, out, True)
    gesture.finish(hand.pointer(end, CTRL))
    assert links(hand) == {*WIRED, (other, CLIP_A, "rate"), (other, CLIP_B, "rate")}
    assert hand.labels[steps:] == ("Move wires",)


def test_ctrl_takes_the_wire_of_an_input_to_another(hand):
    gesture = hand.press(place(hand, IN_A), CTRL)
    assert gesture.ends == (OUT_A,)
    gesture.finish(hand.pointer(place(hand, POSE), CTRL))
    assert links(hand) == {(CLIP_A, OUTPUT, "pose"), (CLIP_B, BLEND, "b")} and hand.labels == ("Move wires",)


def test_wires_brought_back_to_their_pin_or_released_on_nothing_stay(hand):
    for end in (place(hand, IN_A), (600.0, 600.0)):
        hand.drag(place(hand, IN_A), (300.0, 600.0), end, held=CTRL)
        assert links(hand) == WIRED and hand.labels == () and hand.searches == []


def test_ctrl_on_a_pin_without_wires_draws_a_new_one(hand):
    gesture = hand.press(place(hand, OUT_M), CTRL)
    assert not gesture.moves_all and gesture.ends == (OUT_M,)
    gesture.cancel()
    gesture = hand.press(place(hand, OUT_A))
    assert not gesture.moves_all and gesture.ends == (OUT_A,)
    gesture.cancel()


# ---------------------------------------------------------------- fields
RATE = (130.0, 56.0)


def literal(hand, node=CLIP_A, pin="rate"):
    return next(n for n in hand.canvas.sheet.nodes if n.id == node).literals.get(pin)


@pytest.mark.parametrize("held, by, text", [
    (NONE, 50.0, "1.5"), (NONE, -250.0, "-1.5"), (SHIFT, 50.0, "1.05"), (CTRL, 50.0, "6"), (NONE, 12.34, "1.123"),
])  # fmt: skip
def test_a_number_is_scrubbed_sideways_fine_or_coarse(hand, held, by, text):
    gesture = hand.press(RATE)
    assert hand.chosen == {CLIP_A}
    gesture.move(hand.pointer((RATE[0] + by / 2.0, RATE[1] + 7.0), held))
    gesture.move(hand.pointer((RATE[0] + by, RATE[1]), held))
    assert hand.canvas.state.scrubbed == (PinPlace(CLIP_A, "rate"), text) and hand.labels == ()
    gesture.finish(hand.pointer((RATE[0] + by, RATE[1]), held))
    assert literal(hand) == text and hand.labels == ("Set rate",) and hand.canvas.state.scrubbed is None
    assert hand.literals == []


def test_the_pace_changes_in_the_middle_of_a_scrub_and_small_ways_count_once_it_is_one(hand):
    gesture = hand.press(RATE)
    gesture.move(hand.pointer((RATE[0] + 2.0, RATE[1])))
    assert hand.canvas.state.scrubbed is None
    gesture.move(hand.pointer((RATE[0] + 100.0, RATE[1])))
    gesture.move(hand.pointer((RATE[0] + 200.0, RATE[1]), SHIFT))
    assert hand.canvas.state.scrubbed[1] == "2.1"
    gesture.move(hand.pointer((RATE[0] + 1.0, RATE[1]), SHIFT))
    assert hand.canvas.state.scrubbed[1] == "1.901"
    gesture.cancel()
    assert hand.canvas.state.scrubbed is None and literal(hand) is None and hand.labels == ()


def test_whole_numbers_are_scrubbed_in_whole_steps(hand):
    node, pin = hand.editor.nodes.add(NewNode("blend_by_int"), (600.0, 900.0)), "value"
    box = hand.canvas.committed.nodes[node]
    x, y = hand.places[node]
    start = (x + box.w * 0.7, y + box.pin(pin).y)
    gesture = hand.press(start)
    gesture.move(hand.pointer((start[0] + 34.0, start[1])))
    assert hand.canvas.state.scrubbed == (PinPlace(node, pin), "3")
    gesture.cancel()


def test_a_click_on_a_truth_turns_it(hand):
    node, pin = hand.editor.nodes.add(NewNode("blend_by_bool"), (600.0, 900.0)), "value"
    hand.canvas.select([])
    box = hand.canvas.committed.nodes[node]
    x, y = hand.places[node]
    place = (x + box.w * 0.7, y + box.pin(pin).y)
    assert box.pin(pin).literal == "false"
    hand.click(place)
    assert literal(hand, node, pin) == "true" and hand.chosen == {node}
    hand.click(place)
    assert hand.canvas.committed.nodes[node].pin(pin).literal == "false"
    hand.drag(place, (place[0] + 50.0, place[1]))  # a way is no click, and a truth has no numbers
    assert hand.canvas.committed.nodes[node].pin(pin).literal == "false" and hand.literals == []


def test_a_click_on_another_field_lets_it_be_typed(hand):
    for y, pin in ((56.0, "rate"), (96.0, "clip_name")):
        hand.click((130.0, y))
        assert hand.literals[-1] == PinPlace(CLIP_A, pin) and hand.labels == ()
    hand.drag((130.0, 96.0), (190.0, 96.0))  # a name has no numbers
    assert len(hand.literals) == 2 and hand.labels == () and hand.canvas.state.scrubbed is None


def test_a_press_on_a_field_of_one_of_several_selected_nodes_keeps_them_selected(hand):
    hand.canvas.select([CLIP_A, BLEND])
    hand.press(RATE).cancel()
    hand.press((156.0, 13.0)).cancel()
    assert hand.chosen == {CLIP_A, BLEND}


def test_a_click_on_a_choice_opens_its_list_and_a_way_does_not(hand):
    hand.drag((156.0, 13.0), (200.0, 13.0))
    assert hand.choices == [] and hand.chosen == {CLIP_A}
    hand.click((156.0, 13.0))
    assert hand.choices == [ChoicePlace(CLIP_A, "clip")]


def test_gestures_that_reach_beyond_the_view_let_it_scroll():
    assert [g for g in (BoxSelect, DragKnot, DrawArrow, DrawWire) if not g.scrolls] == []
    assert [g for g in (CutLine, OpenChoice, Pan, SizeComment) if g.scrolls] == []
