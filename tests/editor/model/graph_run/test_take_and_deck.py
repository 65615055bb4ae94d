"""A take's places and snapshots, the deck that holds it, runs again and comparisons: on a small machine."""

from dataclasses import replace

import numpy as np
import pytest

from core.graph.animation import character_playing
from core.graph.commands import Command, Do
from core.graph.graph import Graph
from core.graph.montage_edits import new_montage
from core.graph.record import SNAPSHOT_STEPS
from core.ids import AssetId
from core.math import transform
from core.terrain.ground import Ground
from editor.model.graph_run import take as takes
from editor.model.graph_run.clock import STEP
from editor.model.graph_run.deck import AT_ONCE
from editor.model.graph_run.lanes import WatchedPin
from editor.model.graph_run.rerun import names_of
from editor.model.graph_run.state import GraphRun
from editor.model.graph_run.take import CLOSE, FOLLOW, MOST_CLOSE, MOST_STEPS, Take
from tests.editor.model.graph_run.machine_run import machine_session
from tests.editor.panels.graph.graphs import BACK, GRAPH, IDLE, MACHINE, STATES
from tests.editor.stage import RIG, WALK


@pytest.fixture
def session(tmp_path):
    made = machine_session(tmp_path)
    yield made
    made.close()


@pytest.fixture
def run(session) -> GraphRun:
    return session.feature(GraphRun)


def steps(run: GraphRun, count: int) -> Take:
    """The take with so many steps in all."""
    for _ in range(count - len(run.take.steps)):
        run.take.step(STEP)
    run.deck.book.grow()
    return run.take


class Waiting:
    """Runs work when the test says so."""

    def __init__(self) -> None:
        self.waiting: list[tuple] = []

    def __call__(self, work, then) -> None:
        self.waiting.append((work, then))

    def deliver(self) -> None:
        work, then = self.waiting.pop(0)
        work()
        then()


def moved(session, name: str) -> None:
    """An edit of the graph that changes nothing of how it runs."""
    graph = session.document.project.get(Graph, GRAPH)
    session.edits.put(name, replace(graph, layout={"moved": name}))


# ---------------------------------------------------------------- a take
def test_a_take_knows_its_length_and_where_it_stands(run) -> None:
    take = steps(run, 7)
    assert (take.at, len(take.samples)) == (7, 7) and take.length == take.time == pytest.approx(6 * STEP)
    take.goto(3)
    assert take.at == 3 and take.time == pytest.approx(2 * STEP) and take.length == pytest.approx(6 * STEP)
    assert pytest.approx(600.0) == MOST_STEPS * STEP


def test_an_empty_take_stands_at_nought(run) -> None:
    take = Take(run.take.asset, run.take.character)
    assert (take.at, take.length, take.time, take.result) == (0, 0.0, 0.0, None)
    assert take.stands is transform.IDENTITY and take.number_at(3.0) == 1
    assert take.goto(5) is None and take.at == 0


def test_a_take_is_full_at_its_most_steps(run, monkeypatch) -> None:
    take = steps(run, 3)
    for most, full in ((4, False), (3, True), (2, True)):
        monkeypatch.setattr(takes, "MOST_STEPS", most)
        assert take.full is full


@pytest.mark.parametrize(
    ("time", "number"),
    [
        (-1.0, 1),
        (0.0, 1),
        (0.9 * STEP, 1),
        (STEP, 2),
        (STEP - 1e-10, 2),
        (STEP - 1e-7, 1),
        (3.5 * STEP, 4),
        (99.0, 7),
    ],
)
def test_so_many_steps_lie_up_to_a_time(run, time, number) -> None:
    assert steps(run, 7).number_at(time) == number


@pytest.mark.parametrize(("number", "at"), [(0, 1), (-4, 1), (5, 5), (7, 7), (8, 7)])
def test_to_go_to_a_step_stays_within_the_take(run, number, at) -> None:
    take = steps(run, 7)
    result = take.goto(number)
    assert take.at == at and result is take.result


def test_to_go_back_leaves_snapshots_that_are_close(run) -> None:
    take = steps(run, 75)
    assert sorted(take.recording.snapshots) == [0, SNAPSHOT_STEPS]
    take.goto(34)
    assert sorted(take.recording.snapshots) == [0, 10, 20, 30, 60] and CLOSE == 10
    take.goto(35)
    assert sorted(take.recording.snapshots) == [0, 10, 20, 30, 60]
    take.goto(60)
    assert sorted(take.recording.snapshots) == [0, 10, 20, 30, 40, 50, 60]
    assert take.recording.differs is None


def test_the_close_snapshots_made_first_are_dropped_first(run, monkeypatch) -> None:
    monkeypatch.setattr(takes, "MOST_CLOSE", 2)
    take = steps(run, 55)
    take.goto(45)
    assert sorted(take.recording.snapshots) == [0, 30, 40] and MOST_CLOSE > 2
    take.goto(50)
    assert take.at == 50 and take.recording.differs is None


