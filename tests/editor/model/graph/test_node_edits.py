"""Edits of nodes: adding with wires and sheets of their own, names, places, deleting, swapping, fields, folding."""

import pytest

from core.errors import ValidationError
from core.graph.graph import Node, NodeId, SheetKind
from editor.model.graph.nodes import NewNode
from editor.model.graph.scene import knot_key, wire_key
from editor.model.graph.state import PinPlace
from tests.editor.panels.graph.graphs import (
    BLEND,
    CLIP_A,
    CLIP_B,
    GRAPH,
    IDLE,
    MACHINE,
    OUTPUT,
    STATES,
    TURN,
    WALK,
    WALKING,
    WIRED,
    last,
    links,
)  # fmt: skip


@pytest.fixture
def machine(editor):
    editor.canvas.open(GRAPH, STATES)
    return editor


def node(editor, id):
    return next(n for n in editor.canvas.sheet.nodes if n.id == id)


def place(editor, id):
    return editor.canvas.committed.places[id]


# ---------------------------------------------------------------- adding
def test_a_node_is_added_with_its_head_at_the_place_and_selected(editor):
    made = editor.nodes.add(NewNode("slot", {"slot": "DefaultGroup.Arms"}), (100.0, 61.0))
    assert place(editor, made) == (96.0, 48.0) and last(editor) == "Add slot"
    assert (
        editor.canvas.state.selection == {made}
        and node(editor, made).parameters["slot"] == "DefaultGroup.Arms"
    )
    assert links(editor) == WIRED and place(editor, CLIP_B) == (0.0, 160.0)
    got = editor.nodes.add_variable("speed", (0.0, -50.0))
    assert node(editor, got).kind == "get" and node(editor, got).parameters["variable"] == "speed"


def test_nodes_that_do_not_go_on_the_sheet_are_refused(editor):
    for kind in ("state", "no such kind"):
        with pytest.raises(ValidationError, match="does not go on this sheet"):
            editor.nodes.add(NewNode(kind), (0.0, 0.0))
    assert editor.session.history.labels == ()
    editor.canvas.open(GRAPH, STATES)
    with pytest.raises(ValidationError, match="does not go on this sheet"):
        editor.nodes.add(NewNode("clip"), (0.0, 0.0))


def test_a_node_added_at_the_end_of_a_wire_is_connected_by_the_first_pin_that_fits(editor):
    out = PinPlace(MACHINE, "out", True)
    made = editor.nodes.add(NewNode("blend"), (300.0, 461.0), (out,))
    assert (MACHINE, made, "a") in links(editor) and place(editor, made) == (304.0, 448.0)
    feeding = editor.nodes.add(NewNode("slot"), (300.0, 461.0), (PinPlace(made, "b"),))
    assert (feeding, made, "b") in links(editor) and place(editor, feeding) == (128.0, 448.0)
    both = editor.nodes.add(NewNode("blend"), (0.0, 0.0), (out, PinPlace(feeding, "out", True)))
    assert {(MACHINE, both, "a"), (feeding, both, "b")} <= links(editor)
    before = links(editor)
    rest = editor.nodes.add(NewNode("rest"), (0.0, 0.0), (out, PinPlace("n-gone", "out", True)))
    assert links(editor) == before and node(editor, rest).kind == "rest"  # it has no pin for it
    gone = editor.nodes.add(
        NewNode("blend"), (0.0, 0.0), (PinPlace("n-gone", "out", True), PinPlace(CLIP_B, "out", True))
    )
    assert (CLIP_B, gone, "a") in links(editor)


def test_a_state_is_added_at_the_end_of_a_transition_with_a_sheet_of_its_own(machine):
    made = machine.nodes.add(NewNode("state"), (400.0, 300.0), from_state=IDLE)
    assert place(machine, made) == (320.0, 272.0) and last(machine) == "Add state"
    last_one = machine.canvas.sheet.transitions[-1]
    assert (last_one.source, last_one.target) == (IDLE, made)
    sheet = next(s for s in machine.canvas.graph.sheets if s.id == node(machine, made).parameters["sheet"])
    assert sheet.kind is SheetKind.POSE and sheet.name == node(machine, made).name == "state"
    again = machine.nodes.add(NewNode("state"), (0.0, 600.0))
    assert node(machine, again).name not in ("state", "idle", "walking")
    named = machine.nodes.add(NewNode("state", name="idle"), (0.0, 900.0))
    assert node(machine, named).name not in ("idle", "") and node(machine, named).name.startswith("idle")


