"""Declares the panel of a run's variables."""

from editor.model.i18n import tr
from editor.qt.graph_wakes import while_running
from editor.qt.panel import Panel, PanelContext, PanelSpec


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
    wakes=while_running,
)
