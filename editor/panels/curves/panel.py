"""Declares the curve editor."""

from editor.model.i18n import tr
from editor.qt.panel import Panel, PanelContext, PanelSpec


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.curves.widget import CurvesPanel

    return CurvesPanel(context)


PANEL = PanelSpec("curves", tr("Curves"), "bottom", "curves", create, actions=("curves.",))
