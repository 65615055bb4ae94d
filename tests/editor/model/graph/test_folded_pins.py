"""Pins of a folded graph: names, types and bounds of what comes in, places; and how they are unfolded again."""

from dataclasses import replace

import pytest

from core.errors import ValidationError
from core.graph.catalogue.pins import PinKind
from core.graph.graph import Graph, Link, Role, Variable
from core.graph.language.values import BOOL, FLOAT, INT, QUATERNION, VECTOR, Kind, ValueType
from core.tracks.keys import scalar_track
from editor.model.graph.functions import _kind, _role, _type, _variable, _word
from editor.model.graph.layout import read_layout, with_layout
from editor.model.graph.nodes import NewNode
from editor.model.graph.state import PinPlace
from tests.editor.panels.graph.graphs import (
    BLEND,
    CLIP_A,
    CLIP_B,
    GRAPH,
    IDLE,
    MACHINE,
    OUTPUT,
    POSES,
    STATES,
    WALKING,
    links,
)

EASE, LATE = (scalar_track([0.0, 1.0], [0.0, end]) for end in (1.0, 2.0))


def out(node: str) -> PinPlace:
    return PinPlace(node, "out", True)


def fold(editor, *nodes: str, name: str = "") -> tuple[Graph, str]:
    editor.canvas.select(nodes)
    id = editor.functions.fold(name)
    (linking,) = editor.canvas.state.selection
    return editor.document.project.get(Graph, id), linking


def kind_links(graph: Graph) -> set[tuple[str, str, str]]:
    """Wires of the first sheet: source as its kind and what it names, kind of the target, pin."""

    def name(id: str) -> str:
        node = graph.root.node(id)
        return f"{node.kind} {node.parameters.get('variable') or node.parameters.get('input') or ''}".strip()

    return {(name(x.source), name(x.target), x.pin) for x in graph.root.links}


# ---------------------------------------------------------------- names and types
@pytest.mark.parametrize("text, word", [
    ("alpha", "alpha"), ("a b", "a_b"), ("weight-1", "weight_1"), ("2nd", "value_2nd"), ("_x", "_x"), ("", "value_"),
    ("time_true", "time_true"), ("ä1", "ä1"),
])  # fmt: skip
def test_a_pin_gives_a_variable_its_name_as_a_word(text, word):
    assert _word(text) == word


@pytest.mark.parametrize("type_, default, bounds", [
    (FLOAT, (0.0,), (-1e12, 1e12)), (INT, (0.0,), (-1e12, 1e12)), (BOOL, (0.0,), (0.0, 1.0)),
    (VECTOR, (0.0, 0.0, 0.0), (-1e12, 1e12)), (ValueType(Kind.ENUM, "gait"), (0.0,), (-1e12, 1e12)),
])  # fmt: skip
def test_a_value_that_comes_in_is_a_variable_of_its_type(type_, default, bounds):
    made = _variable("x", type_)
    assert (made.name, made.kind, made.default, made.enum) == ("x", type_.kind, default, type_.enum)
    assert (made.minimum, made.maximum) == bounds and made.role is Role.INPUT


def test_only_triggers_keep_their_role():
    roles = {role: _role(Variable("x", Kind.BOOL, maximum=1.0, minimum=0.0, role=role)) for role in Role}
    assert roles == {role: Role.TRIGGER if role is Role.TRIGGER else Role.INPUT for role in Role}


