"""Sync groups: one phase, one pace, one that leads (spec: graph, §4)."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.arrays import same_value
from core.blending.blend_space import BlendSpace, SpaceAxis, SpaceKind, SpaceSample
from core.clips.clip import Notify, NotifyRule, SyncMarker
from core.graph.compile import compile_graph
from core.graph.events import EventKind
from core.graph.graph import SyncSetting, Tempo, Variable
from core.graph.instance import Instance
from core.graph.problems import GraphError
from core.ids import AssetId
from core.io.native.read import from_bytes
from core.io.native.write import to_bytes
from tests.core.graph.builders import RIG, Drawing, clip

ALPHA = Variable("alpha", maximum=1.0)
STEP = Notify("step", 0.0)


def strides(*, markers=True, follower=False) -> tuple:
    """A walk of 1 s and a run of 0.6 s, whose right foot comes down early."""
    rule = NotifyRule(on_follower=follower)
    walk = clip("walk", 1.0, notifies=(Notify("left", 0.2, rule=rule), Notify("right", 0.7, rule=rule)))
    run = clip("run", 0.6, x=1.0, notifies=(Notify("left", 0.1, rule=rule), Notify("right", 0.3, rule=rule)))
    if not markers:
        return walk, run
    return tuple(
        replace(c, sync_markers=tuple(SyncMarker(n.name, n.time) for n in c.notifies)) for c in (walk, run)
    )


def mixed(clips, roles=("can_lead", "can_lead"), tempo=None, rates=("1", "1"), alpha="alpha") -> Instance:
    """Walk and run in one group, blended by alpha."""
    parts = {"sync_groups": (SyncSetting("feet", tempo),)} if tempo else {}
    drawing = Drawing(*clips, variables=(ALPHA,), **parts)
    a, b = (
        drawing.node("clip", c.name, {"rate": rate}, clip=c.id, group="feet", role=role)
        for c, role, rate in zip(clips, roles, rates, strict=True)
    )
    mix = drawing.node("blend", "mix", {"alpha": alpha})
    graph = drawing.graph(drawing.pose_sheet("main", [a, b, mix], [(a, mix, "a"), (b, mix, "b")], mix))
    return Instance(compile_graph(graph, drawing.project(graph)))


def times(instance) -> tuple[float, float]:
    """Playback times of walk and run."""
    ops = (instance.plan.op_named(name) for name in ("walk", "run"))
    return tuple(float(instance.state.floats[op.place.floats]) for op in ops)


def fired(instance, steps, **inputs) -> list[str]:
    told, before = [], 0.0
    for dt in steps:
        found = instance.step(dt, inputs).events
        told += [f"{e.name}@{before + e.moment:.6g}" for e in found if e.kind is EventKind.NOTIFY]
        before += dt
    return told


def test_members_without_markers_are_at_the_same_fraction_and_the_tempo_is_the_mean():
    instance = mixed(strides(markers=False))
    for k in range(1, 12):
        instance.step(0.1, {"alpha": 0.25})
        walk, run = times(instance)
        assert run / 0.6 == pytest.approx(walk / 1.0)
        assert walk == pytest.approx(0.1 * k / 0.9)  # cycles of 1 s and 0.6 s, three to one


def test_members_with_markers_are_between_the_same_names():
    instance = mixed(strides())
    for _ in range(40):
        instance.step(0.03, {"alpha": 0.5})
        walk, run = times(instance)
        wanted = np.interp(walk % 1.0, [-0.3, 0.2, 0.7, 1.2], [-0.3, 0.1, 0.3, 0.7])
        assert (run - wanted) % 0.6 == pytest.approx(0.0, abs=1e-9) or (run - wanted) % 0.6 == pytest.approx(
            0.6
        )


def test_leader_tempo_is_that_of_the_heaviest():
    instance = mixed(strides(markers=False), tempo=Tempo.LEADER)
    instance.step(0.1, {"alpha": 0.25})
    assert times(instance)[0] == pytest.approx(0.1)


def test_role_decides_before_weight():
    instance = mixed(strides(markers=False), roles=("can_lead", "always"), tempo=Tempo.LEADER)
    instance.step(0.1, {"alpha": 0.25})
    assert times(instance)[1] == pytest.approx(0.1)
    instance = mixed(strides(markers=False), roles=("never", "can_lead"), tempo=Tempo.LEADER)
    instance.step(0.1, {"alpha": 0.25})
    assert times(instance)[1] == pytest.approx(0.1)
    instance = mixed(strides(markers=False), roles=("blended_in", "can_lead"), tempo=Tempo.LEADER)
    instance.step(0.1, {"alpha": 0.25})
    assert times(instance)[1] == pytest.approx(0.1)


def test_follower_is_silent_but_where_its_notify_says_otherwise():
    assert fired(mixed(strides()), [0.1] * 8, alpha=0.5) == ["left@0.16", "right@0.56"]
    both = fired(mixed(strides(follower=True)), [0.1] * 8, alpha=0.5)
    assert both == ["left@0.16", "left@0.16", "right@0.56", "right@0.56"]


@settings(max_examples=10, deadline=None)
@given(st.lists(st.floats(0.01, 0.3), min_size=1, max_size=9), st.floats(0.05, 0.95))
def test_cutting_a_span_of_constant_weights_changes_nothing(parts, alpha):
    steps = [p * 2.37 / sum(parts) for p in parts]
    one, other = mixed(strides(follower=True)), mixed(strides(follower=True))
    assert fired(one, steps, alpha=alpha) == fired(other, [2.37], alpha=alpha)
    assert times(one) == pytest.approx(times(other), abs=1e-9)


@settings(max_examples=10, deadline=None)
@given(st.lists(st.floats(0.0, 1.0), min_size=2, max_size=20))
def test_new_leader_moves_no_phase_and_each_foot_comes_down_once(alphas):
    instance = mixed(strides())
    told, last = [], 0.0
    for alpha in alphas:
        result = instance.step(0.07, {"alpha": alpha})
        told += [e.name for e in result.events if e.kind is EventKind.NOTIFY]
        lead = [
            op
            for op in instance.plan.ops
            if op.number + 1 == instance.state.ints[instance.plan.groups[0].place]
        ]
        phase = lead[0].markers.phase(float(instance.state.floats[lead[0].place.floats]))
        now = {"left": 0.0, "right": 0.5}[phase.markers[0]] + phase.between / 2.0
        assert (now - last) % 1.0 < 0.35 or last == 0.0  # 0.07 s are at most 0.06 s of 0.2 s between two feet
        last = now
    assert all(a != b for a, b in pairwise(told))  # left and right take turns


def test_state_that_joins_takes_the_phase_and_fires_nothing_for_it():
    walk, run = strides()
    drawing = Drawing(walk, run, variables=(ALPHA,))
    sheets = {}
    for c in (walk, run):
        player = drawing.node("clip", c.name, clip=c.id, group="feet")
        sheets[c.name] = drawing.pose_sheet(c.name, [player], [], player)
    graph = drawing.machine_graph(drawing.machine(sheets, [("walk", "run", "alpha > 0.5", {"seconds": 0.2})]))
    instance = Instance(compile_graph(graph, drawing.project(graph)))
    assert fired(instance, [0.1] * 5) == ["left@0.2"]
    assert fired(instance, [0.0], alpha=1.0) == []
    told = fired(instance, [0.05] * 6, alpha=1.0)
    assert [name.split("@")[0] for name in told] == ["right"]


def test_space_in_a_group_keeps_the_phase_of_a_clip():
    walk, run = strides()
    space = BlendSpace(
        AssetId("space-1"), "space", RIG, (SpaceAxis("x", 0.0, 1.0),),
        (SpaceSample(run.id, (0.0,)), SpaceSample(walk.id, (1.0,))), SpaceKind.LINE,
    )  # fmt: skip
    drawing = Drawing(walk, run, variables=(ALPHA,))
    a = drawing.node("clip", "walk", clip=walk.id, group="feet", role="always")
    b = drawing.node("blend_space", "space", {"x": "0.5"}, space=space.id, group="feet")
    mix = drawing.node("blend", "mix", {"alpha": "0.5"})
    graph = drawing.graph(drawing.pose_sheet("main", [a, b, mix], [(a, mix, "a"), (b, mix, "b")], mix))
    instance = Instance(compile_graph(graph, drawing.project(graph).with_assets(space)))
    player, op = instance.plan.op_named("space"), instance.plan.op_named("walk")
    for _ in range(30):
        instance.step(0.05)
        clock = float(instance.state.floats[player.place.floats])
        phase = op.markers.phase(float(instance.state.floats[op.place.floats]))
        names = player.player.group.names
        assert names[int(np.floor(clock)) % 2] == phase.markers[0] or clock % 1.0 == pytest.approx(
            0.0, abs=1e-6
        )
        assert (clock % 1.0 - phase.between + 0.5) % 1.0 == pytest.approx(0.5, abs=1e-9)


def test_unknown_role_is_refused():
    with pytest.raises(GraphError, match="expected one of can_lead, always, never, blended_in"):
        mixed(strides(), roles=("first", "can_lead"))


def test_sync_groups_survive_a_native_file():
    instance = mixed(strides(), tempo=Tempo.LEADER)
    graph = instance.plan.graph
    project = Drawing(*strides()).project(graph)
    assert same_value(from_bytes(to_bytes(project)), project)


def test_who_comes_where_the_leader_just_went_takes_its_phase():
    """The leader is the plan's first op, and is gone from the very beginning of the step on."""
    clips = strides()
    drawing = Drawing(*clips, variables=(ALPHA,))
    made = {c.name: drawing.node("clip", c.name, {}, clip=c.id, group="feet") for c in clips}
    states = {name: drawing.pose_sheet(name, [node], [], node) for name, node in made.items()}
    arrows = [("walk", "run", "alpha > 0.5", {"seconds": 0}), ("run", "walk", "alpha < 0.5", {"seconds": 0})]
    graph = drawing.machine_graph(drawing.machine(states, arrows))
    instance = Instance(compile_graph(graph, drawing.project(graph)))
    assert instance.plan.op_named("walk").number == 0
    instance.step(0.1)
    instance.step(0.1)
    instance.step(0.06, {"alpha": 1.0})
    # The walk stood at 0.2, its left marker; the run is at its own, 0.1, and goes on at its pace.
    assert times(instance)[1] == pytest.approx(0.1 + 0.06)
    instance.step(0.06, {"alpha": 0.0})
    # The run was 0.06 of 0.2 after its left marker: so is the walk of 0.5, and goes on.
    assert times(instance)[0] == pytest.approx(0.2 + 0.5 * 0.3 + 0.06)
