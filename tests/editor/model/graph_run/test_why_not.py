"""Questions to a recorded step by plain numbers: which transition is meant, when its rules held, and why not."""

from types import SimpleNamespace

import numpy as np
import pytest

from core.errors import MissingReferenceError
from core.graph.peek import Running
from core.graph.record import SNAPSHOT_STEPS
from editor.model.graph_run import why as module
from editor.model.graph_run.clock import STEP
from editor.model.graph_run.state import GraphRun
from editor.model.graph_run.why import WORDS, Questions, _found, _not_looked_at, arrow, first_held, held
from tests.editor.model.graph_run.machine_run import machine_session
from tests.editor.panels.graph.graphs import BACK, GO


def transition(node: str, name: str, source: int, *rules: int) -> SimpleNamespace:
    return SimpleNamespace(node=node, name=name, source=source, rules=rules)


GO_AB, GO_CB, BACK_BA = (
    transition("go", "a -> b", 0, 0),
    transition("go", "c -> b", 2, 0, 1),
    transition("back", "b -> a", 1),
)
MOVES = SimpleNamespace(
    number=0,
    name="moves",
    states=[SimpleNamespace(name=n) for n in "abc"],
    transitions=[GO_AB, GO_CB, BACK_BA],
)
LOOKS = SimpleNamespace(
    number=1,
    name="looks",
    states=[SimpleNamespace(name=n) for n in "xy"],
    transitions=[transition("see", "x -> y", 0)],
)


class Take:
    """Steps whose samples are given: active states of both machines, and values of two rules."""

    def __init__(self) -> None:
        self.plan, self.samples, self.steps = SimpleNamespace(), [], []

    def add(
        self, moves=0, looks=0, running=(), dt=0.25, rules=(0.0, 0.0), weights=(1.0, 1.0), montages=()
    ) -> "Take":
        self.samples.append(SimpleNamespace(
            dt=dt, active=(moves, looks), running=(tuple(Running(n, 0.5) for n in running), ()), values=np.array(rules),
            weights=np.array(weights), montages=[SimpleNamespace(name=name) for name in montages],
        ))  # fmt: skip
        self.steps.append(SimpleNamespace(dt=dt))
        return self


@pytest.fixture
def take(monkeypatch) -> Take:
    monkeypatch.setattr(module, "machines", lambda plan: (MOVES, LOOKS))
    return Take()


# ---------------------------------------------------------------- which transition
@pytest.mark.parametrize(
    ("before", "title", "found"),
    [
        (0, "", GO_AB), (2, "", GO_CB), (1, "", GO_AB), (0, "c → b", GO_CB), (2, "a → b", GO_AB), (2, "x → y", GO_CB),
    ],
)  # fmt: skip
def test_of_several_with_one_id_the_one_that_leaves_the_state_is_meant(take, before, title, found) -> None:
    take.add(before).add(1)
    assert _found(take, 2, "go", title) == (MOVES, found)


def test_before_the_first_step_and_after_the_last_the_first_is_meant(take) -> None:
    take.add(2).add(2)
    assert _found(take, 0, "go", "") == (MOVES, GO_AB) and _found(take, 3, "go", "") == (MOVES, GO_AB)
    assert _found(take, 1, "go", "") == (MOVES, GO_CB) and _found(take, 2, "gone", "") is None
    assert _found(take, 2, "see", "") == (LOOKS, LOOKS.transitions[0])


def test_a_name_is_read_as_an_arrow() -> None:
    assert arrow("a -> b") == "a → b" and arrow("a-b") == "a-b"


# ---------------------------------------------------------------- when rules held
def test_a_rule_holds_where_all_its_parts_do_and_time_passes(take) -> None:
    for rules, dt in (((1.0, 0.0), 0.25), ((0.0, 1.0), 0.25), ((2.0, -1.0), 0.25), ((1.0, 1.0), 0.0)):
        take.add(rules=rules, dt=dt)
    assert held(take, GO_AB).tolist() == [1.0, 0.0, 1.0, 0.0]
    assert held(take, GO_CB).tolist() == [0.0, 0.0, 1.0, 0.0]
    assert held(take, BACK_BA).tolist() == [1.0] * 4, "without rules it holds always"


@pytest.mark.parametrize(("number", "first"), [(1, 2), (2, 2), (3, 5), (5, 5), (6, 2)])
def test_the_first_step_at_or_after_one_is_told_else_the_first_of_all(take, number, first) -> None:
    for holds in (0.0, 1.0, 0.0, 0.0, 1.0, 0.0):
        take.add(rules=(holds, 0.0))
    assert first_held(take, number, GO_AB) == first


def test_a_rule_that_never_held_has_no_first_step(take) -> None:
    take.add().add()
    assert first_held(take, 1, GO_AB) == 0


# ---------------------------------------------------------------- why it was not looked at
def test_in_a_step_of_no_time_nothing_is_decided(take) -> None:
    take.add().add(dt=0.0)
    assert _not_looked_at(take, 2, MOVES, GO_AB) == ("Nothing is decided in a step of no time", "")


