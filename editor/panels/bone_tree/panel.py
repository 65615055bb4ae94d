"""Declares the bone tree."""

from editor.model.i18n import tr
from editor.panels.bone_tree.widget import make
from editor.qt.panel import PanelSpec

PANEL = PanelSpec("bone_tree", tr("Bones"), "left", "bones", make)
