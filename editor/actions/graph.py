"""Actions that run animation graphs."""

from editor.actions.action import Action
from editor.model.graph_run import GraphRun
from editor.model.i18n import tr
from editor.model.session import Session


def _has_graph(session: Session) -> str:
    return "" if session.feature(GraphRun).graphs else tr("this character has no animation graph")


def _is_on(session: Session) -> str:
    return "" if session.feature(GraphRun).on else tr("no graph is shown")


def actions() -> list[Action]:
    """Declared once, for menu, palette and shortcuts."""
    menu = tr("Blend")
    return [
        Action(
            "graph.run", tr("Run or pause the animation graph"), lambda s: s.feature(GraphRun).toggle(), menu=menu,
            section="graph", enabled=_has_graph, checked=lambda s: s.feature(GraphRun).running,
            tip=tr("Play the state machine with the variables of the Graph run panel"),
        ),
        Action(
            "graph.step", tr("Step the animation graph"), lambda s: s.feature(GraphRun).step_once(), menu=menu,
            section="graph", enabled=_has_graph,
        ),
        Action(
            "graph.restart", tr("Restart the animation graph"), lambda s: s.feature(GraphRun).restart(), menu=menu,
            section="graph", enabled=_has_graph,
        ),
        Action(
            "graph.stop", tr("Stop the animation graph"), lambda s: s.feature(GraphRun).stop(), menu=menu,
            section="graph", enabled=_is_on,
        ),
    ]  # fmt: skip
