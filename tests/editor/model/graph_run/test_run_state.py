"""A run of a small machine: started, paused, stepped, gone back in; what is shown, and what is told."""

from dataclasses import replace

import numpy as np
import pytest

from core.errors import ValidationError
from core.graph.graph import Graph
from editor.model.graph_run.clock import STEP
from editor.model.graph_run.state import GraphRun
from tests.editor.model.graph_run.machine_run import DT, go, machine_session
from tests.editor.model.graph_run.told_run import counted, told, variable
from tests.editor.panels.graph.graphs import BACK, GRAPH, STATES, WALKING
from tests.editor.stage import WALK


@pytest.fixture
def session(tmp_path):
    made = machine_session(tmp_path)
    yield made
    made.close()


@pytest.fixture
def run(session) -> GraphRun:
    """Paused at its first step, which takes no time."""
    return counted(session)


def broken(session) -> None:
    """Give the graph a rule that cannot be read."""
    graph = session.document.project.get(Graph, GRAPH)
    sheets = tuple(
        replace(
            s, transitions=tuple(replace(t, rule="speed >") if t.id == BACK else t for t in s.transitions)
        )
        for s in graph.sheets
    )
    session.edits.put("broken", replace(graph, sheets=sheets))


# ---------------------------------------------------------------- what is shown
def test_a_run_that_was_not_begun_is_at_its_end_and_shows_nothing(session, run) -> None:
    run.stop()
    run.deck.clear()
    assert (run.time, run.at_end, run.states, run.detail, run.stale) == (0.0, True, {}, "", False)
    assert run.pose() is None and np.array_equal(run.world(), np.eye(4)) and run.title == "test"
    assert not run.advance(1.0)
    run.step_back()
    run.goto(3)
    run.seek(1.0)
    run.go_on_from_here()
    assert run.take is None and not run.on


def test_the_first_step_takes_no_time(run) -> None:
    assert (run.time, len(run.take.steps), run.take.steps[0].dt) == (0.0, 1, 0.0)
    assert run.states == {"moves": "idle"} and run.detail == "moves: idle" and run.at_end


def test_in_place_it_stands_where_it_began(session, run) -> None:
    session.playback.in_place = True
    assert np.array_equal(run.world(), np.eye(4))
    session.playback.in_place = False
    run.take.samples[-1] = replace(
        run.take.samples[-1], stands=run.take.stands._replace(translation=np.array([1.0, 2.0, 3.0]))
    )
    assert np.allclose(run.world()[:3, 3], (1.0, 2.0, 3.0))
    session.playback.in_place = True
    assert np.array_equal(run.world(), np.eye(4))


def test_without_a_run_a_variable_holds_what_it_will_be_given(session, run) -> None:
    speed, aim, jump = (variable(run, name) for name in ("speed", "aim", "jump"))
    run.set("speed", 1.5)
    assert run.value(speed) == 1.5 and run.value(jump) == 0.0
    assert run.value(aim) == pytest.approx((0.0, 0.0, 1.0))
    run.inputs.set(run.graph, "speed", 2.5)
    assert run.value(speed) == 1.5, "the run holds what the last step was given"
    run.stop()
    assert run.value(speed) == 2.5 and run.value(speed, run.graph) == 2.5
    session.document.replace(session.document.project.without(GRAPH), None)
    assert run.value(speed) == 0.0 and run.value(aim) == (0.0, 0.0, 1.0), "no graph: the defaults"


# ---------------------------------------------------------------- starting
def test_without_a_graph_it_says_so(session, run) -> None:
    session.document.replace(session.document.project.without(GRAPH), None)
    session.playback.set_clip(WALK)
    assert not run.start() and not run.on and run.take is None
    assert session.messages.latest.text == "This character has no animation graph"


def test_a_graph_with_faults_does_not_start(session, run) -> None:
    run.stop()
    run.deck.clear()
    broken(session)
    assert not run.start() and not run.on and run.take is None
    assert session.messages.latest.text.startswith("The graph cannot run: ")
    assert not run.stale, "nothing runs"


def test_to_start_lets_it_run_and_is_told_once(run) -> None:
    assert run.start() and run.running and told(run) == (0, 0, 1)
    assert run.start(running=False) and not run.running and run.on


def test_the_clip_stands_while_it_is_shown(session, run) -> None:
    run.stop()
    session.playback.play()
    run.start()
    assert run.on and run.running and not session.playback.playing


def test_the_button_runs_and_pauses(run) -> None:
    run.toggle()
    assert run.running
    run.toggle()
    assert not run.running and run.on


@pytest.mark.parametrize("running", [True, False])
def test_a_restart_begins_again_and_runs_as_before(run, running) -> None:
    go(run, 8)
    run.start(running)
    run.replay.set_span((0.0, 0.1))
    run.replay.mark(0.1)
    told(run)
    run.restart()
    assert run.running is running and run.on and len(run.take.steps) == 1
    assert run.replay.span is None and run.replay.marks == ()
    assert told(run) == (1, 0, 1)


def test_a_restart_keeps_the_variables(run) -> None:
    run.set("speed", 1.5)
    run.restart()
    assert run.value(variable(run, "speed")) == 1.5 and run.take.steps[0].inputs == {"speed": 1.5}


