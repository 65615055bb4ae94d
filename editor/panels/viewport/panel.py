"""Declares the viewport panel."""

from editor.model.i18n import tr
from editor.panels.viewport.widget import ViewportPanel
from editor.qt.panel import PanelContext, PanelSpec


def create(context: PanelContext) -> ViewportPanel:
    """Make the panel's widget."""
    return ViewportPanel(context)


PANEL = PanelSpec("viewport", tr("Viewport"), "centre", "viewport", create)
