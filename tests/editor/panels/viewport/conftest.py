"""The viewport's model on a small session, without a window."""

from collections.abc import Iterator

import pytest

from editor.model.session import Session
from editor.panels.viewport.view_model import ViewportModel
from editor.tools.state import ToolState
from tests.editor.panel_stage import small_session
from tests.editor.panels.viewport.test_marks_pinned import CAMERAS


@pytest.fixture
def session() -> Iterator[Session]:
    made = small_session()
    made.playback.seek(25.0 / 30.0)
    yield made
    made.close()


@pytest.fixture
def model(session: Session) -> Iterator[ViewportModel]:
    """In a view of 640 by 480 pixels, seen from aside."""
    made = ViewportModel(session, ToolState())
    made.resize((640.0, 480.0))
    made.controller.set_camera(CAMERAS["from aside"])
    yield made
    made.close()
