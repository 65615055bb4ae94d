"""Declares the inspector of graph nodes."""

from editor.model.i18n import tr
from editor.qt.panel import Panel, PanelContext, PanelSpec


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.graph_node.widget import make

    return make(context)


PANEL = PanelSpec("graph_node", tr("Node"), "right", "inspector", create)
