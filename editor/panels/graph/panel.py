"""Declares the graph canvas."""

from editor.actions import graph_canvas
from editor.model.i18n import tr
from editor.qt.panel import Panel, PanelContext, PanelSpec


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.graph.widget import make

    return make(context)


PANEL = PanelSpec(
    "graph", tr("Graph"), "bottom", "graph", create, actions=tuple(a.id for a in graph_canvas.actions())
)
