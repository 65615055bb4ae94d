"""Edits of notifies, sync markers and contacts, to the number: by lanes, by how many, by what is selected."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.clips.clip import Notify, NotifyRule, SyncMarker
from core.clips.contacts import with_contacts
from core.clips.notify_types import NotifyField, NotifyType
from core.ids import AssetId
from editor.model.session import Session
from editor.tools import clip_events
from editor.tools.clip_events import ClipEvent, Kind, Lane
from editor.tools.event_verbs import EventVerbs
from tests.editor.actions import rich
from tests.editor.outcomes import outcome, plain
from tests.editor.uneven import uneven
from tests.pins import Pins

PINS = Pins(__file__)


@pytest.fixture
def session() -> Iterator[Session]:
    """Uneven keys of a clip that does not loop, half a second before its end."""
    made = rich.session()
    made.edits.put("uneven", uneven(made.clip))
    made.selection.select(["upper_arm_l", "head"])
    made.playback.set_range(None)
    made.playback.seek(0.7)
    yield made
    made.close()


# ---------------------------------------------------------------- events
PLAIN, SOUNDS, SYNC, FEET = (
    Lane(Kind.NOTIFY),
    Lane(Kind.NOTIFY, name="Sounds"),
    Lane(Kind.SYNC),
    Lane(Kind.CONTACT, "contact_left_foot"),
)


@pytest.fixture
def marked(session: Session) -> Session:
    """Notifies on two lanes, one of a type and one with data, sync markers of one name, contacts, colours."""
    clip = replace(
        session.clip,
        notifies=(
            Notify("step", 0.5, 0.25),
            Notify("step", 0.9, data={"color": "#445566", "gain": "2"}),
            Notify("clap", 1.2, 0.1, lane="Sounds", rule=NotifyRule(branching=True)),
            Notify("end", 2.05),
        ),
        sync_markers=(SyncMarker("left", 0.4), SyncMarker("right", 0.8), SyncMarker("left", 1.4)),
        event_colors={"left": "#112233", "contact_left_foot": "#223344"},
    )
    clip = with_contacts(clip, "contact_left_foot", [(0.2, 0.8), (1.1, 1.5)])
    kind = NotifyType(
        AssetId("type-sound"), "sound", (NotifyField("gain", default="1"), NotifyField("file", default="a"))
    )
    session.edits.put("marked", clip, kind)
    return session


def events(session: Session) -> list[ClipEvent]:
    return [e for lane in clip_events.lanes_of(session.clip) for e in clip_events.on_lane(session.clip, lane)]


def at(session: Session, lane: Lane, place: int = 0) -> ClipEvent:
    return clip_events.on_lane(session.clip, lane)[place]


LANES = {
    "plain": PLAIN,
    "sounds": SOUNDS,
    "sync": SYNC,
    "feet": FEET,
    "other foot": Lane(Kind.CONTACT, "contact_right_foot"),
}
EVENTS = {
    **{
        f"add to {name} at {time}": lambda s, lane=lane, time=time: clip_events.add(s, lane, time)
        for name, lane in LANES.items()
        for time in (None, -1.0, 0.3, 1.0, 5.0)
    },
    "add with a name": lambda s: clip_events.add(
        s, SOUNDS, 0.6, "boom", duration=0.5, rule=NotifyRule(branching=True)
    ),
    "add a long contact": lambda s: clip_events.add(s, FEET, 1.0, duration=0.9),
    **{
        f"rename {lane.title} {place} to {name!r}": lambda s, lane=lane, place=place, name=name: (
            clip_events.rename(s, at(s, lane, place), name)
        )
        for lane, place in ((PLAIN, 0), (PLAIN, 1), (SYNC, 0), (SYNC, 1))
        for name in ("sound", "right", " ", "other")
    },
    **{
        f"colour {lane.title} {place} {color!r}": lambda s, lane=lane, place=place, color=color: (
            clip_events.color(s, at(s, lane, place), color)
        )
        for lane, place in ((PLAIN, 0), (PLAIN, 1), (SYNC, 0), (SYNC, 1), (FEET, 0))
        for color in ("#abcdef", "")
    },
    **{
        f"{verb.__name__} {what}": lambda s, verb=verb, some=some: verb(s, some(s))
        for verb in (clip_events.delete, clip_events.duplicate, clip_events.paste)
        for what, some in (
            ("nothing", lambda s: ()),
            ("one", lambda s: [at(s, PLAIN)]),
            ("a moment", lambda s: [at(s, PLAIN, 1)]),
            ("all", events),
            ("contacts", lambda s: clip_events.on_lane(s.clip, FEET)),
            ("gone", lambda s: [ClipEvent(PLAIN, "no", 0.1)]),
        )
    },
    **{f"nudge by {x}": lambda s, x=x: clip_events.nudge(s, events(s), x) for x in (-0.3, 0.1, 9.0)},
    "nudge one": lambda s: clip_events.nudge(s, [at(s, SYNC, 1)], 0.1),
    "to a lane": lambda s: clip_events.to_lane(s, events(s), "Sounds"),
    "to no lane": lambda s: clip_events.to_lane(s, [at(s, SYNC)], "x"),
    "to the plain lane": lambda s: clip_events.to_lane(s, [at(s, SOUNDS)], ""),
    "change": lambda s: clip_events.change(s, "longer", at(s, PLAIN), replace(at(s, PLAIN), duration=9.0)),
    "change nothing": lambda s: clip_events.change(s, "same", at(s, PLAIN), at(s, PLAIN)),
    "change a notify": lambda s: clip_events.change_notify(
        s, "m", s.clip.notifies[0], replace(s.clip.notifies[0], time=-1.0, lane="Sounds")
    ),
    "change a notify to itself": lambda s: clip_events.change_notify(
        s, "m", s.clip.notifies[0], s.clip.notifies[0]
    ),
}


@pytest.mark.parametrize("case", list(EVENTS))
def test_edits_of_events(marked: Session, case: str) -> None:
    PINS.hold(f"events: {case}", outcome(marked, lambda: EVENTS[case](marked)))


def test_lanes_and_levels(marked: Session) -> None:
    clip = marked.clip
    lanes = [
        clip_events.lanes_of(clip),
        clip_events.lanes_of(clip, every=True),
        clip_events.lanes_of(replace(clip, notifies=()), True),
    ]
    PINS.hold("lanes", [[[lane.kind, lane.curve, lane.name, lane.title] for lane in some] for some in lanes])
    PINS.hold(
        "on lanes", plain(events(marked)), [e.color for e in events(marked)], [e.end for e in events(marked)]
    )
    for text in (0.0, 0.45, 2.0):
        PINS.hold(f"levels of {text}", clip_events.levels(events(marked), lambda name, text=text: text))
    assert clip_events.free_lane(clip) == "Lane"
    assert clip_events.free_lane(replace(clip, notifies=(Notify("a", 0.0, lane="Lane"),))) != "Lane"
    assert (
        clip_events.named((at(marked, SYNC),)) == "left"
        and clip_events.named(tuple(events(marked))) == "9 events"
    )
    event = at(marked, PLAIN, 1)
    assert clip_events.event_of(clip_events.notify_of(event)) == event
    for moved, there in ((1e-9, True), (0.001, False)):
        near = replace(event, time=event.time + moved)
        assert (clip_events.found(events(marked), near) == event) is there
    for other in (
        replace(event, name="x"),
        replace(event, data=()),
        replace(event, rule=NotifyRule(branching=True)),
        replace(event, lane=SOUNDS),
        replace(event, duration=0.1),
    ):
        assert clip_events.found(events(marked), other) is None


VERBS = {
    **{
        f"{name} of {what}": (what, lambda v, name=name: getattr(v, name)())
        for name in ("delete", "duplicate", "new_lane", "toggle_branching", "toggle_span")
        for what in ("nothing", "span", "moment", "sync", "all")
    },
    **{f"nudge of {what}": (what, lambda v: v.nudge(-0.1)) for what in ("nothing", "span", "all")},
    **{
        f"to lane of {what}": (what, lambda v: v.to_lane("Sounds"))
        for what in ("nothing", "span", "sync", "all")
    },
    **{
        f"copied and pasted: {what}": (what, lambda v: (v.copy(), v.can_paste, v.paste()))
        for what in ("nothing", "span", "sync", "all")
    },
}


@pytest.mark.parametrize("case", list(VERBS))
def test_verbs_on_what_is_selected(marked: Session, case: str) -> None:
    what, verb = VERBS[case]
    chosen = {
        "nothing": (),
        "span": (at(marked, PLAIN),),
        "moment": (at(marked, PLAIN, 1),),
        "sync": (at(marked, SYNC),),
        "all": tuple(events(marked)),
    }[what]
    told: list[object] = []
    verbs = EventVerbs(
        marked, lambda: chosen, lambda found: told.append(plain(found)), lambda: told.append("renewed")
    )
    marked.clipboard.text = ""
    PINS.hold(f"verbs: {case}", outcome(marked, lambda: verb(verbs)), told, marked.clipboard.kind)
