"""Transitions by bone and by a sheet of their own, where targets begin, and what states do (spec: graph, §6 and §7)."""

from dataclasses import replace

import numpy as np
import pytest

from core.arrays import same_value
from core.blending.easing import EaseShape, Easing, ease
from core.clips.clip import Notify, SyncMarker
from core.graph.compile import compile_graph
from core.graph.events import EventKind
from core.graph.graph import BlendKind, Role, TargetStart, Variable
from core.graph.instance import Instance
from core.graph.language.values import Kind
from core.graph.problems import GraphError
from core.io.native.read import from_bytes
from core.io.native.write import to_bytes
from core.math import kernels
from core.pose.blend import weighted
from core.tracks.keys import Interpolation, scalar_track
from tests.core.graph.builders import Drawing, clip, swinging, walker

SPEED = Variable("speed", maximum=10.0)
OWN = Variable("kept", minimum=-1.0, maximum=3.0, role=Role.OWN)


def two(*arrows, clips=None, literals=None, variables=(SPEED,), rig_=None, resets=None) -> Instance:
    """A machine of a and b, which play clips of 1 s; `literals` of each state's node."""
    drawing = Drawing(*(clips or (clip("a"), clip("b", x=1.0))), variables=variables, rig_=rig_)
    return drawing.run(machine_of(drawing, arrows, literals or {}, resets or {}))


def machine_of(drawing, arrows, literals, resets=()):
    states = {name: drawing.clip_sheet(name) for name in "ab"}
    sheet = drawing.machine(states, list(arrows), **dict(resets))
    nodes = tuple(
        replace(node, literals=literals.get(node.name, {})) if node.kind == "state" else node
        for node in sheet.nodes
    )
    drawing.sheets[-1] = sheet = replace(sheet, nodes=nodes)
    return drawing.machine_graph(sheet)


# -------------------------------------------------------------------- profiles
def profiled(kind, seconds=0.4, mask="half", easing=None) -> Instance:
    """From walk to lean on the walker; the mask *half* gives hips 0.5, all else 0; *legs* the legs 1."""
    drawing = Drawing(swinging("walk"), swinging("lean", -60.0), variables=(SPEED,), rig_=walker())
    states = {name: drawing.clip_sheet(name, rate="0") for name in ("walk", "lean")}
    blend = {"kind": kind, "profile": mask}
    arrows = [
        ("walk", "lean", "speed > 1", {"seconds": seconds, "blend": blend, "easing": easing or Easing()})
    ]
    return drawing.run(drawing.machine_graph(drawing.machine(states, arrows)))


@pytest.mark.parametrize("easing", [Easing(), Easing(EaseShape.SMOOTH)])
def test_profile_blends_each_bone_over_its_own_time(easing):
    drawing = Drawing(swinging("walk", 40.0), swinging("lean", -60.0), variables=(SPEED,), rig_=walker())
    masks = {"some": {"thigh_l": 1.0, "spine": 0.25}}
    drawing.rig = replace(drawing.rig, masks={**drawing.rig.masks, **masks})
    states = {name: drawing.clip_sheet(name, rate="0", start="0.5") for name in ("walk", "lean")}
    blend = {"kind": BlendKind.CROSSFADE, "profile": "some"}
    arrows = [("walk", "lean", "speed > 1", {"seconds": 0.4, "blend": blend, "easing": easing})]
    instance = drawing.run(drawing.machine_graph(drawing.machine(states, arrows)))
    walk = instance.step(0.1).pose.local
    skeleton = instance.plan.rig.skeleton
    shown = [instance.step(0.1, {"speed": 5.0}) for _ in range(5)]
    lean = shown[-1].pose.local

    for number, result in enumerate(shown):
        t = 0.1 * (number + 1)
        factors = np.array([{"thigh_l": 1.0, "spine": 0.25}.get(name, 0.0) for name in skeleton.names])
        u = np.array([1.0 if f == 0.0 else min(t / (f * 0.4), 1.0) for f in factors])
        wanted = weighted([walk, lean], np.array([1.0 - ease(easing, u), ease(easing, u)]))
        for part, other in zip(result.pose.local, wanted, strict=True):
            assert part == pytest.approx(other, abs=1e-9)
    kinds = [[str(e.kind) for e in r.events if e.kind is not EventKind.FINISHED] for r in shown]
    assert "full" in kinds[3]
    assert "gone" in kinds[3]


