"""Declares the compile panel."""

from editor.model.i18n import tr
from editor.qt.panel import Panel, PanelContext, PanelSpec


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.compile.widget import CompilePanel

    return CompilePanel(context)


PANEL = PanelSpec(
    "compile",
    tr("Compile"),
    "right",
    "compile",
    create,
    actions=("compile.run", "compile.compare", "compile.save"),
)
