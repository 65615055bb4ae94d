"""One drag of the timing bar's slider: shown live, one step at the end, over when the document changes under it."""

import pytest

from editor.tools.shaping import MODES, ShapeDrag
from tests.editor.actions import rich


@pytest.fixture
def session():
    made = rich.session()
    yield made
    made.close()


def test_an_undo_under_the_drag_ends_it_and_nothing_of_it_stays(session):
    drag = ShapeDrag(session, next(iter(MODES.values())))
    drag.move(60.0)
    assert session.preview.clip is not None
    session.undo()
    steps = session.history.labels
    assert session.preview.clip is None
    drag.move(80.0)
    assert session.preview.clip is None and not drag.finish()
    assert session.history.labels == steps and session.history.redo_label


def test_back_at_rest_shows_the_clip_itself_and_is_no_step(session):
    mode = next(iter(MODES.values()))
    drag, steps = ShapeDrag(session, mode), session.history.labels
    drag.move(60.0)
    drag.move(mode.neutral)
    assert session.preview.clip is None and not drag.finish()
    assert session.history.labels == steps
