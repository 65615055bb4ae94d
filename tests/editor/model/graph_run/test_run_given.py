"""What a run of a small machine is given: inputs, commands, something else to play, edits, other clips."""

from dataclasses import replace

import pytest

from core.graph.commands import Command, Do
from core.graph.graph import Graph
from core.graph.montage import Montage
from core.graph.montage_edits import new_montage
from core.ids import AssetId
from core.terrain.ground import Ground
from editor.model.graph_run.clock import STEP
from editor.model.graph_run.inputs import InputPath
from editor.model.graph_run.state import GraphRun
from editor.model.messages import Level
from tests.editor.model.graph_run.machine_run import go, machine_session
from tests.editor.model.graph_run.told_run import counted, told, variable
from tests.editor.panels.graph.graphs import GRAPH
from tests.editor.stage import RIG, TURN


@pytest.fixture
def session(tmp_path):
    made = machine_session(tmp_path)
    yield made
    made.close()


@pytest.fixture
def run(session) -> GraphRun:
    """Paused at its first step, which takes no time."""
    return counted(session)


# ---------------------------------------------------------------- inputs and commands
def test_what_is_unknown_is_not_set(run) -> None:
    told(run)
    run.set("none", 1.0)
    run.set("speed", 1.0, replace(run.graph, id=AssetId("another")))
    assert told(run) == (0, 0, 0) and len(run.take.steps) == 1 and run.value(variable(run, "speed")) == 0.0


def test_a_paused_change_shows_at_once(run) -> None:
    told(run)
    run.set("speed", 1.5)
    assert told(run) == (1, 1, 1) and [step.dt for step in run.take.steps] == [0.0, 0.0]
    run.set("crouch", True)
    assert [dict(step.inputs) for step in run.take.steps] == [{}, {"speed": 1.5, "crouch": True}]
    go(run, 1)
    run.set("speed", 2.0)
    assert [step.dt for step in run.take.steps][-2:] == [pytest.approx(STEP), 0.0]


def test_a_change_while_it_runs_waits_for_the_next_step(run) -> None:
    run.start()
    told(run)
    run.set("speed", 1.5)
    assert told(run) == (0, 0, 1) and len(run.take.steps) == 1
    run.advance(STEP)
    assert run.take.steps[-1].inputs == {"speed": 1.5}


def test_a_trigger_waits_for_the_next_step_and_is_not_kept(run) -> None:
    run.set("jump", True)
    assert len(run.take.steps) == 1
    run.step_once()
    assert run.take.steps[-1].inputs == {"jump": True}
    run.restart()
    assert run.take.steps[0].inputs == {}


def test_a_change_before_the_end_runs_the_recording_again(session, run) -> None:
    go(run, 8)
    run.goto(6)
    told(run)
    run.set("speed", 1.5)
    assert run.take.steps[5].inputs == {"speed": 1.5} and run.take.at == 6
    assert run.deck.comparison.reason == f"speed at {run.time:.2f} s"
    assert run.inputs.value(run.graph, variable(run, "speed")) == 0.0, "only the recording is changed"


def test_a_trigger_shows_the_run_and_lets_it_run(run) -> None:
    run.stop()
    run.fire("jump")
    assert run.on and run.running
    run.advance(STEP)
    assert run.take.steps[-1].inputs == {"jump": True}
    run.start(running=False)
    run.fire("jump")
    assert not run.running


def test_a_command_before_the_end_goes_on_from_there(run) -> None:
    go(run, 8)
    run.goto(6)
    told(run)
    run.force_state("moves", "walking")
    assert len(run.take.steps) == 7 and run.states == {"moves": "walking"} and not run.running
    assert run.take.steps[-1].dt == pytest.approx(STEP)
    assert run.take.steps[-1].commands == (Command(Do.GO, "moves", to="walking"),)


def test_a_command_while_it_runs_waits_for_the_next_step(run) -> None:
    run.start()
    run.force_state("moves", "walking")
    assert len(run.take.steps) == 1 and run.running
    run.advance(STEP)
    assert run.states == {"moves": "walking"}


def test_a_command_shows_the_run_paused(run) -> None:
    run.stop()
    run.force_state("moves", "walking")
    assert run.on and not run.running and run.states == {"moves": "walking"}


def test_recorded_inputs_play_from_now_on(run) -> None:
    go(run, 4)
    told(run)
    run.play_inputs(InputPath(((0.0, {"speed": 0.5}), (2.0 * STEP, {"speed": 1.0})), 4.0 * STEP))
    assert told(run) == (0, 0, 1)
    start = len(run.take.steps)
    for _ in range(6):
        run.step_once()
    assert [dict(step.inputs) for step in run.take.steps[start:]] == [
        {"speed": 0.5}, {"speed": 1.0}, {}, {"speed": 0.5}, {}, {"speed": 1.0},
    ]  # fmt: skip
    run.play_inputs(None)
    run.step_once()
    run.step_once()
    assert [dict(step.inputs) for step in run.take.steps[-2:]] == [{}, {}]


