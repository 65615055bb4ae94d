"""What one does to the open montage by keys, menus and the palette; each is one step."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from core.clips.clip import Clip, Notify
from core.clips.edits import checked_name
from core.clips.notify_types import NotifyType, type_of
from core.errors import AnimError, ValidationError
from core.graph import montage_edits as edits
from core.graph.montage import Montage
from core.graph.montage_problems import Part
from core.ids import AssetId
from editor.model.clipboard import Clipboard
from editor.model.event_text import HEAD, Copied, read, written
from editor.model.i18n import tr, trn
from editor.model.messages import Messages
from editor.model.montage.montages import Item, Montages
from editor.model.montage.preview import MontagePreview
from editor.model.session import Session

SPAN = 0.2
"""Seconds that a moment lasts that is made a span."""


class MontageVerbs:
    """Verbs on the open montage."""

    def __init__(
        self, montages: Montages, preview: MontagePreview, messages: Messages, clipboard: Clipboard
    ) -> None:
        self.montages, self.preview, self.messages = montages, preview, messages
        self._clipboard = clipboard

    @property
    def can_paste(self) -> bool:
        """Whether the clipboard holds notifies or segments."""
        return self._clipboard.kind == HEAD

    def attempt(self, work: Callable[[], object]) -> bool:
        """Do something that may be refused; the reason becomes a message."""
        try:
            work()
        except AnimError as error:
            self.messages.error(str(error))
            return False
        return True

    @property
    def montage(self) -> Montage:
        """The open montage."""
        return self.montages.require()

    @property
    def now(self) -> float:
        """Where the playhead is."""
        return self.preview.position

    # ------------------------------------------------------------ tracks, segments
    def add_clip(self, clip: Clip, track: int = 0, place: float | None = None) -> None:
        """Put all of a clip on a track, behind the last segment where no place is given."""
        montage = self.montage
        if clip.rig != montage.rig:
            self.messages.error(tr("{clip} is for another rig: retarget it first", clip=clip.name))
            return
        if not montage.tracks:
            slot = next(iter(self.montages.slots()), "DefaultGroup.UpperBody").partition(".")[2]
            montage = edits.with_track(montage, slot)
        track = min(max(track, 0), len(montage.tracks) - 1)
        segments = montage.tracks[track].segments
        at = place if place is not None else (segments[-1].last if segments else 0.0)

        def work() -> None:
            made, number = edits.with_segment(montage, track, edits.whole(clip, max(at, 0.0)))
            self.montages.put(tr("Add {clip} to the montage", clip=clip.name), made)
            self.montages.pick(Item(Part.SEGMENT, number, track))

        self.attempt(work)

    def add_track(self, slot: str) -> None:
        """An empty track for another slot, ``group.slot``; only a montage without tracks changes its group."""

        def work() -> None:
            montage = self.montage
            group, name = edits.split_slot(slot) if "." in slot else (montage.group, slot)
            if montage.tracks and group != montage.group:
                raise ValidationError(
                    tr("All slots of a montage are in one group, here {group}: make another montage for {slot}",
                       group=montage.group, slot=slot)
                )  # fmt: skip
            montage = replace(montage, group=group)
            self.montages.put(tr("Add track {slot}", slot=name), edits.with_track(montage, name))

        self.attempt(work)

    def set_slot(self, track: int, slot: str) -> None:
        """Another slot for a track."""
        name = slot.rpartition(".")[2]
        self.attempt(
            lambda: self.montages.put(
                tr("Slot {slot}", slot=name), edits.with_slot(self.montage, track, name)
            )
        )

    def delete_track(self, track: int) -> None:
        """A track with its segments."""
        montage = self.montage
        if 0 <= track < len(montage.tracks):
            label = tr("Delete track {slot}", slot=montage.tracks[track].slot)
            self.montages.put(label, edits.without_track(montage, track))
            self.montages.pick()

    def split(self) -> None:
        """Cut the segments under the playhead in two: the selected one, else that of every track."""
        made, montage = self.montage, self.montage
        chosen = {item.track for item in self.montages.picked if item.part is Part.SEGMENT}
        for track in chosen or range(len(montage.tracks)):
            made = edits.split(made, track, self.now)
        if made is montage or not self.montages.put(tr("Split segment"), made):
            self.messages.info(tr("No segment is under the playhead"))

    def close_gaps(self) -> None:
        """Push the segments of every track together."""
        made = self.montage
        for track in range(len(made.tracks)):
            made = edits.closed_up(made, track)
        self.montages.put(tr("Close gaps"), made)

    # ------------------------------------------------------------ sections
    def add_section(self, name: str = "", time: float | None = None) -> Item | None:
        """A section that begins at a time, at the playhead by default."""
        at = self.now if time is None else time
        try:
            made, given = edits.with_section(self.montage, at, name or tr("section"))
        except AnimError as error:
            self.messages.error(str(error))
            return None
        self.montages.put(tr("Add section {name}", name=given), made)
        item = Item(Part.SECTION, edits.section_number(made, given))
        self.montages.pick(item)
        return item

    def rename_section(self, number: int, name: str) -> None:
        """Another name for a section; links follow."""
        if number >= len(self.montage.sections):
            return  # undone while it was typed
        old = self.montage.sections[number].name
        label = tr("Rename {old} to {new}", old=old, new=name.strip())
        self.attempt(lambda: self._put_if(label, edits.renamed_section(self.montage, old, name)))

    def link(self, number: int, follows: str) -> None:
        """What follows a section; "" ends the montage."""
        name = self.montage.sections[number].name
        label = tr("{section} goes on to {next}", section=name, next=follows or tr("the end"))
        self._put_if(label, edits.linked(self.montage, name, follows))

    def loop_section(self) -> None:
        """Let the section selected (else the one under the playhead) follow itself, or no longer."""
        number = self.section_meant()
        if number is None:
            self.messages.info(tr("Add a section first"))
            return
        section = self.montage.sections[number]
        follows = section.name
        if section.next == section.name:
            more = number + 1 < len(self.montage.sections)
            follows = self.montage.sections[number + 1].name if more else ""
        self.link(number, follows)

    def section_meant(self) -> int | None:
        """Number of the section selected, else of that under the playhead."""
        montage = self.montages.current
        picked = next((i.number for i in self.montages.picked if i.part is Part.SECTION), None)
        if picked is not None or montage is None:
            return picked
        found = edits.section_at(montage, self.now)
        return None if found is None else montage.sections.index(found)

    def play_section(self, loop: bool = False) -> None:
        """Play from the section meant on, repeating it with `loop`."""
        montage, number = self.montages.current, self.section_meant()
        if montage is not None:
            name = "" if number is None else montage.sections[number].name
            self.preview.play(name, loop and number is not None)

    # ------------------------------------------------------------ notifies
    def add_notify(
        self,
        name: str = "",
        time: float | None = None,
        *,
        lane: str = "",
        duration: float = 0.0,
        branching: bool = False,
    ) -> Item:
        """A notify at a time, the playhead by default; of a type it carries what that says."""
        at = self.now if time is None else time
        type_ = type_of(name, self.montages.project.all(NotifyType)) if name else None
        made = (
            type_.made(at, lane)
            if type_ is not None
            else Notify(name or tr("notify"), at, duration, lane=lane)
        )
        if branching:
            made = replace(made, rule=replace(made.rule, branching=True))
        return self._put_notifies(tr("Add {what}", what=made.name), (made,), ())[0]

    def change_notify(self, label: str, number: int, made: Notify) -> None:
        """Another notify in the place of one."""
        if self.montage.notifies[number] != made:
            self._put_notifies(label, (made,), (number,))

    def rename_notify(self, number: int, name: str) -> None:
        """Another name for a notify; one of a type gets what that carries."""
        if number >= len(self.montage.notifies):
            return  # undone while it was typed
        old = self.montage.notifies[number]

        def work() -> None:
            made = replace(old, name=checked_name(name))
            type_ = type_of(made.name, self.montages.project.all(NotifyType))
            if type_ is not None and made.name != old.name:
                made = replace(made, data={**type_.made(0.0).data, **old.data})
            self.change_notify(tr("Rename {old} to {new}", old=old.name, new=made.name), number, made)

        self.attempt(work)

    def toggle_branching(self, number: int) -> None:
        """A notify cuts the montage's step at its moment, or no longer."""
        old = self.montage.notifies[number]
        made = replace(old, rule=replace(old.rule, branching=not old.rule.branching))
        self.change_notify(tr("Branching of {what}", what=old.name), number, made)

    def toggle_span(self, number: int) -> None:
        """A moment becomes a span, a span a moment."""
        old = self.montage.notifies[number]
        label = tr("Make {what} a moment") if old.duration > 0.0 else tr("Make {what} a span")
        made = replace(old, duration=0.0 if old.duration > 0.0 else SPAN)
        self.change_notify(label.format(what=old.name), number, made)

    def _put_notifies(self, label: str, made: tuple[Notify, ...], gone: Iterable[int]) -> tuple[Item, ...]:
        montage = self.montage
        after, places = with_notifies(montage, made, gone)
        self.montages.put(label, after)
        items = tuple(Item(Part.NOTIFY, place) for place in places)
        self.montages.pick(*items)
        return items

    # ------------------------------------------------------------ what is selected
    def delete(self) -> None:
        """Delete what is selected."""
        montage, picked = self.montage, self.montages.picked
        if not picked:
            return
        made = edits.without_segments(
            montage, [(item.track, item.number) for item in picked if item.part is Part.SEGMENT]
        )
        for name in [montage.sections[i.number].name for i in picked if i.part is Part.SECTION]:
            made = edits.without_section(made, name)
        numbers = {item.number for item in picked if item.part is Part.NOTIFY}
        if numbers:
            kept = tuple(n for k, n in enumerate(made.notifies) if k not in numbers)
            made = replace(made, notifies=kept)
        self.montages.pick()
        self.montages.put(tr("Delete {what}", what=self.named(montage, picked)), made)

    @staticmethod
    def named(montage: Montage, items: tuple[Item, ...]) -> str:
        """Items in words."""
        if len(items) == 1 and items[0].part is Part.SECTION:
            return montage.sections[items[0].number].name
        if len(items) == 1 and items[0].part is Part.NOTIFY:
            return montage.notifies[items[0].number].name
        return trn("{count} item", "{count} items", len(items))

    def copy(self) -> None:
        """Put the selected segments and notifies on the clipboard."""
        copied = self._picked()
        if copied:
            self._clipboard.text = written(copied)

    def _picked(self) -> Copied:
        """What is selected, to be pasted."""
        montage, picked = self.montage, self.montages.picked
        segments = tuple(
            (montage.tracks[i.track].slot, montage.tracks[i.track].segments[i.number])
            for i in sorted(picked, key=lambda i: (i.track, i.number))
            if i.part is Part.SEGMENT
        )
        notifies = tuple(montage.notifies[i.number] for i in picked if i.part is Part.NOTIFY)
        return Copied(segments, notifies)

    def paste(self) -> None:
        """Put what the clipboard holds at the playhead, as far from each other as it was.

        Segments of clips that this character does not have are left out, in words.
        """

        def work() -> None:
            copied, rig = read(self._clipboard.text), self.montage.rig
            assets = self.montages.project.assets
            known = tuple(
                (slot, segment)
                for slot, segment in copied.segments
                if getattr(assets.get(segment.clip), "rig", None) == rig
            )
            missing = len(copied.segments) - len(known)
            if missing:
                self.messages.warn(
                    trn(
                        "1 segment is left out: this character does not have its clip",
                        "{count} segments are left out: this character does not have their clips",
                        missing,
                    )
                )
            self._paste(Copied(known, copied.notifies), self.now, tr("Paste"))

        self.attempt(work)

    def duplicate(self) -> None:
        """Copies of what is selected, behind it."""
        made = self._picked()
        times = [s.last for _, s in made.segments] + [
            n.time + max(n.duration, SPAN / 2) for n in made.notifies
        ]
        if times:
            self._paste(made, max(times), tr("Duplicate"))

    def _paste(self, copied: Copied, at: float, label: str) -> None:
        starts = [s.place for _, s in copied.segments] + [n.time for n in copied.notifies]
        if not starts:
            return
        offset, made = at - min(starts), self.montage
        for slot, segment in copied.segments:
            slots = [track.slot for track in made.tracks]
            if slot not in slots:
                made = edits.with_track(made, slot)
                slots.append(slot)
            put = replace(segment, place=max(segment.place + offset, 0.0))
            made, _ = edits.with_segment(made, slots.index(slot), put)
        notifies = tuple(replace(n, time=max(n.time + offset, 0.0)) for n in copied.notifies)
        made, places = with_notifies(made, notifies, ())
        if self.attempt(lambda: self.montages.put(label, made)):
            self.montages.pick(*(Item(Part.NOTIFY, place) for place in places))

    def nudge(self, seconds: float) -> None:
        """Move what is selected along the time."""
        montage, picked = self.montage, self.montages.picked
        made = montage
        items = []
        for item in sorted(picked, key=lambda i: (i.track, i.number), reverse=seconds > 0.0):
            if item.part is Part.SEGMENT:
                place = made.tracks[item.track].segments[item.number].place + seconds
                made, number = edits.moved(made, item.track, item.number, place)
                items.append(Item(Part.SEGMENT, number, item.track))
            elif item.part is Part.SECTION:
                section = made.sections[item.number]
                made = edits.moved_section(made, section.name, section.start + seconds)
                items.append(item)
        numbers = [item.number for item in picked if item.part is Part.NOTIFY]
        moved = tuple(
            replace(made.notifies[k], time=max(made.notifies[k].time + seconds, 0.0)) for k in numbers
        )
        made, places = with_notifies(made, moved, numbers)
        if self._put_if(tr("Move {what}", what=self.named(montage, picked)), made):
            self.montages.pick(*items, *(Item(Part.NOTIFY, place) for place in places))

    def pick_next(self, step: int) -> None:
        """Select the next or previous item: sections, then segments, then notifies."""
        montage = self.montages.current
        if montage is None:
            return
        every = [Item(Part.SECTION, k) for k in range(len(montage.sections))]
        every += [
            Item(Part.SEGMENT, k, t)
            for t, track in enumerate(montage.tracks)
            for k in range(len(track.segments))
        ]
        every += [Item(Part.NOTIFY, k) for k in range(len(montage.notifies))]
        if not every:
            return
        picked = self.montages.picked
        at = every.index(picked[0]) if picked and picked[0] in every else (-1 if step > 0 else 0)
        self.montages.pick(every[(at + step) % len(every)])

    def change(self, label: str, montage: Montage) -> None:
        """Put a changed montage; an equal one is no step."""
        self._put_if(label, montage)

    def _put_if(self, label: str, made: Montage) -> bool:
        if made is self.montage:
            return False
        return self.montages.put(label, made)


def with_notifies(
    montage: Montage, made: Iterable[Notify], gone: Iterable[int]
) -> tuple[Montage, tuple[int, ...]]:
    """With notifies in place of others, in order of time; also the numbers of the new ones."""
    new, out = list(made), set(gone)
    if not new and not out:
        return montage, ()
    rest = [(notify, -1) for k, notify in enumerate(montage.notifies) if k not in out]
    order = sorted([*rest, *((notify, k) for k, notify in enumerate(new))], key=lambda pair: pair[0].time)
    places = {k: place for place, (_, k) in enumerate(order) if k >= 0}
    after = replace(montage, notifies=tuple(notify for notify, _ in order))
    return after, tuple(places[k] for k in range(len(new)))


def new_from_clips(session: Session, clips: Iterable[AssetId]) -> Montage | None:
    """Make and open a montage of clips; a message where that is refused."""
    try:
        return session.feature(Montages).new(clips)
    except AnimError as error:
        session.messages.error(str(error))
        return None
