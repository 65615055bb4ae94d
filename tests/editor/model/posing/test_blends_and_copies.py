"""Blends from press to release, the copied pose on the clipboard and in its file, and what is chosen for posing."""

import json
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from core.arrays import same_value
from core.clips.clip import RootMotion
from core.errors import ValidationError
from core.ids import AssetId
from core.math import quat
from core.pose.library import LibraryPose
from core.pose.pose import rest_pose
from core.project.project import Project
from core.timing import TIME_EPSILON
from editor.model.clipboard import PastedPose
from editor.model.posing import blend as module
from editor.model.posing import copied, library, verbs
from editor.model.posing.blend import LEAST, MOST, Goal, begin_blend, blend_toward, key_neighbours
from editor.model.posing.live_clip import LiveClip
from editor.model.posing.state import PosingState
from editor.model.session import Session
from tests.editor.rigs import small_project

ARM = ("upper_arm_l", "lower_arm_l")


@pytest.fixture
def session(tmp_path) -> Iterator[Session]:
    """Frame 12 of the swinging arm, which has keys at frames 0, 20, 40 and 60."""
    made = Session.create(tmp_path / "config", tmp_path / "data")
    project = small_project(mesh=False)
    made.document.replace(project, None)
    made.playback.set_clip(project.clips[0].id, project.rigs[0].id)
    made.playback.seek(12 / 30)
    yield made
    made.close()


def apart(one, other) -> float:
    return float(np.degrees(quat.angle_between(one.rotations, other.rotations)).max())


# ---------------------------------------------------------------- blends
@pytest.mark.parametrize("share, held", [(-3.0, -0.5), (-0.5, -0.5), (0.25, 0.25), (1.5, 1.5), (7.0, 1.5)])
def test_a_blend_goes_half_beyond_both_ends_at_most(session, share, held):
    assert (LEAST, MOST) == (-0.5, 1.5)
    blend = begin_blend(session, Goal.REST)
    blend.move(share)
    assert blend.share == held
    np.testing.assert_array_equal(session.preview.pose.rotations, blend.pose_at(held).rotations)


def test_a_blend_that_stands_still_shows_what_was_there_and_makes_no_step(session):
    before, steps = session.evaluator.pose(), session.history.position
    blend = begin_blend(session, Goal.REST)
    blend.move(0.5)
    blend.move(0.0)
    assert session.preview.pose is None and session.evaluator.pose() is before
    assert not blend.finish() and session.history.position == steps


def test_a_blend_that_was_never_moved_makes_no_step(session):
    steps = session.history.position
    for goal in (Goal.REST, Goal.BREAKDOWN):
        assert not begin_blend(session, goal).finish()
    assert session.history.position == steps


@pytest.mark.parametrize("goal, words", [
    (Goal.REST, "rest pose"), (Goal.PREVIOUS, "previous key"), (Goal.NEXT, "next key"), (Goal.BREAKDOWN, "breakdown"),
    (Goal.COPIED, "copied pose"), (Goal.LIBRARY, "“kept”"),
])  # fmt: skip
def test_a_blend_is_one_step_that_says_how_far_toward_what_and_where(session, goal, words):
    session.playback.seek(40 / 30)
    verbs.copy_pose(session)
    library.save_pose(session, "kept")
    session.playback.seek(12 / 30)
    blend = begin_blend(session, goal)
    blend.move(0.254)
    wanted, steps = blend.pose_at(0.254), session.history.position
    assert blend.finish() and session.history.position == steps + 1
    assert session.history.labels[-1] == f"25 % toward {words} @ f12" and session.preview.pose is None
    assert apart(session.evaluator.pose(), wanted) < 1e-5


def test_a_breakdown_at_the_key_before_is_a_change_although_its_share_is_nothing(session):
    blend = begin_blend(session, Goal.BREAKDOWN)
    blend.move(0.0)
    wanted = session.evaluator.sampled_pose(0.0)
    assert apart(session.preview.pose, wanted) < 1e-9
    assert blend.finish()
    assert apart(session.evaluator.pose(), wanted) < 1e-5


