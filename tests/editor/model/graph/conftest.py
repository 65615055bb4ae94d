"""The small graph open in a session without a window."""

from collections.abc import Iterator

import pytest

from editor.model.graph.editor import GraphEditor
from tests.editor.panels.graph.graphs import graph_session


@pytest.fixture
def editor() -> Iterator[GraphEditor]:
    """What edits the graph; `session` is the one it belongs to."""
    session = graph_session()
    made = session.feature(GraphEditor)
    made.session = session
    yield made
    session.close()
