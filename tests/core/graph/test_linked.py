"""Linked graphs: own state and variables, poses handed in, circles refused."""

from dataclasses import replace

import pytest

from core.arrays import same_value
from core.graph.compile import compile_graph
from core.graph.graph import Graph, Link, Role, Sheet, SheetKind, Variable
from core.graph.instance import Instance
from core.graph.language.values import Kind
from core.graph.problems import GraphError
from core.ids import AssetId
from core.io.native.read import from_bytes
from core.io.native.write import to_bytes
from core.tracks.keys import scalar_track
from tests.core.graph.builders import Drawing, clip, walking

INNER = AssetId("graph-inner")
SPEED = Variable("speed", maximum=9.0, minimum=-9.0)
LIMIT = Variable("limit", default=(2.0,), maximum=4.0, minimum=0.0)
GO = Variable("go", Kind.BOOL, maximum=1.0, minimum=0.0)
OWN = Variable("sum", maximum=99.0, role=Role.OWN)


def drawing() -> Drawing:
    return Drawing(
        walking("walk", 1.0, 1.5), walking("run", 0.5, 4.0, x=1.0), clip("still", x=3.0), variables=(SPEED,)
    )


def machine_inside() -> tuple[Drawing, Graph]:
    """A graph whose machine goes from its pose input to ``run`` when ``go`` holds."""
    inner = drawing()
    inner.variables = (GO, LIMIT)
    given, fast = inner.node("pose_input"), inner.clip_sheet("run")
    states = {"given": inner.pose_sheet("given", [given], [], given), "run": fast}
    arrows = [("given", "run", "go", {"seconds": 0.2}), ("run", "given", "not go", {"seconds": 0.2})]
    graph = inner.machine_graph(inner.machine(states, arrows))
    return inner, replace(graph, id=INNER, name="inner")


def outer(inner: Graph, literals: dict) -> tuple[Drawing, Graph]:
    draw = drawing()
    still = draw.play("still")
    link = draw.node("linked_graph", "legs", literals, graph=inner.id)
    return draw, draw.one(still, link, wires=[(still, link, "pose")])


def hips(result) -> float:
    return float(result.pose.translations[1, 0])


def test_linked_graph_runs_on_the_pose_it_is_given_with_state_of_its_own():
    _, inner = machine_inside()
    draw, graph = outer(inner, {"go": "speed > 1"})
    instance = Instance(compile_graph(graph, draw.project(graph).with_assets(inner)))
    first = instance.step(0.1)
    assert hips(first) == 3.0
    assert dict(first.states) == {"legs/machine": "given"}
    assert hips(instance.step(0.1, {"speed": 2.0})) == pytest.approx(2.0)  # half the way from 3 to 1
    assert hips(instance.step(0.1)) == 1.0


def test_two_links_of_one_graph_do_not_share_their_state():
    _, inner = machine_inside()
    draw = drawing()
    a, b = (draw.node("linked_graph", name, {"go": rule}, graph=INNER) for name, rule in
            (("a", "speed > 1"), ("b", "speed > 3")))  # fmt: skip
    still, mix = draw.play("still"), draw.node("blend", "mix", {"alpha": "0.5"})
    wires = [(still, a, "pose"), (still, b, "pose"), (a, mix, "a"), (b, mix, "b")]
    graph = draw.one(still, a, b, mix, wires=wires)
    instance = Instance(compile_graph(graph, draw.project(graph).with_assets(inner)))
    instance.step(0.1)
    for _ in range(4):
        result = instance.step(0.1, {"speed": 2.0})
    assert dict(result.states) == {"a/machine": "run", "b/machine": "given"}
    assert hips(result) == pytest.approx(2.0)


def test_inputs_keep_their_bounds_and_defaults():
    inner = drawing()
    inner.variables = (LIMIT,)
    still = inner.play("still")
    lift = inner.node(
        "transform_bone", "", {"translation": "vec(limit, 0, 0)"}, bone="hips", translation_way="replace"
    )
    made = replace(inner.one(still, lift), id=INNER, name="inner")
    for literals, wanted in (({}, 2.0), ({"limit": "speed"}, 4.0)):
        draw = drawing()
        link = draw.node("linked_graph", "legs", literals, graph=INNER)
        graph = draw.one(link)
        instance = Instance(compile_graph(graph, draw.project(graph).with_assets(made)))
        assert hips(instance.step(0.1, {"speed": 9.0})) == wanted


