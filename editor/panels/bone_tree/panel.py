"""Declares the bone tree."""

from editor.model.i18n import tr
from editor.qt.panel import Panel, PanelContext, PanelSpec


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.bone_tree.widget import make

    return make(context)


PANEL = PanelSpec(
    "bone_tree",
    tr("Bones"),
    "left",
    "bones",
    create,
    actions=("tree.filter", "tree.reveal", "virtual.add", "virtual.edit", "set.rename"),
)
