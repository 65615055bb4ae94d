"""The montage panel without its widget: which gesture begins where, and what keys do. Free of Qt."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from core.clips.clip import Clip, Notify
from core.graph import montage_edits as edits
from core.graph.montage import Montage
from core.graph.montage_problems import MontageProblem, Part
from core.ids import AssetId
from editor.model.events import Event
from editor.model.graph.editor import GraphEditor
from editor.model.i18n import tr
from editor.model.montage.montages import Item, Montages
from editor.model.montage.preview import MontagePreview
from editor.model.montage.rows import HEAD, LABELS, RowKind
from editor.model.montage.shown import Grip, Hit, MontageShown
from editor.model.montage.slot_places import places_of
from editor.model.session import Session
from editor.tools.gesture import Gesture, GestureHost
from editor.tools.key_drag import Snapping
from editor.tools.montage.drag import BoxItems, Change, DragMontage, DragView, ScrubMontage
from editor.tools.montage.verbs import MontageVerbs, with_notifies
from editor.tools.pointer import Button, Modifiers, Pointer

REACH = 6.0
ZOOM_STEP = 1.18


class MontageModel:
    """One montage panel.

    Attributes
    ----------
    shown : axis, rows, and what lies where
    verbs : what keys and menus do
    gestures : the gesture that runs
    hovered : what is under the pointer
    drop : track and seconds at which a dragged clip would land, or None
    link_to : number of the section that a dragged link would lead to; −1 is the end, None no drag
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.gestures = GestureHost()
        self.montages = session.feature(Montages)
        self.preview = session.feature(MontagePreview)
        self.shown = MontageShown(self.montages, self.preview, session.playback)
        self.verbs = MontageVerbs(self.montages, self.preview, session.messages, session.clipboard)
        self.hovered = Hit(Grip.NOTHING)
        self.drop: tuple[int, float] | None = None
        self.link_from: int | None = None
        self.link_to: int | None = None
        self.changed: Event[None] = self.shown.changed
        self._subscriptions = [
            self.montages.changed.connect(lambda _: self._on_montages()),
            self.montages.picked_changed.connect(lambda _: self.changed.emit(None)),
            self.preview.moved.connect(lambda _: self.changed.emit(None)),
            self.preview.state_changed.connect(lambda _: self.changed.emit(None)),
            session.playback.clip_changed.connect(lambda _: self._on_montages()),
            session.document.replaced.connect(lambda _: self.cancel()),
        ]
        self.shown.follow_montage()

    def close(self) -> None:
        """The panel goes away."""
        self.cancel()
        while self._subscriptions:
            self._subscriptions.pop()()

    def _on_montages(self) -> None:
        if self.gestures.current is None:
            self.shown.follow_montage()
        self.changed.emit(None)

    @property
    def montage(self) -> Montage | None:
        """The open montage, as a drag shows it."""
        return self.montages.current

    def problem_of(self, item: Item) -> MontageProblem | None:
        """The worst that is wrong with a segment, section or notify."""
        return next(
            (
                p
                for p in self.montages.problems
                if p.part is item.part and p.number == item.number and p.track == item.track
            ),
            None,
        )

    def track_problem(self, track: int) -> MontageProblem | None:
        """What is wrong with a track as a whole."""
        return next((p for p in self.montages.problems if p.part is Part.TRACK and p.track == track), None)

    # ------------------------------------------------------------ snapping
    def snap(self, *moving: Item) -> Snapping:
        """Where a drag snaps to: frames, edges of what stays, the playhead."""
        montage, shown = self.montage, self.shown
        stops = [0.0, self.preview.position]
        if montage is not None:
            stops.append(montage.length)
            stops += [s.start for k, s in enumerate(montage.sections) if Item(Part.SECTION, k) not in moving]
            for t, track in enumerate(montage.tracks):
                for k, segment in enumerate(track.segments):
                    if Item(Part.SEGMENT, k, t) not in moving:
                        stops += [segment.place, segment.last]
            for k, notify in enumerate(montage.notifies):
                if Item(Part.NOTIFY, k) not in moving:
                    stops.append(notify.time)
        return Snapping(shown.rate.snap, np.unique(np.array(stops)), REACH / shown.axis.scale)

    def _snaps(self) -> bool:
        return bool(self.session.switches["snap"])

    # ------------------------------------------------------------ press
    def press(self, pointer: Pointer) -> Gesture | None:
        """Begin what a press means."""
        if pointer.button is Button.MIDDLE:
            return self.gestures.take(DragView(self.shown.pan), pointer)
        if pointer.button is not Button.LEFT or self.montage is None:
            return None
        hit = self.shown.hit(pointer.x, pointer.y)
        return self.gestures.take(self._gesture_for(hit, pointer), pointer)

    def _gesture_for(self, hit: Hit, pointer: Pointer) -> Gesture | None:
        if hit.grip is Grip.RULER:
            return ScrubMontage(self.preview, self.shown.time, self.shown.rate.snap)
        if hit.grip is Grip.LABEL:
            return None
        if hit.grip in (Grip.BLEND_IN, Grip.BLEND_OUT, Grip.TRIGGER, Grip.RAMP):
            return self._blend_drag(hit.grip)
        if hit.item is None:
            more = pointer.has(Modifiers.SHIFT) or pointer.has(Modifiers.CTRL)
            return BoxItems(self.montages, self.shown.touched, self.shown.show_box, more)
        alone = self._pick_under(hit.item, pointer)
        if hit.grip is Grip.SECTION:
            return self._section_drag(hit.item, pointer, alone)
        if hit.grip is Grip.LINK:
            return self._link_drag(hit.item, alone)
        if hit.grip in (Grip.SEGMENT, Grip.SEGMENT_START, Grip.SEGMENT_END):
            return self._segment_drag(hit, pointer, alone)
        return self._notify_drag(hit, pointer, alone)

    def _pick_under(self, item: Item, pointer: Pointer) -> Callable[[], None]:
        """Select what is pressed; what a click without a drag does then."""
        picked = self.montages.picked
        more = pointer.has(Modifiers.SHIFT)
        if pointer.has(Modifiers.CTRL):
            return lambda: self.montages.pick(*(other for other in picked if other != item))
        if item not in picked:
            self.montages.pick(item, *(picked if more else ()))
            return lambda: None
        self.montages.pick(item, *(other for other in picked if other != item))
        return (lambda: None) if more else (lambda: self.montages.pick(item))

    # ------------------------------------------------------------ drags
    def _drag(
        self, label: str, change: Callable[[Pointer, bool], Change], alone: Callable[[], None] = lambda: None
    ) -> Gesture:
        return DragMontage(self.montages, label, change, alone, self._snaps)

    def _offset(self, pointer: Pointer, time: float) -> Callable[[Pointer], float]:
        """Seconds of what was grabbed at `time`, with the pointer elsewhere."""
        grip = self.shown.time(pointer.x) - time
        return lambda now: self.shown.time(now.x) - grip

    def _segment_drag(self, hit: Hit, pointer: Pointer, alone: Callable[[], None]) -> Gesture:
        start, item = self.montages.require(), hit.item
        assert item is not None
        segment, snap = start.tracks[item.track].segments[item.number], self.snap(item)
        clip = self.montages.clip(segment.clip)
        name = clip.name if clip is not None else tr("segment")
        if hit.grip is Grip.SEGMENT:
            at, length = self._offset(pointer, segment.place), segment.last - segment.place

            def move(now: Pointer, snapping: bool) -> Change:
                place = at(now)
                if snapping:
                    first, last = snap(place), snap(place + length) - length
                    place = first if abs(first - place) <= abs(last - place) else last
                row = self.shown.row_at(now.y)
                onto = row.track if row is not None and row.kind is RowKind.TRACK else item.track
                made, number = edits.moved(start, item.track, item.number, place, onto)
                return Change(made, (Item(Part.SEGMENT, number, onto),))

            return self._drag(tr("Move {what}", what=name), move, alone)
        first = hit.grip is Grip.SEGMENT_START
        at = self._offset(pointer, segment.place if first else segment.last)
        length = clip.length if clip is not None else segment.end

        def trim(now: Pointer, snapping: bool) -> Change:
            time = snap(at(now)) if snapping else at(now)
            if first:
                return Change(edits.trimmed_start(start, item.track, item.number, time))
            return Change(edits.trimmed_end(start, item.track, item.number, time, length))

        return self._drag(tr("Trim {what}", what=name), trim, alone)

    def _section_drag(self, item: Item, pointer: Pointer, alone: Callable[[], None]) -> Gesture:
        start = self.montages.require()
        section, snap = start.sections[item.number], self.snap(item)
        at = self._offset(pointer, section.start)

        def move(now: Pointer, snapping: bool) -> Change:
            time = snap(at(now)) if snapping else at(now)
            return Change(edits.moved_section(start, section.name, time))

        def click() -> None:
            alone()
            self.preview.seek(section.start)

        return self._drag(tr("Move {what}", what=section.name), move, click)

    def _link_drag(self, item: Item, alone: Callable[[], None]) -> Gesture:
        start = self.montages.require()
        section = start.sections[item.number]
        self.link_from = item.number

        def move(now: Pointer, snapping: bool) -> Change:
            self.link_to = self.section_under(now.x, now.y)
            follows = start.sections[self.link_to].name if self.link_to >= 0 else ""
            return Change(edits.linked(start, section.name, follows))

        return self._drag(tr("Link of {what}", what=section.name), move, alone)

    def section_under(self, x: float, y: float) -> int:
        """The section whose band is above or below a place; −1 where that is none: the end."""
        montage = self.montage
        if montage is None or y < 0.0 or y > HEAD + 24.0:
            return -1
        for number in reversed(range(len(montage.sections))):
            left, _, right, _ = self.shown.section_box(number)
            if left <= x < right:
                return number
        return -1

    def _blend_drag(self, grip: Grip) -> Gesture:
        start, snap = self.montages.require(), self.snap()
        most = max(start.length, 0.05)

        def move(now: Pointer, snapping: bool) -> Change:
            time = snap(self.shown.time(now.x)) if snapping else self.shown.time(now.x)
            if grip is Grip.BLEND_IN:
                return Change(replace(start, blend_in=edits.with_blend_seconds(start.blend_in, time, most)))
            if grip is Grip.BLEND_OUT:
                seconds = time - edits.trigger_time(start)
                made = replace(start, blend_out=edits.with_blend_seconds(start.blend_out, seconds, most))
                return Change(edits.with_trigger(made, edits.trigger_time(start)))
            if grip is Grip.RAMP:
                seconds = start.length - time
                return Change(
                    replace(start, blend_out=edits.with_blend_seconds(start.blend_out, seconds, most))
                )
            return Change(edits.with_trigger(start, time))

        labels = {Grip.BLEND_IN: tr("Blend in"), Grip.TRIGGER: tr("Blend-out trigger")}
        return self._drag(labels.get(grip, tr("Blend out")), move)

    def _notify_drag(self, hit: Hit, pointer: Pointer, alone: Callable[[], None]) -> Gesture:
        start, item = self.montages.require(), hit.item
        assert item is not None
        held = start.notifies[item.number]
        if hit.grip is not Grip.NOTIFY:
            return self._notify_trim(start, item, hit.grip is Grip.NOTIFY_START, pointer, alone)
        picked = [i for i in self.montages.picked if i.part is Part.NOTIFY]
        numbers = [item.number, *(i.number for i in picked if i != item)]
        snap, at = self.snap(*(Item(Part.NOTIFY, k) for k in numbers)), self._offset(pointer, held.time)

        def move(now: Pointer, snapping: bool) -> Change:
            step = (snap(at(now)) if snapping else at(now)) - held.time
            row = self.shown.row_at(now.y)
            lane = row.name if row is not None and row.kind is RowKind.NOTIFIES else None
            moved = tuple(_moved(start.notifies[k], step, lane) for k in numbers)
            made, places = with_notifies(start, moved, numbers)
            return Change(made, tuple(Item(Part.NOTIFY, place) for place in places))

        return self._drag(tr("Move {what}", what=held.name), move, alone)

    def _notify_trim(
        self, start: Montage, item: Item, first: bool, pointer: Pointer, alone: Callable[[], None]
    ) -> Gesture:
        held, snap = start.notifies[item.number], self.snap(item)
        end = held.time + held.duration
        at = self._offset(pointer, held.time if first else end)

        def trim(now: Pointer, snapping: bool) -> Change:
            time = snap(at(now)) if snapping else at(now)
            if first:
                begin = min(max(time, 0.0), end)
                new = replace(held, time=begin, duration=end - begin)
            else:
                new = replace(held, duration=max(time - held.time, 0.0))
            made, places = with_notifies(start, (new,), (item.number,))
            return Change(made, (Item(Part.NOTIFY, places[0]),))

        return self._drag(tr("Trim {what}", what=held.name), trim, alone)

    def move(self, pointer: Pointer) -> None:
        """The pointer moved."""
        self.gestures.move(pointer)

    def release(self, pointer: Pointer) -> None:
        """The button was released."""
        self.link_from = self.link_to = None
        self.gestures.release(pointer)
        self.shown.follow_montage()
        self.changed.emit(None)

    def cancel(self) -> bool:
        """Esc or the right button; whether there was something to cancel."""
        self.link_from = self.link_to = None
        done = self.gestures.cancel()
        self.changed.emit(None)
        return done

    # ------------------------------------------------------------ clips dragged in
    def drag_over(self, x: float, y: float) -> None:
        """A clip is dragged over the panel."""
        row = self.shown.row_at(y)
        track = row.track if row is not None and row.kind is RowKind.TRACK else 0
        time = max(self.shown.time(max(x, LABELS)), 0.0)
        self.drop = (track, max(self.snap()(time), 0.0) if self._snaps() else time)
        self.changed.emit(None)

    def drop_clip(self, clip: AssetId) -> None:
        """A clip was dropped where it was dragged last; without a montage it makes one."""
        drop, self.drop = self.drop, None
        found: Clip | None = self.montages.clip(clip)
        if found is None:
            self.session.messages.warn(tr("Only clips of this document can be segments"))
        elif self.montage is None:
            self.verbs.attempt(lambda: self.montages.new([clip]))
        elif drop is not None:
            self.verbs.add_clip(found, *drop)
        self.changed.emit(None)

    def leave_drag(self) -> None:
        """The dragged clip left the panel."""
        self.drop = None
        self.changed.emit(None)

    # ------------------------------------------------------------ the rest
    def wheel(self, x: float, y: float, steps: float, modifiers: Modifiers) -> None:
        """Zoom at the cursor; scroll over the labels or with Shift; pan with Alt."""
        shown = self.shown
        if Modifiers.SHIFT in modifiers or x < LABELS:
            shown.set_scroll(shown.scroll - steps * 44.0)
        elif Modifiers.ALT in modifiers:
            shown.set_axis(shown.axis.panned(steps * 60.0))
        else:
            shown.set_axis(shown.axis.zoomed(ZOOM_STEP**steps, x - LABELS))

    def go_to_slot(self, track: int) -> bool:
        """Have the graph editor show the node of a track's slot; False (with a message) where there is none."""
        montage = self.montage
        if montage is None or not 0 <= track < len(montage.tracks):
            return False
        slot = montage.slot_name(montage.tracks[track])
        places = places_of(slot, self.montages.graphs)
        if not places:
            self.session.messages.warn(
                tr(
                    "No graph of this character has a node for the slot {slot}: add one in the graph",
                    slot=slot,
                )
            )
            return False
        canvas = self.session.feature(GraphEditor).canvas
        canvas.open(places[0].graph)
        canvas.show(places[0].node)
        return True


def _moved(notify: Notify, step: float, lane: str | None) -> Notify:
    return replace(notify, time=max(notify.time + step, 0.0), lane=notify.lane if lane is None else lane)
