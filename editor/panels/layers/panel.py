"""Declares the layers panel."""

from editor.model.i18n import tr
from editor.panels.layers.widget import make
from editor.qt.panel import PanelSpec

PANEL = PanelSpec("layers", tr("Layers"), "right", "layers", make)
