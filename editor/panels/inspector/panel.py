"""Declares the inspector."""

from collections.abc import Callable

from editor.model.event_choice import EventChoice
from editor.model.i18n import tr
from editor.model.session import Session
from editor.qt.binding import Source
from editor.qt.panel import Panel, PanelContext, PanelSpec


def goes_on(session: Session) -> tuple[Source, Callable[[], bool]]:
    """What was selected last is shown, notifies or bones: it has to hear of both."""
    choice = session.feature(EventChoice)
    return choice.changed, lambda: bool(choice.notifies)


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.inspector.widget import make

    return make(context)


PANEL = PanelSpec("inspector", tr("Inspector"), "right", "inspector", create, wakes=goes_on)
