"""Nodes folded into a linked graph of their own and unfolded again: wires, variables, places, what is refused."""

from dataclasses import replace

import pytest

from core.errors import ValidationError
from core.graph import edits
from core.graph.graph import Graph, Role, SheetKind, Variable
from core.graph.language.values import Kind
from editor.model.graph.geometry import Rect
from editor.model.graph.layout import Comment, read_layout, with_layout
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
    WIRED,
    links,
)  # fmt: skip


def kinds(sheet):
    return sorted(n.kind for n in sheet.nodes)


def folded(editor, *nodes, name=""):
    editor.canvas.select(nodes)
    id = editor.functions.fold(name)
    made = editor.session.document.project.get(Graph, id)
    linking = next(n for n in editor.canvas.sheet.nodes if n.kind == "linked_graph")
    return made, linking


def inner_links(graph):
    """Wires by the kinds of nodes at their ends."""
    kind = {n.id: n.kind for n in graph.root.nodes}
    return sorted((kind[x.source], kind[x.target], x.pin) for x in graph.root.links)


# ---------------------------------------------------------------- folding
def test_a_blend_with_what_feeds_it_becomes_a_graph_of_its_own(editor):
    made, linking = folded(editor, CLIP_A, CLIP_B, BLEND)
    assert editor.session.history.labels[-1] == "Fold to function" and len(editor.session.history.labels) == 1
    assert made.name == linking.name == "function" and linking.parameters["graph"] == made.id
    assert made.rig == editor.canvas.graph.rig and made.slots == editor.canvas.graph.slots
    assert kinds(made.root) == ["blend", "clip", "clip", "output"] and made.root.name == "pose"
    assert inner_links(made) == [("blend", "output", "pose"), ("clip", "blend", "a"), ("clip", "blend", "b")]
    assert kinds(editor.canvas.sheet) == ["linked_graph", "machine", "output"]
    assert links(editor) == {(linking.id, OUTPUT, "pose")} and editor.canvas.state.selection == {linking.id}
    # it stands in the middle of those that went, and they stand where they stood
    assert editor.canvas.committed.places[linking.id] == (80.0, 64.0)
    layout = read_layout(made)
    assert [layout.places[n] for n in (CLIP_A, CLIP_B, BLEND)] == [(0.0, 0.0), (0.0, 160.0), (256.0, 32.0)]
    output = next(n.id for n in made.root.nodes if n.kind == "output")
    assert layout.places[output] == (256.0 + 176.0 + 64.0, 32.0)
    assert not {CLIP_A, CLIP_B, BLEND} & set(editor.canvas.layout.places)
    # a variable that they speak of is filled from here
    assert [(v.name, v.role) for v in made.variables] == [("speed", Role.INPUT)]
    assert linking.literals == {"speed": "speed"}
    editor.session.undo()
    assert links(editor) == WIRED and made.id not in editor.session.document.project.assets


def test_wires_that_come_in_become_pose_inputs_and_variables(editor):
    got = editor.nodes.add(NewNode("get", {"variable": "crouch"}), (-300.0, 600.0))
    choose = editor.nodes.add(NewNode("blend_by_bool"), (300.0, 600.0))
    out = editor.canvas.committed.nodes[got].outputs[0].name
    editor.wires.connect(PinPlace(got, out, True), PinPlace(choose, "value"))
    poses = [p.name for p in editor.canvas.committed.nodes[choose].inputs if p.token == "pose"]
    for source, pin in zip((BLEND, MACHINE), poses, strict=False):
        editor.wires.connect(PinPlace(source, "out", True), PinPlace(choose, pin))
    editor.wires.connect(PinPlace(choose, "out", True), PinPlace(OUTPUT, "pose"))
    before = len(editor.session.history.labels)
    made, linking = folded(editor, choose, OUTPUT, name="chooser")
    assert len(editor.session.history.labels) == before + 1 and made.name == linking.name == "chooser"
    assert kinds(made.root) == ["blend_by_bool", "get", "output", "pose_input", "pose_input"]
    assert {n.parameters["input"] for n in made.root.nodes if n.kind == "pose_input"} == set(poses)
    (variable,) = made.variables
    assert (variable.name, variable.kind, variable.minimum, variable.maximum) == (
        "value",
        Kind.BOOL,
        0.0,
        1.0,
    )
    assert inner_links(made) == sorted([
        ("blend_by_bool", "output", "pose"), ("get", "blend_by_bool", "value"),
        *(("pose_input", "blend_by_bool", pin) for pin in poses),
    ])  # fmt: skip
    assert {
        (BLEND, linking.id, poses[0]),
        (MACHINE, linking.id, poses[1]),
        (got, linking.id, "value"),
    } <= links(editor)
    assert (linking.id, OUTPUT, "pose") in links(editor)
    layout = read_layout(made)
    x, y = layout.places[choose]
    entries = [n.id for n in made.root.nodes if n.kind in ("get", "pose_input")]
    assert {layout.places[n] for n in entries} == {(x - 192.0, y)}


