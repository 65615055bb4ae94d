"""PoseHelper's verbs without a window: what changes, in how many steps, and what is said."""

import json
from dataclasses import replace

import numpy as np
import pytest

from core.arrays import same_value
from core.clips.clip import Channel, Property
from core.errors import ValidationError
from core.ids import AssetId
from core.math import quat
from core.pose.library import LibraryPose, PoseAsset
from core.pose.mirror import MirrorWay, mirror_pose
from core.project.project import Project
from core.rig.rig import MirrorSetup
from editor.model import codec
from editor.model.posing import bone_sets, library, verbs
from editor.model.posing.blend import Goal, begin_blend
from editor.model.posing.copied import copied_text, has_copied
from editor.model.posing.live_clip import LiveClip
from editor.model.posing.state import PosingState
from editor.model.selection import Mode
from editor.model.session import Session
from tests.editor.rigs import small_project


@pytest.fixture
def session(tmp_path):
    made = Session.create(tmp_path / "config", tmp_path / "data")
    project = small_project(mesh=False)
    made.document.replace(project, None)
    made.playback.set_clip(project.clips[0].id, project.rigs[0].id)
    yield made
    made.close()


def pose_at(session: Session, frame: float):
    session.playback.seek(frame / 30)
    return session.evaluator.pose()


def keyed_bones(session: Session, frame: float) -> set[str]:
    time = frame / 30
    return {c.bone for c, t in session.clip.tracks.items() if np.isclose(t.times, time, atol=1e-6).any()}


# ---------------------------------------------------------------- copy and paste


def test_copied_pose_is_plain_json_and_outlives_the_session(session, tmp_path) -> None:
    pose_at(session, 10)
    verbs.copy_pose(session)
    assert json.loads(session.clipboard.text)["posewright"] == "pose"
    again = Session.create(tmp_path / "config", tmp_path / "data2")
    assert has_copied(again)
    assert json.loads(copied_text(again))["bones"].keys() == set(session.rig.skeleton.names)
    again.close()


def test_paste_of_some_unknown_bones_says_which_are_missing(session) -> None:
    verbs.copy_pose(session)
    document = json.loads(session.clipboard.text)
    document["bones"]["tail"] = document["bones"].pop("head")
    session.clipboard.text = json.dumps(document)
    session.playback.seek(20 / 30)
    assert verbs.paste_pose(session)
    assert session.messages.latest.text == "Pasted 15 of 16 bones, missing: tail"


def test_paste_is_one_step_and_gives_the_pose_of_the_other_frame(session) -> None:
    first = pose_at(session, 20)
    verbs.copy_pose(session)
    pose_at(session, 5)
    steps = session.history.position
    assert verbs.paste_pose(session)
    assert session.history.position == steps + 1
    assert quat.angle_between(session.evaluator.pose().rotations, first.rotations).max() < 1e-7
    before = session.clip
    assert session.undo()
    assert session.redo()
    assert session.clip is before


def test_pose_of_one_hand_goes_to_the_other(session) -> None:
    rig = session.rig
    posed = session.evaluator.pose().with_bone(
        rig.skeleton.index("hand_r"), rotation=quat.from_rotation_vector([0.2, 0.4, -0.3])
    )
    session.keying.commit_pose("pose", posed, ["hand_r"])
    session.selection.select(["hand_r"])
    verbs.copy_pose(session)
    assert verbs.paste_mirrored(session)
    made = session.evaluator.pose()
    left, right = (made.rotations[rig.skeleton.index(f"hand_{side}")] for side in "lr")
    assert quat.angle_between(left, right * [1, -1, -1, 1]) < 1e-7


def test_nothing_to_paste_says_what_to_do(session) -> None:
    with pytest.raises(ValidationError, match="copy one first"):
        verbs.paste_mirrored(session)


# ---------------------------------------------------------------- mirror


@pytest.mark.parametrize("way", list(MirrorWay))
def test_mirror_of_the_pose_is_the_cores(session, way: MirrorWay) -> None:
    before = pose_at(session, 12)
    goal = mirror_pose(session.rig, before, way)
    assert verbs.mirror(session, way)
    assert quat.angle_between(session.evaluator.pose().rotations, goal.rotations).max() < 1e-6


def test_mirror_of_a_selection_changes_both_its_sides_only(session) -> None:
    pose_at(session, 12)
    session.selection.select(["lower_arm_l"])
    assert verbs.mirror(session)
    assert keyed_bones(session, 12) == {"lower_arm_l", "lower_arm_r"}


