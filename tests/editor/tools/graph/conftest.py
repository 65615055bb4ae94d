"""A hand over the canvas of the small graph."""

from collections.abc import Iterator

import pytest

from tests.editor.tools.graph.canvas_hand import Hand


@pytest.fixture
def hand() -> Iterator[Hand]:
    """The canvas with a pointer over it, without a window."""
    made = Hand()
    yield made
    made.session.close()
