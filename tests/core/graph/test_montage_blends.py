"""Montages that blend by bone or inertialise, lead sync groups, clips on the fly, and what branching notifies start."""

from dataclasses import replace

import numpy as np
import pytest

from core.arrays import same_value
from core.clips.clip import Additive, AdditiveSpace, Notify, NotifyRule, SyncMarker
from core.errors import MissingReferenceError, ValidationError
from core.graph.commands import Command, Do, play_clip
from core.graph.compile import compile_graph
from core.graph.events import EventKind
from core.graph.graph import BlendKind, Link, NodeId, Role, Sheet, SheetKind, Variable
from core.graph.instance import Instance
from core.graph.montage import MontageBlend
from core.graph.problems import GraphError
from core.graph.record import Recording
from core.io.native.read import from_bytes
from core.io.native.write import to_bytes
from core.pose.blend import weighted
from tests.core.graph.builders import Drawing, clip, swinging, walker
from tests.core.graph.test_montages import LINEAR, hips, montage, play, running, steps, told

SPEED = Variable("speed", maximum=10.0)


# -------------------------------------------------------------------- blends
def test_montage_that_inertialises_goes_over_at_once_without_a_jump():
    over = MontageBlend(0.3, LINEAR, BlendKind.INERTIALISE)
    instance = running(montage(blend_in=over, blend_out=over))
    dt = 0.01
    still = [hips(r) for r, _ in steps(instance, [dt] * 5)]
    shown = steps(instance, [dt] * 100, play())
    path = np.array([*still, *(hips(r) for r, _ in shown)])
    assert np.abs(np.diff(path)).max() < 0.08  # a jump would be 1
    assert shown[0][0].montages[0].weight == 1.0
    assert path[5 + 35] == pytest.approx(1.0, abs=1e-9)
    rising = path[5:40]
    assert (np.diff(rising) >= -1e-12).all()
    assert told(shown)[:2] == ["started wave@0", "blending_out wave@0.7"]
    assert told(shown)[2] == "ended wave@0.7"
    assert path[5 + 80] > 0.1  # still going back after the montage is over
    assert hips(steps(instance, [dt] * 5)[-1][0]) == pytest.approx(0.0, abs=1e-9)


def test_inertialised_montage_replays_bit_for_bit():
    over = MontageBlend(0.3, LINEAR, BlendKind.INERTIALISE)
    recording = Recording(running(montage(blend_in=over, blend_out=over)))
    results = [recording.step(0.05, commands=[play()] if k in (2, 9) else ()) for k in range(20)]
    last = recording.instance.snapshot()
    assert same_value(recording.goto(11).pose, results[10].pose)
    recording.goto(20)
    assert recording.instance.snapshot().same_bits(last)


def on_walker(*montages, slots=("Group.Upper",)) -> Instance:
    drawing = Drawing(swinging("idle", 0.0), swinging("m", 80.0), rig_=walker(), slots=slots)
    rig = drawing.rig
    drawing.rig = replace(rig, masks={**rig.masks, "profile": {"thigh_l": 1.0, "spine": 0.25}})
    idle, slot = drawing.play("idle"), drawing.node("slot", "slot", slot=slots[0])
    graph = drawing.graph(drawing.pose_sheet("main", [idle, slot], [(idle, slot, "source")], slot))
    return Instance(compile_graph(graph, drawing.project(graph).with_assets(*montages)))


def test_profile_of_a_montage_blends_each_bone_over_its_own_time():
    fade = MontageBlend(0.4, LINEAR, profile="profile")
    made = montage(blend_in=fade, blend_out=fade, auto_blend_out=False)
    instance = on_walker(made)
    other = on_walker(montage(blend=0.0, auto_blend_out=False))
    names, plain = instance.plan.rig.skeleton.names, []
    factors = np.array([{"thigh_l": 1.0, "spine": 0.25}.get(name, 0.0) for name in names])
    for number in range(5):
        commands = [play()] if number == 0 else []
        found, full = instance.step(0.1, commands=commands), other.step(0.1, commands=commands)
        source = on_walker(made)
        plain = [source.step(0.1) for _ in range(number + 1)][-1]
        t = 0.1 * (number + 1)
        share = np.array([1.0 if f == 0.0 else min(t / (0.4 * f), 1.0) for f in factors])
        wanted = weighted([plain.pose.local, full.pose.local], np.array([1.0 - share, share]))
        assert found.pose.rotations == pytest.approx(wanted.rotation, abs=1e-9)
        assert found.montages[0].weight == pytest.approx(min(t / 0.4, 1.0))
    assert told([(instance.step(0.1, commands=[Command(Do.STOP, "wave")]), 0.1), *steps(instance, [0.2] * 2)]) == [
        "blending_out wave@0!", "ended wave@0.4!",
    ]  # fmt: skip


