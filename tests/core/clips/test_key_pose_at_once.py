"""Keying all bones of a pose at once, held against one bone after another and one track after another."""

import numpy as np
import pytest

from core.clips import keying
from core.clips.clip import WHOLE, Channel, Clip, Property
from core.clips.keying import KeyWhich
from core.math import euler, quat
from core.pose.pose import Pose
from core.tracks import edits
from core.tracks.evaluate import evaluate_quaternion, evaluate_scalar
from core.tracks.keys import Interpolation, QuaternionTrack, columns, quaternion_track
from tests.core.clips.test_mirror import NAMES, RIGS, clip_of


def one_after_another(clip, rig, time, pose, which) -> Clip:
    """The second route: each channel evaluated, compared and keyed alone."""
    loop, limit, skeleton = keying.loop_length(clip), keying.Tolerance(), rig.skeleton
    changes = {}
    for bone in NAMES:
        n = skeleton.index(bone)
        whole = keying.uses_quaternion(clip, bone)
        fresh = not any(channel in clip.tracks for channel in keying.channels_of(bone, whole))
        degrees = euler.from_quaternion(skeleton.rest.rotation[n], int(skeleton.euler_orders[n]))
        now = {}
        for part, rest in zip(
            Property, (skeleton.rest.translation[n], degrees, skeleton.rest.scale[n]), strict=True
        ):
            for axis in range(3):
                track = clip.scalar(Channel(bone, part, axis))
                own = rest[axis] if track is None else evaluate_scalar(track, np.array([time]), loop)[0]
                now[Channel(bone, part, axis)] = own
        before = [now[Channel(bone, Property.ROTATE, axis)] for axis in range(3)]
        angles = euler.nearest(pose.rotations[n], int(skeleton.euler_orders[n]), before)
        goals = (pose.translations[n], angles, pose.scales[n])
        turns_last = sorted(keying.channels_of(bone, whole), key=lambda c: c.property is Property.ROTATE)
        for channel in turns_last:
            track = clip.tracks.get(channel)
            if channel.axis == WHOLE:
                own = skeleton.rest.rotation[n]
                if track is not None:
                    own = evaluate_quaternion(track, np.array([time]), loop)[0]
                goal = quat.aligned(pose.rotations[n], own)
                gap = float(np.degrees(quat.angle_between(own, goal)))
            else:
                own, goal = now[channel], goals[channel.property][channel.axis]
                gap = abs(float(goal - own))
            entire = which.posed and (
                channel.property is Property.ROTATE
                or (which is KeyWhich.PLACED and channel.property is Property.TRANSLATE)
                or any(
                    Channel(bone, channel.property, axis) in clip.tracks
                    or abs(goals[channel.property][axis] - now[Channel(bone, channel.property, axis)])
                    > limit.of(channel.property)
                    for axis in range(3)
                )
            )
            wanted = (
                entire
                or which is KeyWhich.ALL
                or (gap > limit.of(channel.property) and which is not KeyWhich.EXISTING)
            )
            wanted |= which in (KeyWhich.USED, KeyWhich.EXISTING) and track is not None
            wanted |= which is KeyWhich.USED and fresh
            if not wanted:
                continue
            value = own if gap < keying.ROUNDING else goal
            if channel.axis != WHOLE:
                changes[channel] = edits.set_value(track, time, float(value), loop)
            elif track is None:
                kinds = [
                    int(t.interpolations[0]) for t in clip.tracks.values() if isinstance(t, QuaternionTrack)
                ]
                code = kinds[0] if kinds else int(Interpolation.LINEAR)
                changes[channel] = quaternion_track([time], [value], interpolations=code)
            else:
                changes[channel] = edits.set_rotation(track, time, value, loop)
    return clip.with_tracks(changes)


@RIGS
@pytest.mark.parametrize("which", list(KeyWhich))
@pytest.mark.parametrize(("whole", "looping"), [(False, False), (False, True), (True, False), (True, True)])
@pytest.mark.parametrize("time", [0.0, 0.33, 1.0])
def test_pose_of_all_bones_keys_what_each_bone_alone_does_to_the_bit(
    rig, which, whole, looping, time
) -> None:
    clip = clip_of(3, whole, looping)
    clip = clip.with_tracks({c: None for c in clip.tracks if c.bone == "hand_r"})
    r = np.random.default_rng(7)
    rest = rig.skeleton.rest
    turns = quat.multiply(rest.rotation, quat.from_rotation_vector(r.normal(size=(len(NAMES), 3))))
    places, sizes = np.array(rest.translation), np.array(rest.scale)
    places[2:] += 0.1
    sizes[3] *= 1.5
    pose = Pose(rig.id, places, turns, sizes)
    made = keying.key_pose(clip, rig, time, pose, NAMES, which=which)
    expected = one_after_another(clip, rig, time, pose, which)
    assert list(made.tracks) == list(expected.tracks)
    for channel, track in expected.tracks.items():
        for name in columns(track):
            assert np.array_equal(getattr(made.tracks[channel], name), getattr(track, name)), (channel, name)