def test_the_type_of_a_wire_is_that_of_its_end_else_of_its_begin_else_a_number(editor):
    get = editor.nodes.add(NewNode("get", {"variable": "crouch"}), (0.0, 600.0))
    text = editor.nodes.add(NewNode("expression"), (0.0, 700.0))
    turn = editor.nodes.add(NewNode("function", {"function": "axis_angle"}), (0.0, 800.0))
    scene = editor.canvas.committed
    assert _type(scene, Link(text, BLEND, "alpha")) == FLOAT == _type(scene, Link(text, text, "a"))
    assert _type(scene, Link(get, text, "a")) == BOOL
    assert _type(scene, Link(get, BLEND, "alpha")) == FLOAT
    assert scene.nodes[turn].outputs[0].pin.type == QUATERNION
    assert _type(scene, Link(turn, text, "a")) == FLOAT
    assert _kind(scene, Link(CLIP_A, BLEND, "a")) is PinKind.POSE
    assert _kind(scene, Link(get, BLEND, "alpha")) is PinKind.VALUE
    assert _kind(scene, Link(CLIP_A, BLEND, "a", "gone")) is PinKind.VALUE


# ---------------------------------------------------------------- folding
def test_pins_of_equal_names_get_numbers(editor):
    gets = [editor.nodes.add(NewNode("get", {"variable": "speed"}), (-300.0, y)) for y in (600.0, 700.0)]
    editor.wires.connect(out(gets[0]), PinPlace(CLIP_A, "rate"))
    editor.wires.connect(out(gets[1]), PinPlace(CLIP_B, "rate"))
    made, linking = fold(editor, CLIP_A, CLIP_B, BLEND)
    assert [v.name for v in made.variables] == ["speed", "rate", "rate_2"]
    assert {("get rate", "clip", "rate"), ("get rate_2", "clip", "rate")} <= kind_links(made)
    assert {(gets[0], linking, "rate"), (gets[1], linking, "rate_2")} <= links(editor)
    assert all(n.literals == {"speed": "speed"} for n in editor.canvas.sheet.nodes if n.id == linking)


def test_a_value_that_comes_in_does_not_take_the_name_of_a_variable_that_is_used(editor):
    graph = editor.canvas.graph
    editor.canvas.commit("More", replace(graph, variables=(*graph.variables, Variable("rate"))))
    editor.nodes.set_literal(BLEND, "alpha", "rate")
    get = editor.nodes.add(NewNode("get", {"variable": "speed"}), (-300.0, 600.0))
    editor.wires.connect(out(get), PinPlace(CLIP_A, "rate"))
    made, linking = fold(editor, CLIP_A, CLIP_B, BLEND)
    assert [v.name for v in made.variables] == ["rate", "rate_2"]
    assert editor.canvas.sheet.node(linking).literals == {"rate": "rate"}


def test_pose_inputs_of_equal_names_get_numbers_and_stand_left_of_what_they_feed(editor):
    first = editor.nodes.add(NewNode("mirror"), (700.0, 600.0))
    second = editor.nodes.add(NewNode("blend"), (1000.0, 600.0))
    third = editor.nodes.add(NewNode("mirror"), (700.0, 900.0))
    editor.wires.connect(out(CLIP_A), PinPlace(first, "pose"))
    editor.wires.connect(out(CLIP_B), PinPlace(third, "pose"))
    for node, pin in ((first, "a"), (third, "b")):
        editor.wires.connect(out(node), PinPlace(second, pin))
    editor.wires.connect(out(second), PinPlace(OUTPUT, "pose"))
    places = dict(editor.canvas.committed.places)
    made, linking = fold(editor, first, second, third, name="turned")
    assert made.name == "turned" == editor.canvas.sheet.node(linking).name
    inputs = {n.parameters["input"]: n.id for n in made.root.nodes if n.kind == "pose_input"}
    assert set(inputs) == {"pose", "pose 2"}
    assert {(CLIP_A, linking, "pose"), (CLIP_B, linking, "pose 2"), (linking, OUTPUT, "pose")} <= links(
        editor
    )
    inner = read_layout(made).places
    assert inner[inputs["pose"]] == (places[first][0] - 192.0, places[first][1])
    assert inner[inputs["pose 2"]] == (places[third][0] - 192.0, places[third][1])
    output = next(n.id for n in made.root.nodes if n.kind == "output")
    assert inner[output] == (places[second][0] + 176.0 + 64.0, places[second][1])
    middle = [sum(places[n][k] for n in (first, second, third)) / 3.0 for k in (0, 1)]
    at = editor.canvas.committed.places[linking]
    assert all(abs(a - b) <= 8.0 and a % 16.0 == 0.0 for a, b in zip(at, middle, strict=True))
    assert editor.canvas.committed.places[CLIP_A] == places[CLIP_A]


