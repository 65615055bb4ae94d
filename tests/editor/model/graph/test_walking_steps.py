"""The canvas by keyboard, step by step: the pin in hand, where a walk begins, what is connected, what is refused."""

from collections.abc import Iterator

import pytest

from core.errors import ValidationError
from core.project.project import Project
from editor.model.graph.editor import GraphEditor
from editor.model.graph.geometry import View
from editor.model.graph.nodes import NewNode
from editor.model.graph.state import ChoicePlace, PinPlace
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
    graph_session,
    links,
)


@pytest.fixture
def editor() -> Iterator[GraphEditor]:
    session = graph_session()
    made = session.feature(GraphEditor)
    made.session = session
    made.canvas.resize((1600.0, 1200.0))
    made.canvas.fit()
    yield made
    session.close()


def hand(editor: GraphEditor) -> PinPlace | ChoicePlace | None:
    state = editor.canvas.state
    return state.choice or state.pin


def walk(editor: GraphEditor, way: str) -> str:
    editor.walking.walk(way)
    return editor.canvas.state.active


# ---------------------------------------------------------------- from node to node
def test_the_node_that_is_walked_to_is_selected_alone_and_brought_into_view(editor):
    editor.canvas.select([CLIP_A, CLIP_B, BLEND])
    editor.canvas.view = View(-2000.0, -2000.0, 1.0)
    assert walk(editor, "right") == OUTPUT and editor.canvas.state.selection == {OUTPUT}
    assert editor.canvas.view.seen(editor.canvas.size).covers(editor.canvas.scene.rect(OUTPUT))


def test_left_from_an_output_pin_or_none_goes_along_the_first_wire(editor):
    for pin in (None, PinPlace(BLEND, "out", True)):
        editor.canvas.select([BLEND])
        editor.canvas.set_state(pin=pin)
        assert walk(editor, "left") == CLIP_A
    editor.canvas.select([BLEND])
    editor.canvas.set_state(pin=PinPlace(BLEND, "alpha"))  # no wire ends there: the nearest that way
    assert walk(editor, "left") == CLIP_A


def test_the_first_wire_is_that_of_the_upper_pin(editor):
    editor.wires.cut_at(PinPlace(BLEND, "a"))
    editor.wires.connect(PinPlace(CLIP_A, "out", True), PinPlace(BLEND, "a"))  # it is laid last now
    editor.canvas.select([BLEND])
    assert walk(editor, "left") == CLIP_A
    editor.wires.cut_at(PinPlace(BLEND, "a"))
    editor.canvas.select([BLEND])
    assert walk(editor, "left") == CLIP_B


def test_up_and_down_leave_the_wires(editor):
    editor.canvas.select([BLEND])
    assert walk(editor, "down") == CLIP_B
    editor.nodes.move({MACHINE: (256.0, -300.0), OUTPUT: (512.0, 900.0)})
    editor.canvas.select([BLEND])
    assert walk(editor, "up") == MACHINE


@pytest.mark.parametrize("x, y, first", [(0.0, 0.0, CLIP_A), (0.0, 200.0, CLIP_B), (250.0, 0.0, BLEND)])
def test_a_walk_begins_at_the_left_and_upper_node_in_sight(editor, x, y, first):
    editor.canvas.resize((600.0, 120.0))
    editor.canvas.view = View(x, y, 1.0)
    editor.canvas.select([])
    assert walk(editor, "down") == first


def test_a_walk_begins_further_left_even_if_that_is_lower(editor):
    editor.nodes.move({OUTPUT: (-100.0, 900.0), MACHINE: (-100.0, 905.0)})
    editor.canvas.fit()
    editor.canvas.select([])
    assert walk(editor, "up") == OUTPUT


def test_where_none_is_in_sight_it_begins_at_the_first_of_all(editor):
    editor.canvas.view = View(9000.0, 9000.0, 1.0)
    editor.canvas.select([])
    assert walk(editor, "up") == CLIP_A
    assert editor.canvas.view.seen(editor.canvas.size).covers(editor.canvas.scene.rect(CLIP_A))