def test_profile_that_is_missing_and_a_blend_that_montages_have_not_are_refused():
    with pytest.raises(GraphError, match="montage 'wave': profile: rig 'walker' has no blend mask 'no'"):
        on_walker(montage(blend_in=MontageBlend(0.2, LINEAR, profile="no")))
    with pytest.raises(ValidationError, match="crossfades or inertialises"):
        MontageBlend(0.2, LINEAR, BlendKind.DEAD_BLEND)


def test_blends_and_sync_group_survive_a_native_file():
    over = MontageBlend(0.3, LINEAR, BlendKind.INERTIALISE, "half")
    project = Drawing(clip("m")).project().with_assets(montage(blend_in=over, sync_group="feet"))
    assert same_value(from_bytes(to_bytes(project)), project)


# -------------------------------------------------------------------- sync group
def stepping(sync_group: str, role: str = "can_lead") -> Instance:
    """A walk with markers in a sync group, under a montage of a clip of another length with the same markers."""
    marks = lambda length: (SyncMarker("l", 0.1 * length), SyncMarker("r", 0.6 * length))  # noqa: E731
    walk = clip("walk", 1.0, sync_markers=marks(1.0))
    drawing = Drawing(
        walk, clip("m", 2.0, x=1.0, sync_markers=marks(2.0)), variables=(SPEED,), slots=("Group.Upper",)
    )
    player = drawing.node("clip", "walk", {"rate": "0.7"}, clip="clip-walk", group="feet", role=role)
    slot = drawing.node("slot", "slot", slot="Group.Upper", always_update=True)
    graph = drawing.graph(drawing.pose_sheet("main", [player, slot], [(player, slot, "source")], slot))
    made = montage(seconds=2.0, sync_group=sync_group)
    return Instance(compile_graph(graph, drawing.project(graph).with_assets(made)))


def place(instance, name="walk") -> float:
    op = instance.plan.op_named(name)
    return float(instance.state.floats[op.place.floats])


@pytest.mark.parametrize("cut", [[0.1] * 12, [0.05] * 24, [0.6, 0.35, 0.25]])
def test_montage_leads_its_sync_group_while_it_plays(cut):
    instance = stepping("feet")
    instance.step(0.1)
    assert place(instance) == pytest.approx(0.07)  # alone it plays at its own pace
    time = 0.0
    for number, dt in enumerate(cut):
        instance.step(dt, commands=[play()] if number == 0 else ())
        time += dt
        assert place(instance) % 1.0 == pytest.approx(time / 2.0, abs=1e-9)  # the phase of the montage's clip
    after = place(instance)
    instance.step(0.1, commands=[Command(Do.STOP, "wave", seconds=0.0)])
    assert place(instance) - after == pytest.approx(0.07)


def test_montage_without_sync_group_leads_nobody():
    instance = stepping("")
    steps(instance, [0.1] * 5, play())
    assert place(instance) == pytest.approx(0.35)


def test_group_of_members_that_never_lead_has_no_leader():
    drawing = Drawing(
        clip("a", 1.0, notifies=(Notify("a", 0.25),)),
        clip("b", 2.0, notifies=(Notify("b", 0.25),)),
        variables=(SPEED,),
    )
    nodes = [
        drawing.node("clip", name, {"start": start}, clip=f"clip-{name}", group="g", role="never")
        for name, start in (("a", "0.1"), ("b", "0"))
    ]
    mix = drawing.node("blend", "mix", {"alpha": "0.3"})
    wires = [(nodes[0], mix, "a"), (nodes[1], mix, "b")]
    instance = drawing.run(drawing.graph(drawing.pose_sheet("main", [*nodes, mix], wires, mix)))
    events = [e.name for _ in range(5) for e in instance.step(0.1).events if e.kind is EventKind.NOTIFY]
    assert (place(instance, "a"), place(instance, "b")) == pytest.approx((0.6, 0.5))  # each at its own pace
    assert events == ["a", "b"]  # nobody follows, so both tell their notifies