def test_a_machine_is_folded_with_its_sheets_their_places_and_what_its_rules_speak_of(editor):
    editor.wires.connect(out(MACHINE), PinPlace(OUTPUT, "pose"))
    made, linking = fold(editor, MACHINE)
    assert [s.name for s in made.sheets] == ["pose", "moves", "idle", "walking"]
    assert [v.name for v in made.variables] == ["speed"]
    inner = read_layout(made).places
    assert (inner[IDLE], inner[WALKING], inner[MACHINE]) == ((0.0, 0.0), (320.0, 0.0), (0.0, 320.0))
    assert [s.name for s in editor.canvas.graph.sheets] == ["pose"]
    assert editor.canvas.sheet.node(linking).literals == {"speed": "speed"}


@pytest.mark.parametrize("where", ["rule", "seconds", "get"])
def test_a_variable_is_spoken_of_in_rules_times_and_by_nodes(editor, where):
    editor.wires.connect(out(MACHINE), PinPlace(OUTPUT, "pose"))
    chosen = [MACHINE]
    editor.canvas.enter(STATES)
    for transition in [str(t.id) for t in editor.canvas.sheet.transitions]:
        editor.machines.set_rule(transition, "crouch" if where == "rule" else "")
        if where == "seconds":
            editor.machines.set_blend([transition], seconds="if(crouch, 1, 0)")
    editor.canvas.enter(POSES)
    if where == "get":
        get = editor.nodes.add(NewNode("get", {"variable": "crouch"}), (0.0, 600.0))
        node = editor.nodes.add(NewNode("blend_by_bool"), (300.0, 600.0))
        editor.wires.connect(out(get), PinPlace(node, "value"))
        editor.wires.connect(out(MACHINE), PinPlace(node, "true"))
        editor.wires.connect(out(node), PinPlace(OUTPUT, "pose"))
        chosen += [get, node]
    made, _ = fold(editor, *chosen)
    assert [v.name for v in made.variables] == ["crouch"]


def test_the_folded_graph_keeps_enums_maps_and_slots(editor):
    graph = editor.canvas.graph
    editor.canvas.commit(
        "More", replace(graph, enums={"gait": ("trot", "pace")}, slots=("A.b", "C.d"), maps={"ease": EASE})
    )
    made, _ = fold(editor, BLEND)
    assert dict(made.maps) == {"ease": EASE} and made.sync_groups == graph.sync_groups
    assert dict(made.enums) == {"gait": ("trot", "pace")} and made.slots == ("A.b", "C.d")
    assert made.rig == graph.rig and made.id not in (graph.id, GRAPH)


# ---------------------------------------------------------------- unfolding
def test_what_is_wired_into_a_value_pin_is_wired_to_what_asked_for_it(editor):
    get = editor.nodes.add(NewNode("get", {"variable": "crouch"}), (-300.0, 600.0))
    node = editor.nodes.add(NewNode("blend_by_bool"), (300.0, 600.0))
    editor.wires.connect(out(get), PinPlace(node, "value"))
    editor.wires.connect(out(MACHINE), PinPlace(node, "true"))
    editor.wires.connect(out(node), PinPlace(OUTPUT, "pose"))
    before = links(editor)
    made, linking = fold(editor, node)
    assert (get, linking, "value") in links(editor)
    (back,) = editor.functions.unfold(linking)
    assert {tuple(node if end == back else end for end in wire) for wire in links(editor)} == before
    # its variable comes along: the graph may speak of it elsewhere
    assert [v.name for v in editor.canvas.graph.variables] == ["speed", "crouch", "value"]
    assert editor.canvas.state.selection == {back} and made.id in editor.document.project.assets


