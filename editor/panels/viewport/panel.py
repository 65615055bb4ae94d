"""Declares the viewport panel."""

from editor.panels.viewport.widget import ViewportPanel
from editor.qt.panel import PanelContext, PanelSpec


def create(context: PanelContext) -> ViewportPanel:
    """Make the panel's widget."""
    return ViewportPanel(context)


PANEL = PanelSpec("viewport", "Viewport", "centre", "viewport", create)
