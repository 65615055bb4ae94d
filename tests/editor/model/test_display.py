"""What is shown is one ordered stack of overrides: each has a name and can be left, whatever lies over it."""

from dataclasses import replace

import numpy as np
import pytest

from core.arrays import FloatArray
from core.clips.clip import Channel, Property
from core.ids import AssetId
from core.pose.pose import Pose, rest_pose
from core.tracks.keys import scalar_track
from editor.model.display.override import DisplayLevel
from editor.model.events import Event
from editor.model.session import Session
from tests.editor.shown_projects import CLIP, whole_project


class Still:
    """Another source than the clip: the rest pose, a metre up."""

    detail = ""

    def __init__(self, session: Session, title: str) -> None:
        self._session, self.title = session, title
        self.changed: Event[None] = Event()

    def pose(self) -> Pose:
        rig = self._session.rig
        assert rig is not None
        return rest_pose(rig)

    def world(self) -> FloatArray:
        return np.eye(4)

    def stop(self) -> None:
        self._session.display.hide(self)


@pytest.fixture
def session():
    made = Session.create()
    made.document.replace(whole_project(), None)
    made.playback.set_clip(CLIP)
    made.playback.seek(0.7)
    yield made
    made.close()


def bent(session: Session, degrees: float) -> Pose:
    """The pose shown with its head turned."""
    pose = session.evaluator.sampled_pose()
    half = np.radians(degrees) / 2.0
    return pose.with_bone(session.rig.skeleton.index("head"), rotation=[np.sin(half), 0.0, 0.0, np.cos(half)])


def test_nothing_lies_over_a_clip_that_is_just_shown(session: Session) -> None:
    assert session.display.shown == () and session.display.top is None
    assert session.display.clip(session.clip) is session.clip


def test_overrides_lie_in_one_order_whichever_came_first(session: Session) -> None:
    session.preview.set_pose(bent(session, 10.0))
    session.pending.put(session.rig, bent(session, 20.0), ["head"])
    source = Still(session, "standing")
    session.display.show(source)
    edited = session.clip.with_tracks({Channel("head", Property.ROTATE, 0): scalar_track([0.0], [40.0])})
    session.preview.set_clip(edited)
    levels = [override.level for override in session.display.shown]
    wanted = [DisplayLevel.DRAGGED_CLIP, DisplayLevel.SOURCE, DisplayLevel.PENDING, DisplayLevel.DRAGGED_POSE]
    assert levels == sorted(levels) == wanted
    titles = [override.title for override in session.display.shown]
    assert all(titles) and len(set(titles)) == len(titles)
    assert titles[1] == "standing" and titles[2] == "1 pending change"


def test_leaving_the_top_shows_what_is_below_down_to_the_clip(session: Session) -> None:
    head = session.rig.skeleton.index("head")
    own = session.evaluator.pose()
    source, pending, dragged = Still(session, "standing"), bent(session, 20.0), bent(session, 10.0)
    session.display.show(source)
    session.pending.put(session.rig, pending, ["head"])
    session.preview.set_pose(dragged)
    found = []
    while session.display.top is not None:
        found.append(session.evaluator.pose())
        session.display.top.leave()
    assert np.array_equal(found[0].rotations, dragged.rotations)
    assert np.array_equal(found[1].rotations[head], pending.rotations[head])
    assert np.array_equal(found[1].rotations[:head], source.pose().rotations[:head])
    assert np.array_equal(found[2].translations, source.pose().translations)
    assert len(found) == 3
    assert np.array_equal(session.evaluator.pose().rotations, own.rotations)


def test_one_level_is_left_while_those_around_it_stay(session: Session) -> None:
    session.display.show(Still(session, "standing"))
    session.preview.set_pose(bent(session, 10.0))
    session.pending.put(session.rig, bent(session, 20.0), ["head"])
    session.display.leave(DisplayLevel.PENDING)
    assert not session.pending
    assert session.display.has(DisplayLevel.SOURCE) and session.display.has(DisplayLevel.DRAGGED_POSE)


def test_second_source_stops_the_first_and_a_stopped_one_hides_no_other(session: Session) -> None:
    one, other = Still(session, "one"), Still(session, "other")
    session.display.show(one)
    session.display.show(other)
    assert session.display.source is other and len(one.changed) == 0
    one.stop()
    assert session.display.source is other
    session.stop_preview()
    assert session.display.source is None and len(other.changed) == 0


def test_transient_clip_lies_over_a_dragged_one_and_edits_name_the_documents(session: Session) -> None:
    session.preview.set_clip(replace(session.clip, name="dragged"))
    assert session.evaluator.clip.name == "dragged"
    session.playback.set_transient_clip(replace(session.clip, id=AssetId("outside"), name="outside"))
    assert session.evaluator.clip.name == "outside"
    assert session.evaluator.document_clip is session.clip
    assert session.display.top.title == "outside"


def test_a_drag_under_way_computes_no_pose_below_it(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.preview.set_pose(bent(session, 10.0))
    monkeypatch.setattr(type(session.evaluator), "sampled_pose", lambda *_: pytest.fail("sampled"))
    assert session.evaluator.pose() is session.preview.pose
