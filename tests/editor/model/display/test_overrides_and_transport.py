"""Overrides one by one, what the display tells of them, and previews that take the transport over."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from core.ids import AssetId
from core.pose.pose import rest_pose
from core.project.project import Project
from editor.model.channels import morph_channel
from editor.model.display.override import DisplayLevel, DraggedClip, DrawnInstead, Source, TransientClip
from editor.model.display.transport import ClockedPreview, LookClock, TransportTaken
from editor.model.events import Event
from editor.model.session import Session
from tests.editor.model.test_display import Still
from tests.editor.panel_stage import small_session

HEAD = 3
TURNED = np.array([0.0, 0.6, 0.0, 0.8])


@pytest.fixture
def session() -> Iterator[Session]:
    made = small_session(mesh=False)
    yield made
    made.close()


@pytest.fixture
def told(session) -> list[DisplayLevel]:
    found: list[DisplayLevel] = []
    session.display.changed.connect(found.append)
    return found


def bent(session: Session):
    return session.evaluator.sampled_pose().with_bone(HEAD, rotation=TURNED)


class Looked:
    """A pose to be drawn instead, switched on and off by a test."""

    title = "looked at"

    def __init__(self) -> None:
        self.on = False
        self.changed: Event[None] = Event()

    def pose(self):
        return None

    def matrices(self):
        return None

    def stop(self) -> None:
        self.on = False
        self.changed.emit(None)


# ---------------------------------------------------------------- overrides
def test_levels_lie_in_their_order():
    assert [level.name for level in sorted(DisplayLevel)] == [
        "DRAGGED_CLIP", "TRANSIENT_CLIP", "SOURCE", "PENDING", "DRAGGED_POSE", "DRAWN",
    ]  # fmt: skip


def test_a_dragged_clip_takes_the_place_of_the_one_with_its_id_alone(session):
    override, clip = DraggedClip(session.preview), session.clip
    assert not override.active and override.clip(clip) is clip and override.clip(None) is None
    dragged = replace(clip, name="dragged")
    session.preview.set_clip(dragged)
    assert override.active and override.title == "keys as they are dragged"
    assert override.clip(clip) is dragged and override.clip(None) is None
    other = replace(clip, id=AssetId("other"))
    assert override.clip(other) is other
    override.leave()
    assert not override.active and session.preview.clip is None


def test_a_transient_clip_takes_the_place_of_any(session):
    override, clip = TransientClip(session.playback), session.clip
    assert not override.active and override.title == "" and override.clip(clip) is clip
    outside = replace(clip, id=AssetId("outside"), name="outside")
    session.playback.set_transient_clip(outside)
    assert override.active and override.title == "outside"
    assert override.clip(clip) is outside and override.clip(None) is outside
    override.leave()
    assert session.playback.transient_clip is None


def test_what_is_pending_is_counted_with_weights_and_dropped(session):
    def pending():
        return next(o for o in session.display.shown if o.level is DisplayLevel.PENDING)

    session.pending.put(session.rig, bent(session), ["head"])
    assert pending().title == "1 pending change"
    session.pending.put_weights(session.rig, {morph_channel("smile"): 0.5})
    assert pending().title == "2 pending changes"
    assert np.array_equal(session.evaluator.pose().rotations[HEAD], TURNED)
    pending().leave()
    assert not session.pending and session.display.shown == ()


@pytest.mark.parametrize("spoil", [
    lambda pose: replace(pose, rig=AssetId("other")),
    lambda pose: pose.with_local(type(pose.local)(*(part[:-1] for part in pose.local))),
])  # fmt: skip
def test_a_dragged_pose_of_another_character_or_size_is_not_shown(session, spoil):
    session.preview.hold = None
    below = session.evaluator.sampled_pose()
    session.preview.set_pose(bent(session))
    assert session.display.top.title == "the pose as it is dragged"
    assert session.evaluator.pose() is session.preview.pose
    session.preview.set_pose(spoil(bent(session)))
    assert session.evaluator.pose() is below and session.display.top is not None
    session.display.top.leave()
    assert session.preview.pose is None


def test_an_override_that_says_nothing_leaves_clip_and_pose(session):
    looked = Looked()
    override, pose = DrawnInstead(looked), session.evaluator.pose()
    assert override.clip(session.clip) is session.clip
    assert override.pose(session.rig, lambda: pose) is pose
    assert override.title == "looked at" and not override.active
    looked.on = True
    assert override.active
    override.leave()
    assert not looked.on


def test_a_source_is_always_active_and_left_by_stopping_it(session):
    still = Still(session, "standing")
    session.display.show(still)
    override = session.display.top
    assert isinstance(override, Source) and override.active and override.title == "standing"
    override.leave()
    assert session.display.source is None and session.display.top is None


# ---------------------------------------------------------------- the display
def test_each_change_is_told_with_its_level(session, told):
    session.preview.set_pose(bent(session))
    assert told == [DisplayLevel.DRAGGED_POSE]
    session.pending.put(session.rig, bent(session), ["head"])
    assert told[1:] == [DisplayLevel.PENDING]
    session.playback.set_transient_clip(replace(session.clip, id=AssetId("outside")))
    assert told[2:] == [DisplayLevel.TRANSIENT_CLIP]
    looked = Looked()
    session.display.add_drawn(looked)
    looked.changed.emit(None)
    assert told[3:] == [DisplayLevel.DRAWN]


def test_a_drag_is_told_as_one_and_its_end_is_not(session):
    dragged = []
    session.display.dragged.connect(dragged.append)
    session.preview.set_pose(bent(session))
    assert len(dragged) == 1
    session.preview.set_clip(replace(session.clip, name="dragged"))
    assert len(dragged) == 2
    session.preview.clear()
    assert len(dragged) == 2


def test_a_source_is_shown_told_and_hidden_once(session, told):
    still, other = Still(session, "one"), Still(session, "other")
    session.display.hide(still)
    assert told == []
    session.display.show(still)
    session.display.show(still)
    assert told == [DisplayLevel.SOURCE] and session.display.source is still
    still.changed.emit(None)
    assert told == [DisplayLevel.SOURCE] * 2
    session.display.hide(other)
    assert session.display.source is still and len(told) == 2
    session.display.hide(still)
    assert session.display.source is None and told == [DisplayLevel.SOURCE] * 3
    still.changed.emit(None)
    assert len(told) == 3


def test_what_is_drawn_is_the_drawn_one_while_it_is_on_top(session):
    looked = Looked()
    session.display.add_drawn(looked)
    assert session.display.drawn is None
    session.preview.set_pose(bent(session))
    assert session.display.drawn is None and session.display.top.level is DisplayLevel.DRAGGED_POSE
    looked.on = True
    assert session.display.drawn is looked and session.display.has(DisplayLevel.DRAWN)
    assert [override.level for override in session.display.shown][-1] is DisplayLevel.DRAWN
    assert session.evaluator.pose() is session.preview.pose


def test_several_levels_are_asked_for_at_once(session):
    session.pending.put(session.rig, bent(session), ["head"])
    assert session.display.has(DisplayLevel.SOURCE, DisplayLevel.PENDING)
    assert not session.display.has(DisplayLevel.SOURCE, DisplayLevel.DRAWN) and not session.display.has()
    session.display.leave(DisplayLevel.SOURCE)
    assert session.pending


def test_clips_of_both_kinds_lie_over_the_documents_and_go_again(session):
    clip, rest = session.clip, rest_pose(session.rig)
    assert session.display.clip(None) is None
    outside = replace(clip, id=AssetId("outside"))
    session.preview.set_clip(replace(clip, name="dragged"))
    assert session.display.clip(clip).name == "dragged"
    session.playback.set_transient_clip(outside)
    assert session.display.clip(clip) is outside
    session.display.leave(DisplayLevel.TRANSIENT_CLIP)
    session.display.leave(DisplayLevel.DRAGGED_CLIP)
    assert session.display.clip(clip) is clip
    assert session.display.pose(session.rig, lambda: rest) is rest


# ---------------------------------------------------------------- previews with a clock
class Preview(ClockedPreview):
    """A preview that notes what it is asked."""

    title = detail = ""

    def __init__(self, session: Session) -> None:
        self._display, self._running = session.display, True
        self.changed: Event[None] = Event()
        self.state_changed: Event[None] = Event()
        self.told: list[int] = []
        self.toggled = 0
        self.state_changed.connect(lambda _: self.told.append(1))
        self._session = session

    def pose(self):
        return rest_pose(self._session.rig)

    def world(self):
        return np.eye(4)

    def toggle(self) -> None:
        self.toggled += 1


@pytest.fixture
def preview(session) -> Preview:
    made = Preview(session)
    session.display.show(made)
    return made


def test_a_preview_runs_while_it_is_shown_is_paused_once_and_stopped_once(session, preview):
    assert preview.on and preview.running
    preview.pause()
    preview.pause()
    assert preview.on and not preview.running and preview.told == [1]
    preview._running = True
    preview.stop()
    preview.stop()
    assert not preview.on and not preview.running and not preview._running and preview.told == [1, 1]
    preview._running = True
    assert not preview.running
    assert session.display.source is None


def test_the_play_button_runs_the_preview_in_place_of_the_clip(session, preview):
    taken = TransportTaken(session.playback, session.display, preview)
    session.playback.play()
    assert preview.toggled == 1 and not session.playback.playing and preview.on
    with taken.own():
        session.playback.play()
    assert preview.toggled == 1 and session.playback.playing
    taken.take()
    assert not session.playback.playing and preview.toggled == 1
    session.playback.in_place = not session.playback.in_place
    assert preview.toggled == 1
    preview.stop()
    session.playback.play()
    assert session.playback.playing and preview.toggled == 1


@pytest.mark.parametrize("end", ["scrub", "clip", "drag"])
def test_scrubbing_another_clip_and_posing_end_it(session, preview, end):
    TransportTaken(session.playback, session.display, preview)
    if end == "scrub":
        session.playback.seek(0.5)
    elif end == "clip":
        session.playback.set_clip(None, session.rig.id)
    else:
        session.preview.set_pose(bent(session))
    assert not preview.on


def test_its_own_seeks_do_not_end_it_and_another_clip_may_do_something_else(session, preview):
    chosen = []
    taken = TransportTaken(session.playback, session.display, preview, lambda: chosen.append(1))
    with taken.own():
        session.playback.seek(0.5)
    assert preview.on
    with pytest.raises(ZeroDivisionError), taken.own():
        raise ZeroDivisionError
    session.playback.set_clip(None, session.rig.id)
    assert chosen == [1]
    session.display.show(preview)
    session.playback.seek(0.7)
    assert not preview.on


@pytest.mark.parametrize("looks, found", [
    ([1.0, 1.125, 1.25], [None, 0.125, 0.125]), ([1.0, 1.5, 9.0], [None, 0.25, 0.25]), ([1.0, 1.25], [None, 0.25]),
    ([1.0, 0.5, 0.75], [None, 0.0, 0.25]), ([0.0, 0.125], [None, 0.125]),
])  # fmt: skip
def test_seconds_between_looks_count_up_to_the_longest(looks, found):
    clock = LookClock(0.25)
    assert [clock.elapsed(now) for now in looks] == found
    clock.rest()
    assert clock.elapsed(looks[-1] + 1.0) is None


def test_an_empty_document_shows_nothing(session):
    session.document.replace(Project({}), None)
    assert session.display.top is None and session.display.clip(None) is None
