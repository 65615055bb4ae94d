"""Motion of clips sampled, baked, converted, mirrored, keyed and reduced: exact results, case by case."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from core.clips import keying, root_motion
from core.clips.additive import AdditiveSampler, put_on
from core.clips.bake import BakeStyle, bake
from core.clips.clip import (
    WHOLE,
    Additive,
    AdditiveBase,
    AdditiveSpace,
    Channel,
    Property,
    RootMotion,
    RootPose,
)
from core.clips.convert import RotationKind, convert_rotations
from core.clips.evaluator import ClipEvaluator
from core.clips.follow import followed
from core.clips.keying import KeyWhich, Tolerance
from core.clips.keying_layers import key_layer
from core.clips.laid_keys import keyed_turns
from core.clips.mirror import mirrored_clip, mirrored_range
from core.clips.mirror_keys import mirrored_keys
from core.clips.moving_bones import moving_bones
from core.clips.nearest_pose import PlaceIndex, nearest_time, pose_index
from core.clips.proportions import baked_proportions, frames_and_keys, to_hold
from core.clips.reduce import reaches, reduce_clip, shell_points
from core.clips.sample import sample_many
from core.clips.virtual_bones import made_real
from core.math import quat
from core.math.transform import Transform
from core.pose.mirror import MirrorWay
from core.pose.pose import Pose
from core.progress import Progress
from core.rig.rig import RetargetMode, VirtualBone
from core.tracks.keys import Interpolation, quaternion_track, scalar_track
from core.tracks.places import KeyPlaces
from tests.core.clips.busy import LENGTH, NAMES, busy, figure, told
from tests.core.locomotion.matching import sample
from tests.pins import Pins

PINS = Pins(__file__)
LOOPS = pytest.mark.parametrize("looping", [False, True], ids=["once", "loop"])
TIMES = np.array([-2.5, -0.1, 0.0, 0.013, 0.37, 0.7, 1.05, 1.7, 1.99, 2.0, 2.013, 2.3, 4.0, 5.1])
ARM = Channel("arm_l", Property.ROTATE, WHOLE)
SPINE = Channel("spine", Property.TRANSLATE, 1)


def pose_of(local: Transform, row: int) -> Pose:
    return Pose("rig-1", *(np.array(part[row]) for part in local), {}, {})


# ---------------------------------------------------------------- sampling


@LOOPS
def test_poses_of_clips(looping):
    for seed, kind, whole in ((1, None, False), (2, None, True), (3, 0, False), (4, 1, False), (5, 2, False)):
        evaluator = ClipEvaluator(figure(), busy(seed, looping, kind, whole))
        for wrap in (False, True):
            found = evaluator.sample_many(TIMES, wrap=wrap)
            PINS.hold(f"sampled {looping}, {seed}, {wrap}", found.local, found.curves, found.morphs)
        PINS.hold(f"matrices {looping}, {seed}", evaluator.models_many(TIMES))
        with PINS.together(f"moments {looping}, {seed}") as note:
            for time, before, stopped in product((-0.3, 0.9, 2.0, 4.4), (None, 0.2, 2.1), (False, True)):
                note(evaluator.sample(time, before, stopped=stopped))
    still = ClipEvaluator(figure(), replace(busy(1), tracks={}))
    assert moving_bones(lambda at: still.sample_many(at).local, TIMES) == ()
    moving = ClipEvaluator(figure(), busy(1, looping, 1))
    assert moving_bones(lambda at: moving.sample_many(at).local, TIMES) == (0, 1, 2, 3, 4)


@LOOPS
def test_root_motion(looping):
    for bone, stays in ((None, RootPose.FIRST_FRAME), ("spine", RootPose.REST), ("arm_l", RootPose.ZERO)):
        for ground, height, yaw in (
            product((False, True), repeat=3) if bone is None else ((True, False, True),)
        ):
            settings = RootMotion(True, bone, ground, height, yaw, stays)
            source = ClipEvaluator(figure(), replace(busy(1, looping), root_motion=settings))
            local = source.sample_many(TIMES, wrap=False).local
            steps = root_motion.accumulate(source, TIMES)
            with PINS.together(f"root {looping}, {bone}, {ground} {height} {yaw}") as note:
                note(steps, root_motion.character_at(source, TIMES), root_motion.pose_anchor(source))
                note(root_motion.without_root(source, local), root_motion.root_at(source, [0.0, 0.4, 2.0]))
                note(root_motion.with_motion(source.skeleton, local, steps, settings))
                for start, end, loops in ((0.2, 1.7, 0), (1.7, 0.2, 1), (0.3, 0.3, -2), (0.0, 2.0, 5)):
                    note(root_motion.root_delta(source, start, end, loops))
                    note(root_motion.motion_between(source, start, end + 2.0 * loops))
                note(source.sample(0.9, 0.2), source.sample(4.1, -0.7))
    off = ClipEvaluator(figure(), busy(1, looping))
    PINS.hold(
        f"root off {looping}", root_motion.accumulate(off, TIMES), root_motion.root_delta(off, 0.1, 1.0, 2)
    )


@LOOPS
def test_differences(looping):
    rig = replace(figure(), retarget_sources={"tall": figure(5, 1.6).skeleton.rest})
    base = replace(busy(2, looping), id="clip-2", length=1.5)
    for space, kind, source in product(AdditiveSpace, AdditiveBase, (None, "tall")):
        for other in (None, "clip-2") if kind in (AdditiveBase.FRAME, AdditiveBase.CLIP) else (None,):
            declared = Additive(space, kind, other, 0.6)
            clip = replace(busy(1, looping), additive=declared, retarget_source=source)
            for on in (None, source) if other else (None,):
                sampler = AdditiveSampler(rig, clip, {"clip-2": replace(base, retarget_source=on)})
                found = sampler.deltas(TIMES[2:9])
                local = sampler.poses(TIMES[2:9]).local
                weighted = [put_on(rig.skeleton, local, found.local, space, w) for w in (0.3, 1.0)]
                PINS.hold(f"difference {looping}, {space}, {kind}, {source}, {other}, {on}", found, weighted)
                assert sampler.brings_across is (source is not None or on is not None)


def test_an_evaluator_of_an_edited_clip_gives_what_a_new_one_does():
    rig = replace(figure(), retarget_sources={"tall": figure(5, 1.6).skeleton.rest})
    first = busy(1)
    edited = first.with_tracks({SPINE: busy(2).tracks[SPINE]})
    lone = first.with_tracks({c: None for c in first.tracks if c.axis in (1, 2)})
    more = replace(first, curves={**first.curves, "new": first.curves["speed"]})
    for before in (
        first,
        replace(first, retarget_source="tall"),
        lone,
        replace(lone, retarget_source="tall"),
    ):
        evaluator = ClipEvaluator(rig, before)
        for played, after in product(
            (False, True), (edited, first, lone, more, replace(first, looping=True))
        ):
            if played:
                evaluator.player().pose(0.3)
            for source in (None, "tall"):
                clip = replace(after, retarget_source=source)
                found, wanted = evaluator.updated(clip), ClipEvaluator(rig, clip)
                ours, theirs = found.sample_many(TIMES[4:9]), wanted.sample_many(TIMES[4:9])
                for a, b in zip(ours.local, theirs.local, strict=True):
                    np.testing.assert_allclose(a, b, atol=1e-12)
                assert ours.curves.keys() == theirs.curves.keys()


# ---------------------------------------------------------------- baking and converting


def test_bakes():
    rig = figure()
    times = np.arange(21) / 10.0
    local = ClipEvaluator(rig, busy(1)).sample_many(times).local
    fast = quat.from_axis_angle([0.36, 0.48, 0.8], times * 9.0)
    local.rotation[:, 4] = fast
    local.translation[:, 6] += 2e-4
    for euler, code, loop in product((False, True), Interpolation, (None, LENGTH)):
        style = BakeStyle(euler, code, loop)
        PINS.hold(f"bake {euler}, {code.name}, {loop}", bake(rig.skeleton, times, local, style=style))
    for tolerance in (None, 0.0, 1e-3):
        found = bake(rig.skeleton, times, local, bones=[6, 4], rest_tolerance=tolerance)
        PINS.hold(f"bake some, {tolerance}", found)
    scales = bake(rig.skeleton, times, local, properties=[Property.SCALE], rest_tolerance=None)
    assert len(scales) == 3 * 7 and {channel.property for channel in scales} == {Property.SCALE}


@LOOPS
@pytest.mark.parametrize("kind", RotationKind)
@pytest.mark.parametrize("places", KeyPlaces)
def test_rotations_converted(looping, kind, places):
    rig = figure()
    for seed, code, degrees in ((1, None, 4.0), (3, 1, 20.0), (4, 0, 1.0)):
        clip = busy(seed, looping, code)
        done = convert_rotations(clip, rig.skeleton, NAMES[1:6], kind, degrees, places)
        PINS.hold(f"to {kind}, {places}, {looping}, {seed}", told(done.clip))
        with PINS.together(f"errors to {kind}, {places}, {looping}, {seed}") as note:
            note({bone: round(error, 6) for bone, error in done.errors.items()}, sorted(done.left))
        assert done.error == max(done.errors.values())


@pytest.mark.parametrize("kind", RotationKind)
def test_rotations_of_loops_with_keys_before_the_start_are_converted(kind):
    r = np.random.default_rng(7)
    for at in ([-0.3, 0.4, 1.4], [0.6, 1.1, 2.2], [-0.5, 2.4]):
        times = np.array(at)
        turns = quat.continuous(quat.normalise(r.normal(size=(len(times), 4)) + [0, 0, 0, 2.0]))
        columns = r.normal(size=(3, len(times))) * 50.0
        angles = {
            Channel("spine", Property.ROTATE, axis): scalar_track(times, column, 20.0, -30.0)
            for axis, column in enumerate(columns)
        }
        whole = {ARM: quaternion_track(times, turns, -turns, turns, interpolations=2)}
        clip = replace(busy(1, True), tracks=angles | whole)
        for places in (KeyPlaces.OWN, KeyPlaces.ANYWHERE):
            done = convert_rotations(clip, figure().skeleton, ("spine", "arm_l"), kind, 1.0, places)
            PINS.hold(f"keys before, {kind}, {places}, {at}", told(done.clip))
            assert places is KeyPlaces.OWN or done.error <= 1.0


# ---------------------------------------------------------------- mirroring


@LOOPS
@pytest.mark.parametrize("way", MirrorWay)
@pytest.mark.parametrize("plain", [True, False], ids=["plain", "odd"])
def test_clips_mirrored(looping, way, plain):
    rig = figure(plain=plain)
    for seed, kind, whole in ((1, None, False), (3, 1, True)) if plain else ((2, 2, False),):
        clip = busy(seed, looping, kind, whole)
        case = f"{looping}, {way}, {plain}, {seed}"
        PINS.hold(f"mirrored {case}", told(mirrored_clip(rig, clip, way)))
        if looping:
            for bones in (None, ["arm_l", "arm_r", "root"]) if plain and kind else ():
                done = mirrored_clip(rig, clip, way, bones, half_cycle=True)
                PINS.hold(f"half a cycle {case}, {bones is None}", told(done))
        if way is not MirrorWay.LEFT_TO_RIGHT:
            PINS.hold(f"mirrored range {case}", told(mirrored_range(rig, clip, 0.45, 1.3, way)))
        keys = {channel: track.times[1:3] for channel, track in clip.tracks.items()}
        PINS.hold(f"mirrored keys {case}", told(mirrored_keys(rig, clip, keys, way)))


def test_values_that_mirroring_does_not_change_are_shared():
    clip = busy(1)
    done = mirrored_clip(figure(plain=True), clip)
    for side, other in (("arm_l", "arm_r"), ("arm_r", "arm_l"), ("spine", "spine")):
        ours, theirs = (Channel(bone, Property.TRANSLATE, 1) for bone in (side, other))
        assert done.tracks[ours].values is clip.tracks[theirs].values
    turned = Channel("spine", Property.ROTATE, 0), Channel("spine", Property.ROTATE, 1)
    assert done.tracks[turned[0]].values is clip.tracks[turned[0]].values
    np.testing.assert_array_equal(done.tracks[turned[1]].values, -clip.tracks[turned[1]].values)


# ---------------------------------------------------------------- keying


@LOOPS
@pytest.mark.parametrize("which", KeyWhich)
def test_poses_keyed(looping, which):
    rig = figure()
    r = np.random.default_rng(4)
    for seed, whole in ((1, False), (2, True)):
        clip = busy(seed, looping, None, whole)
        shown = ClipEvaluator(rig, clip).sample_many([0.0, 0.83, 2.0], wrap=False).local
        below = Transform(shown.translation + 0.05, quat.normalise(shown.rotation + 0.1), shown.scale * 1.01)
        for row, time in enumerate((0.0, 0.83, 2.0)):
            goal = Transform(*(np.array(part[row]) for part in shown))
            goal.translation[[1, 6], [2, 0]] += (0.3, 5e-5)
            goal.rotation[2:] = quat.normalise(
                goal.rotation[2:] + r.normal(size=(5, 4)) * [[0.3], [1e-6], [0.3], [1], [0.2]]
            )
            goal.scale[5, 1] += 0.2
            pose, own = Pose("rig-1", *goal, {}, {}), pose_of(shown, row)
            with PINS.together(f"keyed {which}, {looping}, {seed}, {time}") as note:
                note(told(keying.key_pose(clip, rig, time, pose, NAMES, which=which)))
                note(
                    told(
                        keying.key_pose(
                            clip, rig, time, pose, NAMES[:3], Tolerance(0.4, 30.0, 0.3), which, own
                        )
                    )
                )
                note(told(key_layer(clip, rig, time, pose, NAMES, None, which, pose_of(below, row))))
                note(told(key_layer(clip, rig, time, pose, NAMES[2:4], Tolerance(1.0, 1.0, 1.0), which)))


@LOOPS
def test_keys_put_in_and_taken_out(looping):
    clip = busy(1, looping)
    every = [*clip.tracks, Channel("prop", Property.SCALE, 1)]
    for time in (0.0, 0.7, 0.83, 2.0, 3.0):
        PINS.hold(f"inserted {looping}, {time}", told(keying.insert_keys(clip, time, every)))
        PINS.hold(f"removed {looping}, {time}", told(keying.without_keys(clip, time, every)))
        weights = keying.with_weight_keys(clip, time, {"speed": 2.0, "new": 1.0}, {"face/smile": 0.3})
        PINS.hold(f"weights {looping}, {time}", told(weights))
        less = keying.without_weight_keys(weights, time, ["speed", "new", "none"], ["face/smile"])
        PINS.hold(f"no weights {looping}, {time}", told(less))
    for bone in NAMES:
        for time in (0.0, 0.83, 2.2):
            values = keying.sampled_channels(clip, figure().skeleton, bone, time)
            PINS.hold(f"channels {looping}, {bone}, {time}", values, keying.uses_quaternion(clip, bone))


@LOOPS
def test_turns_laid_into_a_stretch(looping):
    rig, times = figure(), np.array([0.3, 0.55, 0.8, 1.2])
    turns = quat.from_axis_angle([0.0, 0.6, 0.8], np.array([0.1, 0.5, 0.2, -0.4]))
    at = np.array([[0.25, 0.4], [0.45, 0.3], [0.0, -0.2]])
    thirds = quat.from_axis_angle([0.0, 0.6, 0.8], at)
    for seed, bone in product((1, 2), ("spine", "arm_l", "arm_r", "prop")):
        clip = busy(seed, looping)
        for name, through in (("none", None), ("thirds", thirds)):
            made = keyed_turns(rig.skeleton, clip, bone, times, turns, through)
            PINS.hold(f"laid {looping}, {seed}, {bone}, {name}", made)
        PINS.hold(
            f"laid two {looping}, {seed}, {bone}", keyed_turns(rig.skeleton, clip, bone, times[:2], turns[:2])
        )


@LOOPS
def test_chains_that_follow(looping):
    rig = figure()
    for seed, kind in ((1, None), (2, 2)):
        clip = busy(seed, looping, kind)
        for lag, span, still, strength in (
            (3.0, None, (), 1.0), (0.4, (0.3, 1.72), ("hand_l",), 1.0), (6.0, None, ("arm_l",), 0.4),
            (0.049, None, (), 1.0),
        ):  # fmt: skip
            done = followed(rig, clip, NAMES[1:], lag, span, still, strength)
            PINS.hold(f"followed {looping}, {seed}, {lag}, {span}", told(done))
            assert (done is clip) == (lag < 0.05)


# ---------------------------------------------------------------- other rests, fewer keys, near poses


@LOOPS
def test_clips_of_another_rest_pose(looping):
    modes = dict(zip(NAMES, [*RetargetMode, RetargetMode.SKELETON, RetargetMode.ANIMATION], strict=False))
    rig = replace(figure(), retarget_modes=modes, retarget_sources={"tall": figure(5, 1.6).skeleton.rest})
    clip = replace(busy(1, looping), retarget_source="tall")
    PINS.hold(f"proportions {looping}", told(baked_proportions(rig, clip)))
    times = frames_and_keys(clip)
    local = ClipEvaluator(rig, clip).sample_many(times, wrap=False).local
    PINS.hold(f"to hold {looping}", times, to_hold(rig, clip, times, local))
    own = busy(1, looping)
    assert baked_proportions(rig, own) is own and to_hold(rig, own, times, local) is local
    virtual = (VirtualBone("grip", "hand_l", "hand_r", (0.1, 0.2, 0.3)), VirtualBone("eye", "spine", "prop"))
    made, (done, again) = made_real(replace(rig, virtual_bones=virtual), [clip, own])
    body = made.skeleton
    bones = body.names, body.parents, body.rest, body.euler_orders, body.sources
    PINS.hold(f"virtual bones {looping}", bones, made.retarget_sources, told(done), told(again))


@LOOPS
@pytest.mark.parametrize("places", KeyPlaces)
def test_clips_reduced(looping, places):
    rig = figure()
    PINS.hold("shell", shell_points(rig.skeleton), reaches(rig.skeleton, shell_points(rig.skeleton)))
    times = np.arange(21) / 10.0
    for seed, code, metres in ((1, Interpolation.LINEAR, 0.03), (2, Interpolation.CUBIC, 0.02)):
        local = ClipEvaluator(rig, busy(seed, looping, 2)).sample_many(times, wrap=False).local
        style = BakeStyle(seed == 2, code, LENGTH if looping else None)
        dense = busy(seed, looping).with_tracks(dict.fromkeys(busy(seed).tracks))
        dense = dense.with_tracks(bake(rig.skeleton, times, local, style=style))
        for channels in (None, [c for c in dense.tracks if c.bone != "spine"])[: 3 - seed]:
            done = reduce_clip(rig, dense, metres, channels=channels, places=places)
            case = f"reduced {looping}, {places}, {seed}, {channels is None}"
            PINS.hold(case, told(done.clip), done.before, done.after, done.bone)
            assert done.metres <= metres


def test_how_far_a_reduction_has_come():
    rig, clip = figure(), busy(5, True, 2)
    for metres in (0.02, 0.002):
        told: list[tuple[float, str]] = []
        progress = Progress(lambda fraction, text, told=told: told.append((fraction, text)))
        reduce_clip(rig, clip, metres, progress=progress, places=KeyPlaces.ANYWHERE)
        PINS.hold(
            f"progress {metres}", np.array([fraction for fraction, _ in told]), {text for _, text in told}
        )
        assert [f for f, _ in told] == sorted(f for f, _ in told) and told[-1] == (1.0, "reducing keys")


def test_frames_nearest_to_places():
    r = np.random.default_rng(2)
    places = r.normal(size=(12, 5, 3))
    for weights in (None, np.array([1.0, 3.0, 0.5, 0.0, 2.0])):
        index = PlaceIndex(places, weights)
        for row in range(4):
            among = None if row % 2 else np.arange(12) % 3 == row % 3
            PINS.hold(f"nearest {weights is None}, {row}", index.nearest(r.normal(size=(5, 3)), among))


def test_frames_of_ranges_nearest_to_poses():
    rig = sample.project().rigs[0]
    ranges = [
        (sample.clip("walk"), 0.1, 0.4),
        (sample.clip("get up back"), 0.0, 99.0),
        (sample.clip("walk"), 0.2, 0.2),
    ]
    index = pose_index(rig, ranges)
    PINS.hold("pose index", index.bones, [f"{name} {time:.9f}" for name, time in index.moments])
    for name, time in (("walk", 0.33), ("get up back", 0.5)):
        local = sample_many(rig, sample.clip(name), [time], wrap=False).local
        pose = Transform(*(part[0] for part in local))
        for only in (None, "walk"):
            PINS.hold(f"near {name}, {only}", index.nearest(pose, only))
        PINS.hold(f"time near {name}", nearest_time(rig, sample.clip("walk"), pose, 0.05))
        PINS.hold(f"time near {name}, to 0.3", nearest_time(rig, sample.clip("walk"), pose, 0.05, 0.3))
