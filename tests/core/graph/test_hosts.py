"""What a host gives and gets: grounds that expressions ask, values of each kind, crowds of any plan, going over to another."""

# ruff: noqa: E501 - a line a case

import math
from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Notify
from core.errors import MissingReferenceError, ValidationError
from core.graph.commands import Command, Do
from core.graph.compile import compile_graph
from core.graph.crowd import step_many
from core.graph.explain import explain
from core.graph.graph import BlendKind, Graph, Link, Role, Sheet, SheetKind, Variable
from core.graph.instance import LONGEST_STEP, Instance
from core.graph.language.values import Kind
from core.graph.peek import machine_view, machines, player_left
from core.graph.problems import GraphError
from core.graph.record import Recording, Step
from core.graph.recorded import compared, difference, take_over
from core.graph.runner import not_compiled, seed_word
from core.math import quat
from tests.core.graph.builders import Drawing, clip, swinging, walker
from tests.core.graph.nodes.test_node_stories import slope
from tests.core.graph.test_montages import montage

PLACE = Variable("at", Kind.VECTOR, (0.0, 0.0, 0.0))
SPEED = Variable("speed", minimum=-9.0, maximum=9.0)
VARIABLES = (
    SPEED, PLACE, Variable("n", Kind.INT, maximum=5.0, minimum=-5.0), Variable("on", Kind.BOOL, (0.0,), 0.0, 1.0),
    Variable("gait", Kind.ENUM, enum="gaits", maximum=2.0, minimum=0.0), Variable("who", Kind.NAME, minimum=0.0),
    Variable("go", Kind.BOOL, (0.0,), 0.0, 1.0, role=Role.TRIGGER, buffer=0.25),
)  # fmt: skip


def values(*texts: str, **more) -> Instance:
    """Curves ``c0, c1 …`` of what expressions give."""
    draw = Drawing(clip("a"), clip("b"), variables=VARIABLES, enums={"gaits": ("walk", "run", "fly")}, **more)
    nodes = [
        draw.play("a"),
        *(draw.node("modify_curve", f"m{k}", {"value": text}, curve=f"c{k}") for k, text in enumerate(texts)),
    ]
    return draw.run(draw.one(*nodes))


def curves(result) -> list[float]:
    found = result.pose.curves
    return [float(found[f"c{k}"]) for k in range(sum(name[0] == "c" for name in found))]


# -------------------------------------------------------------------- the ground
GROUND = (
    "ground_height(at)",
    "ground_normal(at).x",
    "ground_normal(at).y",
    "ground_normal(at).z",
    "ground_height(at + vec(1, 0, 2)) + speed",
)


@pytest.mark.parametrize("place", [(0.0, 0.0, 0.0), (0.5, 1.0, -2.0)])
def test_the_ground_is_asked_where_expressions_say(place):
    instance = values(*GROUND)
    other = tuple(np.array(place) + (1.0, 0.0, 2.0))
    (height, normal), far = slope(place), slope(other)[0]
    result = instance.step(0.05, {"at": place, "speed": 0.5}, slope)
    assert curves(result) == pytest.approx([height, *normal, far + 0.5])
    assert not result.flagged
    assert curves(instance.step(0.05)) == [0.0, 0.0, 1.0, 0.0, 0.5]


@pytest.mark.parametrize(("answer", "wanted", "flagged"), [
    ((math.nan, np.array([0.0, 1.0, 0.0])), [0.0, 0.0, 1.0, 0.0, 0.0], {"m0", "m4"}),
    ((2.0, np.array([0.0, math.inf, 0.5])), [2.0, 0.0, 0.0, 0.5, 2.0], {"m1", "m2", "m3"}),
    ((-1.5, np.array([0.6, 0.8, 0.0])), [-1.5, 0.6, 0.8, 0.0, -1.5], set()),
])  # fmt: skip
def test_answers_that_are_no_numbers_count_as_0_and_flag_their_nodes(answer, wanted, flagged):
    instance = values(*GROUND)
    names = {op.node: op.name for op in instance.plan.ops}
    result = instance.step(0.05, ground=lambda point: answer)
    assert curves(result) == pytest.approx(wanted)
    assert {names[node] for node in result.flagged} == flagged


