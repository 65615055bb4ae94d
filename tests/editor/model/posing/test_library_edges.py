"""The pose library without a window: names of its steps, what is refused, weights and bakes at their limits."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.errors import ValidationError
from core.ids import AssetId
from core.math import quat
from core.pose.library import LibraryPose, PoseAsset
from core.project.project import Project
from core.tracks.keys import scalar_track
from editor.model.posing import library
from editor.model.posing.state import PosingState
from editor.model.session import Session
from tests.editor.panel_stage import small_session

HEAD = 3


@pytest.fixture
def session() -> Iterator[Session]:
    made = small_session(mesh=False)
    made.playback.seek(20 / 30)
    yield made
    made.close()


def last(session: Session) -> str:
    return session.history.labels[-1]


def pose_of(session: Session, id: AssetId) -> LibraryPose:
    return session.document.project.get(LibraryPose, id)


def nod(session: Session) -> AssetId:
    """A pose named “nod” of the turned head."""
    goal = session.evaluator.pose().with_bone(HEAD, rotation=quat.from_rotation_vector([0.6, 0.0, 0.0]))
    session.preview.set_pose(goal)
    session.selection.select(["head"])
    id = library.save_pose(session, "nod")
    session.preview.clear()
    session.selection.clear()
    return id


# ---------------------------------------------------------------- poses
def test_poses_are_those_of_the_character_shown_that_hold_every_word(session):
    one = library.save_pose(session, "Wave", ["Arm"])
    other = replace(session.rig, id=AssetId("rig-other"), name="other")
    session.edits.put("other", other, replace(pose_of(session, one), id=AssetId("pose-other"), rig=other.id))
    assert [pose.id for pose in library.poses_of(session)] == [one]
    assert [len(library.poses_of(session, words)) for words in ("WAVE", "wave #arm", "wave leg", "#wave", "a")] == [
        1, 1, 0, 1, 1,
    ]  # fmt: skip
    assert library.tags_of(session) == ("Arm",)
    session.playback.set_clip(None, other.id)
    assert [pose.id for pose in library.poses_of(session)] == ["pose-other"]


def test_tags_are_sorted_whatever_their_letters_and_each_once(session):
    for tags in (["beta", "Alpha", "ALPHA"], ["beta", "Zeta", "zeta"], ["delta", "alpha", "Delta"]):
        library.save_pose(session, None, tags)
    assert library.tags_of(session) == ("ALPHA", "Alpha", "alpha", "beta", "Delta", "delta", "Zeta", "zeta")


def test_a_pose_is_kept_under_a_free_name_of_the_selected_bones_and_chosen(session):
    session.selection.select(["head"])
    first = library.save_pose(session)
    second = library.save_pose(session)
    assert last(session) == "Save pose pose 2"
    assert [pose_of(session, id).name for id in (first, second)] == ["pose", "pose 2"]
    assert pose_of(session, first).held(session.rig.skeleton) == ("head",)
    assert session.feature(PosingState).poses == (second,)


def test_an_updated_pose_keeps_name_tags_and_bones(session):
    session.selection.select(["upper_arm_l"])
    id = library.save_pose(session, "wave", ["arm"])
    session.selection.select(["head"])
    assert not library.update_pose(session, id) or last(session) == "Update pose wave"
    session.playback.seek(40 / 30)
    assert library.update_pose(session, id) and last(session) == "Update pose wave"
    pose = pose_of(session, id)
    assert (pose.name, pose.tags, pose.held(session.rig.skeleton)) == ("wave", ("arm",), ("upper_arm_l",))


def test_a_pose_is_renamed_to_a_free_name_alone(session):
    one, other = library.save_pose(session, "one"), library.save_pose(session, "other")
    steps = session.history.position
    assert not library.rename_pose(session, one, " one ") and session.history.position == steps
    with pytest.raises(ValidationError, match="already a pose named “other”: choose another name"):
        library.rename_pose(session, one, "other")
    with pytest.raises(ValidationError):
        library.rename_pose(session, one, " ")
    assert library.rename_pose(session, one, " wave ") and last(session) == "Rename pose one"
    assert pose_of(session, one).name == "wave" and pose_of(session, other).name == "other"


def test_tags_are_stripped_and_each_once(session):
    id = library.save_pose(session, "wave", ["a"])
    assert library.tag_pose(session, id, [" #b ", "b", "##c", "#", " ", "a"])
    assert pose_of(session, id).tags == ("b", "c", "a") and last(session) == "Tag pose wave"
    assert not library.tag_pose(session, id, ["b", "c", "a"])


def test_deleted_poses_are_no_longer_chosen_and_the_others_stay_so(session):
    ids = [library.save_pose(session, name) for name in ("a", "b", "c")]
    state = session.feature(PosingState)
    state.choose(*ids)
    assert library.delete_poses(session, ids[:1]) and last(session) == "Delete pose a"
    assert state.poses == tuple(ids[1:])
    assert library.delete_poses(session, ids[1:]) and last(session) == "Delete pose 2 poses"
    assert state.poses == ()
    steps = session.history.position
    assert not library.delete_poses(session, []) and session.history.position == steps


# ---------------------------------------------------------------- a clip of poses
def test_a_clip_of_poses_is_shown_from_its_start_and_named_after_the_first(session):
    ids = []
    session.selection.select(["upper_arm_l", "lower_arm_l"])
    for frame in (20, 40, 60):
        session.playback.seek(frame / 30)
        ids.append(library.save_pose(session, f"at {frame}"))
    steps = session.history.position
    id = library.clip_from_poses(session, ids, 12.0)
    clip = session.clip
    assert clip.id == id and clip.name == "at 20" and session.playback.time == 0.0
    assert session.history.position == steps + 1 and last(session) == "New clip from 3 poses"
    assert clip.length == pytest.approx(24 / 30) and clip.rig == session.rig.id
    for channel, track in clip.tracks.items():
        assert channel.bone in ("upper_arm_l", "lower_arm_l")
        np.testing.assert_allclose(track.times * 30, [0.0, 12.0, 24.0], atol=1e-9)
    session.undo()
    assert id not in session.document.project.assets and session.clip.name == "swing"


def test_a_clip_of_one_pose_is_one_step_long_under_a_free_name(session):
    session.selection.select(["upper_arm_l"])
    pose = library.save_pose(session, "wave")
    library.clip_from_poses(session, [pose], 7.5, "swing")
    assert session.clip.name == "swing 2" and session.clip.length == pytest.approx(7.5 / 30)
    assert last(session) == "New clip from 1 pose"


def test_tracks_that_stay_at_rest_are_left_out(session):
    session.selection.select(["head", "upper_arm_l"])
    pose = library.save_pose(session, "wave")
    library.clip_from_poses(session, [pose])
    assert {channel.bone for channel in session.clip.tracks} == {"upper_arm_l"}
    assert {channel.property for channel in session.clip.tracks} == {Property.ROTATE}


@pytest.mark.parametrize("moved", [True, False])
@pytest.mark.parametrize("property, index, rest", [
    (Property.TRANSLATE, 1, 0.25), (Property.SCALE, 2, 1.0), (Property.ROTATE, 0, 0.0),
])  # fmt: skip
def test_each_kind_of_track_is_held_against_its_own_rest(session, property, index, rest, moved):
    channel = Channel("head", property, index)
    value = rest + (1e-6 if moved else 1e-12)
    clip = replace(session.clip, tracks={channel: scalar_track([0.0, 1.0], [rest, value])})
    assert (channel in library._without_idle(session.rig, clip).tracks) is moved


def test_without_poses_or_with_a_wrong_spacing_no_clip_is_made(session):
    with pytest.raises(ValidationError, match="select poses in the library first"):
        library.clip_from_poses(session, [])
    with pytest.raises(ValidationError, match="select poses in the library first"):
        library.make_asset(session, [])
    pose = library.save_pose(session, "wave")
    for spacing in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(ValidationError, match="spacing: expected more than 0 frames"):
            library.clip_from_poses(session, [pose], spacing)
    library.clip_from_poses(session, [pose], 0.5)
    assert session.clip.length == pytest.approx(0.5 / 30)


# ---------------------------------------------------------------- assets and weights
def test_an_asset_has_a_target_for_each_pose_and_a_free_name(session):
    pose = nod(session)
    first, second = library.make_asset(session, [pose]), library.make_asset(session, [pose])
    found = session.document.project
    assert [found.get(PoseAsset, id).name for id in (first, second)] == ["pose asset", "pose asset 2"]
    assert last(session) == "New pose asset pose asset 2"
    assert [target.name for target in found.get(PoseAsset, first).targets] == ["nod"]
    assert library.delete_asset(session, second) and last(session) == "Delete pose asset pose asset 2"


def drag(session: Session, value: float, frame: float) -> bool:
    session.playback.seek(frame / 30)
    made = library.WeightDrag(session, "nod")
    made.move(value)
    return made.finish()


@pytest.mark.parametrize("frame, keys", [(0.0, {0.0: 0.5}), (15.0, {0.0: 0.0, 15.0: 0.5})])
def test_the_first_key_of_a_weight_leaves_the_start_at_nothing(session, frame, keys):
    library.make_asset(session, [nod(session)])
    assert drag(session, 0.5, frame) and last(session) == f"Weight of nod @ f{frame:.0f}"
    track = session.clip.curves["nod"]
    assert {round(float(t) * 30, 6): float(v) for t, v in zip(track.times, track.values, strict=True)} == keys
    assert (
        library.weight_now(session, "nod") == pytest.approx(0.5) and library.weight_now(session, "x") == 0.0
    )


def test_a_later_key_of_a_weight_leaves_the_earlier_ones(session):
    library.make_asset(session, [nod(session)])
    drag(session, 0.5, 15.0)
    drag(session, 1.0, 30.0)
    assert session.clip.curves["nod"].values.tolist() == [0.0, 0.5, 1.0]


def test_a_weight_is_shown_while_it_is_dragged_and_taken_back(session):
    session.playback.play()
    made = library.WeightDrag(session, "nod")
    assert not session.playback.playing
    assert not made.finish()
    made.move(0.75)
    assert session.evaluator.clip.curves["nod"].values[-1] == 0.75
    made.cancel()
    assert "nod" not in session.evaluator.clip.curves and not session.preview.active


def test_a_weight_needs_a_clip_and_without_a_character_it_is_nothing(session):
    session.playback.set_clip(None, session.rig.id)
    with pytest.raises(ValidationError, match="a weight is a curve of a clip: create or select a clip first"):
        library.WeightDrag(session, "nod")
    session.document.replace(Project({}), None)
    assert library.weight_now(session, "nod") == 0.0


# ---------------------------------------------------------------- bakes
def test_a_bake_needs_a_curve_of_one_of_the_poses(session):
    asset = library.make_asset(session, [nod(session)], "heads")
    with pytest.raises(ValidationError, match="this clip has no curve named after one of these poses"):
        library.bake_asset(session, asset)
    session.playback.set_clip(None, session.rig.id)
    with pytest.raises(ValidationError, match="this clip has no curve named after one of these poses"):
        library.bake_asset(session, asset)


def test_a_locked_bone_that_the_curve_drives_is_named_and_another_does_not_matter(session):
    asset = library.make_asset(session, [nod(session)], "heads")
    drag(session, 1.0, 30.0)
    session.selection.set_flag("locked", ["head"])
    with pytest.raises(ValidationError, match="head is locked: unlock it in the bone tree"):
        library.bake_asset(session, asset)
    session.selection.set_flag("locked", ["hand_l"])
    assert library.bake_asset(session, asset) and last(session) == "Bake heads into keys"


def test_a_bake_keys_the_driven_bones_alone_and_keeps_other_curves(session):
    wave = [nod(session)]
    session.selection.select(["hand_l"])
    wave.append(library.save_pose(session, "fist"))
    session.selection.clear()
    asset = library.make_asset(session, wave, "both")
    drag(session, 1.0, 30.0)
    session.edits.put(
        "speed", replace(session.clip, curves={**session.clip.curves, "speed": scalar_track([0.0], [2.0])})
    )
    before = session.clip
    poses = [session.evaluator.sampled_pose(frame / 30).rotations[HEAD] for frame in range(61)]
    assert library.bake_asset(session, asset)
    assert set(session.clip.curves) == {"speed"}
    changed = {c.bone for c, t in session.clip.tracks.items() if t is not before.tracks.get(c)}
    assert changed == {"head"}
    after = [session.evaluator.sampled_pose(frame / 30).rotations[HEAD] for frame in range(61)]
    assert max(quat.angle_between(a, b) for a, b in zip(poses, after, strict=True)) < 2e-3


def test_the_last_frame_of_a_loop_is_baked_as_it_is_and_not_as_the_first(session):
    session.edits.put("loops", replace(session.clip, looping=True))
    asset = library.make_asset(session, [nod(session)], "heads")
    curve = scalar_track([0.0, 2.0], [0.0, 1.0])
    session.edits.put("curve", replace(session.clip, curves={"nod": curve}))
    assert library.bake_asset(session, asset)
    track = session.clip.tracks[Channel("head", Property.ROTATE, 0)]
    assert track.values[-1] == pytest.approx(np.degrees(0.6), abs=0.1)
