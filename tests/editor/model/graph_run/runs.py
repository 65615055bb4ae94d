"""Sessions with the sample character, whose graph can be run without a window."""

from core.io import load
from editor.model.graph_run.state import GraphRun
from editor.model.opening import sample_path
from editor.model.session import Session

_KEPT: list = []


def sample():
    """The sample project, read once."""
    if not _KEPT:
        _KEPT.append(load(sample_path()).project)
    return _KEPT[0]


def session_of(project, folder) -> Session:
    """A session with a project open."""
    session = Session.create(folder / "config", folder / "data")
    session.document.replace(project, None)
    return session


def running(folder, project=None) -> tuple[Session, GraphRun]:
    """A session whose run was begun, paused at its first step."""
    session = session_of(project or sample(), folder)
    run = session.feature(GraphRun)
    assert run.start(running=False)
    return session, run


def go(run: GraphRun, seconds: float) -> None:
    """Run on."""
    run.start()
    for _ in range(round(seconds * 20)):
        run.advance(0.05)
    run.pause()
