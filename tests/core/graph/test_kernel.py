"""The compiled kernel of the graph against its plain twin."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.blending.layers import CurveRule
from core.clips.clip import Additive, AdditiveBase, AdditiveSpace, RootMotion
from core.errors import ValidationError
from core.graph import crowd as crowds
from core.graph.compile import compile_graph
from core.graph.crowd import step_many
from core.graph.instance import Instance
from core.graph.language.program import Op
from core.graph.runner import not_compiled
from core.graph.state_hash import state_hash
from core.math import kernel_graph_layout as at
from core.math import kernels
from tests.core.graph.builders import Drawing, swinging, walker
from tests.core.graph.test_laws import ALPHA, SPEED, mixed, runs


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


@settings(max_examples=18, deadline=None)
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


def assert_crowd_has_the_bits_of_singles(plan, steps, count: int) -> None:
    """Step instances in one call and one by one, and compare all that they tell."""
    crowd, single = ([Instance(plan, seed) for seed in range(count)] for _ in range(2))
    for number in range(count - 1):
        for instance in (crowd[number], single[number]):
            instance.step(0.07 * (number + 1))
    for dt, inputs in steps:
        given_ = [inputs if k % 2 else {} for k in range(count)]
        found = step_many(crowd, dt, given_)
        wanted = [instance.step(dt, values) for instance, values in zip(single, given_, strict=True)]
        for one, other in zip(found, wanted, strict=True):
            assert one.numbers.tobytes() == other.numbers.tobytes()
            assert told(one.events) == told(other.events)
            assert (one.states, one.visits, one.flagged) == (other.states, other.visits, other.flagged)
    for one, other in zip(crowd, single, strict=True):
        assert one.snapshot().same_bits(other.snapshot())


@pytest.mark.parametrize("threads", [1, 2])
@settings(max_examples=8, deadline=None)
@given(runs)
def test_many_in_one_call_have_the_bits_of_one_by_one(threads, steps):
    drawing, graph = mixed()
    plan = compile_graph(graph, drawing.project(graph))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(crowds, "MANY", 5 if threads > 1 else 99)
        patch.setattr(crowds, "_processors", lambda: threads)
        assert_crowd_has_the_bits_of_singles(plan, steps, 11)


def test_rounds_of_a_large_crowd_have_the_bits_of_one_by_one(monkeypatch):
    drawing, graph = mixed()
    plan = compile_graph(graph, drawing.project(graph))
    monkeypatch.setattr(crowds, "ROUND", 5)
    monkeypatch.setattr(crowds, "MANY", 99)
    steps = [(0.03, {"speed": 3.0}), (0.02, {}), (0.25, {"alpha": 0.5}), (0.02, {"speed": -1.0}), (0.04, {})]
    assert_crowd_has_the_bits_of_singles(plan, steps, 12)


def test_error_of_a_step_of_many_is_told_from_either_thread(monkeypatch):
    drawing, graph = mixed()
    plan = compile_graph(graph, drawing.project(graph))
    monkeypatch.setattr(crowds, "MANY", 2)
    monkeypatch.setattr(crowds, "_processors", lambda: 2)
    with pytest.raises(ValidationError, match="expected a step"):
        step_many([Instance(plan) for _ in range(6)], -1.0)


def test_many_of_different_plans_are_refused():
    drawing, graph = mixed()
    plans = [compile_graph(graph, drawing.project(graph)) for _ in range(2)]
    with pytest.raises(ValidationError, match="instances of one plan"):
        step_many([Instance(plan) for plan in plans], 0.1)
    with pytest.raises(ValidationError, match="inputs for 1 instances, got 2"):
        step_many([Instance(plans[0])], 0.1, [{}, {}])
    assert step_many([], 0.1) == []


@st.composite
def trees(draw) -> tuple[Drawing, object]:
    """Random trees of every node that has kernels, over clips of a mirrored figure."""
    additive = Additive(draw(st.sampled_from(AdditiveSpace)), draw(st.sampled_from([*AdditiveBase][:2])))
    drawing = Drawing(
        swinging("walk", 30.0, curves={"level": 0.4}), swinging("run", -50.0, root_motion=RootMotion(True)),
        swinging("breath", 12.0, additive=additive, curves={"other": 1.0}),
        variables=(SPEED, ALPHA), rig_=walker(),
    )  # fmt: skip
    nodes, wires = [], []

    def node(kind, literals=None, **parameters):
        nodes.append(drawing.node(kind, "", literals or {}, **parameters))
        return nodes[-1]

    def pose(depth):
        kind = draw(st.sampled_from(["clip"] if depth == 0 else KINDS))
        below = [pose(depth - 1) for _ in range({"blend": 2, "layered": 2}.get(kind, kind != "clip"))]
        value = draw(
            st.sampled_from(["alpha", "ease_to(alpha, 0.1)", "0.4", "abs(sin(timer(speed > 1) * 200))"])
        )
        if kind == "clip":
            name, loop = draw(st.sampled_from(["walk", "run"])), draw(st.booleans())
            rate = draw(st.sampled_from(["1", "speed * 0.3", "-0.7", "0"]))
            nodes.append(drawing.play(name, rate=rate, loop=loop, start="0.2"))
            return nodes[-1]
        if kind == "blend":
            made = node(kind, {"alpha": value})
        elif kind == "layered":
            parts = {"curves": str(draw(st.sampled_from(CurveRule))), "model_rotations": draw(st.booleans())}
            made = node(kind, {"weight": value}, branches=("spine:2",), **parts)
        elif kind == "modify_curve":
            way = draw(st.sampled_from(["set", "add", "scale", "remap"]))
            made = node(kind, {"value": "speed", "from_low": "0.1", "to_high": "3"}, curve="level", way=way)
        elif kind == "mirror":
            made = node(kind, {"on": draw(st.sampled_from(["true", "speed > 0"]))})
        else:
            made = node(kind, {"alpha": value})
            nodes.append(drawing.play("breath", rate="1 + alpha"))
            wires.append((nodes[-1], made, "additive"))
        pins = {"blend": ("a", "b"), "layered": ("base", "layer"), "apply_additive": ("base",)}
        wires.extend((b, made, pin) for b, pin in zip(below, pins.get(kind, ("pose",)), strict=True))
        return made

    last = pose(draw(st.integers(0, 3)))
    return drawing, drawing.graph(drawing.pose_sheet("main", nodes, wires, last))


KINDS = ["clip", "blend", "layered", "modify_curve", "mirror", "apply_additive"]


@settings(max_examples=22, deadline=None)
@given(trees(), runs)
def test_kernel_and_twin_agree_over_random_graphs(tree, steps):
    drawing, graph = tree
    plan = compile_graph(graph, drawing.project(graph))
    assert not_compiled(plan) == ()
    instances = both(plan)
    for dt, inputs in steps:
        assert_alike(*instances, dt, inputs)


@settings(max_examples=15, deadline=None)
@given(trees(), runs)
def test_many_of_random_graphs_have_the_bits_of_one_by_one(tree, steps):
    drawing, graph = tree
    assert_crowd_has_the_bits_of_singles(compile_graph(graph, drawing.project(graph)), steps, 6)


def test_hash_of_a_state_is_the_same_by_kernel_and_twin(monkeypatch):
    rng = np.random.default_rng(5)
    numbers, whole = rng.normal(size=301), rng.integers(-(1 << 62), 1 << 62, 17)
    numbers[3], numbers[4] = -0.0, np.inf
    found = state_hash(numbers, whole)
    monkeypatch.setattr(kernels, "compiled", lambda: None)
    assert state_hash(numbers, whole) == found
    assert state_hash(np.array([1.0]), np.array([2])) == 0xC2013CD54372CBEA  # of every machine and version
    for array in (numbers, whole):
        array[-1] += 1
        assert state_hash(numbers, whole) != found
        array[-1] -= 1