def test_a_state_plays_what_it_was_made_from_or_is_a_machine(machine):
    plays = Node(NodeId("n-0000abcd"), "clip", {"clip": TURN})
    made = machine.nodes.add(NewNode("state", name="turn", plays=plays), (0.0, 300.0))
    sheet = next(s for s in machine.canvas.graph.sheets if s.id == node(machine, made).parameters["sheet"])
    player = next(n for n in sheet.nodes if n.kind == "clip")
    output = next(n for n in sheet.nodes if n.kind == "output")
    assert player.parameters == {"clip": TURN} and player.id != plays.id
    assert [(x.source, x.target, x.pin) for x in sheet.links] == [(player.id, output.id, "pose")]
    nested = machine.nodes.add(NewNode("state", nested=True, plays=plays), (0.0, 500.0))
    sheet = next(s for s in machine.canvas.graph.sheets if s.id == node(machine, nested).parameters["sheet"])
    assert sheet.kind is SheetKind.MACHINE and all(n.kind != "clip" for n in sheet.nodes)


def test_machines_have_names_of_their_own_in_the_whole_graph(editor):
    first, second = (editor.nodes.add(NewNode("machine"), (0.0, y)) for y in (500.0, 700.0))
    names = [node(editor, n).name for n in (MACHINE, first, second)]
    assert len(set(names)) == 3 and names[0] == "moves"
    sheet = next(s for s in editor.canvas.graph.sheets if s.id == node(editor, first).parameters["sheet"])
    assert sheet.kind is SheetKind.MACHINE
    taken = editor.nodes.add(NewNode("machine", {"sheet": STATES}, name="mine"), (0.0, 900.0))
    assert node(editor, taken).parameters["sheet"] == STATES and node(editor, taken).name == "mine"
    idle = editor.nodes.add(NewNode("machine", name="idle"), (0.0, 1100.0))
    assert node(editor, idle).name != "idle"  # a state of another sheet is called so


# ---------------------------------------------------------------- places
def test_nodes_are_put_elsewhere_and_the_others_stay(editor):
    assert editor.nodes.move({CLIP_A: (32.0, 48.0)}) and last(editor) == "Move nodes"
    assert place(editor, CLIP_A) == (32.0, 48.0) and place(editor, BLEND) == (256.0, 32.0)
    assert editor.nodes.move({CLIP_A: (0.0, 0.0)}, "Tidy") and last(editor) == "Tidy"
    assert (
        editor.nodes.place_and("Both", editor.canvas.graph, {CLIP_B: (1.0, 2.0)}) and last(editor) == "Both"
    )
    assert place(editor, CLIP_B) == (1.0, 2.0) and place(editor, CLIP_A) == (0.0, 0.0)
    layout = editor.canvas.layout.with_knots(OUTPUT, "pose", [(5.0, 6.0)])
    editor.nodes.place_and("Knots", editor.canvas.graph, {}, layout)
    assert list(editor.canvas.layout.knots[OUTPUT, "pose"]) == [(5.0, 6.0)]


# ---------------------------------------------------------------- deleting
def test_nodes_are_deleted_with_their_wires_or_these_are_joined(editor):
    editor.canvas.select([BLEND])
    assert editor.nodes.delete() and last(editor) == "Delete" and links(editor) == set()
    editor.session.undo()
    assert editor.nodes.delete([BLEND], heal=True) and links(editor) == {(CLIP_A, OUTPUT, "pose")}
    assert BLEND not in editor.canvas.layout.places
    editor.session.undo()
    editor.canvas.select([])
    for items, why in (
        ([OUTPUT], "The Output stays"),
        ([], "Nothing is selected"),
        (None, "Nothing is selected"),
    ):
        with pytest.raises(ValidationError, match=why):
            editor.nodes.delete(items)
    assert editor.nodes.delete([OUTPUT, CLIP_A]) and {n.id for n in editor.canvas.sheet.nodes} >= {
        OUTPUT,
        BLEND,
    }
    assert links(editor) == WIRED - {(CLIP_A, BLEND, "a")}


