"""What expressions read of the graph: each function's value over steps, kinds of nodes, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest

from core.graph.commands import Command, Do
from core.graph.compile import compile_graph
from core.graph.graph import Graph, Role, Variable
from core.graph.instance import Instance
from core.graph.language.values import Kind
from core.graph.montage import Montage, MontageBlend, Segment, SlotTrack
from core.graph.peek import asking, in_words, machine_view, machines, player_left, weights_by_node
from core.graph.problems import GraphError
from core.graph.scope import READS, TYPES
from core.ids import AssetId
from core.tracks.keys import Interpolation, scalar_track
from tests.core.graph.builders import RIG, Drawing, clip

SPEED = Variable("speed", maximum=9.0)
GO = Variable("go", Kind.BOOL, maximum=1.0, minimum=0.0, role=Role.TRIGGER, buffer=1.0)
RISING = {"lift": scalar_track([0.0, 1.0], [0.0, 2.0], interpolations=Interpolation.LINEAR)}


def graph(rule: str = "false", extra: str = "0", kinds=Kind.FLOAT) -> tuple[Drawing, Graph, Montage]:
    """A machine of a (a loop of 1 s) and b (0.4 s, no loop) under a slot in which “wave” of 0.5 s plays."""
    a, b = clip("a"), clip("b", 0.4, x=1.0, looping=False)
    a, b = replace(a, curves={**a.curves, **RISING}), replace(b, curves={**b.curves, **RISING})
    fade = MontageBlend(0.0)
    made = Montage(
        AssetId("montage-wave"), "wave", RIG, "G", (SlotTrack("U", (Segment(b.id, 0.0, 0.0, 0.4),)),),
        blend_in=fade, blend_out=fade,
    )  # fmt: skip
    drawing = Drawing(a, b, variables=(SPEED, GO), slots=("G.U",), assets=(made,))
    states = {name: drawing.clip_sheet(name) for name in "ab"}
    sheet = drawing.machine(states, [("a", "b", rule, {"seconds": 0.2})])
    node = drawing.node("machine", "m", sheet=sheet.id)
    slot = drawing.node("slot", "slot", slot="G.U", always_update=True)
    curve = drawing.node("modify_curve", "out", {"value": extra}, curve="level", way="set")
    wires = [(node, slot, "source"), (slot, curve, "pose")]
    return drawing, drawing.graph(drawing.pose_sheet("main", [node, slot, curve], wires, curve)), made


def instance(rule: str = "false", extra: str = "0") -> Instance:
    drawing, made, _ = graph(rule, extra)
    return Instance(compile_graph(made, drawing.project(made)))


def values(text: str, count: int = 4, rule: str = "speed > 1", **inputs) -> list[float]:
    """What an expression says in steps of a tenth of a second; from the third on speed is 5."""
    mover, found = instance(rule, text), []
    for number in range(count):
        given = {"speed": 5.0} if number == 2 else {}
        commands = [Command(Do.PLAY, "wave")] if number == 1 and "wave" in text else []
        result = mover.step(0.1, given, commands=commands)
        found.append(round(result.pose.curves["level"], 9))
    return found


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        # A step's reads are what the last one left: a is at 0.1, 0.2 and 0.3 s when the 2nd to 4th begin.
        ("time('a')", [0.0, 0.1, 0.2, 0.3]), ("fraction('a')", [0.0, 0.1, 0.2, 0.3]),
        ("remaining('a')", [1.0, 0.9, 0.8, 0.7]), ("weight('a')", [0.0, 1.0, 1.0, 0.5]),
        ("weight('m')", [0.0, 1.0, 1.0, 1.0]), ("time('b')", [0.0, 0.0, 0.0, 0.1]),
        ("fraction('b')", [0.0, 0.0, 0.0, 0.25]), ("remaining('b')", [0.4, 0.4, 0.4, 0.3]),
        ("if(active('b'), 1, 0)", [0.0, 0.0, 0.0, 1.0]), ("if(active('a'), 1, 0)", [0.0, 1.0, 1.0, 1.0]),
        ("if(state('m') == 'b', 1, 0)", [0.0, 0.0, 0.0, 1.0]), ("if(state('m') == 'a', 1, 0)", [0.0, 1.0, 1.0, 0.0]),
        ("if(exited('m'), 1, 0)", [0.0] * 4), ("raw_curve('a', 'lift')", [0.0, 0.2, 0.4, 0.6]),
        ("raw_curve('a', 'gone')", [0.0] * 4), ("curve('gone')", [0.0] * 4),
        ("curve('lift')", [0.0, 0.2, 0.4, 0.4]),  # half of a's 0.6 and half of b's 0.2
        ("if(playing('wave'), 1, 0)", [0.0, 0.0, 1.0, 1.0]), ("montage_time('wave')", [0.0, 0.0, 0.1, 0.2]),
        ("raw_curve('wave', 'lift')", [0.0, 0.0, 0.2, 0.4]), ("if(event('b'), 1, 0)", [0.0, 0.0, 0.0, 1.0]),
        ("if(event('gone'), 1, 0)", [0.0] * 4), ("if(fired('go'), 1, 0)", [0.0] * 4),
        ("bone('hips').x", [0.0, 0.0, 0.0, 0.5]), ("bone('hips').y + bone('hand').y", [0.0, 3.0, 3.0, 3.0]),
    ],
)  # fmt: skip
def test_what_is_read_is_what_the_last_step_left(text, wanted):
    assert values(text) == pytest.approx(wanted, abs=1e-9)


def test_times_in_states_belong_to_the_machine_of_the_rule():
    mover = instance("time_in_state > 0.15")
    assert [mover.step(0.1).states["m"] for _ in range(4)] == ["a", "a", "b", "b"]
    with pytest.raises(GraphError, match="time_in_state belongs into the rules of a machine"):
        instance(extra="time_in_state")


def test_a_loops_fraction_wraps_and_another_is_held():
    mover = instance("false", "fraction('a')")
    found = [mover.step(0.08).pose.curves["level"] for _ in range(15)]
    assert found[12:] == pytest.approx([0.96, 0.04, 0.12])
    mover = instance("true", "fraction('b')")
    found = [mover.step(0.1).pose.curves["level"] for _ in range(8)]
    assert found[-1] == 1.0 and found == sorted(found)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("state()", "expected state('machine')"), ("raw_curve('a')", "expected raw_curve('player', 'curve')"),
        ("take('gi')", "the graph has no trigger 'gi'; near: go"),
        ("fired('speed')", "the graph has no trigger 'speed'"),
        ("bone('hib').x", "the rig has no bone 'hib'; near: hips"),
        ("state('mm')", "state('mm'): there is no node of that name; near: m"),
        ("state('a')", "state('a'): that node is no state machine"),
        ("if(exited('a'), 1, 0)", "exited('a'): that node is no state machine"),
        ("montage_time('wav')", "montage_time('wav'): no montage of that name plays here; near: wave"),
        ("if(playing('x'), 1, 0)", "playing('x'): no montage of that name plays here"),
        ("time('m')", "time('m'): that node plays nothing; name a clip or a blend space"),
        ("time('slot')", "time('slot'): that node plays nothing; name a clip or a blend space"),
        ("ragdoll_speed('a')", "ragdoll_speed('a'): that node is no Ragdoll node"),
        ("get_up_progress('a')", "get_up_progress('a'): that node is no Get up node"),
        ("raw_curve('x', 'lift')", "raw_curve('x'): there is no node of that name"),
        ("weight('x')", "weight('x'): there is no node of that name"),
    ],
)  # fmt: skip
def test_reads_of_what_is_not_there_are_told(text, message):
    with pytest.raises(GraphError) as error:
        instance(extra=text)
    assert message in [p.message for p in error.value.problems] or any(
        p.message.startswith(message) and p.message[len(message) :].startswith(("; near", ","))
        for p in error.value.problems
    )


def test_every_read_has_a_type():
    assert set(TYPES) <= set(READS)
    assert {name: str(TYPES[name]) for name in TYPES} == {
        "state": "name", "exited": "bool", "active": "bool", "playing": "bool",
        "ragdoll_at_rest": "bool", "got_up": "bool",
    }  # fmt: skip


# -------------------------------------------------------------------- read without a step
def asked(mover: Instance, text: str, machine: int | None = 0) -> list[float]:
    op = None if machine is None else machines(mover.plan)[machine]
    return asking(mover.plan, text, op).ask(mover).tolist()


def test_an_instance_is_asked_as_it_stands():
    mover = instance("speed > 1 and event('x')", "if(event('a'), 1, 0)")
    mover.step(0.1, {"speed": 3.0})
    mover.step(0.1)
    assert asked(mover, "speed * 2") == [6.0]
    assert asked(mover, "time_in_state") == [pytest.approx(0.2)]
    assert asked(mover, "dt") == [pytest.approx(1 / 60)]
    assert asked(mover, "time('a')") == [pytest.approx(0.2)]
    assert asked(mover, "if(fired('go'), 1, 0)") == [0.0]
    mover.set("go", True)
    assert asked(mover, "if(fired('go'), 1, 0)") == [1.0]
    assert asked(mover, "if(event('never'), 1, 0)") == [0.0]
    assert asked(mover, "ground_height(vec(1, 2, 3))", None) == [0.0]


def test_machines_are_seen_with_what_runs_in_them():
    mover = instance("speed > 1")
    (op,) = machines(mover.plan)
    assert machines(mover.plan) is machines(mover.plan)
    before = machine_view(op, mover.state)
    mover.step(0.1)
    view = machine_view(op, mover.state)
    assert (before.running, view.active, view.seconds, view.running) == ((), 0, pytest.approx(0.1), ())
    mover.step(0.05, {"speed": 2.0})
    view = machine_view(op, mover.state)
    assert (view.active, view.seconds) == (1, pytest.approx(0.05))
    assert [(r.number, r.progress) for r in view.running] == [(0, pytest.approx(0.25))]
    weights = weights_by_node(mover.plan, mover.state.weights)
    assert [weights[s.node] for s in op.states] == pytest.approx([0.75, 0.25])
    assert weights[op.node] == 1.0
    assert player_left(mover, op, 0) == (pytest.approx(0.85), pytest.approx(1.0))
    assert player_left(mover, op, 1) == (pytest.approx(0.35), float("inf"))
    assert player_left(mover, op, 0, "a") == (pytest.approx(0.85), pytest.approx(1.0))
    assert player_left(mover, op, 0, "b") == (float("inf"), float("inf"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("true", "true"), ("false", "false"), ("12345.678", "1.235e+04"), ("2", "2"),
        ("vec(1, 2.5, -3)", "(1, 2.5, -3)"),
        ("axis_angle(vec(0, 1, 0), 180)", "(0, 1, 0, 6.123e-17)"), ("'me'", "''"),
    ],
)  # fmt: skip
def test_values_are_told_in_words(text, words):
    mover = instance()
    mover.step(0.1)
    found = asking(mover.plan, text)
    assert in_words(mover.plan, found.type, found.ask(mover)) == words


def test_enums_are_told_by_their_members():
    drawing = Drawing(
        clip("a"), variables=(Variable("gait", Kind.ENUM, enum="gaits"),), enums={"gaits": ("walk", "run")}
    )
    mover = drawing.run(drawing.one(drawing.play("a")))
    mover.set("gait", "run")
    found = asking(mover.plan, "gait")
    assert in_words(mover.plan, found.type, found.ask(mover)) == "run"
    words = [in_words(mover.plan, found.type, np.array([x])) for x in (-1.0, 0.0, 1.0, 2.0)]
    assert words == ["-1", "walk", "run", "2"]


OWN_CURVE = {"lift": scalar_track([0.0, 0.4], [3.0, 7.0], interpolations=Interpolation.LINEAR)}


@pytest.mark.parametrize(("own", "wanted"), [({}, 0.2), (OWN_CURVE, 4.0)])
def test_a_curve_of_a_montage_is_its_own_before_that_of_its_clips(own, wanted):
    drawing, made, montage = graph(extra="raw_curve('wave', 'lift')")
    montage = replace(montage, curves=own)
    instance = Instance(compile_graph(made, drawing.project(made).with_assets(montage)))
    instance.step(0.1, commands=[Command(Do.PLAY, "wave")])
    assert float(instance.step(0.01).pose.curves["level"]) == pytest.approx(wanted)
