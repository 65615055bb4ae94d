"""Pieces of graphs on the clipboard: what they carry, where they come down, what is lacking, damaged text."""

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.errors import ValidationError
from core.graph.graph import Node, Variable
from core.graph.language.values import Kind
from core.project.project import Project
from editor.model.graph import text as module
from editor.model.graph.editor import GraphEditor
from editor.model.graph.geometry import Rect
from editor.model.graph.layout import Comment, Layout
from editor.model.graph.nodes import NewNode
from editor.model.graph.state import PinPlace
from editor.model.graph.text import Missing, read_piece
from tests.editor.model.graph.many_assets import OTHER_GRAPH, SPACE, many_session
from tests.editor.panels.graph.graphs import (
    BLEND,
    CLIP_A,
    CLIP_B,
    GO,
    IDLE,
    MACHINE,
    OUTPUT,
    POSES,
    STATES,
    WALKING,
    links,
)
from tests.editor.stage import WALK


@pytest.fixture
def editor() -> Iterator[GraphEditor]:
    session = many_session()
    made = session.feature(GraphEditor)
    made.session = session
    yield made
    session.close()


def copied(editor: GraphEditor, *items: str) -> dict:
    """The text on the clipboard after the items were copied, read."""
    editor.canvas.select(items)
    editor.text.copy()
    return json.loads(editor.clipboard.text)


def put(editor: GraphEditor, **changes: object) -> None:
    """Change what the text on the clipboard says."""
    editor.clipboard.text = json.dumps({**json.loads(editor.clipboard.text), **changes}, indent=1)


def node(editor: GraphEditor, id: str) -> Node:
    return next(n for n in editor.canvas.sheet.nodes if n.id == id)


def note(editor: GraphEditor, id: str, *rect: float, color: int = 0) -> None:
    layout = editor.canvas.layout.with_comment(Comment(id, POSES, f"about {id}", Rect(*rect), color))
    editor.canvas.commit("Note", editor.canvas.graph, layout)


# ---------------------------------------------------------------- out
def test_nodes_are_copied_with_their_wires_and_places_but_never_the_output(editor):
    editor.canvas.select([CLIP_A, BLEND, OUTPUT])
    assert editor.text.copy() == 2
    data = json.loads(editor.clipboard.text)
    assert (data["posewright"], data["version"]) == ("graph nodes", 1)
    piece = read_piece(editor.clipboard.text)
    assert [n.id for n in piece.fragment.sheet.nodes] == [CLIP_A, BLEND]
    assert [(x.source, x.target) for x in piece.fragment.sheet.links] == [(CLIP_A, BLEND)]
    assert piece.layout == Layout({CLIP_A: (0.0, 0.0), BLEND: (256.0, 32.0)})


def test_the_text_is_for_people_too(editor):
    editor.renames.rename_node(CLIP_A, "Läufer")
    copied(editor, CLIP_A)
    lines = editor.clipboard.text.splitlines()
    assert lines[:2] == ["{", ' "posewright": "graph nodes",'] and "Läufer" in editor.clipboard.text


def test_a_machine_is_copied_with_its_sheets_and_their_places(editor):
    data = copied(editor, MACHINE)
    assert [s["name"] for s in data["sheets"]] == ["moves", "idle", "walking"]
    assert data["places"] == {MACHINE: [0.0, 320.0], IDLE: [0.0, 0.0], WALKING: [320.0, 0.0]}
    assert data["assets"] == {"clip-turn": "turn", WALK: "walk"}


