"""Runs again as jobs: progress, the newest wish, cancelling, what is left out; and where numbers of a plan belong."""

from types import SimpleNamespace

import numpy as np
import pytest

from core.errors import ValidationError
from core.graph.commands import Command, Do
from core.graph.peek import Running
from core.graph.problems import GraphError, Problem
from core.graph.record import Step
from core.progress import Progress
from editor.model.graph_run import live_places, rerun
from editor.model.graph_run.live_places import LivePlaces, LiveValues
from editor.model.graph_run.rerun import Comparison, Rerun, Wanted, names_of, run_again
from editor.model.jobs import Jobs, JobState


class Take:
    """A take that refuses what is called "bad"."""

    def __init__(self, asset, character, ground) -> None:
        self.asset, self.character, self.ground, self.steps, self.tries = asset, character, ground, [], []

    def step(self, dt, inputs=None, commands=()) -> None:
        self.tries.append((dt, dict(inputs or {}), tuple(commands)))
        if inputs and "bad" in inputs.values():
            raise ValidationError("refused")
        self.steps.append((dt, dict(inputs or {}), tuple(commands)))


class Book:
    def __init__(self, take, watched) -> None:
        self.take, self.watched, self.grown = take, watched, 0

    def grow(self) -> None:
        self.grown += 1


def plan(*names: str) -> SimpleNamespace:
    return SimpleNamespace(variables=[(SimpleNamespace(name=name), None) for name in names])


@pytest.fixture
def stood(monkeypatch) -> SimpleNamespace:
    """The character that is made anew: it knows `a` and `b`."""
    character = SimpleNamespace(
        plan=plan("a"), post=SimpleNamespace(instance=SimpleNamespace(plan=plan("b")))
    )
    monkeypatch.setattr(rerun, "Take", Take)
    monkeypatch.setattr(rerun, "LaneBook", Book)
    monkeypatch.setattr(rerun, "character_playing", lambda asset, project: character)
    return character


def wanted(*steps: Step, **more: object) -> Wanted:
    return Wanted("asset", "project", steps, "ground", ("pin",), **more)


# ---------------------------------------------------------------- running again
def test_a_character_without_another_graph_knows_its_own_variables(stood) -> None:
    assert names_of(stood) == {"a", "b"}
    stood.post = None
    assert names_of(stood) == {"a"}


def test_steps_are_taken_again_as_they_were(stood) -> None:
    command = Command(Do.GO, "moves", to="walk")
    made = run_again(wanted(Step(0.0, {"a": 1}), Step(0.5, {"b": 2}, commands=(command,))), Progress())
    assert made.take.steps == [(0.0, {"a": 1}, ()), (0.5, {"b": 2}, (command,))] and made.dropped == ()
    assert (made.take.asset, made.take.character, made.take.ground) == ("asset", stood, "ground")
    assert made.book.take is made.take and made.book.watched == ("pin",) and made.book.grown == 1


def test_changed_inputs_come_in_place_of_a_steps_own(stood) -> None:
    steps = [Step(0.5, {"a": 1, "b": 1}), Step(0.5), Step(0.5, {"a": 3})]
    made = run_again(wanted(*steps, changed={0: {"a": 9}, 1: {"b": 9}}), Progress())
    assert [inputs for _, inputs, _ in made.take.steps] == [{"a": 9, "b": 1}, {"b": 9}, {"a": 3}]


def test_what_does_not_fit_is_left_out_and_told_once(stood) -> None:
    steps = [Step(0.5, {"gone": 1, "a": 1}), Step(0.5, {"a": "bad", "gone": 2}), Step(0.25, {"b": "bad"})]
    made = run_again(wanted(*steps, changed={2: {"lost": 1}}), Progress())
    assert made.take.steps == [(0.5, {"a": 1}, ()), (0.5, {}, ()), (0.25, {}, ())]
    assert made.dropped == ("gone", "refused", "lost")


def test_it_goes_on_from_what_was_begun(stood) -> None:
    steps = (Step(0.5, {"a": 1}), Step(0.5, {"gone": 2}), Step(0.5, {"a": 3}))
    begun = run_again(wanted(*steps[:2]), Progress())
    made = run_again(wanted(*steps, begun=begun), Progress())
    assert made.take is begun.take and made.book is begun.book and made.book.grown == 2
    assert [inputs for _, inputs, _ in made.take.steps] == [{"a": 1}, {}, {"a": 3}]
    assert made.dropped == ("gone",)


def test_progress_is_told_each_thirty_steps(stood) -> None:
    told = []
    run_again(wanted(*[Step(0.5)] * 75), Progress(lambda share, _: told.append(share)))
    assert told == [0.0, 30 / 75, 60 / 75]


# ---------------------------------------------------------------- jobs
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


def test_a_run_again_is_a_job_that_can_be_given_up_at_once(stood) -> None:
    later, got = Waiting(), []
    jobs = Jobs(later)
    again = Rerun(jobs)
    again.cancel()
    assert not again.under_way
    again.start(wanted(Step(0.5)), got.append, got.append)
    (job,) = jobs.running
    assert again.under_way and job.title == "Run the recording again" and job.detached
    again.cancel()
    assert not again.under_way and jobs.running == () and job.state is JobState.CANCELLED
    later.deliver()
    assert got == []