def test_the_ground_is_asked_in_each_inner_step():
    asked: list[tuple[float, ...]] = []

    def ground(point):
        asked.append(tuple(map(float, point)))
        return 0.0, np.array([0.0, 1.0, 0.0])

    values("ground_height(at)").step(0.25, {"at": (1.0, 2.0, 3.0)}, ground)
    assert set(asked) == {(1.0, 2.0, 3.0)}
    assert len(asked) % 3 == 0  # by the twin as well, where the kernel is there


# -------------------------------------------------------------------- variables
@pytest.mark.parametrize(("name", "value", "wanted"), [
    ("speed", 20, 9.0), ("speed", -20.0, -9.0), ("speed", np.float32(0.5), 0.5), ("speed", [2.5], 2.5), ("speed", True, 1.0),
    ("n", 2.6, 3.0), ("n", 2.5, 2.0), ("n", 99, 5.0), ("on", 0.2, 1.0), ("on", 0.0, 0.0), ("on", -3, 1.0),
    ("gait", "fly", 2.0), ("gait", 1.4, 1.0), ("gait", 7, 2.0), ("at", (1.0, -2.0, 3.5), (1.0, -2.0, 3.5)),
])  # fmt: skip
def test_a_variable_takes_what_its_kind_holds(name, value, wanted):
    instance = values("1")
    instance.set(name, value)
    assert instance.value(name) == wanted


@pytest.mark.parametrize(("name", "value", "message"), [
    ("sped", 1.0, "the graph has no variable 'sped'; near: speed"), ("speed", math.nan, "variable 'speed': expected 1 finite number"),
    ("speed", (1.0, 2.0), "expected 1 finite number"), ("at", 1.0, "variable 'at': expected 3 finite number"), ("at", (1.0, math.inf, 0.0), "expected 3 finite"),
    ("speed", "fast", "variable 'speed': expected float, got 'fast'"), ("gait", "hop", "variable 'gait': expected one of walk, run, fly, got 'hop'"),
    ("n", "1", "variable 'n': expected int, got '1'"), ("speed", {}, "variable 'speed': expected float, got {}"),
])  # fmt: skip
def test_a_variable_refuses_what_its_kind_does_not_hold(name, value, message):
    instance = values("1")
    before = instance.snapshot()
    with pytest.raises((ValidationError, MissingReferenceError)) as error:
        instance.set(name, value)
    assert message in str(error.value)
    assert instance.snapshot().same_bits(before)
    with pytest.raises(MissingReferenceError, match="no variable 'spede'"):
        instance.value("spede")


def test_names_are_told_apart_also_those_that_the_graph_does_not_know():
    instance = values("if(who == 'anna', 1, if(who == 'bert', 2, 3))")
    assert [curves(instance.step(0.01, {"who": who}))[0] for who in ("anna", "bert", "carl", "anna")] == [
        1.0,
        2.0,
        3.0,
        1.0,
    ]


def test_a_trigger_waits_as_long_as_its_buffer():
    instance = values("if(fired('go'), 1, 0)")
    assert curves(instance.step(0.1, {"go": False})) == [0.0]
    assert [
        curves(instance.step(dt, {"go": True} if k == 0 else {}))[0]
        for k, dt in enumerate((0.1, 0.0, 0.1, 0.1, 0.1))
    ] == [1, 1, 1, 1, 0]


@pytest.mark.parametrize("dt", [-0.1, math.nan, math.inf, 1e9])
def test_steps_that_cannot_be_made_are_refused(dt):
    with pytest.raises(ValidationError, match="expected a step of 0 to"):
        values("1").step(dt)


def test_long_steps_are_cut_as_rounding_asks():
    instance = values("count(true)")
    for dt, count in ((LONGEST_STEP, 1), (LONGEST_STEP * 3 + 1e-12, 3), (0.31, 4), (1e-5, 1)):
        assert instance.take_in(dt, None) == count


