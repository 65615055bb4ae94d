"""Declares the panel of a driven character's set-up."""

from editor.model.i18n import tr
from editor.qt.panel import Panel, PanelContext, PanelSpec


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.play_setup.widget import make

    return make(context)


PANEL = PanelSpec(
    "play_setup",
    tr("Play set-up"),
    "right",
    "bones",
    create,
    actions=("play.setup_save", "play.setup_rename", "play.matching_numbers"),
)