def test_a_breakdown_changes_the_bones_that_take_part_alone(session):
    session.selection.select(["upper_arm_l"])
    before = session.evaluator.pose()
    blend = begin_blend(session, Goal.BREAKDOWN)
    blend.move(1.0)
    arm, lower = (session.rig.skeleton.index(bone) for bone in ARM)
    shown, goal = session.preview.pose, session.evaluator.sampled_pose(20 / 30)
    assert quat.angle_between(shown.rotations[arm], goal.rotations[arm]) < 1e-9
    np.testing.assert_array_equal(shown.rotations[lower], before.rotations[lower])
    blend.cancel()


def test_a_press_pauses_the_clip(session):
    session.playback.play()
    begin_blend(session, Goal.REST).cancel()
    assert not session.playback.playing


def test_neighbours_are_the_keys_of_the_bones_around_the_time(session):
    found = [
        tuple(None if t is None else round(t * 30) for t in key_neighbours(session, ARM))
        for frame in (0.0, 12.0, 20.0, 60.0)
        if session.playback.seek(frame / 30) is None
    ]
    assert found == [(None, 20), (0, 20), (0, 40), (40, None)]
    assert key_neighbours(session, ("head",)) == (None, None)


def test_a_key_as_near_as_times_are_told_apart_is_no_neighbour(session, monkeypatch):
    session.playback.seek(0.0)
    for away, found in (
        (TIME_EPSILON, (None, None)),
        (2.0 * TIME_EPSILON, (-2.0 * TIME_EPSILON, 2.0 * TIME_EPSILON)),
    ):
        monkeypatch.setattr(type(session), "key_times", lambda _, bones, away=away: np.array([-away, away]))
        assert key_neighbours(session, ARM) == found


@pytest.mark.parametrize("frame, goal, words", [
    (0, Goal.PREVIOUS, "no key before the playhead"), (60, Goal.NEXT, "no key after the playhead"),
    (0, Goal.BREAKDOWN, "keys of these bones on both sides"), (60, Goal.BREAKDOWN, "on both sides"),
    (12, Goal.COPIED, "no pose has been copied"), (12, Goal.LIBRARY, "no library pose is selected"),
])  # fmt: skip
def test_what_there_is_not_to_blend_toward_is_said(session, frame, goal, words):
    session.playback.seek(frame / 30)
    with pytest.raises(ValidationError, match=words):
        begin_blend(session, goal)
    assert session.preview.pose is None


def test_locked_bones_alone_or_bones_that_were_not_copied_are_refused(session):
    session.selection.select(["head"])
    verbs.copy_pose(session)
    session.selection.select(["hand_l"])
    with pytest.raises(ValidationError, match="the copied pose contains none of these bones"):
        begin_blend(session, Goal.COPIED)
    session.selection.set_flag("locked", ["hand_l"])
    with pytest.raises(ValidationError, match="every selected bone is locked"):
        begin_blend(session, Goal.REST)


def test_toward_a_copied_pose_go_the_selected_bones_that_it_has(session):
    session.selection.select(["head", *ARM])
    verbs.copy_pose(session)
    session.selection.select(["hand_l", *ARM])
    assert begin_blend(session, Goal.COPIED).bones == ARM


@pytest.mark.parametrize("selected, bones", [((), ("chest",)), (("pelvis", "chest"), ("pelvis", "chest"))])
def test_the_bone_that_moves_the_character_comes_along_where_it_is_selected_alone(session, selected, bones):
    session.selection.select(["pelvis", "chest"])
    verbs.copy_pose(session)
    id = library.save_pose(session, "kept")
    session.edits.put("root", replace(session.clip, root_motion=RootMotion(True, bone="pelvis")))
    session.selection.select(selected)
    assert begin_blend(session, Goal.COPIED).bones == bones
    assert blend_toward(session, id).bones == bones
    assert verbs.travelling(session, session.rig) == (frozenset() if selected else {"pelvis"})


def test_nothing_travels_without_root_motion_or_a_clip(session):
    assert verbs.travelling(session, session.rig) == frozenset()
    session.playback.set_clip(None, session.rig.id)
    assert verbs.travelling(session, session.rig) == frozenset()


