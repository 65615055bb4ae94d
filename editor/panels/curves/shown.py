"""What the curve editor shows: lanes, curves, axes, places, handles. Free of Qt."""

from dataclasses import replace

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip
from editor.model.session import Session
from editor.model.time_axis import TimeAxis, TimeUnit
from editor.model.time_view import TimeView
from editor.panels.curves.handles import Handle, handles_of
from editor.panels.curves.shown_lanes import ShownLanes
from editor.panels.curves.space import Layout, ValueAxis, extent, fits_for
from editor.tools import key_edits
from editor.tools.curves.gestures import Points
from editor.tools.curves.lanes import Curve, Lane
from editor.tools.gesture import Gesture
from editor.tools.key_edits import Keys
from editor.tools.key_moves import Reach
from editor.tools.pointer import Modifiers

REACH = 7.0
ZOOM_STEP = 1.18
MARGIN = 28.0


class ShownCurves(ShownLanes):
    """What the curve editor shows and what hands do in it.

    Attributes
    ----------
    changed : the picture differs
    lanes_changed : other lanes, or their flags
    held : clip and selected keys as they were when the drag under way began
    touched : seconds between which that drag has changed them; None for everywhere
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.axis = TimeAxis()
        self.values = ValueAxis()
        self.unit = TimeUnit.FRAMES
        self.weighted = False
        self.lasso = False
        self.scrubbing = False
        self.outline: Points | None = None
        self.hovered: tuple[Lane, int] | None = None
        self.gesture: Gesture | None = None
        self.held: tuple[Clip | None, Keys] | None = None
        self.touched: Reach | None = None
        self._still = False
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
            session.feature(TimeView).join(
                lambda: self.axis, lambda axis: self.set_axes(axis, self.values), self.changed
            ),
        ]
        self._stops = stops

    def close(self) -> None:
        """Stop listening."""
        for stop in self._stops:
            stop()
        self._stops = []

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
            self._handles = tuple(handles_of(self))
        return self._handles

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
    def _drop(self) -> None:
        super()._drop()
        self._handles = None

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

    def come_into_sight(self) -> None:
        """The panel is shown: fit the values where the curves are not in sight (edited meanwhile, say)."""
        if self._sized and not self._still and not self._same_view():
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
        super()._on_content()
        clip = self.clip
        if clip is not None and clip.rate != self.axis.rate:
            self.axis = self.axis.at_rate(clip.rate)
        if before != self.lanes() or self.layout is not Layout.ABSOLUTE:
            self._settle()
        if before != self.lanes():
            self.lanes_changed.emit(None)
            if not before and not self._still and self._sized and not self._same_view():
                self.fit_all(keep_time=True)  # the first keys of a clip
        self._fit_once()
        self._repaint()

    def _settle(self) -> None:
        """Lay the lanes out again; never while a drag lasts."""
        if not self._still:
            # As they are, nothing about curves need be known before they are drawn.
            curves = self.curves() if self.layout is not Layout.ABSOLUTE else ()
            self._fits = {c.lane: fit for c, fit in zip(curves, fits_for(self.layout, curves), strict=True)}
            self._handles = self._content = None

    def rest(self, still: bool) -> None:
        """Hold the layout of the lanes while a drag lasts."""
        self._still = still
        self.touched = None
        self.held = (self.clip, self.session.selection.keys) if still else None

    def touch(self, reach: Reach | None) -> None:
        """Note between which times the drag has changed what was `held`; None for everywhere."""
        self.touched = reach

    @property
    def still(self) -> bool:
        """Whether a drag holds the layout."""
        return self._still

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
        keys = self.selected_keys()
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
