"""What the kernel is given of differences that need more than a clip's keys: by pins, and by kernel and twin."""

from dataclasses import replace

import pytest

from core.blending.blend_space import BlendSpace, SpaceAxis, SpaceKind, SpaceSample
from core.clips.clip import WHOLE, Additive, AdditiveBase, AdditiveSpace, Channel, Clip, Property
from core.graph.instance import Instance
from core.graph.packing import pack
from core.graph.runner import _of_montage
from core.graph.scope import Read
from core.ids import AssetId
from core.tracks.keys import Extrapolation, quaternion_track, scalar_track
from tests.core.graph.builders import RIG, Drawing, swinging, walker
from tests.core.graph.nodes.test_settings import parts
from tests.core.graph.test_named_players import told
from tests.core.graph.test_players_alike import SIDE, SPEED, wave
from tests.pins import Pins

HELD = Pins(__file__)
STEPS = (0.1, 0.0, 0.07, 0.1)
WALK, LEAN = swinging("walk", 30.0, curves={"lift": 0.5}), swinging("lean", -50.0)
EMPTY = replace(swinging("empty"), tracks={}, curves={})


def held(case: str, instance: Instance) -> None:
    found = [told(instance.step(dt, {"speed": 1.5, "side": 0.3 + k})) for k, dt in enumerate(STEPS)]
    HELD.hold(case, parts(instance.plan), found)


def over(clip: Clip, *more: Clip, looping=True) -> Instance:
    """A difference over a walk."""
    draw = Drawing(
        WALK, LEAN, EMPTY, replace(clip, looping=looping), *more, rig_=walker(), variables=(SPEED, SIDE)
    )
    walk, it = draw.play("walk"), draw.node("clip", "it", {"rate": "speed"}, clip="clip-it")
    on = draw.node("apply_additive", "", {"alpha": "0.6"})
    return draw.run(draw.one(walk, it, on, wires=[(walk, on, "base"), (it, on, "additive")]))


@pytest.mark.parametrize("kind", list(AdditiveSpace))
@pytest.mark.parametrize("base", ["walk", "lean", "empty", "first frame", "rest"])
@pytest.mark.parametrize("moves", [True, False])
def test_what_a_clip_differs_from_goes_along(kind, base, moves):
    if base in ("walk", "lean", "empty"):
        additive = Additive(kind, AdditiveBase.CLIP, AssetId(f"clip-{base}"))
    else:
        additive = Additive(kind, AdditiveBase.FIRST_FRAME if base == "first frame" else AdditiveBase.REST)
    clip = swinging("it", 25.0, additive=additive, curves={"lift": 0.3})
    if not moves:
        clip = replace(clip, tracks={Channel("spine", Property.ROTATE, 1): scalar_track([0.0], [15.0])})
    held(f"{kind} from {base}, {'moves' if moves else 'still'}", over(clip))


def turning(clip: Clip) -> Clip:
    """It goes on turning beyond its keys, which the kernel leaves to the twin."""
    turns, on = [[0.0, 0.0, 0.0, 1.0], [0.0, 0.6, 0.0, 0.8]], Extrapolation.LINEAR
    keys = quaternion_track([0.1, 0.6], turns, before=on, after=on)
    return replace(clip, tracks={Channel("spine", Property.ROTATE, WHOLE): keys}, looping=False)


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("base", [AdditiveBase.CLIP, AdditiveBase.FIRST_FRAME, AdditiveBase.REST])
@pytest.mark.parametrize("kind", list(AdditiveSpace))
def test_what_the_kernel_cannot_sample_is_left_to_the_twin(kind, base, own):
    additive = Additive(kind, base, AssetId("clip-base") if base is AdditiveBase.CLIP else None)
    clip, other = swinging("it", 25.0, additive=additive), swinging("base", 10.0)
    clip, other = (turning(clip), other) if own else (clip, turning(other))
    instance = over(clip, other, looping=clip.looping)
    held(f"turning {'itself' if own else 'base'}, {kind}, {base}", instance)
    left = own or base is AdditiveBase.CLIP
    assert ("additive_clip" in pack(instance.plan).poses) is not left