def test_profile_of_smaller_factors_only_ends_sooner():
    instance = profiled(BlendKind.CROSSFADE, mask="half")
    instance.step(0.1)
    events = [(round(0.1 * k + e.moment, 9), str(e.kind)) for k in range(4)
              for e in instance.step(0.1, {"speed": 5.0}).events]  # fmt: skip
    assert (0.2, "full") in events  # 0.4 s times the largest factor, a half


@pytest.mark.parametrize("kind", [BlendKind.INERTIALISE, BlendKind.DEAD_BLEND])
def test_profile_of_a_blend_that_runs_its_target_alone(kind):
    drawing = Drawing(swinging("walk", 40.0), swinging("lean", -60.0), variables=(SPEED,), rig_=walker())
    states = {name: drawing.clip_sheet(name, rate="0", start="0.5") for name in ("walk", "lean")}
    arrows = [("walk", "lean", "speed > 1", {"seconds": 0.4, "blend": {"kind": kind, "profile": "legs"}})]
    instance = drawing.run(drawing.machine_graph(drawing.machine(states, arrows)))
    for _ in range(2):
        walk = instance.step(0.1).pose
    shown = [instance.step(0.1, {"speed": 5.0}).pose for _ in range(6)]
    lean, spine = shown[-1], instance.plan.rig.skeleton.index("spine")
    thigh = instance.plan.rig.skeleton.index("thigh_l")
    assert shown[0].rotations[spine] == pytest.approx(lean.rotations[spine], abs=1e-12)  # at once
    between = shown[0].rotations[thigh]
    assert np.abs(between - walk.rotations[thigh]).max() > 1e-3
    assert np.abs(between - lean.rotations[thigh]).max() > 1e-3


@pytest.mark.parametrize("kind", [BlendKind.CROSSFADE, BlendKind.INERTIALISE, BlendKind.DEAD_BLEND])
def test_profile_of_the_kernel_is_that_of_the_twin(kind):
    if kernels.load() is None:
        pytest.skip("the compiled kernels cannot be used here")
    compiled, plain = profiled(kind, mask="legs"), profiled(kind, mask="legs")
    assert compiled.runner is not None
    plain.runner = None
    for number in range(12):
        speed = {"speed": 5.0 if number > 1 else 0.0}
        one, other = compiled.step(0.05, speed), plain.step(0.05, speed)
        assert one.numbers == pytest.approx(other.numbers, abs=1e-12)


def test_profile_that_the_rig_has_not_is_told():
    with pytest.raises(GraphError, match="profile: rig 'walker' has no blend mask 'arms'"):
        profiled(BlendKind.CROSSFADE, mask="arms")


# -------------------------------------------------------------------- custom blends
def custom(text="w", nodes=(), clips=None) -> tuple[Drawing, object, object]:
    """From a to b by a sheet that blends source and target by an expression of w, t and T."""
    drawing = Drawing(*(clips or (clip("a"), clip("b", x=1.0))), variables=(SPEED,))
    source = drawing.node("pose_input", input="source")
    target = drawing.node("pose_input", input="target")
    mix = drawing.node("blend", "mix", {"alpha": text})
    wires = [(source, mix, "a"), (target, mix, "b")]
    sheet = drawing.pose_sheet("custom", [source, target, mix, *nodes], wires, mix)
    states = {name: drawing.clip_sheet(name) for name in "ab"}
    blend = {"kind": BlendKind.CUSTOM, "sheet": sheet.id}
    arrows = [
        ("a", "b", "speed > 1", {"seconds": 0.4, "blend": blend, "easing": Easing(EaseShape.SMOOTH)}),
        ("b", "a", "speed < 1", {"seconds": 0.4, "blend": blend}),
    ]
    return drawing, drawing.machine_graph(drawing.machine(states, arrows)), sheet


def hips(result) -> float:
    return float(result.pose.translations[1, 0])


