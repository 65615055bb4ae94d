"""The clip list: what is done, what is refused, and that both are undoable or harmless."""

from dataclasses import replace

import pytest

from core.clips.clip import Additive, AdditiveBase, AdditiveSpace, RootMotion
from core.clips.edits import KeepTime
from core.errors import AnimError, MissingReferenceError, ValidationError
from core.ids import AssetId
from core.project.project import Project
from core.timing import FrameRate
from editor.model.session import Session
from tests.editor.rigs import small_project


@pytest.fixture
def session() -> Session:
    session = Session.create()
    session.document.replace(small_project(), None)
    yield session
    session.close()


def names(session: Session) -> list[str]:
    return [clip.name for clip in session.document.project.clips]


def test_new_duplicate_rename_delete_and_back(session: Session) -> None:
    before = session.document.project
    session.clips.new()
    copy = session.clips.duplicate("clip-small")
    assert session.playback.clip == copy and names(session) == ["swing", "clip", "swing 2"]
    session.clips.rename(copy, "Schwung — 振る")
    session.clips.delete(copy)
    assert session.playback.clip is not None and session.history.labels[-1] == "Delete clip Schwung — 振る"
    session.go_to(0)
    assert session.document.project.assets == before.assets and session.playback.clip == "clip-small"


@pytest.mark.parametrize(("place", "shown"), [(0, "b"), (1, "c"), (2, "b")])
def test_after_a_delete_the_clip_below_is_shown_and_above_where_there_is_none(
    session: Session, place: int, shown: str
) -> None:
    clip = session.clip
    made = [replace(clip, id=AssetId(f"clip-{name}"), name=name) for name in "abc"]
    session.document.replace(Project({a.id: a for a in (session.rig, *made)}), None)
    session.playback.set_clip(made[place].id)
    session.clips.delete(made[place].id)
    assert session.clip.name == shown
    session.undo()
    assert session.clip.id == made[place].id


def test_after_the_delete_of_the_only_clip_none_is_shown_and_the_character_stays(session: Session) -> None:
    clip, rig = session.clip, session.rig
    session.document.replace(Project({a.id: a for a in (rig, clip)}), None)
    session.playback.set_clip(clip.id)
    session.clips.delete(clip.id)
    assert session.clip is None and session.rig.id == rig.id


def test_a_new_clip_stops_playback_at_its_first_frame(session: Session) -> None:
    session.playback.seek(0.5)
    session.playback.play()
    session.clips.new()
    assert not session.playback.playing and session.playback.time == 0.0


def test_rename_to_a_name_in_use_is_refused(session: Session) -> None:
    other = session.clips.new("other")
    with pytest.raises(ValidationError, match="already"):
        session.clips.rename(other, "swing")
    with pytest.raises(ValidationError, match="already"):
        session.clips.new("swing")
    assert not session.clips.rename(other, "other")


def test_delete_of_a_clip_in_use_is_refused_with_the_reason(session: Session) -> None:
    other = session.clips.new("lean")
    base = Additive(AdditiveSpace.LOCAL, AdditiveBase.CLIP, session.document.project.clips[0].id)
    session.edits.put("additive", replace(session.clip, additive=base))
    before = session.document.project
    with pytest.raises(ValidationError, match="“swing” is used by “lean”"):
        session.clips.delete("clip-small")
    assert session.document.project is before and session.clips.why_not_delete(other) == ""
    session.clips.delete(other)
    session.clips.delete("clip-small")
    assert names(session) == []


def test_settings_of_a_clip_are_one_named_step_each(session: Session) -> None:
    clip = session.clip.id
    assert session.clips.set_length(clip, 3.0) and not session.clips.set_length(clip, 3.0)
    session.clips.set_rate(clip, FrameRate.of(60), KeepTime.FRAMES)
    assert session.clip.length == 1.5
    session.clips.set_looping(clip, True)
    session.clips.set_root_motion(clip, RootMotion(True, "pelvis"))
    session.clips.reverse(clip)
    assert session.history.labels == (
        "Length of swing", "Frame rate of swing", "Loop of swing", "Root motion of swing", "Reverse of swing",
    )  # fmt: skip
    with pytest.raises(MissingReferenceError):
        session.clips.set_root_motion(clip, RootMotion(True, "nobody"))


def test_trim_keeps_the_frame_shown(session: Session) -> None:
    session.playback.seek(1.0)
    session.playback.set_range(0.5, 1.5)
    session.clips.trim(session.clip.id, 0.5, 1.5)
    assert (session.clip.length, session.playback.time, session.playback.range) == (1.0, 0.5, None)


def test_zero_length_is_possible_and_negative_is_not(session: Session) -> None:
    session.clips.set_length(session.clip.id, 0.0)
    session.clips.set_looping(session.clip.id, True)
    session.evaluator.pose()
    with pytest.raises(ValidationError):
        session.clips.set_length(session.clip.id, -1.0)


def test_new_without_a_character_is_refused_with_a_reason() -> None:
    session = Session.create()
    with pytest.raises(AnimError, match="open or import"):
        session.clips.new()
    session.close()
