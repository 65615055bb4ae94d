"""Declares the blend-space panel."""

from collections.abc import Callable

from editor.model.blending.state import Blending
from editor.model.i18n import tr
from editor.model.session import Session
from editor.qt.binding import Source
from editor.qt.panel import Panel, PanelContext, PanelSpec


def goes_on(session: Session) -> tuple[Source, Callable[[], bool]]:
    """The panel drives the preview."""
    live = session.feature(Blending).live
    return live.state_changed, lambda: live.running


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.blend_space.widget import make

    return make(context)


PANEL = PanelSpec("blend_space", tr("Blend space"), "right", "blend", create, wakes=goes_on)
