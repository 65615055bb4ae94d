"""Declares the Bodies panel."""

from editor.model.i18n import tr
from editor.qt.panel import Panel, PanelContext, PanelSpec


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.bodies.widget import make

    return make(context)


PANEL = PanelSpec("bodies", tr("Bodies"), "right", "bodies", create)
