"""Declares the compile panel."""

from editor.model.i18n import tr
from editor.panels.compile.widget import CompilePanel
from editor.qt.panel import PanelContext, PanelSpec


def create(context: PanelContext) -> CompilePanel:
    """Make the panel's widget."""
    return CompilePanel(context)


PANEL = PanelSpec("compile", tr("Compile"), "right", "compile", create)