def test_a_restart_with_faults_shows_the_clip(session, run) -> None:
    broken(session)
    run.restart()
    assert not run.on and run.take is None and run.deck.faults


# ---------------------------------------------------------------- the clock
def test_time_that_passes_while_it_stands_does_not_count(run) -> None:
    run.start()
    assert not run.tick(10.0)
    assert run.tick(10.0 + DT) and run.time == pytest.approx(STEP)
    run.pause()
    assert not run.tick(10.05)
    run.start()
    assert not run.tick(10.1) and run.tick(10.1 + 2.0 * STEP) and len(run.take.steps) == 4


def test_time_that_passed_before_a_start_does_not_count(run) -> None:
    run.start()
    run.tick(10.0)
    run.start()
    assert not run.tick(10.05) and len(run.take.steps) == 1
    assert run.tick(10.05 + STEP) and len(run.take.steps) == 2


def test_steps_are_told_together(run) -> None:
    run.start()
    told(run)
    assert run.advance(3.0 * STEP) and told(run) == (1, 1, 0) and len(run.take.steps) == 4
    assert not run.advance(0.0) and not run.advance(-1.0) and told(run) == (0, 0, 0)
    assert not run.advance(0.25 * STEP) and told(run) == (0, 0, 0), "less than a step"
    assert run.advance(0.75 * STEP) and len(run.take.steps) == 5


def test_at_the_end_of_what_is_recorded_it_pauses(run) -> None:
    go(run, 8)
    run.goto(10)
    run.start()
    told(run)
    assert run.advance(STEP) and run.running and run.take.at == 11 and told(run) == (1, 1, 0)
    assert run.advance(10.0) and not run.running and run.at_end and told(run) == (1, 1, 1)


def test_a_span_is_played_over_and_over_at_the_end_too(run) -> None:
    go(run, 8)
    run.replay.set_span((2.0 * STEP, 6.0 * STEP))
    run.start()
    assert run.at_end
    assert run.advance(STEP) and run.running and not run.at_end
    assert 2.0 * STEP <= run.time <= 6.0 * STEP


def test_a_step_that_is_refused_pauses_and_says_why(session, run, monkeypatch) -> None:
    monkeypatch.setattr(run._steps, "one", lambda take, dt: (_ for _ in ()).throw(ValidationError("no way")))
    run.start()
    told(run)
    assert run.advance(3.0 * STEP) and not run.running and session.messages.latest.text == "no way"
    assert len([m for m in session.messages.log if m.text == "no way"]) == 1 and told(run) == (1, 1, 1)


def test_marks_spans_break_points_and_another_recording_are_told(run) -> None:
    run.replay.mark(0.5)
    assert told(run) == (0, 0, 1)
    run.replay.set_span((0.0, 0.5))
    assert told(run) == (0, 0, 1)
    run.breaks.toggle(WALKING)
    assert told(run) == (0, 0, 1)
    run.deck.replaced.emit(None)
    assert told(run) == (1, 1, 1)


# ---------------------------------------------------------------- single steps
def test_a_single_step_is_a_sixtieth_of_a_second(run) -> None:
    run.clock.speed = 0.25
    told(run)
    run.step_once()
    assert run.time == pytest.approx(1.0 / 60.0) and len(run.take.steps) == 2 and not run.running
    assert told(run) == (1, 1, 1)


def test_a_single_step_before_the_end_takes_no_new_one(run) -> None:
    go(run, 4)
    count = len(run.take.steps)
    run.goto(2)
    run.step_once()
    assert run.take.at == 3 and len(run.take.steps) == count
    run.step_back()
    run.step_back()
    assert run.take.at == 1
    run.step_back()
    assert run.take.at == 1


def test_to_go_to_a_step_pauses_and_is_told(run) -> None:
    go(run, 4)
    run.start()
    told(run)
    run.goto(3)
    assert run.take.at == 3 and not run.running and told(run) == (1, 1, 1)


def test_to_go_to_a_step_shows_what_was_left(run) -> None:
    go(run, 4)
    run.stop()
    run.goto(3)
    assert run.on and not run.running and run.take.at == 3


def test_a_time_is_the_last_step_up_to_it(run) -> None:
    go(run, 4)
    run.seek(2.5 * STEP)
    assert run.take.at == 3
    run.seek(3.0 * STEP)
    assert run.take.at == 4


def test_to_go_on_from_here_drops_what_comes_after(run) -> None:
    go(run, 4)
    run.goto(3)
    run.go_on_from_here()
    assert run.running and run.at_end and len(run.take.steps) == 3
    run.go_on_from_here(running=False)
    assert not run.running


# ---------------------------------------------------------------- break points
def test_a_break_point_pauses_points_and_says_where(session, run) -> None:
    pointed = []
    run.node_chosen.connect(pointed.append)
    run.breaks.toggle(WALKING)
    run.start()
    run.set("speed", 2.0)
    told(run)
    for _ in range(20):
        if not run.running:
            break
        run.advance(DT)
    assert pointed == [WALKING] and run.states == {"moves": "walking"}
    assert session.messages.latest.text == f"Paused at state walking, {run.time:.3f} s"
    assert run.take.samples[-2].active == (0,) and run.take.samples[-1].active == (1,)
    assert told(run)[2] == 1 and STATES in {sheet.id for sheet in run.graph.sheets}
