"""Declares the timeline panel."""

from editor.model.i18n import tr
from editor.panels.timeline.widget import TimelinePanel
from editor.qt.panel import PanelContext, PanelSpec


def create(context: PanelContext) -> TimelinePanel:
    """Make the panel's widget."""
    return TimelinePanel(context)


PANEL = PanelSpec("timeline", tr("Timeline"), "bottom", "timeline", create)
