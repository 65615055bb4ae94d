"""A thousand random edits with a running graph: no exception, and undo restores every byte."""

import pytest

from core.arrays import same_value
from editor.model.graph_run.state import GraphRun
from editor.model.session import Session
from tests.editor.model.graph.random_edits import RandomEdits
from tests.editor.panels.graph.graphs import GRAPH, graph_project

EDITS = 340
RUNNING = 40
"""Steps that are undone while the recording is run again on each."""


@pytest.mark.parametrize("seed", range(3))
def test_random_edits_raise_nothing_and_undo_exactly(seed):
    session = Session.create()
    project = graph_project()
    session.document.replace(project, None)
    session.playback.set_clip(project.clips[0].id)
    edits, run = RandomEdits(session, seed), session.feature(GraphRun)
    run.start()
    edits.canvas.open(GRAPH)
    ran = 0
    for step in range(EDITS):
        edits.one()
        scene = edits.canvas.scene
        assert scene is not None and set(scene.places) == set(scene.nodes)
        if step % 4 == 0 and (run.running or run.start()):
            ran += run.advance(1.0 / 60.0)
    assert ran > EDITS // 8
    after, done = session.document.project, session.history.position
    session.go_to(done - RUNNING)
    run.deck.clear()  # the states before ran when they were made
    session.go_to(0)
    assert same_value(session.document.project, project)
    session.go_to(done)
    assert same_value(session.document.project, after)
    session.close()
