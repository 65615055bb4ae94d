"""Declares the PoseHelper panel."""

from editor.model.i18n import tr
from editor.qt.panel import Panel, PanelContext, PanelSpec


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.pose.widget import PosePanel

    return PosePanel(context)


PANEL = PanelSpec("pose", tr("Pose"), "right", "pose", create)
