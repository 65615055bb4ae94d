"""Edits of whole clips: exact results, case by case."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from core.clips import edits, key_types, loop_tools, poses
from core.clips.cascade import cascaded, chain_depths
from core.clips.channels import all_tracks, curve_channel, morph_channel
from core.clips.clip import WHOLE, Additive, AdditiveBase, AdditiveSpace, Channel, Property, RootMotion
from core.clips.contacts import contact_names, contact_spans
from core.clips.end_tangents import with_ends
from core.clips.inbetweens import removable_frames, with_inbetweens
from core.clips.key_times import baked_on, with_shared_keys
from core.clips.keying import with_keys
from core.clips.moving_bones import bones_with_keys, frames_between
from core.clips.new_keys import NewTangents, with_new_tangents
from core.clips.pieces import put_between, without_keys_between
from core.clips.shaping import Sources, shaped_clip
from core.clips.spline_pass import SPLINE_MODES, splined
from core.errors import ValidationError
from core.timing import FrameRate
from core.tracks.key_types import KeyType
from core.tracks.keys import scalar_track
from core.tracks.shaping import Shape
from core.tracks.tangents import Ends
from tests.core.clips.busy import LENGTH, NAMES, busy, figure, told
from tests.pins import Pins

PINS = Pins(__file__)
LOOPS = pytest.mark.parametrize("looping", [False, True], ids=["once", "loop"])
ARM = Channel("arm_l", Property.ROTATE, WHOLE)
SPINE = Channel("spine", Property.TRANSLATE, 1)


@LOOPS
def test_times_of_whole_clips(looping):
    clip = busy(1, looping)
    for factor, offset in product((0.5, 1.0, 1.7), (0.0, 0.3)):
        PINS.hold(f"retimed {looping}, {factor}, {offset}", told(edits.retimed(clip, factor, offset)))
    for start, end in ((0.0, 2.0), (0.3, 1.4), (0.0, 0.72), (1.1, 2.0), (0.71, 0.74), (0.000005, 1.999995)):
        for seed in (1, 2):
            PINS.hold(
                f"trimmed {looping}, {start} {end}, {seed}",
                told(edits.trimmed(busy(seed, looping), start, end)),
            )
    for seed, kind in product((1, 2), (None, 0, 1, 2)):
        PINS.hold(f"reversed {looping}, {seed}, {kind}", told(edits.reversed_clip(busy(seed, looping, kind))))
    for kind in (None, 2):
        PINS.hold(
            f"looping turned {looping}, {kind}", told(edits.with_looping(busy(1, looping, kind), not looping))
        )
    for keep in edits.KeepTime:
        PINS.hold(f"rate {looping}, {keep}", told(edits.with_rate(clip, FrameRate.of(24), keep)))
    assert edits.with_rate(clip, clip.rate, edits.KeepTime.FRAMES) is clip
    assert edits.with_length(clip, 2.0) is clip and edits.with_length(clip, 3.0).length == 3.0
    assert edits.with_looping(clip, looping) is clip


@LOOPS
def test_parts_and_factors_that_make_no_sense_are_refused(looping):
    clip = busy(1, looping)
    for start, end in ((-0.1, 1.0), (0.5, 0.5), (1.0, 0.5), (0.0, 2.1), (np.nan, 1.0)):
        with pytest.raises(ValidationError, match=r"^trim: expected a part within 0 to 2 s"):
            edits.trimmed(clip, start, end)
    for factor, offset in ((0.0, 0.0), (-1.0, 0.0), (np.inf, 0.0), (np.nan, 0.0), (1.0, np.inf)):
        with pytest.raises(ValidationError, match=r"^time factor"):
            edits.retimed(clip, factor, offset)


def test_linked_ends():
    for seed, kind in product((1, 2), (None, 0, 1, 2)):
        clip = busy(seed, True, kind)
        with PINS.together(f"linked {seed}, {kind}") as note:
            for track, last in product(clip.tracks.values(), (False, True)):
                done = loop_tools.linked(track, LENGTH, last)
                note(done, loop_tools.is_linked(track, LENGTH), loop_tools.is_linked(done, LENGTH))
        PINS.hold(f"looped {seed}, {kind}", told(loop_tools.looped(clip)))
    clip = busy(1)
    PINS.hold("looped, one channel", told(loop_tools.looped(clip, [SPINE, Channel("no", Property.SCALE, 0)])))


def test_links_carried_over_after_an_edit():
    before = loop_tools.looped(busy(1, True))
    for at, value in ((0.0, 7.0), (LENGTH, 9.0), (1.0, 3.0)):
        after = with_keys(before, at, {SPINE: np.array(value), ARM: np.array([0.6, 0.0, 0.0, 0.8])})
        PINS.hold(f"kept linked {at}", told(loop_tools.keep_linked(before, after)))
        PINS.hold(f"kept linked {at}, no channel", told(loop_tools.keep_linked(before, after, {ARM: None})))
        shorter = replace(after, length=1.5)
        assert loop_tools.keep_linked(before, shorter) is shorter
        once = replace(after, looping=False)
        assert loop_tools.keep_linked(before, once) is once


def test_motion_shifted_round_the_seam():
    for seed, kind in ((1, None), (2, None), (1, 0), (2, 1), (1, 2)):
        for clip in (busy(seed, True, kind), loop_tools.looped(busy(seed, True, kind))):
            with PINS.together(
                f"cycled {seed}, {kind}, {loop_tools.is_linked(clip.tracks[SPINE], 2.0)}"
            ) as note:
                for seconds in (-0.7, 0.2, 0.45, 2.3):
                    note(told(loop_tools.cycled(clip, seconds)))
    clip = busy(1, True)
    for seconds in (0.0, 2.0, -4.0, 0.000039, 1.999961):
        assert loop_tools.cycled(clip, seconds) is clip
    for seconds in (0.000041, 1.999959):  # the seam jumps: it takes two keys, for which there is room
        assert loop_tools.cycled(clip, seconds) is not clip


@LOOPS
def test_the_seam_meter(looping):
    for kind in (None, 1, 2):
        clip = busy(1, looping, kind)
        for name, skeleton in (("all", None), ("of the rig", figure().skeleton)):
            PINS.hold(f"seam {looping}, {kind}, {name}", loop_tools.seam(clip, skeleton))
    for parts in product((False, True), repeat=3):
        for bone in (None, "root", "spine"):
            motion = RootMotion(True, bone, *parts)
            found = loop_tools.seam(replace(busy(1, looping), root_motion=motion), figure().skeleton)
            PINS.hold(f"seam {looping}, {bone}, ground height yaw {parts}", found)


@LOOPS
@pytest.mark.parametrize("what", ["clip", "channels"])
def test_frames_put_between_keys_and_taken_away(looping, what):
    chosen = None if what == "clip" else [SPINE, ARM, curve_channel("speed"), morph_channel("face/smile")]
    additive = Additive(AdditiveSpace.LOCAL, AdditiveBase.FRAME, None, 1.1)
    for seed, kind in ((1, None), (2, 2)):
        clip = replace(busy(seed, looping, kind), additive=additive)
        for still in ((), ("spine", "arm_r")):
            with PINS.together(f"frames put in {looping}, {what}, {seed}, still {still}") as note:
                for time, frames in product((-1.0, 0.0, 0.5, 0.93, 1.0, 2.0, 3.0), (0.0, 0.5, 3.0)):
                    note(told(with_inbetweens(clip, time, frames, chosen, still)))
            with PINS.together(f"frames taken away {looping}, {what}, {seed}, still {still}") as note:
                for time in np.arange(-3, 30) / 10.0:
                    most = removable_frames(clip, time, chosen, still)
                    note(most, told(with_inbetweens(clip, time, -most, chosen, still)) if most else ())
    clip = busy(1, looping)
    with pytest.raises(ValidationError) as error:
        with_inbetweens(clip, 0.0, -50.0, chosen)
    PINS.hold(f"no room {looping}, {what}", str(error.value))
    with pytest.raises(ValidationError) as error:
        with_inbetweens(clip, 5.0, -2.0, chosen)
    PINS.hold(f"nothing to take {looping}, {what}", str(error.value))


@LOOPS
def test_shared_key_times_and_bakes_on_twos(looping):
    for seed, kind in ((1, None), (3, 1)):
        clip = busy(seed, looping, kind)
        PINS.hold(f"shared {looping}, {seed}", told(with_shared_keys(clip, all_tracks(clip))))
        at = [0.31, 0.31, 0.310005, 1.0, 2.0]
        PINS.hold(f"shared at times {looping}, {seed}", told(with_shared_keys(clip, [SPINE, ARM], at)))
        for frames, span in product((1, 2, 3), (None, (0.5, 1.25), (-0.2, 2.4))):
            done = baked_on(clip, all_tracks(clip), frames, span)
            PINS.hold(f"baked {looping}, {seed}, on {frames}, {span}", told(done))
    for frames, span in ((0, None), (1, (1.0, 1.0)), (1, (np.nan, 2.0)), (1, (0.0, np.inf))):
        with pytest.raises(ValidationError, match=r"^bake: expected 1 frame or more"):
            baked_on(busy(1), [SPINE], frames, span)


def test_a_key_as_far_from_the_grid_as_two_keys_are_goes():
    clip = busy(1).with_tracks({SPINE: scalar_track([1e-5, 0.5, 1.0, 2.0], [1.0, 2.0, 3.0, 4.0])})
    done = baked_on(clip, [SPINE], 5).tracks[SPINE]
    assert done.times.tolist() == [0.0, 0.5, 1.0, 1.5, 2.0]


@LOOPS
def test_poses_moved_swapped_and_copied(looping):
    for seed, kind in ((1, None), (2, 2)):
        clip = busy(seed, looping, kind)
        PINS.hold(f"poses {looping}, {seed}", poses.poses_of(clip), poses.poses_of(clip, [SPINE, ARM]))
        at = poses.poses_of(clip).times
        for still, frames in (((), False), (("spine",), True)):
            with PINS.together(f"poses moved {looping}, {seed}, {still}") as note:
                for moves in ({at[1]: at[1] + 0.17}, {at[2]: at[5], at[4]: at[4] + 0.1}, {at[0]: -0.5}, {}):
                    note(told(poses.with_poses_at(clip, moves, still, frames)))
            PINS.hold(
                f"poses swapped {looping}, {seed}, {still}",
                told(poses.with_poses_swapped(clip, at[1], at[6], still)),
            )
            with PINS.together(f"poses copied {looping}, {seed}, {still}") as note:
                for goal, type_ in product((at[1], at[3], 0.77, 9.0), (None, KeyType.EXTREME)):
                    note(told(poses.with_pose_copied(clip, at[1], goal, type_, still)))
        for time in at[[0, 3, -1]]:
            PINS.hold(
                f"keys at {looping}, {seed}, {time:g}", poses.keys_at_pose(clip, time, None, ("spine",))
            )
    assert [poses.held_time(np.array([0.5, 1.0]), t) for t in (0.0, 0.5, 0.99, 0.999995, 3.0)] == [
        0.5, 0.5, 0.5, 1.0, 1.0,
    ]  # fmt: skip
    assert poses.held_time(np.zeros(0), 0.7) == 0.7


@LOOPS
def test_new_keys_and_ends_by_choice(looping):
    for kind in (None, 0, 1):
        before = busy(1, looping, kind)
        for at in (0.0, 0.83, 3.1):
            keys = {channel: np.array(1.5) for channel in before.tracks if channel.axis != WHOLE}
            keys[ARM] = np.array([0.6, 0.0, 0.0, 0.8])
            keys[Channel("prop", Property.TRANSLATE, 0)] = np.array(0.4)
            after = with_keys(before, at, keys)
            with PINS.together(f"new keys {looping}, {kind}, at {at}") as note:
                note(told(after))
                for choice in NewTangents:
                    note(told(with_new_tangents(before, after, at, choice)))
                for ends in Ends:
                    note(told(with_ends(before, after, ends)))


@LOOPS
@pytest.mark.parametrize("mode", SPLINE_MODES)
def test_steps_to_splines(looping, mode):
    for seed, kind in ((1, None), (2, 0), (3, None), (4, 0)):
        clip = busy(seed, looping, kind)
        for span in (None, (0.0, 2.0), (0.5, 1.6), (-1.0, 3.0)):
            PINS.hold(
                f"spline {looping}, {mode.name}, {seed}, {span}", told(splined(clip, clip.tracks, span, mode))
            )


def test_types_of_keys():
    clip = busy(1)
    some = {SPINE: np.array([0, 2]), ARM: np.array([1]), curve_channel("speed"): np.array([3])}
    for kind in KeyType:
        PINS.hold(f"set to {kind.name}", told(key_types.with_key_type(clip, some, kind)))
        PINS.hold(f"found {kind.name}", key_types.keys_of(clip, all_tracks(clip), [kind]))
        for span in (None, (0.0, 0.7), (0.7, 0.7), (0.700011, 1.0)):
            PINS.hold(f"bones with {kind.name}, {span}", bones_with_keys(clip, [kind], span))
    PINS.hold("counts", [(kind.name, number) for kind, number in key_types.type_counts(clip).items()])


@LOOPS
def test_chains_offset(looping):
    rig = figure()
    for frames, still in product((-1.5, 0.0, 2.0, 21.0), ((), ("hand_l",))):
        for keys in (
            None,
            {SPINE: np.array([1, 2]), ARM: np.array([0, 3]), Channel("no", 0, 0): np.array([0])},
        ):
            done, now = cascaded(busy(1, looping), rig.skeleton, NAMES, frames, keys, still)
            PINS.hold(f"cascade {looping}, {frames}, {still}, {keys is None}", told(done), now)
    for bones in (NAMES, ("hand_l", "spine", "hand_r"), ("arm_r", "none"), ()):
        PINS.hold(f"depths {bones}", chain_depths(rig.skeleton, bones))


@LOOPS
def test_pieces_put_into_tracks(looping):
    loop = LENGTH if looping else None
    for seed, kind in ((1, None), (2, 2), (3, 1)):
        old, new = busy(seed, looping, kind), busy(seed + 10, looping, kind)
        with PINS.together(f"pieces {looping}, {seed}") as note:
            for channel, track in old.tracks.items():
                other = new.tracks[channel]
                note(put_between(track, other, loop), without_keys_between(track, 0.2, 1.4))
                if channel.property is Property.ROTATE and channel.axis != WHOLE:
                    for turn in (170.0, 400.0, -725.0):
                        wound = replace(other, values=other.values + turn)
                        ended = replace(wound, values=np.append(wound.values[:-1], track.values[-1] + 360.0))
                        note(put_between(track, wound, loop, True), put_between(track, ended, loop, True))


@LOOPS
@pytest.mark.parametrize("shape", Shape)
def test_keys_pulled(looping, shape):
    clip, other = busy(1, looping), busy(2, looping)
    for name, additive in {
        "plain": None,
        "first": Additive(AdditiveSpace.LOCAL, AdditiveBase.FIRST_FRAME),
        "frame": Additive(AdditiveSpace.LOCAL, AdditiveBase.FRAME, None, 0.6),
        "clip": Additive(AdditiveSpace.LOCAL, AdditiveBase.CLIP, other.id),
    }.items():
        if additive is not None and shape is not Shape.BLEND_DEFAULT:
            continue
        shaped = replace(clip, additive=additive)
        sources = Sources(figure(), other, {morph_channel("face/smile"): 0.4}, 7, replace(other, length=1.5))
        keys = {c: [1, 2] if len(t.times) > 3 else [0] for c, t in all_tracks(clip).items()}
        for amount in (-1.0, 0.0, 0.35, 1.5):
            done = shaped_clip(shaped, keys, shape, amount, sources)
            PINS.hold(f"{shape}, {looping}, {name}, {amount}", told(done))


def test_contacts_and_frames():
    clip = busy(1)
    assert contact_names(clip) == ("contact_left_foot",)
    assert contact_spans(clip, "contact_left_foot") == ((0.5, 1.0), (1.6, 2.0))
    for start, end in ((0.0, 1.0), (0.25, 0.85), (0.3, 0.3), (-0.25, 0.21)):
        PINS.hold(f"frames between {start} {end}", frames_between(clip.rate, start, end))
