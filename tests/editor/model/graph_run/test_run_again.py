"""A run without a window, run again: after edits of the graph, other inputs, other ground; and what is asked of it."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Clip
from core.ids import AssetId
from core.terrain.ground import Ground
from editor.model.graph_run.lanes import first_difference
from editor.model.graph_run.why import Questions
from tests.editor.model.graph_run.run_helpers import graph_named, machine_lane, rotations, with_rule
from tests.editor.model.graph_run.runs import go, running


@pytest.fixture
def here(tmp_path):
    session, run = running(tmp_path)
    yield session, run
    session.close()


# ------------------------------------------------------------------ run again
def test_input_changed_in_the_past_runs_again_and_tells_the_first_difference(here):
    _, run = here
    go(run, 1.0)
    run.seek(0.5)
    at = run.take.at
    run.set("crouch", True)
    assert run.take.at == at and run.states == {"moves": "crouched"}
    assert run.deck.comparison.first == (at - 1, "states")
    assert machine_lane(run).bars[-1].end == pytest.approx(1.0, abs=0.02)


def test_edit_of_a_rule_runs_the_recording_again_beside_the_old_one(here):
    session, run = here
    go(run, 0.5)
    run.set("speed", 2.0)
    go(run, 0.5)
    graph = graph_named(session, "moves")
    session.edits.put("rule", with_rule(graph, "take('jump')", "speed > 1"))
    assert "leap" in [bar.text for bar in machine_lane(run).bars]
    number, what = run.deck.comparison.first
    assert run.take.samples[number].end == pytest.approx(0.52, abs=0.03)
    assert what == "states"
    session.undo()
    assert [bar.text for bar in machine_lane(run).bars] == ["on foot"]
    again = first_difference(run.deck.comparison.take, run.take)
    assert run.deck.comparison.first == again


def test_a_variable_is_set_by_who_still_holds_the_graph_from_before_an_edit(here):
    session, run = here
    before = graph_named(session, "moves")
    go(run, 0.1)
    session.edits.put("rule", with_rule(before, "take('jump')", "speed > 9"))
    run.set("speed", 1.5, before)
    go(run, 0.1)
    speed = next(v for v in graph_named(session, "moves").variables if v.name == "speed")
    assert run.value(speed) == 1.5


def test_broken_edit_keeps_the_last_good_plan_running_and_says_so(here):
    session, run = here
    go(run, 0.2)
    graph = graph_named(session, "moves")
    take = run.take
    session.edits.put("broken", with_rule(graph, "crouch", "crooch"))
    assert run.stale and run.take is take
    assert "crooch" in str(run.deck.faults[0])
    go(run, 0.2)
    assert run.take.length == pytest.approx(0.4, abs=0.02)
    session.undo()
    assert not run.stale and run.take.length == pytest.approx(0.4, abs=0.02)


def test_run_that_is_begun_again_with_faults_shows_the_clip(here):
    session, run = here
    go(run, 0.2)
    seen = []
    session.evaluator.changed.connect(lambda _: seen.append(session.evaluator.pose()))
    session.edits.put("broken", with_rule(graph_named(session, "moves"), "crouch", "crooch"))
    run.restart()
    assert not run.on and run.deck.faults
    assert seen and np.isfinite(session.evaluator.pose().local.rotation).all()


def test_an_edit_of_what_the_run_cannot_play_leaves_it_as_it_is(here):
    session, run = here
    clip, other = session.document.project.clips[0], AssetId("clip-of-another")
    rig = replace(session.rig, id=AssetId("rig-of-another"), name="another", post_graph=None, animation=None)
    session.edits.put("another character", rig, replace(clip, id=other, name="theirs", rig=rig.id))
    go(run, 0.2)
    told = []
    run.deck.replaced.connect(lambda _: told.append(1))
    theirs = session.document.project.get(Clip, other)
    session.edits.put("length", replace(theirs, length=theirs.length + 1.0))
    assert run.deck.comparison is None and not told
    session.edits.put("length", replace(clip, length=clip.length + 1.0))
    assert told


def test_a_span_that_ends_a_little_before_the_end_is_played_over_and_one_beyond_it_is_not(here):
    _, run = here
    go(run, 1.0)
    for end, over in (
        (run.take.length - 0.05, True),
        (run.take.length, True),
        (run.take.length + 0.1, False),
    ):
        run.replay.set_span((0.2, end))
        assert run.replay.loops(run.take) is over


class Later:
    """A runner whose work is done and delivered when the test says so."""

    def __init__(self) -> None:
        self.waiting = []

    def __call__(self, work, then) -> None:
        self.waiting.append((work, then))

    def deliver(self) -> None:
        work, then = self.waiting.pop(0)
        work()
        then()


def test_what_is_recorded_while_a_run_is_run_again_is_caught_up_in_the_background(here):
    session, run = here
    go(run, 0.2)
    session.jobs.runner = later = Later()
    graph = graph_named(session, "moves")
    session.edits.put("rule", with_rule(graph, "take('jump')", "speed > 1"))
    go(run, 2.0)
    old, steps = run.take, list(run.take.steps)
    later.deliver()
    assert run.take is old and run.deck.catching_up  # 120 steps: not in the window's thread
    run.start()
    assert not run.advance(0.1) and len(old.steps) == len(steps)
    later.deliver()
    assert run.take is not old and not run.deck.catching_up and not later.waiting
    assert [step.dt for step in run.take.steps] == [step.dt for step in steps] and run.at_end
    assert run.advance(0.1) and len(run.take.steps) == len(steps) + 6


def test_a_run_that_went_another_way_meanwhile_is_run_again_whole(here):
    session, run = here
    go(run, 1.0)
    session.jobs.runner = later = Later()
    graph = graph_named(session, "moves")
    session.edits.put("layout", replace(graph, layout={"moved": 1}))
    run.seek(0.5)
    run.go_on_from_here()
    for _ in range(3):
        run.advance(0.05)
    steps = list(run.take.steps)
    later.deliver()
    later.deliver()
    assert not later.waiting and [step.dt for step in run.take.steps] == [step.dt for step in steps]


def test_recording_run_again_unchanged_differs_nowhere(here):
    session, run = here
    run.set("speed", 2.0)
    go(run, 0.7)
    run.fire("jump")
    go(run, 0.7)
    old = run.take
    graph = graph_named(session, "moves")
    session.edits.put("layout", replace(graph, layout={"moved": 1}))
    assert run.take is not old
    assert run.deck.comparison.first is None


def test_variable_that_is_gone_is_left_out_of_the_new_run(here):
    session, run = here
    run.set("look", True)
    go(run, 0.2)
    graph = graph_named(session, "moves")
    text = with_rule(graph, "crouch", "false")
    sheets = tuple(
        replace(s, nodes=tuple(replace(n, literals={**n.literals, "alpha": "false"}) if n.kind == "look_at" else n
                               for n in s.nodes))
        for s in text.sheets
    )  # fmt: skip
    variables = tuple(v for v in graph.variables if v.name not in ("look", "crouch"))
    sheets = tuple(
        replace(s, transitions=tuple(t for t in s.transitions if "crouch" not in t.rule)) for s in sheets
    )
    session.edits.put("less", replace(text, sheets=sheets, variables=variables))
    assert not run.stale
    assert all("look" not in step.inputs for step in run.take.steps)


def test_other_ground_bends_the_legs_and_is_part_of_the_recording(here):
    _, run = here
    go(run, 0.5)
    level = rotations(run)
    run.set_ground(Ground(tilt_x=12.0))
    assert run.take.ground == Ground(tilt_x=12.0)
    assert not np.allclose(rotations(run), level, atol=1e-3)
    assert run.take.steps[-1].ground


# ------------------------------------------------------------------ questions
def test_why_not_tells_each_guard_and_the_first_step_at_which_the_rule_holds(here):
    _, run = here
    go(run, 0.5)
    number = run.take.at
    run.set("crouch", True)
    go(run, 0.3)
    questions = Questions()
    transition = next(t for s in run.graph.sheets for t in s.transitions if t.rule == "crouch")
    answer = questions.why(run.take, number, transition.id)
    assert not answer.taken and answer.title == "on foot → crouched"
    assert [(guard.text, guard.holds) for guard in answer.guards] == [("crouch", False)]
    taken = questions.why(run.take, answer.first, transition.id)
    assert taken.taken
    before = questions.why(run.take, answer.first - 1, transition.id)
    assert not before.taken
    land = next(t for s in run.graph.sheets for t in s.transitions if t.rule.startswith("speed > 1"))
    guards = questions.why(run.take, number, land.id).guards
    assert [guard.text for guard in guards] == ["speed > 1", "time_in_state > 0.15"]
    assert guards[0].values == "speed = 0" and guards[0].holds is False and guards[1].holds is True


def test_asking_leaves_the_run_where_it_is(here):
    _, run = here
    go(run, 0.5)
    before = run.take.character.snapshot()
    Questions().bone(run.take, 20, "head")
    assert run.take.character.snapshot().same_bits(before)


def test_bone_tells_the_node_that_turned_it(here):
    _, run = here
    run.set("look", True)
    run.set("look_place", [2.0, 1.6, 1.0])
    go(run, 1.0)
    added = Questions().bone(run.take, run.take.at, "head")
    turned = {node.name: node.degrees for node in added}
    assert turned["look head"] > 5.0
    assert turned["upper body"] < 1e-6
