"""Runs as saved tests, and states that go over to another plan: entry by entry."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Notify
from core.graph.carry import carried
from core.graph.commands import Command, Do, play_clip
from core.graph.compile import compile_graph
from core.graph.graph import Role, SyncSetting, Variable
from core.graph.instance import Instance
from core.graph.language.values import Kind
from core.graph.record import Recording, Step
from core.graph.saved_test import command_to, expectations, saved_test, steps_to
from core.graph.state_hash import MASK, _factors, hash_by_twin, together
from core.math import quat
from core.math.transform import Transform
from tests.core.graph.builders import Drawing, clip

SPEED = Variable("speed", maximum=9.0)
GO = Variable("go", Kind.BOOL, maximum=1.0, minimum=0.0, role=Role.TRIGGER, buffer=5.0)
WAY = Variable("way", Kind.VECTOR, (0.0, 0.0, 0.0))
NOTIFIES = (Notify("step", 0.25), Notify("hold", 0.1, 0.5))


def machine(*variables: Variable, rule="speed > 1", names="ab", reverse=False, **more):
    drawing = Drawing(
        clip("a", notifies=NOTIFIES), clip("b", x=1.0), variables=variables or (SPEED, GO, WAY), **more
    )
    states = {name: drawing.clip_sheet(name) for name in names}
    drawn = drawing.machine_graph(drawing.machine(states, [("a", "b", rule, {"seconds": 0.2})]))
    return compile_graph(drawn, drawing.project(drawn))


# -------------------------------------------------------------------- saved tests
def test_equal_plain_steps_are_told_once_with_their_number():
    steps = [
        Step(0.1),
        Step(0.1),
        Step(0.1),
        Step(0.2),
        Step(0.1, {"speed": 1.0}),
        Step(0.1, {"speed": 1.0}),
        Step(0.1),
    ]
    assert steps_to(steps) == [
        {"dt": 0.1, "count": 3}, {"dt": 0.2}, {"dt": 0.1, "set": {"speed": 1.0}}, {"dt": 0.1, "set": {"speed": 1.0}},
        {"dt": 0.1},
    ]  # fmt: skip
    assert steps_to([]) == []


def test_all_that_a_step_was_given_is_told():
    moved = Transform(np.array([1.0, 2.0, 3.0]), np.array([0.0, 0.6, 0.0, 0.8]), np.ones(3))
    step = Step(
        0.1, {"speed": 2, "way": np.array([1.0, 2.0, 3.0]), "gait": "run", "go": True},
        ((0.5, (0.0, 1.0, 0.0)), (0.25, (0.6, 0.8, 0.0))), moved, (Command(Do.STOP, "wave"),),
    )  # fmt: skip
    assert steps_to([step]) == [{
        "dt": 0.1, "set": {"speed": 2, "way": [1.0, 2.0, 3.0], "gait": "run", "go": True},
        "commands": [{"do": "stop", "montage": "wave"}],
        "ground": [[0.5, [0.0, 1.0, 0.0]], [0.25, [0.6, 0.8, 0.0]]],
        "stands": [1.0, 2.0, 3.0, 0.0, 0.6, 0.0, 0.8],
    }]  # fmt: skip


@pytest.mark.parametrize(
    ("command", "entry"),
    [
        (Command(Do.PLAY, "wave"), {"do": "play", "montage": "wave"}),
        (
            Command(Do.PLAY, "wave", section="two", at=0.5, rate=2.0, stop_group=False),
            {"do": "play", "montage": "wave", "section": "two", "at": 0.5, "rate": 2.0, "stop_group": False},
        ),
        (
            Command(Do.STOP, "wave", seconds=0.0, handle=3),
            {"do": "stop", "montage": "wave", "seconds": 0.0, "handle": 3},
        ),
        (
            Command(Do.NEXT, "wave", section="a", to="b"),
            {"do": "next", "montage": "wave", "next": "b", "section": "a"},
        ),
        (Command(Do.NEXT, "wave"), {"do": "next", "montage": "wave", "next": ""}),
        (Command(Do.GO, "m", to="b"), {"do": "go", "machine": "m", "state": "b"}),
        (Command(Do.TRAVEL, "m", to="b"), {"do": "travel", "machine": "m", "state": "b"}),
        (
            play_clip("hit", "G.U", 0.1, 0.2, 3.0, 0, stop_group=False),
            {"do": "play_clip", "clip": "hit", "rate": 3.0, "stop_group": False, "slot": "G.U", "in": 0.1, "out": 0.2,
             "loops": 0},
        ),
        (play_clip("hit", "G.U"), {"do": "play_clip", "clip": "hit", "slot": "G.U"}),
    ],
)  # fmt: skip
def test_commands_tell_what_differs_from_what_is_left_out(command, entry):
    assert command_to(command) == entry


def test_a_run_is_expected_to_change_states_and_to_fire_as_often():
    recording = Recording.of(machine())
    for number in range(6):
        recording.step(0.1, {"speed": 5.0} if number == 3 else {})
    recording.goto(2)
    found = saved_test(recording)
    assert recording.at == 2
    assert found["steps"] == [
        {"dt": 0.1, "count": 3},
        {"dt": 0.1, "set": {"speed": 5.0}},
        {"dt": 0.1, "count": 2},
    ]
    assert "ground" not in found
    # “hold” begins and ends, and ticks: what ticks is not counted.
    assert found["expect"] == [
        {"time": 0.1, "state": {"machine": "a"}}, {"time": 0.4, "state": {"machine": "b"}},
        {"time": 0.6, "state": {"machine": "b"}}, {"event": "a", "count": 4}, {"event": "b", "count": 2},
        {"event": "step", "count": 1},
    ]  # fmt: skip
    own = [{"time": 0.5, "state": {"machine": "b"}}]
    told = saved_test(recording, own)
    assert told["expect"] == own and told["expect"][0] is not own[0]
    assert expectations([], []) == []


# -------------------------------------------------------------------- hashes
def test_hashes_are_sums_of_words_by_odd_factors():
    assert (together(1, 2), together(2, 1)) == (0x9E3779B97F4A7C15 + 2, (2 * 0x9E3779B97F4A7C15 + 1) & MASK)
    assert together(MASK, 5) <= MASK
    factors = _factors(3)
    assert all(int(f) % 2 for f in factors)
    numbers, whole = np.array([1.5, -2.0]), np.array([7])
    words = [*numbers.view(np.uint64).tolist(), 7]
    wanted = sum(w * int(f) for w, f in zip(words, factors, strict=True)) % 2**64
    assert hash_by_twin(numbers, whole, factors) == wanted


def test_factors_are_those_of_splitmix():
    def mixed(k):
        z = (k * 0x9E3779B97F4A7C15) % 2**64
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) % 2**64
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) % 2**64
        return (z ^ (z >> 31)) | 1

    assert [int(f) for f in _factors(5)] == [mixed(k) for k in range(1, 6)]


# -------------------------------------------------------------------- carried over
def gone_on(old: Instance, new) -> Instance:
    made = Instance(new)
    made.go_on_from(old)
    return made


def started(plan=None, **inputs) -> Instance:
    made = Instance(plan or machine())
    for _ in range(3):
        made.step(0.1, inputs)
    return made


def test_values_go_over_by_name_and_are_kept_within_new_bounds():
    old = started(speed=5.0, way=[1.0, 2.0, 3.0])
    new = gone_on(old, machine(WAY, replace(SPEED, maximum=2.0), GO))
    assert (new.value("speed"), new.value("way")) == (2.0, (1.0, 2.0, 3.0))
    assert new.state.steps == old.state.steps == 3
    other = gone_on(old, machine(replace(WAY, name="path"), Variable("speed", Kind.INT), GO, rule="false"))
    assert (other.value("path"), other.value("speed")) == ((0.0, 0.0, 0.0), 0.0)  # another name, another kind


def test_triggers_go_over_as_long_as_they_are_triggers():
    old = started()
    old.set("go", True)
    assert gone_on(old, machine(GO, SPEED)).state.pending.tolist() == [5.0, -1.0]
    plain = gone_on(old, machine(replace(GO, role=Role.INPUT), SPEED))
    assert plain.state.pending.tolist() == [-1.0, -1.0]
    assert gone_on(started(), machine(GO, SPEED)).state.pending.tolist() == [-1.0, -1.0]


def test_players_and_machines_go_on_where_their_layout_agrees():
    old = started(speed=5.0)
    same = gone_on(old, machine(SPEED, GO, rule="speed > 2"))
    assert same.step(0.0).states == {"machine": "b"}
    assert same.state.weights.tolist() == pytest.approx(old.state.weights.tolist())
    player = same.plan.op_named("b")
    before = old.plan.op_named("b")
    assert same.state.floats[player.place.floats] == old.state.floats[before.place.floats] > 0.0
    assert same.state.relevant.tolist() == old.state.relevant.tolist()
    # A machine with other states begins anew; its players do not.
    fewer = gone_on(old, machine(SPEED, GO, names="ba"))
    assert fewer.plan.op_named("machine").active(Run(fewer)) <= 0


class Run:
    """What `MachineOp.active` asks of a run."""

    def __init__(self, instance: Instance) -> None:
        self.ints = instance.state.ints


def test_what_expressions_remember_goes_over_where_all_are_the_same():
    old = started(machine(SPEED, GO, rule="held(speed < 1) > 9"))
    alike = gone_on(old, machine(replace(SPEED, maximum=8.0), GO, rule="held(speed < 1) > 9"))
    count = alike.plan.program.states
    assert alike.state.memory[:count].tolist() == old.state.memory[:count].tolist() and any(
        old.state.memory[:count]
    )
    other = gone_on(old, machine(SPEED, GO, rule="held(speed > 1) > 9"))
    assert not other.state.memory[: other.plan.program.states].any()


def test_curves_and_leaders_of_groups_go_over():
    def grouped(*names: str, first: str) -> Instance:
        drawing = Drawing(clip("a", x=3.0), clip("b", x=5.0), sync_groups=(SyncSetting("feet"),))
        nodes = {n: drawing.node("clip", n, {}, clip=f"clip-{n}", group="feet") for n in "ab"}
        mix = drawing.node("blend", "mix", {"alpha": "0.7"})
        wires = [(nodes[first], mix, "a"), (nodes["b" if first == "a" else "a"], mix, "b")]
        return drawing.run(drawing.one(nodes["a"], nodes["b"], mix, wires=wires))

    old = grouped(first="a")
    old.step(0.1)
    assert old.plan.ops[old.state.ints[old.plan.groups[0].place] - 1].name == "b"
    new = gone_on(old, grouped(first="b").plan)
    assert new.plan.ops[new.state.ints[new.plan.groups[0].place] - 1].name == "b"
    assert new.plan.op_named("b").number != old.plan.op_named("b").number
    index = new.plan.table.index["level"]
    assert (
        new.state.last_curves[index]
        == old.state.last_curves[old.plan.table.index["level"]]
        == pytest.approx(4.4)
    )
    bare = carried(grouped(first="a").state, old.plan, old.plan)
    assert bare.ints[old.plan.groups[0].place] == 0
    assert quat.IDENTITY[3] == 1.0
