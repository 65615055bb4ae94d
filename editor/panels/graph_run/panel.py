"""Declares the panel that runs animation graphs."""

from editor.model.i18n import tr
from editor.panels.graph_run.widget import make
from editor.qt.panel import PanelSpec

PANEL = PanelSpec("graph_run", tr("Graph run"), "right", "graph", make)
