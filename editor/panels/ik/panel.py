"""Declares the IK panel."""

from editor.model.i18n import tr
from editor.qt.panel import Panel, PanelContext, PanelSpec


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.ik.widget import make

    return make(context)


PANEL = PanelSpec("ik", tr("IK"), "right", "ik", create)
