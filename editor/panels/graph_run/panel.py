"""Declares the panel that runs what the character plays."""

from editor.model.i18n import tr
from editor.panels.graph_run.widget import make
from editor.qt.panel import PanelSpec

PANEL = PanelSpec("graph_run", tr("Run"), "bottom", "graph", make)
