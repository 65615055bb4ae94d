"""Declares the panel of retarget sources."""

from editor.model.i18n import tr
from editor.panels.proportions.widget import make
from editor.qt.panel import PanelSpec

PANEL = PanelSpec("proportions", tr("Proportions"), "right", "scale", make)
