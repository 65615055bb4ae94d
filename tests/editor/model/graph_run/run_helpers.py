"""What tests of runs ask of a run."""

from dataclasses import replace

from core.graph.graph import Graph
from editor.model.graph_run.lanes import LaneKind


def graph_named(session, name: str) -> Graph:
    return next(graph for graph in session.document.project.all(Graph) if graph.name == name)


def rotations(run):
    return run.pose().local.rotation.copy()


def lane(run, key: str):
    return run.deck.book.named(key)


def machine_lane(run):
    return next(lane for lane in run.deck.book.lanes if lane.kind is LaneKind.STATES)


def with_rule(graph: Graph, old: str, new: str) -> Graph:
    sheets = tuple(
        replace(s, transitions=tuple(replace(t, rule=new) if t.rule == old else t for t in s.transitions))
        for s in graph.sheets
    )
    assert sheets != graph.sheets
    return replace(graph, sheets=sheets)
