"""Notifies, sync markers and contacts of a clip on the timeline: one kind of value, pure edits, and the drag.

Free of Qt.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from core.clips.clip import Clip, Notify, NotifyRule, SyncMarker
from core.clips.contacts import PREFIX, contact_names, contact_spans, with_contacts
from core.clips.edits import checked_name
from core.clips.notify_types import NotifyType, type_of
from core.graph.montage_edits import free_name
from core.timing import TIME_EPSILON, frame_text
from editor.model.i18n import tr, trn
from editor.model.lanes import stacked
from editor.model.session import Session

SPAN = 0.2
"""Seconds that a new contact, and a moment that is made a span, last."""
PLAIN = NotifyRule()
COLOR = "color"
"""Name of an event's colour (``#rrggbb``) among its data.

Each notify has its own, in the file, too; sync markers of one name share theirs, and the contacts of a lane: see
`Clip.event_colors`.
"""
FEET = (f"{PREFIX}left_foot", f"{PREFIX}right_foot")


class Kind(Enum):
    """What lies on a lane."""

    NOTIFY = "notify"
    SYNC = "sync"
    CONTACT = "contact"


@dataclass(frozen=True, slots=True)
class Lane:
    """One lane: notifies of one lane (`name`), all sync markers, or one limb's contacts (`curve` names their curve)."""

    kind: Kind
    curve: str = ""
    name: str = ""

    @property
    def title(self) -> str:
        """What stands in the label column."""
        if self.kind is Kind.CONTACT:
            return tr("Contact {limb}", limb=self.curve.removeprefix(PREFIX).replace("_", " "))
        return (self.name or tr("Notifies")) if self.kind is Kind.NOTIFY else tr("Sync markers")


@dataclass(frozen=True, slots=True)
class ClipEvent:
    """One notify, sync marker or contact.

    Parameters
    ----------
    time, duration : seconds; a duration of 0 is a moment
    data : a notify's own data, as pairs; of what else lies on the lanes the colour it shares
    """

    lane: Lane
    name: str
    time: float
    duration: float = 0.0
    data: tuple[tuple[str, str], ...] = ()
    rule: NotifyRule = field(default_factory=NotifyRule)

    @property
    def end(self) -> float:
        """Second at which it ends."""
        return self.time + self.duration

    @property
    def color(self) -> str:
        """The colour it was given, "" for none."""
        return dict(self.data).get(COLOR, "")


def lanes_of(clip: Clip, every: bool = False) -> tuple[Lane, ...]:
    """The lanes of a clip that have something on them; with `every` those that could, too (both feet)."""
    names = {notify.lane for notify in clip.notifies} | ({""} if every else set())
    found = [Lane(Kind.NOTIFY, name=name) for name in sorted(names)]
    found += [Lane(Kind.SYNC)] if clip.sync_markers or every else []
    curves = dict.fromkeys((*(FEET if every else ()), *contact_names(clip)))
    return (*found, *(Lane(Kind.CONTACT, name) for name in curves))


def on_lane(clip: Clip, lane: Lane) -> tuple[ClipEvent, ...]:
    """What lies on a lane, in order."""
    if lane.kind is Kind.NOTIFY:
        return tuple(
            ClipEvent(lane, n.name, n.time, n.duration, tuple(n.data.items()), n.rule)
            for n in clip.notifies
            if n.lane == lane.name
        )
    if lane.kind is Kind.SYNC:
        return tuple(ClipEvent(lane, m.name, m.time, 0.0, _shared(clip, m.name)) for m in clip.sync_markers)
    spans, data = contact_spans(clip, lane.curve), _shared(clip, lane.curve)
    return tuple(ClipEvent(lane, lane.title, start, end - start, data) for start, end in spans)


def notify_of(event: ClipEvent) -> Notify:
    """The notify that an event on a lane of notifies stands for."""
    return Notify(event.name, event.time, event.duration, dict(event.data), event.rule, event.lane.name)


def event_of(notify: Notify) -> ClipEvent:
    """A notify as an event on its lane."""
    lane = Lane(Kind.NOTIFY, name=notify.lane)
    return ClipEvent(lane, notify.name, notify.time, notify.duration, tuple(notify.data.items()), notify.rule)


def levels(events: Sequence[ClipEvent], text: Callable[[str], float]) -> tuple[int, ...]:
    """The level of each event of a lane, so that none covers another.

    Parameters
    ----------
    text : seconds that a moment's name takes
    """
    return stacked((e.time, e.end if e.duration > 0.0 else e.time + text(e.name)) for e in events)


def _shared(clip: Clip, key: str) -> tuple[tuple[str, str], ...]:
    color = clip.event_colors.get(key, "")
    return ((COLOR, color),) if color else ()


