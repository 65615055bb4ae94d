"""What is wrong with a graph is told at once, with its place; hostile graphs are refused in words."""

from dataclasses import replace
from itertools import pairwise

import pytest

from core.errors import ValidationError
from core.graph.compile import compile_graph
from core.graph.graph import Graph, Link, Node, NodeId, Sheet, SheetKind, Variable
from core.graph.problems import GraphError, Problem
from core.ids import AssetId
from tests.core.graph.builders import RIG, Drawing, clip


def problems(drawing: Drawing, graph: Graph) -> list:
    with pytest.raises(GraphError) as caught:
        compile_graph(graph, drawing.project())
    return list(caught.value.problems)


def test_every_problem_is_told_at_once():
    drawing = Drawing(clip("a"), variables=(Variable("speed"),))
    states = {"a": drawing.clip_sheet("a"), "b": drawing.clip_sheet("missing")}
    arrows = [("a", "b", "sped > 1"), ("b", "a", "speed > ", {"seconds": "true"})]
    found = problems(drawing, drawing.machine_graph(drawing.machine(states, arrows)))
    told = " | ".join(str(p) for p in found if not p.warning)
    assert "there is no variable 'sped'; near: speed" in told
    assert "expected a value" in told
    assert "expected float, got bool" in told
    assert "its clip is not in the project" in told
    columns = {p.message: p.column for p in found}
    assert columns["there is no variable 'sped'; near: speed"] == 0


def test_circle_of_poses_tells_its_path():
    drawing = Drawing(clip("a"))
    one, two = drawing.node("blend", "one"), drawing.node("blend", "two")
    wires = [(one, two, "a"), (two, one, "a")]
    found = problems(drawing, drawing.graph(drawing.pose_sheet("main", [one, two], wires, two)))
    assert any("circle" in p.message and one.id in p.message and two.id in p.message for p in found)


def test_machine_that_holds_itself_is_refused():
    drawing = Drawing(clip("a"))
    sheet_id = drawing.id()
    state = drawing.node("state", "in", sheet=sheet_id)
    machine = Sheet(sheet_id, "machine", SheetKind.MACHINE, (state,))
    drawing.sheets.append(machine)
    assert any("holds itself" in p.message for p in problems(drawing, drawing.machine_graph(machine)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda g: replace(g, rig=AssetId("rig-2")), "its rig is not in the project"),
        (lambda g: replace(g, sheets=()), "no pose sheet"),
        (lambda g: replace(g, sheets=(Sheet(NodeId("n-ffffffff"), "empty"),)), "expected one Output"),
    ],
)
def test_graph_without_what_it_needs(change, message):
    drawing = Drawing(clip("a"))
    graph = drawing.graph(drawing.clip_sheet("a"))
    assert any(message in p.message for p in problems(drawing, change(graph)))


def test_clip_of_another_rig_is_refused():
    other = replace(clip("a"), rig=AssetId("rig-9"))
    drawing = Drawing(other)
    found = problems(drawing, drawing.graph(drawing.clip_sheet("a")))
    assert any("another rig" in p.message for p in found)


def test_unwired_pose_pin_is_a_warning_and_rests():
    drawing = Drawing(clip("a"))
    node = drawing.node("blend", "mix")
    plan = compile_graph(drawing.graph(drawing.pose_sheet("main", [node], [], node)), drawing.project())
    assert {w.pin for w in plan.warnings} == {"a", "b"}


def test_state_that_nothing_reaches_is_a_warning():
    drawing = Drawing(clip("a"), clip("b"))
    states = {name: drawing.clip_sheet(name) for name in "ab"}
    plan = compile_graph(drawing.machine_graph(drawing.machine(states, [])), drawing.project())
    assert [w.message for w in plan.warnings] == ["no transition leads to this state"]


def test_hostile_graphs_are_refused_in_words():
    drawing = Drawing(clip("a"))
    nodes = tuple(Node(NodeId(f"n-{k:08x}"), "blend") for k in range(20_001))
    many = Graph(AssetId("graph-1"), "many", RIG, sheets=(Sheet(NodeId("n-aaaaaaaa"), "main", nodes=nodes),))
    assert "at most 20000" in problems(drawing, many)[0].message
    chain = nodes[:2000]
    links = tuple(Link(a.id, b.id, "a") for a, b in pairwise(chain))
    output = Node(NodeId("n-bbbbbbbb"), "output")
    sheet = Sheet(
        NodeId("n-aaaaaaaa"),
        "main",
        nodes=(*chain, output),
        links=(*links, Link(chain[-1].id, output.id, "pose")),
    )
    deep = Graph(AssetId("graph-1"), "deep", RIG, sheets=(sheet,))
    assert any("deeper" in p.message for p in problems(drawing, deep))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Variable("2fast"), "letters, digits"),
        (lambda: Variable("speed", default=(float("nan"),)), "default within"),
        (lambda: Variable("speed", default=(1.0, 2.0)), "1 number"),
        (lambda: Node(NodeId("n-1"), "clip"), "8 hexadecimal"),
        (
            lambda: Graph(AssetId("g"), "g", RIG, (Variable("a"), Variable("a"))),
            "two variables are named 'a'",
        ),
    ],
)
def test_document_that_breaks_a_rule_is_refused(make, message):
    with pytest.raises(ValidationError, match=message):
        make()


def test_an_error_tells_its_first_fault_with_its_place_and_how_many_more_there_are():
    warning, first = Problem("odd", "s", warning=True), Problem("wrong", "s", "n", "p")
    others = [Problem(f"wrong {k}") for k in range(2)]
    found = [str(GraphError("g", [warning, first, *others[:count]])) for count in range(3)]
    assert found == [f"graph 'g': s / n / p: wrong{more}" for more in ("", " (and 1 more)", " (and 2 more)")]
    assert [str(p) for p in (others[0], Problem("x", "s"), Problem("x", pin="p"))] == [
        "wrong 0",
        "s: x",
        "p: x",
    ]
