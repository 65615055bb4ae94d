"""The hash of a plan covers all that it is made of (spec: graph, §10)."""

from dataclasses import replace

import pytest

from core.clips.clip import Notify
from core.graph.compile import compile_graph
from core.graph.graph import Variable
from core.graph.hashing import plan_hash
from core.ids import AssetId
from tests.core.graph.builders import Drawing, clip
from tests.core.graph.test_montages import montage

SPEED = Variable("speed", maximum=10.0)


def project_of():
    """A host that plays a clip in a slot's source and links a graph with a clip of its own."""
    inner = Drawing(clip("inner"), variables=(SPEED,))
    linked = replace(inner.one(inner.play("inner")), id=AssetId("graph-inner"), name="inner")
    drawing = Drawing(
        clip("a"), clip("inner"), clip("m"), clip("other"), assets=(linked, montage()), slots=("Group.Upper",)
    )
    a, link = drawing.play("a"), drawing.node("linked_graph", "link", graph="graph-inner")
    blend = drawing.node("blend", "blend", {"alpha": "0.5"})
    slot = drawing.node("slot", "slot", slot="Group.Upper")
    wires = [(a, blend, "a"), (link, blend, "b"), (blend, slot, "source")]
    graph = drawing.graph(drawing.pose_sheet("main", [a, link, blend, slot], wires, slot))
    return graph, drawing.project(graph)


def hashed(graph, project) -> str:
    return plan_hash(compile_graph(graph, project))


@pytest.mark.parametrize("name", ["a", "inner", "m"])
def test_changed_clip_of_the_graph_its_linked_graph_or_its_montage_changes_the_hash(name):
    graph, project = project_of()
    before = hashed(graph, project)
    found = next(c for c in project.clips if c.name == name)
    assert hashed(graph, project.with_assets(replace(found))) == before  # equal contents
    assert hashed(graph, project.with_assets(replace(found, notifies=(Notify("step", 0.5),)))) != before
    assert hashed(graph, project.with_assets(clip(name, x=0.001))) != before
    assert hashed(graph, project.with_assets(found)) == before


def test_changed_montage_and_linked_graph_change_the_hash_but_layout_does_not():
    graph, project = project_of()
    before = hashed(graph, project)
    assert hashed(graph, project.with_assets(montage(blend=0.3))) != before
    inner = next(g for g in project.all(type(graph)) if g.name == "inner")
    faster = replace(SPEED, maximum=20.0)
    assert hashed(graph, project.with_assets(replace(inner, variables=(faster,)))) != before
    sheet = inner.sheets[0]
    nodes = tuple(
        replace(node, literals={"rate": "2"}) if node.kind == "clip" else node for node in sheet.nodes
    )
    again = replace(inner, sheets=(replace(sheet, nodes=nodes), *inner.sheets[1:]))
    assert hashed(graph, project.with_assets(again)) != before
    placed = replace(inner, layout={sheet.nodes[0].id: (3.0, 4.0)})
    assert hashed(graph, project.with_assets(placed)) == before