def test_clip_mirrored_twice_plays_as_before_and_each_is_one_step(session) -> None:
    before, steps = session.clip, session.history.position
    assert verbs.mirror_clips(session)
    assert verbs.mirror_clips(session)
    assert session.history.position == steps + 2
    for channel, track in before.tracks.items():
        assert np.allclose(session.clip.tracks[channel].values, track.values)


def test_locked_bones_stay_when_a_clip_is_mirrored(session) -> None:
    session.selection.set_flag("locked", ["upper_arm_l"])
    before = session.clip
    verbs.mirror_clips(session)
    for axis in range(3):
        channel = Channel("upper_arm_l", Property.ROTATE, axis)
        assert session.clip.tracks[channel] is before.tracks[channel]


def test_live_mirror_does_to_one_side_what_is_done_to_the_other(session) -> None:
    rig = session.rig
    session.switches.set("live_mirror", True)
    posed = session.evaluator.pose().with_bone(
        rig.skeleton.index("thigh_l"), rotation=quat.from_rotation_vector([0.3, 0.1, 0.2])
    )
    pose, bones = verbs.live_mirrored(session, posed, ("thigh_l",))
    assert bones == ("thigh_l", "thigh_r")
    left, right = (pose.rotations[rig.skeleton.index(f"thigh_{side}")] for side in "lr")
    assert quat.angle_between(right, left * [1, -1, -1, 1]) < 1e-9


def test_reset_of_the_rotation_keeps_the_position(session) -> None:
    rig, pelvis = session.rig, session.rig.skeleton.index("pelvis")
    moved = session.evaluator.pose().with_bone(
        pelvis, translation=[0.0, 2.0, 0.0], rotation=quat.from_rotation_vector([0.0, 0.5, 0.0])
    )
    session.keying.commit_pose("move", moved, ["pelvis"])
    verbs.reset_parts(session, ("rotation",))
    pose = session.evaluator.pose()
    assert pose.translations[pelvis][1] == pytest.approx(2.0)
    assert quat.angle_between(pose.rotations[pelvis], rig.skeleton.rest.rotation[pelvis]) < 1e-6


# ---------------------------------------------------------------- blends


def test_blend_cancelled_leaves_everything_bit_for_bit(session) -> None:
    pose, project = pose_at(session, 10), session.document.project
    blend = begin_blend(session, Goal.REST)
    blend.move(0.7)
    assert session.evaluator.pose() is not pose
    blend.cancel()
    assert same_value(session.evaluator.pose(), pose)
    assert session.document.project is project


@pytest.mark.parametrize(("goal", "frame"), [(Goal.PREVIOUS, 0), (Goal.NEXT, 20)])
def test_blend_all_the_way_gives_the_neighbouring_key(session, goal: Goal, frame: int) -> None:
    target = pose_at(session, frame)
    pose_at(session, 12)
    blend = begin_blend(session, goal)
    blend.move(1.0)
    assert blend.finish()
    assert quat.angle_between(session.evaluator.pose().rotations, target.rotations).max() < 1e-6


def test_breakdown_goes_from_key_to_key(session) -> None:
    low, high = pose_at(session, 0), pose_at(session, 20)
    pose_at(session, 7)
    blend = begin_blend(session, Goal.BREAKDOWN)
    for share, goal in ((0.0, low), (1.0, high)):
        blend.move(share)
        assert same_value(session.evaluator.pose().local, goal.local)
    blend.cancel()


def test_blend_works_on_the_selection_and_not_on_locked_bones(session) -> None:
    pose_at(session, 12)
    session.selection.select(["upper_arm_l", "lower_arm_l"])
    session.selection.set_flag("locked", ["lower_arm_l"])
    blend = begin_blend(session, Goal.REST)
    assert blend.bones == ("upper_arm_l",)
    blend.move(1.0)
    blend.finish()
    assert keyed_bones(session, 12) == {"upper_arm_l"}


def test_without_auto_key_a_blend_waits_to_be_keyed(session) -> None:
    pose_at(session, 12)
    session.keying.auto = False
    blend = begin_blend(session, Goal.REST)
    blend.move(0.5)
    blend.finish()
    assert set(session.keying.pending) == {"upper_arm_l", "lower_arm_l"}
    assert keyed_bones(session, 12) == set()


# ---------------------------------------------------------------- library and assets


def test_library_pose_saved_applied_updated_and_deleted(session) -> None:
    first = pose_at(session, 20)
    id = library.save_pose(session, "twenty", ["arm"])
    assert library.poses_of(session, "#arm twen")[0].id == id
    assert library.poses_of(session, "leg") == ()
    pose_at(session, 5)
    blend = begin_blend(session, Goal.LIBRARY)
    blend.move(1.0)
    blend.finish()
    assert quat.angle_between(session.evaluator.pose().rotations, first.rotations).max() < 1e-6
    pose_at(session, 50)
    library.update_pose(session, id)
    kept = session.document.project.get(LibraryPose, id)
    assert same_value(kept.local.rotation, session.evaluator.pose().rotations)
    library.delete_poses(session, [id])
    assert library.poses_of(session) == () and session.feature(PosingState).poses == ()


