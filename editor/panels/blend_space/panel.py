"""Declares the blend-space panel."""

from editor.model.i18n import tr
from editor.panels.blend_space.widget import make
from editor.qt.panel import PanelSpec

PANEL = PanelSpec("blend_space", tr("Blend space"), "right", "blend", make)
