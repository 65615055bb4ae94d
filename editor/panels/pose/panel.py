"""Declares the PoseHelper panel."""

from editor.model.i18n import tr
from editor.panels.pose.widget import PosePanel
from editor.qt.panel import PanelSpec

PANEL = PanelSpec("pose", tr("Pose"), "right", "pose", PosePanel)
