"""Players in many settings, stepped by kernel and twin from the same states (see conftest): both tell the same.

Much of what happens to players Python does for both: each run is held by its story as well (see stories).
"""

import random
from pathlib import Path

import pytest

from core.blending.blend_space import BlendSpace, MotionRule, Smoothing, SpaceAxis, SpaceKind, SpaceSample
from core.clips.clip import Notify, NotifyRule, RootMotion, SyncMarker
from core.graph.commands import Command, Do
from core.graph.graph import SyncRole, SyncSetting, TargetStart, Tempo, Variable
from core.graph.instance import Instance
from core.graph.montage import Montage, MontageBlend, Segment, SlotTrack
from core.ids import AssetId
from tests.core.graph.builders import RIG, Drawing, swinging, walker
from tests.core.graph.stories import Stories, Story

STORIES = Stories(Path(__file__).with_name("player_stories.txt"))


@pytest.fixture
def case(request) -> str:
    """What the story of a test goes by."""
    return request.node.name.removeprefix("test_")


SPEED = Variable("speed", default=(1.0,), minimum=-9.0, maximum=9.0)
SIDE = Variable("side", default=(0.0,), minimum=-9.0, maximum=9.0)
STEPS = (0.05, 0.1, 0.0, 0.03, 0.1, 0.25, 0.02, 0.1, 0.1, 0.07)


def marked(name: str, degrees: float, *times: float, **more):
    """A loop of a second with markers and notifies, one of which lasts over the turn."""
    marks = tuple(SyncMarker("lr"[k % 2], time) for k, time in enumerate(times))
    notifies = (
        Notify("down", 0.25), Notify("hold", 0.8, 0.4),
        Notify("fast", 0.5, 0.2, rule=NotifyRule(condition="speed > 1")),
        Notify("own", 0.6, rule=NotifyRule(threshold=0.4, on_follower=False)),
    )  # fmt: skip
    more.setdefault("notifies", notifies)
    return swinging(name, degrees, sync_markers=marks, root_motion=RootMotion(True), **more)


CLIPS = (
    marked("walk", 30.0, 0.1, 0.6), marked("run", -50.0, 0.2, 0.5), marked("lean", 70.0),
    marked("trot", 10.0, 0.0, 0.3),
    swinging("once", 20.0, looping=False, notifies=(Notify("end", 1.0), Notify("stay", 0.5, 0.5))),
)  # fmt: skip


def space(*names: str, id: str = "space-1", wide: bool = False, kind=None, **more) -> BlendSpace:
    places = [(0.0, 0.0), (2.0, 0.0), (0.5, 2.0), (2.0, 2.5)]
    axes = tuple(
        SpaceAxis(
            n,
            0.0,
            3.0,
            divisions=3,
            smoothing=Smoothing.SPRING if wide else Smoothing.NONE,
            smoothing_time=0.2,
        )
        for n in ("x", "y")[: 1 + wide]
    )
    samples = tuple(
        SpaceSample(AssetId(f"clip-{name}"), places[k] if wide else (1.0 * k,), 1.0 + 0.5 * k)
        for k, name in enumerate(names)
    )
    kind = kind or (SpaceKind.TRIANGLES if wide else SpaceKind.LINE)
    return BlendSpace(AssetId(id), id, RIG, axes, samples, kind=kind, **more)


def alone(made: BlendSpace, rate: str = "1", **node) -> Instance:
    drawing = Drawing(*CLIPS, variables=(SPEED, SIDE), rig_=walker(), assets=(made,))
    literals = {"x": "speed", "rate": rate, **({"y": "side"} if len(made.axes) > 1 else {})}
    return drawing.run(drawing.one(drawing.node("blend_space", "space", literals, space=made.id, **node)))


def through(case: str, instance: Instance, seed: int = 1, steps=STEPS, **commands) -> list[str]:
    """Run with inputs that wander, and hold the story; give its events."""
    dice, story = random.Random(seed), Story()
    names = [variable.name for variable, _ in instance.plan.variables]
    for number, dt in enumerate(steps):
        inputs = {name: dice.uniform(-1.0, 4.0) for name in names} if number % 3 == 0 else {}
        story.step(dt, instance.step(dt, inputs, commands=commands.get(f"at_{number}", ())))
    STORIES.hold(case, story)
    return story.events


@pytest.mark.parametrize("rate", ["1", "-0.8", "0", "speed - 1"])
@pytest.mark.parametrize("sync", [True, False])
@pytest.mark.parametrize("wide", [False, True])
def test_spaces_play_at_any_rate(case, rate, sync, wide):
    made = space("walk", "run", "trot", *(("lean",) if wide else ()), wide=wide, sync=sync)
    through(case, alone(made, rate))


@pytest.mark.parametrize("motion", list(MotionRule))
@pytest.mark.parametrize("notifies", list(MotionRule))
def test_spaces_move_and_notify_by_their_rules(case, motion, notifies):
    made = space("walk", "run", "lean", root_motion=motion, notifies=notifies, weight_speed=2.0)
    assert through(case, alone(made), 3)


@pytest.mark.parametrize("kind", [SpaceKind.GRID, SpaceKind.TRIANGLES])
def test_wide_spaces_play_their_samples(case, kind):
    assert through(case, alone(space("walk", "run", "trot", "lean", wide=True, kind=kind)), 5)


