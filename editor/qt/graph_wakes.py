"""Panels of a run that go on while it runs, also where they are out of sight."""

from collections.abc import Callable

from editor.model.graph_run.state import GraphRun
from editor.model.session import Session
from editor.qt.binding import Source


def while_running(session: Session) -> tuple[Source, Callable[[], bool]]:
    """What a panel's declaration says for it (`PanelSpec.wakes`)."""
    run = session.feature(GraphRun)
    return run.state_changed, lambda: run.running
