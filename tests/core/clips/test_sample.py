"""Sampling clips: poses, playback state, wrapping, what is left out."""

import math

import numpy as np
import pytest

from core.clips.clip import Channel, Clip, Notify, Property
from core.clips.sample import ClipEvaluator, playback_at, sample, sample_many
from core.errors import ValidationError
from core.ids import AssetId
from core.math import euler, quat, transform
from core.math.transform import Transform
from core.rig.mesh import Mesh, MorphTarget
from core.rig.rig import Rig
from core.rig.skeleton import Skeleton
from core.tracks.evaluate import evaluate_quaternion, evaluate_scalar
from core.tracks.keys import Interpolation, scalar_track
from tests.core.clips import making


@pytest.mark.parametrize("looping", [False, True])
def test_sample_many_each_channel_is_its_track_s_value(looping):
    rig, clip = making.rig(), making.clip(looping=looping)
    times = np.linspace(0.0, 1.9, 31)
    batch = sample_many(rig, clip, times)
    loop = clip.length if looping else None
    for channel, track in clip.tracks.items():
        bone = rig.skeleton.index(channel.bone)
        if channel.property is Property.TRANSLATE:
            assert np.allclose(batch.translations[:, bone, channel.axis], evaluate_scalar(track, times, loop))
        elif channel.property is Property.SCALE:
            assert np.allclose(batch.scales[:, bone, channel.axis], evaluate_scalar(track, times, loop))
        elif channel.axis == 3:
            assert np.allclose(batch.rotations[:, bone], evaluate_quaternion(track, times, loop))
    for bone in (0, 2, 4):
        tracks = [clip.tracks[Channel(f"b{bone}", Property.ROTATE, a)] for a in range(3)]
        degrees = np.stack([evaluate_scalar(t, times, loop) for t in tracks], axis=1)
        expected = euler.to_quaternion(degrees, int(rig.skeleton.euler_orders[bone]))
        assert np.allclose(quat.angle_between(batch.rotations[:, bone], expected), 0.0, atol=1e-9)
    assert np.allclose(batch.curves["effort"], evaluate_scalar(clip.curves["effort"], times, loop))


def test_sample_many_channels_without_a_track_rest():
    rig = making.rig()
    angles = Clip(
        AssetId("c"),
        "c",
        making.RIG,
        1.0,
        tracks={Channel("b2", Property.ROTATE, 1): scalar_track([0], [33.0])},
    )
    batch = sample_many(rig, angles, [0.5])
    rest = rig.skeleton.rest
    assert np.array_equal(batch.translations[0], rest.translation)
    assert np.array_equal(batch.rotations[0, [0, 1, 3, 4]], rest.rotation[[0, 1, 3, 4]])
    order = int(rig.skeleton.euler_orders[2])
    expected = euler.from_quaternion(rest.rotation[2], order)
    expected[1] = 33.0
    assert quat.angle_between(batch.rotations[0, 2], euler.to_quaternion(expected, order)) < 1e-9


def test_sample_many_tracks_of_bones_the_rig_lacks_are_left_out():
    batch = sample_many(making.rig(bones=2), making.clip(bones=5), [0.0, 1.0])
    whole = sample_many(making.rig(bones=5), making.clip(bones=5), [0.0, 1.0])
    assert batch.translations.shape == (2, 2, 3)
    assert np.allclose(batch.translations, whole.translations[:, :2])


def test_sample_many_at_the_length_goes_on_with_the_first_frame_or_stops_at_the_end():
    rig, clip = making.rig(bones=1), making.walk()
    going, stopped = (
        sample_many(rig, clip, [0.0, 1.5, 3.0], wrap=wrap).translations[:, 0, 2] for wrap in (True, False)
    )
    assert going == pytest.approx([-0.3, -0.3, -0.3])
    assert stopped == pytest.approx([-0.3, 1.6, 1.6])


def test_sample_many_no_times_and_one_time_have_their_shapes():
    for count in (0, 1):
        batch = sample_many(making.rig(), making.clip(), np.zeros(count))
        assert batch.rotations.shape == (count, 5, 4)
        assert batch.curves["blink"].shape == (count,)


@pytest.mark.parametrize("bad", [[math.nan], [0.0, math.inf]])
def test_sample_many_times_that_are_not_finite_are_refused(bad):
    with pytest.raises(ValidationError, match="finite"):
        sample_many(making.rig(), making.clip(), bad)


def test_sample_times_that_are_no_numbers_are_refused():
    evaluator = ClipEvaluator(making.rig(), making.clip())
    with pytest.raises(ValidationError):
        evaluator.sample(math.nan)
    with pytest.raises(ValidationError):
        evaluator.player().pose(math.nan)


@pytest.mark.parametrize("looping", [False, True])
def test_sample_clip_without_length_shows_its_start(looping):
    rig = making.rig()
    clip = Clip(AssetId("c"), "c", making.RIG, 0.0, looping=looping)
    shown = sample(rig, clip, 12.0, 3.0)
    assert (shown.playback.position, shown.playback.normalised, shown.playback.loops) == (0.0, 0.0, 0)
    assert np.allclose(shown.pose.translations, rig.skeleton.rest.translation)
    assert np.allclose(shown.root_motion.translation, 0.0)


def test_sample_huge_times_stay_finite():
    rig, clip = making.rig(), making.clip(looping=True)
    for time in (1e9, -1e9):
        assert np.isfinite(sample(rig, clip, time).pose.rotations).all()