def test_from_a_transition_the_end_that_lies_that_way_is_reached(editor):
    editor.canvas.open(GRAPH, STATES)
    editor.nodes.move({IDLE: (0.0, 0.0), WALKING: (100.0, 300.0)})
    for way, state in (("left", IDLE), ("right", WALKING), ("up", IDLE), ("down", WALKING)):
        for arrow in (GO, BACK):
            editor.canvas.select([arrow])
            assert walk(editor, way) == state


def test_without_nodes_or_a_graph_nothing_is_walked_to(editor):
    editor.canvas.enter(STATES)
    editor.nodes.delete([IDLE, WALKING])
    told = []
    editor.canvas.moved.connect(lambda _: told.append(1))
    assert walk(editor, "right") == ""
    editor.walking.step_pin(1)
    with pytest.raises(ValidationError, match="Select a node first"):
        editor.walking.connect("right")
    editor.document.replace(Project({}), None)
    told.clear()
    assert walk(editor, "right") == ""
    editor.walking.step_pin(1)
    with pytest.raises(ValidationError, match="Select a node first"):
        editor.walking.connect("right")
    assert told == []


# ---------------------------------------------------------------- which lie that way
def test_what_lies_level_or_barely_ahead_is_not_that_way(editor):
    editor.nodes.move({CLIP_A: (0.0, 0.0), CLIP_B: (1.0, 400.0), BLEND: (1.1, 800.0), OUTPUT: (-2.0, 900.0),
                       MACHINE: (500.0, 0.0)})  # fmt: skip
    scene = editor.canvas.committed
    shift = {id: scene.rect(id).centre[0] - scene.rect(CLIP_A).centre[0] for id in scene.nodes}
    assert (shift[CLIP_B], shift[OUTPUT]) == (1.0, -2.0) and shift[BLEND] > 1.0
    assert editor.walking.towards(scene, CLIP_A, "right") == [MACHINE, BLEND]
    assert editor.walking.towards(scene, CLIP_A, "left") == [OUTPUT]
    assert editor.walking.nearest(scene, CLIP_A, "right") == MACHINE
    assert MACHINE not in editor.walking.towards(scene, CLIP_A, "down")
    assert editor.walking.towards(scene, MACHINE, "left")[0] == CLIP_A


# ---------------------------------------------------------------- from pin to pin
def test_the_field_in_the_head_comes_before_the_pins_and_the_others_after(editor):
    node = editor.nodes.add(NewNode("chain_ik"), (0.0, 600.0))
    view = editor.canvas.committed.nodes[node]
    order: list[PinPlace | ChoicePlace] = [
        ChoicePlace(node, "setup"), *(PinPlace(node, p.name) for p in view.inputs),
        *(ChoicePlace(node, name) for name in ("root", "tip", "goal_bone", "pole_bone")), PinPlace(node, "out", True),
    ]  # fmt: skip
    for by, wanted in ((1, [*order, order[0]]), (-1, [*order[::-1], order[-1]])):
        editor.canvas.select([node])
        seen = []
        for _ in wanted:
            editor.walking.step_pin(by)
            seen.append(hand(editor))
            assert (editor.canvas.state.pin is None) is isinstance(seen[-1], ChoicePlace)
        assert seen == wanted


def test_steps_of_two_pass_one_by(editor):
    editor.canvas.select([BLEND])
    editor.walking.step_pin(1)
    assert hand(editor) == PinPlace(BLEND, "a")
    editor.walking.step_pin(2)
    assert hand(editor) == PinPlace(BLEND, "alpha")
    editor.walking.step_pin(-2)
    assert hand(editor) == PinPlace(BLEND, "a")


def test_a_pin_of_another_node_is_no_place_to_go_on_from(editor):
    editor.canvas.select([BLEND])
    editor.canvas.set_state(pin=PinPlace(CLIP_A, "rate"))
    editor.walking.step_pin(-1)
    assert hand(editor) == PinPlace(BLEND, "out", True)


def test_without_an_active_node_no_pin_is_taken(editor):
    editor.canvas.select([])
    editor.walking.step_pin(1)
    assert hand(editor) is None
    editor.canvas.set_state(active="n-gone")
    editor.walking.step_pin(1)
    assert hand(editor) is None