def test_a_newer_wish_ends_an_older_one(stood) -> None:
    later, got = Waiting(), []
    jobs = Jobs(later)
    again = Rerun(jobs)
    again.start(wanted(Step(0.5)), got.append, got.append)
    again.start(wanted(Step(0.5), Step(0.5)), got.append, got.append)
    assert len(jobs.running) == 1
    later.deliver()
    assert got == [] and again.under_way
    later.deliver()
    assert [len(made.take.steps) for made in got] == [2] and not again.under_way


def test_what_is_done_at_once_is_not_under_way(stood) -> None:
    got, again = [], Rerun(Jobs())
    again.start(wanted(Step(0.5)), got.append, got.append)
    assert len(got) == 1 and not again.under_way


def test_a_graph_with_faults_is_told(stood, monkeypatch) -> None:
    def refused(asset, project):
        raise GraphError("moves", [Problem("wrong")])

    monkeypatch.setattr(rerun, "character_playing", refused)
    done, failed, again = [], [], Rerun(Jobs(later := Waiting()))
    again.start(wanted(Step(0.5)), done.append, lambda error: failed.append((type(error), again.under_way)))
    later.deliver()
    assert done == [] and failed == [(GraphError, False)]


def test_a_comparison_grows_the_old_lanes_first(monkeypatch) -> None:
    monkeypatch.setattr(rerun, "first_difference", lambda old, new: (old, new))
    book = Book("old", ())
    made = Comparison.of("old", book, "new", "the edit")
    assert (made.take, made.book, made.reason, made.first) == ("old", book, "the edit", ("old", "new"))
    assert book.grown == 1


# ---------------------------------------------------------------- where numbers belong
def machine(node: str, number: int, *states: tuple[str, int]) -> SimpleNamespace:
    return SimpleNamespace(
        node=node, number=number, states=[SimpleNamespace(node=n, root=root) for n, root in states],
        transitions=[SimpleNamespace(node=f"{node}-go"), SimpleNamespace(node=f"{node}-back")],
    )  # fmt: skip


@pytest.fixture
def places(monkeypatch) -> LivePlaces:
    """Two machines on one sheet, one whose node is the sheet, and nodes that one or two ops are of."""
    found = (
        machine("m1", 3, ("s1", 0), ("s2", 1)),
        machine("m2", 4, ("s3", 2)),
        machine("sheet-own", 5, ("s4", 0)),
    )
    nodes = [
        SimpleNamespace(id="m1", parameters={"sheet": "shared"}),
        SimpleNamespace(id="m2", parameters={"sheet": "shared"}),
    ]
    graph = SimpleNamespace(sheets=[
        SimpleNamespace(id="poses", nodes=[*nodes, SimpleNamespace(id="clip", parameters={})]),
        SimpleNamespace(id="shared", nodes=[]), SimpleNamespace(id="sheet-own", nodes=[]),
    ])  # fmt: skip
    ops = [
        SimpleNamespace(node=n, number=k)
        for k, n in enumerate(("clip", "clip", "s3", "m1", "m2", "sheet-own"))
    ]
    monkeypatch.setattr(live_places, "machines", lambda plan: found)
    return LivePlaces(SimpleNamespace(graph=graph, ops=ops))


def moment(weights, active=(0, 0, 0), running=((), (), ())) -> SimpleNamespace:
    return SimpleNamespace(weights=np.array(weights), active=active, seconds=(1.0, 2.0, 3.0), running=running)


def test_of_several_ops_of_a_node_the_heaviest_counts(places) -> None:
    for weights, heaviest in (((0.25, 0.75, 0.1), 0.75), ((0.5, 0.0, 0.1), 0.5)):
        found = places.weights(moment((*weights, 0.3, 0.4, 0.6)))
        assert found["clip"] == heaviest and found["m1"] == 0.3 and found["sheet-own"] == 0.6
        assert (found["s1"], found["s2"], found["s3"], found["s4"]) == (*weights, weights[0])


def test_of_several_machines_of_a_sheet_the_heaviest_is_told(places) -> None:
    assert places.machine_sheets == ("shared", "sheet-own")
    weights = [0.0, 0.0, 0.0, 0.5, 0.25, 1.0]
    found = places.machines_of(moment(weights, active=(1, 0, -1), running=((Running(1, 0.5),), (), ())))
    assert (found["shared"].active, found["shared"].seconds) == ("s2", 1.0)
    assert [(t.id, t.progress) for t in found["shared"].running] == [("m1-back", 0.5)]
    assert found["sheet-own"].active == "" and found["sheet-own"].seconds == 3.0
    weights[4] = 0.75
    assert places.machines_of(moment(weights))["shared"].active == "s3"
    weights[4] = 0.5
    assert places.machines_of(moment(weights))["shared"].active == "s1", "of two alike the first"


def test_values_of_pins_are_words_made_when_they_are_asked_for(monkeypatch) -> None:
    monkeypatch.setattr(
        live_places, "in_words", lambda plan, type, numbers: f"{numbers.dtype} {numbers.tolist()}"
    )
    pins = {("n", "x"): SimpleNamespace(register=1, type=SimpleNamespace(width=1)),
            ("n", "y"): SimpleNamespace(register=2, type=SimpleNamespace(width=3))}  # fmt: skip
    values = LiveValues(SimpleNamespace(pins=pins), np.arange(6, dtype=np.float32))
    assert (
        dict(values) == {("n", "x"): "float64 [1.0]", ("n", "y"): "float64 [2.0, 3.0, 4.0]"}
        and len(values) == 2
    )
