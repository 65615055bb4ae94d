"""Declares the history panel."""

from editor.model.i18n import tr
from editor.panels.history.widget import make
from editor.qt.panel import PanelSpec

PANEL = PanelSpec("history", tr("History"), "right", "history", make)