@pytest.mark.parametrize(
    ("seed", "word"), [(0, 0), (5, 5), (-1, -1), (2**63, -(2**63)), (2**64 + 7, 7), (2**63 - 1, 2**63 - 1)]
)
def test_seeds_are_words_of_64_bits(seed, word):
    assert seed_word(seed) == word


def test_what_python_does_is_told():
    assert not_compiled(values("1").plan) == ()
    draw = Drawing(swinging("walk"), rig_=walker())
    made = draw.node("clip", "chosen", {"clip_name": "'walk'"})
    mask = draw.node("modify_curve", "m", {"value": "1"}, curve="c")
    assert not_compiled(draw.run(draw.one(made, mask)).plan) == ("chosen",)


# -------------------------------------------------------------------- crowds
def crowded(kind: str) -> Graph | tuple:
    draw = Drawing(clip("a", notifies=(Notify("step", 0.1),)), clip("m", x=1.0), variables=VARIABLES, enums={"gaits": ("walk", "run", "fly")},
                   slots=("Group.Upper",), assets=(montage(),))  # fmt: skip
    text = {
        "plain": "speed",
        "ground": "ground_height(at)",
        "montage": "if(playing('wave'), 1, 0)",
        "events": "if(event('step'), 1, 0)",
    }[kind]
    base, slot = draw.play("a", rate="speed"), draw.node("slot", "s", slot="Group.Upper")
    out = draw.node("modify_curve", "out", {"value": text}, curve="c0")
    graph = draw.one(base, slot, out, wires=[(base, slot, "source"), (slot, out, "pose")])
    return draw, compile_graph(graph, draw.project(graph))


@pytest.mark.parametrize("kind", ["plain", "ground", "montage", "events"])
@pytest.mark.parametrize("count", [1, 4, 5, 9])
def test_a_crowd_gives_what_each_gives_alone(kind, count):
    _, plan = crowded(kind)
    crowd, single = ([Instance(plan, seed) for seed in range(count)] for _ in range(2))
    for dt in (0.05, 0.0, 0.25, 0.1):
        given = [{"speed": 0.5 * k - 1.0} if k % 3 else {} for k in range(count)]
        found = step_many(crowd, dt, given)
        for a, b, instance, inputs in zip(
            found, (s.step(dt, g) for s, g in zip(single, given, strict=True)), crowd, given, strict=True
        ):
            assert a.numbers.tobytes() == b.numbers.tobytes()
            assert [(e.name, e.moment) for e in a.events] == [(e.name, e.moment) for e in b.events]
            assert not inputs or instance.value("speed") == inputs["speed"]
    without = [step_many(crowd, 0.05), [s.step(0.05) for s in single]]
    assert [r.numbers.tobytes() for r in without[0]] == [r.numbers.tobytes() for r in without[1]]


def test_a_crowd_is_of_one_plan_and_has_inputs_for_each():
    _, plan = crowded("plain")
    _, other = crowded("plain")
    assert step_many([], 0.1) == []
    with pytest.raises(ValidationError, match="of one plan"):
        step_many([Instance(plan), Instance(other)], 0.1)
    with pytest.raises(ValidationError, match="expected inputs for 2 instances, got 1"):
        step_many([Instance(plan), Instance(plan)], 0.1, [{}])


# -------------------------------------------------------------------- going over, comparing, looking in
def machine(seconds: str = "0.4", kind=BlendKind.CROSSFADE, *, more=(), update=False) -> Instance:
    draw = Drawing(clip("a", looping=False), clip("b", 0.5, x=1.0), variables=(SPEED, *more))
    states = {name: draw.clip_sheet(name) for name in "ab"}
    sheet = draw.machine(
        states,
        [
            ("a", "b", "speed > 1", {"seconds": seconds, "blend": {"kind": kind}}),
            ("b", "a", "speed < 0", {"seconds": seconds}),
        ],
    )
    if update:
        start, act = draw.node("on_step"), draw.node("emit_event", "", event="e")
        draw.sheets.append(
            Sheet(draw.id(), "update", SheetKind.UPDATE, (start, act), (Link(start.id, act.id, "then"),))
        )
    return draw.run(draw.machine_graph(sheet))