def test_only_what_the_nodes_speak_of_comes_along(editor):
    graph = editor.canvas.graph
    variables = (*graph.variables, Variable("gait", Kind.ENUM, maximum=1.0, minimum=0.0, enum="gaits"))
    enums = {"gaits": ("trot", "pace"), "moods": ("glad", "sad"), "stances": ("low", "high")}
    slots = ("DefaultGroup.Arms", "DefaultGroup.Legs")
    editor.canvas.commit("More", replace(graph, variables=variables, enums=enums, slots=slots))
    editor.nodes.set_literal(BLEND, "alpha", "if(gait == 'trot', 1, 0)")
    slot = editor.nodes.add(NewNode("slot", {"slot": "DefaultGroup.Legs"}), (0.0, 600.0))
    choose = editor.nodes.add(NewNode("blend_by_enum", {"enum": "moods"}), (0.0, 800.0))
    get = editor.nodes.add(NewNode("get", {"variable": "crouch"}), (0.0, 900.0))
    data = copied(editor, BLEND)
    assert [v["name"] for v in data["variables"]] == ["gait"] and data["enums"] == {"gaits": ["trot", "pace"]}
    assert data["slots"] == [] and data["assets"] == {}
    data = copied(editor, slot, choose, get)
    assert [v["name"] for v in data["variables"]] == ["crouch"] and data["slots"] == ["DefaultGroup.Legs"]
    assert data["enums"] == {"moods": ["glad", "sad"]}
    data = copied(editor, MACHINE)
    assert [v["name"] for v in data["variables"]] == ["speed"]  # its rules speak of it
    editor.canvas.enter(STATES)
    editor.machines.set_rule(GO, "")
    editor.machines.set_blend([GO], seconds="crouch * 2")
    assert [v["name"] for v in copied(editor, IDLE, WALKING)["variables"]] == ["speed", "crouch"]


def test_comments_are_copied_by_themselves_too(editor):
    note(editor, "c-9", 10.0, 20.0, 100.0, 50.0, color=3)
    editor.canvas.select(["c-9"])
    assert editor.text.copy() == 0
    data = json.loads(editor.clipboard.text)
    assert data["comments"] == [
        {"id": "c-9", "sheet": POSES, "text": "about c-9", "color": 3, "rect": [10.0, 20.0, 100.0, 50.0]}
    ]
    assert editor.text.paste((60.0, 45.0)) == []
    (made,) = editor.canvas.state.selection
    assert made != "c-9"
    found = next(c for c in editor.canvas.layout.comments if c.id == made)
    assert (found.text, found.color, found.sheet) == ("about c-9", 3, POSES)
    assert found.rect == Rect(10.0, 20.0, 100.0, 50.0)  # its middle is where it was


@pytest.mark.parametrize("chosen", [(), (OUTPUT,), ("n-gone",)])
def test_with_nothing_to_copy_the_clipboard_stays(editor, chosen):
    editor.clipboard.text = "before"
    editor.canvas.select(chosen)
    for do, why in ((editor.text.copy, "Select nodes to copy first"), (editor.text.cut, "Select nodes to copy"),
                    (editor.text.duplicate, "Select nodes to duplicate first")):  # fmt: skip
        with pytest.raises(ValidationError, match=why):
            do()
    assert editor.clipboard.text == "before" and editor.session.history.labels == ()


def test_what_is_cut_leaves_its_wires_joined(editor):
    editor.canvas.select([BLEND])
    assert editor.text.cut() == 1 and editor.session.history.labels == ("Delete",)
    assert links(editor) == {(CLIP_A, OUTPUT, "pose")} and editor.text.can_paste
    (made,) = editor.text.paste((0.0, 0.0))
    assert node(editor, made).kind == "blend" and node(editor, made).literals == {"alpha": "speed"}


# ---------------------------------------------------------------- in
def test_the_middle_of_what_is_pasted_is_at_the_place_on_the_grid(editor):
    copied(editor, CLIP_A, BLEND)
    # nodes count 176 by 64: from 0, 0 to 432, 96
    made = editor.text.paste((1000.0, 500.0))
    assert editor.session.history.labels == ("Paste",) and editor.canvas.state.selection == set(made)
    places = {node(editor, id).kind: editor.canvas.committed.places[id] for id in made}
    assert places == {"clip": (784.0, 448.0), "blend": (1040.0, 480.0)}  # 784 and 452 on the grid
    editor.session.undo()
    assert not set(made) & {n.id for n in editor.canvas.sheet.nodes}


def test_nodes_without_a_place_come_down_at_the_place(editor):
    copied(editor, CLIP_A)
    put(editor, places={})
    (made,) = editor.text.paste((88.0, 32.0))
    assert editor.canvas.committed.places[made] == (0.0, 0.0)


@pytest.mark.parametrize("by, step", [(8.2, 16.0), (7.8, 0.0)])
def test_a_node_counts_as_176_by_64(editor, by, step):
    copied(editor, CLIP_A)
    (made,) = editor.text.paste((88.0 + by, 32.0 + by))
    assert editor.canvas.committed.places[made] == (step, step)


