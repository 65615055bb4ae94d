"""What is shown: previews over pending over the clip; where the character stands."""

from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Channel, Clip, Property, RootMotion, RootPose
from core.clips.sample import ClipEvaluator
from core.errors import AnimError
from core.math import euler, transform
from core.pose import kinematics
from core.tracks.keys import Interpolation, scalar_track
from editor.model.playback import LoopMode
from editor.model.session import Session
from tests.editor.rigs import small_project


@pytest.fixture
def session() -> Session:
    session = Session.create()
    session.document.replace(small_project(), None)
    yield session
    session.close()


def walking(session: Session, looping: bool = True, pose: RootPose = RootPose.FIRST_FRAME) -> Clip:
    """A clip that walks 1 m forward and turns by 30° in 2 s."""
    times = [0.0, 2.0]
    tracks = {
        Channel("pelvis", Property.TRANSLATE, 0): scalar_track(
            times, [0.5, 0.7], interpolations=Interpolation.LINEAR
        ),
        Channel("pelvis", Property.TRANSLATE, 2): scalar_track(
            times, [0.0, 1.0], interpolations=Interpolation.LINEAR
        ),
        Channel("pelvis", Property.ROTATE, 1): scalar_track(
            times, [10.0, 40.0], interpolations=Interpolation.LINEAR
        ),
    }
    clip = replace(session.clip, tracks=tracks, looping=looping, root_motion=RootMotion(True, pose=pose))
    session.edits.put("walk", clip)
    return clip


def pelvis(session: Session) -> np.ndarray:
    """World matrix of the pelvis as drawn."""
    return session.evaluator.world() @ session.evaluator.matrices()[0]


def test_pose_without_clip_is_the_rest_pose_and_without_rig_an_error(session: Session) -> None:
    session.clips.delete(session.clip.id)
    np.testing.assert_array_equal(session.evaluator.pose().rotations, session.rig.skeleton.rest.rotation)
    session.files.new()
    with pytest.raises(AnimError, match="open or import"):
        session.evaluator.pose()


def test_pose_is_what_core_samples_and_cached(session: Session) -> None:
    session.playback.seek(0.8)
    expected = ClipEvaluator(session.rig, session.clip).sample(0.8).pose
    np.testing.assert_array_equal(session.evaluator.pose().rotations, expected.rotations)
    assert session.evaluator.pose() is session.evaluator.pose()
    assert session.evaluator.matrices() is session.evaluator.matrices()
    model = kinematics.to_model(session.rig.skeleton, expected.local)
    np.testing.assert_allclose(session.evaluator.model().translation, model.translation)


def test_preview_pose_wins_over_pending_over_clip(session: Session) -> None:
    evaluator, pose = session.evaluator, session.evaluator.pose()
    bent = pose.with_bone(3, rotation=euler.to_quaternion([0, 50, 0], 0))
    session.pending.put(session.rig, bent, ["head"])
    session.playback.seek(1.0)  # survives scrubbing, over the other bones' new pose
    np.testing.assert_array_equal(evaluator.pose().rotations[3], bent.rotations[3])
    assert not np.array_equal(evaluator.pose().rotations[4], pose.rotations[4])
    session.preview.set_pose(pose)
    assert evaluator.pose() is pose
    session.preview.clear()
    session.pending.drop()
    np.testing.assert_array_equal(evaluator.pose().rotations, evaluator.sampled_pose().rotations)


def test_preview_clip_is_evaluated_and_never_saved(session: Session) -> None:
    channel = Channel("head", Property.ROTATE, 0)
    session.preview.set_clip(session.clip.with_tracks({channel: scalar_track([0.0], [33.0])}))
    assert euler.from_quaternion(session.evaluator.pose().rotations[3], 0)[0] == pytest.approx(33.0)
    assert channel not in session.clip.tracks and session.evaluator.clip is session.preview.clip


