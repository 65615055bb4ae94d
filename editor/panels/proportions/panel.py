"""Declares the panel of retarget sources."""

from editor.model.i18n import tr
from editor.qt.panel import Panel, PanelContext, PanelSpec


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.proportions.widget import make

    return make(context)


PANEL = PanelSpec(
    "proportions", tr("Proportions"), "right", "scale", create, actions=("retarget.source_file",)
)