def group(
    *members: tuple[str, str, str], tempo=Tempo.MEAN, montage: Montage | None = None, alpha="0.4"
) -> Instance:
    """Two or three members of one sync group, blended: (what it plays, role, rate)."""
    found = space("walk", "run"), space("lean", "once", id="space-2")
    assets = (*found, *((montage,) if montage else ()))
    drawing = Drawing(
        *CLIPS, variables=(SPEED, SIDE), rig_=walker(), assets=assets, sync_groups=(SyncSetting("feet", tempo),),
        slots=("Group.Upper",),
    )  # fmt: skip
    nodes, wires = [], []
    for what, role, rate in members:
        more = {"group": "feet", "role": role}
        if what.startswith("space"):
            node = drawing.node("blend_space", what, {"x": "0.3", "rate": rate}, space=what, **more)
        else:
            node = drawing.node("clip", what, {"rate": rate, "start": "0.15"}, clip=f"clip-{what}", **more)
        nodes.append(node)
    last = nodes[0]
    for node in nodes[1 : len(members)]:
        mix = drawing.node("blend", "", {"alpha": alpha})
        wires += [(last, mix, "a"), (node, mix, "b")]
        nodes.append(mix)
        last = mix
    slot = drawing.node("slot", "slot", slot="Group.Upper", always_update=True)
    wires.append((last, slot, "source"))
    return drawing.run(drawing.one(*nodes, slot, wires=wires))


ROLES = [str(role) for role in SyncRole]
ALPHAS = ["0.4", "if(speed > 1, 1, 0)", "0"]


@pytest.mark.parametrize("tempo", list(Tempo))
@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize(
    "members",
    [
        (("walk", "can_lead", "1"), ("run", "can_lead", "0.7")),
        (("walk", "always", "1"), ("space-1", "can_lead", "-1")),
        (("space-1", "never", "1"), ("run", "never", "0.7")),
        (("space-1", "blended_in", "speed"), ("space-2", "always", "1")),
        (("lean", "can_lead", "1"), ("trot", "blended_in", "2"), ("space-1", "can_lead", "0")),
        (("once", "can_lead", "1"), ("walk", "never", "-1"), ("run", "always", "0.5")),
    ],
    ids=lambda members: "-".join(f"{what}:{role}" for what, role, _ in members),
)
def test_members_of_a_group_go_together(case, members, alpha, tempo):
    through(case, group(*members, tempo=tempo, alpha=alpha), len(alpha))


def wave(*pieces: tuple[str, float, float, float, float], **more) -> Montage:
    segments = tuple(Segment(AssetId(f"clip-{name}"), *rest) for name, *rest in pieces)
    fade = MontageBlend(0.15)
    options = {"blend_in": fade, "blend_out": fade, "sync_group": "feet", **more}
    return Montage(AssetId("montage-wave"), "wave", RIG, "Group", (SlotTrack("Upper", segments),), **options)


@pytest.mark.parametrize("rate", [1.0, -0.6, 2.0])
@pytest.mark.parametrize("what", ["walk", "space-1", "lean"])
@pytest.mark.parametrize(
    "pieces",
    [(("run", 0.0, 0.0, 1.0, 1.0), ("walk", 1.0, 0.25, 0.9, 0.5)), (("lean", 0.2, 0.0, 0.8, 2.0),)],
    ids=["marked", "plain"],
)
def test_members_follow_a_montage_that_leads(case, what, rate, pieces):
    instance = group((what, "can_lead", "1"), ("trot", "always", "0.7"), montage=wave(*pieces))
    play = Command(Do.PLAY, "wave", rate=rate)
    stop = Command(Do.STOP, "wave", seconds=0.05)
    told = through(case, instance, 7, at_1=[play], at_6=[stop], at_8=[play])
    assert sum(event.startswith("play wave") for event in told) == 2


# -------------------------------------------------------------------- targets of transitions
def machine(start: TargetStart, target: str, rate: str = "1", start_at: float = 0.3) -> Instance:
    """From walk to a target by a rule; back by an automatic one."""
    drawing = Drawing(*CLIPS, variables=(SPEED, SIDE), rig_=walker(), assets=(space("walk", "run"),))
    to = (
        drawing.node("blend_space", "space", {"x": "0.3", "rate": rate}, space="space-1")
        if target == "space"
        else drawing.node("clip", target, {"rate": rate}, clip=f"clip-{target}")
    )
    states = {"a": drawing.clip_sheet("walk"), "b": drawing.pose_sheet("b", [to], [], to)}
    go = {"seconds": 0.12, "start": start, "start_at": start_at}
    back = {"automatic": 0.4, "seconds": 0.1, "start": start, "start_at": 0.1}
    arrows = [("a", "b", "time('walk') > 0.3", go), ("b", "a", None, back)]
    return drawing.run(drawing.machine_graph(drawing.machine(states, arrows, b="never")))


@pytest.mark.parametrize("start", list(TargetStart))
@pytest.mark.parametrize("target", ["run", "space", "once", "lean"])
@pytest.mark.parametrize("rate", ["1", "-0.7"])
def test_targets_begin_where_their_transition_says(case, start, target, rate):
    told = through(case, machine(start, target, rate), 2, STEPS * 2)
    assert any(event.startswith("go a -> b") for event in told)


@pytest.mark.parametrize("target", ["run", "space"])
def test_a_target_at_the_same_phase_is_between_the_same_markers(target):
    instance = machine(TargetStart.SAME_PHASE, target)
    while instance.step(0.05).states["machine"] != "b":
        pass
    op = instance.plan.op_named("space" if target == "space" else "run")
    from_op = instance.plan.op_named("walk")
    run_time, walk_time = (float(instance.state.floats[o.place.floats]) for o in (op, from_op))
    # The walk's markers are at 0.1 and 0.6: as far between them the run is between 0.2 and 0.5.
    u = (walk_time - 0.1) / 0.5
    if target == "run":
        assert run_time == pytest.approx(0.2 + 0.3 * u, abs=0.05)
    else:
        assert run_time % 2.0 == pytest.approx(u, abs=0.12)
