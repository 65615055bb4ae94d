"""Declares the Simulate panel."""

from editor.model.i18n import tr
from editor.qt.panel import Panel, PanelContext, PanelSpec


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.simulate.widget import make

    return make(context)


PANEL = PanelSpec("simulate", tr("Simulate"), "right", "simulate", create)
