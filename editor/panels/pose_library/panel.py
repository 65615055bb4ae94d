"""Declares the pose library."""

from editor.model.i18n import tr
from editor.qt.panel import Panel, PanelContext, PanelSpec


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.pose_library.widget import PoseLibraryPanel

    return PoseLibraryPanel(context)


PANEL = PanelSpec("pose_library", tr("Poses"), "left", "layers", create)
