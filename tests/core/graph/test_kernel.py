"""The compiled kernel of the graph against its plain twin."""

import numpy as np
import pytest
from hypothesis import given, settings

from core.graph.compile import compile_graph
from core.graph.instance import Instance
from core.graph.language.program import Op
from core.graph.runner import not_compiled
from core.math import kernel_graph_layout as at
from core.math import kernels
from tests.core.graph.test_laws import mixed, runs


@pytest.fixture(scope="module", autouse=True)
def loaded():
    if kernels.load() is None:
        pytest.skip("the compiled kernels cannot be used here")


def both(plan) -> tuple[Instance, Instance]:
    """An instance that the kernel runs, and one that the twin runs."""
    compiled, plain = Instance(plan), Instance(plan)
    assert compiled.runner is not None
    plain.runner = None
    return compiled, plain


def told(events):
    return [
        (e.name, e.kind, round(e.moment, 9), round(e.weight, 9), e.node, e.clip, e.time, e.leaving, e.data)
        for e in events
    ]


def assert_alike(compiled: Instance, plain: Instance, dt, inputs) -> None:
    """Step both, and compare all that they tell."""
    found, wanted = compiled.step(dt, inputs), plain.step(dt, inputs)
    assert found.numbers == pytest.approx(wanted.numbers, abs=1e-12)
    assert told(found.events) == told(wanted.events)
    assert found.states == wanted.states
    assert found.flagged == wanted.flagged
    assert sorted(found.visits) == sorted(wanted.visits)


@settings(max_examples=30, deadline=None)
@given(runs)
def test_kernel_and_twin_agree_over_random_runs(steps):
    drawing, graph = mixed()
    instances = both(compile_graph(graph, drawing.project(graph)))
    for dt, inputs in steps:
        assert_alike(*instances, dt, inputs)


def test_ops_of_the_mixed_graph_are_all_compiled():
    drawing, graph = mixed()
    assert not_compiled(compile_graph(graph, drawing.project(graph))) == ()


def test_codes_of_the_language_are_those_of_the_kernel():
    from core.math import kernel_graph_values as values

    for op in Op:
        assert getattr(values, op.name) == op


def test_more_events_than_there_was_room_for_are_all_told():
    drawing, graph = mixed()
    plan = compile_graph(graph, drawing.project(graph))
    compiled, plain = both(plan)
    compiled.runner.wi[at.D_ROOM] = 0  # Python does the logic instead
    for _ in range(20):
        assert_alike(compiled, plain, 0.25, {"speed": 3.0})


def test_snapshot_of_a_compiled_run_brings_back_its_bits():
    drawing, graph = mixed()
    compiled, _ = both(compile_graph(graph, drawing.project(graph)))
    compiled.step(0.1, {"speed": 3.0})
    before = compiled.snapshot()
    first = [compiled.step(0.05, {"alpha": 0.4}).numbers for _ in range(20)]
    end = compiled.snapshot()
    compiled.restore(before)
    again = [compiled.step(0.05, {"alpha": 0.4}).numbers for _ in range(20)]
    assert np.array_equal(np.array(first), np.array(again))
    assert compiled.snapshot().same_bits(end)