def test_a_comment_counts_with_its_own_size(editor):
    note(editor, "c-1", -160.0, -320.0, 800.0, 960.0)
    copied(editor, CLIP_A, "c-1")
    (made,) = editor.text.paste((0.0, 0.0))
    # the comment's middle, 240, 160, goes to 0, 0
    assert editor.canvas.committed.places[made] == (-240.0, -160.0)
    fresh = next(c for c in editor.canvas.layout.comments if c.id != "c-1")
    assert fresh.rect == Rect(-400.0, -480.0, 800.0, 960.0)
    assert editor.canvas.state.selection == {made, fresh.id}


def test_inner_nodes_keep_their_places_and_names_that_are_taken_get_a_number(editor):
    copied(editor, MACHINE)
    (made,) = editor.text.paste((0.0, 0.0))
    assert node(editor, made).name == "moves 2"
    editor.canvas.enter(node(editor, made).parameters["sheet"])
    places = {n.name: editor.canvas.committed.places[n.id] for n in editor.canvas.sheet.nodes}
    assert places == {"idle": (0.0, 0.0), "walking": (320.0, 0.0)}
    copied(editor, *(n.id for n in editor.canvas.sheet.nodes))
    twice = editor.text.paste((0.0, 600.0))
    assert [node(editor, id).name for id in twice] == ["idle 2", "walking 2"]
    again = editor.text.paste((0.0, 900.0))
    assert [node(editor, id).name for id in again] == ["idle 3", "walking 3"]


def test_nodes_that_do_not_go_on_the_open_sheet_are_refused(editor):
    copied(editor, CLIP_A)
    editor.nodes.set_parameter([CLIP_B], "clip", WALK)
    editor.canvas.enter(STATES)
    with pytest.raises(ValidationError, match="“Clip” does not go on this sheet: open a pose sheet first"):
        editor.text.paste((0.0, 0.0))
    copied(editor, IDLE)
    editor.canvas.enter(POSES)
    with pytest.raises(ValidationError, match="“idle” does not go on this sheet: open a machine sheet"):
        editor.text.paste((0.0, 0.0))


def test_a_duplicate_stands_beside_and_keeps_the_values_that_feed_it_but_no_pose(editor):
    get = editor.nodes.add(NewNode("get", {"variable": "speed"}), (-300.0, 600.0))
    editor.wires.connect(PinPlace(get, "out", True), PinPlace(BLEND, "alpha"))
    editor.wires.connect(PinPlace(get, "out", True), PinPlace(CLIP_A, "rate"))
    editor.canvas.select([BLEND, CLIP_A])
    before = links(editor)
    made = editor.text.duplicate()
    assert editor.session.history.labels[-1] == "Duplicate" and editor.canvas.state.selection == set(made)
    twin = {node(editor, id).kind: id for id in made}
    assert links(editor) - before == {
        (get, twin["blend"], "alpha"), (get, twin["clip"], "rate"), (twin["clip"], twin["blend"], "a"),
    }  # fmt: skip
    places = editor.canvas.committed.places
    assert (places[twin["clip"]], places[twin["blend"]]) == ((32.0, 32.0), (288.0, 64.0))
    editor.canvas.select([CLIP_A])
    (third,) = editor.text.duplicate((0.0, -160.0))
    assert editor.canvas.committed.places[third] == (0.0, -160.0)


def test_pasted_nodes_keep_no_wire_to_what_was_not_copied(editor):
    get = editor.nodes.add(NewNode("get", {"variable": "speed"}), (-300.0, 600.0))
    editor.wires.connect(PinPlace(get, "out", True), PinPlace(BLEND, "alpha"))
    before = links(editor)
    copied(editor, BLEND)
    editor.text.paste((0.0, 0.0))
    assert links(editor) == before


# ---------------------------------------------------------------- what is lacking
def lacking(editor: GraphEditor) -> Missing:
    return editor.text.missing(editor.text.read())


def test_what_the_graph_and_the_project_lack_is_told_in_words(editor):
    slot = editor.nodes.add(NewNode("slot", {"slot": "DefaultGroup.Arms"}), (0.0, 600.0))
    copied(editor, BLEND, CLIP_A, slot)
    assert not lacking(editor) and lacking(editor).words() == ""
    graph = editor.canvas.graph
    editor.canvas.commit("Less", replace(graph, variables=graph.variables[1:], slots=("A.b",)))
    put(editor, assets={"clip-far": "far", WALK: "walk"})
    missing = lacking(editor)
    assert [v.name for v in missing.variables] == ["speed"]
    assert (missing.slots, missing.assets) == (("DefaultGroup.Arms",), ("far",))
    assert missing.words() == "variables: speed; slots: DefaultGroup.Arms; assets: far"
    assert bool(Missing(slots=("a",))) and bool(Missing(assets=("a",))) and not Missing()
    assert Missing(slots=("a.b", "c.d"), assets=("e", "f")).words() == "slots: a.b, c.d; assets: e, f"


