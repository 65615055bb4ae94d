"""Declares the Shot panel."""

from editor.model.i18n import tr
from editor.qt.panel import Panel, PanelContext, PanelSpec


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.shot.widget import make

    return make(context)


PANEL = PanelSpec(
    "shot", tr("Shot"), "right", "camera", create,
    actions=("shot.camera_import", "shot.prop_import", "shot.character_add"),
)  # fmt: skip