@pytest.mark.parametrize("which", ["plain", "space"])
def test_players_of_what_the_kernel_cannot_sample_are_left_to_the_twin(which):
    draw = Drawing(WALK, turning(swinging("it")), rig_=walker(), variables=(SPEED, SIDE), assets=(BlendSpace(
        AssetId("space-1"), "s", RIG, (SpaceAxis("x"),),
        (SpaceSample(WALK.id, (0.0,)), SpaceSample(AssetId("clip-it"), (1.0,))), kind=SpaceKind.LINE,
    ),))  # fmt: skip
    literals = {"rate": "speed"}
    player = (
        draw.node("clip", "it", literals, clip="clip-it")
        if which == "plain"
        else draw.node("blend_space", "it", {"x": "side", **literals}, space="space-1")
    )
    instance = draw.run(draw.one(player))
    held(f"turning, {which}", instance)
    assert pack(instance.plan).poses[instance.plan.op_named("it").number] is None


@pytest.mark.parametrize("still", [True, False])
@pytest.mark.parametrize("kind", [SpaceKind.LINE, SpaceKind.GRID])
@pytest.mark.parametrize("degrees", [(-40.0, 10.0, 60.0), (0.0, 0.0, 20.0)])
def test_an_aim_offset_gives_differences_that_stand_still_as_they_are(still, kind, degrees):
    clips, samples, line = [], [], kind is SpaceKind.LINE
    for k, turn in enumerate((*degrees, 5.0) if not line else degrees):
        clip = swinging(
            f"aim{k}",
            turn,
            additive=Additive(AdditiveSpace.MODEL, AdditiveBase.REST),
            curves={"lift": 0.1 * k},
        )
        if still:
            clip = replace(
                clip, tracks={Channel("spine", Property.ROTATE, k % 3): scalar_track([0.0], [turn])}
            )
        clips.append(clip)
        samples.append(SpaceSample(clip.id, (1.0 * k,) if line else (float(k % 2), float(k // 2))))
    axes = (SpaceAxis("x", 0.0, 2.0),) if line else (SpaceAxis("x", 0.0, 1.0), SpaceAxis("y", 0.0, 1.0))
    made = BlendSpace(AssetId("space-aim"), "aim", RIG, axes, tuple(samples), kind=kind, aim_offset=True)
    draw = Drawing(WALK, *clips, rig_=walker(), variables=(SPEED, SIDE), assets=(made,))
    point = {"x": "side * 0.5", **({} if line else {"y": "0.3"})}
    walk, aim = draw.play("walk"), draw.node("aim_offset", "it", {"alpha": "0.8", **point}, space="space-aim")
    instance = draw.run(draw.one(walk, aim, wires=[(walk, aim, "base")]))
    held(f"aim {kind}, {degrees}, {'still' if still else 'moves'}", instance)
    assert ("aim" in pack(instance.plan).poses) is still


@pytest.mark.parametrize(("function", "name", "wanted"), [
    ("playing", "wave", True), ("montage_time", "wave", True), ("raw_curve", "wave", True), ("raw_curve", "it", False),
    ("raw_curve", "nobody", True), ("time", "it", False), ("time", "wave", False), ("curve", "lift", False),
])  # fmt: skip
@pytest.mark.parametrize("montages", [True, False])
def test_what_is_read_of_montages_is_nothing_while_none_plays(function, name, wanted, montages):
    """Of what is no node a curve can only be a montage's, also where there is none."""
    made = wave(("lean", 0.0, 0.0, 1.0, 1.0), sync_group="")
    draw = Drawing(WALK, LEAN, rig_=walker(), slots=("Group.Upper",) * montages, assets=(made,) * montages)
    walk = draw.node("clip", "it", {}, clip="clip-walk")
    nodes = [walk, draw.node("slot", "s", slot="Group.Upper")] if montages else [walk]
    wires = [(walk, nodes[-1], "source")] if montages else []
    plan = draw.run(draw.one(*nodes, wires=wires)).plan
    assert _of_montage(plan, Read(0, function, name, lambda run: 0.0)) is wanted
