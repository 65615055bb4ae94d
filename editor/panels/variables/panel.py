"""Declares the panel of a run's variables."""

from collections.abc import Callable

from editor.model.graph_run.state import GraphRun
from editor.model.i18n import tr
from editor.model.session import Session
from editor.qt.binding import Source
from editor.qt.panel import Panel, PanelContext, PanelSpec


def goes_on(session: Session) -> tuple[Source, Callable[[], bool]]:
    """The panel hands keys to the run."""
    run = session.feature(GraphRun)
    return run.state_changed, lambda: run.running


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.variables.widget import make

    return make(context)


PANEL = PanelSpec(
    "variables",
    tr("Variables"),
    "right",
    "inspector",
    create,
    actions=("graph.add_variable", "graph.add_trigger"),
    wakes=goes_on,
)