def test_new_clip_lays_poses_out_at_their_spacing(session) -> None:
    poses = [pose_at(session, frame) for frame in (0, 20, 40)]
    ids = [
        library.save_pose(session, f"p{n}") for n, _ in enumerate(poses) if pose_at(session, (0, 20, 40)[n])
    ]
    steps = session.history.position
    library.clip_from_poses(session, ids, 15.0)
    assert session.history.position == steps + 1
    assert session.clip.frames == pytest.approx(30.0)
    for number, pose in enumerate(poses):
        assert quat.angle_between(pose_at(session, 15 * number).rotations, pose.rotations).max() < 1e-6


@pytest.fixture
def driven(session):
    """A pose asset of one pose, driven by a curve in the clip; the pose and the session."""
    rig, head = session.rig, session.rig.skeleton.index("head")
    session.playback.seek(0.0)
    nod = session.evaluator.pose().with_bone(head, rotation=quat.from_rotation_vector([0.6, 0.0, 0.0]))
    session.preview.set_pose(nod)
    session.selection.select(["head"])
    id = library.save_pose(session, "nod")
    session.preview.clear()
    session.selection.clear()
    asset = library.make_asset(session, [id], "heads")
    return session, rig, head, asset


def angle_of(session, head: int) -> float:
    return float(np.degrees(quat.angle_between(session.evaluator.pose().rotations[head], quat.IDENTITY)))


def test_slider_keys_the_curve_and_the_curve_drives_the_pose(driven) -> None:
    session, _, head, _ = driven
    session.playback.seek(1.0)
    drag = library.WeightDrag(session, "nod")
    drag.move(0.5)
    assert angle_of(session, head) == pytest.approx(np.degrees(0.3), abs=1e-6)
    assert drag.finish()
    assert session.clip.curves["nod"].values[-1] == 0.5
    assert angle_of(session, head) == pytest.approx(np.degrees(0.3), abs=1e-6)
    session.playback.seek(0.0)
    assert angle_of(session, head) == pytest.approx(0.0, abs=1e-9)
    assert session.undo() and "nod" not in session.clip.curves


def test_posing_a_driven_bone_keys_what_is_seen_not_twice_the_drive(driven) -> None:
    session, _, head, _ = driven
    session.playback.seek(1.0)
    drag = library.WeightDrag(session, "nod")
    drag.move(1.0)
    drag.finish()
    goal = quat.from_rotation_vector([0.6, 0.4, 0.0])
    session.keying.commit_pose("turn", session.evaluator.pose().with_bone(head, rotation=goal), ["head"])
    assert quat.angle_between(session.evaluator.pose().rotations[head], goal) < 1e-6
    session.keying.set_key(["head"])  # nothing is left to key
    assert "No key set" in session.messages.latest.text


def test_bake_of_an_asset_is_a_job_that_leaves_no_trace_when_cancelled(driven) -> None:
    session, _, _, asset = driven
    drag = library.WeightDrag(session, "nod")
    drag.move(1.0)
    drag.finish()
    project, session.edit_jobs.grace, start = session.document.project, 0.0, session.jobs.start
    begun = []
    session.jobs.start = lambda job, wait=0.0: begun.append(job) or job.cancel() or start(job, 10.0)
    library.bake_asset(session, asset)
    assert [job.title for job in begun] and session.document.project is project
    assert "cancelled" in session.messages.latest.text


def test_baked_asset_plays_the_same_without_its_curve(driven) -> None:
    session, _, head, asset = driven
    session.playback.seek(1.0)
    drag = library.WeightDrag(session, "nod")
    drag.move(1.0)
    drag.finish()
    before = [pose_at(session, frame).rotations for frame in range(0, 61, 5)]
    assert library.bake_asset(session, asset)
    assert "nod" not in session.clip.curves
    after = [pose_at(session, frame).rotations for frame in range(0, 61, 5)]
    assert (
        max(float(np.degrees(quat.angle_between(a, b)).max()) for a, b in zip(before, after, strict=True))
        < 0.1
    )


def test_deleting_an_asset_is_undone(driven) -> None:
    session, _, _, asset = driven
    library.delete_asset(session, asset)
    assert library.assets_of(session) == ()
    session.undo()
    assert session.document.project.get(PoseAsset, asset).name == "heads"


# ---------------------------------------------------------------- sets, live clip