def test_a_state_without_transitions_keeps_the_selection(editor):
    editor.canvas.open(GRAPH, STATES)
    editor.wires.cut_keys({str(GO)})
    editor.canvas.select([IDLE])
    editor.walking.step_pin(1)
    assert editor.canvas.state.selection == {IDLE} and hand(editor) is None
    editor.canvas.select([WALKING])
    editor.walking.step_pin(-1)
    assert editor.canvas.state.selection == {BACK}


@pytest.mark.parametrize("by, first", [(1, 0), (-1, 2)])
def test_transitions_of_a_state_are_stepped_through_in_the_order_they_are_looked_at(editor, by, first):
    editor.canvas.open(GRAPH, STATES)
    more = [editor.machines.connect(IDLE, WALKING) for _ in range(2)]
    editor.machines.order([more[1], str(GO), more[0]])
    order = [more[1], str(GO), more[0]]
    editor.canvas.select([IDLE])
    for k in range(4):
        editor.walking.step_pin(by)
        assert editor.canvas.state.active == order[(first + by * k) % 3]


# ---------------------------------------------------------------- connecting
def test_of_a_node_the_free_inputs_and_the_outputs_are_connected_by(editor):
    own = editor.walking._own_pins
    scene = editor.canvas.committed
    assert own(scene, BLEND, True) == [PinPlace(BLEND, "out", True)]
    assert own(scene, BLEND, False) == [PinPlace(BLEND, pin) for pin in ("alpha", "a", "b")]
    editor.wires.cut_at(PinPlace(BLEND, "b"))
    scene = editor.canvas.committed
    assert own(scene, BLEND, False) == [PinPlace(BLEND, pin) for pin in ("b", "alpha", "a")]


@pytest.mark.parametrize("way, wire", [
    ("right", (BLEND, OUTPUT, "pose")), ("left", (CLIP_A, BLEND, "a")),
])  # fmt: skip
def test_a_node_is_connected_by_its_output_to_the_right_and_its_input_to_the_left(editor, way, wire):
    editor.wires.cut_keys({w.key for w in editor.canvas.committed.wires})
    editor.canvas.select([BLEND])
    assert editor.walking.connect(way) and links(editor) == {wire}


@pytest.mark.parametrize("way, wire", [("down", (CLIP_A, BLEND, "a")), ("up", (CLIP_B, BLEND, "a"))])
def test_up_an_input_is_fed_and_down_an_output_leads_on(editor, way, wire):
    editor.wires.cut_keys({w.key for w in editor.canvas.committed.wires})
    if way == "down":
        editor.nodes.move({CLIP_A: (0.0, 0.0), BLEND: (0.0, 300.0), CLIP_B: (900.0, -500.0)})
        editor.canvas.select([CLIP_A])
    else:
        editor.nodes.move(
            {CLIP_B: (0.0, 0.0), BLEND: (0.0, 300.0), CLIP_A: (900.0, 900.0), MACHINE: (0, 600.0)}
        )
        editor.canvas.select([BLEND])
    assert editor.walking.connect(way) and links(editor) == {wire}


def test_the_pin_in_hand_says_which_end_it_is(editor):
    editor.wires.cut_keys({w.key for w in editor.canvas.committed.wires})
    editor.canvas.select([BLEND])
    editor.canvas.set_state(pin=PinPlace(BLEND, "out", True))
    with pytest.raises(ValidationError, match="No pin of a node that way fits"):
        editor.walking.connect("left")
    assert links(editor) == set()
    editor.canvas.set_state(pin=PinPlace(BLEND, "b"))
    assert editor.walking.connect("left") and links(editor) == {(CLIP_A, BLEND, "b")}


def test_states_are_joined_by_a_transition(editor):
    editor.canvas.open(GRAPH, STATES)
    editor.canvas.select([IDLE])
    assert editor.walking.connect("right") is True
    made = editor.canvas.sheet.transitions[-1]
    assert (made.source, made.target) == (IDLE, WALKING) and len(editor.canvas.sheet.transitions) == 3
    editor.canvas.select([IDLE])
    with pytest.raises(ValidationError, match="no node that way"):
        editor.walking.connect("down")