def test_sample_skeleton_alone_takes_the_clip_s_rig():
    shown = sample(making.rig().skeleton, making.clip(), 0.5)
    assert shown.rig == making.RIG


def test_sample_fires_the_notifies_passed():
    clip = making.clip(looping=True, notifies=(Notify("left", 0.5), Notify("right", 1.5)))
    evaluator = ClipEvaluator(making.rig(), clip)
    assert [n.name for n in evaluator.sample(2.6, 1.0).notifies] == ["right", "left"]
    assert [n.name for n in evaluator.sample(0.5).notifies] == ["left"]


@pytest.mark.parametrize("looping", [False, True])
@pytest.mark.parametrize("kind", [np.float64, np.float32, np.array, np.int64])
def test_sample_takes_numpy_times_on_clips_with_notifies(kind, looping):
    marked = making.clip(looping=looping, notifies=(Notify("step", 1.5),))
    evaluator = ClipEvaluator(making.rig(), marked)
    assert [n.name for n in evaluator.sample(kind(2.0), kind(1.0)).notifies] == ["step"]
    assert [n.name for n in evaluator.sample(kind(1.0), kind(2.0)).notifies] == ["step"]
    assert evaluator.sample(kind(1.0)).notifies == ()


def test_sample_several_times_at_once_are_refused_in_words():
    with pytest.raises(ValidationError, match=r"expected one number, got shape \(1,\)"):
        ClipEvaluator(making.rig(), making.clip()).sample(np.array([1.0]), 0.0)


def test_sample_rig_without_bones_gives_an_empty_pose():
    empty = Skeleton(
        (), np.zeros(0, np.int32), Transform(np.zeros((0, 3)), np.zeros((0, 4)), np.zeros((0, 3)))
    )
    rig = Rig(making.RIG, "none", empty)
    assert len(sample(rig, making.clip(), 0.3).pose) == 0
    assert sample_many(rig, making.walk(), [0.0, 1.0]).rotations.shape == (2, 0, 4)


def test_sample_morphs_take_the_clip_s_track_or_the_mesh_s_default():
    flat = np.zeros((3, 3), np.float32)
    mesh = Mesh(
        AssetId("mesh-1"), "face", making.RIG, flat, flat, [[0, 1, 2]], ("b0",), np.eye(4)[None],
        np.zeros((3, 1)), np.ones((3, 1)),
        morphs=(MorphTarget("smile", flat, None, 0.25), MorphTarget("blink", flat)),
    )  # fmt: skip
    clip = making.clip(
        morphs={"face/blink": scalar_track([0, 1], [0, 1], interpolations=Interpolation.LINEAR)}
    )
    shown = sample(making.rig(), clip, 0.5, meshes=(mesh,))
    assert dict(shown.pose.morphs) == pytest.approx({"face/blink": 0.5, "face/smile": 0.25})


def test_playback_counts_turns_and_shows_the_end_only_when_stopped():
    assert playback_at(2.0, True, 4.0).position == 0.0
    assert playback_at(2.0, True, 4.0).loops == 2
    stopped = playback_at(2.0, True, 4.0, stopped=True)
    assert (stopped.position, stopped.normalised, stopped.loops) == (2.0, 1.0, 1)
    assert playback_at(2.0, True, -0.5).loops == -1
    assert playback_at(2.0, True, -0.5).position == 1.5
    assert playback_at(2.0, False, 5.0).position == 2.0
    assert playback_at(2.0, True, 0.0, stopped=True).position == 0.0


# ---------------------------------------------------------------- edited clips


def test_updated_edited_track_shows_at_once_and_the_old_evaluator_stays():
    rig, clip = making.rig(), making.clip()
    evaluator = ClipEvaluator(rig, clip)
    before = evaluator.sample_many([0.0, 0.7])
    channel = Channel("b2", Property.TRANSLATE, 1)
    edited = clip.with_tracks({channel: scalar_track([0.1, 0.9, 1.3], [5.0, 6.0, 7.0])})
    after = evaluator.updated(edited).sample_many([0.0, 0.7])
    fresh = ClipEvaluator(rig, edited).sample_many([0.0, 0.7])
    assert np.allclose(after.translations, fresh.translations, atol=1e-12)
    assert np.allclose(evaluator.sample_many([0.0, 0.7]).translations, before.translations)
    assert not np.allclose(after.translations, before.translations)


def test_updated_with_a_track_more_or_less_is_laid_out_anew():
    rig, clip = making.rig(), making.clip()
    evaluator = ClipEvaluator(rig, clip)
    evaluator.sample_many([0.0])
    edited = clip.with_tracks({Channel("b0", Property.TRANSLATE, 0): None})
    shown = evaluator.updated(edited).sample_many([0.4])
    assert shown.translations[0, 0, 0] == rig.skeleton.rest.translation[0, 0]


def test_updated_same_clip_is_the_same_evaluator():
    evaluator = ClipEvaluator(making.rig(), making.clip())
    assert evaluator.updated(evaluator.clip) is evaluator


def test_models_many_agrees_with_matrices_of_the_sampled_poses():
    rig = making.rig(even=False)
    evaluator = ClipEvaluator(rig, making.clip())
    times = np.linspace(0, 2, 40)
    local = transform.to_matrix(evaluator.sample_many(times).local)
    found = evaluator.models_many(times)
    for bone, parent in enumerate(rig.skeleton.parents):
        expected = local[:, bone] if parent < 0 else found[:, parent] @ local[:, bone]
        assert np.allclose(found[:, bone], expected, atol=1e-9)