def test_update_sheet_and_maps_of_the_linked_graph_are_its_own():
    inner = drawing()
    inner.variables = (OWN,)
    inner.parts["maps"] = {"ramp": scalar_track([0.0, 1.0], [5.0, 5.0])}
    start, act = (
        inner.node("on_step"),
        inner.node("set", "", {"value": "sum + map('ramp', 0)"}, variable="sum"),
    )
    inner.sheets.append(
        Sheet(inner.id(), "update", SheetKind.UPDATE, (start, act), (Link(start.id, act.id, "then"),))
    )
    still = inner.play("still")
    lift = inner.node(
        "transform_bone", "", {"translation": "vec(sum, 0, 0)"}, bone="hips", translation_way="replace"
    )
    made = replace(inner.one(still, lift), id=INNER, name="inner")
    draw = drawing()
    draw.parts["maps"] = {"ramp": scalar_track([0.0, 1.0], [1.0, 1.0])}
    link = draw.node("linked_graph", "legs", {}, graph=INNER)
    tilt = draw.node("transform_bone", "", {"translation": "vec(0, map('ramp', 0), 0)"}, bone="hand",
                     translation_way="replace")  # fmt: skip
    graph = draw.one(link, tilt)
    instance = Instance(compile_graph(graph, draw.project(graph).with_assets(made)))
    instance.step(0.1)
    result = instance.step(0.1)
    assert hips(result) == 10.0
    assert float(result.pose.translations[2, 1]) == 1.0


def test_graphs_that_link_each_other_in_a_circle_are_refused_with_the_path():
    one, two = drawing(), drawing()
    a = one.node("linked_graph", "two", {}, graph="graph-two")
    b = two.node("linked_graph", "one", {}, graph="graph-1")
    first, second = one.one(a), replace(two.one(b), id=AssetId("graph-two"), name="two")
    with pytest.raises(GraphError) as caught:
        compile_graph(first, one.project(first).with_assets(second))
    told = [p.message for p in caught.value.problems]
    assert any("in a circle: 'graph' -> 'two' -> 'graph'" in message for message in told)


def test_graphs_linked_twice_at_every_level_are_refused_before_they_grow():
    made = []
    for level in range(14):
        draw = drawing()
        if level == 13:
            nodes = [draw.play("still")]
            graph = draw.one(*nodes)
        else:
            pair = [draw.node("linked_graph", f"n{k}", {}, graph=f"graph-{level + 1}") for k in range(4)]
            many = draw.node("blend_many", "mix", {}, count=4)
            wires = [(node, many, f"pose_{k}") for k, node in enumerate(pair)]
            graph = draw.one(*pair, many, wires=wires)
        made.append(replace(graph, id=AssetId(f"graph-{level}"), name=f"level {level}"))
    with pytest.raises(GraphError) as caught:
        compile_graph(made[0], drawing().project().with_assets(*made))
    assert any("nodes" in p.message for p in caught.value.problems)


def test_pin_that_the_linked_graph_lacks_is_told():
    _, inner = machine_inside()
    draw, graph = outer(inner, {"goo": "true"})
    with pytest.raises(GraphError) as caught:
        compile_graph(graph, draw.project(graph).with_assets(inner))
    assert any("no input 'goo'; near: go" in p.message for p in caught.value.problems)


def test_problem_inside_a_linked_graph_says_where_it_is():
    _, graph = machine_inside()
    machine = next(s for s in graph.sheets if s.kind is SheetKind.MACHINE)
    rules = tuple(replace(t, rule="goo") for t in machine.transitions)
    wrong = graph.with_sheet(replace(machine, transitions=rules))
    draw, host = outer(wrong, {})
    with pytest.raises(GraphError) as caught:
        compile_graph(host, draw.project(host).with_assets(wrong))
    told = [p.message for p in caught.value.problems]
    assert any(message.startswith("in linked graph 'inner': there is no variable 'goo'") for message in told)


def test_links_are_references_and_survive_a_file():
    _, inner = machine_inside()
    draw, graph = outer(inner, {"go": "speed > 1"})
    project = draw.project(graph).with_assets(inner)
    assert INNER in {reference.target for reference in graph.references()}
    assert same_value(from_bytes(to_bytes(project)), project)
    gone = graph.with_targets({INNER: None})
    assert INNER not in {reference.target for reference in gone.references()}
