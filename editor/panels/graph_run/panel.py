"""Declares the panel that runs what the character plays."""

from collections.abc import Callable

from editor.model.graph_run.state import GraphRun
from editor.model.i18n import tr
from editor.model.session import Session
from editor.qt.binding import Source
from editor.qt.panel import Panel, PanelContext, PanelSpec


def goes_on(session: Session) -> tuple[Source, Callable[[], bool]]:
    """The panel drives the run."""
    run = session.feature(GraphRun)
    return run.state_changed, lambda: run.running


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.graph_run.widget import make

    return make(context)


PANEL = PanelSpec(
    "graph_run",
    tr("Run"),
    "bottom",
    "graph",
    create,
    actions=(
        "graph.why",
        "graph.export_span",
        "graph.span_clip",
        "graph.save_test",
        "graph.save_inputs",
        "graph.load_inputs",
    ),
    wakes=goes_on,
)