def test_toward_a_library_pose_go_its_bones_that_are_selected_and_free_through_the_mask(session):
    session.playback.seek(40 / 30)
    session.selection.select(ARM)
    id = library.save_pose(session, "kept")
    session.playback.seek(12 / 30)
    assert blend_toward(session, id).bones == ARM
    session.selection.select(["lower_arm_l", "head"])
    assert blend_toward(session, id).bones == ("lower_arm_l",)
    session.selection.select(["head"])
    with pytest.raises(ValidationError, match="“kept” contains none of the selected bones"):
        blend_toward(session, id)
    session.selection.select(())
    session.selection.set_flag("locked", ["lower_arm_l"])
    assert blend_toward(session, id).bones == ("upper_arm_l",)
    state = session.feature(PosingState)
    pose = session.document.project.get(LibraryPose, id)
    assert apart(blend_toward(session, pose).pose_at(1.0), session.evaluator.pose()) > 5.0
    session.edits.put("Mask", replace(session.rig, masks={"head": {"head": 1.0}}))
    state.use_mask("head")
    assert apart(blend_toward(session, pose).pose_at(1.0), session.evaluator.pose()) < 1e-9
    state.use_mask("gone")
    assert apart(blend_toward(session, pose).pose_at(1.0), session.evaluator.pose()) > 5.0


def test_without_a_character_a_library_pose_cannot_be_used(session):
    id = library.save_pose(session, "kept")
    pose = session.document.project.get(LibraryPose, id)
    session.document.replace(Project({}), None)
    with pytest.raises(ValidationError, match="no character to pose: open or import one first"):
        blend_toward(session, pose)


def test_toward_rest_all_the_way_is_rest(session):
    blend = begin_blend(session, Goal.REST)
    assert apart(blend.pose_at(1.0), rest_pose(session.rig)) < 1e-9
    assert module.TITLES.keys() == set(Goal)


# ---------------------------------------------------------------- the copied pose
def test_a_pose_is_copied_to_the_clipboard_and_its_file_and_told(session):
    told = []
    session.feature(PosingState).changed.connect(told.append)
    session.selection.select(ARM)
    assert not copied.has_copied(session) and copied.copied_text(session) == ""
    verbs.copy_pose(session)
    assert copied._file(session).read_text("utf-8") == session.clipboard.text and len(told) == 1
    assert set(json.loads(session.clipboard.text)["bones"]) == set(ARM)
    assert session.messages.latest.text == "Copied the pose of 2 bones"
    session.selection.select(["head"])
    verbs.copy_pose(session)
    assert session.messages.latest.text == "Copied the pose of 1 bone"


def test_a_pose_that_cannot_be_kept_is_on_the_clipboard_all_the_same(session, tmp_path):
    folder = copied._file(session).parent
    if folder.is_dir():
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()
    folder.write_text("a file in the way")
    verbs.copy_pose(session)
    assert session.clipboard.kind == "pose" and copied.copied_text(session) == session.clipboard.text
    folder.unlink()


@pytest.mark.parametrize("text, found", [
    ('{"posewright": "pose"}', True), ('{"posewright": "keys"}', False), ("{}", False), ("[]", False), ("no", False),
    ("", False), ("[" * 200_000, False),
], ids=range(7))  # fmt: skip
def test_what_is_in_the_file_counts_where_it_is_a_pose(session, text, found):
    session.clipboard.text = ""
    file = copied._file(session)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    assert copied.copied_text(session) == (text if found else "") and copied.has_copied(session)


def test_a_file_that_is_too_large_or_no_text_is_left(session, monkeypatch):
    monkeypatch.setattr(copied, "MAX_TEXT", 100)
    session.clipboard.text = ""
    file, head = copied._file(session), '{"posewright": "pose"}'
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(head + " " * (100 - len(head)), "utf-8")
    assert copied.copied_text(session).startswith(head)
    file.write_text(head + " " * (101 - len(head)), "utf-8")
    assert copied.copied_text(session) == ""
    file.write_bytes(b"\xff\xfe\xfa")
    assert copied.copied_text(session) == ""


def test_the_clipboard_counts_before_the_file(session):
    session.selection.select(["head"])
    verbs.copy_pose(session)
    older = session.clipboard.text
    session.selection.select(ARM)
    verbs.copy_pose(session)
    newer = session.clipboard.text
    session.clipboard.text = older
    assert copied.copied_text(session) == older
    session.clipboard.text = "something else"
    assert copied.copied_text(session) == newer and copied.has_copied(session)


