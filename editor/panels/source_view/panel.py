"""Declares the source view."""

from editor.model.i18n import tr
from editor.qt.panel import Panel, PanelContext, PanelSpec


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.source_view.widget import make

    return make(context)


PANEL = PanelSpec("source_view", tr("Retarget source"), "left", "viewport", create)
