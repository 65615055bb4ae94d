"""Declares the IK panel."""

from editor.model.i18n import tr
from editor.panels.ik.widget import make
from editor.qt.panel import PanelSpec

PANEL = PanelSpec("ik", tr("IK"), "right", "ik", make)
