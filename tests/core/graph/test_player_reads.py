"""Players in machines, groups and layers at once, with what expressions read of them: by pins, and by kernel and twin.

The conftest lets the twin make each step that the kernel makes.
"""

import random
from dataclasses import replace

import numpy as np
import pytest

from core.blending.blend_space import BlendSpace, SpaceAxis, SpaceKind, SpaceSample
from core.clips.clip import Additive, AdditiveBase, AdditiveSpace, Channel, Property
from core.graph.commands import Command, Do
from core.graph.graph import SyncSetting, TargetStart, Tempo
from core.graph.instance import Instance
from core.graph.montage import Montage
from core.graph.packing import pack
from core.ids import AssetId
from core.tracks.keys import scalar_track
from tests.core.graph.builders import RIG, Drawing, square, swinging, walker
from tests.core.graph.test_named_players import told
from tests.core.graph.test_players_alike import CLIPS, SIDE, SPEED, STEPS, space, wave
from tests.pins import Pins

HELD = Pins(__file__)
READS = (
    "remaining('it')",
    "time('it')",
    "fraction('it')",
    "weight('it')",
    "if(active('it'), 1, 0)",
    "raw_curve('it', 'lift')",
)


def drawing(*assets: BlendSpace | Montage, tempo: Tempo = Tempo.MEAN, clips=CLIPS) -> Drawing:
    return Drawing(*clips, variables=(SPEED, SIDE), rig_=walker(), assets=assets, slots=("Group.Upper",),
                   sync_groups=(SyncSetting("feet", tempo),))  # fmt: skip


def player(draw: Drawing, what: str, rate: str, name: str = "it", **more):
    if what.startswith("space"):
        return draw.node("blend_space", name, {"x": "0.3 + 0.2 * side", "rate": rate}, space=what, **more)
    return draw.node("clip", name, {"rate": rate, "start": "0.15"}, clip=f"clip-{what}", **more)


def reading(draw: Drawing, last, nodes: list, wires: list) -> list:
    """Curves after a node that tell what expressions read of the player."""
    for number, text in enumerate(READS):
        node = draw.node("modify_curve", "", {"value": f"min({text}, 50)"}, curve=f"read{number}")
        wires.append((last, node, "pose"))
        nodes.append(node)
        last = node
    return nodes


def running(
    what: str,
    role: str,
    rate: str,
    *,
    tempo=Tempo.MEAN,
    automatic=0.2,
    start=TargetStart.STATE,
    reset="when_irrelevant",
) -> Instance:
    """A machine of two states, one of which plays in the group of a player beside the machine; reads of it."""
    draw = drawing(
        space("walk", "run"), wave(("run", 0.0, 0.0, 1.0, 1.0), ("lean", 1.0, 0.2, 0.9, 1.5)), tempo=tempo
    )
    made = player(draw, what, rate, group="feet", role=role)
    states = {"a": draw.pose_sheet("a", [made], [], made), "b": draw.clip_sheet("trot")}
    more = {"seconds": 0.15, "start": start, "start_at": 0.2}
    arrows = [("a", "b", None, {"automatic": automatic, **more}), ("b", "a", "time('trot') > 0.25", more)]
    machine = draw.node("machine", "m", sheet=draw.machine(states, arrows, a=reset).id)
    beside = player(draw, "walk", "0.8", "beside", group="feet", role="can_lead")
    mix, slot = (
        draw.node("blend", "", {"alpha": "0.45"}),
        draw.node("slot", "slot", slot="Group.Upper", always_update=True),
    )
    wires = [(beside, mix, "a"), (machine, mix, "b"), (mix, slot, "source")]
    nodes = reading(draw, slot, [beside, machine, mix, slot], wires)
    return draw.run(draw.one(*nodes, wires=wires))


def through(instance: Instance, seed: int, commands=None, steps=STEPS * 2) -> list:
    dice, found = random.Random(seed), []
    for number, dt in enumerate(steps):
        inputs = {"speed": dice.uniform(-1.0, 4.0), "side": dice.uniform(0.0, 4.0)} if number % 3 == 0 else {}
        result = instance.step(dt, inputs, commands=(commands or {}).get(number, ()))
        assert np.isfinite(result.numbers).all()
        found.append(told(result))
    return found


@pytest.mark.parametrize(("what", "role", "rate"), square(
    ("walk", "once", "lean", "space-1"), ("can_lead", "always", "never", "blended_in"), ("1", "-0.67", "speed * 0.6")
))  # fmt: skip
def test_a_player_of_a_group_within_a_machine(what, role, rate):
    HELD.hold(f"in a machine: {what}, {role}, {rate}", through(running(what, role, rate), 3))


@pytest.mark.parametrize(
    ("what", "automatic", "tempo"), square(("walk", "once", "space-1"), (0.0, 0.35, -1.0), Tempo)
)
def test_automatic_rules_look_at_a_groups_pace(what, automatic, tempo):
    made = running(what, "can_lead", "1.3", tempo=tempo, automatic=automatic)
    HELD.hold(f"automatic: {what}, {automatic}, {tempo}", through(made, 5))


