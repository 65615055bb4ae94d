"""Pose verbs: which bones they take, names of their steps, what is said, and where nothing is done."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from core.clips.clip import Channel, Property, RootMotion
from core.errors import ValidationError
from core.ids import AssetId
from core.math import quat
from core.pose.edits import PARTS
from core.pose.mirror import MirrorWay, mirror_pose
from core.project.project import Project
from core.rig.rig import MirrorSetup
from core.tracks.evaluate import evaluate_scalar
from editor.model.messages import Level
from editor.model.posing import bone_sets, verbs
from editor.model.session import Session
from tests.editor.panel_stage import small_session

LEFT, RIGHT = "upper_arm_l", "upper_arm_r"


@pytest.fixture
def session() -> Iterator[Session]:
    """Frame 12 of the swinging left arm."""
    made = small_session(mesh=False)
    made.playback.seek(12 / 30)
    yield made
    made.close()


def turned(session: Session, pose=None, *bones: str):
    pose = pose or session.evaluator.pose()
    for number, bone in enumerate(bones):
        goal = quat.from_rotation_vector([0.3, 0.1 * number, 0.2])
        pose = pose.with_bone(session.rig.skeleton.index(bone), rotation=goal)
    return pose


def last(session: Session) -> str:
    return session.history.labels[-1]


def keyed(session: Session, frame: float) -> set[str]:
    return {
        c.bone for c, t in session.clip.tracks.items() if np.isclose(t.times, frame / 30, atol=1e-6).any()
    }


# ---------------------------------------------------------------- without a character
VERBS: dict[str, Callable[[Session], object]] = {
    "paste": verbs.paste_pose, "paste mirrored": verbs.paste_mirrored, "mirror": verbs.mirror,
    "mirror keys": verbs.mirror_keys, "mirror range": verbs.mirror_range, "mirror clips": verbs.mirror_clips,
    "reset": verbs.reset_parts, "copy": verbs.copy_pose,
}  # fmt: skip


@pytest.mark.parametrize("verb", list(VERBS))
def test_without_a_character_nothing_is_done(session, verb):
    session.document.replace(Project({}), None)
    project, said = session.document.project, len(session.messages.log)
    assert not VERBS[verb](session)
    assert session.document.project is project and len(session.messages.log) == said


@pytest.mark.parametrize("verb", ["paste mirrored", "mirror", "mirror keys", "mirror range", "mirror clips"])
def test_without_mirror_lists_it_is_said_where_to_set_them_up(session, verb):
    session.edits.put("bare", replace(session.rig, mirror=MirrorSetup()))
    with pytest.raises(ValidationError, match="“small” has no mirror pairs yet: open the Mirror panel"):
        VERBS[verb](session)


@pytest.mark.parametrize("setup", [MirrorSetup(axis_bones=("head",)), MirrorSetup(pairs=((LEFT, RIGHT),))])
def test_one_of_the_mirror_lists_is_enough(session, setup):
    verbs.require_mirror(replace(session.rig, mirror=setup))


@pytest.mark.parametrize("verb", ["mirror keys", "mirror range"])
def test_without_a_clip_keys_are_not_mirrored(session, verb):
    session.playback.set_clip(None, session.rig.id)
    assert VERBS[verb](session) is False


# ---------------------------------------------------------------- which bones
def test_verbs_act_on_the_selection_else_on_all(session):
    assert verbs.acting(session, session.rig) == session.rig.skeleton.names
    session.selection.select(["head", LEFT])
    assert verbs.acting(session, session.rig) == ("head", LEFT)
    session.selection.set_flag("locked", ["head"])
    assert verbs.unlocked(session, ("head", LEFT, RIGHT)) == (LEFT, RIGHT)
    assert verbs.both_sides(session.rig, [LEFT, "head", RIGHT]) == (LEFT, RIGHT, "head")


def test_live_mirror_takes_the_other_sides_that_are_neither_moved_nor_locked(session):
    pose = turned(session, None, LEFT, "hand_l", "hand_r", "head")
    bones = (LEFT, "hand_l", "hand_r", "head")
    assert verbs.live_mirrored(session, pose, bones) == (pose, bones)
    assert verbs.with_live_twins(session, iter([LEFT, "head"])) == (LEFT, "head")
    session.switches.set("live_mirror", True)
    made, changed = verbs.live_mirrored(session, pose, bones)
    assert changed == (*bones, RIGHT)
    wanted = mirror_pose(session.rig, pose, MirrorWay.SWAP, [RIGHT])
    np.testing.assert_array_equal(made.rotations, wanted.rotations)
    assert verbs.with_live_twins(session, iter([LEFT, "head"])) == (LEFT, RIGHT, "head")
    session.selection.set_flag("locked", [RIGHT])
    assert verbs.live_mirrored(session, pose, bones) == (pose, bones)
    session.switches.set("live_mirror", False)


def test_without_a_character_live_mirror_does_nothing(session):
    pose = session.evaluator.pose()
    session.switches.set("live_mirror", True)
    session.document.replace(Project({}), None)
    assert verbs.live_mirrored(session, pose, (LEFT,)) == (pose, (LEFT,))
    assert verbs.with_live_twins(session, [LEFT]) == (LEFT,)
    session.switches.set("live_mirror", False)


# ---------------------------------------------------------------- paste
def copy_at(session: Session, frame: float, *bones: str):
    """Copy the pose of some bones at a frame; frame 12 is shown again. Gives the pose."""
    session.selection.select(bones)
    session.playback.seek(frame / 30)
    verbs.copy_pose(session)
    pose = session.evaluator.pose()
    session.playback.seek(12 / 30)
    session.selection.select(())
    return pose


def rename_in_clipboard(session: Session, old: str, new: str) -> None:
    plain = json.loads(session.clipboard.text)
    plain["bones"][new] = plain["bones"].pop(old)
    session.clipboard.text = json.dumps(plain)


def test_the_selected_bones_of_what_was_copied_are_pasted(session):
    goal = copy_at(session, 40, LEFT, "lower_arm_l")
    session.selection.select([LEFT, "head"])
    steps = session.history.position
    assert verbs.paste_pose(session) and session.history.position == steps + 1
    assert last(session) == "Paste pose @ f12" and keyed(session, 12) == {LEFT}
    arm, lower = session.rig.skeleton.index(LEFT), session.rig.skeleton.index("lower_arm_l")
    shown = session.evaluator.pose()
    assert quat.angle_between(shown.rotations[arm], goal.rotations[arm]) < 1e-6
    assert quat.angle_between(shown.rotations[lower], goal.rotations[lower]) > 0.1
    message = session.messages.latest
    assert (message.level, message.text) == (Level.INFO, "Pasted 2 of 2 bones")


@pytest.mark.parametrize("verb, words, step", [
    (verbs.paste_pose, "Nothing pasted: 1 of 1 bone, none of them selected", "Select other bones, or none for all"),
    (verbs.paste_mirrored, "Nothing pasted: 1 of 1 bone, none of them on the mirror lists or selected",
     "Select other bones, or add pairs in the Mirror panel"),
])  # fmt: skip
def test_where_none_of_the_copied_bones_is_selected_that_is_said(session, verb, words, step):
    copy_at(session, 40, LEFT)
    session.selection.select(["head"])
    steps = session.history.position
    assert not verb(session) and session.history.position == steps
    message = session.messages.latest
    assert (message.level, message.text, message.next_step) == (Level.WARNING, words, step)


@pytest.mark.parametrize("verb, words", [
    (verbs.paste_pose, "Pasted 1 of 2 bones, missing: tail"),
    (verbs.paste_mirrored, "Pasted mirrored: 1 of 2 bones, missing: tail"),
])  # fmt: skip
def test_bones_that_are_missing_make_it_a_warning(session, verb, words):
    copy_at(session, 40, LEFT, "head")
    rename_in_clipboard(session, "head", "tail")
    verb(session)
    message = session.messages.latest
    assert (message.level, message.text) == (Level.WARNING, words)


@pytest.mark.parametrize("verb", [verbs.paste_pose, verbs.paste_mirrored])
def test_the_bone_that_moves_the_character_is_pasted_where_it_is_selected(session, verb):
    session.edits.put("root", replace(session.clip, root_motion=RootMotion(True, bone="pelvis")))
    session.selection.select(["pelvis"])
    moved = session.evaluator.pose().with_bone(0, translation=np.array([2.0, 1.0, 0.0]))
    session.preview.set_pose(moved)
    verbs.copy_pose(session)
    session.preview.clear()
    session.selection.select(())
    steps = session.history.position
    assert not verb(session) and session.history.position == steps
    session.selection.select(["pelvis"])
    assert verb(session) and abs(session.evaluator.pose().translations[0, 0]) == pytest.approx(2.0)


@pytest.mark.parametrize("selected", [(), (LEFT,), (RIGHT,), (RIGHT, "head")])
def test_pasting_mirrored_goes_to_the_other_side_of_what_was_copied(session, selected):
    goal = mirror_pose(session.rig, copy_at(session, 40, LEFT))
    session.selection.select(selected)
    assert verbs.paste_mirrored(session) and last(session) == "Paste mirrored @ f12"
    arm = session.rig.skeleton.index(RIGHT)
    assert quat.angle_between(session.evaluator.pose().rotations[arm], goal.rotations[arm]) < 1e-6
    assert keyed(session, 12) == {RIGHT}
    message = session.messages.latest
    assert (message.level, message.text) == (Level.INFO, "Pasted mirrored: 1 of 1 bone")


def test_bones_that_are_on_no_mirror_list_are_not_pasted_mirrored(session):
    mirror = session.rig.mirror
    session.edits.put("fewer", replace(session.rig, mirror=replace(mirror, axis_bones=("pelvis",))))
    copy_at(session, 40, "head", LEFT)
    assert verbs.paste_mirrored(session) and keyed(session, 12) == {RIGHT}


def test_a_bone_of_the_axis_is_pasted_mirrored_onto_itself(session):
    session.keying.commit_pose("turn", turned(session, None, "head"), ["head"])
    head = session.rig.skeleton.index("head")
    goal = mirror_pose(session.rig, copy_at(session, 12, "head"))
    assert verbs.paste_mirrored(session)
    assert quat.angle_between(session.evaluator.pose().rotations[head], goal.rotations[head]) < 1e-6


# ---------------------------------------------------------------- mirror
@pytest.mark.parametrize("way, label", [
    (MirrorWay.SWAP, "Mirror"), (MirrorWay.LEFT_TO_RIGHT, "Mirror left to right"),
    (MirrorWay.RIGHT_TO_LEFT, "Mirror right to left"),
])  # fmt: skip
def test_steps_of_mirroring_are_named_after_the_way_and_what(session, way, label):
    assert verbs.mirror(session, way) and last(session) == f"{label} @ f12"
    session.undo()
    session.selection.select_keys({Channel(LEFT, Property.ROTATE, 2): np.array([1])})
    assert verbs.mirror_keys(session, way) is (way is not MirrorWay.RIGHT_TO_LEFT)
    if way is not MirrorWay.RIGHT_TO_LEFT:
        assert last(session) == f"{label}: 1 key"
        session.undo()
    session.playback.set_range(10 / 30, 40 / 30)
    assert verbs.mirror_range(session, way) and last(session) == f"{label} f10–f40"
    session.undo()
    assert verbs.mirror_clips(session, None, way) and last(session) == f"{label} swing"


def test_one_way_leaves_the_side_that_is_copied_from(session):
    before = session.evaluator.pose()
    session.selection.select([LEFT])
    verbs.mirror(session, MirrorWay.LEFT_TO_RIGHT)
    assert keyed(session, 12) == {RIGHT}
    arm = session.rig.skeleton.index(LEFT)
    assert np.array_equal(session.evaluator.pose().rotations[arm], before.rotations[arm])


def test_keys_whose_other_side_is_locked_are_not_mirrored(session):
    channels = {Channel(bone, Property.ROTATE, 1): np.array([1, 2]) for bone in (LEFT, "lower_arm_l")}
    session.selection.set_flag("locked", [RIGHT])
    session.selection.select_keys(channels)
    assert verbs.mirror_keys(session) and last(session) == "Mirror: 2 keys"
    assert not any(channel.bone == RIGHT for channel in session.clip.tracks)
    assert any(channel.bone == "lower_arm_r" for channel in session.clip.tracks)


def test_selected_keys_that_are_gone_do_not_count(session):
    channel, gone = Channel(LEFT, Property.ROTATE, 1), Channel("head", Property.ROTATE, 1)
    session.selection.select_keys({channel: np.array([2, 9]), gone: np.array([0])})
    assert verbs.mirror_keys(session) and last(session) == "Mirror: 1 key"
    session.selection.select_keys({channel: np.array([9]), gone: np.array([0])})
    with pytest.raises(ValidationError, match="no keys are selected: select some in the timeline"):
        verbs.mirror_keys(session)


@pytest.mark.parametrize("verb", ["mirror range", "mirror clips"])
def test_locked_bones_are_told_and_left_and_a_selection_with_its_other_sides_is_all_that_changes(
    session, verb
):
    session.playback.set_range(0.2, 1.5)
    before = session.clip
    assert verbs._clip_bones(session, session.rig) is None and session.messages.latest is None
    session.selection.select([LEFT])
    assert verbs._clip_bones(session, session.rig) == (LEFT, RIGHT)
    session.selection.set_flag("locked", [LEFT])
    assert VERBS[verb](session)
    message = session.messages.latest
    assert (message.level, message.text) == (Level.WARNING, "Locked bones were not changed")
    assert message.next_step == "Unlock them in the bone tree"
    assert {c.bone for c, t in session.clip.tracks.items() if t is not before.tracks.get(c)} == {RIGHT}
    session.selection.select(())
    assert set(verbs._clip_bones(session, session.rig)) == set(session.rig.skeleton.names) - {LEFT}


def test_clips_of_other_characters_are_left_and_without_any_that_is_said(session):
    other = replace(session.rig, id=AssetId("rig-other"), name="other")
    theirs = replace(session.clip, id=AssetId("clip-other"), name="theirs", rig=other.id)
    session.edits.put("other", other, theirs)
    with pytest.raises(ValidationError, match="there is no clip to mirror: create or select one first"):
        verbs.mirror_clips(session, [theirs.id])
    assert verbs.mirror_clips(session, [theirs.id, session.clip.id]) and last(session) == "Mirror swing"
    assert session.document.project.assets[theirs.id] is theirs
    session.playback.set_clip(None, session.rig.id)
    with pytest.raises(ValidationError, match="there is no clip to mirror"):
        verbs.mirror_clips(session)


def test_half_a_cycle_is_for_clips_that_loop_and_the_others_are_named(session):
    looped = replace(session.clip, id=AssetId("clip-loop"), name="loop", looping=True)
    session.edits.put("loop", looped)
    assert verbs.mirror_clips(session, [session.clip.id, looped.id], half_cycle=True)
    message = session.messages.latest
    assert (message.level, message.text) == (Level.WARNING, "Not shifted because they do not loop: swing")
    assert message.next_step == "Turn on looping for them first"
    shifted = session.document.project.assets[looped.id]
    session.undo()
    said = len(session.messages.log)
    verbs.mirror_clips(session, [session.clip.id, looped.id])
    assert len(session.messages.log) == said
    plain = session.document.project.assets[looped.id]
    channel = Channel("lower_arm_r", Property.ROTATE, 1)
    half = looped.length / 2.0
    for time in (0.0, 0.3, 0.9):
        values = [
            evaluate_scalar(shifted.tracks[channel], [time]),
            evaluate_scalar(plain.tracks[channel], [time + half]),
        ]
        assert values[0] == pytest.approx(values[1], abs=0.2)


# ---------------------------------------------------------------- rest
@pytest.mark.parametrize("parts, label", [
    (PARTS, "Rest pose @ f12"), (("rotation",), "Reset rotation @ f12"),
    (("translation", "scale"), "Reset translation, scale @ f12"),
])  # fmt: skip
def test_parts_that_are_reset_are_named(session, parts, label):
    bone = session.rig.skeleton.index("head")
    moved = turned(session, None, "head").with_bone(bone, translation=np.array([0.5, 0.5, 0.5]))
    session.keying.commit_pose("moved", moved, ["head"])
    session.selection.select(["head"])
    assert verbs.reset_parts(session, parts) and last(session) == label
    pose, rest = session.evaluator.pose(), session.rig.skeleton.rest
    turn = quat.angle_between(pose.rotations[bone], rest.rotation[bone])
    assert bool(turn < 1e-6) is ("rotation" in parts)
    assert bool(np.allclose(pose.translations[bone], rest.translation[bone])) is ("translation" in parts)


# ---------------------------------------------------------------- bone sets
def test_a_set_is_kept_under_its_name_in_one_step(session):
    session.selection.select(["head", LEFT])
    assert bone_sets.save(session, " pair ") and last(session) == "Bone set pair"
    session.selection.select(["head"])
    bone_sets.select(session, "pair")
    assert session.selection.bones == session.rig.bone_sets["pair"]
    session.selection.select(["head"])
    assert bone_sets.save(session, "pair") and session.rig.bone_sets["pair"] == ("head",)
    assert not bone_sets.save(session, "pair")
    session.selection.select(())
    with pytest.raises(ValidationError, match="select the bones of the set first"):
        bone_sets.save(session, "none")
    session.document.replace(Project({}), None)
    with pytest.raises(ValidationError, match="there is no character: open or import one first"):
        bone_sets.save(session, "none")
