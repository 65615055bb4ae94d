"""The stretch of time that the montage panel shows, its rows, and what lies where."""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip, Notify
from core.graph.montage import Montage
from core.graph.montage_edits import section_span, trigger_time
from core.graph.montage_problems import Part
from core.ids import AssetId
from core.timing import FrameRate
from core.tracks.evaluate import evaluate_scalar
from editor.model.events import Event
from editor.model.lanes import stacked
from editor.model.montage.montages import Item, Montages
from editor.model.montage.preview import MontagePreview
from editor.model.montage.rows import (
    HEAD,
    LABELS,
    LANE,
    LINKS,
    RULER,
    SECTIONS,
    ClipNotify,
    Row,
    RowKind,
    clip_notifies,
    curve_names,
    lanes_of,
    rows_of,
)
from editor.model.playback import Playback
from editor.model.time_axis import TimeAxis, TimeUnit

EDGE = 6.0
"""Pixels within which an end of a bar is grabbed."""
CHIP = 92.0
"""Pixels of the widest link."""
LETTER = 6.2
"""Pixels that a letter of a notify's name takes at the least; bars stack by it."""
Box = tuple[float, float, float, float]


class Grip(Enum):
    """What of the montage is under the pointer."""

    NOTHING = "nothing"
    RULER = "ruler"
    LABEL = "label"
    SEGMENT = "segment"
    SEGMENT_START = "segment start"
    SEGMENT_END = "segment end"
    SECTION = "section"
    LINK = "link"
    NOTIFY = "notify"
    NOTIFY_START = "notify start"
    NOTIFY_END = "notify end"
    BLEND_IN = "blend in"
    BLEND_OUT = "blend out"
    TRIGGER = "trigger"
    RAMP = "ramp"


@dataclass(frozen=True, slots=True)
class Hit:
    """What is under a place; `item` where it can be selected, `row` where it lies in one."""

    grip: Grip
    item: Item | None = None
    row: Row | None = None


