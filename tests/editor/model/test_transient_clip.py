"""A clip that is no part of the document is played in its place: who listens is told, and the time stays in it."""

from dataclasses import replace

import pytest

from core.ids import AssetId
from core.timing import FrameRate
from tests.editor.panel_stage import small_session


@pytest.fixture
def session():
    made = small_session(mesh=False)
    yield made
    made.close()


@pytest.fixture
def told(session):
    """What was told, in order."""
    found: list[str] = []
    session.playback.clip_changed.connect(lambda _: found.append("clip"))
    session.playback.range_changed.connect(lambda _: found.append("range"))
    return found


def other(session, length: float):
    return replace(session.clip, id=AssetId("guest"), name="guest", length=length, rate=FrameRate.of(60))


@pytest.mark.parametrize("ranged", [False, True])
def test_it_ends_a_play_range_and_only_then_says_so(session, told, ranged):
    playback = session.playback
    playback.set_range(*((0.5, 1.5) if ranged else (None,)))
    told.clear()
    guest = other(session, 3.0)
    playback.set_transient_clip(guest)
    assert told == ["clip", *(["range"] if ranged else [])]
    assert playback.range is None and playback.span == (0.0, 3.0)
    assert playback.transient_clip is guest and playback.shown is session.document.project.clips[0]
    told.clear()
    playback.set_transient_clip(guest)
    assert told == []


def test_its_length_and_rate_count_and_the_time_stays_within(session):
    playback = session.playback
    playback.seek(1.5)
    playback.set_transient_clip(other(session, 3.0))
    assert (playback.length, playback.rate.fps, playback.time) == (3.0, 60.0, 1.5)
    playback.seek(2.5)
    playback.set_transient_clip(other(session, 0.5))
    assert playback.time == 0.5
    playback.set_transient_clip(None)
    assert (playback.length, playback.rate.fps, playback.time) == (2.0, 30.0, 0.5)
    playback.set_transient_clip(other(session, 3.0))
    playback.seek(2.5)
    playback.set_transient_clip(None)
    assert playback.time == 2.0


def test_choosing_the_clip_shown_ends_it(session, told):
    playback = session.playback
    playback.set_transient_clip(other(session, 3.0))
    told.clear()
    playback.set_clip(session.document.project.clips[0].id)
    assert playback.transient_clip is None and told == ["clip"]
