"""Nodes as they are drawn: title and second line, what is missing, fields and pins by height, what a state plays."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from core.graph.graph import Graph, Link, Node, Sheet, SheetKind, Variable
from core.graph.language.values import Kind
from core.ids import AssetId
from core.project.project import Project
from editor.model.graph.builder import SceneBuilder
from editor.model.graph.layout import Layout
from editor.model.graph.naming import NAMES, Named, Tone, named, spelled
from editor.model.graph.scene import DETAIL, HEAD, NARROW, PAD, ROW, WIDTH, NodeView
from tests.editor.model.graph.many_assets import AIM, OTHER_GRAPH, POSE_SET, SPACE, many_project
from tests.editor.panels.graph.graphs import GRAPH, id_of
from tests.editor.stage import TURN, WALK

NODE, SHEET, FEED = id_of(500), id_of(501), id_of(502)
PROJECT = many_project()


def view(
    kind: str,
    parameters: Mapping[str, object] | None = None,
    literals: Mapping[str, str] | None = None,
    name: str = "",
    *,
    wired: tuple[str, ...] = (),
    folded: bool = False,
    sheets: tuple[Sheet, ...] = (),
    project: Project = PROJECT,
) -> NodeView:
    """The view of one node on a sheet of its own, with wires into some of its pins."""
    node = Node(NODE, kind, dict(parameters or {}), dict(literals or {}), name)
    feed = Node(FEED, "get", {"variable": "speed"})
    links = tuple(Link(FEED, NODE, pin) for pin in wired)
    sheet = Sheet(SHEET, "one", SheetKind.POSE, (node, feed), links)
    graph = replace(project.get(Graph, GRAPH), sheets=(sheet, *sheets))
    layout = Layout(folded=frozenset({NODE} if folded else ()))
    return SceneBuilder().scene(graph, project.with_assets(graph), sheet, layout).nodes[NODE]


# ---------------------------------------------------------------- words
WORDS = [
    ("clip", {"clip": WALK}, "", ("walk", "Clip", "")),
    ("clip", {"clip": WALK}, "stroll", ("stroll", "Clip · walk", "")),
    ("clip", {"clip": WALK}, "walk", ("walk", "Clip", "")),
    ("clip", {"clip": WALK}, "Clip", ("walk", "Clip", "")),
    ("clip", {}, "", ("Clip", "", "no clip is chosen")),
    ("clip", {}, "stroll", ("stroll", "Clip", "no clip is chosen")),
    ("clip", {"clip": "clip-gone"}, "", ("Clip", "", "its clip is gone")),
    ("blend_space", {"space": SPACE}, "", ("paces", "Blend space", "")),
    ("blend_space", {"space": "space-gone"}, "", ("Blend space", "", "its space is gone")),
    ("aim_offset", {"space": AIM}, "", ("looks", "Aim offset", "")),
    ("pose_asset", {"asset": POSE_SET}, "", ("face", "Pose asset", "")),
    ("linked_graph", {"graph": OTHER_GRAPH}, "", ("other", "Linked graph", "")),
    ("linked_graph", {}, "", ("Linked graph", "", "no graph is chosen")),
    ("linked_graph", {"graph": GRAPH}, "", ("Linked graph", "", "its graph is gone")),  # no graph links itself
    ("get", {"variable": "speed"}, "", ("speed", "", "")),
    ("get", {"variable": "speed"}, "pace", ("speed", "", "")),
    ("get", {"variable": "sped"}, "", ("sped", "", "the graph has no variable sped")),
    ("get", {}, "", ("Variable", "", "no variable is chosen")),
    ("slot", {"slot": "DefaultGroup.Arms"}, "", ("DefaultGroup.Arms", "Slot", "")),
    ("slot", {"slot": "DefaultGroup.Legs"}, "",
     ("DefaultGroup.Legs", "Slot", "the graph has no slot DefaultGroup.Legs")),
    ("slot", {}, "", ("Slot", "", "no slot is chosen")),
    ("transform_bone", {"bone": "head"}, "", ("head", "Transform bone", "")),
    ("transform_bone", {"bone": "tail"}, "", ("tail", "Transform bone", "Bone tail is not there")),
    ("chain_ik", {"setup": "left arm"}, "", ("left arm", "Chain IK", "")),
    ("chain_ik", {"setup": "tail"}, "", ("tail", "Chain IK", "Setup tail is not there")),
    ("modify_curve", {"curve": "anything"}, "", ("anything", "Modify curve", "")),
    ("pose_input", {}, "", ("Pose input", "", "")),
    ("pose_input", {"input": "source"}, "", ("source", "Pose input", "")),
    ("save_pose", {}, "", ("Save cached pose", "", "no name is chosen")),
    ("blend", {}, "", ("Blend", "", "")),
    ("blend", {}, "mix", ("mix", "Blend", "")),
    ("oddity", {}, "", ("oddity", "", "")),
]  # fmt: skip


@pytest.mark.parametrize("kind, parameters, name, words", WORDS)
def test_a_node_says_what_it_is_about_and_what_it_lacks(kind, parameters, name, words):
    found = view(kind, parameters, name=name)
    assert (found.title, found.detail, found.missing) == words


@pytest.mark.parametrize("literals, name, words", [
    ({"value": "speed * 2"}, "", ("speed * 2", "", "")), ({"value": "speed * 2"}, "pace", ("pace", "Expression", "")),
    ({}, "", ("0", "", "")), ({"value": ""}, "", ("Expression", "", "")),
])  # fmt: skip
def test_an_expression_is_called_by_its_name_or_its_text(literals, name, words):
    found = view("expression", {}, literals, name)
    assert (found.title, found.detail, found.missing) == words


def test_of_a_slot_that_is_not_in_the_graph_the_field_tells_it_too():
    found = view("slot", {"slot": "DefaultGroup.Legs"}).choice("slot")
    assert (found.missing, found.shown) == ("Slot DefaultGroup.Legs is not there", "DefaultGroup.Legs")


# ---------------------------------------------------------------- kinds of nodes
def test_every_kind_has_a_name_and_one_that_is_not_known_its_own():
    for kind, found in NAMES.items():
        assert named(kind) is found and found.title and found.group and found.words
        assert found.words == found.words.casefold()
    assert named("oddity") == Named("oddity", Tone.VALUE, "")
    assert spelled("when_irrelevant_now") == "When irrelevant now" and spelled("") == ""


@pytest.mark.parametrize("kind, narrow", [
    ("rest", True), ("get", True), ("pose_input", True), ("use_pose", True), ("snapshot", True), ("on_start", True),
    ("on_step", True), ("clip", False), ("blend", False), ("output", False), ("save_pose", False),
])  # fmt: skip
def test_kinds_with_little_to_say_are_narrow(kind, narrow):
    assert view(kind).w == (NARROW if narrow else WIDTH)


@pytest.mark.parametrize("kind, form, size", [
    ("conduit", "diamond", (112.0, 48.0)), ("any", "pill", (96.0, 32.0)), ("entry", "pill", (96.0, 32.0)),
    ("exit", "pill", (96.0, 32.0)), ("state", "state", (160.0, 48.0)),
])  # fmt: skip
def test_what_stands_on_machines_has_a_form_and_no_pins(kind, form, size):
    found = view(kind)
    assert (found.form, (found.w, found.h)) == (form, size)
    assert found.inputs == found.outputs == found.choices == ()
    assert found.tone == (Tone.VALUE if kind == "state" else NAMES[kind].tone)
    assert view("clip").form == "node"


def test_only_machines_and_states_open_a_sheet():
    inner = Sheet(id_of(510), "inner", SheetKind.POSE)
    assert view("machine", {"sheet": inner.id}, sheets=(inner,)).opens == inner.id
    assert view("state", {"sheet": inner.id}, sheets=(inner,)).opens == inner.id
    assert view("machine").opens == "" == view("clip", {"sheet": inner.id}).opens


# ---------------------------------------------------------------- what a state plays
INNER = id_of(520)


def playing(*nodes: Node, kind: SheetKind = SheetKind.POSE, links: tuple[Link, ...] = ()) -> tuple[str, Tone]:
    sheet = Sheet(INNER, "inner", kind, nodes, links)
    found = view("state", {"sheet": INNER}, sheets=(sheet,), name="run")
    assert found.title == "run"
    return found.detail, found.tone


def test_a_state_tells_what_it_plays():
    output, clip = Node(id_of(521), "output", name="Output"), Node(id_of(522), "clip", {"clip": WALK})
    wire = Link(clip.id, output.id, "pose")
    assert playing(output, clip, links=(wire,)) == ("Clip · walk", Tone.SOURCE)
    blend = Node(id_of(523), "blend")
    assert playing(output, blend, links=(replace(wire, source=blend.id),)) == ("Blend", Tone.BLEND)
    assert playing(output, clip) == ("rest pose", Tone.SOURCE) == playing(clip)
    assert playing(output, links=(wire,)) == ("", Tone.SOURCE)
    states = (Node(id_of(530), "state"), Node(id_of(531), "state"), Node(id_of(532), "any"))
    assert playing(*states, kind=SheetKind.MACHINE) == ("2 states", Tone.LOGIC)
    gone = view("state", {"sheet": "n-0000dead"}, name="run")
    assert (gone.detail, gone.tone) == ("nothing", Tone.VALUE)


# ---------------------------------------------------------------- pins and fields by height
def test_pins_stand_below_the_head_and_outputs_in_its_middle():
    plain, two = view("blend"), view("blend", name="mix")
    for found, top in ((plain, HEAD), (two, HEAD + DETAIL)):
        assert [(p.name, p.y) for p in found.inputs] == [
            (name, top + PAD + ROW * (k + 0.5)) for k, name in enumerate(("a", "b", "alpha"))
        ]
        assert not any(p.output for p in found.inputs)
        assert [(p.name, p.y, p.output, p.wired) for p in found.outputs] == [("out", top / 2, True, False)]
    assert (plain.h, two.h) == (112.0, 112.0)  # 26 + 6 + 60 + 6 and 40 + 6 + 60 + 6, up to the grid of 16
    assert (view("rest").h, view("clip", {"clip": WALK}).h) == (32.0, 112.0)
    assert view("use_pose", {"name": "kept"}).h == 48.0  # 40 + 6


def test_what_is_typed_into_a_pin_is_told_from_its_default_and_from_a_wire():
    def pins(found: NodeView) -> dict[str, tuple[str | None, bool, bool]]:
        return {p.name: (p.literal, p.typed, p.wired) for p in found.inputs}

    assert pins(view("blend", {}, {"alpha": "speed"})) == {
        "a": (None, False, False), "b": (None, False, False), "alpha": ("speed", True, False),
    }  # fmt: skip
    assert pins(view("clip"))["rate"] == ("1", False, False)
    assert pins(view("clip"))["clip_name"] == ("", False, False)
    assert pins(view("clip", {}, {"rate": ""}))["rate"] == ("", True, False)
    assert pins(view("blend", {}, {"alpha": "1"}, wired=("alpha",)))["alpha"] == (None, True, True)
    assert pins(view("blend", wired=("alpha", "a")))["a"] == (None, False, True)


def test_a_folded_node_hides_pins_without_wire_and_word_and_fields_that_are_empty():
    def names(found: NodeView) -> tuple[list[str], list[str]]:
        return [p.name for p in found.inputs], [c.name for c in found.choices]

    assert names(view("blend", {}, {"alpha": ""}, wired=("b",), folded=True)) == (["b", "alpha"], [])
    whole = names(view("chain_ik"))
    assert whole[1] == ["setup", "root", "tip", "goal_bone", "pole_bone"]
    assert names(view("chain_ik", {"tip": "head"}, folded=True)) == ([], ["setup", "tip"])
    assert names(view("inertialise", folded=True)) == ([], [])
    assert view("inertialise", folded=True).h == 32.0


def test_fields_stand_below_the_pins_a_row_each_but_for_that_of_the_head():
    found = view("chain_ik", {"root": "arm_l", "tip": "tail"})
    last = found.inputs[-1].y
    heads = {c.name: (c.head, c.optional) for c in found.choices}
    assert heads == {
        "setup": (True, False), "root": (False, True), "tip": (False, True), "goal_bone": (False, True),
        "pole_bone": (False, True),
    }  # fmt: skip
    assert [c.y for c in found.choices if not c.head] == [last + ROW * k for k in range(1, 5)]
    bottom = last + ROW * 4 + ROW / 2 + PAD
    assert bottom <= found.h < bottom + 16.0 and found.h % 16.0 == 0.0
    fields = {c.name: c for c in found.choices}
    assert (fields["root"].shown, fields["root"].missing, fields["root"].value) == ("arm_l", "", "arm_l")
    assert (fields["tip"].shown, fields["tip"].missing) == ("tail", "Tip tail is not there")
    assert (fields["goal_bone"].shown, fields["goal_bone"].missing) == ("none", "")
    assert (fields["setup"].shown, fields["setup"].missing) == ("choose", "no setup is chosen")
    assert fields["goal_bone"].label == "Goal bone" and {c.tone for c in found.choices} == {"bone"}


def test_a_clip_is_shown_by_its_name_in_the_field():
    (field,) = view("clip", {"clip": TURN}).choices
    assert (field.value, field.shown, field.missing, field.optional) == (TURN, "turn", "", False)
    (field,) = view("clip", {"clip": "clip-gone"}).choices
    assert (field.shown, field.missing) == ("clip-gone", "Clip clip-gone is not there")


# ---------------------------------------------------------------- made once
def test_a_view_is_kept_while_its_node_and_what_it_depends_on_stay():
    builder, graph = SceneBuilder(), PROJECT.get(Graph, GRAPH)
    sheet = graph.sheets[0]
    first = builder.scene(graph, PROJECT, sheet, Layout()).nodes
    again = builder.scene(graph, PROJECT, sheet, Layout()).nodes
    assert all(again[id] is found for id, found in first.items())
    clip, other = sheet.nodes[0], sheet.nodes[1].id
    changed = replace(clip, literals={"rate": "2"})
    nodes = tuple(changed if n.id == clip.id else n for n in sheet.nodes)
    after = builder.scene(
        graph, PROJECT, replace(sheet, nodes=nodes), Layout(folded=frozenset({other}))
    ).nodes
    assert [id for id in first if after[id] is not first[id]] == [clip.id, other]
    assert after[clip.id].pin("rate").literal == "2" and after[other].inputs == ()


@pytest.mark.parametrize("changes, asset", [
    ({"variables": (Variable("pace", Kind.BOOL, maximum=1.0, minimum=0.0),)}, None),
    ({"slots": ("A.b",)}, None), ({"enums": {"gait": ("trot",)}}, None), ({}, WALK),
])  # fmt: skip
def test_all_views_are_made_anew_where_variables_slots_enums_or_assets_differ(changes, asset):
    builder, graph = SceneBuilder(), PROJECT.get(Graph, GRAPH)
    sheet = graph.sheets[0]
    first = builder.scene(graph, PROJECT, sheet, Layout()).nodes
    project = PROJECT
    if asset is not None:
        project = PROJECT.with_assets(replace(PROJECT.assets[AssetId(asset)], name="stroll"))
    after = builder.scene(replace(graph, **changes), project, sheet, Layout()).nodes
    assert all(after[id] is not found for id, found in first.items())


def test_the_view_of_a_state_follows_the_sheet_that_it_opens():
    builder, graph = SceneBuilder(), PROJECT.get(Graph, GRAPH)
    states = graph.sheets[1]
    first = builder.scene(graph, PROJECT, states, Layout()).nodes
    inner = graph.sheets[2]
    changed = graph.with_sheet(replace(inner, links=()))
    after = builder.scene(changed, PROJECT, states, Layout()).nodes
    idle, walking = (n.id for n in states.nodes)
    assert after[walking] is first[walking] and first[idle].detail == "Clip · turn"
    assert after[idle].detail == "rest pose"


def test_a_wire_to_a_pin_that_is_gone_is_seen():
    found = view("blend", wired=("gone",))
    assert [p.name for p in found.inputs] == ["a", "b", "alpha", "gone"] and found.inputs[-1].wired
