"""Declares the viewport panel."""

from editor.model.i18n import tr
from editor.qt.panel import Panel, PanelContext, PanelSpec


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.viewport.widget import ViewportPanel

    return ViewportPanel(context)


PANEL = PanelSpec("viewport", tr("Viewport"), "centre", "viewport", create, actions=("view.marking_menu",))
