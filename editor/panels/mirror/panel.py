"""Declares the mirror panel."""

from editor.model.i18n import tr
from editor.qt.panel import Panel, PanelContext, PanelSpec


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.mirror.widget import MirrorPanel

    return MirrorPanel(context)


PANEL = PanelSpec("mirror", tr("Mirror"), "right", "mirror", create)
