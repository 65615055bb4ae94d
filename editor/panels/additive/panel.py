"""Declares the additive panel."""

from editor.model.i18n import tr
from editor.qt.panel import Panel, PanelContext, PanelSpec


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.additive.widget import make

    return make(context)


PANEL = PanelSpec("additive", tr("Additive"), "right", "add", create)