@pytest.mark.parametrize(
    ("start", "what", "reset"), square(TargetStart, ("walk", "once", "space-1"), ("always", "never"))
)
def test_targets_in_a_group_begin_as_they_are_to(what, start, reset):
    made = running(what, "can_lead", "1", start=start, reset=reset)
    HELD.hold(f"target: {what}, {start}, {reset}", through(made, 7))


@pytest.mark.parametrize("what", ["walk", "once", "space-1"])
@pytest.mark.parametrize("rate", [1.0, -0.65])
def test_players_in_a_machine_follow_a_montage_that_leads(what, rate):
    commands = {2: [Command(Do.PLAY, "wave", rate=rate)], 9: [Command(Do.STOP, "wave", seconds=0.1)],
                12: [Command(Do.PLAY, "wave", at=0.7)]}  # fmt: skip
    HELD.hold(
        f"montage: {what}, {rate}",
        through(running(what, "can_lead", "1", start=TargetStart.SAME_PHASE), 9, commands),
    )


@pytest.mark.parametrize(
    ("automatic", "what", "sync"),
    [(0.33, "space-1", True), (0.71, "space-1", False), (0.71, "run", True), (0.33, "lean", True)],
)
def test_what_is_entered_inside_a_step_tells_at_the_same_moments_however_time_is_cut(what, automatic, sync):
    found = []
    for dt in (0.1, 0.05, 0.02):
        draw = drawing(space("walk", "run", "trot", sync=sync))
        made = player(draw, what, "1.3")
        states = {"a": draw.clip_sheet("walk"), "b": draw.pose_sheet("b", [made], [], made)}
        arrow = ("a", "b", None, {"automatic": automatic, "seconds": 0.17})
        instance = draw.run(draw.machine_graph(draw.machine(states, [arrow])))
        events, time = [], 0.0
        for _ in range(round(1.4 / dt)):
            result = instance.step(dt, {"side": 1.0, "speed": 2.0})
            events += [
                (e.name, str(e.kind), round(time + e.moment, 6), e.clip)
                for e in result.events
                if str(e.kind) != "tick"
            ]
            time += dt
        found.append(sorted(events))
    assert found[0] == found[1] == found[2]
    assert any(name == "down" for name, *_ in found[0])


# -------------------------------------------------------------------- differences
@pytest.mark.parametrize("kind", ["local", "model"])
@pytest.mark.parametrize("base", [AdditiveBase.FIRST_FRAME, AdditiveBase.REST])
@pytest.mark.parametrize("looping", [True, False])
def test_additive_clips_play_their_difference(kind, base, looping):
    clips = (
        *CLIPS,
        swinging(
            "breath",
            25.0,
            looping=looping,
            additive=Additive(AdditiveSpace(kind), base),
            curves={"lift": 0.3},
        ),
    )
    draw = drawing(clips=clips)
    walk, breath = (
        draw.play("walk"),
        draw.node("clip", "it", {"rate": "1.4", "start": "0.3"}, clip="clip-breath"),
    )
    apply = draw.node("apply_additive", "", {"alpha": "speed * 0.3"})
    wires = [(walk, apply, "base"), (breath, apply, "additive")]
    nodes = reading(draw, apply, [walk, breath, apply], wires)
    HELD.hold(f"additive: {kind}, {base}, {looping}", through(draw.run(draw.one(*nodes, wires=wires)), 11))


@pytest.mark.parametrize("moving", [True, False])
@pytest.mark.parametrize("base", [AdditiveBase.FIRST_FRAME, AdditiveBase.REST])
def test_aim_offsets_lie_on_their_base(moving, base):
    made = []
    for k, degrees in enumerate((-40.0, 10.0, 60.0)):
        clip = swinging(
            f"aim{k}",
            degrees,
            additive=Additive(AdditiveSpace.MODEL, base),
            curves={"lift": 0.1 * k} if k else {},
        )
        if not moving:
            clip = replace(
                clip, tracks={Channel("spine", Property.ROTATE, 1): scalar_track([0.0], [degrees])}
            )
        made.append(clip)
    samples = tuple(SpaceSample(clip.id, (1.0 * k,)) for k, clip in enumerate(made))
    aim_space = BlendSpace(
        AssetId("space-aim"),
        "aim",
        RIG,
        (SpaceAxis("x", 0.0, 2.0),),
        samples,
        kind=SpaceKind.LINE,
        aim_offset=True,
    )
    draw = drawing(aim_space, clips=(*CLIPS, *made))
    walk = player(draw, "walk", "1.2")
    node = draw.node(
        "aim_offset",
        "it",
        {"x": "side * 0.5", "alpha": "0.3 + 0.2 * speed", "rate": "0.7"},
        space="space-aim",
    )
    wires = [(walk, node, "base")]
    nodes = reading(draw, node, [walk, node], wires)
    instance = draw.run(draw.one(*nodes, wires=wires))
    packed = pack(instance.plan)
    assert ("aim" in packed.poses) is not moving  # the kernel mixes differences that stand still
    HELD.hold(f"aim: {moving}, {base}", through(instance, 13))