def test_triggers_stay_triggers_and_are_not_filled(editor):
    graph = editor.canvas.graph
    trigger = Variable("go", Kind.BOOL, minimum=0.0, maximum=1.0, role=Role.TRIGGER)
    editor.canvas.commit("Trigger", replace(graph, variables=(*graph.variables, trigger)))
    editor.nodes.set_literal(BLEND, "alpha", "if(go, speed, 0)")
    made, linking = folded(editor, BLEND)
    assert {v.name: v.role for v in made.variables} == {"speed": Role.INPUT, "go": Role.TRIGGER}
    assert linking.literals == {"speed": "speed"}


def test_two_foldings_have_two_names(editor):
    made, _ = folded(editor, CLIP_A)
    editor.canvas.select([CLIP_B])
    id = editor.functions.fold()
    other = editor.session.document.project.get(Graph, id)
    assert made.name == "function" != other.name


def test_what_cannot_be_folded_is_told(editor):
    for chosen, why in (
        ([], "Select the nodes to fold"), ([OUTPUT], "Select the nodes to fold"),
        ([CLIP_A, CLIP_B], "exactly one pose leads out"), ([MACHINE], "exactly one pose leads out"),
    ):  # fmt: skip
        editor.canvas.select(chosen)
        with pytest.raises(ValidationError, match=why):
            editor.functions.fold()
    got = editor.nodes.add(NewNode("get", {"variable": "speed"}), (0.0, 600.0))
    out = editor.canvas.committed.nodes[got].outputs[0].name
    editor.wires.connect(PinPlace(got, out, True), PinPlace(BLEND, "alpha"))
    editor.canvas.select([got])
    with pytest.raises(ValidationError, match="exactly one pose leads out"):
        editor.functions.fold()
    editor.canvas.open(GRAPH, STATES)
    editor.canvas.select([IDLE])
    with pytest.raises(ValidationError, match="states stay in their machine"):
        editor.functions.fold()


# ---------------------------------------------------------------- unfolding
def test_unfolding_puts_the_nodes_back_with_their_wires(editor):
    made, linking = folded(editor, CLIP_B, BLEND)
    assert (CLIP_A, linking.id, "a") in links(editor)
    ids = editor.functions.unfold(linking.id)
    assert editor.session.history.labels[-1] == "Unfold" and set(ids) == editor.canvas.state.selection
    by_kind = {n.kind: n.id for n in editor.canvas.sheet.nodes if n.id in ids}
    assert set(by_kind) == {"clip", "blend"} and made.id in editor.session.document.project.assets
    assert links(editor) == {
        (CLIP_A, by_kind["blend"], "a"), (by_kind["clip"], by_kind["blend"], "b"), (by_kind["blend"], OUTPUT, "pose"),
    }  # fmt: skip
    blend = next(n for n in editor.canvas.sheet.nodes if n.id == by_kind["blend"])
    assert blend.literals == {"alpha": "speed"}
    # its upper left corner is where the linking node was; the distances are those of before
    clip, blend_place = (editor.canvas.committed.places[by_kind[k]] for k in ("clip", "blend"))
    assert (blend_place[0] - clip[0], blend_place[1] - clip[1]) == (256.0, -128.0)
    assert (clip[0], blend_place[1]) == (128.0, 96.0)
    assert linking.id not in editor.canvas.layout.places


