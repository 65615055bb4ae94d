"""Declares the panel of morphs and named curves."""

from editor.model.i18n import tr
from editor.qt.panel import Panel, PanelContext, PanelSpec


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.weights.widget import make

    return make(context)


PANEL = PanelSpec("weights", tr("Morphs"), "left", "morphs", create, actions=("weights.add_curve",))
