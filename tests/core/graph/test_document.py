"""Graphs as documents: what values may be, where things are found, references and their redirection."""

from dataclasses import replace

import pytest

from core.blending.blend_space import BlendSpace
from core.clips.clip import Clip
from core.errors import MissingReferenceError, ValidationError
from core.graph.graph import (
    Blend,
    BlendKind,
    Graph,
    Interrupt,
    InterruptBy,
    Link,
    Node,
    NodeId,
    Role,
    Sheet,
    SheetKind,
    SyncSetting,
    TargetStart,
    Tempo,
    Transition,
    Variable,
    new_node_id,
)
from core.graph.language.values import Kind
from core.ids import AssetId, Reference
from core.pose.library import PoseAsset
from core.rig.rig import Rig
from tests.core.graph.builders import RIG


def number(n: int) -> NodeId:
    return NodeId(f"n-{n:08x}")


def refusal(build, kind=ValidationError) -> str:
    with pytest.raises(kind) as error:
        build()
    return str(error.value)


# -------------------------------------------------------------------- values
@pytest.mark.parametrize("name", ["a", "_", "A9_z", "speed"])
def test_words_are_names_of_variables(name):
    assert Variable(name).name == name


@pytest.mark.parametrize("name", ["", "9a", "a b", "a.b", "ä", "a\n"])
def test_other_texts_are_no_names_of_variables(name):
    assert refusal(lambda: Variable(name)) == (
        f"variable {name!r}: expected a name of letters, digits and _, not starting with a digit"
    )


@pytest.mark.parametrize(
    ("kind", "default", "width"),
    [
        (Kind.FLOAT, (), 1), (Kind.FLOAT, (1.0, 2.0), 1), (Kind.VECTOR, (0.0,), 3), (Kind.VECTOR, (0.0,) * 4, 3),
        (Kind.QUATERNION, (0.0,), 1), (Kind.BOOL, (0.0,) * 3, 1),
    ],
)  # fmt: skip
def test_defaults_have_a_size(kind, default, width):
    assert refusal(lambda: Variable("v", kind, default)) == (
        f"variable 'v': expected {width} number(s) for {kind}, got {default}"
    )


def test_defaults_lie_within_bounds():
    for default in ((-1.0,), (1.0,), (0.5,)):
        assert Variable("v", default=default, minimum=-1.0, maximum=1.0).default == default
    for default in ((-1.001,), (1.001,), (float("nan"),)):
        assert refusal(lambda d=default: Variable("v", default=d, minimum=-1.0, maximum=1.0)) == (
            f"variable 'v': expected a default within -1.0 to 1.0, got {default}"
        )
    assert Variable("v", Kind.VECTOR, (0.0, 1.0, 2.0), maximum=2.0).default == (0.0, 1.0, 2.0)
    assert "within" in refusal(lambda: Variable("v", Kind.VECTOR, (0.0, 3.0, 2.0), maximum=2.0))


def test_what_a_value_is_where_nothing_is_said():
    v = Variable("v")
    assert (v.kind, v.default, v.minimum, v.maximum, v.unit, v.role, v.enum, v.buffer) == (
        Kind.FLOAT, (0.0,), -1e12, 1e12, "", Role.INPUT, "", 0.0,
    )  # fmt: skip
    t = Transition(number(1), number(2), number(3))
    assert (t.rule, t.automatic, t.priority, t.min_time, t.reentry_time) == ("", None, 0, 0.0, 0.0)
    assert (t.interrupt, t.interrupt_by, t.player) == (Interrupt.ALWAYS, InterruptBy.TARGET, "")
    assert (t.start, t.start_at, t.blend) == (TargetStart.STATE, 0.0, Blend())
    assert (Blend().seconds, Blend().kind, Blend().profile, Blend().sheet) == (
        "0.2",
        BlendKind.CROSSFADE,
        "",
        "",
    )
    assert SyncSetting("g").tempo is Tempo.MEAN
    assert Link(number(1), number(2), "x").output == "out"
    assert Sheet(number(1), "s").kind is SheetKind.POSE


@pytest.mark.parametrize(
    "text", ["", "n-", "n-1234567", "n-123456789", "n-1234567G", "x-12345678", "n-12345678\n"]
)
def test_ids_of_nodes_are_n_and_eight_digits(text):
    assert refusal(lambda: Node(NodeId(text), "clip")) == (
        f"node id: expected n- and 8 hexadecimal digits, got {text[:40]!r}"
    )


def test_fresh_ids_are_ids_and_unlike_each_other():
    found = [new_node_id() for _ in range(50)]
    assert len(set(found)) == 50
    assert all(Node(id, "clip").id == id for id in found)


def test_parameters_and_literals_cannot_be_changed():
    node = Node(number(1), "clip", {"loop": True}, {"rate": "2"})
    for mapping in (node.parameters, node.literals):
        with pytest.raises(TypeError):
            mapping["x"] = "1"  # type: ignore[index]


