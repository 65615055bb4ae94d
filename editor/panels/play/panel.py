"""Declares the Play panel."""

from editor.model.i18n import tr
from editor.qt.panel import Panel, PanelContext, PanelSpec


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.play.widget import make

    return make(context)


PANEL = PanelSpec(
    "play",
    tr("Play"),
    "right",
    "gamepad",
    create,
    actions=("play.terrain_file", "play.matching_open", "play.matching_save"),
)
