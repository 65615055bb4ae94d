"""Laws of weights and of poses at a switch (table: `test_laws_table`)."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.clips.clip import Channel, Property
from core.graph.compile import compile_graph
from core.graph.graph import BlendKind, TargetStart, Variable
from core.graph.instance import Instance
from core.graph.machine import MachineOp
from core.tracks.keys import scalar_track
from tests.core.graph.builders import Drawing, clip, swinging, walker
from tests.core.graph.random_graphs import FADES, PLAIN, clips, graphs, runs

SHARED = tuple(kind for kind in PLAIN if kind != "layered")
PLACE = (0.3, 1.7, -2.5)
"""Where every bone of every leaf stands in the law of weights by bone."""


@settings(max_examples=20, deadline=None)
@given(graphs(SHARED, FADES), runs)
def test_weights_of_every_blend_sum_to_one(drawn, steps):
    """The leaves of a tree of blends and machines share out all weight; frozen poses and the rest pose have theirs."""
    drawing, graph = drawn
    plan = compile_graph(graph, drawing.project(graph))
    instance = Instance(plan)
    leaves = [op.number for op in plan.ops if not op.inputs]
    frozen = False
    for dt, values in steps:
        result = instance.step(min(dt, 0.1), values)
        total = float(result.weights[leaves].sum())
        frozen = frozen or any(e.kind == "transition_start" for e in result.events)
        # What a frozen pose takes is no leaf's: only less than 1 is lawful then.
        assert total <= 1.0 + 1e-9
        if not frozen:
            assert total == pytest.approx(1.0, abs=1e-9)


MARKS = {"walk": 1.0, "run": 2.0, "once": 4.0}


def marked() -> list:
    """The clips of the random graphs with the root of each at a place of its own along x."""
    return [
        found if found.additive is not None else replace(
            found, tracks={Channel("root", Property.TRANSLATE, 0): scalar_track([0.0], [MARKS[found.name]])}
        )
        for found in clips()
    ]  # fmt: skip


@settings(max_examples=25, deadline=None)
@given(graphs(SHARED, (BlendKind.CROSSFADE,), marked), runs)
def test_weights_of_crossfades_alone_sum_to_one_until_a_state_must_freeze(drawn, steps):
    drawing, graph = drawn
    sheets = tuple(
        replace(sheet, nodes=tuple(
            replace(n, parameters={**n.parameters, "reset": "never"}) if n.kind == "state" else n for n in sheet.nodes
        ), transitions=tuple(
            replace(t, start=TargetStart.KEPT, blend=replace(t.blend, profile="")) for t in sheet.transitions
        ))
        for sheet in graph.sheets
    )  # fmt: skip
    graph = replace(graph, sheets=sheets)
    plan = compile_graph(graph, drawing.project(graph))
    instance = Instance(plan)
    leaves = [op.number for op in plan.ops if not op.inputs]
    for dt, values in steps:
        result = instance.step(min(dt, 0.1), values)
        if max((len(h[1]) for h in _stacks(instance)), default=0) > 4:
            return  # deeper than four, the lowest freeze
        assert float(result.weights[leaves].sum()) == pytest.approx(1.0, abs=1e-9)
        # A second route: the root stands where the weights that are told say.
        shown = sum(
            float(result.weights[k]) * MARKS[plan.ops[k].evaluator.clip.name]
            for k in leaves if hasattr(plan.ops[k], "evaluator")
        )  # fmt: skip
        assert float(result.pose.translations[0, 0]) == pytest.approx(shown, abs=1e-9)


def _stacks(instance):
    for op in instance.plan.ops:
        if isinstance(op, MachineOp):
            yield op.name, range(int(instance.state.ints[op.place.ints + 1]))


def standing() -> list:
    """The clips of the random graphs with every bone at one place: what mixes them by weights that sum to 1 stays."""
    made = []
    for found in clips():
        if found.additive is not None:
            made.append(found)
            continue
        tracks = {
            Channel(bone, Property.TRANSLATE, axis): scalar_track([0.0], [PLACE[axis]])
            for bone in ("root", "hips", "spine", "head", "thigh_l", "calf_l", "foot_l", "toe_l",
                         "thigh_r", "calf_r", "foot_r", "toe_r")
            for axis in range(3)
        }  # fmt: skip
        made.append(replace(found, tracks=tracks))
    return made


@settings(max_examples=25, deadline=None)
@given(graphs(PLAIN, FADES, standing), runs)
def test_weights_by_bone_of_all_leaves_sum_to_one(drawn, steps):
    """Every leaf has every bone at one place: any sum of weights but 1 would move one."""
    drawing, graph = drawn
    instance = Instance(compile_graph(graph, drawing.project(graph)))
    for dt, values in steps:
        found = instance.step(dt, values).pose.translations
        assert found == pytest.approx(np.tile(PLACE, (len(found), 1)), abs=1e-9)


SPEED = Variable("speed", maximum=10.0)
SHORTEST = 0.2
"""Seconds of the fastest blend."""
STEEPEST = 2.5
"""The steepest slope of what blends here, of weight over the fraction of the blend."""


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from([kind for kind in BlendKind if kind is not BlendKind.CUSTOM]),
    st.lists(st.tuples(st.integers(1, 30), st.sampled_from([0.0, 2.0, 5.0])), min_size=1, max_size=8),
    st.sampled_from(["when_irrelevant", "always", "never"]),
)
def test_no_bone_jumps_at_a_switch_an_interruption_or_a_return(kind, changes, reset):
    """Three states far apart, hurried from one to the other: a step moves no farther than blends and clips may."""
    dt = 1 / 240
    drawing = Drawing(*(clip(name, x=3.0 * k, turn=0.0) for k, name in enumerate("abc")), variables=(SPEED,))
    states = {name: drawing.clip_sheet(name) for name in "abc"}
    more = {"seconds": str(SHORTEST), "blend": {"kind": kind}}
    rules = {"a": "speed < 1", "b": "speed > 1 and speed < 4", "c": "speed > 4"}
    arrows = [(s, t, rules[t], more) for s in "abc" for t in "abc" if s != t]
    graph = drawing.machine_graph(drawing.machine(states, arrows, (), **dict.fromkeys("abc", reset)))
    instance = drawing.run(graph)
    before = instance.step(dt).pose.translations[1, 0]
    # The offset of an interrupted blend has the speed of that blend beside its own.
    fastest = 6.0 / SHORTEST * STEEPEST
    for count, speed in changes:
        for _ in range(count):
            now = instance.step(dt, {"speed": speed}).pose.translations[1, 0]
            assert abs(now - before) <= fastest * dt + 1e-6
            assert -3.0 <= now <= 9.0
            before = now


@pytest.mark.parametrize("kind", [kind for kind in BlendKind if kind is not BlendKind.CUSTOM])
def test_switch_itself_moves_a_bone_by_its_speed_and_no_more(kind):
    """In a step next to nothing long, the pose is that of before: whatever the target, nothing has moved yet."""
    drawing = Drawing(swinging("a", 30.0), swinging("b", -60.0), variables=(SPEED,), rig_=walker())
    states = {"a": drawing.clip_sheet("a"), "b": drawing.clip_sheet("b", start="0.4")}
    more = {"seconds": "0.3", "blend": {"kind": kind}}
    graph = drawing.machine_graph(drawing.machine(states, [("a", "b", "speed > 1", more)]))
    instance = drawing.run(graph)
    for _ in range(5):
        before = instance.step(0.02).pose
    dt = 1e-7
    after = instance.step(dt, {"speed": 5.0}).pose
    limit = 1.0 * dt + 1e-6
    assert np.abs(after.translations - before.translations).max() <= limit
    assert np.abs(after.rotations - before.rotations).max() <= limit * 2