def test_a_cut_drops_steps_samples_and_snapshots_ahead(run) -> None:
    take = steps(run, 65)
    take.goto(30)
    take.cut()
    assert len(take.steps) == len(take.samples) == len(take.recording.hashes) == 30
    assert sorted(take.recording.snapshots) == [0, 10, 20]
    take.step(STEP)
    assert take.at == 31 and take.samples[-1].end == pytest.approx(30 * STEP)


def test_what_a_variable_holds(run) -> None:
    assert run.take.value("speed") == 0.0 and run.take.value("none") is None


def test_on_ground_the_first_step_stands_on_it_and_others_follow(run) -> None:
    take = Take(run.take.asset, run.take.character, Ground(rise=0.5, run=1.0, start=-1.5, count=5))
    ground = float(take.ground.under(np.zeros(3)))
    assert ground != 0.0
    take.step(0.0)
    assert take.stands.translation[1] == ground
    take.ground = Ground()
    take.step(FOLLOW)
    assert take.stands.translation[1] == pytest.approx(ground / 2.0), "half of the way in this time"
    take.ground = None
    before = take.stands.translation[1]
    take.step(FOLLOW)
    assert take.stands.translation[1] == before


# ---------------------------------------------------------------- the deck
def test_to_clear_drops_all_that_is_held(session, run) -> None:
    steps(run, 5)
    moved(session, "one")
    deck = run.deck
    assert deck.comparison is not None
    deck.clear()
    assert deck.take is None and deck.book is None and deck.comparison is None
    assert deck.problems == () and not deck.under_way and not deck.catching_up


def test_a_montage_that_is_played_is_started_by_the_first_step(session, run) -> None:
    project = session.document.project
    montage = new_montage(AssetId("montage"), "wave", RIG, [project.assets[WALK]])
    session.edits.put("montage", montage)
    run.choose(montage.id)
    assert run.start(running=False)
    assert run.take.steps[0].commands == (Command(Do.PLAY, "wave"),) and run.take.asset.id == montage.id
    run.choose(WALK)
    assert run.start(running=False) and run.take.steps[0].commands == ()


def test_what_may_be_wrong_is_told_and_runs(session, run) -> None:
    graph = session.document.project.get(Graph, GRAPH)
    states = graph.sheet(STATES)
    arrows = tuple(replace(t, rule="") if t.id == BACK else t for t in states.transitions)
    sheets = tuple(replace(s, transitions=arrows) if s.id == STATES else s for s in graph.sheets)
    changed = replace(graph, sheets=sheets)
    warnings = character_playing(changed, session.document.project.with_assets(changed)).plan.warnings
    assert ["it has no rule" in str(warning) for warning in warnings] == [True]
    session.edits.put("a way without a rule", changed)
    assert run.deck.problems == warnings and run.deck.faults == () and run.on
    run.restart()
    assert run.deck.problems == warnings and run.take.asset is changed


def test_only_faults_keep_the_graph_from_running(run) -> None:
    problem = run.deck.problems[:0]
    assert problem == () and run.deck.faults == ()
    kinds = [type("P", (), {"warning": warning})() for warning in (True, False)]
    run.deck.problems = tuple(kinds)
    assert run.deck.faults == (kinds[1],) and run.stale
    run.deck.problems = (kinds[0],)
    assert run.deck.faults == () and not run.stale


def test_a_cut_cuts_the_lanes_too(run) -> None:
    steps(run, 9)
    run.take.goto(4)
    run.deck.cut()
    lane = run.deck.book.named(f"states.{MACHINE}")
    assert lane.bars[-1].end == pytest.approx(3 * STEP) and len(run.take.steps) == 4
    run.deck.clear()
    run.deck.cut()
    assert run.take is None


def test_what_is_watched_is_a_lane_of_both_runs_and_once_more_of_none(session, run) -> None:
    steps(run, 5)
    moved(session, "one")
    deck, told = run.deck, []
    deck.replaced.connect(lambda _: told.append(1))
    weight, other = WatchedPin(IDLE, "", "idle"), WatchedPin(MACHINE, "", "machine")
    deck.watch(weight)
    deck.watch(other)
    keys = [f"watch.{IDLE}.", f"watch.{MACHINE}."]
    for book in (deck.book, deck.comparison.book):
        assert [book.named(key) is not None for key in keys] == [True, True]
    deck.watch(replace(weight, title="another title"))
    assert deck.watched == (other,) and len(told) == 3
    for book in (deck.book, deck.comparison.book):
        assert [book.named(key) is not None for key in keys] == [False, True]
    deck.clear()
    deck.watch(other)
    assert deck.watched == () and len(told) == 4


