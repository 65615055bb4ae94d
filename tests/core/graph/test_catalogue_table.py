"""Every kind of node with its pins and parameters, as the table says: catalogue_table.txt, a line a node.

A line is ``kind {parameters} wired | inputs -> outputs | parameters | sheets``. An input is ``name`` for a pose,
``name>`` for the next action, and ``name:type=default`` for a value, where ``*`` is any type. A parameter is
``name:form=default(choices)[least,most]``.
"""

import ast
from pathlib import Path

import numpy as np
import pytest

from core.blending.blend_space import BlendSpace, SpaceAxis, SpaceKind, SpaceSample
from core.graph.catalogue.every import NODE_TYPES, shape_of
from core.graph.catalogue.pins import Parameter, Pin, PinKind, Shape, Surroundings, joins
from core.graph.graph import Graph, Node, NodeId, Role, Sheet, Variable
from core.graph.language.functions import FUNCTIONS
from core.graph.language.values import BOOL, FLOAT, INT, NAME, VECTOR, Kind, ValueType
from core.ids import AssetId
from core.math.transform import Transform
from core.pose.library import PoseAsset, PoseTarget
from tests.core.graph.builders import RIG

TABLE = Path(__file__).with_name("catalogue_table.txt")
ROWS = [line for line in TABLE.read_text(encoding="utf-8").splitlines() if line]


def node(kind: str, parameters: dict | None = None, number: int = 1) -> Node:
    return Node(NodeId(f"n-{number:08x}"), kind, parameters or {})


def inner_graph() -> Graph:
    """A graph with two pose inputs, one without a name of its own, and variables of each role."""
    inputs = (node("pose_input", {"input": "legs"}, 2), node("pose_input", {}, 3))
    own = (
        Variable("speed"), Variable("gait", Kind.ENUM, enum="gaits"), Variable("kept", role=Role.OWN),
        Variable("jump", Kind.BOOL, role=Role.TRIGGER),
    )  # fmt: skip
    sheet = Sheet(NodeId("n-00000004"), "main", nodes=inputs)
    return Graph(AssetId("graph-in"), "in", RIG, own, {"gaits": ("walk", "run")}, sheets=(sheet,))


def around(wired: tuple[str, ...] = ()) -> Surroundings:
    sample = (SpaceSample(AssetId("clip-a"), (0.0,)),)
    line = BlendSpace(
        AssetId("line"), "line", RIG, (SpaceAxis("speed", -1.5, 4.0),), sample, kind=SpaceKind.LINE
    )
    flat = BlendSpace(
        AssetId("flat"), "flat", RIG, (SpaceAxis("a", 2.0, 4.0), SpaceAxis("b", -30.0, 30.0)),
        (SpaceSample(AssetId("clip-a"), (2.0, 0.0)),),
    )  # fmt: skip
    delta = Transform(np.zeros((1, 3)), np.array([[0.0, 0.0, 0.0, 1.0]]), np.zeros((1, 3)))
    targets = tuple(PoseTarget(name, ("head",), delta) for name in ("smile", "frown"))
    face, inside = PoseAsset(AssetId("face"), "face", RIG, targets), inner_graph()
    variables = (
        Variable("speed"), Variable("on", Kind.BOOL), Variable("n", Kind.INT), Variable("who", Kind.NAME),
        Variable("gait", Kind.ENUM, enum="gaits"), Variable("none", Kind.ENUM, enum="empty"),
        Variable("way", Kind.VECTOR, (0.0, 0.0, 0.0)),
    )  # fmt: skip
    many = tuple(f"m{k}" for k in range(70))
    graph = Graph(
        AssetId("graph"), "g", RIG, variables, {"gaits": ("walk", "run"), "many": many, "empty": ()},
    )  # fmt: skip
    return Surroundings(graph, {s.id: s for s in (line, flat)}, {face.id: face}, {inside.id: inside}, wired)


def pin_text(pin: Pin) -> str:
    if pin.kind is PinKind.POSE:
        return pin.name
    if pin.kind is PinKind.THEN:
        return f"{pin.name}>"
    type_ = "*" if pin.type is None else str(pin.type)
    return f"{pin.name}:{type_}" + ("" if pin.default is None else f"={pin.default}")


def parameter_text(found: Parameter) -> str:
    default = "" if found.default is None else f"={found.default}"
    choices = f"({'|'.join(found.choices)})" if found.choices else ""
    bounds = "" if (found.least, found.most) == (-1e6, 1e6) else f"[{found.least:g},{found.most:g}]"
    return f"{found.name}:{found.form}{default}{choices}{bounds}"


def shape_text(shape: Shape) -> str:
    inputs, outputs = ("; ".join(map(pin_text, pins)) for pins in (shape.inputs, shape.outputs))
    return f"{inputs} -> {outputs} | {'; '.join(map(parameter_text, shape.parameters))}"


def row_text(head: str) -> str:
    """The line of a node that begins with a head such as ``layered {'count': 3} wired``."""
    kind, _, rest = head.partition(" {")
    parameters, _, wired = rest.rpartition("}")
    found = node(kind, ast.literal_eval("{" + parameters + "}"))
    sheets = " ".join(NODE_TYPES[kind].sheets) if kind in NODE_TYPES else ""
    return f"{head} | {shape_text(shape_of(found, around(tuple(wired.split()))))} | {sheets}"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split(" | ")[0])
def test_node_has_the_pins_and_parameters_of_the_table(row):
    assert row_text(row.split(" | ")[0]) == row


def test_the_table_has_every_kind_and_every_function():
    assert {row.split(" ")[0] for row in ROWS} >= {*NODE_TYPES}
    assert [k for k in NODE_TYPES if NODE_TYPES[k].kind != k] == []
    told = {ast.literal_eval(row.split(" | ")[0].partition(" ")[2]).get("function") for row in ROWS
            if row.startswith("function ")}  # fmt: skip
    assert told >= {*FUNCTIONS}


@pytest.mark.parametrize(
    ("source", "target", "why"),
    [
        (Pin("a"), Pin("b"), ""),
        (Pin("a", PinKind.THEN), Pin("b", PinKind.THEN), ""),
        (Pin("a"), Pin("b", PinKind.THEN), "expected the next action, got a pose"),
        (Pin("a", PinKind.THEN), Pin("b"), "expected a pose, got the next action"),
        (Pin("a"), Pin("b", PinKind.VALUE), "expected a value, got a pose"),
        (Pin("a"), Pin("b", PinKind.VALUE, BOOL), "expected bool, got a pose"),
        (Pin("a", PinKind.VALUE, None), Pin("b", PinKind.VALUE, VECTOR), ""),
        (Pin("a", PinKind.VALUE, VECTOR), Pin("b", PinKind.VALUE, None), ""),
        (Pin("a", PinKind.VALUE, INT), Pin("b", PinKind.VALUE, FLOAT), ""),
        (Pin("a", PinKind.VALUE, VECTOR), Pin("b", PinKind.VALUE, FLOAT), "expected float, got vector"),
        (
            Pin("a", PinKind.VALUE, NAME), Pin("b", PinKind.VALUE, ValueType(Kind.ENUM, "gaits")),
            "expected enum gaits, got name",
        ),
    ],
)  # fmt: skip
def test_why_a_wire_cannot_end_at_a_pin(source, target, why):
    assert joins(source, target) == why


def test_a_pin_is_found_by_its_name():
    shape = Shape((Pin("a"), Pin("b", PinKind.VALUE, BOOL)))
    assert shape.input("b") is shape.inputs[1]
    assert shape.input("c") is None
