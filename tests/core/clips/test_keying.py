"""Keying poses: only what changed gets keys, and what was keyed is what is shown."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clips import keying
from core.clips.clip import WHOLE, Channel, Clip, Property
from core.clips.keying import KeyWhich, Tolerance
from core.clips.sample import ClipEvaluator
from core.errors import ValidationError
from core.ids import AssetId
from core.math import euler, quat
from core.math.transform import Transform
from core.pose.pose import Pose, rest_pose
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.tracks.keys import Interpolation, quaternion_track, scalar_track
from core.tracks.tangents import with_tangents

BONES = ("hips", "spine", "arm", "hand")


def make_rig(order: int = 0) -> Rig:
    rest = Transform(
        np.array([[0, 1, 0], [0, 0.3, 0], [0.2, 0.3, 0], [0.4, 0, 0]], dtype=float),
        quat.normalise([[0, 0, 0, 1], [0.1, 0, 0, 1], [0, 0.2, 0.1, 1], [0.3, 0.1, 0, 1]]),
        np.ones((4, 3)),
    )
    return Rig(AssetId("rig-1"), "rig", Skeleton(BONES, [-1, 0, 1, 2], rest, [order] * 4))


def make_clip(**tracks: object) -> Clip:
    return Clip(AssetId("clip-1"), "clip", AssetId("rig-1"), 2.0, **tracks)  # type: ignore[arg-type]


def shown(rig: Rig, clip: Clip, time: float) -> Pose:
    return ClipEvaluator(rig, clip).sample_many(np.array([time]), wrap=False).pose(0)


def rotate(axis: int) -> Channel:
    return Channel("arm", Property.ROTATE, axis)


def test_key_pose_keys_only_the_channel_that_changed() -> None:
    rig, clip = make_rig(), make_clip()
    pose = shown(rig, clip, 0.5)
    moved = pose.with_bone(2, translation=pose.translations[2] + [0, 0.01, 0])
    keyed = keying.key_pose(clip, rig, 0.5, moved, BONES)
    assert list(keyed.tracks) == [Channel("arm", Property.TRANSLATE, 1)]
    assert keyed.tracks[Channel("arm", Property.TRANSLATE, 1)].times.tolist() == [0.5]


def test_key_pose_of_the_shown_pose_returns_the_same_clip() -> None:
    rig = make_rig()
    clip = make_clip(tracks={rotate(1): with_tangents(scalar_track([0, 1, 2], [0, 400, -90]))})
    assert keying.key_pose(clip, rig, 0.7, shown(rig, clip, 0.7), BONES) is clip


@pytest.mark.parametrize(
    ("degrees", "metres", "factor", "expected"),
    [(0.009, 0.9e-4, 1.00009, 0), (0.011, 0.0, 1.0, 1), (0.0, 1.1e-4, 1.0, 1), (0.0, 0.0, 1.00011, 1)],
)
def test_key_pose_below_tolerance_keys_nothing(
    degrees: float, metres: float, factor: float, expected: int
) -> None:
    rig = Rig(
        AssetId("rig-1"),
        "r",
        Skeleton(("a",), [-1], Transform(np.zeros((1, 3)), [[0, 0, 0, 1.0]], np.ones((1, 3)))),
    )
    pose = rest_pose(rig).with_bone(
        0, [metres, 0, 0], euler.to_quaternion([0, degrees, 0], 0), [1, 1, factor]
    )
    assert len(keying.key_pose(make_clip(), rig, 0.0, pose, ["a"]).tracks) == expected


angle = st.floats(-170, 170)


@given(st.integers(0, 5), st.tuples(angle, angle, angle), st.tuples(*[st.floats(-1000, 1000)] * 3))
def test_key_pose_with_euler_angles_shows_the_pose_without_spinning(
    order: int, goal: tuple[float, ...], now: tuple[float, ...]
) -> None:
    rig = make_rig(order)
    tracks = {rotate(a): scalar_track([0.0, 2.0], [now[a], now[a]]) for a in range(3)}
    clip = make_clip(tracks=tracks)
    wanted = euler.to_quaternion(goal, order)
    pose = shown(rig, clip, 1.0).with_bone(2, rotation=wanted)
    keyed = keying.key_pose(clip, rig, 1.0, pose, ["arm"], Tolerance(0.0, 0.0, 0.0))
    found = shown(rig, keyed, 1.0).rotations[2]
    assert np.degrees(quat.angle_between(found, wanted)) < 1e-5
    # No equivalent is nearer: neither by whole turns nor through the twin.
    new = keying.sampled_channels(keyed, rig.skeleton, "arm", 1.0).rotation
    change = np.abs(new - now).sum()
    assert change <= np.abs(euler.nearest(wanted, order, now) - now).sum() + 1e-6
    assert change <= 3 * 180.0 + 180.0


def test_key_pose_near_gimbal_lock_follows_the_sampled_split() -> None:
    rig = make_rig(0)
    clip = make_clip(tracks={rotate(a): scalar_track([0.0], [v]) for a, v in enumerate((30.0, 90.0, -40.0))})
    pose = shown(rig, clip, 0.0)
    keyed = keying.key_pose(clip, rig, 0.0, pose, ["arm"])
    assert keyed is clip


def test_key_pose_of_a_quaternion_bone_sets_one_sign_continuous_key() -> None:
    rig = make_rig()
    channel = rotate(WHOLE)
    q = quat.normalise([[0, 0, 0, -1], [0, 0.2, 0, -1]])
    clip = make_clip(tracks={channel: quaternion_track([0, 2], q)})
    goal = quat.normalise([0.3, 0.1, 0, 1])
    keyed = keying.key_pose(clip, rig, 1.0, shown(rig, clip, 1.0).with_bone(2, rotation=goal), ["arm"])
    track = keyed.rotation("arm")
    assert track is not None and list(keyed.tracks) == [channel]
    assert track.interpolations.tolist() == [Interpolation.LINEAR] * 3
    assert (np.sum(track.values[1:] * track.values[:-1], axis=1) > 0).all()
    assert quat.angle_between(shown(rig, keyed, 1.0).rotations[2], goal) < 1e-9


def test_key_pose_of_a_bone_without_rotation_follows_the_clips_way() -> None:
    rig = make_rig()
    clip = make_clip(tracks={Channel("hips", Property.ROTATE, WHOLE): quaternion_track([0], [[0, 0, 0, 1]])})
    pose = shown(rig, clip, 0).with_bone(2, rotation=quat.normalise([1, 0, 0, 1]))
    assert rotate(WHOLE) in keying.key_pose(clip, rig, 0.0, pose, ["arm"]).tracks
    assert rotate(0) in keying.key_pose(make_clip(), rig, 0.0, pose, ["arm"]).tracks


def test_key_pose_all_and_existing_choose_channels() -> None:
    rig = make_rig()
    clip = make_clip(tracks={rotate(0): scalar_track([0], [10.0]), rotate(2): scalar_track([0], [0.0])})
    pose = shown(rig, clip, 1.0)
    whole = keying.key_pose(clip, rig, 1.0, pose, ["arm"], which=KeyWhich.ALL)
    assert len(whole.tracks) == 9 and all(1.0 in t.times for t in whole.tracks.values())
    existing = keying.key_pose(clip, rig, 1.0, pose, BONES, which=KeyWhich.EXISTING)
    assert set(existing.tracks) == set(clip.tracks) and all(1.0 in t.times for t in existing.tracks.values())


def test_key_pose_used_keys_what_is_there_and_everything_of_a_bone_without_keys() -> None:
    rig = make_rig()
    clip = make_clip(tracks={rotate(0): scalar_track([0], [10.0]), rotate(2): scalar_track([0], [0.0])})
    pose = shown(rig, clip, 1.0)
    keyed = keying.key_pose(clip, rig, 1.0, pose, BONES, which=KeyWhich.USED, sampled=pose)
    times = {channel: track.times.tolist() for channel, track in keyed.tracks.items()}
    assert {c for c in times if c.bone == "arm"} == set(clip.tracks)
    assert times[rotate(0)] == times[rotate(2)] == [0.0, 1.0]
    for bone in set(BONES) - {"arm"}:
        assert {c for c in times if c.bone == bone} == set(keying.channels_of(bone, whole=False))


def test_key_pose_used_keys_what_differs_too() -> None:
    rig = make_rig()
    clip = make_clip(tracks={rotate(0): scalar_track([0], [10.0])})
    pose = shown(rig, clip, 1.0).with_bone(2, translation=[5.0, 0.0, 0.0])
    keyed = keying.key_pose(clip, rig, 1.0, pose, ["arm"], which=KeyWhich.USED)
    assert rotate(0) in keyed.tracks and 1.0 in keyed.tracks[rotate(0)].times
    moved = {c.axis for c in keyed.tracks if c.property is Property.TRANSLATE}
    assert 0 in moved and not {c for c in keyed.tracks if c.property is Property.SCALE}


def test_key_pose_of_another_rig_is_refused() -> None:
    rig = make_rig()
    other = Pose(AssetId("rig-2"), *rest_pose(rig).local)
    with pytest.raises(ValidationError, match="rig-2"):
        keying.key_pose(make_clip(), rig, 0.0, other, BONES)


def test_without_keys_removes_a_track_with_its_last_key() -> None:
    clip = make_clip(
        tracks={rotate(0): scalar_track([0, 1], [1.0, 2.0]), rotate(1): scalar_track([1], [5.0])}
    )
    shorter = keying.without_keys(clip, 1.0, clip.tracks)
    assert set(shorter.tracks) == {rotate(0)} and len(shorter.tracks[rotate(0)]) == 1
    assert keying.without_keys(clip, 0.5, clip.tracks) is clip


def test_insert_keys_keeps_every_curve() -> None:
    rig = make_rig()
    clip = make_clip(
        tracks={rotate(a): with_tangents(scalar_track([0, 1, 2], [0, 80 * a, -30])) for a in range(3)}
    )
    more = keying.insert_keys(clip, 0.4, clip.tracks)
    for time in np.linspace(0, 2, 41):
        assert (
            quat.angle_between(shown(rig, more, time).rotations[2], shown(rig, clip, time).rotations[2])
            < 1e-9
        )


def test_tracks_that_do_not_change_are_shared() -> None:
    rig = make_rig()
    clip = make_clip(tracks={rotate(a): scalar_track([0, 1], [0.0, 1.0]) for a in range(3)})
    pose = shown(rig, clip, 1.0)
    keyed = keying.key_pose(clip, rig, 1.0, pose.with_bone(2, translation=[9, 0, 0]), ["arm"])
    assert all(keyed.tracks[c] is clip.tracks[c] for c in clip.tracks)


@pytest.mark.parametrize("kind", list(Interpolation))
def test_first_quaternion_key_of_a_bone_runs_as_the_clip_s_other_turns(kind: Interpolation) -> None:
    rig = make_rig()
    whole = quaternion_track(
        [0.0, 1.0], quat.normalise([[0, 0, 0, 1], [0.1, 0, 0, 1]]), interpolations=int(kind)
    )
    clip = make_clip(tracks={Channel("hips", Property.ROTATE, WHOLE): whole})
    pose = shown(rig, clip, 0.5)
    turned = pose.with_bone(2, rotation=quat.from_axis_angle([0.0, 1.0, 0.0], 0.4))
    keyed = keying.key_pose(clip, rig, 0.5, turned, BONES)
    assert keyed.rotation("arm").interpolations.tolist() == [int(kind)]
    assert keying.new_turns(make_clip()) is Interpolation.LINEAR