class MontageShown:
    """State of one montage panel.

    Attributes
    ----------
    changed : what is drawn differs
    scroll : pixels that the rows are scrolled up by
    box : of a box selection, or None
    unit : how times are written
    """

    def __init__(self, montages: Montages, preview: MontagePreview, playback: Playback) -> None:
        self.montages, self.preview, self._playback = montages, preview, playback
        self.axis = TimeAxis(rate=self.rate)
        self.unit = TimeUnit.FRAMES
        self.scroll = 0.0
        self.box: Box | None = None
        self.height = 200.0
        self._fitted: AssetId | None = None
        self._all = True
        self._laid: tuple[object, object, float, tuple[Row, ...]] = (None, None, 0.0, ())
        self._levels: dict[str, tuple[int, ...]] = {}
        self.changed: Event[None] = Event()

    # ------------------------------------------------------------ what
    @property
    def montage(self) -> Montage | None:
        """The open montage, as a drag shows it."""
        return self.montages.current

    @property
    def clips(self) -> dict[AssetId, Clip]:
        """The clips of the project by id."""
        return {clip.id: clip for clip in self.montages.project.clips}

    @property
    def rate(self) -> FrameRate:
        """Frames are those of the first segment's clip, else of the clip shown."""
        montage = self.montages.current
        for track in montage.tracks if montage is not None else ():
            for segment in track.segments:
                clip = self.montages.clip(segment.clip)
                if clip is not None:
                    return clip.rate
        return self._playback.rate

    def rows(self) -> tuple[Row, ...]:
        """The rows below the head."""
        montage, project = self.montage, self.montages.project
        if montage is None:
            return ()
        known = self._laid
        if known[0] is not montage or known[1] is not project or known[2] != self.axis.scale:
            clips = self.clips
            self._levels = {lane: self._stack(montage, lane) for lane in lanes_of(montage)}
            inside = clip_notifies(montage, clips)
            self._levels["clips"] = stacked(self._span(n.notify.name, n.time, n.duration) for n in inside)
            depths = {lane: max(levels, default=0) + 1 for lane, levels in self._levels.items()}
            self._laid = (montage, project, self.axis.scale, rows_of(montage, clips, depths))
        return self._laid[3]

    def _stack(self, montage: Montage, lane: str) -> tuple[int, ...]:
        return stacked(self._span(n.name, n.time, n.duration) for n in montage.notifies if n.lane == lane)

    def _span(self, name: str, time: float, duration: float) -> tuple[float, float]:
        """What a notify takes of its lane in seconds, the name of a moment with it."""
        if duration > 0.0:
            return time, time + duration
        half = 6.0 / self.axis.scale
        return time - half, time + half + len(name) * LETTER / self.axis.scale

    def in_clips(self) -> tuple[ClipNotify, ...]:
        """Notifies of the clips."""
        montage = self.montage
        return () if montage is None else clip_notifies(montage, self.clips)

    def curve(self, name: str, xs: FloatArray) -> tuple[FloatArray, bool]:
        """Values of a curve at pixels of the axis, and whether it is the montage's own; NaN where it has none."""
        montage, clips = self.montage, self.clips
        values = np.full(len(xs), np.nan)
        times = self.axis.start + xs / self.axis.scale
        if montage is None:
            return values, False
        inside = (times >= 0.0) & (times <= montage.length)
        if name in montage.curves:
            values[inside] = evaluate_scalar(montage.curves[name], times[inside])
            return values, True
        for track in montage.tracks:
            for segment in track.segments:
                clip = clips.get(segment.clip)
                found = (times >= segment.place) & (times <= segment.last)
                if clip is not None and name in clip.curves and found.any():
                    at = segment.begin + (times[found] - segment.place) * segment.rate
                    values[found] = evaluate_scalar(clip.curves[name], at)
        return values, False

    # ------------------------------------------------------------ places
    def x(self, time: float) -> float:
        """Pixel of the panel of a time."""
        return LABELS + self.axis.x(time)

    def time(self, x: float) -> float:
        """Seconds at a pixel of the panel."""
        return self.axis.time(x - LABELS)

    def top(self, row: Row) -> float:
        """Upper edge of a row in the panel."""
        return HEAD + row.top - self.scroll

    @property
    def most_scroll(self) -> float:
        """How far one can scroll."""
        rows = self.rows()
        return max((rows[-1].bottom if rows else 0.0) + 6.0 - max(self.height - HEAD, 1.0), 0.0)

    def row_at(self, y: float) -> Row | None:
        """The row at a height."""
        if y < HEAD:
            return None
        place = y - HEAD + self.scroll
        return next((row for row in self.rows() if row.top <= place < row.bottom), None)

    def segment_box(self, track: int, number: int) -> Box:
        """Left, top, right, bottom of a segment."""
        montage = self.montage
        row = next(r for r in self.rows() if r.kind is RowKind.TRACK and r.track == track)
        assert montage is not None
        segment, top = montage.tracks[track].segments[number], self.top(row)
        return self.x(segment.place), top + 3.0, self.x(segment.last), top + row.height - 3.0

    def notify_box(self, number: int) -> Box:
        """Left, top, right, bottom of a notify's bar, or of a moment's diamond."""
        montage = self.montage
        assert montage is not None
        notify = montage.notifies[number]
        row = next(r for r in self.rows() if r.kind is RowKind.NOTIFIES and r.name == notify.lane)
        place = [k for k, other in enumerate(montage.notifies) if other.lane == notify.lane].index(number)
        return self._bar(row, self._levels[notify.lane][place], notify)

    def clip_notify_boxes(self) -> tuple[tuple[ClipNotify, Box], ...]:
        """Notifies of the clips with their boxes."""
        row = next((r for r in self.rows() if r.kind is RowKind.CLIP_NOTIFIES), None)
        if row is None:
            return ()
        found = self.in_clips()
        return tuple(
            (n, self._bar(row, level, Notify(n.notify.name, n.time, n.duration)))
            for n, level in zip(found, self._levels["clips"], strict=True)
        )

    def _bar(self, row: Row, level: int, notify: Notify) -> Box:
        top = self.top(row) + level * LANE + 1.5
        left = self.x(notify.time)
        if notify.duration <= 0.0:
            return left - 5.5, top, left + 5.5, top + LANE - 3.0
        return left, top, max(self.x(notify.time + notify.duration), left + 3.0), top + LANE - 3.0

    def section_box(self, number: int) -> Box:
        """The band of a section in the head."""
        montage = self.montage
        assert montage is not None
        start, end = section_span(montage, number)
        return self.x(start), RULER, max(self.x(end), self.x(start) + 14.0), RULER + SECTIONS

    def link_box(self, number: int) -> Box:
        """The chip at a section's end that says what follows it."""
        left, _, right, bottom = self.section_box(number)
        return max(left + 2.0, right - CHIP), bottom + 1.0, right - 2.0, bottom + LINKS - 2.0

    def blend_xs(self) -> tuple[float, float, float]:
        """Pixels at which the blend in ends, and at which the blend out begins and ends."""
        montage = self.montage
        assert montage is not None
        out = trigger_time(montage)
        return self.x(montage.blend_in.seconds), self.x(out), self.x(out + montage.blend_out.seconds)

    # ------------------------------------------------------------ hits
    def hit(self, x: float, y: float) -> Hit:
        """What is under a place."""
        montage = self.montage
        if montage is None:
            return Hit(Grip.NOTHING)
        if x < LABELS:
            return Hit(Grip.LABEL, None, self.row_at(y))
        if y < HEAD:
            return self._head_hit(montage, x, y)
        row = self.row_at(y)
        if row is None:
            return Hit(Grip.NOTHING)
        if row.kind is RowKind.TRACK:
            return self._segment_hit(montage, row, x, y)
        if row.kind is RowKind.NOTIFIES:
            return self._notify_hit(montage, row, x, y)
        return self._blend_hit(montage, row, x) if row.kind is RowKind.BLEND else Hit(Grip.NOTHING, None, row)

    def _head_hit(self, montage: Montage, x: float, y: float) -> Hit:
        if y < RULER:
            trigger = self.x(trigger_time(montage))
            if montage.auto_blend_out and abs(x - trigger) <= EDGE and y > RULER / 2.0:
                return Hit(Grip.TRIGGER)
            return Hit(Grip.RULER)
        links = y >= RULER + SECTIONS
        for number in reversed(range(len(montage.sections))):
            left, _, right, _ = self.link_box(number) if links else self.section_box(number)
            if left - (0.0 if links else EDGE) <= x < right:
                return Hit(Grip.LINK if links else Grip.SECTION, Item(Part.SECTION, number))
        return Hit(Grip.NOTHING)

    def _segment_hit(self, montage: Montage, row: Row, x: float, y: float) -> Hit:
        for number in range(len(montage.tracks[row.track].segments)):
            left, top, right, bottom = self.segment_box(row.track, number)
            if not (left - EDGE / 2.0 <= x <= right + EDGE / 2.0 and top - 2.0 <= y <= bottom + 2.0):
                continue
            reach = min(EDGE, (right - left) / 4.0)
            item = Item(Part.SEGMENT, number, row.track)
            inner = x - left > reach and right - x > reach
            if inner:
                return Hit(Grip.SEGMENT, item, row)
            follows = number + 1 < len(montage.tracks[row.track].segments)
            if x > right and follows and self.segment_box(row.track, number + 1)[0] <= x:
                continue  # the next one's start
            return Hit(Grip.SEGMENT_START if x - left <= reach else Grip.SEGMENT_END, item, row)
        return Hit(Grip.NOTHING, None, row)

    def _notify_hit(self, montage: Montage, row: Row, x: float, y: float) -> Hit:
        found = Hit(Grip.NOTHING, None, row)
        for number, notify in enumerate(montage.notifies):
            if notify.lane != row.name:
                continue
            left, top, right, bottom = self.notify_box(number)
            wide = len(notify.name) * LETTER if notify.duration <= 0.0 else EDGE / 2.0
            if not (left - EDGE / 2.0 <= x <= right + wide and top - 1.0 <= y <= bottom + 1.0):
                continue
            item = Item(Part.NOTIFY, number)
            grip = Grip.NOTIFY
            if notify.duration > 0.0:
                reach = min(EDGE, (right - left) / 4.0)
                grip = Grip.NOTIFY_START if x - left <= reach else grip
                grip = Grip.NOTIFY_END if right - x <= reach else grip
            found = Hit(grip, item, row)
        return found

    def _blend_hit(self, montage: Montage, row: Row, x: float) -> Hit:
        into, out, gone = self.blend_xs()
        ways = [(abs(x - into), Grip.BLEND_IN)]
        out_grip = Grip.RAMP if montage.blend_out_trigger < 0.0 else Grip.TRIGGER
        if montage.auto_blend_out:
            ways += [(abs(x - gone), Grip.BLEND_OUT), (abs(x - out), out_grip)]
        nearest = min(ways, key=lambda way: way[0])
        return Hit(nearest[1] if nearest[0] <= EDGE + 1.0 else Grip.NOTHING, None, row)

    def touched(self, box: Box) -> tuple[Item, ...]:
        """Segments and notifies that a box touches."""
        montage = self.montage
        if montage is None:
            return ()
        every = [
            Item(Part.SEGMENT, k, t)
            for t, track in enumerate(montage.tracks)
            for k in range(len(track.segments))
        ]
        every += [Item(Part.NOTIFY, k) for k in range(len(montage.notifies))]
        return tuple(item for item in every if _meets(self.box_of(item), box))

    def box_of(self, item: Item) -> Box:
        """Where an item is drawn."""
        if item.part is Part.SEGMENT:
            return self.segment_box(item.track, item.number)
        return self.notify_box(item.number) if item.part is Part.NOTIFY else self.section_box(item.number)

    # ------------------------------------------------------------ view
    def set_size(self, width: float, height: float) -> None:
        """The panel got another size."""
        another, self.height = height != self.height, height
        if abs(self.axis.width - max(width - LABELS, 1.0)) > 0.5:
            every = self._all
            self.set_axis(self.axis.resized(max(width - LABELS, 1.0)))
            if every:
                self.fit_all()
        self.set_scroll(self.scroll)
        if another:  # how far one can scroll is another, though it may be scrolled as before
            self.changed.emit(None)

    def set_axis(self, axis: TimeAxis) -> None:
        """Show another stretch of time."""
        if axis != self.axis:
            self.axis, self._all = axis, False
            self.changed.emit(None)

    def set_scroll(self, scroll: float) -> None:
        """Scroll the rows."""
        kept = min(max(scroll, 0.0), self.most_scroll)
        if kept != self.scroll:
            self.scroll = kept
            self.changed.emit(None)

    def show_box(self, box: Box | None) -> None:
        """Draw the box of a selection, or none."""
        self.box = box
        self.changed.emit(None)

    def pan(self, dx: float, dy: float) -> None:
        """Drag the view."""
        self.set_axis(self.axis.panned(dx))
        self.set_scroll(self.scroll - dy)

    def fit(self, start: float, end: float) -> None:
        """Show a stretch of time."""
        self.set_axis(self.axis.fitted(start, end))

    def fit_all(self) -> None:
        """Show the whole montage, at whatever size the panel is, until somebody zooms or pans."""
        montage = self.montage
        if montage is not None:
            self.fit(0.0, max(montage.length, trigger_time(montage) + montage.blend_out.seconds, 0.1))
            self._all = True

    def fit_picked(self) -> None:
        """Show what is selected, else all."""
        boxes = [self.box_of(item) for item in self.montages.picked if self.montages.there(item)]
        if not boxes:
            self.fit_all()
            return
        self.fit(self.time(min(b[0] for b in boxes)), self.time(max(b[2] for b in boxes)))

    def follow_montage(self) -> None:
        """Another montage is open: show all of it, in its frames."""
        montage = self.montage
        if self.axis.rate != self.rate:
            self.axis = self.axis.at_rate(self.rate)
        if (montage.id if montage is not None else None) != self._fitted:
            self._fitted = montage.id if montage is not None else None
            self.scroll = 0.0
            self.fit_all()
        self.set_scroll(self.scroll)

    def curve_names(self) -> tuple[str, ...]:
        """Names of the curves listed."""
        montage = self.montage
        return () if montage is None else curve_names(montage, self.clips)


def _meets(one: Box, other: Box) -> bool:
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]
