"""Declares the pose library."""

from editor.model.i18n import tr
from editor.panels.pose_library.widget import PoseLibraryPanel
from editor.qt.panel import PanelSpec

PANEL = PanelSpec("pose_library", tr("Poses"), "left", "layers", PoseLibraryPanel)
