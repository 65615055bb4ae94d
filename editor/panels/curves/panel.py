"""Declares the curve editor."""

from editor.model.i18n import tr
from editor.panels.curves.widget import CurvesPanel
from editor.qt.panel import PanelContext, PanelSpec


def create(context: PanelContext) -> CurvesPanel:
    """Make the panel's widget."""
    return CurvesPanel(context)


PANEL = PanelSpec("curves", tr("Curves"), "bottom", "curves", create)
