"""Declares the montage panel."""

from editor.model.i18n import tr
from editor.panels.montage.widget import make
from editor.qt.panel import PanelSpec

PANEL = PanelSpec("montage", tr("Montage"), "bottom", "montage", make)
