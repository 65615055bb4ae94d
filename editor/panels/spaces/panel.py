"""Declares the panel of bones that follow spaces."""

from editor.model.i18n import tr
from editor.qt.panel import Panel, PanelContext, PanelSpec


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.spaces.widget import SpacesPanel

    return SpacesPanel(context)


PANEL = PanelSpec("spaces", tr("Spaces"), "right", "spaces", create)
