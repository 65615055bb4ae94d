"""Declares the retarget panel."""

from editor.model.i18n import tr
from editor.panels.retarget.widget import make
from editor.qt.panel import PanelSpec

PANEL = PanelSpec("retarget", tr("Retarget"), "right", "retarget", make)
