"""A gesture's pose keyed as a job, where bones have many keys: nothing to key, a first clip, what counts."""

import pytest

from core.clips.clip import Channel, Property
from core.tracks.keys import TangentMode
from editor.model import autokey, new_keys
from editor.model.session import Session
from tests.editor.model.test_autokey import bent, crowd
from tests.editor.panel_stage import small_session

TURN = Channel("head", Property.ROTATE, 1)


@pytest.fixture
def session() -> Session:
    made = small_session(mesh=False)
    yield made
    made.close()


def test_a_pose_that_changes_nothing_is_no_step_and_no_longer_pending(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.keying.auto = False
    session.keying.commit_pose("Rotate", bent(session), ["head"])
    session.keying.auto = True
    later, shown = crowd(session, monkeypatch), session.evaluator.sampled_pose()
    assert session.keying.commit_pose("Back", shown, ["head"])
    assert set(session.keying.pending) == {"head"}
    later.go()
    assert session.history.labels == () and not session.keying.pending


def test_without_a_clip_the_job_makes_one(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    later = crowd(session, monkeypatch)
    session.playback.set_clip(None)
    pose = bent(session)
    assert session.keying.commit_pose("Rotate", pose, ["head"]) and session.clip is None
    later.go()
    assert session.clip.name == "clip" and list(session.clip.tracks) == [TURN]
    assert session.history.labels == ("Rotate",) and not session.keying.pending


def test_a_first_clip_without_a_key_is_made_too(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    later = crowd(session, monkeypatch)
    session.playback.set_clip(None)
    session.keying.commit_pose("Nothing", session.evaluator.pose(), ["head"])
    later.go()
    assert session.clip.name == "clip" and not session.clip.tracks


def test_keys_of_a_job_get_the_tangents_chosen(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    new_keys.choose(session.preferences, new_keys.NewTangents.STEPPED)
    later = crowd(session, monkeypatch)
    session.keying.commit_pose("Rotate", bent(session), ["head"])
    new_keys.choose(session.preferences, new_keys.NewTangents.LINEAR)
    later.go()
    assert session.clip.tracks[TURN].modes.tolist() == [TangentMode.STEPPED]


def test_a_job_that_is_under_way_says_nothing(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    later = crowd(session, monkeypatch)
    session.keying.commit_pose("Rotate", bent(session), ["head"])
    assert session.messages.latest is None
    later.go()


@pytest.mark.parametrize(("more", "beside"), [(0, False), (1, True)])
def test_keys_of_the_bones_that_are_posed_count(
    session: Session, monkeypatch: pytest.MonkeyPatch, more: int, beside: bool
) -> None:
    """The left upper arm has three tracks of four keys each, the head has none."""
    later = crowd(session, monkeypatch)
    monkeypatch.setattr(autokey, "AT_ONCE", 12 - more)
    session.keying.commit_pose("Rotate", bent(session), ["head", "upper_arm_l"])
    assert session.edit_jobs.busy is beside and bool(session.history.labels) is not beside
    later.go()
    assert session.history.labels == ("Rotate",)