def test_custom_blend_knows_its_share_and_seconds_of_this_step():
    drawing, graph, _ = custom("if(T == 0.4, w * w, 0)")
    instance = drawing.run(graph)
    instance.step(0.1)
    found = [hips(instance.step(0.1, {"speed": 5.0})) for _ in range(5)]
    u = np.array([0.25, 0.5, 0.75, 1.0, 1.0])
    assert found == pytest.approx((u * u * (3 - 2 * u)) ** 2, abs=1e-12)


def test_custom_blend_by_seconds_over_an_interruption():
    drawing, graph, _ = custom("step(0.2, t)")
    instance = drawing.run(graph)
    instance.step(0.1)
    found = [hips(instance.step(0.1, {"speed": 5.0})) for _ in range(3)]
    assert found == pytest.approx([0.0, 1.0, 1.0])
    back = [hips(instance.step(0.1, {"speed": 0.0})) for _ in range(5)]
    assert back == pytest.approx([1.0, 0.0, 0.0, 0.0, 0.0])


def test_custom_blend_of_the_kernel_is_that_of_the_twin():
    if kernels.load() is None:
        pytest.skip("the compiled kernels cannot be used here")
    drawing, graph, _ = custom("w * (1 - sin(t * 90) * 0.1)")
    plan = compile_graph(graph, drawing.project(graph))
    compiled, plain = Instance(plan), Instance(plan)
    assert compiled.runner is not None
    plain.runner = None
    rng = np.random.default_rng(4)
    for _ in range(60):
        speed = {"speed": float(rng.choice([0.0, 5.0]))}
        dt = float(rng.uniform(0.01, 0.15))
        one, other = compiled.step(dt, speed), plain.step(dt, speed)
        assert one.numbers == pytest.approx(other.numbers, abs=1e-12)
        assert sorted(one.visits) == sorted(other.visits)
        assert len(set(one.visits)) == len(one.visits)
        assert [(e.name, e.kind) for e in one.events] == [(e.name, e.kind) for e in other.events]


@pytest.mark.parametrize(
    ("sheet", "message"),
    [("", "choose the pose sheet of its custom blend"), ("n-0000ffff", "choose the pose sheet")],
)
def test_custom_blend_without_its_sheet_is_told(sheet, message):
    with pytest.raises(GraphError, match=message):
        two(("a", "b", "speed > 1", {"blend": {"kind": BlendKind.CUSTOM, "sheet": sheet}}))


def test_pose_input_of_another_name_is_told():
    drawing, graph, sheet = custom()
    wrong = replace(sheet, nodes=tuple(
        replace(n, parameters={"input": "sorce"}) if n.kind == "pose_input" else n for n in sheet.nodes
    ))  # fmt: skip
    with pytest.raises(GraphError, match="expected the input source or target, got 'sorce'"):
        drawing.run(graph.with_sheet(wrong))


def test_new_members_survive_a_native_file():
    drawing, graph, _ = custom()
    project = drawing.project(graph)
    assert same_value(from_bytes(to_bytes(project)), project)


# -------------------------------------------------------------------- what states do
def test_states_set_variables_and_emit_events_when_entered_full_left_and_gone():
    does = {
        "b": {
            "enter": "kept := 1 + speed * 0.1; emit('landed')",
            "full": "kept := 99",  # kept within its bounds
            "leave": "kept := -0.5",
        },
        "a": {"gone": "emit('a gone')\nemit(\"semi;colon\")"},
    }
    arrows = [("a", "b", "speed > 1", {"seconds": 0.2}), ("b", "a", "speed < 1", {"seconds": 0.2})]
    instance = two(*arrows, literals=does, variables=(SPEED, OWN))
    instance.step(0.1)
    first = instance.step(0.1, {"speed": 5.0})
    assert instance.value("kept") == 1.5
    assert [(e.name, e.moment) for e in first.events if e.kind is EventKind.CUSTOM] == [("landed", 0.0)]
    second = instance.step(0.15)
    assert instance.value("kept") == 3.0
    assert [(e.name, round(e.moment, 9)) for e in second.events if e.kind is EventKind.CUSTOM] == [
        ("a gone", 0.1), ("semi;colon", 0.1),
    ]  # fmt: skip
    instance.step(0.1, {"speed": 0.0})
    assert instance.value("kept") == -0.5