def test_what_was_typed_into_the_linking_node_is_typed_into_what_asked_for_it(editor):
    got = editor.nodes.add(NewNode("get", {"variable": "speed"}), (-300.0, 600.0))
    out = editor.canvas.committed.nodes[got].outputs[0].name
    editor.wires.connect(PinPlace(got, out, True), PinPlace(BLEND, "alpha"))
    made, linking = folded(editor, got, BLEND)
    assert linking.literals == {"speed": "speed"}
    editor.nodes.set_literal(linking.id, "speed", "0.25")
    ids = editor.functions.unfold(linking.id)
    nodes = {n.kind: n for n in editor.canvas.sheet.nodes if n.id in ids}
    assert set(nodes) == {"blend"} and nodes["blend"].literals["alpha"] == "0.25"
    assert {v.name for v in editor.canvas.graph.variables} == {"speed", "crouch"} and made.root is not None


def test_variables_and_slots_that_are_lacking_come_along(editor):
    made, linking = folded(editor, CLIP_B, BLEND)
    extra = replace(
        made, variables=(*made.variables, Variable("lean")), slots=("DefaultGroup.Arms", "DefaultGroup.Legs"),
        enums={"gait": ("walk", "run")},
    )  # fmt: skip
    editor.session.edits.put("extra", extra)
    editor.functions.unfold(linking.id)
    graph = editor.canvas.graph
    assert [v.name for v in graph.variables] == ["speed", "crouch", "lean"]
    assert graph.slots == ("DefaultGroup.Arms", "DefaultGroup.Legs") and dict(graph.enums) == {
        "gait": ("walk", "run")
    }


def test_what_cannot_be_unfolded_is_told(editor):
    with pytest.raises(ValidationError, match="Select a linked graph"):
        editor.functions.unfold(BLEND)
    made, linking = folded(editor, BLEND)
    update = replace(made.root, id="n-0000aaaa", kind=SheetKind.UPDATE, nodes=(), links=())
    editor.session.edits.put("update", replace(made, sheets=(*made.sheets, update)))
    with pytest.raises(ValidationError, match="update sheet"):
        editor.functions.unfold(linking.id)


def test_states_of_a_machine_stand_where_they_stood_after_fold_and_unfold(editor):
    editor.canvas.open(GRAPH, STATES)
    editor.nodes.move({IDLE: (48.0, -320.0)})
    editor.canvas.open(GRAPH, editor.canvas.graph.sheets[0].id)
    editor.wires.connect(PinPlace(MACHINE, "out", True), PinPlace(OUTPUT, "pose"))
    _, linking = folded(editor, MACHINE)
    (machine,) = editor.functions.unfold(linking.id)
    sheet = edits.node_in(editor.canvas.graph, machine).parameters["sheet"]
    editor.canvas.enter(sheet)
    states = {n.name: editor.canvas.layout.places[n.id] for n in editor.canvas.sheet.nodes}
    assert states == {"idle": (48.0, -320.0), "walking": (320.0, 0.0)}


# ---------------------------------------------------------------- what the canvas alone knows
def drawn(editor, change):
    """The open graph with another layout."""
    editor.canvas.commit(
        "Layout", editor.canvas.graph, change(editor.canvas.layout.moved(editor.canvas.committed.places))
    )


