"""Nodes and wires at the edges: what a swap keeps, deleting inner sheets, circles, wires that a node takes."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from core.errors import ValidationError
from core.graph.catalogue.pins import Pin, PinKind
from core.graph.graph import Link, Node, NodeId, SheetKind
from core.graph.language.values import FLOAT
from editor.model.graph.editor import GraphEditor
from editor.model.graph.geometry import Rect
from editor.model.graph.layout import Comment
from editor.model.graph.nodes import NewNode
from editor.model.graph.scene import NodeView, PinView, Scene, WireView
from editor.model.graph.state import PinPlace
from editor.model.graph.wires import Offer, _detour, pose_pins
from tests.editor.panels.graph.graphs import (
    BLEND,
    CLIP_A,
    CLIP_B,
    GO,
    GRAPH,
    IDLE,
    IDLE_SHEET,
    MACHINE,
    OUTPUT,
    POSES,
    STATES,
    WALK,
    WALK_SHEET,
    WALKING,
    WIRED,
    id_of,
    links,
)


def out(node: str) -> PinPlace:
    return PinPlace(node, "out", True)


def node(editor: GraphEditor, id: str) -> Node:
    return editor.canvas.sheet.node(NodeId(id))


def add(editor: GraphEditor, kind: str, y: float = 600.0, **parameters: object) -> str:
    return editor.nodes.add(NewNode(kind, parameters), (0.0, y))


# ---------------------------------------------------------------- adding
def test_an_edit_that_is_refused_adds_nothing_and_selects_nothing(editor, monkeypatch):
    monkeypatch.setattr(editor.canvas, "commit", lambda *words: False)
    assert editor.nodes.add(NewNode("clip"), (0.0, 0.0)) is None
    assert editor.tidying.comment((0.0, 0.0)) is None
    assert editor.canvas.state.selection == frozenset()
    editor.canvas.select([CLIP_A])
    assert editor.text.duplicate() == [] and editor.canvas.state.selection == {CLIP_A}
    editor.canvas.enter(STATES)
    assert editor.machines.connect(IDLE, WALKING) is None and editor.canvas.state.selection == frozenset()


@pytest.mark.parametrize("kind, new, name", [
    ("conduit", {}, "conduit"), ("any", {}, "any state"), ("state", {}, "state"), ("entry", {}, ""), ("exit", {}, ""),
    ("state", {"name": "idle"}, "idle 2"), ("conduit", {"name": "gate"}, "gate"), ("entry", {"name": "in"}, "in"),
])  # fmt: skip
def test_what_others_refer_to_has_a_name_of_its_own(editor, kind, new, name):
    editor.canvas.enter(STATES)
    made = editor.nodes.add(NewNode(kind, **new), (0.0, 600.0))
    assert node(editor, made).name == name


def test_a_sheet_is_made_for_what_opens_one_and_has_none(editor):
    sheets = len(editor.canvas.graph.sheets)
    add(editor, "slot", slot="DefaultGroup.Arms")
    assert len(editor.canvas.graph.sheets) == sheets
    made = add(editor, "machine", sheet="")
    inner = editor.canvas.graph.sheets[-1]
    assert (
        node(editor, made).parameters["sheet"] == inner.id and len(editor.canvas.graph.sheets) == sheets + 1
    )
    assert inner.name == node(editor, made).name == "state machine" and inner.kind is SheetKind.MACHINE
    assert inner.nodes == ()


def test_literals_and_parameters_of_what_is_added_are_its_own(editor):
    made = editor.nodes.add(NewNode("clip", {"clip": WALK}, {"rate": "2"}, "stroll"), (0.0, 600.0))
    found = node(editor, made)
    assert (found.parameters, found.literals, found.name) == ({"clip": WALK}, {"rate": "2"}, "stroll")


def test_an_output_feeds_several_values_of_a_new_node_but_each_pin_takes_one(editor):
    first, second = (add(editor, "get", y, variable="speed") for y in (600.0, 700.0))
    made = editor.nodes.add(NewNode("clip"), (300.0, 600.0), (out(first), out(second)))
    assert {(first, made, "rate"), (second, made, "start")} <= links(editor)
    feeds = editor.nodes.add(
        NewNode("get", {"variable": "speed"}),
        (0.0, 800.0),
        (PinPlace(CLIP_A, "rate"), PinPlace(CLIP_B, "rate")),
    )
    assert {(feeds, CLIP_A, "rate"), (feeds, CLIP_B, "rate")} <= links(editor)


@pytest.mark.parametrize("by, step", [(8.1, 16.0), (7.9, 0.0)])
def test_places_are_off_the_pointer_by_their_number_of_units_and_on_the_grid(editor, by, step):
    head = 13.0
    made = editor.nodes.add(NewNode("mirror"), (by, head + by))
    assert editor.canvas.committed.places[made] == (step, step)
    fed = editor.nodes.add(NewNode("rest"), (176.0 + by, head + by), (PinPlace(made, "pose"),))
    assert editor.canvas.committed.places[fed] == (step, step)
    led = editor.nodes.add(NewNode("mirror"), (by, head + by), (out(fed),))
    assert editor.canvas.committed.places[led] == (step, step)
    truth = add(editor, "get", variable="crouch")
    offer = editor.wires.offer(out(truth), PinPlace(BLEND, "alpha"), (64.0 + by, by))
    editor.wires.convert(offer)
    assert editor.canvas.committed.places[editor.canvas.sheet.nodes[-1].id] == (step, step)
    editor.canvas.enter(STATES)
    state = editor.nodes.add(NewNode("state"), (80.0 + by, 24.0 + by), from_state=IDLE)
    assert editor.canvas.committed.places[state] == (step, step)


# ---------------------------------------------------------------- swapping
def test_a_swapped_node_keeps_its_id_and_name_and_the_text_of_equal_pins(editor):
    editor.renames.rename_node(CLIP_A, "stroll")
    editor.nodes.set_literal(CLIP_A, "rate", "2")
    editor.nodes.set_literal(CLIP_A, "start", "0.5")
    assert editor.nodes.swap(CLIP_A, NewNode("blend_space", {}, {"rate": "1", "x": "speed"}))
    found = node(editor, CLIP_A)
    assert (found.kind, found.name, found.literals) == ("blend_space", "stroll", {"rate": "2", "x": "speed"})
    assert links(editor) == WIRED
    assert editor.nodes.swap(CLIP_A, NewNode("get_up", name="rise")) and node(editor, CLIP_A).name == "rise"


def test_a_swapped_nodes_wires_go_to_pins_of_their_name_first(editor):
    editor.wires.cut_at(PinPlace(BLEND, "a"))
    editor.wires.connect(out(CLIP_A), PinPlace(BLEND, "a"))  # the wire to b is the first of the sheet now
    editor.nodes.swap(BLEND, NewNode("blend"))
    assert links(editor) == WIRED
    get = add(editor, "get", variable="speed")
    editor.wires.connect(out(get), PinPlace(BLEND, "alpha"))
    editor.nodes.swap(BLEND, NewNode("blend_many"))
    assert {x for x in links(editor) if x[1] == BLEND} == {
        (CLIP_A, BLEND, "pose_1"), (CLIP_B, BLEND, "pose_0"), (get, BLEND, "weight_0"),
    }  # fmt: skip


def test_a_wire_from_a_pin_that_is_gone_is_dropped(editor):
    graph = editor.canvas.graph
    sheet = graph.sheet(POSES)
    odd = replace(sheet.links[0], output="gone")
    editor.canvas.commit("Odd", graph.with_sheet(replace(sheet, links=(odd, *sheet.links[1:]))))
    editor.nodes.swap(BLEND, NewNode("blend"))
    assert links(editor) == WIRED - {(CLIP_A, BLEND, "a")}


def test_a_node_without_outputs_feeds_nothing_more(editor):
    editor.nodes.swap(BLEND, NewNode("output"))
    assert links(editor) == {(CLIP_A, BLEND, "pose")}


def test_a_machine_swapped_by_one_with_its_sheet_keeps_what_is_inside(editor):
    editor.nodes.swap(MACHINE, NewNode("machine", {"sheet": STATES}, name="ways"))
    assert [s.id for s in editor.canvas.graph.sheets] == [POSES, STATES, IDLE_SHEET, WALK_SHEET]
    editor.nodes.swap(MACHINE, NewNode("machine"))
    sheets = editor.canvas.graph.sheets
    assert len(sheets) == 2 and sheets[1].id == node(editor, MACHINE).parameters["sheet"] != STATES
    editor.canvas.enter(sheets[1].id)
    assert editor.canvas.path[-1].id == sheets[1].id


# ---------------------------------------------------------------- deleting
def test_with_two_outputs_one_can_be_deleted(editor):
    second = add(editor, "output")
    assert editor.nodes.delete(items=[second]) and {n.kind for n in editor.canvas.sheet.nodes} >= {"output"}
    third = add(editor, "output")
    assert editor.nodes.delete([OUTPUT, third])
    assert not editor.canvas.sheet.of_kind("output")


def test_what_a_deleted_state_opens_goes_with_its_places_and_comments(editor):
    player = id_of(64)
    layout = editor.canvas.layout.moved({player: (1.0, 2.0), id_of(72): (3.0, 4.0)})
    notes = [
        Comment(f"c-{s}", s, "", Rect(0.0, 0.0, 1.0, 1.0)) for s in (POSES, STATES, IDLE_SHEET, WALK_SHEET)
    ]
    editor.canvas.commit("Notes", editor.canvas.graph, replace(layout, comments=tuple(notes)))
    editor.canvas.enter(STATES)
    assert editor.nodes.delete([IDLE])
    layout = editor.canvas.layout
    assert [c.sheet for c in layout.comments] == [POSES, STATES, WALK_SHEET]
    assert player not in layout.places and layout.places[id_of(72)] == (3.0, 4.0)
    assert [t.id for t in editor.canvas.sheet.transitions] == []
    editor.nodes.delete([f"c-{STATES}"])
    assert [c.sheet for c in editor.canvas.layout.comments] == [POSES, WALK_SHEET]


@pytest.mark.parametrize("gone, left", [((0,), [1, 2]), ((1, 2), [0]), ((0, 2), [1]), ((0, 1, 2), [])])
def test_knots_are_deleted_by_their_numbers(editor, gone, left):
    knots = [(450.0, 90.0), (470.0, 95.0), (490.0, 99.0)]
    layout = editor.canvas.layout.with_knots(OUTPUT, "pose", knots)
    editor.canvas.commit("Knots", editor.canvas.graph, layout)
    editor.nodes.delete([f"k:{OUTPUT}.pose#{number}" for number in gone])
    assert list(editor.canvas.layout.knots.get((OUTPUT, "pose"), ())) == [knots[k] for k in left]
    assert links(editor) == WIRED


# ---------------------------------------------------------------- wires
def test_only_poses_cannot_go_round_in_a_circle(editor):
    first, second = add(editor, "expression"), add(editor, "expression", 700.0)
    editor.wires.connect(out(first), PinPlace(second, "a"))
    assert editor.wires.reason(out(second), PinPlace(first, "a")) == ""
    mirror, other = add(editor, "mirror", 800.0), add(editor, "mirror", 900.0)
    editor.wires.connect(out(mirror), PinPlace(other, "pose"))
    assert editor.wires.reason(out(other), PinPlace(mirror, "pose")) == "that would close a circle"


def test_an_offer_stands_between_an_output_and_an_input_alone(editor):
    truth = out(add(editor, "get", variable="crouch"))
    alpha = PinPlace(BLEND, "alpha")
    assert editor.wires.offer(truth, alpha, (0.0, 0.0)) == Offer(truth, alpha, "if(a, 1.0, 0.0)", (0.0, 0.0))
    assert editor.wires.offer(truth, truth, (0.0, 0.0)) is None
    number = out(add(editor, "get", 700.0, variable="speed"))
    assert editor.wires.offer(number, alpha, (0.0, 0.0)) is None  # it fits as it is
    anything = out(add(editor, "expression", 800.0))
    assert editor.wires.offer(anything, alpha, (0.0, 0.0)) is None


def test_moving_wires_takes_them_from_the_old_pin_even_where_it_had_more(editor):
    speed, other = (add(editor, "get", y, variable="speed") for y in (600.0, 700.0))
    for clip in (CLIP_A, CLIP_B):
        editor.wires.connect(out(speed), PinPlace(clip, "rate"))
    steps = len(editor.session.history.labels)
    assert editor.wires.move_all([PinPlace(CLIP_A, "rate")], out(speed), out(other))
    assert links(editor) == WIRED | {(other, CLIP_A, "rate")}
    assert editor.session.history.labels[steps:] == ("Move wires",)


def test_a_wire_of_a_pin_that_is_gone_is_laid_as_a_pose(editor):
    graph = editor.wires.laid(
        editor.canvas.graph, POSES, PinPlace("gone", "out", True), PinPlace("gone", "in")
    )
    assert graph.sheet(POSES).links[-1] == Link("gone", "gone", "in", "out")
    # a pose output feeds one input: what it fed before is cut
    graph = editor.wires.laid(editor.canvas.graph, POSES, PinPlace(OUTPUT, "pose"), out(CLIP_A))
    assert {(x.source, x.target) for x in graph.sheet(POSES).links} == {(CLIP_A, OUTPUT), (CLIP_B, BLEND)}
    number = add(editor, "get", variable="speed")
    for clip in (CLIP_A, CLIP_B):
        editor.wires.connect(PinPlace(clip, "rate"), out(number))
    assert {(number, CLIP_A, "rate"), (number, CLIP_B, "rate")} <= links(editor)


def view(id: str, *, inputs: tuple[PinView, ...] = (), outputs: tuple[PinView, ...] = ()) -> NodeView:
    return NodeView(id, "clip", "node", id, "", None, 100.0, 80.0, inputs, outputs)  # type: ignore[arg-type]


def pin(name: str, output: bool = False, kind: PinKind = PinKind.POSE, wired: bool = False) -> PinView:
    return PinView(Pin(name, kind, FLOAT if kind is PinKind.VALUE else None), 20.0, output, wired, "", name)


OUT, IN = pin("out", True), pin("pose")
TAKES: dict[str, tuple[NodeView, str]] = {
    "one that fits": (view("x", inputs=(IN,), outputs=(OUT,)), "pose"),
    "by the first pin that fits": (
        view("x", inputs=(pin("rate", kind=PinKind.VALUE), pin("b"), IN), outputs=(OUT,)), "b",
    ),
    "none without outputs": (view("x", inputs=(IN,)), ""),
    "none without inputs": (view("x", outputs=(OUT,)), ""),
    "none that gives a value": (view("x", inputs=(IN,), outputs=(pin("out", True, PinKind.VALUE),)), ""),
    "none that takes a value": (view("x", inputs=(pin("rate", kind=PinKind.VALUE),), outputs=(OUT,)), ""),
    "none that has a pose": (view("x", inputs=(IN, pin("b", wired=True)), outputs=(OUT,)), ""),
    "one whose values are wired": (
        view("x", inputs=(IN, pin("rate", kind=PinKind.VALUE, wired=True)), outputs=(OUT,)), "pose",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", list(TAKES))
def test_what_a_wire_can_go_through(editor, case):
    made, entry = TAKES[case]
    nodes = {"a": view("a", outputs=(OUT,)), "b": view("b", inputs=(IN,)), "x": made}
    wire = WireView(Link(NodeId("a"), NodeId("b"), "pose"), "pose")
    scene = Scene(editor.canvas.sheet, nodes, dict.fromkeys(nodes, (0.0, 0.0)), (wire,))
    assert editor.wires.takes(scene, "x", wire.key) == (PinPlace("x", entry) if entry else None)
    for ends in ((view("a"), nodes["b"]), (nodes["a"], view("b"))):  # the wire's own pins are gone
        odd = replace(scene, nodes={**nodes, "a": ends[0], "b": ends[1]})
        assert editor.wires.takes(odd, "x", wire.key) is None
    used = WireView(Link(NodeId("x"), NodeId("b"), "other"), "pose")
    assert editor.wires.takes(replace(scene, wires=(wire, used)), "x", wire.key) is None


def test_a_node_in_a_wire_of_a_value_leaves_the_other_wires_of_that_value(editor):
    get = add(editor, "get", variable="speed")
    for clip in (CLIP_A, CLIP_B):
        editor.wires.connect(out(get), PinPlace(clip, "rate"))
    made = add(editor, "function", 700.0, function="abs")
    scene = editor.canvas.committed
    wire = next(w.key for w in scene.wires if (w.link.target, w.link.pin) == (CLIP_A, "rate"))
    editor.canvas.commit("Put", editor.wires.put_in(editor.canvas.graph, scene, made, wire))
    assert links(editor) == WIRED | {(get, made, "x"), (made, CLIP_A, "rate"), (get, CLIP_B, "rate")}
    scene = editor.canvas.committed
    editor.canvas.commit("Lift", editor.wires.lift_out(editor.canvas.graph, scene, made))
    assert links(editor) == WIRED | {(get, CLIP_B, "rate")}


def test_poses_and_actions_are_what_a_gap_is_closed_by(editor):
    assert pose_pins(editor.canvas.committed) == {
        CLIP_A: (), CLIP_B: (), BLEND: ("a", "b"), OUTPUT: ("pose",), MACHINE: (),
    }  # fmt: skip
    editor.add_update_sheet()
    start, emit = add(editor, "on_start"), add(editor, "emit_event", 700.0)
    assert pose_pins(editor.canvas.committed) == {start: (), emit: ("then",)}


@pytest.mark.parametrize("at, more", [
    ((5.0, 0.0), 0.0), ((0.0, 0.0), 0.0), ((10.0, 0.0), 0.0), ((5.0, 12.0), 16.0), ((-5.0, 0.0), 10.0),
])  # fmt: skip
def test_a_detour_is_what_the_way_over_a_place_is_longer(at, more):
    assert _detour((0.0, 0.0), (10.0, 0.0), at) == pytest.approx(more)
    assert _detour((3.0, 10.0), (3.0, 20.0), (3.0 + at[1], 10.0 + at[0])) == pytest.approx(more)


EMPTY: dict[str, tuple[str, Callable[[GraphEditor], object]]] = {
    "cut a pin": ("no graph yet", lambda e: e.wires.cut_at(PinPlace(BLEND, "a"))),
    "cut keys": ("no graph yet", lambda e: e.wires.cut_keys([GO])),
    "add": ("no graph yet", lambda e: e.nodes.add(NewNode("clip"), (0.0, 0.0))),
    "delete": ("no graph yet", lambda e: e.nodes.delete([CLIP_A])),
    "move": ("no graph yet", lambda e: e.nodes.move({CLIP_A: (0.0, 0.0)})),
    "knot": ("no graph yet", lambda e: e.wires.add_knot("w:x", (0.0, 0.0))),
    "slots": ("no graph yet", lambda e: e.set_slots("A.b")),
    "comment": ("no graph yet", lambda e: e.tidying.comment((0.0, 0.0))),
    "nudge": ("Select nodes first", lambda e: e.tidying.nudge(1.0, 0.0)),
    "fold": ("no graph yet", lambda e: e.functions.fold()),
    "replace": ("no graph yet", lambda e: e.finding.replace("a", "b")),
}


@pytest.mark.parametrize("case", list(EMPTY))
def test_without_a_graph_edits_are_refused(editor, case):
    message, do = EMPTY[case]
    editor.session.edits.remove("gone", GRAPH)
    steps = editor.session.history.labels
    with pytest.raises(ValidationError, match=message):
        do(editor)
    assert not editor.tidying.tidy() and editor.session.history.labels == steps