@pytest.mark.parametrize("make", [False, True])
def test_missing_variables_slots_and_enums_are_made_where_wanted(editor, make):
    slot = editor.nodes.add(NewNode("slot", {"slot": "DefaultGroup.Arms"}), (0.0, 600.0))
    copied(editor, BLEND, slot)
    put(editor, enums={"gait": ["trot"], "mood": ["glad"]})
    graph = editor.canvas.graph
    less = replace(graph, variables=graph.variables[1:], slots=("A.b",), enums={"mood": ("sad",)})
    editor.canvas.commit("Less", less)
    editor.text.paste((0.0, 0.0), make=make)
    after = editor.canvas.graph
    assert [v.name for v in after.variables] == (["crouch", "speed"] if make else ["crouch"])
    assert after.slots == (("A.b", "DefaultGroup.Arms") if make else ("A.b",))
    assert after.enums == ({"gait": ("trot",), "mood": ("sad",)} if make else {"mood": ("sad",)})
    assert editor.session.history.labels[-1] == "Paste"


@pytest.mark.parametrize("id, name, found", [
    (WALK, "whatever", WALK), ("clip-0000", "walk", WALK), ("clip-0000", "turn", "clip-turn"),
    ("clip-0000", "run", None), ("space-0000", "walk", None), ("clip-0000", "odd", None), ("clip-0000", "", None),
])  # fmt: skip
def test_an_asset_is_the_same_or_one_of_its_name_kind_and_character(editor, id, name, found):
    copied(editor, CLIP_A)
    nodes = json.loads(editor.clipboard.text)["nodes"]
    nodes["nodes"][0]["parameters"]["clip"] = id
    put(editor, nodes=nodes, assets={id: name} if name else {})
    (made,) = editor.text.paste((0.0, 0.0))
    assert node(editor, made).parameters.get("clip") == found


def test_a_node_without_an_asset_and_a_linked_graph_are_pasted_as_they_are(editor):
    bare = editor.nodes.add(NewNode("clip", {"loop": False}), (0.0, 600.0))
    link = editor.nodes.add(NewNode("linked_graph", {"graph": OTHER_GRAPH}), (0.0, 700.0))
    space = editor.nodes.add(NewNode("blend_space", {"space": SPACE}), (0.0, 800.0))
    data = copied(editor, bare, link, space)
    assert data["assets"] == {OTHER_GRAPH: "other", SPACE: "paces"}
    made = [node(editor, id) for id in editor.text.paste((0.0, 0.0))]
    assert [n.parameters for n in made] == [{"loop": False}, {"graph": OTHER_GRAPH}, {"space": SPACE}]


# ---------------------------------------------------------------- text that is no piece
@pytest.mark.parametrize("text", ["", "words", "[1]", "3", '{"posewright": "pose"}', "{" * 9, "[" * 100_000])
def test_text_that_is_no_piece_is_refused(editor, text):
    editor.clipboard.text = text
    assert not editor.text.can_paste
    with pytest.raises(ValidationError, match="The clipboard holds no nodes: copy some first"):
        editor.text.paste((0.0, 0.0))


def test_too_long_a_text_is_not_read_at_all(editor, monkeypatch):
    copied(editor, CLIP_A)
    text = editor.clipboard.text
    monkeypatch.setattr(module, "MAX_TEXT", len(text))
    assert read_piece(text).fragment.sheet.nodes
    with pytest.raises(ValidationError, match="too much text"):
        read_piece(text + " ")


@pytest.mark.parametrize("changes", [
    {"nodes": []}, {"nodes": {}}, {"sheets": {}}, {"places": {CLIP_A: [0.0]}}, {"places": {CLIP_A: "here"}},
    {"comments": [{"text": "x", "rect": [0, 0, 1]}]}, {"comments": [{"rect": [0, 0, 1, 1]}]},
    {"variables": [{"name": "a b"}]}, {"variables": ["speed"]}, {"enums": {"gait": 3}}, {"slots": 3}, {"assets": 3},
])  # fmt: skip
def test_a_damaged_piece_is_refused_with_what_is_wrong(editor, changes):
    copied(editor, CLIP_A)
    put(editor, **changes)
    assert editor.text.can_paste
    with pytest.raises(ValidationError, match=r"The nodes on the clipboard are damaged: \w"):
        editor.text.read()