def with_lane(clip: Clip, lane: Lane, events: Iterable[ClipEvent]) -> Clip:
    """The clip with these events on a lane, in order of time."""
    found = sorted(events, key=lambda e: (e.time, e.name))
    if lane.kind is Kind.NOTIFY:
        others = [notify for notify in clip.notifies if notify.lane != lane.name]
        made = sorted([*others, *map(notify_of, found)], key=lambda n: n.time)
        return replace(clip, notifies=tuple(made))
    if lane.kind is Kind.SYNC:
        return replace(clip, sync_markers=tuple(SyncMarker(e.name, e.time) for e in found))
    return with_contacts(clip, lane.curve, [(e.time, e.end) for e in found])


def replaced(clip: Clip, changes: Iterable[tuple[ClipEvent | None, ClipEvent | None]]) -> Clip:
    """The clip with events put in place of others: pairs of old (None adds) and new (None removes)."""
    for old, new in changes:
        lane = (old or new).lane if (old or new) is not None else None  # type: ignore[union-attr]
        if lane is None:
            continue
        events = list(on_lane(clip, lane))
        if old is not None:
            there = found(events, old)
            if there is not None:
                events.remove(there)
        clip = with_lane(clip, lane, events + ([new] if new is not None else []))
    return clip


def found(events: Iterable[ClipEvent], wanted: ClipEvent) -> ClipEvent | None:
    """The event among others that is the wanted one, but for the rounding of times."""

    def same(event: ClipEvent) -> bool:
        near = abs(event.time - wanted.time) < TIME_EPSILON and abs(event.end - wanted.end) < TIME_EPSILON
        told = (event.lane, event.name, event.data, event.rule)
        return near and told == (wanted.lane, wanted.name, wanted.data, wanted.rule)

    return next((event for event in events if same(event)), None)


def within(clip: Clip, event: ClipEvent) -> ClipEvent:
    """The event kept within the clip, its length as far as there is room."""
    duration = min(max(event.duration, 0.0), clip.length)
    return replace(event, time=min(max(event.time, 0.0), clip.length - duration), duration=duration)


# ---------------------------------------------------------------- on a session
def add(
    session: Session,
    lane: Lane,
    time: float | None = None,
    name: str = "",
    *,
    duration: float = 0.0,
    rule: NotifyRule = PLAIN,
) -> ClipEvent | None:
    """Add an event at a time, the current one by default; one step."""
    clip = session.clip
    if clip is None:
        return None
    at = session.playback.time if time is None else time
    contact = lane.kind is Kind.CONTACT
    least = max(SPAN, clip.rate.frame) if contact else 0.0
    made = within(clip, ClipEvent(lane, name or _first_name(lane), at, max(least, duration), (), rule))
    if contact and any(e.time <= made.time and made.end <= e.end for e in on_lane(clip, lane)):
        session.messages.info(tr("{what} already exists", what=lane.title))
        return None
    what = lane.title if contact else made.name
    label = tr("Add {what} @ f{frame}", what=what, frame=frame_text(clip.rate.to_frame(made.time)))
    session.edits.put(label, replaced(clip, [(None, made)]))
    return made


def delete(session: Session, events: Iterable[ClipEvent]) -> bool:
    """Take events away; one step."""
    gone, clip = tuple(events), session.clip
    if clip is None or not gone:
        return False
    return session.edits.put(
        tr("Delete {what}", what=named(gone)), replaced(clip, [(event, None) for event in gone])
    )


def rename(session: Session, event: ClipEvent, name: str) -> ClipEvent | None:
    """Give a notify or sync marker another name; one step.

    Raises
    ------
    ValidationError
        The name is empty.
    """
    clip = session.clip
    made = replace(event, name=checked_name(name))
    if clip is None or made == event:
        return None
    type_ = type_of(made.name, session.document.project.all(NotifyType))
    if event.lane.kind is Kind.NOTIFY and type_ is not None:
        made = replace(made, data=tuple({**type_.made(0.0).data, **dict(event.data)}.items()))
    result = replaced(clip, [(event, made)])
    if event.lane.kind is Kind.SYNC:
        result = _color_carried(result, event, made.name)
        made = replace(made, data=_shared(result, made.name))
    session.edits.put(tr("Rename {old} to {new}", old=event.name, new=made.name), result)
    return made


def _color_carried(clip: Clip, old: ClipEvent, name: str) -> Clip:
    """The clip with the colour of a renamed marker under its new name, which may have one of its own."""
    colors = dict(clip.event_colors)
    if old.color:
        colors.setdefault(name, old.color)
    if not any(marker.name == old.name for marker in clip.sync_markers):
        colors.pop(old.name, None)
    return replace(clip, event_colors=colors) if colors != dict(clip.event_colors) else clip