def test_a_pose_pin_without_a_wire_leaves_its_end_open(editor):
    made, linking = fold(editor, BLEND)
    editor.wires.cut_at(PinPlace(linking, "a"))
    (back,) = editor.functions.unfold(linking)
    assert links(editor) == {(CLIP_B, back, "b"), (back, OUTPUT, "pose")}
    assert editor.canvas.sheet.node(back).literals == {"alpha": "speed"}


def test_a_graph_without_an_output_or_a_wire_to_it_leaves_what_followed_open(editor):
    made, linking = fold(editor, BLEND)
    root = made.root
    bare = replace(root, nodes=tuple(n for n in root.nodes if n.kind != "output"), links=())
    editor.session.edits.put("bare", made.with_sheet(bare))
    back = editor.functions.unfold(linking)
    assert len(back) == 1 and links(editor) == set()
    editor.session.undo()
    cut = replace(root, links=tuple(x for x in root.links if x.pin != "pose"))
    editor.session.edits.put("cut", made.with_sheet(cut))
    (back,) = editor.functions.unfold(linking)
    assert links(editor) == {(CLIP_A, back, "a"), (CLIP_B, back, "b")}


@pytest.mark.parametrize("text", ["speed", None])
def test_a_variable_that_is_typed_in_by_its_own_name_is_read_here(editor, text):
    get = editor.nodes.add(NewNode("get", {"variable": "speed"}), (-300.0, 600.0))
    editor.wires.connect(out(get), PinPlace(BLEND, "alpha"))
    _, linking = fold(editor, get, BLEND)
    editor.nodes.set_literal(linking, "speed", text)
    kinds = {editor.canvas.sheet.node(id).kind: id for id in editor.functions.unfold(linking)}
    assert set(kinds) == {"get", "blend"} and (kinds["get"], kinds["blend"], "alpha") in links(editor)


def test_without_places_the_nodes_are_arranged(editor):
    made, linking = fold(editor, CLIP_B, BLEND)
    editor.session.edits.put("placeless", with_layout(made, replace(read_layout(made), places={})))
    ids = editor.functions.unfold(linking)
    assert not set(ids) & set(editor.canvas.layout.places)
    assert set(ids) <= set(editor.canvas.committed.places)


def test_what_the_graph_has_already_stays_as_it_is(editor):
    made, linking = fold(editor, BLEND)
    other = replace(
        made, variables=(Variable("speed", maximum=9.0), Variable("lean")), slots=("DefaultGroup.Arms", "A.b"),
        enums={"gait": ("trot",), "mood": ("glad",)}, maps={"ease": LATE, "late": LATE},
    )  # fmt: skip
    graph = editor.canvas.graph
    editor.session.edits.put(
        "other", other, replace(graph, enums={"gait": ("walk", "run")}, maps={"ease": EASE})
    )
    editor.functions.unfold(linking)
    after = editor.canvas.graph
    assert [(v.name, v.maximum) for v in after.variables] == [("speed", 4.0), ("crouch", 1.0), ("lean", 1e12)]
    assert after.slots == ("DefaultGroup.Arms", "A.b")
    assert dict(after.enums) == {"gait": ("walk", "run"), "mood": ("glad",)}
    assert dict(after.maps) == {"ease": EASE, "late": LATE}


def test_a_linked_graph_that_is_not_chosen_cannot_be_unfolded(editor):
    bare = editor.nodes.add(NewNode("linked_graph"), (0.0, 600.0))
    steps = editor.session.history.labels
    for node in (bare, CLIP_A):
        with pytest.raises(ValidationError, match="Select a linked graph to unfold first"):
            editor.functions.unfold(node)
    assert editor.session.history.labels == steps
