"""Declares the timeline panel."""

from editor.model.i18n import tr
from editor.qt.panel import Panel, PanelContext, PanelSpec


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.timeline.widget import TimelinePanel

    return TimelinePanel(context)


PANEL = PanelSpec(
    "timeline", tr("Timeline"), "bottom", "timeline", create, actions=("time.", "events.", "timing_mode.")
)
