"""Which frames a simulation is for, and how long it settles before: what is set, held within the clip."""

from dataclasses import replace

import pytest

from core.project.project import Project
from editor.model.ragdoll.simulating import Simulating
from tests.editor.panel_stage import small_session


@pytest.fixture
def session():
    """A clip of 60 frames."""
    made = small_session(mesh=False)
    yield made
    made.close()


@pytest.mark.parametrize(
    "start, end, frames",
    [
        (None, None, (0.0, 60.0)), (10.0, None, (10.0, 60.0)), (None, 40.0, (0.0, 40.0)), (12.5, 30.0, (12.5, 30.0)),
        (-5.0, 90.0, (0.0, 60.0)), (30.0, 20.0, (30.0, 31.0)), (30.0, 30.5, (30.0, 31.0)), (59.5, 60.0, (59.0, 60.0)),
        (80.0, None, (59.0, 60.0)), (80.0, 99.0, (59.0, 60.0)), (None, 0.0, (0.0, 1.0)),
    ],
)  # fmt: skip
def test_the_range_is_a_frame_at_least_and_within_the_clip(session, start, end, frames):
    simulating = session.feature(Simulating)
    simulating.set(start=start, end=end)
    assert simulating.frames() == pytest.approx(frames)


def test_a_clip_that_loops_settles_for_a_turn_where_all_of_it_is_simulated(session):
    simulating = session.feature(Simulating)
    assert simulating.settle() == 0.0
    session.edits.put("loops", replace(session.clip, looping=True))
    assert simulating.settle() == pytest.approx(2.0)
    simulating.set(end=40.0)
    assert simulating.settle() == 0.0
    simulating.set(end=None, start=10.0)
    assert simulating.settle() == 0.0
    simulating.set(settle=0.75)
    assert simulating.settle() == 0.75
    session.playback.set_clip(None, session.rig.id)
    assert simulating.frames() == (0.0, 0.0) and simulating.settle() == 0.75


def test_the_play_range_becomes_the_range(session):
    simulating = session.feature(Simulating)
    session.playback.set_range(0.5, 1.5)
    simulating.use_play_range()
    assert simulating.frames() == pytest.approx((15.0, 45.0))
    session.playback.set_range(None)
    simulating.use_play_range()
    assert simulating.frames() == pytest.approx((0.0, 60.0))


def test_what_is_missing_is_asked_for_in_the_order_of_the_work(session):
    simulating = session.feature(Simulating)
    session.selection.select(("head",))
    assert simulating.why_not == ""
    session.selection.select(())
    assert simulating.why_not == "select the bones to simulate"
    session.playback.set_clip(None, session.rig.id)
    assert simulating.why_not == "create or select a clip first"
    session.document.replace(Project({}), None)
    assert simulating.why_not == "open or import a character first"


@pytest.mark.parametrize("start, end, frames", [
    (None, None, (0.0, 0.5)), (0.25, None, (0.0, 0.5)), (None, 0.25, (0.0, 0.5)), (5.0, 9.0, (0.0, 0.5)),
])  # fmt: skip
def test_a_clip_shorter_than_a_frame_is_simulated_as_a_whole(session, start, end, frames):
    session.edits.put("short", replace(session.clip, length=0.5 / 30.0, tracks={}))
    simulating = session.feature(Simulating)
    simulating.set(start=start, end=end)
    assert simulating.frames() == pytest.approx(frames)
