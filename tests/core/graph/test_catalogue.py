"""The catalogue of nodes says what the compiler reads: every pin and parameter, no more and no less."""

from collections.abc import Mapping

import pytest

from core.graph.catalogue.every import NODE_TYPES, shape_of
from core.graph.catalogue.pins import ASSET_FORMS, Pin, PinKind, Surroundings, joins
from core.graph.compiler import Compiler
from core.graph.custom_compile import compile_custom
from core.graph.graph import Graph, Link, Node, NodeId, Sheet, SheetKind, Variable, asset_parameters
from core.graph.kinds import KINDS
from core.graph.language.values import BOOL, FLOAT, INT
from core.graph.language.values import Kind as ValueKind
from core.graph.montage_compile import compile_montages
from core.graph.problems import GraphError
from core.graph.update import KNOWN
from core.graph.wires import VALUE_NODES
from core.ids import AssetId
from core.project.project import Project
from tests.core.graph.builders import RIG, clip, rig


class Noted(Mapping):
    """A mapping that notes what it was asked for."""

    def __init__(self, items: dict) -> None:
        self.items_, self.asked = dict(items), set()

    def __getitem__(self, key):
        self.asked.add(key)
        return self.items_[key]

    def __contains__(self, key) -> bool:
        self.asked.add(key)
        return key in self.items_

    def get(self, key, default=None):
        self.asked.add(key)
        return self.items_.get(key, default)

    def __iter__(self):
        return iter(self.items_)

    def __len__(self) -> int:
        return len(self.items_)


class Noting(Compiler):
    """A compiler that notes which pins of a node are read."""

    def __init__(self, *arguments) -> None:
        super().__init__(*arguments)
        self.read: set[tuple[str, str]] = set()

    def link(self, sheet, node, pin):
        self.read.add((node, pin))
        return super().link(sheet, node, pin)


VARIED = {
    "transform_bone": ({f"{part}_way": "add" for part in ("translation", "rotation", "scale")},),
    "modify_curve": ({"way": "remap", "curve": "level"},),
    "root_motion": ({"replace": True},),
    "layered": ({"count": 3},),
    "blend_many": ({"count": 3},),
    "blend_by_int": ({"count": 3},),
    "blend_by_enum": ({"enum": "stance"},),
    "blend_by_name": ({"names": ("a", "b")},),
    "apply_additive": ({}, {"alpha_by": "bool"}, {"alpha_by": "curve"}),
    "mirror": ({},),
}


def read_by_compiler(kind: str, parameters: dict) -> tuple[set[str], set[str]]:
    """Pins and parameters that compiling a node of a kind asks for."""
    noted = Noted(parameters)
    node = Node(NodeId("n-00000001"), kind, {}, {})
    object.__setattr__(node, "parameters", noted)
    sheet = Sheet(NodeId("n-00000002"), "pose", nodes=(node,))
    graph = Graph(
        AssetId("graph"), "g", RIG, (Variable("v"),), {"stance": ("up", "down")}, sheets=(sheet,)
    )  # fmt: skip
    found = Noting(
        graph,
        Project({asset.id: asset for asset in (rig(), clip("a"), graph)}),
        KINDS,
        compile_montages,
        compile_custom,
    )
    try:
        found.node(sheet, node)
    except GraphError:
        pytest.fail("too many faults")
    return {pin for owner, pin in found.read if owner == node.id}, noted.asked


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_pose_nodes_have_the_pins_that_the_compiler_reads(kind):
    if kind in ("blend_space", "aim_offset", "pose_asset", "linked_graph"):
        pytest.skip("its pins come from the asset that it names")
    for parameters in VARIED.get(kind, ({},)):
        pins, _ = read_by_compiler(kind, parameters)
        shape = shape_of(Node(NodeId("n-00000001"), kind, parameters), surroundings())
        told = {pin.name for pin in shape.inputs}
        # A goal's rotation and a pole are read only where they are given, which asks for them all the same.
        assert pins - told == set(), f"{kind}: the catalogue lacks pins"
        unread = told - pins
        if kind in ("clip", "chain_ik", "two_bone_ik"):  # an asset or bone that is missing ends the reading
            unread -= {"rate", "start", "pole", "pole_rotation", "goal", "goal_rotation"}
        assert unread == set(), f"{kind}: the catalogue has pins that nobody reads"


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_pose_nodes_have_the_parameters_that_the_compiler_reads(kind):
    for parameters in VARIED.get(kind, ({},)):
        _, asked = read_by_compiler(kind, parameters)
        shape = shape_of(Node(NodeId("n-00000001"), kind, parameters), surroundings())
        assert asked - {p.name for p in shape.parameters} - {"alpha_curve", "fade_in", "fade_out"} == set()


