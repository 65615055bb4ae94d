"""What the curve editor shows: lanes, curves, axes, places, handles. Free of Qt."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip
from core.tracks.components import Reading
from core.tracks.keys import PLAIN_WEIGHT, Interpolation, ScalarTrack
from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.session import Session
from editor.model.time_axis import TimeAxis, TimeUnit
from editor.panels.curves.space import Fit, Layout, ValueAxis, extent, fits_for
from editor.tools import key_edits
from editor.tools.curves.gestures import Points
from editor.tools.curves.lanes import Curve, CurveStore, Lane, channels_of, lanes_of, track_of
from editor.tools.curves.reader import Reader
from editor.tools.gesture import Gesture
from editor.tools.key_edits import Keys
from editor.tools.pointer import Modifiers

REACH = 7.0
HANDLE = 46.0
MOST_HANDLES = 240
ZOOM_STEP = 1.18
MARGIN = 28.0


class Handle(NamedTuple):
    """A tangent handle on the screen."""

    lane: Lane
    key: int
    side: int
    key_place: tuple[float, float]
    place: tuple[float, float]
    weighted: bool


class ShownCurves:
    """What the curve editor shows and what hands do in it.

    Attributes
    ----------
    changed : the picture differs
    lanes_changed : other lanes, or their flags
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.changed: Event[None] = Event()
        self.lanes_changed: Event[None] = Event()
        self.axis = TimeAxis()
        self.values = ValueAxis()
        self.unit = TimeUnit.FRAMES
        self.layout = Layout.ABSOLUTE
        self.search = ""
        self.hidden: frozenset[Lane] = frozenset()
        self.locked: frozenset[Lane] = frozenset()
        self.solo: frozenset[Lane] = frozenset()
        self.chosen: frozenset[Lane] = frozenset()
        self.weighted = False
        self.lasso = False
        self.scrubbing = False
        self.outline: Points | None = None
        self.hovered: tuple[Lane, int] | None = None
        self.gesture: Gesture | None = None
        self.buffer: Clip | None = None
        self._store = CurveStore()
        self._lanes: tuple[Lane, ...] | None = None
        self._visible: tuple[Lane, ...] | None = None
        self._fits: dict[Lane, Fit] = {}
        self._still = False
        self._curves: tuple[Clip, tuple[Curve, ...]] | None = None
        self._handles: tuple[Handle, ...] | None = None
        self._fitted: object = None
        self._content: tuple[tuple[Curve, ...], tuple[float, float, float, float]] | None = None
        self._sized = False
        stops = [
            session.document.changed.connect(self._on_content),
            session.document.replaced.connect(self._on_content),
            session.preview.changed.connect(self._on_shape),
            session.playback.clip_changed.connect(self._on_content),
            session.playback.range_changed.connect(self._repaint),
            session.selection.bones_changed.connect(self._on_bones),
            session.selection.keys_changed.connect(self._on_keys),
            session.selection.flags_changed.connect(self._on_content),
            session.time_view.join(
                lambda: self.axis, lambda axis: self.set_axes(axis, self.values), self.changed
            ),
        ]
        self._stops = stops

    def close(self) -> None:
        """Stop listening."""
        for stop in self._stops:
            stop()
        self._stops = []

    # -------------------------------------------------- what is shown
    @property
    def clip(self) -> Clip | None:
        """The clip shown, a drag's preview of it included."""
        return self.session.evaluator.clip

    @property
    def reader(self) -> Reader:
        """How quaternion channels are read as angles."""
        rig = self.session.rig
        return Reader(rig.skeleton if rig is not None else None, self._store.reading)

    @property
    def reading(self) -> Reading:
        """How quaternions are split into angles."""
        return self._store.reading

    def set_reading(self, reading: Reading) -> None:
        """Split quaternions in another way."""
        if reading is not self._store.reading:
            self._store.reading = reading
            self._drop()
            self._settle()
            self._repaint()

    def lanes(self) -> tuple[Lane, ...]:
        """Every lane of the list: of the selected bones (of all without any), and those beside the bones."""
        if self._lanes is None:
            clip, selection = self.session.clip, self.session.selection
            found: list[Lane] = []
            if clip is not None:
                bones = tuple(reversed(selection.bones)) or None
                found = lanes_of(c for c in channels_of(clip, bones) if c.axis < 0 or selection.shown(c.bone))
            words = self.search.lower().split()
            self._lanes = tuple(
                lane for lane in found if all(word in f"{lane.group} {lane.name}".lower() for word in words)
            )
        return self._lanes

    def visible(self) -> tuple[Lane, ...]:
        """The lanes that are drawn."""
        if self._visible is None:
            lanes = self.lanes()
            solo = self.solo.intersection(lanes)
            self._visible = tuple(
                lane for lane in lanes if lane not in self.hidden and (not solo or lane in solo)
            )
        return self._visible

    def curves(self) -> tuple[Curve, ...]:
        """The curves that are drawn."""
        clip = self.clip
        if clip is None:
            return ()
        if self._curves is None or self._curves[0] is not clip:
            rig = self.session.rig
            skeleton = rig.skeleton if rig is not None else None
            found = (self._store.get(clip, lane, skeleton) for lane in self.visible())
            self._curves = clip, tuple(curve for curve in found if curve is not None)
        return self._curves[1]

    def curve(self, lane: Lane) -> Curve | None:
        """One curve."""
        clip, rig = self.clip, self.session.rig
        if clip is None:
            return None
        return self._store.get(clip, lane, rig.skeleton if rig is not None else None)

    def fit_of(self, lane: Lane) -> Fit:
        """How a lane comes onto the value axis."""
        return self._fits.get(lane, Fit())

    def bright(self) -> frozenset[Lane]:
        """Lanes that stand out: those chosen in the list, else those with selected keys, else all of few."""
        visible = self.visible()
        chosen = self.chosen.intersection(visible)
        if chosen:
            return frozenset(chosen)
        keys = self.session.selection.keys
        with_keys = frozenset(lane for lane in visible if lane.channel in keys)
        if with_keys:
            return with_keys
        return frozenset(visible) if len(visible) <= 24 else frozenset()

    def editable(self, keys: Keys) -> Keys:
        """Keys of the curves in sight, without those of locked lanes and bones."""
        return self.unlocked(self.in_sight(keys))

    def in_sight(self, keys: Keys) -> Keys:
        """Keys of the curves that are drawn: what cannot be seen is not edited."""
        seen = {lane.channel for lane in self.visible()}
        return {channel: numbers for channel, numbers in keys.items() if channel in seen}

    def unlocked(self, keys: Keys) -> Keys:
        """Keys without those of locked lanes and bones; says so where some were left out."""
        locked = {lane.channel for lane in self.locked}
        bones = self.session.selection.locked
        kept = {c: k for c, k in keys.items() if c not in locked and (c.axis < 0 or c.bone not in bones)}
        if len(kept) < len(keys):
            self.session.messages.warn(
                tr("Keys of locked curves were left alone"), tr("Unlock them in the list")
            )
        return kept

    # -------------------------------------------------- places
    def time_at(self, x: float) -> float:
        """Seconds at a pixel."""
        return self.axis.time(x)

    def rise(self, lane: Lane, dy: float) -> float:
        """Value units of a lane that `dy` pixels downward are."""
        return -dy / self.values.scale / self.fit_of(lane).factor

    def snapped(self, time: float, moving: Keys) -> float:
        """The marker or playhead within reach of a time, else the nearest frame."""
        clip = self.session.clip
        if clip is None:
            return time
        near = 5.0 / self.axis.scale
        stops = [marker.time for marker in clip.markers] + [self.session.playback.time]
        close = [stop for stop in stops if abs(stop - time) <= near]
        frame = clip.rate.snap(time)
        if close and self.axis.pixels_per_frame > 12.0:
            best = min(close, key=lambda stop: abs(stop - time))
            if abs(best - time) < abs(frame - time):
                return best
        return frame

    def key_places(self, curve: Curve, keys: key_edits.Numbers | slice) -> tuple[FloatArray, FloatArray]:
        """Pixels of keys of a curve."""
        fit = self.fit_of(curve.lane)
        ys = self.values.ys(curve.values[keys] * fit.factor + fit.offset)
        return self.axis.xs(curve.track.times[keys]), ys

    def handles(self) -> tuple[Handle, ...]:
        """Handles of the selected keys, where there are not too many."""
        if self._handles is None:
            self._handles = tuple(self._find_handles())
        return self._handles

    def _find_handles(self) -> Iterable[Handle]:
        clip, keys = self.clip, self.session.selection.keys
        if clip is None or not 0 < key_edits.count(keys) <= MOST_HANDLES:
            return
        visible = set(self.visible())
        for channel, numbers in key_edits.known(clip, keys).items():
            lane = Lane(channel)
            curve = self.curve(lane)
            track = curve.scalar if curve is not None else None
            if curve is None or track is None or lane not in visible or lane in self.locked:
                continue
            xs, ys = self.key_places(curve, numbers)
            for number, x, y in zip(numbers.tolist(), xs.tolist(), ys.tolist(), strict=True):
                if not -HANDLE * 2 < x < self.axis.width + HANDLE * 2:
                    continue
                for side in (-1, 1):
                    handle = self._handle(lane, track, number, side, (x, y))
                    if handle is not None:
                        yield handle

    def _handle(
        self, lane: Lane, track: ScalarTrack, key: int, side: int, at: tuple[float, float]
    ) -> Handle | None:
        segment, other = (key - 1, key - 1) if side < 0 else (key, key + 1)
        inside = 0 <= other < len(track)
        if inside and track.interpolations[segment] != Interpolation.CUBIC:
            return None
        slope = float((track.in_slopes if side < 0 else track.out_slopes)[key])
        weight = float((track.in_weights if side < 0 else track.out_weights)[key])
        lean = slope * self.fit_of(lane).factor * self.values.scale / self.axis.scale
        weighted = inside and (self.weighted or abs(weight - PLAIN_WEIGHT) > 1e-9)
        if weighted:
            run = weight * abs(float(track.times[other] - track.times[key])) * self.axis.scale
        else:
            run = HANDLE / float(np.hypot(1.0, lean))
        return Handle(lane, key, side, at, (at[0] + side * run, at[1] - side * run * lean), weighted)

    def refresh_handles(self) -> None:
        """Handles look different now."""
        self._handles = None
        self._repaint()

    def content(self) -> tuple[float, float, float, float]:
        """Start, end, low and high of the clip and its curves on the axes."""
        clip, curves = self.clip, self.curves()
        if self._content is not None and (self._still or self._content[0] is curves):
            return self._content[1]
        start, end = 0.0, clip.length if clip is not None else 1.0
        if curves:
            start = min(start, min(float(c.track.times[0]) for c in curves))
            end = max(end, max(float(c.track.times[-1]) for c in curves))
        spans = [self._span(curve) for curve in curves]
        low, high = min((a for a, _ in spans), default=-1.0), max((b for _, b in spans), default=1.0)
        room = (high - low) * 0.1
        self._content = (
            curves,
            (start - 0.05 * (end - start), end + 0.05 * (end - start), low - room, high + room),
        )
        return self._content[1]

    # -------------------------------------------------- changes from outside
    def _repaint(self, _: object = None) -> None:
        self.changed.emit(None)

    def _drop(self) -> None:
        self._curves = self._handles = None

    def _on_keys(self, _: object = None) -> None:
        self._handles = None
        self._repaint()

    def _on_shape(self, _: object = None) -> None:
        self._drop()
        self._repaint()

    def _on_bones(self, _: object = None) -> None:
        self._on_content()
        if self._sized and not self._same_view():
            self.fit_all(keep_time=True)

    def _same_view(self) -> bool:
        """Whether what is shown now is in sight, so that the view may stay."""
        spans = [self._span(curve) for curve in self.curves()]
        if not spans:
            return True
        low, high = min(a for a, _ in spans), max(b for _, b in spans)
        room = max(high - low, 1e-9)
        tall = self.values.high - self.values.low
        return self.values.low <= low and high <= self.values.high and room > 0.15 * tall

    def _span(self, curve: Curve) -> tuple[float, float]:
        fit, (low, high) = self.fit_of(curve.lane), extent(curve)
        return fit.on(low), fit.on(high)

    def _on_content(self, _: object = None) -> None:
        before = self._lanes
        self._lanes = self._visible = None
        self._drop()
        clip = self.clip
        if clip is not None and clip.rate != self.axis.rate:
            self.axis = self.axis.at_rate(clip.rate)
        if before != self.lanes() or self.layout is not Layout.ABSOLUTE:
            self._settle()
        if before != self.lanes():
            self.lanes_changed.emit(None)
        self._fit_once()
        self._repaint()

    def _settle(self) -> None:
        """Lay the lanes out anew; never while a drag lasts."""
        if not self._still:
            curves = self.curves()
            self._fits = {c.lane: fit for c, fit in zip(curves, fits_for(self.layout, curves), strict=True)}
            self._handles = self._content = None

    def rest(self, still: bool) -> None:
        """Hold the layout of the lanes while a drag lasts."""
        self._still = still

    def keep_buffer(self, clip: Clip) -> None:
        """Note the curves as they were before an edit."""
        self.buffer = clip

    def _fit_once(self) -> None:
        clip = self.session.playback.shown
        if clip is not None and self._sized and clip.id != self._fitted:
            self._fitted = clip.id
            self.buffer = None
            self.fit_all()

    # -------------------------------------------------- view
    def resize(self, width: float, height: float) -> None:
        """The plot has another size; what it shows stays in sight."""
        wider, taller = max(width, 1.0) / self.axis.width, max(height, 1.0) / self.values.height
        self.axis = replace(self.axis, width=width, scale=self.axis.scale * wider)
        self.values = replace(self.values, height=height, scale=self.values.scale * taller)
        self._handles = None
        self._sized = width > 60.0 and height > 30.0
        self._fit_once()
        self._repaint()

    def set_axes(self, axis: TimeAxis, values: ValueAxis) -> None:
        """Show another part."""
        if (axis, values) != (self.axis, self.values):
            self.axis, self.values = axis, values
            self._handles = None
            self._repaint()

    def set_layout(self, layout: Layout) -> None:
        """Share the value axis in another way, and fit it."""
        if layout is not self.layout:
            self.layout = layout
            self._settle()
            self.fit_all(keep_time=True)
            self._repaint()

    def set_search(self, words: str) -> None:
        """List only lanes that have all of the words in their name."""
        if words != self.search:
            self.search = words
            self._on_content()

    def set_flag(self, flag: str, lanes: Iterable[Lane]) -> None:
        """Set which lanes are ``hidden``, ``locked``, ``solo`` or ``chosen``."""
        new = frozenset(lanes)
        if new != getattr(self, flag):
            setattr(self, flag, new)
            self._visible = None
            self._drop()
            self._settle()
            self.lanes_changed.emit(None)
            self._repaint()

    def toggle_flag(self, flag: str, lanes: Iterable[Lane]) -> None:
        """Turn a flag of lanes on, or off where all of them have it."""
        given, held = frozenset(lanes), getattr(self, flag)
        self.set_flag(flag, held - given if given <= held else held | given)

    def fit_all(self, keep_time: bool = False) -> None:
        """Show every curve, and the whole clip."""
        clip, curves = self.clip, self.curves()
        if clip is None:
            return
        axis = self.axis
        if not keep_time:
            first = min((float(c.track.times[0]) for c in curves), default=0.0)
            last = max((float(c.track.times[-1]) for c in curves), default=0.0)
            axis = axis.fitted(min(first, 0.0), max(last, clip.length), MARGIN)
        spans = [self._span(curve) for curve in curves]
        values = self.values
        if spans:
            values = values.fitted(min(a for a, _ in spans), max(b for _, b in spans))
        self.set_axes(axis, values)

    def fit_selection(self) -> None:
        """Show the selected keys with their neighbours, else the chosen curves, else everything."""
        clip = self.clip
        keys = key_edits.known(clip, self.session.selection.keys) if clip is not None else {}
        spans: list[tuple[float, float, float, float]] = []
        for curve in self.curves():
            numbers = keys.get(curve.lane.channel)
            if numbers is None:
                continue
            last = len(curve.track) - 1
            wide = np.unique(np.clip(np.concatenate((numbers - 1, numbers, numbers + 1)), 0, last))
            times, fit = curve.track.times[wide], self.fit_of(curve.lane)
            shown = curve.values[wide] * fit.factor + fit.offset
            spans.append((float(times[0]), float(times[-1]), float(shown.min()), float(shown.max())))
        if not spans:
            self.fit_all()
            return
        axis = self.axis.fitted(min(s[0] for s in spans), max(s[1] for s in spans), 2 * MARGIN)
        self.set_axes(
            axis, self.values.fitted(min(s[2] for s in spans), max(s[3] for s in spans), 2 * MARGIN)
        )

    def wheel(self, x: float, y: float, steps: float, modifiers: Modifiers) -> None:
        """Zoom both axes at the cursor; Ctrl time alone, Shift value alone; Alt pans in time."""
        factor = ZOOM_STEP**steps
        if Modifiers.ALT in modifiers:
            self.set_axes(self.axis.panned(steps * 60.0), self.values)
            return
        axis = self.axis if Modifiers.SHIFT in modifiers else self.axis.zoomed(factor, x)
        values = self.values if Modifiers.CTRL in modifiers else self.values.zoomed(factor, y)
        self.set_axes(axis, values)

    # -------------------------------------------------- ghosts
    def ghosts(self) -> Mapping[Lane, Curve]:
        """Curves of the buffer that differ from those shown, of the bright lanes."""
        buffer, clip = self.buffer, self.clip
        if buffer is None or clip is None or buffer.id != clip.id:
            return {}
        found = {}
        for lane in self.bright():
            old, new = track_of(buffer, lane.channel), track_of(clip, lane.channel)
            if old is not None and old is not new and isinstance(old, ScalarTrack):
                found[lane] = Curve(lane, old, old.values)
        return found