# -------------------------------------------------------------------- clips on the fly
def test_clip_plays_in_a_slot_without_a_montage_of_its_own():
    instance = running()
    found = steps(instance, [0.1] * 12, play_clip("m", "Group.Upper", 0.2, 0.2))
    assert [round(hips(r), 9) for r, _ in found[:2]] == [0.5, 1.0]
    events = [f"{e.kind.removeprefix('montage_')}@{0.1 * k + e.moment:.6g}"
              for k, (r, _) in enumerate(found) for e in r.events if e.kind.startswith("montage")]  # fmt: skip
    assert events == ["started@0", "blending_out@0.8", "ended@1"]


def test_clip_loops_as_often_as_asked_and_for_ever():
    def ends(loops, rate=1.0):
        instance = running()
        found = steps(instance, [0.1] * 40, play_clip("m", "Group.Upper", 0.0, 0.2, rate, loops))
        return [round(0.1 * k + e.moment, 6) for k, (r, _) in enumerate(found)
                for e in r.events if e.kind is EventKind.MONTAGE_ENDED]  # fmt: skip

    assert ends(1) == [1.0]
    assert ends(3) == [3.0]
    assert ends(3, rate=-2.0) == [1.5]
    assert ends(0) == []


def test_clip_on_the_fly_is_stopped_by_its_name_and_replays():
    instance = running()
    recording = Recording(instance)
    for k in range(12):
        orders = {1: [play_clip("m", "Group.Upper", loops=0)], 7: [Command(Do.STOP, "m", seconds=0.1)]}
        recording.step(0.1, commands=orders.get(k, ()))
    assert hips(recording.goto(7)) == 1.0
    assert hips(recording.goto(12)) == 0.0


def test_additive_clip_is_put_on_on_the_fly():
    added = replace(clip("n", x=0.5, turn=0.0), additive=Additive(AdditiveSpace.LOCAL))
    instance = running(clips=(added,))
    result = steps(instance, [0.1], play_clip("n", "Group.Upper", 0.0))[-1][0]
    assert hips(result) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (play_clip("n", "Group.Upper"), "no clip 'n'"),
        (play_clip("m", "Group.Uper"), "no slot 'Group.Uper'; near: Group.Upper"),
        (play_clip("m", "Group.Upper", -1.0), "fades and loops of 0 or more"),
        (play_clip("m", "Group.Upper", rate=float("nan")), "finite"),
        (play_clip("m", "Group.Upper", loops=-1), "fades and loops of 0 or more"),
        (play_clip("dot", "Group.Upper"), "has no length"),
    ],
)
def test_clip_that_cannot_be_played_is_refused(command, message):
    instance = running(clips=(replace(clip("dot"), length=0.0, looping=False),))
    with pytest.raises((MissingReferenceError, ValidationError), match=message):
        instance.step(0.1, commands=[command])


def test_clip_with_a_wrong_condition_is_refused_only_when_it_is_played():
    wrong = clip("n", notifies=(Notify("hold", 0.1, 0.5, rule=NotifyRule(condition="sped < 1")),))
    instance = running(clips=(wrong,))
    instance.step(0.1)
    with pytest.raises(ValidationError, match="clip 'n': a condition of its notifies is wrong"):
        instance.step(0.1, commands=[play_clip("n", "Group.Upper")])


