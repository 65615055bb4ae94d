"""Auto key, manual keys and the pending pose."""

from collections.abc import Callable

import numpy as np
import pytest

from core.clips.clip import Channel, Property
from core.clips.keying import Tolerance
from core.errors import AnimError
from core.math import euler, quat
from core.pose.pose import Pose
from editor.model import autokey
from editor.model.autokey import KeyState
from editor.model.edit_jobs import Made
from editor.model.messages import Level
from editor.model.session import Session
from tests.editor.rigs import small_project

HEAD = 3


@pytest.fixture
def session() -> Session:
    session = Session.create()
    session.document.replace(small_project(), None)
    yield session
    session.close()


def bent(session: Session, degrees: float = 20.0, axis: int = 1) -> Pose:
    angles = np.zeros(3)
    angles[axis] = degrees
    return session.evaluator.pose().with_bone(HEAD, rotation=euler.to_quaternion(angles, 0))


def test_commit_with_auto_key_is_one_step_with_keys_on_the_changed_channel(session: Session) -> None:
    session.playback.seek(10 / 30)
    before = session.clip
    assert session.keying.commit_pose("Rotate head 20° @ f10", bent(session), ["head", "spine"])
    assert session.history.labels == ("Rotate head 20° @ f10",)
    new = set(session.clip.tracks) - set(before.tracks)
    assert new == {Channel("head", Property.ROTATE, 1)}
    assert session.clip.tracks[Channel("head", Property.ROTATE, 1)].times.tolist() == [10 / 30]
    session.undo()
    assert session.clip is before


class Later:
    """A runner that works when it is told to."""

    def __init__(self) -> None:
        self.works: list[tuple[Callable[[], None], Callable[[], None]]] = []

    def __call__(self, work: Callable[[], None], then: Callable[[], None]) -> None:
        self.works.append((work, then))

    def go(self) -> None:
        works, self.works = self.works, []
        for work, then in works:
            work()
            then()


def crowd(session: Session, monkeypatch: pytest.MonkeyPatch) -> Later:
    """As if the bones had too many keys to be keyed on the window's thread."""
    monkeypatch.setattr(autokey, "AT_ONCE", -1)
    session.jobs.runner, session.edit_jobs.grace = Later(), 0.001
    return session.jobs.runner


