"""The inputs of a run that are saved or played again: all of the recording, or those of the chosen span."""

import pytest

from editor.model.graph_run.state import GraphRun
from editor.panels.graph_run.commands import RunCommands
from tests.editor.panels.graph.graphs import graph_session


@pytest.fixture
def run(qapp):
    session = graph_session()
    found = session.feature(GraphRun)
    assert found.start(running=False)
    for number in range(8):
        found.advance(0.05)
        if number in (0, 4):
            found.set("speed", 0.5 if number == 0 else 2.0)
    yield session, found
    found.stop()
    session.close()


def test_inputs_last_as_long_as_what_was_recorded(run) -> None:
    session, found = run
    path = RunCommands(session, found, None, lambda a, b: None)._path()  # type: ignore[arg-type]
    steps = found.take.steps
    assert path.length == pytest.approx(sum(step.dt for step in steps[1 : len(steps)]))
    assert steps[1].dt > 0.0, "the first step counts"
    values = [entry["speed"] for _, entry in path.entries if "speed" in entry]
    assert values[0] == 0.5 and values[-1] == 2.0


def test_without_a_recording_there_are_none(qapp) -> None:
    session = graph_session()
    try:
        run = session.feature(GraphRun)
        assert RunCommands(session, run, None, lambda a, b: None)._path() is None  # type: ignore[arg-type]
    finally:
        session.close()