def test_state_reads_a_curve_of_the_moment_it_is_entered():
    """Enter *stop* with the foot direction of the walk, as a stop that suits the foot in front needs it."""

    foot = {"Foot": scalar_track([0.0, 1.0], [0.0, 1.0], interpolations=Interpolation.LINEAR)}
    instance = two(
        ("a", "b", "speed > 1"), clips=(replace(clip("a"), curves=foot), clip("b")),
        literals={"b": {"enter": "kept := curve('Foot')"}}, variables=(SPEED, OWN),
    )  # fmt: skip
    for _ in range(4):
        instance.step(0.1)
    instance.step(0.1, {"speed": 5.0})
    assert instance.value("kept") == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("speed := 1", "variable 'speed' is input: only own variables are set here"),
        ("kep := 1", "no variable 'kep'; near: kept"),
        ("kept = 1", "expected variable := value, or emit"),
        ("kept := ", "enter"),
        ("kept := 1 +", "enter"),
        ("kept := vec(1, 2, 3)", "expected float"),
    ],
)
def test_what_a_state_cannot_do_is_told(text, message):
    with pytest.raises(GraphError, match=message):
        two(("a", "b", "speed > 1"), literals={"a": {"enter": text}}, variables=(SPEED, OWN))


def test_trigger_and_bool_variables_keep_their_kinds():
    flag = Variable("on", Kind.BOOL, maximum=1.0, role=Role.OWN)
    instance = two(
        ("a", "b", "speed > 1"), literals={"a": {"enter": "on := speed > -1"}}, variables=(SPEED, flag)
    )
    instance.step(0.1)
    assert instance.value("on") == 1.0


# -------------------------------------------------------------------- where targets begin
def started(start, **more) -> float:
    """Seconds of b's clip (2 s, from 0.3 s) at the end of a step of 0.1 s in which a, 0.4 s in, goes over to it."""
    clips = (
        clip("a", 1.0, sync_markers=(SyncMarker("l", 0.2), SyncMarker("r", 0.6))),
        clip("b", 2.0, sync_markers=(SyncMarker("l", 1.0), SyncMarker("r", 1.8))),
    )
    drawing = Drawing(*clips, variables=(SPEED,))
    states = {"a": drawing.clip_sheet("a"), "b": drawing.clip_sheet("b", start="0.3")}
    arrows = [("a", "b", "speed > 1", {"start": start, **more}), ("b", "a", "speed < 1", {"seconds": 0})]
    instance = drawing.run(drawing.machine_graph(drawing.machine(states, arrows)))
    for _ in range(4):
        instance.step(0.1)
    result = instance.step(0.1, {"speed": 5.0})
    assert result.states == {"machine": "b"}
    b = instance.plan.op_named("b") or next(o for o in instance.plan.ops if getattr(o, "length", 0) == 2.0)
    return float(instance.state.floats[b.place.floats]) % 2.0


def test_targets_begin_where_their_transition_says():
    assert started(TargetStart.STATE) == pytest.approx(0.4)
    assert started(TargetStart.RESET) == pytest.approx(0.4)
    assert started(TargetStart.AT, start_at=1.25) == pytest.approx(1.35)
    assert started(TargetStart.KEPT) == pytest.approx(0.4)  # it never played: it begins
    assert started(TargetStart.SAME_FRACTION) == pytest.approx(2.0 * 0.4 + 0.1)
    # a is half of the way from l at 0.2 to r at 0.6; so is b from 1.0 to 1.8.
    assert started(TargetStart.SAME_PHASE) == pytest.approx(1.4 + 0.1)


def there_and_back(start, **more) -> list[float]:
    """Times of b's clip after each of three steps: in b, in a (faded over), in b again by `start`."""
    drawing = Drawing(clip("a"), clip("b", 2.0), variables=(SPEED,))
    states = {"a": drawing.clip_sheet("a"), "b": drawing.clip_sheet("b", start="0.3")}
    fade = more.pop("fade", 0)
    arrows = [("a", "b", "speed > 1", {"start": start, **more}), ("b", "a", "speed < 1", {"seconds": fade})]
    instance = drawing.run(drawing.machine_graph(drawing.machine(states, arrows)))
    b = next(o for o in instance.plan.ops if getattr(o, "length", 0) == 2.0)
    instance.step(0.1)
    times = []
    for speed in (5.0, 0.0, 5.0):
        instance.step(0.1, {"speed": speed})
        times.append(float(instance.state.floats[b.place.floats]))
    return times