# -------------------------------------------------------------------- branching notifies and the update sheet
def acting(*chain, own=(), slots=("Group.Upper", "Face.Face"), machine=False) -> Instance:
    """A montage whose branching notify *go* at 0.33 s begins a chain of the update sheet."""
    made = montage(notifies=(Notify("go", 0.33, rule=NotifyRule(branching=True)),))
    other = montage("other", clips=("n",), group="Face", slot="Face")
    variables = (SPEED, Variable("kept", role=Role.OWN), *own)
    drawing = Drawing(clip("idle", 2.0), clip("m", x=1.0), clip("n"), variables=variables, slots=slots)
    start = drawing.node("on_event", event="go")
    nodes = [drawing.node(kind, "", literals, **parameters) for kind, literals, parameters in chain]
    links = [Link(a.id, b.id, "then") for a, b in zip([start, *nodes], nodes, strict=False)]
    sheet = Sheet(drawing.id(), "update", SheetKind.UPDATE, (start, *nodes), tuple(links))
    if machine:
        states = {name: drawing.clip_sheet(name) for name in ("idle", "n")}
        base = drawing.node(
            "machine", "moves", sheet=drawing.machine(states, [("n", "idle", "speed > 9")]).id
        )
    else:
        base = drawing.play("idle")
    shown, wires = [base], []
    for slot in slots:
        shown.append(drawing.node("slot", slot, slot=slot, always_update=True))
        wires.append((shown[-2], shown[-1], "source"))
    drawing.sheets.append(sheet)
    graph = drawing.graph(drawing.pose_sheet("main", shown, wires, shown[-1]))
    return Instance(compile_graph(graph, drawing.project(graph).with_assets(made, other)))


@pytest.mark.parametrize("cut", [[0.5], [0.1] * 5, [0.33, 0.17]])
def test_chain_of_a_branching_notify_acts_at_its_moment_and_only_once(cut):
    instance = acting(
        ("play_montage", {}, {"montage": "other"}), ("set", {"value": "kept + 1"}, {"variable": "kept"}),
        ("emit_event", {}, {"event": "heard"}),
    )  # fmt: skip
    results = steps(instance, cut, play())
    assert told(results) == ["started wave@0", "notify go@0.33", "started other@0.33"]
    assert results[-1][0].montages[1].position == pytest.approx(0.17)
    before, heard = 0.0, []
    for result, dt in results:
        heard += [round(before + e.moment, 9) for e in result.events if e.name == "heard"]
        before += dt
    assert heard == [0.33]
    steps(instance, [0.1] * 2)
    assert instance.value("kept") == 1.0


def test_action_of_a_branching_notify_keeps_its_own_condition():
    instance = acting(("play_montage", {"when": "speed > 5"}, {"montage": "other"}))
    assert told(steps(instance, [0.5, 0.1], play())) == ["started wave@0", "notify go@0.33"]


@pytest.mark.parametrize("cut", [[0.4], [0.1] * 4])
def test_machine_goes_at_the_moment_of_a_branching_notify(cut):
    instance = acting(("go", {}, {"machine": "moves", "state": "n"}), machine=True)
    before, entered = 0.0, []
    for result, dt in steps(instance, cut, play()):
        entered += [
            round(before + e.moment, 9) for e in result.events if e.kind is EventKind.ENTER and e.name == "n"
        ]
        before += dt
    assert entered == [0.33]


def test_event_that_is_no_branching_notify_acts_in_the_next_step():
    instance = acting(("set", {"value": "1"}, {"variable": "kept"}))
    made = instance.plan
    assert set(made.branches) == {"go"}
    instance.step(0.1)
    assert instance.value("kept") == 0.0


def test_update_sheet_plays_a_clip_on_the_fly():
    instance = acting(
        ("play_clip", {"in": "0", "loops": "2"}, {"clip": "clip-n", "slot": "Face.Face"}),
    )
    results = steps(instance, [0.5] * 6, play())
    names = [m.name for m in results[0][0].montages]
    assert names == ["wave", "n"]
    assert not results[-1][0].montages
    with pytest.raises(GraphError, match=r"no slot 'Face\.Fce'; near: Face\.Face"):
        acting(("play_clip", {}, {"clip": "clip-n", "slot": "Face.Fce"}))
    with pytest.raises(GraphError, match="its clip is not in the project"):
        acting(("play_clip", {}, {"clip": "clip-z", "slot": "Face.Face"}))


def test_ids_of_chains_are_node_ids():
    instance = acting(("set", {"value": "1"}, {"variable": "kept"}))
    assert all(NodeId(a.node).startswith("n-") for a in instance.plan.branches["go"])