def test_bone_set_is_kept_selected_and_forgotten(session) -> None:
    session.selection.select(["hand_r", "hand_l"])
    bone_sets.save(session, "hands")
    session.selection.select(["head"])
    bone_sets.select(session, "hands", add=True)
    assert set(session.selection.bones) == {"head", "hand_l", "hand_r"}
    bone_sets.delete(session, "hands")
    assert not session.rig.bone_sets
    session.undo()
    assert session.rig.bone_sets["hands"] == ("hand_l", "hand_r")


def test_drag_is_seen_at_other_times_before_it_is_committed(session) -> None:
    live = LiveClip(session)
    arm = session.rig.skeleton.index("upper_arm_l")
    pose = pose_at(session, 20)
    times = np.array([18 / 30])
    before = live.matrices(times)[0, arm]
    session.preview.set_pose(pose.with_bone(arm, rotation=quat.from_rotation_vector([0.0, 0.0, 1.0])))
    during = live.matrices(times)[0, arm]
    assert np.abs(during - before).max() > 0.05
    session.keying.commit_pose("turn", session.preview.pose, ["upper_arm_l"])
    session.preview.clear()
    assert live.matrices(times)[0, arm] == pytest.approx(during, abs=1e-9)


def test_project_without_a_rig_refuses_with_a_reason(session) -> None:
    session.document.replace(Project(), None)
    with pytest.raises(ValidationError, match="no character"):
        begin_blend(session, Goal.REST)
    assert library.poses_of(session) == ()
    session.selection.select(["head"], Mode.REPLACE)
    assert not verbs.mirror(session)


# ---------------------------------------------------------------- keys, ranges, what is written down


def test_selected_keys_are_mirrored_to_the_other_side_at_their_times(session) -> None:
    channel = Channel("upper_arm_l", Property.ROTATE, 2)
    session.selection.select_keys({channel: [1, 2]})
    steps = session.history.position
    assert verbs.mirror_keys(session)
    assert session.history.position == steps + 1
    times = session.clip.tracks[Channel("upper_arm_r", Property.ROTATE, 2)].times
    assert times * 30 == pytest.approx([20.0, 40.0])
    session.selection.select_keys({})
    with pytest.raises(ValidationError, match="no keys are selected"):
        verbs.mirror_keys(session)


def test_play_range_is_mirrored_and_the_rest_stays(session) -> None:
    with pytest.raises(ValidationError, match="no play range"):
        verbs.mirror_range(session)
    session.playback.set_range(15 / 30, 45 / 30)
    outside, inside = pose_at(session, 5), pose_at(session, 30)
    assert verbs.mirror_range(session)
    goal = mirror_pose(session.rig, inside)
    assert quat.angle_between(pose_at(session, 30).rotations, goal.rotations).max() < 1e-6
    left = session.rig.skeleton.index("upper_arm_l")
    assert (
        quat.angle_between(pose_at(session, 0).rotations[left], session.rig.skeleton.rest.rotation[left])
        < 1e-6
    )
    assert session.undo()
    assert same_value(pose_at(session, 5), outside)


def test_every_clip_is_mirrored_in_one_step(session) -> None:
    session.clips.duplicate(session.clip.id)
    steps = session.history.position
    clips = session.document.project.clips
    assert verbs.mirror_clips(session, [clip.id for clip in clips])
    assert session.history.position == steps + 1
    assert session.history.labels[-1] == "Mirror 2 clips"
    session.undo()
    assert all(a is b for a, b in zip(clips, session.document.project.clips, strict=True))


def test_rig_without_mirror_lists_says_where_to_set_them_up(session) -> None:
    session.edits.put("bare", replace(session.rig, mirror=MirrorSetup()))
    with pytest.raises(ValidationError, match="Mirror panel"):
        verbs.mirror(session)


def test_poses_and_assets_are_written_into_the_journal_and_come_back(driven) -> None:
    session = driven[0]
    arrays: list = []
    data, blob = codec.pack(codec.encode(session.document.project, arrays), arrays)
    plain, read = codec.unpack(data, b"".join(bytes(part) for part in blob))
    assert same_value(codec.decode(plain, read), session.document.project)


def test_pose_assets_are_those_of_the_character_shown(session):
    project = session.document.project
    own = PoseAsset(AssetId("asset-own"), "own", session.rig.id)
    other = replace(session.rig, id=AssetId("rig-other"), name="other")
    theirs = PoseAsset(AssetId("asset-theirs"), "theirs", other.id)
    session.edits.put("assets", own, other, theirs)
    assert library.assets_of(session) == (own,)
    session.playback.set_clip(None, other.id)
    assert library.assets_of(session) == (theirs,)
    session.document.replace(type(project)(), None)
    assert library.assets_of(session) == ()
