"""Random edits with a running graph: no exception, and undo restores every byte."""

import pytest

from core.arrays import same_value
from editor.model.graph_run.state import GraphRun
from editor.model.session import Session
from tests.editor.model.graph.random_edits import RandomEdits
from tests.editor.panels.graph.graphs import GRAPH, graph_project


@pytest.mark.parametrize("seed", range(3))
def test_random_edits_raise_nothing_and_undo_exactly(seed):
    session = Session.create()
    project = graph_project()
    session.document.replace(project, None)
    session.playback.set_clip(project.clips[0].id)
    edits, run = RandomEdits(session, seed), session.feature(GraphRun)
    run.start()
    edits.canvas.open(GRAPH)
    for step in range(80):
        edits.one()
        scene = edits.canvas.scene
        assert scene is not None and set(scene.places) == set(scene.nodes)
        if step % 10 == 0:
            run.start()
            run.tick(step * 0.05)
    after = session.document.project
    session.go_to(0)
    assert same_value(session.document.project, project)
    session.go_to(10_000)
    assert same_value(session.document.project, after) or session.history.position > 0
    session.close()
