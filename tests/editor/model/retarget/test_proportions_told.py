"""Clips on other proportions: names of steps, what is said, rest poses from files, and what is refused."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.errors import AnimError, ValidationError
from core.ids import AssetId
from core.math.transform import Transform
from core.project.project import Project
from core.retarget.modes import proposed_modes
from core.rig.rig import MirrorSetup, RetargetMode
from editor.model.messages import Level
from editor.model.retarget import proportions
from editor.model.session import Session
from tests.editor.panel_stage import small_session

RUN = AssetId("clip-run")


@pytest.fixture
def session() -> Iterator[Session]:
    """Two clips of the character shown, and one of another."""
    made = small_session(mesh=False)
    other = replace(made.rig, id=AssetId("rig-other"), name="other")
    run = replace(made.clip, id=RUN, name="run")
    made.edits.put("clips", run, other, replace(run, id=AssetId("clip-theirs"), rig=other.id))
    yield made
    made.close()


def last(session: Session) -> str:
    return session.history.labels[-1]


def said(session: Session) -> tuple[Level, str]:
    return session.messages.latest.level, session.messages.latest.text


def clip(session: Session, id: AssetId = RUN):
    return session.document.project.assets[id]


# ---------------------------------------------------------------- modes
def test_a_bone_without_a_mode_keeps_its_length(session):
    assert proportions.mode_of(session.rig, "head") is RetargetMode.SKELETON
    proportions.set_mode(session, RetargetMode.ANIMATION, ["head"])
    assert proportions.mode_of(session.rig, "head") is RetargetMode.ANIMATION
    assert set(proportions.MODES) == set(RetargetMode)


@pytest.mark.parametrize("bones, below, what, count", [
    (["head"], False, "head", 1), (["head", "spine"], False, "2 bones", 2), (["upper_arm_l"], True, "3 bones", 3),
    (["hand_l"], True, "hand_l", 1), (["lower_arm_l", "upper_arm_l"], True, "3 bones", 3),
])  # fmt: skip
def test_a_mode_is_given_to_bones_and_all_below_them(session, bones, below, what, count):
    session.selection.select(bones)
    assert proportions.set_mode(session, RetargetMode.ANIMATION_SCALED, None, below)
    assert last(session) == f"Translation mode of {what}: animation scaled"
    assert len(session.rig.retarget_modes) == count
    steps = session.history.position
    assert not proportions.set_mode(session, RetargetMode.ANIMATION_SCALED, bones, below)
    assert session.history.position == steps


def test_without_bones_there_is_no_mode_to_give(session):
    with pytest.raises(ValidationError, match="select bones first"):
        proportions.set_mode(session, RetargetMode.ANIMATION)


def test_whether_modes_act_on_the_clip_is_said(session):
    plain = "No mode changes swing: it was made on the character's own rest pose and plays as it is"
    assert proportions.acting(session) == plain
    proportions.set_mode(session, RetargetMode.ANIMATION, ["head"])
    assert said(session) == (Level.INFO, plain)
    assert session.messages.latest.next_step == "Choose in the Proportions panel what a clip was made on"
    proportions.add_pose(session)
    proportions.choose_source(session, "pose")
    assert proportions.acting(session) == "Modes act on swing: it was made on pose"
    count = len(session.messages.log)
    proportions.set_mode(session, RetargetMode.ANIMATION, ["spine"])
    session.playback.set_clip(None, session.rig.id)
    assert proportions.acting(session) == ""
    proportions.set_mode(session, RetargetMode.ANIMATION, ["chest"])
    assert len(session.messages.log) == count


def test_modes_are_proposed_for_every_bone(session):
    assert proportions.propose_modes(session) and last(session) == "Propose translation modes"
    assert dict(session.rig.retarget_modes) == dict(proposed_modes(session.rig.skeleton))


# ---------------------------------------------------------------- sources
def test_the_first_source_brings_modes_and_later_ones_leave_them(session):
    assert proportions.add_pose(session) == "pose" and last(session) == "Add retarget source pose"
    assert dict(session.rig.retarget_modes) == dict(proposed_modes(session.rig.skeleton))
    proportions.set_mode(session, RetargetMode.ANIMATION, ["head"])
    modes = dict(session.rig.retarget_modes)
    assert proportions.add_source(session, " pose ", session.rig.skeleton.rest) == "pose 2"
    assert dict(session.rig.retarget_modes) == modes and list(session.rig.retarget_sources) == [
        "pose",
        "pose 2",
    ]
    with pytest.raises(ValidationError):
        proportions.add_source(session, " ", session.rig.skeleton.rest)


def test_the_pose_shown_becomes_a_source(session):
    session.playback.seek(20 / 30)
    proportions.add_pose(session)
    found = session.rig.retarget_sources["pose"]
    np.testing.assert_array_equal(found.rotation, session.evaluator.pose().rotations)


def fewer(rig, gone: int, scale: float = 1.5):
    """The character half as large again, without its last bones."""
    count = len(rig.skeleton) - gone
    rest = Transform(*(np.array(part[:count]) for part in rig.skeleton.rest))
    rest = rest._replace(translation=rest.translation * scale)
    skeleton = type(rig.skeleton)(rig.skeleton.names[:count], rig.skeleton.parents[:count], rest)
    return replace(rig, name="file", skeleton=skeleton, mirror=MirrorSetup())


def loads(monkeypatch, *rigs) -> None:
    """From now on every file holds these characters."""
    project = Project(
        {AssetId(f"rig-{n}"): replace(rig, id=AssetId(f"rig-{n}")) for n, rig in enumerate(rigs)}
    )
    monkeypatch.setattr("core.io.load", lambda path, progress: type("Loaded", (), {"project": project}))


def test_the_rest_of_a_file_becomes_a_source_of_its_name(session, monkeypatch):
    loads(monkeypatch, fewer(session.rig, 0))
    count = len(session.messages.log)
    job = proportions.add_file(session, Path("folder/big.glb"))
    assert job.title == "Read big.glb" and last(session) == "Add retarget source big"
    found, rest = session.rig.retarget_sources["big"], session.rig.skeleton.rest
    np.testing.assert_allclose(found.translation, 1.5 * rest.translation)
    assert len(session.messages.log) == count


@pytest.mark.parametrize("gone, words", [
    (1, "1 bone missing in the file keep this character's rest pose: foot_r"),
    (5, "5 bones missing in the file keep this character's rest pose: calf_l, foot_l, thigh_r, calf_r, foot_r"),
    (6, "6 bones missing in the file keep this character's rest pose: thigh_l, calf_l, foot_l, thigh_r, calf_r …"),
])  # fmt: skip
def test_bones_that_the_file_lacks_are_told_up_to_five(session, monkeypatch, gone, words):
    loads(monkeypatch, fewer(session.rig, gone))
    proportions.add_file(session, Path("folder/big.glb"))
    assert said(session) == (Level.WARNING, f"big: {words}")
    found, rest = session.rig.retarget_sources["big"], session.rig.skeleton.rest
    np.testing.assert_allclose(found.translation[-gone:], rest.translation[-gone:])
    np.testing.assert_allclose(found.translation[:-gone], 1.5 * rest.translation[:-gone])


@pytest.mark.parametrize("gone, fits", [(8, True), (9, False)])
def test_half_of_the_bones_are_enough_and_less_is_another_skeleton(session, gone, fits):
    if fits:
        assert len(proportions.rest_from(session.rig, fewer(session.rig, gone))[1]) == 8
        return
    words = "file has a different skeleton than small \\(9 bones missing\\): retarget its clips instead"
    with pytest.raises(ValidationError, match=words):
        proportions.rest_from(session.rig, fewer(session.rig, gone))


def test_a_file_without_a_fitting_character_is_refused_in_words(session, monkeypatch):
    steps = session.history.position
    loads(monkeypatch)
    proportions.add_file(session, Path("folder/big.glb"))
    assert said(session) == (Level.ERROR, "big.glb holds no character")
    loads(monkeypatch, fewer(session.rig, 9))
    proportions.add_file(session, Path("folder/big.glb"))
    assert said(session)[0] is Level.ERROR and "different skeleton" in said(session)[1]
    assert session.history.position == steps


@pytest.fixture
def sourced(session) -> Session:
    """Two sources; both clips were made on the first."""
    proportions.add_pose(session)
    proportions.add_source(session, "T", session.rig.skeleton.rest)
    proportions.choose_source(session, "pose", [clip(session), session.clip])
    return session


def test_a_source_is_renamed_with_the_clips_made_on_it(sourced):
    steps = sourced.history.position
    assert proportions.rename_source(sourced, "pose", " A ") and sourced.history.position == steps + 1
    assert last(sourced) == "Rename retarget source pose to A"
    assert list(sourced.rig.retarget_sources) == ["A", "T"]
    assert clip(sourced).retarget_source == sourced.clip.retarget_source == "A"
    assert clip(sourced, AssetId("clip-theirs")).retarget_source is None
    assert proportions.rename_source(sourced, "A", "T") and list(sourced.rig.retarget_sources) == ["T 2", "T"]
    assert not proportions.rename_source(sourced, "T", " T ") and not proportions.rename_source(
        sourced, "gone", "B"
    )


def test_a_source_that_clips_were_made_on_is_not_deleted(sourced):
    assert [c.name for c in proportions.made_on(sourced, "pose")] == ["swing", "run"]
    words = "“swing”, “run” were made on “pose”: choose another source for them, or bake them"
    with pytest.raises(ValidationError, match=words):
        proportions.delete_source(sourced, "pose")
    proportions.choose_source(sourced, "T", [clip(sourced)])
    words = "“swing” was made on “pose”: choose another source for it, or bake it"
    with pytest.raises(ValidationError, match=words):
        proportions.delete_source(sourced, "pose")
    proportions.choose_source(sourced, None)
    assert proportions.delete_source(sourced, "pose") and last(sourced) == "Delete retarget source pose"
    assert list(sourced.rig.retarget_sources) == ["T"]


@pytest.mark.parametrize(
    "more, names", [(1, "“swing”, “run”, “c0” were"), (2, "“swing”, “run”, “c0” … were")]
)
def test_more_than_three_clips_are_not_all_named(sourced, more, names):
    sourced.edits.put(
        "more", *(replace(sourced.clip, id=AssetId(f"c{k}"), name=f"c{k}") for k in range(more))
    )
    with pytest.raises(ValidationError, match=names):
        proportions.delete_source(sourced, "pose")


# ---------------------------------------------------------------- clips
def test_what_clips_were_made_on_is_chosen_in_one_step(sourced):
    assert proportions.choose_source(sourced, "T") and last(sourced) == "swing made on T"
    assert clip(sourced).retarget_source == "pose"
    assert not proportions.choose_source(sourced, "T")
    both = [clip(sourced), sourced.clip]
    assert proportions.choose_source(sourced, "T", both) and last(sourced) == "run made on T"
    both = [clip(sourced), sourced.clip]
    assert proportions.choose_source(sourced, None, both)
    assert last(sourced) == "2 clips made on the character's own rest"
    with pytest.raises(ValidationError, match="there is no retarget source “gone”"):
        proportions.choose_source(sourced, "gone")
    sourced.playback.set_clip(None, sourced.rig.id)
    assert not proportions.choose_source(sourced, "T") and not proportions.choose_source(sourced, "T", [])


def test_a_bake_is_of_a_clip_made_on_other_proportions(session):
    for _ in range(2):
        with pytest.raises(
            ValidationError, match="made on the character's own rest: there is nothing to bake"
        ):
            proportions.bake(session)
        session.playback.set_clip(None, session.rig.id)
    session.playback.set_clip(RUN)
    big = session.rig.skeleton.rest
    proportions.add_source(session, "big", big._replace(translation=big.translation * 1.5))
    proportions.choose_source(session, "big")
    pose = session.evaluator.sampled_pose(0.5)
    assert proportions.bake(session) and last(session) == "Bake run to own proportions"
    assert session.clip.retarget_source is None
    np.testing.assert_allclose(session.evaluator.sampled_pose(0.5).translations, pose.translations, atol=1e-6)


def test_without_a_character_it_is_said_to_open_one(session):
    session.document.replace(Project({}), None)
    for work in (
        proportions.propose_modes, proportions.add_pose, proportions.bake,
        lambda s: proportions.set_mode(s, RetargetMode.ANIMATION, ["head"]),
        lambda s: proportions.rename_source(s, "a", "b"), lambda s: proportions.delete_source(s, "a"),
        lambda s: proportions.choose_source(s, None), lambda s: proportions.add_file(s, Path("a.glb")),
    ):  # fmt: skip
        with pytest.raises(AnimError, match="open or import a character first"):
            work(session)
