"""Play in a session in which nothing was opened yet."""

import numpy as np
import pytest

from editor.model.play.baking import PlayBaking
from editor.model.play.clock import PlayClock
from editor.model.play.controls import PlayControls
from editor.model.play.setups import PlaySetups
from editor.model.play.state import Play
from editor.model.session import Session


@pytest.fixture
def session():
    made = Session.create()
    yield made
    made.close()


def test_nothing_is_driven_and_everything_is_as_it_comes(session) -> None:
    play = session.feature(Play)
    assert play.run is None and play.span is None and play.step_seconds == 0.0 and play.pose() is None
    assert not play.on and not play.running and not play.preparing and not play.failed
    assert (play.clock.speed, play.clock.dropped, play.clock.share) == (1.0, 0, 0.0)
    assert (play.controls.yaw, play.controls.pitch) == (PlayControls().yaw, PlayControls().pitch)
    assert play.camera == type(play.camera)() and isinstance(play.clock, PlayClock)
    assert np.array_equal(play.world(), np.eye(4)) and play.missing == () and play.detail == ""
    assert session.feature(PlayBaking).span is None and session.feature(PlaySetups).parts() == ()


def test_it_cannot_be_started_stepped_or_gone_back_in(session) -> None:
    play = session.feature(Play)
    for do in (play.start, play.step_once, play.toggle, play.restart):
        do()
    play.goto(3)
    play.seek(1.0)
    play.stop()
    play.leave()
    play.pause()
    assert play.run is None and not play.on
    assert [m.text for m in session.messages.log] == ["Play: no character is shown"] * 4


def test_a_span_that_is_chosen_too_early_is_told_once(session) -> None:
    play, told = session.feature(Play), []
    play.state_changed.connect(lambda _: told.append(1))
    play.set_span(None)
    assert told == []
    play.set_span((2, 4))
    assert told == [1] and play.span == (2, 4)
