"""Declares the additive panel."""

from editor.model.i18n import tr
from editor.panels.additive.widget import make
from editor.qt.panel import PanelSpec

PANEL = PanelSpec("additive", tr("Additive"), "right", "add", make)