@pytest.mark.parametrize(
    "kind", [BlendKind.CROSSFADE, BlendKind.FROZEN, BlendKind.INERTIALISE, BlendKind.DEAD_BLEND]
)
def test_what_a_machine_does_is_told_with_its_progress(kind):
    instance = machine(kind=kind)
    (found,) = machines(instance.plan)
    instance.step(0.1)
    assert machine_view(found, instance.state).running == ()
    for k in range(1, 4):
        instance.step(0.1, {"speed": 2.0})
        view = machine_view(found, instance.state)
        assert (view.active, [r.number for r in view.running]) == (1, [0])
        assert view.running[0].progress == pytest.approx(k / 4)
        assert view.seconds == pytest.approx(k / 10)
    for _ in range(2):
        instance.step(0.1, {"speed": 2.0})
    assert machine_view(found, instance.state).running == ()


def test_what_the_players_of_a_state_have_left_is_told():
    instance = machine()
    (found,) = machines(instance.plan)
    instance.step(0.1)
    assert player_left(instance, found, 0) == pytest.approx((0.9, math.inf))
    assert player_left(instance, found, 1) == pytest.approx((0.5, 0.5))
    assert player_left(instance, found, 0, "a") == pytest.approx((0.9, math.inf))
    assert player_left(instance, found, 0, "b") == (math.inf, math.inf)


def test_results_are_compared_in_their_order():
    instance = machine()
    one = instance.step(0.05)
    assert difference(one, one) == ""
    assert difference(one, one.but(states={"machine": "b"})) == "states"
    assert difference(one, one.but(events=())) == "events"
    moved = replace(one.pose, translations=one.pose.translations + 1e-12)
    assert difference(one, one.but(pose=moved)) == "pose"
    assert (
        difference(one, one.but(pose=replace(one.pose, curves={**one.pose.curves, "level": 5.0}))) == "curves"
    )
    assert difference(one, one.but(pose=replace(one.pose, morphs={"smile": 1.0}))) == "curves"
    turned = one.root_motion._replace(rotation=quat.from_axis_angle(np.array([0.0, 1.0, 0.0]), 0.1))
    assert difference(one, one.but(root_motion=turned)) == "root motion"
    assert difference(one.but(states={}, events=()), one) == "states"


def test_runs_are_compared_from_a_step_on_and_the_recording_stays_where_it_was():
    recording = Recording(machine())
    for k in range(8):
        recording.step(0.1, {"speed": 2.0} if k == 3 else {})
    recording.goto(6)
    same = compared(recording, 2, machine())
    assert (same.first, same.what, same.start, len(same.one), recording.at) == (None, "", 2, 6, 6)
    later = compared(recording, 2, machine(), {3: {"speed": 0.5}})
    assert (later.first, later.what) == (3, "states")
    slower = compared(recording, 2, machine("0.8"))
    assert (slower.first, slower.what) == (3, "pose")
    assert slower.metres == pytest.approx(0.125)
    for wrong in (-1, 8):
        with pytest.raises(ValidationError, match="expected a step of 0 to 7"):
            compared(recording, wrong, machine())
    for early in ({1: {}}, {8: {}}):
        with pytest.raises(ValidationError, match="expected changed inputs in steps 2 to 7"):
            compared(recording, 2, machine(), early)


def test_another_plan_goes_on_from_where_a_run_is():
    source = machine()
    for speed in (0.0, 2.0, 2.0):
        source.step(0.1, {"speed": speed})
    other = machine(more=(Variable("more", default=(3.0,), maximum=5.0),))
    take_over(source, other)
    assert (other.value("speed"), other.value("more")) == (2.0, 3.0)
    a, b = source.step(0.1), other.step(0.1)
    assert b.pose.translations == pytest.approx(a.pose.translations)
    assert dict(a.states) == dict(b.states) == {"machine": "b"}


