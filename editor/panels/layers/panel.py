"""Declares the layers panel."""

from editor.model.i18n import tr
from editor.qt.panel import Panel, PanelContext, PanelSpec


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.layers.widget import make

    return make(context)


PANEL = PanelSpec("layers", tr("Layers"), "right", "layers", create, actions=("layers.",))
