"""A player whose clip a name chooses, wherever a player can stand: as the plain player of that clip, and by pins."""

import random

import numpy as np
import pytest

from core.clips.clip import Notify, RootMotion, SyncMarker
from core.graph.commands import Command, Do
from core.graph.graph import SyncSetting, TargetStart, Tempo, Variable
from core.graph.instance import Instance
from core.graph.language.values import Kind
from core.graph.montage import Montage, MontageBlend, Segment, SlotTrack
from core.graph.result import StepResult
from core.ids import AssetId
from tests.core.graph.builders import RIG, Drawing, square, swinging, walker
from tests.pins import Pins

HELD = Pins(__file__)
SPEED = Variable("speed", default=(1.0,), minimum=-9.0, maximum=9.0)
WHO = Variable("who", Kind.NAME, (0.0,))
STEPS = (0.05, 0.1, 0.0, 0.03, 0.1, 0.25, 0.02, 0.1, 0.1, 0.07)
NOTIFIES = (Notify("down", 0.25), Notify("hold", 0.8, 0.4))


def marked(name: str, degrees: float, *times: float):
    marks = tuple(SyncMarker("lr"[k % 2], time) for k, time in enumerate(times))
    return swinging(name, degrees, sync_markers=marks, root_motion=RootMotion(True), notifies=NOTIFIES)


CLIPS = (
    marked("walk", 30.0, 0.1, 0.6), marked("run", -50.0, 0.2, 0.5), swinging("lean", 70.0, notifies=NOTIFIES),
    swinging("once", 20.0, looping=False, notifies=(Notify("end", 1.0), Notify("stay", 0.5, 0.5))),
)  # fmt: skip
WAVE = Montage(
    AssetId("montage-wave"), "wave", RIG, "Group",
    (SlotTrack("Upper", (Segment(AssetId("clip-run"), 0.0, 0.0, 1.0), Segment(AssetId("clip-lean"), 1.0, 0.2, 0.9))),),
    blend_in=MontageBlend(0.1), blend_out=MontageBlend(0.1), sync_group="feet",
)  # fmt: skip


def drawing(tempo: Tempo = Tempo.MEAN) -> Drawing:
    return Drawing(*CLIPS, variables=(SPEED, WHO), rig_=walker(), assets=(WAVE,), slots=("Group.Upper",),
                   sync_groups=(SyncSetting("feet", tempo),))  # fmt: skip


def player(draw: Drawing, name: str, *, named: bool, rate: str = "1", start: str = "0.15", **more):
    """A clip node that plays a clip by its id, or by the name that the variable holds."""
    literals = {"rate": rate, "start": start, **({"clip_name": "who"} if named else {})}
    return draw.node("clip", "it", literals, clip=f"clip-{name}", **more)


def alone(name: str, *, named: bool, **more) -> Instance:
    draw = drawing()
    made = player(draw, name, named=named, **more)
    return draw.run(draw.one(made))


def grouped(name: str, role: str, *, named: bool, tempo: Tempo, other: str, rate: str) -> Instance:
    """In a sync group with another player, under a slot in which a montage may lead."""
    draw = drawing(tempo)
    made = player(draw, name, named=named, rate=rate, group="feet", role=role)
    beside = draw.node("clip", "beside", {"rate": "0.7"}, clip="clip-walk", group="feet", role=other)
    mix, slot = (
        draw.node("blend", "", {"alpha": "0.4"}),
        draw.node("slot", "slot", slot="Group.Upper", always_update=True),
    )
    wires = [(beside, mix, "a"), (made, mix, "b"), (mix, slot, "source")]
    return draw.run(draw.one(beside, made, mix, slot, wires=wires))


def target(name: str, start: TargetStart, *, named: bool, rate: str) -> Instance:
    """The target of a transition, and the source of the one back."""
    draw = drawing()
    made = player(draw, name, named=named, rate=rate, start="0")
    states = {"a": draw.clip_sheet("walk"), "b": draw.pose_sheet("b", [made], [], made)}
    go = {"seconds": 0.12, "start": start, "start_at": 0.3}
    back = {"automatic": 0.3, "seconds": 0.1, "start": start, "start_at": 0.1}
    arrows = [("a", "b", "time('walk') > 0.3", go), ("b", "a", None, back)]
    return draw.run(draw.machine_graph(draw.machine(states, arrows, b="never")))


def told(result: StepResult) -> list:
    return [result.numbers, dict(result.states), [
        (e.name, str(e.kind), e.moment, e.weight, e.clip, e.time, e.interrupted) for e in result.events
    ]]  # fmt: skip


def through(instance: Instance, who: str, steps=STEPS, commands=None) -> list[StepResult]:
    """Run with speeds that wander; a player by name plays what `who` says from the first step on."""
    dice, found = random.Random(who), []
    for number, dt in enumerate(steps):
        inputs = {"speed": dice.uniform(-1.0, 4.0)} if number % 3 == 0 else {}
        inputs |= {"who": who} if number == 0 else {}
        found.append(instance.step(dt, inputs, commands=(commands or {}).get(number, ())))
    return found


def alike(one: list[StepResult], other: list[StepResult]) -> None:
    for a, b in zip(one, other, strict=True):
        assert a.numbers == pytest.approx(b.numbers, abs=1e-9)
        assert dict(a.states) == dict(b.states)
        assert [(e.name, e.kind, e.clip) for e in a.events] == [(e.name, e.kind, e.clip) for e in b.events]
        for name in ("moment", "weight", "time", "progress"):
            values = [[getattr(e, name) for e in result.events] for result in (a, b)]
            assert values[0] == pytest.approx(values[1], abs=1e-9), name


