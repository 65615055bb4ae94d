"""Events of a clip without a window: each verb is one step with a name, undone to the bit, and stays in the clip."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clips.clip import Notify, NotifyRule, SyncMarker
from core.clips.contacts import contact_spans
from core.clips.notify_types import NotifyField, NotifyType
from core.errors import ValidationError
from core.ids import AssetId
from editor.model.session import Session
from editor.tools import clip_events as events
from editor.tools.clip_events import FEET, ClipEvent, Kind, Lane
from tests.editor.actions import rich
from tests.editor.rigs import small_project

FRAME = 1.0 / 30.0
PLAIN, SOUNDS, SYNC, FOOT = (
    Lane(Kind.NOTIFY), Lane(Kind.NOTIFY, name="Sounds"), Lane(Kind.SYNC), Lane(Kind.CONTACT, FEET[0]),
)  # fmt: skip


@pytest.fixture
def session():
    """A moment and a span on two lanes, three sync markers of two names, two contacts; the playhead at 1 s."""
    made = rich.session()
    clip = replace(
        made.clip,
        notifies=(Notify("step", 0.5), Notify("trail", 1.0, 0.25, {"file": "a"}, lane="Sounds")),
        sync_markers=(SyncMarker("left", 0.4), SyncMarker("right", 0.8), SyncMarker("left", 1.2)),
        event_colors={"left": "#00ff00"},
    )
    kind = NotifyType(AssetId("type"), "sound", (NotifyField("file", default="b"), NotifyField("volume")))
    made.edits.put("events", clip)
    made.edits.put("type", kind)
    made.playback.seek(1.0)
    yield made
    made.close()


def only(session: Session, lane: Lane, number: int = 0) -> ClipEvent:
    return events.on_lane(session.clip, lane)[number]


def both(session: Session) -> tuple[ClipEvent, ClipEvent]:
    return only(session, PLAIN), only(session, SOUNDS)


def on(session: Session, lane: Lane) -> list[tuple[str, float, float]]:
    return [(e.name, round(e.time, 6), round(e.end, 6)) for e in events.on_lane(session.clip, lane)]


VERBS: dict[str, Callable[[Session], object]] = {
    "Add notify @ f30": lambda s: events.add(s, PLAIN),
    "Add clap @ f15": lambda s: events.add(s, SOUNDS, 0.5, "clap", duration=0.1),
    "Add sync @ f30": lambda s: events.add(s, SYNC),
    "Add Contact left foot @ f36": lambda s: events.add(s, FOOT, 1.2),
    "Delete step": lambda s: events.delete(s, [only(s, PLAIN)]),
    "Delete 2 events": lambda s: events.delete(s, both(s)),
    "Rename step to tap": lambda s: events.rename(s, only(s, PLAIN), " tap "),
    "Rename right to left": lambda s: events.rename(s, only(s, SYNC, 1), "left"),
    "Colour of step": lambda s: events.color(s, only(s, PLAIN), "#112233"),
    "Colour of left": lambda s: events.color(s, only(s, SYNC), "#112233"),
    "Colour of Contact left foot": lambda s: events.color(s, only(s, FOOT), "#112233"),
    "longer": lambda s: events.change(s, "longer", only(s, SOUNDS), replace(only(s, SOUNDS), duration=0.5)),
    "other": lambda s: events.change_notify(s, "other", s.clip.notifies[0], Notify("other", 0.7)),
    "Lane of step": lambda s: events.to_lane(s, [only(s, PLAIN), only(s, SYNC)], "Sounds"),
    "Duplicate 2 events": lambda s: events.duplicate(s, both(s)),
    "Move trail": lambda s: events.nudge(s, [only(s, SOUNDS)], FRAME),
    "Paste 2 events @ f30": lambda s: events.paste(s, both(s)),
}  # fmt: skip


@pytest.mark.parametrize("label", list(VERBS))
def test_a_verb_is_one_step_with_its_name_and_undone_to_the_bit(session, label) -> None:
    before, steps = session.clip, session.history.position
    made = VERBS[label](session)
    assert made and session.clip is not before
    assert session.history.position == steps + 1 and session.history.labels[-1] == label
    after = session.clip
    session.undo()
    assert session.clip is before
    session.redo()
    assert session.clip is after
    for event in (made,) if isinstance(made, ClipEvent) else made if isinstance(made, tuple) else ():
        if event.lane.kind is not Kind.CONTACT:  # what is told is what lies there
            color = replace(event, data=events.found(events.on_lane(after, event.lane), event).data)
            assert color == event


@pytest.mark.parametrize("name", ["add", "delete", "change", "nudge", "duplicate", "paste", "lane", "color"])
def test_without_a_clip_or_events_nothing_happens(session, name) -> None:
    event = only(session, PLAIN)
    do = {
        "add": lambda chosen: events.add(session, PLAIN) if chosen else None,
        "delete": lambda chosen: events.delete(session, chosen),
        "change": lambda chosen: events.change(session, "same", event, replace(event, time=0.9 if chosen else 0.5)),
        "nudge": lambda chosen: events.nudge(session, chosen, 0.1),
        "duplicate": lambda chosen: events.duplicate(session, chosen),
        "paste": lambda chosen: events.paste(session, chosen),
        "lane": lambda chosen: events.to_lane(session, chosen, "Sounds"),
        "color": lambda chosen: events.color(session, event, "#112233" if chosen else ""),
    }[name]  # fmt: skip
    position = session.history.position
    assert not do(())
    session.playback.set_clip(None, session.rig.id)
    assert not do((event,)) and session.history.position == position


def test_a_renamed_notify_of_a_type_gets_what_it_carries_and_keeps_its_own(session) -> None:
    made = events.rename(session, only(session, SOUNDS), "sound")
    assert dict(made.data) == {"file": "a", "volume": ""}
    assert dict(session.clip.notifies[1].data) == {"file": "a", "volume": ""}
    assert events.rename(session, made, "sound") is None
    with pytest.raises(ValidationError):
        events.rename(session, made, "  ")
    marker = events.rename(session, only(session, SYNC, 1), "sound")
    assert marker.data == ()  # a marker carries nothing


def test_a_renamed_marker_takes_its_colour_along_and_leaves_it_to_those_of_its_name(session) -> None:
    events.rename(session, only(session, SYNC, 0), "heel")
    assert dict(session.clip.event_colors) == {"left": "#00ff00", "heel": "#00ff00"}
    made = events.rename(session, only(session, SYNC, 2), "toe")
    assert dict(session.clip.event_colors) == {"heel": "#00ff00", "toe": "#00ff00"}  # the last one left
    assert made.color == "#00ff00"
    assert events.rename(session, only(session, SYNC, 1), "heel").color == "#00ff00"
    events.color(session, only(session, SYNC, 2), "#0000ff")
    assert events.rename(session, only(session, SYNC, 2), "heel").color == "#00ff00"  # the name has its own
    assert dict(session.clip.event_colors) == {"heel": "#00ff00"}


def test_a_colour_is_given_and_taken_back_and_other_data_stays(session) -> None:
    span = events.color(session, only(session, SOUNDS), "#112233")
    assert dict(span.data) == {"file": "a", "color": "#112233"} and span.color == "#112233"
    assert events.color(session, span, "#112233") is None
    plain = events.color(session, span, "")
    assert dict(plain.data) == {"file": "a"} and only(session, SOUNDS) == plain
    events.color(session, only(session, FOOT), "#445566")
    assert dict(session.clip.event_colors) == {"left": "#00ff00", FEET[0]: "#445566"}
    assert {e.color for e in events.on_lane(session.clip, FOOT)} == {"#445566"}
    events.color(session, only(session, SYNC), "")
    assert dict(session.clip.event_colors) == {FEET[0]: "#445566"}
    assert only(session, SYNC, 2).color == ""


def test_a_contact_lasts_a_moment_at_least_and_one_in_another_is_refused(session) -> None:
    said = []
    session.messages.posted.connect(lambda message: said.append(message.text))
    made = events.add(session, FOOT, 1.2)
    assert made.duration == pytest.approx(events.SPAN)
    assert [s for s, _ in contact_spans(session.clip, FEET[0])] == pytest.approx([0.2, 1.2])
    assert [e for _, e in contact_spans(session.clip, FEET[0])] == pytest.approx([0.8, 1.4])
    before = session.clip
    for time, duration in ((0.2, 0.6), (0.3, 0.0), (0.6, 0.2)):
        assert events.add(session, FOOT, time, duration=duration) is None
    assert said == ["Contact left foot already exists"] * 3 and session.clip is before
    assert events.add(session, FOOT, 0.7) is not None  # reaches beyond: they grow together
    assert contact_spans(session.clip, FEET[0])[0] == pytest.approx((0.2, 0.9))
    assert events.add(session, PLAIN, 0.5, "step").duration == 0.0  # two notifies at a time are fine
    assert len(on(session, PLAIN)) == 2


def test_a_new_event_has_its_rule_and_stays_within_the_clip(session) -> None:
    rule = NotifyRule(branching=True)
    made = events.add(session, PLAIN, 1.9, "late", duration=0.5, rule=rule)
    assert (made.time, made.end) == pytest.approx((1.5, 2.0)) and session.clip.notifies[-1].rule == rule
    assert events.add(session, PLAIN, -1.0).time == 0.0
    assert events.add(session, PLAIN, 0.0, "all", duration=9.0).duration == session.clip.length


@given(st.floats(-3.0, 5.0), st.floats(-1.0, 5.0))
def test_an_event_kept_within_keeps_its_place_where_it_can(time, duration) -> None:
    clip = small_project(mesh=False).clips[0]
    made = events.within(clip, ClipEvent(PLAIN, "e", time, duration))
    assert made.time >= 0.0 and made.end <= clip.length + 1e-9
    assert made.duration == min(max(duration, 0.0), clip.length)
    if time >= 0.0 and duration >= 0.0 and time + duration <= clip.length:
        assert (made.time, made.duration) == (time, duration)


def test_copies_come_right_behind_on_frames_and_a_moment_a_little_later(session) -> None:
    made = events.duplicate(session, both(session))
    assert [e.time for e in made] == pytest.approx([38.0 * FRAME, 52.0 * FRAME])  # 0.75 s on, on whole frames
    session.undo()
    (copy,) = events.duplicate(session, [only(session, PLAIN)])
    assert copy.time == pytest.approx(0.6) and copy.name == "step"
    (copy,) = events.duplicate(session, [only(session, SOUNDS)])
    assert copy.time == pytest.approx(1.2666667) and copy.end == pytest.approx(copy.time + 0.25)
    assert len(on(session, PLAIN)) == 2 and len(on(session, SOUNDS)) == 2


def test_pasted_events_begin_at_the_playhead_as_far_apart_as_they_were(session) -> None:
    made = events.paste(session, both(session)[::-1])
    assert {e.name: e.time for e in made} == pytest.approx({"step": 1.0, "trail": 1.5})
    assert len(session.clip.notifies) == 4


def test_events_moved_past_each_other_keep_what_they_are(session) -> None:
    first, _, third = events.on_lane(session.clip, SYNC)
    made = events.nudge(session, [first, third], 0.5)
    assert on(session, SYNC) == [("right", 0.8, 0.8), ("left", 0.9, 0.9), ("left", 1.7, 1.7)]
    assert [e.time for e in made] == pytest.approx([0.9, 1.7])
    assert [e.time for e in events.nudge(session, made, -5.0)] == [0.0, 0.0]


def test_notifies_go_to_another_lane_and_others_stay(session) -> None:
    moved = events.to_lane(session, [only(session, PLAIN), only(session, SYNC)], "Sounds")
    assert [e.lane for e in moved] == [SOUNDS]
    assert [n for n, _, _ in on(session, SOUNDS)] == ["step", "trail"] and len(on(session, SYNC)) == 3
    assert events.free_lane(session.clip) == "Lane"
    events.to_lane(session, moved, "Lane")
    assert events.free_lane(session.clip) == "Lane 2"


def test_a_changed_notify_is_told_as_it_was_put(session) -> None:
    old = session.clip.notifies[1]
    made = events.change_notify(session, "late", old, replace(old, time=9.0, lane=""))
    assert made == replace(old, time=1.75, lane="") and made in session.clip.notifies
    assert len(session.clip.notifies) == 2
    assert events.change_notify(session, "same", made, made) is None


def test_lanes_in_use_and_those_that_could_be(session) -> None:
    clip = session.clip
    right = Lane(Kind.CONTACT, FEET[1])
    assert events.lanes_of(clip) == (PLAIN, SOUNDS, SYNC, FOOT)
    bare = replace(clip, notifies=(clip.notifies[1],), sync_markers=(), curves={})
    assert events.lanes_of(bare) == (SOUNDS,)
    assert events.lanes_of(bare, every=True) == (PLAIN, SOUNDS, SYNC, FOOT, right)
    assert [lane.title for lane in events.lanes_of(clip)] == [
        "Notifies", "Sounds", "Sync markers", "Contact left foot"
    ]  # fmt: skip


def test_names_of_moments_do_not_cover_each_other(session) -> None:
    row = [ClipEvent(PLAIN, "ab", 0.0), ClipEvent(PLAIN, "b", 0.1), ClipEvent(PLAIN, "bar", 0.25, 0.5),
           ClipEvent(PLAIN, "c", 0.5)]  # fmt: skip
    assert events.levels(row, lambda name: 0.1 * len(name)) == (0, 1, 0, 1)
    assert events.levels(row, lambda name: 0.01) == (0, 0, 0, 1)  # a bar is as long as it lasts
