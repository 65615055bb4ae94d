"""Declares the panel of morphs and named curves."""

from editor.model.i18n import tr
from editor.panels.weights.widget import make
from editor.qt.panel import PanelSpec

PANEL = PanelSpec("weights", tr("Morphs"), "left", "morphs", make)