def change(session: Session, label: str, old: ClipEvent, new: ClipEvent) -> ClipEvent | None:
    """Put an event in another's place; one step."""
    clip = session.clip
    if clip is None or old == new:
        return None
    new = within(clip, new)
    return new if session.edits.put(label, replaced(clip, [(old, new)])) else None


def color(session: Session, event: ClipEvent, color: str) -> ClipEvent | None:
    """Give an event a colour (``#rrggbb``, or "" for that of its name); one step.

    A notify has its own; sync markers of one name share theirs, and the contacts of a lane.
    """
    clip = session.clip
    kept = tuple((key, value) for key, value in event.data if key != COLOR)
    made = replace(event, data=(*kept, (COLOR, color)) if color else kept)
    if clip is None or made == event:
        return None
    if event.lane.kind is Kind.NOTIFY:
        result = replaced(clip, [(event, made)])
    else:
        key = event.lane.curve or event.name
        others = {name: known for name, known in clip.event_colors.items() if name != key}
        result = replace(clip, event_colors={**others, key: color} if color else others)
    session.edits.put(tr("Colour of {what}", what=event.name), result)
    return made


def change_notify(session: Session, label: str, old: Notify, new: Notify) -> Notify | None:
    """Put a notify in another's place; one step.

    Returns
    -------
    notify : as it was put, kept within the clip; None where nothing changes
    """
    made = event_of(new)
    clip = session.clip
    if clip is None or old == new:
        return None
    made = within(clip, made)
    done = session.edits.put(label, replaced(clip, [(event_of(old), None), (None, made)]))
    return notify_of(made) if done else None


def to_lane(session: Session, events: Iterable[ClipEvent], name: str) -> tuple[ClipEvent, ...]:
    """Put notifies onto another lane; one step."""
    clip = session.clip
    moved = [(e, replace(e, lane=Lane(Kind.NOTIFY, name=name))) for e in events if e.lane.kind is Kind.NOTIFY]
    if clip is None or not moved:
        return ()
    result = clip
    for old, new in moved:
        result = replaced(result, [(old, None), (None, new)])
    session.edits.put(tr("Lane of {what}", what=named(tuple(old for old, _ in moved))), result)
    return tuple(new for _, new in moved)


def free_lane(clip: Clip) -> str:
    """A name for a new lane."""
    return free_name(tr("Lane"), {notify.lane for notify in clip.notifies})


def duplicate(session: Session, events: Iterable[ClipEvent]) -> tuple[ClipEvent, ...]:
    """Copies right behind the events; one step."""
    copies, clip = tuple(events), session.clip
    if clip is None or not copies:
        return ()
    step = max(e.end for e in copies) - min(e.time for e in copies)
    step = step if step > 0.0 else max(SPAN / 2.0, clip.rate.frame)
    made = tuple(within(clip, replace(e, time=clip.rate.snap(e.time + step))) for e in copies)
    label = tr("Duplicate {what}", what=named(copies))
    return made if session.edits.put(label, replaced(clip, [(None, e) for e in made])) else ()


def nudge(session: Session, events: Iterable[ClipEvent], seconds: float) -> tuple[ClipEvent, ...]:
    """Move events along the time; one step."""
    olds, clip = tuple(events), session.clip
    if clip is None or not olds:
        return ()
    news = tuple(within(clip, replace(e, time=e.time + seconds)) for e in olds)
    changes = [*((e, None) for e in olds), *((None, e) for e in news)]
    return news if session.edits.put(tr("Move {what}", what=named(olds)), replaced(clip, changes)) else ()


def paste(session: Session, events: Iterable[ClipEvent]) -> tuple[ClipEvent, ...]:
    """Put copies at the playhead, the first there and the others as far from it as they were; one step."""
    copies, clip = tuple(events), session.clip
    if clip is None or not copies:
        return ()
    offset = session.playback.time - min(e.time for e in copies)
    made = tuple(within(clip, replace(e, time=e.time + offset)) for e in copies)
    frame = frame_text(session.playback.frame)
    session.edits.put(
        tr("Paste {what} @ f{frame}", what=named(made), frame=frame),
        replaced(clip, [(None, e) for e in made]),
    )
    return made


def named(events: tuple[ClipEvent, ...]) -> str:
    """Events in words."""
    if len(events) == 1:
        return events[0].name
    return trn("{count} event", "{count} events", len(events))


def _first_name(lane: Lane) -> str:
    return {Kind.NOTIFY: tr("notify"), Kind.SYNC: tr("sync"), Kind.CONTACT: lane.title}[lane.kind]
