"""Declares the panel that reduces the keys of a whole clip."""

from editor.model.i18n import tr
from editor.qt.panel import Panel, PanelContext, PanelSpec


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.reduce.widget import ReducePanel

    return ReducePanel(context)


PANEL = PanelSpec("reduce", tr("Reduce keys"), "right", "reduce", create, actions=("clip.reduce_keys",))
