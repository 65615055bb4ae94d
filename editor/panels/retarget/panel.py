"""Declares the retarget panel."""

from editor.model.i18n import tr
from editor.qt.panel import Panel, PanelContext, PanelSpec


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.retarget.widget import make

    return make(context)


PANEL = PanelSpec(
    "retarget",
    tr("Retarget"),
    "right",
    "retarget",
    create,
    actions=("retarget.open", "retarget.commit", "retarget.load_map", "retarget.save_map"),
)
