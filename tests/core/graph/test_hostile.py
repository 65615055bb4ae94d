"""Graphs made to hang or to break: refused in words, in the time that reading them takes."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from core.graph.compile import compile_graph
from core.graph.graph import Graph, Link, Node, NodeId, Sheet, SheetKind, Transition, Variable
from core.graph.instance import Instance
from core.graph.problems import GraphError
from core.ids import AssetId
from tests.core.graph.builders import RIG, Drawing, clip, swinging, walker


def refused(graph: Graph, drawing: Drawing | None = None) -> list[str]:
    project = (drawing or Drawing(clip("a"))).project()
    with pytest.raises(GraphError) as caught:
        compile_graph(graph, project)
    assert len(caught.value.problems) <= 2200
    return [p.message for p in caught.value.problems]


def numbered(count: int, kind: str, first: int = 1, **more) -> tuple[Node, ...]:
    return tuple(Node(NodeId(f"n-{first + k:08x}"), kind, **more) for k in range(count))


def graph_of(*sheets: Sheet, **more) -> Graph:
    return Graph(AssetId("graph-1"), "hostile", RIG, sheets=sheets, **more)


OUTPUT = Node(NodeId("n-f0000000"), "output")
SHEET = NodeId("n-f0000001")


def test_hundred_thousand_nodes():
    sheet = Sheet(SHEET, "main", nodes=numbered(100_000, "clip"))
    assert refused(graph_of(sheet)) == ["it has 100000 nodes; at most 20000 can be run"]


def test_values_nested_deep_and_in_a_circle():
    nodes = numbered(3_000, "function", parameters={"function": "abs"})
    clip_node = Node(NodeId("n-e0000000"), "rest")
    curve = Node(NodeId("n-e0000001"), "modify_curve", {"curve": "x"})
    links = [Link(a.id, b.id, "x") for a, b in pairwise(nodes)]
    links += [Link(nodes[-1].id, curve.id, "value"), Link(clip_node.id, curve.id, "pose")]
    links.append(Link(curve.id, OUTPUT.id, "pose"))
    sheet = Sheet(SHEET, "main", nodes=(*nodes, clip_node, curve, OUTPUT), links=tuple(links))
    assert any("values nested deeper" in message for message in refused(graph_of(sheet)))
    few = nodes[:5]
    ring = [Link(a.id, b.id, "x") for a, b in pairwise((*few, few[0]))]
    wires = (*ring, Link(few[0].id, curve.id, "value"), *links[-2:])
    circle = Sheet(SHEET, "main", nodes=(*few, clip_node, curve, OUTPUT), links=wires)
    assert any("the values go in a circle" in message for message in refused(graph_of(circle)))


def test_many_values_in_one_sheet_are_no_matter():
    """Every node and wire is looked up by its id: 6,000 of them compile at once."""
    count = 3_000
    rest, curves = Node(NodeId("n-e0000000"), "rest"), []
    values = numbered(count, "expression", literals={"value": "speed * 2"})
    links = []
    before = rest
    for k, value in enumerate(values[:100]):
        node = Node(NodeId(f"n-d{k:07x}"), "modify_curve", {"curve": f"c{k}"})
        links += [Link(value.id, node.id, "value"), Link(before.id, node.id, "pose")]
        before = node
        curves.append(node)
    links.append(Link(before.id, OUTPUT.id, "pose"))
    sheet = Sheet(SHEET, "main", nodes=(*values, rest, *curves, OUTPUT), links=tuple(links))
    graph = graph_of(sheet, variables=(Variable("speed", maximum=9.0),))
    drawing = Drawing(clip("a"))
    result = Instance(compile_graph(graph, drawing.project(graph))).step(0.1, {"speed": 2.0})
    assert result.pose.curves["c99"] == 4.0


def machine(nodes: tuple[Node, ...], transitions: tuple[Transition, ...]) -> Graph:
    inside = Sheet(NodeId("n-f0000002"), "state", nodes=(Node(NodeId("n-f0000003"), "rest"), OUTPUT),
                   links=(Link(NodeId("n-f0000003"), OUTPUT.id, "pose"),))  # fmt: skip
    holder = Node(NodeId("n-f0000004"), "machine", {"sheet": SHEET})
    end = Node(NodeId("n-f0000005"), "output")
    root = Sheet(NodeId("n-f0000006"), "main", nodes=(holder, end), links=(Link(holder.id, end.id, "pose"),))
    return graph_of(root, Sheet(SHEET, "machine", SheetKind.MACHINE, nodes, (), transitions), inside)


def test_conduits_that_multiply():
    states = numbered(2, "state", parameters={"sheet": "n-f0000002"})
    layers = [numbered(2, "conduit", 100 + 2 * k) for k in range(40)]
    steps = [(states[:1], layers[0]), *pairwise(layers), (layers[-1], states[1:])]
    made = [
        Transition(NodeId(f"n-c{7 * k + 3 * i + j:07x}"), a.id, b.id)
        for k, (before, after) in enumerate(steps)
        for i, a in enumerate(before)
        for j, b in enumerate(after)
    ]
    nodes = (*states, *(node for layer in layers for node in layer))
    assert any("more than 5000 ways" in message for message in refused(machine(nodes, tuple(made))))


def test_any_state_times_every_state():
    states = numbered(2_000, "state", parameters={"sheet": "n-f0000002"})
    anything = Node(NodeId("n-b0000000"), "any")
    made = tuple(
        Transition(NodeId(f"n-c{k:07x}"), anything.id, state.id, "false") for k, state in enumerate(states)
    )
    assert any("more than 5000 ways" in message for message in refused(machine((*states, anything), made)))


def test_wrong_everywhere_is_told_for_a_while():
    names = tuple(Variable(f"variable_{k}") for k in range(3_000))
    nodes = numbered(400, "modify_curve", literals={"value": "variable_x" * 20}, parameters={"curve": "x"})
    rest = Node(NodeId("n-e0000000"), "rest")
    branches = [Node(NodeId(f"n-d{k:07x}"), "blend_many", {"count": 40}) for k in range(10)]
    links = [Link(rest.id, node.id, "pose") for node in nodes]
    links += [Link(n.id, branches[k // 40].id, f"pose_{k % 40}") for k, n in enumerate(nodes)]
    top = Node(NodeId("n-e0000001"), "blend_many", {"count": 10})
    links += [Link(n.id, top.id, f"pose_{k}") for k, n in enumerate(branches)]
    links.append(Link(top.id, OUTPUT.id, "pose"))
    sheet = Sheet(SHEET, "main", nodes=(*nodes, rest, *branches, top, OUTPUT), links=tuple(links))
    assert 200 <= len(refused(graph_of(sheet, variables=names))) <= 2200


@pytest.mark.parametrize(
    "text",
    [
        "(" * 1_000 + "1" + ")" * 1_000,
        "not " * 400 + "true",
        "-" * 1_999 + "1",
        "1" + "+1" * 999,
        "speed" * 400,
        "9" * 1_999,
        "9 ** 9 ** 9 ** 9 ** 9 ** 9",
        "a" * 5_000,
        "\x00", "１", "speed.x.y.z", "'" * 1_999, "map('speed')", "__import__('os')", "speed := 1", "lambda: 1",
    ],
)  # fmt: skip
def test_absurd_expression_is_refused_or_gives_a_finite_number(text):
    drawing = Drawing(clip("a"), variables=(Variable("speed"),))
    node = drawing.node("modify_curve", "", {"value": text}, curve="x")
    graph = drawing.one(drawing.play("a"), node)
    try:
        instance = drawing.run(graph)
    except GraphError as error:
        assert error.problems[0].node == node.id
        assert len(str(error)) < 3_000
        return
    assert np.isfinite(instance.step(0.1).pose.curves["x"])


@pytest.mark.parametrize("reset", ["sometimes", 3.0, ("always",)])
def test_state_that_resets_at_no_known_time_is_told(reset):
    states = numbered(1, "state", parameters={"sheet": "n-f0000002", "reset": reset})
    assert any("reset: expected one of" in message for message in refused(machine(states, ())))


def test_wire_from_nowhere_and_node_of_no_kind_are_told():
    drawing = Drawing(clip("a"))
    graph = drawing.one(drawing.node("blend"))
    sheet = graph.sheets[0]
    lost = replace(sheet, links=(*sheet.links, Link(NodeId("n-0000dead"), sheet.nodes[0].id, "a")))
    assert any("not there" in message for message in refused(graph.with_sheet(lost)))
    odd = replace(sheet, nodes=(replace(sheet.nodes[0], kind="blended"), *sheet.nodes[1:]))
    assert any(
        "no pose node of kind 'blended'; near: blend" in message for message in refused(graph.with_sheet(odd))
    )


def test_inputs_of_every_wild_kind_leave_the_state_as_it_was():
    drawing = Drawing(swinging("walk"), rig_=walker(), variables=(Variable("speed", maximum=9.0),))
    instance = drawing.run(drawing.one(drawing.play("walk", rate="speed")))
    instance.step(0.1, {"speed": 1.0})
    before = instance.snapshot()
    for wild in (float("nan"), float("-inf"), "fast", [1.0, 2.0], None, {}, object(), 10**400):
        with pytest.raises(Exception, match="speed") as caught:
            instance.set("speed", wild)
        assert type(caught.value).__module__.startswith("core.")
    assert instance.snapshot().same_bits(before)
    assert instance.step(0.1, {"speed": 1e300}).pose is not None


@pytest.mark.parametrize("admitted", [3.0, "a", (), (1.0, 2.0)])
def test_any_state_that_lists_no_names_is_no_matter(admitted):
    states = numbered(2, "state", parameters={"sheet": "n-f0000002"})
    anything = Node(NodeId("n-b0000000"), "any", {"states": admitted})
    arrow = Transition(NodeId("n-c0000000"), anything.id, states[1].id, "false")
    graph = machine((*states, anything), (arrow,))
    Instance(compile_graph(graph, Drawing(clip("a")).project())).step(0.1)