NAMES = ("walk", "lean", "once")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "more",
    [{}, {"rate": "speed - 1"}, {"rate": "-0.6", "loop": True}, {"loop": False}, {"mirror": True}],
    ids=str,
)
def test_alone_it_plays_as_the_clip(name, more):
    alike(through(alone(name, named=True, **more), name), through(alone(name, named=False, **more), name))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("role", "other", "rate", "tempo"), [
    ("can_lead", "never", "1", Tempo.MEAN), ("never", "always", "1", Tempo.LEADER),
    ("always", "can_lead", "-0.8", Tempo.MEAN), ("can_lead", "can_lead", "speed", Tempo.LEADER),
    ("can_lead", "can_lead", "-1.2", Tempo.MEAN),
])  # fmt: skip
def test_in_a_group_it_goes_with_the_others_as_the_clip_does(name, role, other, rate, tempo):
    made = [grouped(name, role, named=named, tempo=tempo, other=other, rate=rate) for named in (True, False)]
    alike(*(through(instance, name, STEPS * 2) for instance in made))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("speed", [1.0, -0.6])
def test_it_follows_a_montage_that_leads_as_the_clip_does(name, speed):
    commands = {
        1: [Command(Do.PLAY, "wave", rate=speed)],
        6: [Command(Do.STOP, "wave")],
        8: [Command(Do.PLAY, "wave")],
    }
    made = [
        grouped(name, "can_lead", named=named, tempo=Tempo.LEADER, other="never", rate="1")
        for named in (True, False)
    ]
    alike(*(through(instance, name, STEPS, commands) for instance in made))


@pytest.mark.parametrize(("start", "name", "rate"), square(TargetStart, ("run", "once"), ("1", "-0.7")))
def test_it_is_the_target_of_a_transition_as_the_clip_is(name, start, rate):
    made = [target(name, start, named=named, rate=rate) for named in (True, False)]
    alike(*(through(instance, name, STEPS * 2) for instance in made))


@pytest.mark.parametrize("build", ["alone", "grouped", "target"])
def test_another_name_begins_another_clip_at_once_and_ends_what_was_under_way(build):
    instance = {
        "alone": lambda: alone("walk", named=True),
        "grouped": lambda: grouped(
            "walk", "can_lead", named=True, tempo=Tempo.MEAN, other="can_lead", rate="1"
        ),
        "target": lambda: target("walk", TargetStart.SAME_PHASE, named=True, rate="1"),
    }[build]()
    with HELD.together(f"names, {build}") as note:
        for who in ("lean", "lean", "walk", "nobody", "once", "", "run", "run", "walk"):
            for dt in (0.3, 0.0, 0.45):
                result = instance.step(dt, {"who": who, "speed": 1.0})
                note(told(result))
                if build == "alone":
                    assert bool(result.flagged) == (who in ("nobody", ""))


def test_another_name_ends_what_lasts_where_its_span_begins():
    instance = alone("walk", named=True, start="0.7")
    instance.step(0.2, {"who": "walk"})  # inside of hold, which lasts from 0.8 to 1.2
    result = instance.step(0.1, {"who": "lean"})
    ends = [(e.name, e.moment, e.interrupted, e.clip) for e in result.events if str(e.kind) == "end"]
    assert ends == [("hold", 0.0, True, "walk")]
    nobody = instance.step(0.1, {"who": "nobody"})
    assert nobody.pose.rotations == pytest.approx(walker().skeleton.rest.rotation)
    assert nobody.flagged and not nobody.events
    again = instance.step(0.05, {"who": "lean"})
    fresh = alone("lean", named=True, start="0.7").step(0.05, {"who": "lean"})
    assert again.pose.rotations == pytest.approx(fresh.pose.rotations)
    assert not again.flagged


def test_what_expressions_read_of_it_is_its_clips():
    draw = drawing()
    made = player(draw, "once", named=True, rate="2", start="0.1")
    read = draw.node(
        "modify_curve", "", {"value": "if(remaining('it') > 100, -1, remaining('it'))"}, curve="left"
    )
    instance = draw.run(draw.one(made, read))
    found = [
        float(instance.step(0.1, {"who": who}).pose.curves["left"])
        for who in ("once", "once", "nobody", "nobody", "once", "once")
    ]
    assert np.isfinite(found).all()
    HELD.hold("reads", found)


@pytest.mark.parametrize(("alpha", "wanted"), [("0.4", "plain"), ("0.5", "plain"), ("0.6", "named")])
def test_it_weighs_as_much_as_another_player(alpha, wanted):
    """An automatic rule looks at the heavier one: the plain one is over after 0.5 s, the named one after 1 s."""
    draw = drawing()
    plain = draw.node("clip", "plain", {"rate": "2"}, clip="clip-once")
    named = draw.node("clip", "named", {"clip_name": "'once'"})
    mix = draw.node("blend", "", {"alpha": alpha})
    first = draw.pose_sheet("first", [plain, named, mix], [(plain, mix, "a"), (named, mix, "b")], mix)
    arrow = ("a", "b", None, {"automatic": 0.1, "seconds": 0})
    states = {"a": first, "b": draw.clip_sheet("walk")}
    instance = draw.run(draw.machine_graph(draw.machine(states, [arrow])))
    left = [step for step in range(20) if any(str(e.kind) == "leave" for e in instance.step(0.05).events)]
    assert left == [7 if wanted == "plain" else 17]
