"""What must hold for every graph (spec: graph, §12)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.arrays import same_value
from core.blending.easing import EaseShape, Easing
from core.clips.evaluator import ClipEvaluator
from core.clips.root_motion import accumulate
from core.errors import MissingReferenceError, ValidationError
from core.graph.compile import compile_graph
from core.graph.events import EventKind
from core.graph.graph import BlendKind, Interrupt, Variable
from core.graph.instance import Instance
from core.io.native.read import from_bytes
from core.io.native.write import to_bytes
from core.math import transform
from core.math.transform import Transform
from core.pose.blend import weighted
from tests.core.graph.builders import Drawing, clip, walking

SPEED = Variable("speed", maximum=10.0, minimum=-10.0)
ALPHA = Variable("alpha", maximum=1.0)


def travelling() -> Drawing:
    return Drawing(
        walking("walk", 1.0, 1.5),
        walking("run", 0.7, 4.0, x=1.0),
        clip("wave", 0.4, looping=False, x=2.0),
        variables=(SPEED, ALPHA),
    )


def one_player(**literals) -> Instance:
    drawing = travelling()
    graph = drawing.graph(drawing.clip_sheet("walk", **literals))
    return Instance(compile_graph(graph, drawing.project(graph)))


def cuts(total: float):
    """Ways of cutting a span into steps."""
    return st.lists(st.floats(0.01, 1.0), min_size=1, max_size=8).map(
        lambda parts: [p * total / sum(parts) for p in parts]
    )


@settings(max_examples=12, deadline=None)
@given(cuts(3.3), st.sampled_from(["1", "-1.5", "0.3"]))
def test_one_player_travels_as_its_clip_under_any_cutting(steps, rate):
    instance = one_player(rate=rate)
    moved = transform.IDENTITY
    for dt in steps:
        moved = transform.compose(moved, instance.step(dt).root_motion)
    evaluator = ClipEvaluator(instance.plan.rig, travelling().clips[0])
    wanted = accumulate(evaluator, [3.3 * float(rate)])
    assert moved.translation == pytest.approx(wanted.translation[0], abs=1e-9)


@settings(max_examples=12, deadline=None)
@given(cuts(4.0), st.sampled_from([1.0, -1.0, 2.5]))
def test_each_notify_fires_once_a_pass_under_any_cutting(steps, rate):
    def moments(cut):
        instance, found, before = one_player(rate=str(rate)), [], 0.0
        for dt in cut:
            found += [
                round(before + e.moment, 9) for e in instance.step(dt).events if e.kind is EventKind.NOTIFY
            ]
            before += dt
        return found

    assert moments(steps) == pytest.approx(moments([4.0]), abs=1e-8)
    assert len(moments(steps)) == round(4 * abs(rate))


def mixed() -> tuple[Drawing, object]:
    """Everything at once: a machine beside a blend, an additive-free layer, a mirror-free tree."""
    drawing = travelling()
    states = {name: drawing.clip_sheet(name) for name in ("walk", "run", "wave")}
    arrows = [
        ("walk", "run", "speed > 1", {"seconds": "0.1 + alpha", "easing": Easing(EaseShape.SINE)}),
        ("run", "walk", "speed < 1", {"blend": {"kind": BlendKind.INERTIALISE}}),
        ("walk", "wave", "held(speed < 0) > 0.2", {"blend": {"kind": BlendKind.FROZEN}, "priority": -1}),
        ("wave", "walk", None, {"automatic": 0.1, "interrupt": Interrupt.NEVER}),
        ("run", "wave", "rose(alpha > 0.5)", {"blend": {"kind": BlendKind.DEAD_BLEND}}),
    ]
    machine = drawing.node("machine", "moves", sheet=drawing.machine(states, arrows).id)
    other = drawing.play("walk", rate="1 + alpha")
    blend = drawing.node("blend", "mix", {"alpha": "ease_to(alpha, 0.1)"})
    layer = drawing.node("layered", "arm", {"weight": "alpha"}, branches=("hand:2",))
    wires = [(machine, blend, "a"), (other, blend, "b"), (blend, layer, "base"), (other, layer, "layer")]
    return drawing, drawing.graph(drawing.pose_sheet("main", [machine, other, blend, layer], wires, layer))


inputs = st.fixed_dictionaries({}, optional={"speed": st.floats(-20, 20), "alpha": st.floats(-1, 2)})
runs = st.lists(st.tuples(st.one_of(st.just(0.0), st.floats(0.001, 0.3), st.just(0.25)), inputs), max_size=10)


@settings(max_examples=12, deadline=None)
@given(runs, st.integers(0, 9))
def test_going_back_and_running_again_gives_the_same_bits(steps, back):
    drawing, graph = mixed()
    instance = Instance(compile_graph(graph, drawing.project(graph)))
    snapshots, ends = [], []
    for dt, values in steps:
        snapshots.append(instance.snapshot())
        result = instance.step(dt, values)
        ends.append((result.pose, result.root_motion, result.events))
    last = instance.snapshot()
    for number in range(min(back, len(steps)), len(steps)):
        if number == min(back, len(steps)):
            instance.restore(snapshots[number])
        result = instance.step(*steps[number])
        assert same_value((result.pose, result.root_motion, result.events), ends[number])
    assert instance.snapshot().same_bits(last)


@settings(max_examples=12, deadline=None)
@given(runs)
def test_any_run_is_finite_visits_no_node_twice_and_keeps_unit_rotations(steps):
    drawing, graph = mixed()
    instance = Instance(compile_graph(graph, drawing.project(graph)))
    for dt, values in steps:
        result = instance.step(dt, values)
        for part in (*result.pose.local, *result.root_motion):
            assert np.isfinite(part).all()
        lengths = np.linalg.norm(result.pose.rotations, axis=1)
        assert lengths == pytest.approx(np.ones(3), abs=1e-9)
        assert len(set(result.visits)) == len(result.visits)
        assert all(0.0 <= event.moment <= dt + 1e-9 for event in result.events)


@settings(max_examples=12, deadline=None)
@given(runs)
def test_weights_of_crossfaded_states_sum_to_one(steps):
    drawing = travelling()
    states = {name: drawing.clip_sheet(name) for name in ("walk", "run", "wave")}
    arrows = [("walk", "run", "speed > 1"), ("run", "wave", "alpha > 0.5"), ("wave", "walk", "speed < 0")]
    graph = drawing.machine_graph(drawing.machine(states, arrows))
    instance = Instance(compile_graph(graph, drawing.project(graph)))
    players = [op.number for op in instance.plan.ops if not op.inputs]
    for dt, values in steps:
        assert instance.step(dt, values).weights[players].sum() == pytest.approx(1.0, abs=1e-12)


@settings(max_examples=8, deadline=None)
@given(runs)
def test_step_of_no_seconds_moves_and_fires_nothing(steps):
    drawing, graph = mixed()
    instance = Instance(compile_graph(graph, drawing.project(graph)))
    for dt, values in steps:
        instance.step(dt, values)
    instance.step(0.0)
    result, again = instance.step(0.0), instance.step(0.0)
    assert result.events == ()
    assert same_value(result.pose, again.pose)
    for part, still in zip(result.root_motion, transform.IDENTITY, strict=True):
        assert (part == still).all()


@settings(max_examples=20, deadline=None)
@given(st.floats(0, 1))
def test_blend_node_is_the_weighted_pose_of_its_sides(alpha):
    drawing = travelling()
    a, b = drawing.play("walk"), drawing.play("run")
    node = drawing.node("blend", "mix", {"alpha": "alpha"})
    graph = drawing.graph(drawing.pose_sheet("main", [a, b, node], [(a, node, "a"), (b, node, "b")], node))
    instance = Instance(compile_graph(graph, drawing.project(graph)))
    found = instance.step(0.05, {"alpha": alpha}).pose.local
    rig = instance.plan.rig
    from core.clips.root_motion import without_root

    sides = []
    for source in drawing.clips[:2]:
        evaluator = ClipEvaluator(rig, source)
        local = without_root(evaluator, evaluator.sample_many([0.05]).local)
        sides.append(Transform(*(part[0] for part in local)))
    if 1e-5 < alpha < 1 - 1e-5:
        wanted = weighted(sides, [1 - alpha, alpha])
        for part, other in zip(found, wanted, strict=True):
            assert part == pytest.approx(other, abs=1e-12)


def test_frozen_layout_never_reaches_the_plan():
    from dataclasses import replace

    drawing, graph = mixed()
    placed = replace(graph, layout={"n-00000001": [10.0, 20.0]})
    results = []
    for made in (graph, placed):
        instance = Instance(compile_graph(made, drawing.project(made)))
        results.append([instance.step(0.1, {"speed": 3.0, "alpha": 0.3}).pose for _ in range(5)])
    assert same_value(results[0], results[1])


def test_graph_survives_a_native_file():
    drawing, graph = mixed()
    project = drawing.project(graph)
    assert same_value(from_bytes(to_bytes(project)), project)


def test_graph_names_what_it_refers_to_and_lets_go_of_what_is_gone():
    drawing, graph = mixed()
    targets = {reference.target for reference in graph.references()}
    assert {"rig-1", "clip-walk", "clip-run", "clip-wave"} == targets
    without = graph.with_targets({"clip-run": None})
    assert "clip-run" not in {reference.target for reference in without.references()}
    assert graph.with_targets({"rig-1": None}) is None


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "fast", [1.0, 2.0], None])
def test_input_that_is_no_number_is_refused(value):
    instance = one_player()
    with pytest.raises(ValidationError, match="speed"):
        instance.set("speed", value)


def test_input_is_clamped_and_an_unknown_one_lists_near_names():
    instance = one_player()
    instance.set("speed", 99.0)
    assert instance.value("speed") == 10.0
    with pytest.raises(MissingReferenceError, match="near: speed"):
        instance.set("sped", 1.0)


@pytest.mark.parametrize("dt", [-0.1, float("nan"), 1e6])
def test_absurd_step_is_refused(dt):
    with pytest.raises(ValidationError, match="expected a step"):
        one_player().step(dt)
