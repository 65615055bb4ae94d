"""An edit of a graph that changes nothing is no step: a field that is opened and left again."""

from editor.model.graph.editor import GraphEditor
from tests.editor.panels.graph.graphs import BLEND, CLIP_A, graph_session
from tests.editor.stage import WALK


def test_what_is_typed_or_chosen_as_it_was_makes_no_step() -> None:
    session = graph_session()
    try:
        nodes, steps = session.feature(GraphEditor).nodes, session.history.position
        assert not nodes.set_literal(BLEND, "alpha", "speed")
        assert not nodes.set_parameter([CLIP_A], "clip", WALK)
        assert session.history.position == steps
        assert nodes.set_literal(BLEND, "alpha", "0.5")
        assert session.history.position == steps + 1
    finally:
        session.close()
