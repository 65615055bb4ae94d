"""Declares the graph canvas."""

from editor.model.i18n import tr
from editor.panels.graph.widget import make
from editor.qt.panel import PanelSpec

PANEL = PanelSpec("graph", tr("Graph"), "bottom", "graph", make)
