"""Declares the panel that runs what the character plays."""

from editor.model.i18n import tr
from editor.qt.graph_wakes import while_running
from editor.qt.panel import Panel, PanelContext, PanelSpec


def create(context: PanelContext) -> Panel:
    """Make the panel's widget."""
    from editor.panels.graph_run.widget import make

    return make(context)


PANEL = PanelSpec(
    "graph_run",
    tr("Run"),
    "bottom",
    "graph",
    create,
    actions=(
        "graph.why",
        "graph.export_span",
        "graph.span_clip",
        "graph.save_test",
        "graph.save_inputs",
        "graph.load_inputs",
    ),
    wakes=while_running,
)
