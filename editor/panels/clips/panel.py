"""Declares the clip list."""

from editor.model.i18n import tr
from editor.qt.panel import Panel, PanelContext, PanelSpec


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.clips.widget import make

    return make(context)


PANEL = PanelSpec("clips", tr("Clips"), "left", "clips", create, actions=("clip.rename",))
