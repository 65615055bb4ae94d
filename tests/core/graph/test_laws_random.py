"""Laws of every graph: bits, counts, hashes, finite numbers, kernel against twin (table: `test_laws_table`)."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.graph.commands import Command, Do
from core.graph.compile import compile_graph
from core.graph.events import EventKind
from core.graph.hashing import plan_hash
from core.graph.instance import Instance
from core.graph.op import PoseOp
from core.graph.record import Recording
from core.graph.recorded import proved
from core.math import kernels
from tests.core.graph.random_graphs import graphs, inputs, orders, runs
from tests.core.graph.test_kernel import assert_alike


def planned(drawn):
    drawing, graph = drawn
    return compile_graph(graph, drawing.project(graph))


ordered = st.lists(
    st.tuples(st.sampled_from([0.0, 1 / 60, 0.05, 0.1, 0.23]), inputs, orders), min_size=4, max_size=14
)


@settings(max_examples=15, deadline=None)
@given(graphs(), ordered, st.integers(0, 11))
def test_run_goto_run_again_gives_the_same_bits(drawn, steps, back):
    plan = planned(drawn)
    recording = Recording.of(plan)
    results = [recording.step(dt, values, commands=commands) for dt, values, commands in steps]
    end = recording.instance.snapshot()
    back = min(back, len(steps))
    found = recording.goto(back)
    assert recording.differs is None
    if found is not None:
        assert found.numbers.tobytes() == results[back - 1].numbers.tobytes()
        assert found.events == results[back - 1].events
    for number in range(back, len(steps)):
        dt, values, commands = steps[number]
        again = recording.step(dt, values, commands=commands)
        assert again.numbers.tobytes() == results[number].numbers.tobytes()
        assert again.events == results[number].events
    assert recording.instance.snapshot().same_bits(end)
    assert proved(recording, Instance(plan)).same_bits


@settings(max_examples=15, deadline=None)
@given(graphs(), ordered)
def test_every_node_is_posed_at_most_once_an_inner_step(drawn, steps):
    """Counted at the nodes themselves, and told by the result."""
    plan = planned(drawn)
    twin, counts = Instance(plan), Counter()
    twin.runner = None
    for op in plan.ops:
        if isinstance(op, PoseOp):
            _count(op, counts)
    for dt, values, commands in steps:
        counts.clear()
        result = twin.step(min(dt, 0.1), values, commands=commands)
        assert not counts or max(counts.values()) == 1
        assert len(set(result.visits)) == len(result.visits)


def _count(op: PoseOp, counts: Counter) -> None:
    inner = op.pose

    def pose(run):
        counts[op.number] += 1
        return inner(run)

    op.pose = pose


@settings(max_examples=15, deadline=None)
@given(graphs(), ordered)
def test_the_compiled_step_visits_no_node_twice(drawn, steps):
    instance = Instance(planned(drawn))
    for dt, values, commands in steps:
        result = instance.step(min(dt, 0.1), values, commands=commands)
        assert len(set(result.visits)) == len(result.visits)


@settings(max_examples=20, deadline=None)
@given(
    graphs(),
    st.lists(
        st.tuples(st.one_of(st.floats(0, 0.2), st.floats(0, 10)), inputs, orders), min_size=2, max_size=6
    ),
)
def test_random_graphs_inputs_and_steps_up_to_10_s_stay_finite(drawn, steps):
    instance = Instance(planned(drawn))
    for dt, values, commands in steps:
        result = instance.step(dt, values, commands=commands)
        for part in (*result.pose.local, *result.root_motion, np.array([*result.pose.curves.values()])):
            assert np.isfinite(part).all()
        lengths = np.linalg.norm(result.pose.rotations, axis=1)
        assert lengths == pytest.approx(np.ones(len(lengths)), abs=1e-9)
        assert np.linalg.norm(result.root_motion.rotation) == pytest.approx(1.0, abs=1e-9)
        assert all(0.0 <= e.moment <= dt + 1e-9 and 0.0 <= e.weight <= 1.0 + 1e-9 for e in result.events)


@settings(max_examples=22, deadline=None)
@given(graphs(), runs)
def test_kernel_and_twin_agree_over_random_graphs_with_machines(drawn, steps):
    if kernels.load() is None:
        pytest.skip("the compiled kernels cannot be used here")
    plan = planned(drawn)
    compiled, plain = Instance(plan), Instance(plan)
    assert compiled.runner is not None
    plain.runner = None
    for dt, values in steps:
        assert_alike(compiled, plain, dt, values)


@settings(max_examples=12, deadline=None)
@given(graphs(), st.dictionaries(st.text(max_size=5), st.lists(st.floats(-9, 9)), max_size=3))
def test_layout_never_changes_the_plans_hash_and_a_pin_does(drawn, layout):
    drawing, graph = drawn
    placed = replace(graph, layout=layout)
    project = drawing.project(graph)
    assert plan_hash(compile_graph(placed, project)) == plan_hash(compile_graph(graph, project))
    sheet = graph.root
    nodes = tuple(
        replace(n, literals={"alpha": "stop * 0.5"}) if n.name == "stop" else n for n in sheet.nodes
    )
    other = graph.with_sheet(replace(sheet, nodes=nodes))
    assert plan_hash(compile_graph(other, project)) != plan_hash(compile_graph(graph, project))


@settings(max_examples=20, deadline=None)
@given(graphs(), ordered)
def test_begins_are_ends_and_enters_are_leaves_and_gones_after_a_stop(drawn, steps):
    """At the end the rest pose takes all weight, and montages are let go."""
    instance, events = Instance(planned(drawn)), []
    for dt, values, commands in steps:
        events += instance.step(dt, values, commands=commands).events
    while (found := instance.step(0.1, {"stop": 1.0})).montages:
        events += found.events
        names = {playing.name for playing in found.montages}
        events += instance.step(0.0, commands=[Command(Do.STOP, name, seconds=0.0) for name in names]).events
    events += found.events
    events += instance.step(0.1).events
    kinds = Counter((e.kind, e.node, e.name, e.clip) for e in events)
    for kind, *rest in list(kinds):
        begins, ends = kinds[EventKind.BEGIN, *rest], kinds[EventKind.END, *rest]
        assert begins == ends, (kind, rest)
        assert kinds[EventKind.ENTER, *rest] == kinds[EventKind.LEAVE, *rest] == kinds[EventKind.GONE, *rest]
    started = sum(n for (kind, *_), n in kinds.items() if kind is EventKind.MONTAGE_STARTED)
    ended = sum(n for (kind, *_), n in kinds.items() if kind is EventKind.MONTAGE_ENDED)
    assert started == ended


@settings(max_examples=15, deadline=None)
@given(graphs(), runs)
def test_slot_with_nothing_playing_gives_the_bits_of_its_source(drawn, steps):
    drawing, graph = drawn
    sheet = graph.root
    stop = next(node for node in sheet.nodes if node.name == "stop")
    wire = next(link for link in sheet.links if link.source == stop.id)
    slot = drawing.node("slot", "shown", slot="Group.Upper")
    links = [link for link in sheet.links if link is not wire]
    links += [replace(wire, target=slot.id, pin="source"), replace(wire, source=slot.id)]
    with_slot = graph.with_sheet(replace(sheet, nodes=(*sheet.nodes, slot), links=tuple(links)))
    project = drawing.project(graph)
    one, other = (Instance(compile_graph(made, project)) for made in (with_slot, graph))
    one.runner = other.runner = None
    for dt, values in steps:
        a, b = one.step(dt, values), other.step(dt, values)
        assert all((x == y).all() for x, y in zip(a.pose.local, b.pose.local, strict=True))
        assert dict(a.pose.curves) == dict(b.pose.curves)
        assert all((x == y).all() for x, y in zip(a.root_motion, b.root_motion, strict=True))
