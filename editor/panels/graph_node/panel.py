"""Declares the inspector of graph nodes."""

from editor.model.i18n import tr
from editor.panels.graph_node.widget import make
from editor.qt.panel import PanelSpec

PANEL = PanelSpec("graph_node", tr("Node"), "right", "inspector", make)