def test_wires_and_knots_are_deleted_by_their_keys(editor):
    wire = next(wire_key(x) for x in editor.canvas.sheet.links if x.target == OUTPUT)
    for y in (100.0, 200.0, 300.0):
        editor.wires.add_knot(wire, (470.0, y))
    knots = list(editor.canvas.layout.knots[OUTPUT, "pose"])
    editor.nodes.delete([knot_key(OUTPUT, "pose", 0), knot_key(OUTPUT, "pose", 2)])
    assert list(editor.canvas.layout.knots[OUTPUT, "pose"]) == [knots[1]]
    editor.nodes.delete([wire])
    assert links(editor) == WIRED - {(BLEND, OUTPUT, "pose")} and not editor.canvas.layout.knots


def test_with_a_machine_its_sheets_and_their_places_go(editor):
    assert {IDLE, WALKING} <= set(editor.canvas.layout.places)
    editor.nodes.delete([MACHINE])
    assert [s.name for s in editor.canvas.graph.sheets] == ["pose"]
    assert not {MACHINE, IDLE, WALKING} & set(editor.canvas.layout.places)
    assert {CLIP_A, CLIP_B, BLEND, OUTPUT} <= set(editor.canvas.layout.places)


# ---------------------------------------------------------------- what a node says
def test_fields_of_nodes_are_typed_chosen_and_taken_away(editor):
    assert editor.nodes.set_literal(CLIP_A, "rate", " 2 ") and last(editor) == "Set rate"
    assert node(editor, CLIP_A).literals == {"rate": "2"}
    for text in ("  ", None):
        editor.nodes.set_literal(CLIP_A, "rate", "3")
        assert editor.nodes.set_literal(CLIP_A, "rate", text) and node(editor, CLIP_A).literals == {}
    assert editor.nodes.set_parameter([CLIP_A, CLIP_B], "clip", TURN) and last(editor) == "Set clip"
    assert {node(editor, n).parameters["clip"] for n in (CLIP_A, CLIP_B)} == {TURN}


def test_unused_pins_are_hidden_and_shown(editor):
    assert editor.nodes.fold([CLIP_A, BLEND], True) and last(editor) == "Hide unused pins"
    assert editor.canvas.layout.folded == {CLIP_A, BLEND}
    editor.nodes.fold([CLIP_B], True)
    assert editor.nodes.fold([BLEND], False) and last(editor) == "Show unused pins"
    assert editor.canvas.layout.folded == {CLIP_A, CLIP_B}


def test_another_kind_takes_a_nodes_place_wires_and_equal_values(editor):
    assert editor.nodes.swap(BLEND, NewNode("blend_by_bool")) and last(editor) == "Swap node"
    made = node(editor, BLEND)
    assert made.kind == "blend_by_bool" and "alpha" not in made.literals
    assert {(s, t) for s, t, _ in links(editor)} == {(s, t) for s, t, _ in WIRED}
    editor.session.undo()
    editor.nodes.set_literal(CLIP_A, "rate", "2")
    assert editor.nodes.swap(CLIP_A, NewNode("rest"))
    assert node(editor, CLIP_A).literals == {} and links(editor) == WIRED
    editor.session.undo()
    editor.nodes.swap(BLEND, NewNode("slot", name="mine"))
    into = [x for x in editor.canvas.sheet.links if x.target == BLEND]
    assert [x.source for x in into] == [CLIP_A]  # one pin, so one wire
    editor.session.undo()
    editor.nodes.swap(MACHINE, NewNode("rest"))
    assert [s.name for s in editor.canvas.graph.sheets] == ["pose"]
    assert node(editor, CLIP_B).parameters["clip"] == TURN and node(editor, CLIP_A).parameters["clip"] == WALK


def test_a_new_graph_gives_the_rest_pose(editor):
    made = editor.nodes.new_graph("fresh", editor.canvas.graph.rig)
    (sheet,) = made.sheets
    assert made.name == "fresh" and made.rig == editor.canvas.graph.rig and sheet.kind is SheetKind.POSE
    assert [n.kind for n in sheet.nodes] == ["rest", "output"]
    assert [(x.source, x.target, x.pin) for x in sheet.links] == [
        (sheet.nodes[0].id, sheet.nodes[1].id, "pose")
    ]
