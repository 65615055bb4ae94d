"""Declares the panel of a run's variables."""

from editor.model.i18n import tr
from editor.panels.variables.widget import make
from editor.qt.panel import PanelSpec

PANEL = PanelSpec("variables", tr("Variables"), "right", "inspector", make)