# -------------------------------------------------------------------- sheets and graphs
A, B = Node(number(1), "clip", name="a"), Node(number(2), "state", name="b")
LINKS = (Link(A.id, B.id, "x"), Link(A.id, B.id, "y"), Link(B.id, A.id, "x"))
SHEET = Sheet(number(10), "main", nodes=(A, B), links=LINKS)


def test_a_sheet_finds_its_nodes_and_wires():
    assert SHEET.node(number(2)) is B
    assert (
        refusal(lambda: SHEET.node(number(3)), MissingReferenceError)
        == "sheet 'main' has no node 'n-00000003'"
    )
    assert SHEET.of_kind("clip") == (A,) and SHEET.of_kind("output") == ()
    assert SHEET.link_to(B.id, "y") is LINKS[1]
    assert SHEET.link_to(A.id, "x") is LINKS[2]
    assert SHEET.link_to(A.id, "y") is None


def graph(*sheets: Sheet, **parts) -> Graph:
    return Graph(AssetId("g"), "walk", RIG, sheets=sheets, **parts)


def test_a_graph_finds_and_replaces_its_sheets():
    machine = Sheet(number(11), "moves", SheetKind.MACHINE)
    other = Sheet(number(12), "other")
    made = graph(machine, SHEET, other)
    assert made.sheet(number(12)) is other
    assert refusal(lambda: made.sheet("x"), MissingReferenceError) == "graph 'walk' has no sheet 'x'"
    assert made.root is SHEET
    assert graph(machine).root is None
    new = replace(SHEET, name="new")
    assert made.with_sheet(new).sheets == (machine, new, other)
    late = Sheet(number(13), "late")
    assert made.with_sheet(late).sheets == (machine, SHEET, other, late)


def test_names_and_ids_are_there_once():
    assert refusal(lambda: graph(variables=(Variable("v"), Variable("w"), Variable("v")))) == (
        "graph 'walk': two variables are named 'v'"
    )
    assert refusal(lambda: graph(sync_groups=(SyncSetting("feet"), SyncSetting("feet")))) == (
        "graph 'walk': two sync groups are named 'feet'"
    )
    way = Transition(number(2), A.id, B.id)
    for sheets in (
        (SHEET, replace(SHEET, nodes=())), (SHEET, Sheet(number(12), "o", nodes=(A,))), (Sheet(A.id, "o", nodes=(A,)),),
        (replace(SHEET, transitions=(way,)),),
    ):  # fmt: skip
        assert refusal(lambda s=sheets: graph(*s)).startswith("graph 'walk': two nodes have the id 'n-000000")


def test_what_a_graph_holds_cannot_be_changed():
    made = graph(SHEET, enums={"e": ("a",)}, layout={"x": 1})
    for mapping in (made.enums, made.maps, made.layout):
        with pytest.raises(TypeError):
            mapping["y"] = 1  # type: ignore[index]


def referring() -> Graph:
    nodes = (
        Node(number(1), "clip", {"clip": "clip-a"}, name="walk"), Node(number(2), "blend_space", {"space": "space-b"}),
        Node(number(3), "pose_asset", {"asset": "face"}), Node(number(4), "linked_graph", {"graph": "graph-i"}),
        Node(number(5), "clip", {"clip": ""}), Node(number(6), "clip", {"clip": None, "loop": True}),
    )  # fmt: skip
    return graph(
        Sheet(number(20), "main", nodes=nodes), Sheet(number(21), "o", nodes=(Node(number(8), "rest"),))
    )


def test_a_graph_names_its_rig_and_the_assets_of_its_nodes():
    assert referring().references() == (
        Reference(RIG, Rig, "rig"),
        Reference(AssetId("clip-a"), Clip, "node 'walk'"),
        Reference(AssetId("space-b"), BlendSpace, "node 'blend_space'"),
        Reference(AssetId("face"), PoseAsset, "node 'pose_asset'"),
        Reference(AssetId("graph-i"), Graph, "node 'linked_graph'"),
    )


def test_references_follow_where_they_are_led():
    made = referring()
    moved = made.with_targets({
        RIG: AssetId("rig-2"), AssetId("clip-a"): AssetId("clip-z"), AssetId("space-b"): None,
        AssetId("graph-i"): AssetId("graph-j"),
    })  # fmt: skip
    assert moved.rig == "rig-2"
    found = [dict(node.parameters) for node in moved.sheets[0].nodes]
    assert found == [
        {"clip": "clip-z"}, {"space": None}, {"asset": "face"}, {"graph": "graph-j"}, {"clip": ""},
        {"clip": None, "loop": True},
    ]  # fmt: skip
    assert moved.sheets[1].nodes[0] is made.sheets[1].nodes[0]
    assert made.with_targets({RIG: None}) is None
    assert made.with_targets({}).references() == made.references()
