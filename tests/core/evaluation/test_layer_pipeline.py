"""A layer in hand: what is keyed on it is shown exactly, whatever lies below and above."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.blending.layer_inverse import below_layers
from core.blending.layer_stack import ClipLayer, LayerMode, LayerStack, StackPlayer
from core.clips.clip import WHOLE, Additive, AdditiveBase, AdditiveSpace, Channel, Clip, Property
from core.clips.edits import new_clip
from core.clips.keying import KeyWhich
from core.clips.keying_layers import key_layer
from core.evaluation.clip_pipeline import ClipPipeline
from core.evaluation.layer_pipeline import LayerPipeline, not_keyable, to_layer_pose, to_layer_weights
from core.evaluation.to_clip_pose import to_clip_pose
from core.ids import AssetId
from core.math import quat
from core.math.transform import Transform
from core.pose.pose import Pose
from core.tracks.keys import Interpolation, quaternion_track, scalar_track
from tests.core.blending.clips import RIG

LINEAR = Interpolation.LINEAR
BONES = RIG.skeleton.names


def apart(one: Transform, other: Transform) -> float:
    """The largest difference of two transforms: metres, radians, scale."""
    turned = quat.angle_between(one.rotation, other.rotation).max()
    moved = np.abs(one.translation - other.translation).max()
    return float(max(turned, moved, np.abs(one.scale - other.scale).max()))


def moving(name: str, seed: int, bones: tuple[str, ...] = BONES, whole: bool = False, **more: object) -> Clip:
    """A clip with gentle keys on bones: turns up to 15° about each axis, moves up to 0.2 m."""
    random, tracks = np.random.default_rng(seed), {}
    for bone in bones:
        for axis in range(3):
            tracks[Channel(bone, Property.TRANSLATE, axis)] = scalar_track(
                [0.0, 0.4, 1.0], random.uniform(-0.2, 0.2, 3)
            )
            if not whole:
                tracks[Channel(bone, Property.ROTATE, axis)] = scalar_track(
                    [0.0, 0.6, 1.0], random.uniform(-15.0, 15.0, 3)
                )
        if whole:
            turns = quat.from_rotation_vector(random.uniform(-0.25, 0.25, (2, 3)))
            tracks[Channel(bone, Property.ROTATE, WHOLE)] = quaternion_track([0.0, 1.0], turns)
    return Clip(AssetId(f"clip-{name}"), name, RIG.id, 1.0, tracks=tracks, **more)  # type: ignore[arg-type]


def additive(clip: Clip, space: AdditiveSpace) -> Clip:
    return replace(clip, additive=Additive(space, AdditiveBase.REST))


@st.composite
def layers(draw: st.DrawFn) -> tuple[ClipLayer, Clip]:
    """A layer of any kind with its clip; the clip has keys on some of the bones."""
    number, seed = draw(st.integers(0, 10**6)), draw(st.integers(0, 1000))
    mode = draw(st.sampled_from(LayerMode))
    some = tuple(draw(st.lists(st.sampled_from(BONES), unique=True)))
    clip = moving(f"layer{number}", seed, some, draw(st.booleans()))
    if mode is LayerMode.ADDITIVE:
        clip = additive(clip, draw(st.sampled_from(AdditiveSpace)))
    weight = draw(st.one_of(st.just(1.0), st.floats(0.4, 0.6)))
    layer = ClipLayer(
        clip.name, clip.id, mode, weight, mask=draw(st.sampled_from([None, None, "upper"])),
        keyed=mode is LayerMode.OVERRIDE and draw(st.booleans()),
    )  # fmt: skip
    return layer, clip


def stacked(found: list[tuple[ClipLayer, Clip]], base: Clip, turned: bool = False) -> ClipPipeline:
    clips = {clip.id: clip for clip in (base, *(clip for _, clip in found))}
    stack = LayerStack(AssetId("stack"), "s", RIG.id, base.id, tuple(layer for layer, _ in found), turned)
    return ClipPipeline(RIG, base, layers=StackPlayer(RIG, stack, clips))


def nudged(pose: Pose, seed: int, bones: tuple[str, ...]) -> Pose:
    """A pose with some bones turned by up to 3° and moved by up to 10 cm: two covering layers take it sixfold."""
    random, local = np.random.default_rng(seed), [np.array(part) for part in pose.local]
    for bone in (RIG.skeleton.index(name) for name in bones):
        local[0][bone] += random.uniform(-0.1, 0.1, 3)
        turn = quat.from_rotation_vector(random.uniform(-0.03, 0.03, 3))
        local[1][bone] = quat.multiply(local[1][bone], turn)
        local[2][bone] *= random.uniform(0.9, 1.1, 3)
    return pose.with_local(Transform(*local))


@settings(max_examples=25, deadline=None)
@given(
    st.lists(layers(), min_size=1, max_size=3, unique_by=lambda pair: pair[1].id), st.integers(0, 2), st.booleans(),
    st.integers(0, 1000), st.lists(st.sampled_from(BONES), min_size=1, unique=True), st.sampled_from([0.0, 0.37, 1.0]),
)  # fmt: skip
def test_pose_keyed_on_the_layer_in_hand_is_the_pose_shown(found, place, turned, seed, bones, time) -> None:
    clip = found[min(place, len(found) - 1)][1]
    pipeline = LayerPipeline(stacked(found, moving("base", 1), turned), clip)
    shown = pipeline.pose(time)
    free = [bone for bone in bones if not pipeline.out_of_reach([bone], time)]
    wanted = nudged(shown, seed, tuple(free))
    goal, sampled = to_layer_pose(pipeline, time, wanted), to_layer_pose(pipeline, time, shown)
    names = pipeline.with_carried(free)
    keyed = key_layer(pipeline.clip, RIG, time, goal, names, which=KeyWhich.CHANGED, sampled=sampled)
    after = pipeline.with_clip(keyed).pose(time)
    assert apart(after.local, wanted.local) < 1e-6
    everything = key_layer(pipeline.clip, RIG, time, goal, names, which=KeyWhich.ALL, sampled=sampled)
    assert apart(pipeline.with_clip(everything).pose(time).local, wanted.local) < 1e-6


@settings(max_examples=30, deadline=None)
@given(st.lists(layers(), min_size=1, max_size=3, unique_by=lambda pair: pair[1].id), st.booleans())
def test_layers_are_undone_to_what_is_below(found, turned) -> None:
    pipeline, at = stacked(found, moving("base", 1), turned), np.array([0.2, 0.9])
    player, own = pipeline.layers, pipeline.tracks.sample_many(at).local
    samples = player.samples(at, 1.0)
    back = below_layers(player, samples, player.folded(own, samples), own)
    assert apart(player.folded(back, samples), player.folded(own, samples)) < 1e-6


@given(st.integers(0, 1000), st.floats(0.3, 0.9))
def test_clip_below_three_layers_is_keyed_exactly(seed, weight) -> None:
    found = [
        (ClipLayer("a", AssetId("clip-a"), LayerMode.ADDITIVE, weight), additive(moving("a", 5), AdditiveSpace.LOCAL)),
        (ClipLayer("o", AssetId("clip-o"), weight=weight, mask="upper"), moving("o", 6)),
        (ClipLayer("m", AssetId("clip-m"), LayerMode.ADDITIVE, weight), additive(moving("m", 7), AdditiveSpace.MODEL)),
    ]  # fmt: skip
    pipeline = stacked(found, moving("base", 1))
    wanted = nudged(pipeline.pose(0.4), seed, ("root", "spine", "arm"))
    goal = to_clip_pose(pipeline, 0.4, wanted, {})
    keyed = key_layer(
        pipeline.clip,
        RIG,
        0.4,
        goal,
        BONES,
        which=KeyWhich.ALL,
        sampled=pipeline.tracks.sample_many([0.4]).pose(0),
    )
    hand = RIG.skeleton.index("hand")  # covered by “o” up to its weight
    after = pipeline.with_clip(keyed).pose(0.4)
    free = [k for k in range(len(BONES)) if k != hand]
    assert apart(
        Transform(*(part[free] for part in after.local)), Transform(*(part[free] for part in wanted.local))
    ) < 1e-6  # fmt: skip


def test_empty_layers_change_nothing_and_key_only_what_is_posed() -> None:
    base = moving("base", 3)
    empty = new_clip(RIG, "empty", 1.0)
    for mode, clip in (
        (LayerMode.OVERRIDE, empty),
        (LayerMode.ADDITIVE, additive(empty, AdditiveSpace.LOCAL)),
    ):
        layer = ClipLayer("l", clip.id, mode, keyed=mode is LayerMode.OVERRIDE, own=True)
        pipeline = LayerPipeline(stacked([(layer, clip)], base), clip)
        times = np.linspace(0.0, 1.0, 7)
        assert (
            apart(pipeline.sample_many(times).local, ClipPipeline(RIG, base).sample_many(times).local) < 1e-12
        )
        shown = pipeline.pose(0.5)
        arm = RIG.skeleton.index("arm")
        wanted = shown.with_bone(
            arm, rotation=RIG.skeleton.rest.rotation[arm]
        )  # the rest pose itself is keyed, too
        goal, sampled = to_layer_pose(pipeline, 0.5, wanted), to_layer_pose(pipeline, 0.5, shown)
        keyed = key_layer(clip, RIG, 0.5, goal, BONES, sampled=sampled)
        assert {(c.bone, c.property) for c in keyed.tracks} == {("arm", Property.ROTATE)}
        assert apart(pipeline.with_clip(keyed).pose(0.5).local, wanted.local) < 1e-9


def test_masked_bones_and_weight_nought_are_out_of_reach() -> None:
    base, clip = moving("base", 3), moving("l", 4)
    masked = LayerPipeline(stacked([(ClipLayer("l", clip.id, mask="upper"), clip)], base), clip)
    assert masked.out_of_reach(BONES, 0.5) == ("root", "spine")
    cover = moving("c", 5, ("hand",))
    found = [(ClipLayer("l", clip.id), clip), (ClipLayer("c", cover.id, keyed=True), cover)]
    assert LayerPipeline(stacked(found, base), clip).out_of_reach(BONES, 0.5) == ("hand",)
    curve = scalar_track([0.0, 1.0], [0.0, 1.0], interpolations=LINEAR)
    coming = LayerPipeline(stacked([(ClipLayer("l", clip.id, curve=curve), clip)], base), clip)
    assert coming.out_of_reach(BONES, 0.0) == BONES and coming.out_of_reach(BONES, 0.5) == ()


def test_curves_are_keyed_by_what_the_layer_adds() -> None:
    base = replace(moving("base", 3), curves={"smile": scalar_track([0.0], [0.25])})
    clip = replace(
        additive(moving("l", 4), AdditiveSpace.LOCAL), curves={"smile": scalar_track([0.0], [0.5])}
    )
    pipeline = LayerPipeline(stacked([(ClipLayer("l", clip.id, LayerMode.ADDITIVE, 0.5), clip)], base), clip)
    shown = pipeline.pose(0.0).curves
    assert shown["smile"] == pytest.approx(0.5)
    held = to_layer_weights(pipeline, 0.0, {"smile": 1.0}, shown, False)
    keyed = replace(clip, curves={"smile": scalar_track([0.0], [held["smile"]])})
    assert pipeline.with_clip(keyed).pose(0.0).curves["smile"] == pytest.approx(1.0)


def test_layer_that_is_a_difference_from_itself_is_not_keyed() -> None:
    clip = replace(moving("l", 4), additive=Additive(AdditiveSpace.LOCAL, AdditiveBase.FIRST_FRAME))
    assert "Additive panel" in not_keyable(LayerMode.ADDITIVE, clip)
    assert not_keyable(LayerMode.OVERRIDE, clip) == ""
