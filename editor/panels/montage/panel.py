"""Declares the montage panel."""

from collections.abc import Callable

from editor.model.i18n import tr
from editor.model.montage.preview import MontagePreview
from editor.model.session import Session
from editor.qt.binding import Source
from editor.qt.panel import Panel, PanelContext, PanelSpec


def goes_on(session: Session) -> tuple[Source, Callable[[], bool]]:
    """The panel drives the preview."""
    preview = session.feature(MontagePreview)
    return preview.state_changed, lambda: preview.running


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.montage.widget import make

    return make(context)


PANEL = PanelSpec("montage", tr("Montage"), "bottom", "montage", create, actions=("montage.",), wakes=goes_on)
