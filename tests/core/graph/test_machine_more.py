"""Machines beyond the table: source interrupts shown in weights, exits in entry order, the laws of nested machines."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import MissingReferenceError
from core.graph.commands import Command, Do
from core.graph.compile import compile_graph
from core.graph.events import EventKind
from core.graph.graph import Interrupt, InterruptBy, Variable
from core.graph.instance import Instance
from tests.core.graph.builders import Drawing, clip, walking

SPEED = Variable("speed", maximum=10.0, minimum=-10.0)
OTHER = Variable("other", maximum=10.0)


def made(drawing: Drawing, machine) -> Instance:
    graph = drawing.machine_graph(machine)
    return Instance(compile_graph(graph, drawing.project(graph)))


def hips(result) -> float:
    return float(result.pose.translations[1, 0])


def test_source_interrupt_blends_from_the_running_blend_to_the_new_target():
    drawing = Drawing(*(clip(name, x=float(k)) for k, name in enumerate("abc")), variables=(SPEED, OTHER))
    more = {"seconds": 0.4, "interrupt_by": InterruptBy.SOURCE}
    arrows = [("a", "b", "speed > 1", more), ("a", "c", "other > 1", {"seconds": 0.2})]
    instance = made(drawing, drawing.machine({n: drawing.clip_sheet(n) for n in "abc"}, arrows))
    instance.step(0.1)
    assert hips(instance.step(0.1, {"speed": 5})) == pytest.approx(0.25)
    result = instance.step(0.1, {"other": 5})
    assert result.states == {"machine": "c"}
    assert hips(result) == pytest.approx(0.5 * 0.5 + 0.5 * 2.0)  # the old blend runs on under the new one
    assert hips(instance.step(0.1)) == pytest.approx(2.0)


def test_own_transitions_of_the_target_wait_while_only_the_source_may_interrupt():
    drawing = Drawing(*(clip(name, x=float(k)) for k, name in enumerate("abc")), variables=(SPEED,))
    more = {"seconds": 0.4, "interrupt_by": InterruptBy.SOURCE}
    arrows = [("a", "b", "speed > 1", more), ("b", "c", "speed > 1", {"seconds": 0})]
    instance = made(drawing, drawing.machine({n: drawing.clip_sheet(n) for n in "abc"}, arrows))
    instance.step(0.1)
    states = [instance.step(0.1, {"speed": 5}).states["machine"] for _ in range(5)]
    assert states == ["b", "b", "b", "c", "c"]  # at 0.4 s, the end of the blend


def test_looping_automatic_rule_behind_a_guard_waits_for_the_next_turn():
    drawing = Drawing(clip("a"), clip("b", x=1.0), variables=(SPEED,))
    arrows = [("a", "b", "speed > 1", {"automatic": 0.3, "seconds": 0})]
    instance = made(drawing, drawing.machine({n: drawing.clip_sheet(n) for n in "ab"}, arrows))
    for _ in range(8):
        instance.step(0.1)
    results = [instance.step(0.1, {"speed": 5}) for _ in range(12)]
    left = [(k, e.moment) for k, r in enumerate(results) for e in r.events if e.kind is EventKind.LEAVE]
    assert [round(0.8 + 0.1 * k + moment, 9) for k, moment in left] == [1.7]


def test_automatic_rule_may_name_its_player():
    drawing = Drawing(clip("a", 2.0, looping=False), clip("c", 0.5, looping=False), clip("b", x=1.0))
    a, c = drawing.play("a"), drawing.play("c")
    mix = drawing.node("blend", "mix", {"alpha": "0.1"})
    sheet = drawing.pose_sheet("both", [a, c, mix], [(a, mix, "a"), (c, mix, "b")], mix)
    arrows = [("both", "b", None, {"automatic": 0.0, "seconds": 0, "player": "c"})]
    instance = made(drawing, drawing.machine({"both": sheet, "b": drawing.clip_sheet("b")}, arrows))
    events = [e for _ in range(6) for e in instance.step(0.1).events if e.kind is EventKind.LEAVE]
    assert [round(e.moment, 9) for e in events] == [0.1]


def test_travel_without_a_way_stays_and_flags_the_machine():
    drawing = Drawing(clip("a"), clip("b", x=1.0))
    instance = made(drawing, drawing.machine({n: drawing.clip_sheet(n) for n in "ab"}, []))
    instance.step(0.1)
    result = instance.step(0.1, commands=[Command(Do.TRAVEL, "machine", to="b")])
    assert result.states == {"machine": "a"}
    assert instance.plan.op_named("machine").node in result.flagged
    assert instance.step(0.1).flagged == frozenset()


def test_commands_to_machines_that_are_not_there_are_refused():
    drawing = Drawing(clip("a"))
    instance = made(drawing, drawing.machine({"a": drawing.clip_sheet("a")}, []))
    with pytest.raises(MissingReferenceError, match="no state machine 'machin'; near: machine"):
        instance.step(0.1, commands=[Command(Do.GO, "machin", to="a")])
    with pytest.raises(MissingReferenceError, match="has no state 'z'"):
        instance.step(0.1, commands=[Command(Do.GO, "machine", to="z")])


def test_root_motion_over_a_cut_is_that_of_both_parts():
    drawing = Drawing(walking("a", 1.0, 1.0), walking("b", 1.0, 3.0))
    arrows = [("a", "b", None, {"automatic": 0.5, "seconds": 0})]
    for steps in ([0.08] * 10, [0.1] * 8, [0.02] * 40):
        instance = made(drawing, drawing.machine({n: drawing.clip_sheet(n) for n in "ab"}, arrows))
        moved = sum(float(instance.step(dt).root_motion.translation[2]) for dt in steps)
        assert moved == pytest.approx(0.5 * 1.0 + 0.3 * 3.0)


def named(drawing: Drawing, sheet, name: str):
    """The sheet that was drawn last under a name of its own."""
    drawing.sheets[-1] = replace(sheet, name=name)
    return drawing.sheets[-1]


def deep() -> Instance:
    """A machine within a machine within a machine, with exits, and interrupts of every kind."""
    drawing = Drawing(
        walking("a", 1.0, 1.5), walking("b", 0.7, 4.0, x=1.0), clip("c", 0.4, looping=False, x=2.0),
        variables=(SPEED, OTHER),
    )  # fmt: skip
    modes = list(InterruptBy)
    inner = drawing.machine(
        {n: drawing.clip_sheet(n) for n in "abc"},
        [
            ("a", "b", "speed > 2", {"interrupt_by": modes[1]}), ("b", "c", "other > 5", {"interrupt_by": modes[2]}),
            ("c", "a", None, {"automatic": 0.1, "interrupt": Interrupt.HIGHER_PRIORITY}),
            ("a", "out", "other > 8"),
        ],
        (drawing.node("exit", "out"),),
    )  # fmt: skip
    inner = named(drawing, inner, "inner")
    middle = drawing.machine(
        {"in": inner, "b": drawing.clip_sheet("b")},
        [("in", "b", "speed < -2", {"seconds": 0.3}), ("b", "in", "speed > 1", {"interrupt_by": modes[3]})],
    )
    middle = named(drawing, middle, "middle")
    outer = drawing.machine(
        {"mid": middle, "c": drawing.clip_sheet("c")},
        [("mid", "c", "other > 3 and speed < 0"), ("c", "mid", None, {"automatic": -1.0})],
        mid="always",
    )
    outer = named(drawing, outer, "outer")
    return made(drawing, outer)


moves = st.lists(
    st.tuples(st.floats(0.0, 0.25), st.floats(-10, 10), st.floats(0, 10), st.integers(0, 8)), max_size=16
)


@settings(max_examples=12, deadline=None)
@given(moves)
def test_in_machines_within_machines_every_enter_has_one_leave_and_one_gone(steps):
    instance = deep()
    asked = {1: Command(Do.GO, "machine", to="c"), 2: Command(Do.TRAVEL, "machine", to="mid")}
    counts: Counter = Counter()
    for dt, speed, other, command in steps:
        commands = [asked[command]] if command in asked else []
        result = instance.step(dt, {"speed": speed, "other": other}, commands=commands)
        assert len(set(result.visits)) == len(result.visits)
        assert all(np.isfinite(part).all() for part in result.pose.local)
        counts.update((e.kind, e.node) for e in result.events)
    for _ in range(12):
        counts.update((e.kind, e.node) for e in instance.step(0.2, {"speed": 0.0, "other": 0.0}).events)
    nodes = {node for kind, node in counts if kind is EventKind.ENTER}
    for node in nodes:
        assert counts[EventKind.ENTER, node] - counts[EventKind.LEAVE, node] in (0, 1)
        assert counts[EventKind.LEAVE, node] == counts[EventKind.GONE, node]