def test_a_reentry_time_is_told_after_a_change_of_the_same_step():
    draw = Drawing(clip("a"), clip("b"), variables=(SPEED,))
    states = {name: draw.clip_sheet(name) for name in "ab"}
    arrows = [
        ("a", "b", "speed > 1", {"seconds": 0, "min_time": 0.13}),
        ("b", "a", "speed > 0", {"seconds": 0, "reentry_time": 0.05}),
    ]
    instance = draw.run(draw.machine_graph(draw.machine(states, arrows)))
    instance.step(0.1)
    for dt, why in ((0.06, "reentry_time"), (0.09, "taken")):
        reasons = [r for r in explain(instance, Step(dt, {"speed": 2.0})).reasons if r.transition == "b -> a"]
        assert reasons[0].why == why, [(r.why, r.detail) for r in reasons]
        assert reasons[0].moment == pytest.approx(0.03)
        if why == "reentry_time":
            assert reasons[0].detail.startswith("0.0000 s of 0.05 s")


def test_commands_go_only_to_the_first_inner_step():
    draw = Drawing(
        clip("a"), clip("m", x=1.0), slots=("Group.Upper",), assets=(montage(blend=0.0),), variables=(SPEED,)
    )
    base, slot = draw.play("a"), draw.node("slot", "s", slot="Group.Upper")
    for text in ("1", "if(event('step'), 1, 0)"):
        out = draw.node("modify_curve", "", {"value": text}, curve="c0")
        graph = draw.one(base, slot, out, wires=[(base, slot, "source"), (slot, out, "pose")])
        instance = draw.run(graph)
        result = instance.step(0.35, commands=[Command(Do.PLAY, "wave", stop_group=False)])
        assert [(m.handle, round(m.position, 9)) for m in result.montages] == [(1, 0.35)]
        draw.sheets.clear()


@pytest.mark.parametrize("compiled", [True, False])
def test_what_happened_is_known_until_the_next_step_that_takes_time(compiled):
    """A step of no seconds neither tells nor forgets an event: for expressions as for the update sheet."""
    draw = Drawing(
        clip("a", notifies=(Notify("step", 0.15),)),
        variables=(SPEED, Variable("count", role=Role.OWN, maximum=99.0)),
    )
    start, act = (
        draw.node("on_event", event="step"),
        draw.node("set", "", {"value": "count + 1"}, variable="count"),
    )
    draw.sheets.append(
        Sheet(draw.id(), "update", SheetKind.UPDATE, (start, act), (Link(start.id, act.id, "then"),))
    )
    read = draw.node("modify_curve", "", {"value": "if(event('step'), 1, 0)"}, curve="c0")
    instance = draw.run(draw.one(draw.play("a"), read))
    if not compiled:
        instance.runner = None
    told = [
        (curves(instance.step(dt))[0], instance.value("count")) for dt in (0.1, 0.1, 0.0, 0.0, 0.1, 0.0, 0.1)
    ]
    assert told == [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 1.0)]


@pytest.mark.parametrize(
    "before",
    [
        "curve('level')",
        "bone('hand').y",
        "time('a')",
        "weight('a')",
        "raw_curve('a', 'level')",
        "if(event('e'), 1, 0)",
    ],
)
@pytest.mark.parametrize(
    "wrong",
    [
        "time('nobody')",
        "weight('nobody')",
        "montage_time('nobody')",
        "if(playing('nobody'), 1, 0)",
        "raw_curve('nobody', 'x')",
    ],
)
def test_every_read_of_what_is_not_there_is_told_whatever_is_read_before(before, wrong):
    with pytest.raises(GraphError) as error:
        values(f"{before} + {wrong}", before, f"{wrong} + time('gone')")
    told = [p.message for p in error.value.problems]
    assert len(told) == len(set(told)) == 2
    assert "'nobody'" in told[0] and "'gone'" in told[1]
