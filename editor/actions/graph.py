"""Actions that run animation graphs."""

from editor.actions.action import Action
from editor.model.i18n import tr
from editor.model.session import Session


def _has_graph(session: Session) -> str:
    return "" if session.graph_run.graphs else tr("this character has no animation graph")


def _is_on(session: Session) -> str:
    return "" if session.graph_run.on else tr("no graph is shown")


def actions() -> list[Action]:
    """Declared once, for menu, palette and shortcuts."""
    menu = tr("Blend")
    return [
        Action(
            "graph.run", tr("Run or pause the animation graph"), lambda s: s.graph_run.toggle(), menu=menu,
            section="graph", enabled=_has_graph, checked=lambda s: s.graph_run.running,
            tip=tr("Play the state machine with the variables of the Graph run panel"),
        ),
        Action(
            "graph.step", tr("Step the animation graph"), lambda s: s.graph_run.step_once(), menu=menu,
            section="graph", enabled=_has_graph,
        ),
        Action(
            "graph.restart", tr("Restart the animation graph"), lambda s: s.graph_run.restart(), menu=menu,
            section="graph", enabled=_has_graph,
        ),
        Action(
            "graph.stop", tr("Stop the animation graph"), lambda s: s.graph_run.stop(), menu=menu,
            section="graph", enabled=_is_on,
        ),
    ]  # fmt: skip