def test_a_piece_of_nothing_is_refused(editor):
    copied(editor, CLIP_A)
    nodes = json.loads(editor.clipboard.text)["nodes"]
    put(editor, nodes={**nodes, "nodes": [], "links": []})
    with pytest.raises(ValidationError, match="holds no nodes"):
        editor.text.read()


def test_without_a_graph_nothing_is_pasted(editor):
    copied(editor, CLIP_A)
    editor.document.replace(Project({}), None)
    assert editor.text.can_paste
    with pytest.raises(ValidationError, match="no graph yet"):
        editor.text.paste((0.0, 0.0))


@pytest.mark.parametrize("known, fresh", [
    ((), "c-1"), (("c-1",), "c-2"), (("c-2",), "c-3"), (("x", "c-3"), "c-4"), (("c-5", "x"), "c-3"),
    (("c-2", "c-3", "c-4"), "c-5"),
])  # fmt: skip
def test_a_new_comment_has_an_id_of_its_own(known, fresh):
    comments = tuple(Comment(id, POSES, "", Rect(0.0, 0.0, 1.0, 1.0)) for id in known)
    assert Layout(comments=comments).free_comment_id() == fresh


def test_clips_of_no_project_are_carried_by_no_name(editor):
    editor.nodes.set_parameter([CLIP_A], "clip", None)
    assert copied(editor, CLIP_A)["assets"] == {}


# ---------------------------------------------------------------- what the canvas alone knows
def test_hidden_pins_knots_and_the_comments_of_inner_sheets_come_along(editor):
    inner = Comment("c-7", STATES, "of states", Rect(5.0, 6.0, 70.0, 80.0), 2)
    layout = editor.canvas.layout.moved(editor.canvas.committed.places).with_comment(inner)
    layout = layout.with_knots(BLEND, "a", [(100.0, 8.0)]).with_knots(BLEND, "b", [(99.0, 9.0)])
    layout = replace(layout, folded=frozenset({BLEND, OUTPUT, IDLE}))
    editor.canvas.commit("Layout", editor.canvas.graph, layout)
    copied(editor, CLIP_A, BLEND, MACHINE)  # not the clip that the other wire comes from
    piece = read_piece(editor.clipboard.text).layout
    assert piece.knots == {(BLEND, "a"): ((100.0, 8.0),)} and piece.folded == {BLEND, IDLE}
    ids = editor.text.paste((1000.0, 1000.0))
    nodes = {n.kind: n for n in editor.canvas.sheet.nodes if n.id in ids}
    found = editor.canvas.layout
    blend, sheet = nodes["blend"].id, nodes["machine"].parameters["sheet"]
    way = tuple(found.places[blend][k] - layout.places[BLEND][k] for k in (0, 1))
    assert found.knots == {**layout.knots, (blend, "a"): ((100.0 + way[0], 8.0 + way[1]),)}
    (fresh,) = [c for c in found.comments if c.id != "c-7"]
    assert fresh == replace(inner, id=fresh.id, sheet=sheet) and fresh.id not in editor.canvas.state.selection
    idle = next(n.id for n in editor.canvas.graph.sheet(sheet).nodes if n.name == "idle")
    assert found.folded == {BLEND, OUTPUT, IDLE, blend, idle}


@pytest.mark.parametrize("sheet", [{}, {"sheet": "n-gone"}, {"sheet": ""}])
def test_comments_of_a_text_that_names_no_sheet_of_its_own_lie_on_the_open_one(editor, sheet):
    note(editor, "c-9", 10.0, 20.0, 100.0, 50.0)
    copied(editor, "c-9")
    put(
        editor, comments=[{"text": "old", "rect": [0.0, 0.0, 160.0, 64.0], **sheet}], knots={"x": 3}, folded=7
    )
    editor.text.paste((80.0, 32.0))
    (fresh,) = [c for c in editor.canvas.layout.comments if c.id != "c-9"]
    assert (fresh.sheet, fresh.text, fresh.rect) == (POSES, "old", Rect(0.0, 0.0, 160.0, 64.0))
    assert editor.canvas.state.selection == {fresh.id}
