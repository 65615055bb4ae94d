"""Declares the mirror panel."""

from editor.model.i18n import tr
from editor.panels.mirror.widget import MirrorPanel
from editor.qt.panel import PanelSpec

PANEL = PanelSpec("mirror", tr("Mirror"), "right", "mirror", MirrorPanel)
