"""The selected transition as poses, without a window and without running the graph."""

from dataclasses import replace

import numpy as np
import pytest

from core.arrays import same_value
from core.graph import edits
from core.graph.compile import compile_graph
from core.graph.graph import Blend, Graph, Link, Node, NodeId, Sheet, SheetKind
from core.graph.instance import Instance
from core.graph.transition_poses import transition_poses
from editor.model.graph.editor import GraphEditor
from editor.model.graph.ghost_strip import GhostStrip
from editor.model.graph_run.state import GraphRun
from tests.editor.model.graph_run.runs import sample, session_of


def graph_of(project) -> Graph:
    return next(g for g in project.all(Graph) if g.name == "moves")


def way_from(graph: Graph, source: str, target: str):
    machine = next(s for s in graph.sheets if s.kind is SheetKind.MACHINE)
    names = {node.id: node.name for node in machine.nodes}
    return next(t for t in machine.transitions if (names[t.source], names[t.target]) == (source, target))


def alone(graph: Graph, project, state: str) -> Instance:
    """The sheet of a state as a graph of its own, from rest."""
    machine = next(s for s in graph.sheets if s.kind is SheetKind.MACHINE)
    held = next(n for n in machine.nodes if n.name == state).parameters["sheet"]
    inner = next(s for s in graph.sheets if s.id == held)
    output = Node(NodeId("n-00000002"), "output", name="Output")
    machine = Sheet(
        NodeId("n-00000003"),
        "m",
        SheetKind.MACHINE,
        (Node(NodeId("n-00000004"), "state", {"sheet": held}, {}, "s"),),
    )
    holder = Node(NodeId("n-00000001"), "machine", {"sheet": machine.id}, {}, "m")
    root = Sheet(
        NodeId("n-00000005"), "p", SheetKind.POSE, (holder, output), (Link(holder.id, output.id, "pose"),)
    )
    made = Graph(graph.id, "alone", graph.rig, graph.variables, graph.enums, sheets=(root, machine, inner))
    return Instance(compile_graph(made, project))


def off(a, b) -> float:
    """Radians of the bone that is turned the most from one pose to the other."""
    dots = np.abs(np.sum(a.local.rotation * b.local.rotation, axis=1)).clip(0.0, 1.0)
    return float(2.0 * np.arccos(dots).max())


@pytest.mark.parametrize(
    ("source", "target", "starts"),
    [("leap", "in the air", 0.0), ("on foot", "crouched", 2.0)],  # the second two are in step: half of 4 s
)
def test_ends_are_the_poses_of_the_states_and_the_middle_lies_between(source, target, starts):
    project = sample()
    graph = graph_of(project)
    found = transition_poses(graph, project, way_from(graph, source, target).id)
    run = alone(graph, project, source)
    run.step(0.0)
    assert found.leaves > 0.0
    assert off(found.source, run.step(found.leaves).pose) < 1e-6
    led = alone(graph, project, target)
    start = led.step(0.0).pose
    assert off(found.target, led.step(starts).pose if starts else start) < 1e-4
    whole = off(found.source, found.target)
    assert whole > 0.1
    assert 0.1 * whole < off(found.source, found.middle) < whole
    assert 0.1 * whole < off(found.middle, found.target) < whole


def test_automatic_transition_leaves_where_its_blend_still_fits():
    project = sample()
    graph = graph_of(project)
    way = way_from(graph, "leap", "in the air")
    found = transition_poses(graph, project, way.id)
    machine = alone(graph, project, "leap")
    clip = next(op for op in machine.plan.ops if op.name == "jump start")
    assert found.seconds == pytest.approx(0.15)
    assert found.leaves == pytest.approx(clip.length - 0.15)


@pytest.fixture
def here(tmp_path):
    session = session_of(sample(), tmp_path)
    graph = graph_of(session.document.project)
    editor, strip = session.feature(GraphEditor), session.feature(GhostStrip)
    strip.see(True)
    way = way_from(graph, "on foot", "crouched")
    editor.canvas.open(graph.id)
    editor.canvas.enter(edits.sheet_of(graph, way.id).id)
    return session, editor, strip, way.id


def test_selection_shows_it_and_an_edit_of_the_blend_changes_the_middle(here):
    _, editor, strip, way = here
    assert strip.poses is None
    editor.canvas.select([way])
    first = strip.poses
    assert first is not None
    editor.canvas.moved.emit(None)
    assert strip.poses is first, "worked out once"
    editor.machines.set_blend([way], seconds="2")
    second = strip.poses
    assert second.seconds == pytest.approx(2.0)
    assert off(first.middle, second.middle) > 1e-3 and off(first.source, second.source) < 1e-6
    editor.canvas.select([])
    assert strip.poses is None


def test_playing_and_the_switch_leave_it_and_the_run_is_not_disturbed(here):
    session, editor, strip, way = here
    run = session.feature(GraphRun)
    run.start(running=False)
    run.advance(0.2)
    before, at = run.take.character.snapshot(), run.take.at
    editor.canvas.select([way])
    assert strip.poses is not None and run.take.at == at
    assert same_value(run.take.character.snapshot(), before)
    run.start()
    assert strip.poses is None
    run.pause()
    assert strip.poses is not None
    session.switches.toggle("transition_ghosts")
    assert strip.poses is None
    session.switches.toggle("transition_ghosts")
    strip.see(False)
    assert strip.poses is None


def test_reason_is_told_where_there_are_no_poses(here):
    _, editor, strip, way = here
    editor.machines.set_blend([way], seconds="no_such_thing")
    editor.canvas.select([way])
    assert strip.poses is None and "no_such_thing" in strip.reason
    editor.machines.set_blend([way], seconds="0.1")
    assert strip.poses is not None and not strip.reason


def test_transition_of_no_time_is_the_target_at_once():
    project = sample()
    graph = graph_of(project)
    way = way_from(graph, "on foot", "crouched")
    cut = edits.with_transition(graph, replace(way, blend=Blend("0")))
    found = transition_poses(cut, project, way.id)
    assert found.seconds == 0.0 and found.middle is found.target
