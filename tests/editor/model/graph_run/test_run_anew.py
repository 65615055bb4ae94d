"""The run, its deck, inputs and montages in a session in which nothing was opened yet."""

import numpy as np
import pytest

from editor.model.graph_run.lanes import WatchedPin
from editor.model.graph_run.live import RunLive
from editor.model.graph_run.mapping import Controls
from editor.model.graph_run.on_canvas import RunOnCanvas
from editor.model.graph_run.state import GraphRun
from editor.model.session import Session


@pytest.fixture
def session():
    made = Session.create()
    yield made
    made.close()


def test_nothing_runs_and_nothing_is_recorded(session) -> None:
    run = session.feature(GraphRun)
    deck = run.deck
    assert deck.take is None and deck.book is None and deck.comparison is None and deck.ground is None
    assert (deck.problems, deck.watched, deck.catching_up, deck.under_way) == ((), (), False, False)
    assert (run.title, run.detail, run.time, run.at_end, run.states, run.stale) == (
        "",
        "",
        0.0,
        True,
        {},
        False,
    )
    assert run.pose() is None and np.array_equal(run.world(), np.eye(4)) and not run.on and not run.running
    assert run.graph is None and run.graphs == () and run.played.tried is None and run.inputs.path is None
    assert run.replay.span is None and run.replay.marks == () and not run.breaks and run.clock.speed == 1.0


def test_what_is_asked_of_it_comes_to_nothing(session) -> None:
    run = session.feature(GraphRun)
    assert not run.start() and not run.start(running=False) and not run.advance(1.0) and not run.tick(1.0)
    run.set("speed", 1.0)
    run.fire("jump")
    run.force_state("moves", "idle")
    run.step_once()
    run.step_back()
    run.goto(3)
    run.seek(1.0)
    run.set_ground(None)
    run.deck.compare()
    run.deck.drop_comparison()
    run.deck.cut()
    assert run.take is None and not run.on
    assert {m.text for m in session.messages.log} == {"This character has no animation graph"}


def test_a_pin_may_be_watched_before_there_is_a_run(session) -> None:
    run, pin = session.feature(GraphRun), WatchedPin("node", "", "title")
    run.deck.watch(pin)
    assert run.deck.watched == (pin,)
    run.deck.watch(pin)
    assert run.deck.watched == ()


def test_keys_canvas_and_pictures_have_nothing_to_do(session) -> None:
    controls, live, on = (session.feature(kind) for kind in (Controls, RunLive, RunOnCanvas))
    assert controls.active and controls.bindings == () and not controls.wants("W") and not controls.press("W")
    controls.gamepad({"axis0": 1.0})
    controls.release_all()
    assert live.frame("graph") is None and live.value("graph", "1") == "" and live.breaks == frozenset()
    assert on.breakable == () and on.watchable == () and on.transition == ""
    on.run_open()
    assert session.messages.log == ()