def test_hidden_pins_knots_and_comments_go_into_the_function(editor):
    note = Comment("c-1", POSES, "taken", Rect(-16.0, -64.0, 400.0, 300.0), 3)
    frame = Comment("c-2", POSES, "left", Rect(0.0, 0.0, 0.0, 0.0))
    inner = Comment("c-3", STATES, "of states", Rect(5.0, 6.0, 70.0, 80.0))
    out, both = {(OUTPUT, "pose"): ((500.0, 3.0),)}, ((101.0, 9.0), (102.0, 10.0))
    knots = {(BLEND, "a"): ((100.0, 8.0),), (BLEND, "b"): both, **out}
    hides = frozenset({BLEND, OUTPUT, IDLE})
    drawn(editor, lambda layout: replace(layout, comments=(note, frame, inner), knots=knots, folded=hides))
    editor.canvas.select([CLIP_B, BLEND, "c-1"])
    id = editor.functions.fold()
    made = editor.session.document.project.get(Graph, id)
    linking = next(n for n in editor.canvas.sheet.nodes if n.kind == "linked_graph")
    found, left = read_layout(made), editor.canvas.layout
    # what lies between those that went, and the comment that was chosen with them
    assert found.comments == (replace(note, sheet=made.root.id),) and found.folded == {BLEND}
    assert found.knots == {(BLEND, "b"): both}
    # the wire that comes in and the one that leads out go where they went
    assert left.knots == {(linking.id, "a"): ((100.0, 8.0),), **out}
    assert left.comments == (frame, inner) and left.folded == {OUTPUT, IDLE}
    assert not {CLIP_B, BLEND} & set(left.places)
    # and back again, where the linking node stands
    before = editor.canvas.committed.places[linking.id]
    nodes = {n.kind: n.id for n in editor.canvas.sheet.nodes}
    editor.functions.unfold(linking.id)
    nodes = {n.kind: n.id for n in editor.canvas.sheet.nodes if n.id in editor.canvas.state.selection}
    back = editor.canvas.layout
    way = (
        back.places[nodes["clip"]][0] - found.places[CLIP_B][0],
        back.places[nodes["clip"]][1] - found.places[CLIP_B][1],
    )
    assert before == (back.places[nodes["clip"]][0], back.places[nodes["blend"]][1]) and way != (0.0, 0.0)
    (fresh,) = [c for c in back.comments if c.id not in ("c-2", "c-3")]
    assert fresh == replace(note, id=fresh.id, rect=note.rect.moved(*way)) and fresh.sheet == POSES
    assert back.folded == {OUTPUT, IDLE, nodes["blend"]}
    assert back.knots == {
        (nodes["blend"], "a"): ((100.0, 8.0),),
        (nodes["blend"], "b"): ((101.0 + way[0], 9.0 + way[1]), (102.0 + way[0], 10.0 + way[1])),
        **out,
    }


def test_a_wire_that_came_in_goes_both_ways_after_another(editor):
    made, linking = folded(editor, BLEND)
    inside = read_layout(made).with_knots(BLEND, "a", [(7.0, 9.0)]).with_knots("nobody", "a", [(1.0, 1.0)])
    editor.session.edits.put("inside", with_layout(made, inside))
    drawn(editor, lambda layout: layout.with_knots(linking.id, "a", [(1.0, 2.0), (3.0, 4.0)]))
    at = editor.canvas.committed.places[linking.id]
    (blend,) = editor.functions.unfold(linking.id)
    way = (at[0] - inside.places[BLEND][0], at[1] - inside.places[BLEND][1])
    assert editor.canvas.layout.knots == {
        (blend, "a"): ((1.0, 2.0), (3.0, 4.0), (7.0 + way[0], 9.0 + way[1]))
    }


def test_what_is_on_the_sheets_of_a_machine_comes_along_both_ways(editor):
    editor.wires.connect(PinPlace(MACHINE, "out", True), PinPlace(OUTPUT, "pose"))
    inner = Comment("c-3", STATES, "of states", Rect(5.0, 6.0, 70.0, 80.0), 2)
    drawn(editor, lambda layout: replace(layout.with_comment(inner), folded=frozenset({IDLE})))
    made, linking = folded(editor, MACHINE)
    found = read_layout(made)
    assert found.comments == (inner,) and found.folded == {IDLE} and editor.canvas.layout.comments == ()
    assert editor.canvas.layout.folded == frozenset() and IDLE not in editor.canvas.layout.places
    (machine,) = editor.functions.unfold(linking.id)
    sheet = edits.node_in(editor.canvas.graph, machine).parameters["sheet"]
    idle = next(n for n in editor.canvas.graph.sheet(sheet).nodes if n.name == "idle")
    (comment,) = editor.canvas.layout.comments
    assert replace(comment, id="c-3", sheet=STATES) == inner and comment.sheet == sheet
    assert editor.canvas.layout.folded == {idle.id}


def test_the_way_to_a_value_that_is_typed_is_gone(editor):
    got = editor.nodes.add(NewNode("get", {"variable": "speed"}), (-300.0, 600.0))
    out = editor.canvas.committed.nodes[got].outputs[0].name
    editor.wires.connect(PinPlace(got, out, True), PinPlace(BLEND, "alpha"))
    drawn(editor, lambda layout: layout.with_knots(BLEND, "alpha", [(7.0, 9.0)]))
    made, linking = folded(editor, got, BLEND)
    assert read_layout(made).knots == {(BLEND, "alpha"): ((7.0, 9.0),)}
    editor.nodes.set_literal(linking.id, "speed", "0.25")
    editor.functions.unfold(linking.id)
    assert editor.canvas.layout.knots == {}
