"""Declares the panel that reduces the keys of a whole clip."""

from editor.model.i18n import tr
from editor.panels.reduce.widget import ReducePanel
from editor.qt.panel import PanelContext, PanelSpec


def create(context: PanelContext) -> ReducePanel:
    """Make the panel's widget."""
    return ReducePanel(context)


PANEL = PanelSpec("reduce", tr("Reduce keys"), "right", "reduce", create)
