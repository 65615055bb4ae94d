"""Declares the panel of the played run."""

from editor.model.i18n import tr
from editor.qt.panel import Panel, PanelContext, PanelSpec


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.play_run.widget import make

    return make(context)


PANEL = PanelSpec(
    "play_run", tr("Played run"), "bottom", "history", create,
    actions=("play.export", "play.save_inputs", "play.open_inputs"),
)  # fmt: skip
