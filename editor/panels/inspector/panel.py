"""Declares the inspector."""

from editor.model.i18n import tr
from editor.panels.inspector.widget import make
from editor.qt.panel import PanelSpec

PANEL = PanelSpec("inspector", tr("Inspector"), "right", "inspector", make)
