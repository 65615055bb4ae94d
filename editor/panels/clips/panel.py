"""Declares the clip list."""

from editor.model.i18n import tr
from editor.panels.clips.widget import make
from editor.qt.panel import PanelSpec

PANEL = PanelSpec("clips", tr("Clips"), "left", "clips", make)