def test_commit_on_many_keys_is_a_job_and_the_pose_stays_in_sight_meanwhile(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    later, before, wanted = crowd(session, monkeypatch), session.clip, bent(session)
    session.playback.seek(10 / 30)
    session.preview.set_pose(wanted)
    assert session.keying.commit_pose("Rotate", wanted, ["head", "spine"])
    session.preview.clear()
    assert session.clip is before and [job.title for job in session.jobs.running] == ["Rotate"]
    assert quat.angle_between(session.evaluator.pose().rotations[HEAD], wanted.rotations[HEAD]) < 1e-9
    later.go()
    assert session.history.labels == ("Rotate",) and not session.keying.pending
    new = set(session.clip.tracks) - set(before.tracks)
    assert new == {Channel("head", Property.ROTATE, 1)}
    assert quat.angle_between(session.evaluator.pose().rotations[HEAD], wanted.rotations[HEAD]) < 1e-9
    session.undo()
    assert session.clip is before


def test_commit_on_many_keys_that_ends_at_once_leaves_nothing_pending(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autokey, "AT_ONCE", -1)
    session.edit_jobs.grace = 400.0
    assert session.keying.commit_pose("Rotate", bent(session), ["head", "spine"])
    assert session.history.labels == ("Rotate",) and not session.keying.pending


def test_cancel_of_a_commit_on_many_keys_shows_again_what_was_there(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.keying.auto = False
    session.keying.commit_pose("Rotate", bent(session, 5.0), ["head"])
    session.keying.auto = True
    later, before, shown = crowd(session, monkeypatch), session.clip, session.evaluator.pose()
    session.keying.commit_pose("Rotate", bent(session), ["head", "spine"])
    session.edit_jobs.cancel()
    later.go()
    assert session.clip is before and session.history.labels == () and set(session.keying.pending) == {"head"}
    np.testing.assert_array_equal(session.evaluator.pose().rotations, shown.rotations)


def test_commit_on_many_keys_while_another_edit_runs_stays_pending_with_words(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = crowd(session, monkeypatch)
    session.edit_jobs.run("Other", lambda progress: Made("Other", ()))
    assert session.keying.commit_pose("Rotate", bent(session), ["head"])
    assert set(session.keying.pending) == {"head"} and "not keyed" in session.messages.latest.text
    later.go()
    assert set(session.keying.pending) == {"head"} and session.history.labels == ()


def test_commit_of_the_shown_pose_is_no_step(session: Session) -> None:
    assert not session.keying.commit_pose("nothing", session.evaluator.pose(), session.rig.skeleton.names)
    assert session.history.labels == ()


def test_commit_without_auto_key_is_pending_until_keyed(session: Session) -> None:
    session.keying.auto = False
    wanted = bent(session)
    assert session.keying.commit_pose("Rotate", wanted, ["head", "spine"])
    assert set(session.keying.pending) == {"head"} and session.history.labels == ()
    assert session.keying.key_state("head", Property.ROTATE, 1) is KeyState.PENDING
    assert session.keying.key_state("head", Property.ROTATE, 0) is KeyState.NONE
    session.playback.seek(1.0)
    assert set(session.keying.pending) == {"head"}
    assert quat.angle_between(session.evaluator.pose().rotations[HEAD], wanted.rotations[HEAD]) < 1e-9
    assert session.keying.set_key()
    assert not session.keying.pending
    assert session.clip.tracks[Channel("head", Property.ROTATE, 1)].times.tolist() == [1.0]
    assert session.keying.key_state("head", Property.ROTATE, 1) is KeyState.KEYED
    assert session.history.labels[-1].startswith("Set key 16 bones @ f30")


def test_drop_pending_shows_the_clip_again(session: Session) -> None:
    session.keying.auto = False
    session.keying.commit_pose("Rotate", bent(session), ["head"])
    assert session.keying.drop_pending() and not session.keying.drop_pending()
    np.testing.assert_array_equal(
        session.evaluator.pose().rotations, session.evaluator.sampled_pose().rotations
    )


def test_pending_moved_back_to_the_clip_is_no_longer_pending(session: Session) -> None:
    session.keying.auto = False
    clip_pose = session.evaluator.pose()
    session.keying.commit_pose("there", bent(session), ["head"])
    session.keying.commit_pose("back", clip_pose, ["head"])
    assert not session.keying.pending


def test_set_key_without_changes_says_so(session: Session) -> None:
    assert not session.keying.set_key()
    assert "No key set" in session.messages.latest.text and session.history.labels == ()


def test_set_key_of_a_held_pose_keys_the_existing_channels(session: Session) -> None:
    session.playback.seek(0.1)
    session.selection.select(["upper_arm_l"])
    before = session.evaluator.pose()
    assert session.keying.set_key(which="used")
    keyed = [c for c, t in session.clip.tracks.items() if 0.1 in t.times]
    assert {c.bone for c in keyed} == {"upper_arm_l"} and {c.property for c in keyed} == {Property.ROTATE}
    np.testing.assert_allclose(session.evaluator.pose().rotations, before.rotations, atol=1e-12)
    assert not session.keying.set_key(which="used") and "are these already" in session.messages.latest.text


def test_set_key_keys_a_pending_change_of_another_channel_too(session: Session) -> None:
    session.keying.auto = False
    arm = session.rig.skeleton.index("upper_arm_l")
    pose = session.evaluator.pose()
    place = pose.translations[arm] + [0.0, 0.5, 0.0]
    session.keying.commit_pose("Move", pose.with_bone(arm, translation=place), ["upper_arm_l"])
    session.selection.select(["upper_arm_l"])
    assert session.keying.set_key(which="used") and not session.keying.pending
    np.testing.assert_allclose(session.evaluator.pose().translations[arm], place, atol=1e-12)


@pytest.mark.parametrize(("which", "count"), [("all", 9), ("existing", 3), ("used", 3)])
def test_set_key_on_all_or_existing_channels(session: Session, which: str, count: int) -> None:
    session.playback.seek(0.1)
    session.selection.select(["upper_arm_l"])
    assert session.keying.set_key(which=which)
    keyed = [c for c, t in session.clip.tracks.items() if 0.1 in t.times]
    assert len(keyed) == count and {c.bone for c in keyed} == {"upper_arm_l"}


def test_locked_bones_are_left_alone_with_a_message(session: Session) -> None:
    session.selection.set_flag("locked", ["head"])
    assert not session.keying.commit_pose("Rotate", bent(session), ["head"])
    assert session.messages.latest.level is Level.WARNING and "head is locked" in session.messages.latest.text
    assert not session.keying.delete_keys(["head"]) and not session.keying.set_key(["head"])


def test_delete_keys_takes_the_selections_keys_here(session: Session) -> None:
    session.selection.select(["upper_arm_l"])
    assert not session.keying.delete_keys() or session.playback.time == 0.0
    session.undo()
    session.playback.seek(20 / 30)
    assert session.keying.delete_keys()
    assert all(len(t) == 3 for c, t in session.clip.tracks.items() if c.bone == "upper_arm_l")
    assert len(session.clip.tracks[Channel("lower_arm_l", Property.ROTATE, 1)]) == 4
    assert not session.keying.delete_keys()


def test_insert_key_keeps_every_curve(session: Session) -> None:
    session.selection.select(["upper_arm_l"])
    session.playback.seek(0.3)
    times = np.linspace(0, 2, 30)
    before = session.evaluator.sample_many(times).rotations
    assert session.keying.insert_key()
    np.testing.assert_allclose(session.evaluator.sample_many(times).rotations, before, atol=1e-9)


def test_commit_without_a_clip_makes_one_in_the_same_step(session: Session) -> None:
    session.clips.delete(session.clip.id)
    steps = session.history.position
    assert session.keying.commit_pose("Rotate", bent(session), ["head"])
    assert session.history.position == steps + 1 and len(session.clip.tracks) == 1
    session.undo()
    assert session.clip is None and session.rig is not None


def test_commit_without_a_character_is_refused_with_a_reason(session: Session) -> None:
    pose = session.evaluator.pose()
    session.files.new()
    with pytest.raises(AnimError, match="no character"):
        session.keying.commit_pose("Rotate", pose, ["head"])


def test_tolerance_is_adjustable_and_remembered(session: Session) -> None:
    session.keying.tolerance = Tolerance(rotate=30.0)
    assert not session.keying.commit_pose("Rotate", bent(session, 20.0), ["head"])
    other = Session.create()
    assert other.keying.tolerance.rotate == 30.0
    other.close()


def test_pending_of_another_character_is_dropped_with_a_warning(session: Session) -> None:
    session.keying.auto = False
    session.keying.commit_pose("Rotate", bent(session), ["head"])
    session.document.replace(small_project(), None)
    assert not session.keying.pending


def test_repeated_turns_the_same_way_never_spin_back(session: Session) -> None:
    """Keying 90° steps by quaternion, the angles go on to 720° instead of jumping."""
    for step in range(9):
        session.playback.seek(step * 0.2)
        session.keying.commit_pose(
            "turn", bent(session, step * 90.0 - (360.0 if step * 90 > 180 else 0.0)), ["head"]
        )
    track = session.clip.scalar(Channel("head", Property.ROTATE, 1))
    assert track is not None and len(session.clip.bones()) == 4
    np.testing.assert_allclose(np.diff(track.values), 90.0, atol=1e-6)
