"""Declares the source view."""

from editor.model.i18n import tr
from editor.panels.source_view.widget import make
from editor.qt.panel import PanelSpec

PANEL = PanelSpec("source_view", tr("Retarget source"), "left", "viewport", make)