# ---------------------------------------------------------------- running again
def test_the_new_run_stands_where_the_old_one_stood(session, run) -> None:
    steps(run, 20)
    run.take.goto(8)
    old, told = run.take, []
    run.deck.replaced.connect(lambda _: told.append(1))
    moved(session, "one")
    assert run.take is not old and (run.take.at, len(run.take.steps)) == (8, 20) and told == [1]
    assert run.deck.comparison.take is old and run.deck.comparison.first is None


def test_at_the_end_it_stands_at_the_end(session, run) -> None:
    steps(run, 20)
    moved(session, "one")
    assert run.at_end and run.take.at == 20


def test_a_row_of_the_same_changes_is_compared_with_the_run_before_the_first(session, run) -> None:
    steps(run, 5)
    first = run.take
    moved(session, "one")
    moved(session, "two")
    assert run.deck.comparison.take is first and run.deck.comparison.reason == "the edit"
    second = run.take
    run.set_ground(Ground(tilt_x=3.0))
    assert run.deck.comparison.take is second and run.deck.comparison.reason == "other ground"


def test_the_old_run_is_shown_in_place_of_the_new_one_and_back(session, run) -> None:
    steps(run, 20)
    old, old_book = run.take, run.deck.book
    moved(session, "one")
    new, told = run.take, []
    new.goto(6)
    run.deck.replaced.connect(lambda _: told.append(1))
    run.deck.compare()
    assert run.take is old and run.deck.book is old_book and old.at == 6
    assert run.deck.comparison.take is new and run.deck.comparison.reason == "the edit" and told == [1]
    run.deck.compare()
    assert run.take is new and run.deck.comparison.take is old
    run.deck.drop_comparison()
    assert run.deck.comparison is None and len(told) == 3
    run.deck.drop_comparison()
    run.deck.compare()
    assert len(told) == 3 and run.take is new


@pytest.mark.parametrize("meanwhile", [AT_ONCE, AT_ONCE + 1])
def test_a_few_steps_that_were_recorded_meanwhile_are_run_again_at_once(session, run, meanwhile) -> None:
    steps(run, 20)
    session.jobs.runner = later = Waiting()
    moved(session, "one")
    old = run.take
    assert run.deck.under_way and not run.deck.catching_up
    steps(run, 20 + meanwhile)
    later.deliver()
    if meanwhile > AT_ONCE:
        assert run.take is old and run.deck.catching_up and run.deck.under_way
        later.deliver()
    assert run.take is not old and len(run.take.steps) == 20 + meanwhile
    assert not run.deck.catching_up and not run.deck.under_way and later.waiting == []


def test_the_newest_wish_counts(session, run) -> None:
    steps(run, 20)
    session.jobs.runner = later = Waiting()
    moved(session, "one")
    moved(session, "two")
    old = run.take
    later.deliver()
    assert run.take is old and run.deck.under_way
    later.deliver()
    assert run.take is not old and not run.deck.under_way


def test_a_run_again_of_what_was_dropped_comes_to_nothing(session, run) -> None:
    steps(run, 20)
    session.jobs.runner = later = Waiting()
    moved(session, "one")
    run.deck.clear()
    assert not run.deck.under_way
    later.deliver()
    assert run.take is None and run.deck.comparison is None


def test_what_could_not_be_done_any_more_is_told(session, run) -> None:
    steps(run, 3)
    for name in ("free", "count", "aim", "gait"):
        run.take.step(STEP, {name: [0.5, 0.5, 0.5] if name == "aim" else 1.0, "speed": 0.1})
    run.take.step(STEP, {"jump": True})
    graph = session.document.project.get(Graph, GRAPH)
    kept = tuple(v for v in graph.variables if v.name not in ("free", "count", "aim", "gait"))
    session.edits.put("less", replace(graph, variables=kept))
    assert session.messages.latest.text == "Left out of the new run: free, count, aim, gait"
    assert [dict(step.inputs) for step in run.take.steps[3:]] == [{"speed": 0.1}] * 4 + [{"jump": True}]
    assert names_of(run.take.character) == {v.name for v in kept}


def test_a_step_that_is_refused_is_taken_without_its_inputs(session, run) -> None:
    steps(run, 3)
    run.take.step(STEP, {"aim": [0.5, 0.5, 0.5]})
    graph = session.document.project.get(Graph, GRAPH)
    number = next(v for v in graph.variables if v.name == "free")
    changed = tuple(replace(number, name="aim") if v.name == "aim" else v for v in graph.variables)
    session.edits.put("a number", replace(graph, variables=changed))
    assert len(run.take.steps) == 4 and run.take.steps[3].inputs == {}
    assert run.take.steps[3].dt == pytest.approx(STEP)
    assert session.messages.latest.text.startswith("Left out of the new run: ")
