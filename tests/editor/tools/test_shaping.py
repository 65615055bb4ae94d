"""One drag of the timing bar's slider: shown live, one step at the end, over when the document changes under it."""

import numpy as np
import pytest

from core.clips.follow import followed
from editor.tools import shaping
from editor.tools.shaping import FOLLOW, MODES, ShapeDrag
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


@pytest.mark.parametrize("span", [None, (0.2, 1.5), (0.0, 1.5), (0.2, 2.0)])
def test_follow_through_of_all_of_a_loop_goes_round_its_seam_and_that_of_a_part_does_not(session, span):
    session.selection.select_keys({})
    session.selection.select(["upper_arm_l", "lower_arm_l", "hand_l"])
    session.playback.set_range(*(span or (None,)))
    before = session.clip
    assert before.looping
    assert shaping.apply(session, FOLLOW, 4.0)
    wanted = followed(session.rig, before, session.selection.bones, 4.0, span)
    for channel, track in wanted.tracks.items():
        assert np.array_equal(session.clip.tracks[channel].values, track.values), channel
    assert session.history.labels[-1] == "Follow-through 4 f: 2 bones"