def surroundings() -> Surroundings:
    return Surroundings(Graph(AssetId("graph"), "g", RIG, enums={"stance": ("up", "down")}))


def test_every_kind_that_is_compiled_is_listed_for_its_sheet():
    for kind in (*KINDS, *VALUE_NODES):
        assert SheetKind.POSE in NODE_TYPES[kind].sheets
    for kind in KNOWN:
        assert SheetKind.UPDATE in NODE_TYPES[kind].sheets
    kinds = {kind for kind, type_ in NODE_TYPES.items() if SheetKind.MACHINE in type_.sheets}
    assert kinds == {"state", "conduit", "any", "entry", "exit"}


def test_wires_join_equal_types_and_whole_numbers_go_into_numbers():
    def value(type_):
        return Pin("x", PinKind.VALUE, type_)

    assert joins(value(INT), value(FLOAT)) == ""
    assert joins(value(FLOAT), value(INT)) == "expected int, got float"
    assert joins(value(BOOL), Pin("pose")) == "expected a pose, got bool"
    assert joins(value(None), value(BOOL)) == ""


def test_a_variable_node_gives_the_type_of_its_variable():
    graph = Graph(AssetId("graph"), "g", RIG, (Variable("on", ValueKind.BOOL, maximum=1.0, minimum=0.0),))
    node = Node(NodeId("n-00000001"), "get", {"variable": "on"})
    assert shape_of(node, Surroundings(graph)).outputs[0].type == BOOL


def test_a_wire_to_a_pin_that_is_gone_still_has_an_end():
    around = Surroundings(Graph(AssetId("graph"), "g", RIG), wired=("gone",))
    shape = shape_of(Node(NodeId("n-00000001"), "blend"), around)
    assert shape.input("gone") is not None
    assert Link(NodeId("n-00000001"), NodeId("n-00000001"), "gone").pin == "gone"


@pytest.mark.parametrize("kind", sorted(NODE_TYPES))
def test_parameters_that_hold_an_asset_are_those_whose_form_says_so(kind):
    for parameters in VARIED.get(kind, ({},)):
        shape = shape_of(Node(NodeId("n-00000001"), kind, parameters), surroundings())
        held = {p.name for p in shape.parameters if p.form in ASSET_FORMS}
        assert held == {p.name for p in shape.parameters} & set(asset_parameters(kind))


@pytest.mark.parametrize(
    ("kind", "space"), [("copy_bone", "local"), ("make_additive", "model"), ("apply_additive", "local")]
)
def test_a_space_that_bones_are_measured_in_is_no_asset(kind, space):
    node = Node(NodeId("n-00000001"), kind, {"space": space})
    sheet = Sheet(NodeId("n-00000002"), "pose", nodes=(node,))
    graph = Graph(AssetId("graph"), "g", RIG, sheets=(sheet,))
    project = Project({asset.id: asset for asset in (rig(), graph)})
    assert project.get(Graph, graph.id) is graph
    moved = graph.with_targets({AssetId(space): None})
    assert moved.sheets[0].nodes[0].parameters["space"] == space