def test_what_begins_a_machine_is_looked_at_only_then(take) -> None:
    take.add().add()
    begins = transition("begin", "-> a", -1)
    assert _not_looked_at(take, 2, MOVES, begins) == ("It is looked at only when the machine begins", "")


@pytest.mark.parametrize(("before", "where"), [(1, "b"), (-1, "no state")])
def test_the_machine_is_elsewhere(take, before, where) -> None:
    take.add(before).add(0)
    assert _not_looked_at(take, 2, MOVES, GO_AB) == ("The machine is elsewhere", f"it is in {where}")


def test_what_is_left_already_only_fades_out(take) -> None:
    take.add(1, running=(0,)).add(1)
    why, detail = _not_looked_at(take, 2, MOVES, GO_AB)
    assert why == "The running transition may not be interrupted by those of its source"
    assert detail == "it is in b already; what is left only fades out"
    take.samples[0].running = ((Running(1, 0.5),), ())
    assert _not_looked_at(take, 2, MOVES, GO_AB)[0] == "The machine is elsewhere"


@pytest.mark.parametrize(
    ("montages", "detail"),
    [((), ""), (("wave",), "wave plays: its slot can update its source always"),
     (("wave", "nod"), "wave, nod plays: its slot can update its source always")],
)  # fmt: skip
def test_a_machine_without_weight_does_not_play(take, montages, detail) -> None:
    take.add(0).add(0, weights=(0.0, 1.0), montages=montages)
    assert _not_looked_at(take, 2, MOVES, GO_AB) == ("Its machine does not play: it has no weight", detail)
    assert (
        _not_looked_at(take, 2, LOOKS, LOOKS.transitions[0])[0]
        == "The machine was told where to go, whatever the rules say"
    )


def test_a_machine_that_was_told_where_to_go(take) -> None:
    take.add(0).add(1)
    assert _not_looked_at(take, 2, MOVES, GO_AB) == (
        "The machine was told where to go, whatever the rules say",
        "",
    )
    assert _not_looked_at(take, 1, MOVES, GO_AB)[1] == "", "the first step is asked of itself"


# ---------------------------------------------------------------- of a run
@pytest.fixture
def run(tmp_path):
    session = machine_session(tmp_path)
    made = session.feature(GraphRun)
    for number in range(130):
        made.take.step(STEP, {"speed": 2.0} if number == 30 else {})
    yield made
    session.close()


def test_every_way_is_listed_and_out_of_range_nothing_is_told(run) -> None:
    questions = Questions()
    assert questions.transitions(run.take) == [
        (GO, "moves", "idle → walking"),
        (BACK, "moves", "walking → idle"),
    ]
    assert (
        questions.why(run.take, 1, GO) is not None
        and questions.why(run.take, len(run.take.steps), GO) is not None
    )
    for number in (0, -1, len(run.take.steps) + 1):
        assert questions.why(run.take, number, GO) is None
    assert questions.why(run.take, 1, "gone") is None


def test_what_was_taken_has_no_reason_against_it(run) -> None:
    questions = Questions()
    answer = questions.why(run.take, 32, GO)
    assert (answer.taken, answer.why, answer.detail) == (True, WORDS["taken"], "") and answer.first == 32
    assert answer.machine == "moves" and answer.title == "idle → walking" and answer.transition == GO
    before = questions.why(run.take, 31, GO)
    assert (before.taken, before.why) == (False, WORDS["rule"]) and before.detail and before.first == 32


@pytest.mark.parametrize(("number", "speed", "holds"), [(31, "0", False), (32, "2", True)])
def test_a_rule_is_told_with_its_values_after_the_inputs_of_the_step(run, number, speed, holds) -> None:
    (guard,) = Questions().why(run.take, number, GO).guards
    assert guard.text == "speed > 1.0 and not crouch or take('jump')"
    assert guard.values == f"speed = {speed}, crouch = false" and guard.holds is holds


def test_questions_are_asked_in_any_order(run) -> None:
    questions, take = Questions(), run.take
    numbers = (100, 5, 61, 60, 62, 131, 32)
    told = {number: questions.why(take, number, GO) for number in numbers}
    assert told == {number: Questions().why(take, number, GO) for number in numbers}
    snapshots = take.recording.snapshots
    assert SNAPSHOT_STEPS in snapshots
    del snapshots[SNAPSHOT_STEPS], snapshots[2 * SNAPSHOT_STEPS]
    assert Questions().why(take, 100, GO) == told[100], "from an earlier snapshot"


def test_another_take_is_asked_by_a_character_of_its_own(run) -> None:
    questions, first = Questions(), run.take
    questions.why(first, 32, GO)
    run.set("speed", 0.0)
    run.restart()
    answer = questions.why(run.take, 1, GO)
    assert answer is not None and not answer.taken and questions.why(first, 32, GO).taken


def test_a_bone_that_is_not_there_is_refused(run) -> None:
    with pytest.raises(MissingReferenceError):
        Questions().bone(run.take, 5, "tail")
