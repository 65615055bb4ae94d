"""Names that are renamed, found and replaced: what follows, what is left alone, and what may not be."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.errors import ValidationError
from core.graph.edits import node_in, transition_in
from core.graph.graph import LINKED as LINK
from core.graph.graph import Graph, Node
from editor.model.graph.editor import GraphEditor
from editor.model.graph.finding import Found
from editor.model.graph.geometry import Rect
from editor.model.graph.layout import Comment, read_layout, with_layout
from editor.model.graph.nodes import NewNode
from tests.editor.model.graph.many_assets import OTHER_GRAPH, SPACE, many_session
from tests.editor.panels.graph.graphs import (
    BACK,
    BLEND,
    CLIP_A,
    GO,
    GRAPH,
    IDLE,
    IDLE_SHEET,
    MACHINE,
    POSES,
    STATES,
    id_of,
)
from tests.editor.stage import WALK


@pytest.fixture
def editor() -> Iterator[GraphEditor]:
    session = many_session()
    made = session.feature(GraphEditor)
    made.session = session
    yield made
    session.close()


def graph(editor: GraphEditor) -> Graph:
    return editor.document.project.get(Graph, GRAPH)


def more(editor: GraphEditor, **changes: object) -> None:
    editor.session.edits.put("More", replace(graph(editor), **changes))


# ---------------------------------------------------------------- renaming
@pytest.mark.parametrize("new, why", [
    ("crouch", "has a variable crouch already"), ("2x", "letters, digits and _"), ("a-b", "letters, digits and _"),
    ("", "letters, digits and _"), ("ä", "letters, digits and _"), ("x ", None), ("_2", None), ("speed", None),
])  # fmt: skip
def test_a_variable_needs_a_word_of_its_own(editor, new, why):
    if why is None:
        assert editor.renames.rename_variable("speed", new) is (new != "speed")
        assert graph(editor).variables[0].name == new.strip()
        return
    with pytest.raises(ValidationError, match=why):
        editor.renames.rename_variable("speed", new)
    assert editor.session.history.labels == ()


def test_sheets_that_do_not_speak_of_a_variable_stay_the_same(editor):
    before = graph(editor)
    editor.renames.rename_variable("crouch", "low")
    after = graph(editor)
    assert all(a is b for a, b in zip(after.sheets, before.sheets, strict=True))
    editor.nodes.add_variable("low", (0.0, 600.0))
    before = graph(editor)
    editor.renames.rename_variable("low", "deep")
    after = graph(editor)
    assert after.sheets[0].nodes[-1].parameters == {"variable": "deep"}
    assert all(a is b for a, b in zip(after.sheets[1:], before.sheets[1:], strict=True))


def test_graphs_that_link_another_graph_are_left_alone(editor):
    other = editor.document.project.get(Graph, OTHER_GRAPH)
    editor.renames.rename_variable("speed", "pace")
    assert editor.document.project.get(Graph, OTHER_GRAPH) is other


def test_a_pin_of_a_linking_node_is_renamed_with_its_text_wire_and_knots(editor):
    other = editor.document.project.get(Graph, OTHER_GRAPH)
    root = other.root
    linking = Node(id_of(300), "linked_graph", {LINK: GRAPH}, {"speed": "1", "crouch": "true"})
    source = Node(id_of(301), "get", {"variable": "speed"})
    wires = [replace(root.links[0], source=source.id, target=end, pin=pin) for end, pin in (
        (linking.id, "speed"), (linking.id, "crouch"), (CLIP_A, "speed"),
    )]  # fmt: skip
    changed = other.with_sheet(
        replace(root, nodes=(*root.nodes, linking, source), links=(*root.links, *wires))
    )
    layout = read_layout(changed)
    for target, pin in ((linking.id, "speed"), (linking.id, "crouch"), (CLIP_A, "speed")):
        layout = layout.with_knots(target, pin, [(1.0, 2.0)])
    editor.session.edits.put("Link", with_layout(changed, layout))
    editor.renames.rename_variable("speed", "pace")
    found = editor.document.project.get(Graph, OTHER_GRAPH)
    assert node_in(found, linking.id).literals == {"pace": "1", "crouch": "true"}
    assert [(x.target, x.pin) for x in found.root.links[3:]] == [
        (linking.id, "pace"), (linking.id, "crouch"), (CLIP_A, "speed"),
    ]  # fmt: skip
    assert set(read_layout(found).knots) == {(linking.id, "pace"), (linking.id, "crouch"), (CLIP_A, "speed")}
    assert node_in(found, source.id).parameters == {"variable": "speed"}
    editor.session.undo()
    assert node_in(editor.document.project.get(Graph, OTHER_GRAPH), linking.id).literals["speed"] == "1"


@pytest.mark.parametrize("node, new, why", [
    (IDLE, "walking", "“walking” is the name of another one here"), (IDLE, " ", "A state needs a name"),
    (MACHINE, "", "A state needs a name"), (CLIP_A, "", None), (IDLE, "moves", None), (MACHINE, "idle", None),
    (BLEND, "moves", None),
])  # fmt: skip
def test_states_and_machines_need_a_name_of_their_own(editor, node, new, why):
    if why is not None:
        with pytest.raises(ValidationError, match=why):
            editor.renames.rename_node(node, new)
    else:
        assert editor.renames.rename_node(node, new) is bool(new)


def test_machines_of_all_sheets_have_different_names(editor):
    editor.canvas.enter(IDLE_SHEET)
    second = editor.add_named("machine", (0.0, 600.0))
    with pytest.raises(ValidationError, match="“moves” is the name of another one here"):
        editor.renames.rename_node(second, "moves")
    assert editor.renames.rename_node(second, "idle")


def test_the_sheet_that_a_node_opens_is_renamed_with_it_where_it_is_called_alike(editor):
    editor.renames.rename_node(IDLE, "rest")
    assert graph(editor).sheet(IDLE_SHEET).name == "rest"
    editor.renames.rename_sheet(IDLE_SHEET, "inside")
    editor.renames.rename_node(IDLE, "calm")
    assert graph(editor).sheet(IDLE_SHEET).name == "inside"
    editor.renames.rename_sheet(IDLE_SHEET, "")
    editor.renames.rename_node(IDLE, "still")
    assert graph(editor).sheet(IDLE_SHEET).name == "still"
    assert editor.session.history.labels[-1] == "Rename calm"
    editor.renames.rename_node(BLEND, "mix")
    assert editor.session.history.labels[-1] == "Rename blend"


def test_actions_and_any_states_follow_a_renamed_state_of_their_machine(editor):
    editor.canvas.enter(STATES)
    some = editor.nodes.add(NewNode("any", {"states": ("idle", "walking")}), (0.0, 600.0))
    every = editor.nodes.add(NewNode("any"), (0.0, 700.0))
    editor.add_update_sheet()
    acts = {
        (kind, machine): editor.nodes.add(NewNode(kind, {"machine": machine, "state": "idle"}), (0.0, 100.0))
        for kind in ("go", "travel") for machine in ("moves", "other")
    }  # fmt: skip
    editor.renames.rename_node(IDLE, "rest")
    after = graph(editor)
    assert node_in(after, some).parameters == {"states": ("rest", "walking")}
    assert node_in(after, every).parameters == {}
    assert {key: node_in(after, id).parameters["state"] for key, id in acts.items()} == {
        ("go", "moves"): "rest", ("travel", "moves"): "rest", ("go", "other"): "idle", ("travel", "other"): "idle",
    }  # fmt: skip


def test_what_speaks_of_a_machine_or_an_inertialiser_follows_it(editor):
    soft = editor.nodes.add(NewNode("inertialise", name="soft"), (0.0, 600.0))
    editor.add_update_sheet()
    go = editor.nodes.add(NewNode("go", {"machine": "moves", "state": "moves"}), (0.0, 100.0))
    ask = editor.nodes.add(NewNode("request_inertialise", {"target": "soft"}), (0.0, 200.0))
    other = editor.nodes.add(NewNode("request_inertialise", {"target": "moves"}), (0.0, 300.0))
    editor.renames.rename_node(MACHINE, "ways")
    editor.renames.rename_node(soft, "gentle")
    after = graph(editor)
    assert node_in(after, go).parameters == {"machine": "ways", "state": "moves"}
    assert [node_in(after, id).parameters["target"] for id in (ask, other)] == ["gentle", "moves"]


def test_transitions_by_the_time_of_a_player_follow_it_and_others_stay(editor):
    editor.renames.rename_node(CLIP_A, "stroll")
    editor.canvas.enter(STATES)
    editor.machines.change([GO], player="stroll")
    editor.machines.change([BACK], player="turn")
    editor.renames.rename_node(CLIP_A, "run")
    assert [transition_in(graph(editor), id).player for id in (GO, BACK)] == ["run", "turn"]
    editor.renames.rename_node(CLIP_A, "")
    assert transition_in(graph(editor), GO).player == "run"  # without a name nothing can follow


@pytest.mark.parametrize("new, why", [("", "Type a slot name"), (" DefaultGroup.Arms", "Type a slot name")])
def test_a_slot_needs_a_name_of_its_own(editor, new, why):
    with pytest.raises(ValidationError, match=why):
        editor.renames.rename_slot("DefaultGroup.Arms", new)


def test_a_slot_keeps_its_place_and_other_nodes_keep_theirs(editor):
    more(editor, slots=("A.a", "B.b", "C.c"))
    first, second = (editor.nodes.add(NewNode("slot", {"slot": s}), (0.0, 600.0)) for s in ("B.b", "C.c"))
    assert editor.renames.rename_slot("B.b", " X.x ") and graph(editor).slots == ("A.a", "X.x", "C.c")
    assert [node_in(graph(editor), id).parameters["slot"] for id in (first, second)] == ["X.x", "C.c"]


def test_a_graph_needs_a_name(editor):
    with pytest.raises(ValidationError, match="A graph needs a name"):
        editor.renames.rename_graph(" ")
    assert editor.renames.rename_graph(" mover ") and graph(editor).name == "mover"
    assert editor.session.history.labels == ("Rename graph",)


# ---------------------------------------------------------------- finding
def test_each_place_of_a_node_is_found_with_what_it_is(editor):
    space = editor.nodes.add(NewNode("blend_space", {"space": SPACE}, {"rate": "1.5"}, "gait"), (0.0, 600.0))
    some = editor.nodes.add(NewNode("layered", {"branches": ("head", "arm_l"), "mask": None}), (0.0, 700.0))
    gone = editor.nodes.add(NewNode("clip"), (0.0, 800.0))
    find = editor.finding.find
    assert [(f.item, f.title, f.where, f.text) for f in find("PACES")] == [(space, "gait", "Space", "paces")]
    assert [(f.where, f.text) for f in find("gait")] == [("name", "gait")]
    assert [(f.where, f.text) for f in find("Blend space")] == [("kind", "Blend space")]
    assert [(f.where, f.text) for f in find("1.5")] == [("Rate", "1.5")]
    assert [(f.item, f.where, f.text) for f in find("arm_l")] == [(some, "Branches", "head, arm_l")]
    assert find("none") == [] and find(STATES) == [] == editor.finding.uses(STATES)
    assert [(f.title, f.where) for f in find("clip") if f.item == gone] == [("Clip", "name")]
    assert [f.item for f in editor.finding.uses("walk")] == [CLIP_A, id_of(72)]


def test_places_of_transitions_and_comments_are_found(editor):
    layout = editor.canvas.layout.with_comment(
        Comment("c-1", STATES, "about swift", Rect(0.0, 0.0, 1.0, 1.0))
    )
    editor.canvas.commit("Note", editor.canvas.graph, layout)
    editor.machines.change([GO], player="swift", rule="swift > 1")
    editor.machines.set_blend([BACK], seconds="swift * 2")
    assert editor.finding.find("swift") == [
        Found(STATES, GO, "idle → walking", "rule", "swift > 1"),
        Found(STATES, GO, "idle → walking", "player", "swift"),
        Found(STATES, BACK, "walking → idle", "blend seconds", "swift * 2"),
        Found(STATES, "c-1", "Comment", "text", "about swift"),
    ]
    assert editor.finding.find("") == []


def test_what_is_replaced_is_counted_by_place_and_assets_stay(editor):
    editor.nodes.add(NewNode("clip", {"clip": WALK, "group": "clip-walk"}, {}, "clip-walk"), (0.0, 600.0))
    layout = editor.canvas.layout.with_comment(Comment("c-1", POSES, "clip-walk clip-walk", Rect(0, 0, 1, 1)))
    editor.canvas.commit("Note", editor.canvas.graph, layout)
    editor.machines.change([GO], player="clip-walk")
    steps = len(editor.session.history.labels)
    assert editor.finding.replace("clip-walk", "x") == 4
    assert editor.session.history.labels[steps:] == ("Replace",)
    node = graph(editor).sheets[0].nodes[-1]
    assert (node.parameters, node.name) == ({"clip": WALK, "group": "x"}, "x")
    assert transition_in(graph(editor), GO).player == "x" and editor.canvas.layout.comments[0].text == "x x"
    assert editor.finding.replace("nothing of the kind", "x") == 0
    assert editor.session.history.labels[steps:] == ("Replace",)
    with pytest.raises(ValidationError, match="Type what to look for first"):
        editor.finding.replace("", "x")
