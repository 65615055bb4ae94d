"""Declares the panel of audio and reference footage."""

from editor.model.i18n import tr
from editor.qt.panel import Panel, PanelContext, PanelSpec


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.media.widget import MediaPanel

    return MediaPanel(context)


PANEL = PanelSpec(
    "media", tr("Media"), "right", "media", create,
    actions=("media.add_audio", "media.add_reference", "media.choose_another"),
)  # fmt: skip