@pytest.mark.parametrize("missing, words", [
    ((), ""), (("tail",), ", missing: tail"), (tuple("abcde"), ", missing: a, b, c, d, e"),
    (tuple("abcdef"), ", missing: a, b, c, d, e …"),
])  # fmt: skip
def test_what_is_missing_is_listed_up_to_five(session, missing, words):
    found = PastedPose(session.evaluator.pose(), ("head", "hand_l"), missing, 2 + len(missing))
    assert copied.report(found) == f"2 of {2 + len(missing)} bones{words}"


# ---------------------------------------------------------------- what is chosen
def test_chosen_poses_are_told_once_and_the_last_is_active(session):
    state, told = PosingState(), []
    state.changed.connect(told.append)
    one, other = AssetId("pose-1"), AssetId("pose-2")
    assert state.poses == () and state.active is None and state.mask == ""
    state.choose(one, other, one)
    assert state.poses == (one, other) and state.active == other and len(told) == 1
    state.choose(one, other)
    assert len(told) == 1
    state.choose(other, one)
    assert state.active == one and len(told) == 2
    state.use_mask("arm")
    state.use_mask("arm")
    assert state.mask == "arm" and len(told) == 3


def test_the_active_pose_is_one_of_the_project(session):
    state = session.feature(PosingState)
    id = library.save_pose(session, "kept")
    assert state.active_pose(session.document.project).id == id
    state.choose(session.clip.id)
    assert state.active_pose(session.document.project) is None
    state.choose(AssetId("gone"))
    assert state.active_pose(session.document.project) is None
    state.choose()
    assert state.active_pose(session.document.project) is None


# ---------------------------------------------------------------- the clip as a drag has it
@pytest.fixture
def turned(session):
    """The pose shown with both arms turned."""
    pose = session.evaluator.pose()
    for side in "lr":
        bone = session.rig.skeleton.index(f"upper_arm_{side}")
        pose = pose.with_bone(bone, rotation=quat.from_rotation_vector([0.0, 0.0, 1.0]))
    return pose


def test_the_clip_of_a_drag_has_keys_of_its_pose_at_the_time(session, turned):
    live = LiveClip(session)
    assert live.pipeline() is session.evaluator.pipeline
    session.preview.set_pose(turned)
    made = live.pipeline()
    assert made is not session.evaluator.pipeline and live.pipeline() is made
    assert apart(made.pose(12 / 30), turned) < 1e-5
    session.playback.seek(13 / 30)
    later = live.pipeline()
    assert later is not made and apart(later.pose(13 / 30), turned) < 1e-5
    session.preview.set_pose(turned.with_bone(3, rotation=quat.from_rotation_vector([0.0, 0.0, 0.1])))
    assert live.pipeline() is not later


def test_locked_bones_get_no_keys_in_a_drag_either(session, turned):
    session.selection.set_flag("locked", ["upper_arm_l"])
    session.preview.set_pose(turned)
    made, left, right = (
        LiveClip(session).pipeline(),
        *(session.rig.skeleton.index(f"upper_arm_{s}") for s in "lr"),
    )
    pose, before = made.pose(12 / 30), session.evaluator.sampled_pose()
    assert quat.angle_between(pose.rotations[left], before.rotations[left]) < 1e-9
    assert quat.angle_between(pose.rotations[right], turned.rotations[right]) < 1e-6


def test_without_auto_key_or_for_another_character_the_clip_stays(session, turned):
    live = LiveClip(session)
    session.preview.set_pose(replace(turned, rig=AssetId("rig-other")))
    assert live.pipeline() is session.evaluator.pipeline
    session.preview.set_pose(turned)
    session.keying.auto = False
    assert live.pipeline() is session.evaluator.pipeline
    session.keying.auto = True
    session.playback.set_clip(None, session.rig.id)
    assert live.pipeline() is None and live.matrices(np.array([0.0, 1.0])).shape == (0, 0, 4, 4)


def test_matrices_are_those_of_the_clips_poses_where_the_character_stands(session):
    times = np.array([0.1, 0.5])
    found = LiveClip(session).matrices(times)
    pipeline = session.evaluator.pipeline
    assert found.shape == (2, len(session.rig.skeleton), 4, 4)
    assert same_value(found, session.evaluator.worlds(times)[:, None] @ pipeline.models_many(times))