@pytest.mark.parametrize("event", ["time", "clip data", "preview", "pending", "in place"])
def test_changed_is_told_once_for_each_cause(session: Session, event: str) -> None:
    heard: list[None] = []
    session.evaluator.changed.connect(heard.append)
    if event == "time":
        session.playback.seek(0.5)
    elif event == "clip data":
        session.clips.set_looping(session.clip.id, True)
    elif event == "preview":
        session.preview.set_pose(session.evaluator.pose())
    elif event == "pending":
        session.pending.put(session.rig, session.evaluator.pose(), ["head"])
    else:
        session.playback.in_place = not session.playback.in_place
    assert len(heard) == 1


def test_stopped_at_the_end_of_a_loop_shows_the_end_frame(session: Session) -> None:
    walking(session)
    session.playback.seek(2.0)
    assert session.evaluator.pose().translations[0, 2] == pytest.approx(1.0)


@pytest.mark.parametrize("pose", list(RootPose))
def test_in_place_the_root_stays_where_the_settings_say(session: Session, pose: RootPose) -> None:
    clip = walking(session, pose=pose)
    session.playback.in_place = True
    for time in (0.0, 0.7, 2.0):
        session.playback.seek(time)
        expected = ClipEvaluator(session.rig, clip).sample(time, stopped=True).pose
        found = pelvis(session)
        np.testing.assert_allclose(
            found, kinematics.model_matrices(session.rig.skeleton, expected.local)[0], atol=1e-12
        )


def test_travelling_over_the_seam_moves_on_without_a_jump(session: Session) -> None:
    walking(session)
    session.playback.in_place, session.playback.loop = False, LoopMode.LOOP
    session.playback.play()
    session.playback.tick(0.0)
    places = []
    for count in range(1, 62):
        session.playback.tick(count * 0.1)
        places.append(pelvis(session)[:3, 3])
    steps = np.linalg.norm(np.diff(places, axis=0), axis=1)
    assert session.playback.turns == 3
    assert steps.max() < 1.3 * steps.min()
    session.playback.seek(0.0)
    np.testing.assert_allclose(pelvis(session)[:3, 3], [0.5, 1.0, 0.0], atol=1e-12)


def test_travelling_within_a_range_loops_the_ranges_motion(session: Session) -> None:
    walking(session)
    session.playback.in_place = False
    session.playback.set_range(0.5, 1.5)
    session.playback.seek(1.5)
    end = pelvis(session)
    session.playback.seek(0.5)
    session.playback.play()
    session.playback.tick(0.0)
    session.playback.tick(1.0)
    assert (session.playback.turns, session.playback.time) == (1, 0.5)
    np.testing.assert_allclose(pelvis(session), end, atol=1e-12)


def test_travelling_without_root_motion_stays(session: Session) -> None:
    session.playback.in_place = False
    session.playback.seek(1.0)
    np.testing.assert_array_equal(session.evaluator.world(), np.eye(4))


def test_a_pose_keyed_in_place_is_the_clips_own(session: Session) -> None:
    """Moving a bone while the root is taken out keys just that bone, and the root's motion stays."""
    clip = walking(session)
    session.playback.in_place = True
    session.playback.seek(1.0)
    bent = session.evaluator.pose().with_bone(3, rotation=euler.to_quaternion([0, 20, 0], 0))
    session.keying.commit_pose("bend", bent, session.rig.skeleton.names)
    assert {c.bone for c in session.clip.tracks} - {"pelvis"} == {"head"}
    assert all(session.clip.tracks[c] is t for c, t in clip.tracks.items())


def test_world_of_whole_turns_is_a_rigid_transform(session: Session) -> None:
    walking(session)
    session.playback.in_place = False
    session.playback.play()
    session.playback.tick(0.0)
    session.playback.tick(2000.0)
    matrix = session.evaluator.world()
    assert session.playback.turns == 1000
    np.testing.assert_allclose(matrix[:3, :3] @ matrix[:3, :3].T, np.eye(3), atol=1e-9)
    assert transform.from_matrix(matrix).scale == pytest.approx([1, 1, 1])