def test_target_that_is_kept_goes_on_where_it_stood():
    assert there_and_back(TargetStart.STATE) == pytest.approx([0.4, 0.4, 0.4])
    assert there_and_back(TargetStart.KEPT) == pytest.approx([0.4, 0.4, 0.5])


def test_target_that_still_fades_runs_on_unless_it_must_begin_anew():
    assert there_and_back(TargetStart.STATE, fade=0.5) == pytest.approx([0.4, 0.5, 0.6])
    assert there_and_back(TargetStart.RESET, fade=0.5) == pytest.approx([0.4, 0.5, 0.4])
    assert there_and_back(TargetStart.AT, start_at=1.0, fade=0.5) == pytest.approx([1.1, 1.2, 1.1])


def test_same_phase_fires_nothing_where_it_begins_and_at_fires_what_is_there():
    def fired(start, **more):
        clips = (clip("a"), clip("b", notifies=(Notify("here", 0.4),)))
        drawing = Drawing(*clips, variables=(SPEED,))
        states = {name: drawing.clip_sheet(name) for name in "ab"}
        arrows = [("a", "b", "speed > 1", {"start": start, **more})]
        instance = drawing.run(drawing.machine_graph(drawing.machine(states, arrows)))
        for _ in range(4):
            instance.step(0.1)
        return [e.name for e in instance.step(0.1, {"speed": 5.0}).events if e.kind is EventKind.NOTIFY]

    assert fired(TargetStart.SAME_PHASE) == []
    assert fired(TargetStart.AT, start_at=0.4) == ["here"]


# -------------------------------------------------------------------- a state twice in a step
@pytest.mark.parametrize("reset", ["when_irrelevant", "always"])
def test_state_that_would_come_twice_in_a_step_loses_no_notify(reset):
    """a plays 0.13 s, b 0.1 s, in turns: in a step of 0.4 s a comes twice, which ends the step; none is lost."""
    clips = (
        clip("a", 0.13, looping=False, notifies=(Notify("a1", 0.05), Notify("a2", 0.12))),
        clip("b", 0.1, looping=False, notifies=(Notify("b1", 0.03),)),
    )
    arrows = [
        ("a", "b", None, {"automatic": 0.0, "seconds": 0}), ("b", "a", None, {"automatic": 0.0, "seconds": 0}),
    ]  # fmt: skip
    resets = {"a": reset, "b": reset}

    def names(dt, count):
        instance = two(*arrows, clips=clips, resets=resets)
        results = [instance.step(dt) for _ in range(count)]
        return [e.name for r in results for e in r.events if e.kind is EventKind.NOTIFY], results

    fine, _ = names(0.01, 230)
    coarse, results = names(0.1, 60)
    assert fine == ["a1", "a2", "b1"] * 10
    assert coarse[: len(fine)] == (["a1", "a2", "b1"] * 60)[: len(fine)]
    assert not any(result.flagged for result in results)  # no step of 0.1 s is long enough for a twice


def test_state_that_comes_twice_in_a_step_ends_it_and_is_flagged():
    clips = (
        clip("a", 0.03, looping=False, notifies=(Notify("a", 0.02),)),
        clip("b", 0.03, looping=False, notifies=(Notify("b", 0.01),)),
    )
    arrows = [
        ("a", "b", None, {"automatic": 0.0, "seconds": 0}), ("b", "a", None, {"automatic": 0.0, "seconds": 0}),
    ]  # fmt: skip
    instance = two(*arrows, clips=clips)
    results = [instance.step(0.1) for _ in range(8)]
    assert all(result.flagged for result in results)
    names = [e.name for r in results for e in r.events if e.kind is EventKind.NOTIFY]
    assert names == ["a", "b"] * (len(names) // 2)
    assert len(names) >= 14