def test_a_paused_change_takes_nothing_of_the_path_that_plays(run) -> None:
    go(run, 1)
    run.play_inputs(InputPath(((0.0, {"free": 3.0}), (STEP, {"free": 4.0})), 4.0 * STEP))
    run.set("speed", 1.5)
    assert run.take.steps[-1].inputs == {"speed": 1.5} and run.take.steps[-1].dt == 0.0
    run.step_once()
    assert run.take.steps[-1].inputs == {"free": 4.0}


def test_a_change_that_is_refused_is_said(session, run) -> None:
    run.set("aim", 3.0)
    said = session.messages.latest
    assert len(run.take.steps) == 1 and said.level is Level.ERROR and "aim" in said.text


# ---------------------------------------------------------------- what is played
def test_something_else_is_tried_without_an_edit(session, run) -> None:
    go(run, 2)
    steps = session.history.position
    run.choose(GRAPH)
    assert run.on and len(run.take.steps) > 1, "it runs already"
    told(run)
    run.choose(TURN)
    assert (
        not run.on and run.take is None and run.played.asset.id == TURN and session.history.position == steps
    )
    assert run.title == "turn" and told(run)[2] == 2
    run.play_as(GRAPH)
    assert run.played.tried is None and run.played.asset.id == GRAPH and session.history.position == steps + 1


def test_other_ground_runs_the_recording_again_once(run) -> None:
    go(run, 2)
    take, ground = run.take, Ground(tilt_x=5.0)
    told(run)
    run.set_ground(ground)
    assert run.take is not take and run.take.ground == ground and run.deck.comparison.reason == "other ground"
    take = run.take
    told(run)
    run.set_ground(Ground(tilt_x=5.0))
    assert run.take is take and told(run) == (0, 0, 0)


# ---------------------------------------------------------------- edits
def test_an_edit_of_the_graph_runs_the_recording_again(session, run) -> None:
    go(run, 2)
    take, graph = run.take, session.document.project.get(Graph, GRAPH)
    session.edits.put("layout", replace(graph, layout={"moved": 1}))
    assert run.take is not take and run.deck.comparison.reason == "the edit"


@pytest.mark.parametrize(
    ("what", "again"),
    [("clip", True), ("rig", True), ("montage", True), ("montage of another", False), ("gone", True)],
)
def test_which_edits_concern_the_run(session, run, what, again) -> None:
    go(run, 2)
    project, clip = session.document.project, session.document.project.assets[TURN]
    other = replace(project.assets[RIG], id=AssetId("rig-other"), name="other")
    session.edits.put("other", other)
    montage: Montage = new_montage(AssetId("montage"), "m", RIG, [clip])
    if what == "gone":
        session.edits.put("montage", montage)
    run.deck.drop_comparison()
    take = run.take
    if what == "clip":
        session.edits.put(what, replace(clip, name="turned"))
    elif what == "rig":
        session.edits.put(what, replace(session.document.project.assets[RIG], name="renamed"))
    elif what == "gone":
        session.edits.remove(what, montage.id)
    else:
        rig = other.id if "another" in what else RIG
        tracks = () if "another" in what else montage.tracks
        session.edits.put(what, replace(montage, rig=rig, tracks=tracks))
    assert (run.take is not take) is again


def test_the_graph_that_is_deleted_ends_the_run(session, run) -> None:
    go(run, 2)
    told(run)
    session.edits.remove("gone", GRAPH)
    assert run.take is None and not run.on
    session.undo()
    assert run.take is None and run.played.asset.id == GRAPH


def test_another_document_ends_the_run(session, run) -> None:
    go(run, 2)
    run.replay.mark(0.1)
    session.document.replace(session.document.project, None)
    assert run.take is None and not run.on and run.replay.marks == ()


def test_another_clip_of_the_character_leaves_what_is_recorded(session, run) -> None:
    go(run, 2)
    told(run)
    session.playback.set_clip(TURN)
    assert not run.on and run.take is not None and told(run)[2] >= 1


def test_a_clip_of_another_character_drops_what_is_recorded(session, run) -> None:
    go(run, 2)
    other = replace(session.document.project.assets[RIG], id=AssetId("rig-other"), name="other")
    session.edits.put("other", other)
    session.playback.set_clip(None, other.id)
    assert run.take is None and not run.on


def test_no_character_at_all_drops_what_is_recorded(session, run, monkeypatch) -> None:
    go(run, 2)
    monkeypatch.setattr(type(session.evaluator), "rig", None)
    session.playback.clip_changed.emit(None)
    assert run.take is None
