"""One window for all tests of a module: opening one takes seconds."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QToolTip

from editor.panels.graph.find_box import FindBox
from tests.editor.panels.graph.graphs import Hand, graph_project, hand


@pytest.fixture(scope="module")
def window(qapp) -> Iterator[Hand]:
    with hand(qapp, "graph_node") as made:
        yield made


@pytest.fixture
def shared_hand(window) -> Iterator[Hand]:
    """The window with the small graph, as if it had just been opened."""
    window.view.cancel()
    window.view.findChild(FindBox).close_box()
    window.stage.window.messages.bar.dismiss()
    QToolTip.hideText()
    window.stage.load(graph_project())
    window.user.settle()
    window.canvas.view = type(window.canvas.view)(-120.0, -60.0, 1.0)
    window.view.setFocus()
    window.user.move(window.view, (6, window.view.height() - 6))
    window.user.settle()
    yield window
    for timer in window.stage.window.status.findChildren(QTimer):
        timer.stop()  # a message that would go away by itself
