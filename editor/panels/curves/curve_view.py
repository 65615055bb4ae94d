"""Where the curve editor shows its curves: axes, fits, places, handles. Free of Qt."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.arrays import FloatArray
from core.clips.clip import Clip, Property
from core.rig.skeleton import Skeleton
from core.rig.world_units import metres_per_unit
from editor.model.evaluator import Evaluator
from editor.model.events import Event
from editor.model.playback import Playback
from editor.model.selection import Selection
from editor.model.time_axis import TimeAxis, TimeUnit
from editor.panels.curves.handles import Handle, handles_of
from editor.panels.curves.lane_list import LaneList
from editor.panels.curves.space import Fit, Layout, ValueAxis, extent, fits_for
from editor.tools import key_edits
from editor.tools.curves.lanes import Curve, Lane
from editor.tools.key_edits import Keys
from editor.tools.key_moves import Reach
from editor.tools.pointer import Modifiers

REACH = 7.0
ZOOM_STEP = 1.18
MARGIN = 28.0


class CurveView:
    """Axes of the plot, and how each lane comes onto them.

    Attributes
    ----------
    changed : the picture differs
    weighted : whether handles show their weight as length
    held : clip and selected keys as they were when the drag under way began
    touched : seconds between which that drag has changed them; None for everywhere
    """

    def __init__(
        self, lanes: LaneList, evaluator: Evaluator, playback: Playback, selection: Selection
    ) -> None:
        self._lanes = lanes
        self._evaluator = evaluator
        self._playback = playback
        self._selection = selection
        self.changed: Event[None] = Event()
        self.axis = TimeAxis()
        self.values = ValueAxis()
        self.unit = TimeUnit.FRAMES
        self.layout = Layout.ABSOLUTE
        self.weighted = False
        self.held: tuple[Clip | None, Keys] | None = None
        self.touched: Reach | None = None
        self._still = False
        self._handles: tuple[Handle, ...] | None = None
        self._fitted: object = None
        self._fitted_values: ValueAxis | None = None
        self._whole_values = False
        self._content: tuple[Clip | None, tuple[Curve, ...], tuple[float, float, float, float]] | None = None
        self._extents: dict[Lane, tuple[Curve, tuple[float, float]]] = {}
        self._sized = False
        self._fits: dict[Lane, Fit] = {}
        self._plain: dict[Lane, Fit] = {}
        self._units: tuple[Skeleton | None, dict[str, tuple[float, ...]]] = (None, {})

    def set_unit(self, unit: TimeUnit) -> None:
        """Write times in another unit."""
        if unit is not self.unit:
            self.unit = unit
            self.changed.emit(None)

    # -------------------------------------------------- places
    def time_at(self, x: float) -> float:
        """Seconds at a pixel."""
        return self.axis.time(x)

    def rise(self, lane: Lane, dy: float) -> float:
        """Value units of a lane that `dy` pixels downward are."""
        return -dy / self.values.scale / self.fit_of(lane).factor

    def snapped(self, time: float, moving: Keys) -> float:
        """The marker or playhead within reach of a time, else the nearest frame."""
        clip = self._playback.shown
        if clip is None:
            return time
        near = 5.0 / self.axis.scale
        stops = [marker.time for marker in clip.markers] + [self._playback.time]
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
            self._handles = tuple(handles_of(self._lanes, self))
        return self._handles

    def refresh_handles(self) -> None:
        """Handles look different now."""
        self._handles = None
        self.changed.emit(None)

    def content(self) -> tuple[float, float, float, float]:
        """Start, end, low and high of the clip and its curves on the axes."""
        clip, curves = self._lanes.clip, self._lanes.curves()
        known = self._content  # of the clip too: its length counts, and no curves are the same of every clip
        if known is not None and (self._still or (known[0] is clip and known[1] is curves)):
            return known[2]
        start, end = 0.0, clip.length if clip is not None else 1.0
        if curves:
            start = min(start, min(float(c.track.times[0]) for c in curves))
            end = max(end, max(float(c.track.times[-1]) for c in curves))
        spans = [self._span(curve) for curve in curves]
        low, high = min((a for a, _ in spans), default=-1.0), max((b for _, b in spans), default=1.0)
        room = (high - low) * 0.1
        found = start - 0.05 * (end - start), end + 0.05 * (end - start), low - room, high + room
        self._content = clip, curves, found
        return found

    def unit_of(self, lane: Lane) -> float:
        """What a lane's values are multiplied by to be shown: metres in the world of a translation's unit."""
        rig = self._evaluator.rig
        if lane.is_extra or lane.channel.property is not Property.TRANSLATE or rig is None:
            return 1.0
        skeleton = rig.skeleton
        if self._units[0] is not skeleton:
            self._units = skeleton, {}
        known = self._units[1]
        bone = lane.channel.bone
        if bone not in known:
            index = skeleton.find(bone)
            known[bone] = (
                (1.0, 1.0, 1.0) if index is None else tuple(metres_per_unit(skeleton, index).tolist())
            )
        return known[bone][lane.channel.axis]

    def fit_of(self, lane: Lane) -> Fit:
        """How a lane comes onto the value axis."""
        known = self._fits.get(lane) or self._plain.get(lane)
        if known is None:
            known = self._plain[lane] = Fit(self.unit_of(lane))
        return known

    # -------------------------------------------------- changes from outside
    def drop_handles(self) -> None:
        """Curves, keys or axes differ under the handles."""
        self._handles = None

    def come_into_sight(self) -> None:
        """The panel is shown: fit the values where the curves are not in sight (edited meanwhile, say)."""
        if self._sized and not self._still and not self._same_view():
            self.fit_all(keep_time=True)

    def _same_view(self) -> bool:
        """Whether what is shown now is in sight, so that the view may stay."""
        spans = [self._span(curve) for curve in self._lanes.curves()]
        if not spans:
            return True
        low, high = min(a for a, _ in spans), max(b for _, b in spans)
        room = max(high - low, 1e-9)
        tall = self.values.high - self.values.low
        return self.values.low <= low and high <= self.values.high and room > 0.15 * tall

    def _span(self, curve: Curve) -> tuple[float, float]:
        known = self._extents.get(curve.lane)
        if known is None or known[0] is not curve:
            known = self._extents[curve.lane] = curve, extent(curve)
        fit, (low, high) = self.fit_of(curve.lane), known[1]
        return fit.on(low), fit.on(high)

    def take_lanes(self, before: tuple[Lane, ...] | None) -> bool:
        """Other lanes may be listed than `before`; whether they are."""
        clip, lanes = self._lanes.clip, self._lanes.all()
        self._handles = None
        self._plain.clear()  # another rig may be shown
        if clip is not None and clip.rate != self.axis.rate:
            self.axis = self.axis.at_rate(clip.rate)
        differ = before != lanes
        if differ or self.layout is not Layout.ABSOLUTE:
            self.settle()
        if differ and not before and not self._still and self._sized and not self._same_view():
            self.fit_all(keep_time=True)  # the first keys of a clip
        self._fit_once()
        return differ

    def settle(self) -> None:
        """Lay the lanes out again; never while a drag lasts."""
        if not self._still:
            # As they are, nothing about curves need be known before they are drawn.
            curves = self._lanes.curves() if self.layout is not Layout.ABSOLUTE else ()
            self._fits = {c.lane: fit for c, fit in zip(curves, fits_for(self.layout, curves), strict=True)}
            self._handles = self._content = None

    def rest(self, still: bool) -> None:
        """Hold the layout of the lanes while a drag lasts."""
        self._still = still
        self.touched = None
        self.held = (self._lanes.clip, self._selection.keys) if still else None

    def touch(self, reach: Reach | None) -> None:
        """Note between which times the drag has changed what was `held`; None for everywhere."""
        self.touched = reach

    @property
    def still(self) -> bool:
        """Whether a drag holds the layout."""
        return self._still

    def _fit_once(self) -> None:
        clip = self._playback.shown
        if clip is not None and self._sized and clip.id != self._fitted:
            self._fitted = clip.id
            self._lanes.buffer = None
            self.fit_all()

    # -------------------------------------------------- view
    def resize(self, width: float, height: float) -> None:
        """The plot has another size; what it shows stays in sight."""
        wider, taller = max(width, 1.0) / self.axis.width, max(height, 1.0) / self.values.height
        self.axis = replace(self.axis, width=width, scale=self.axis.scale * wider)
        fitted = self.values is self._fitted_values
        self.values = replace(self.values, height=height, scale=self.values.scale * taller)
        self._handles = None
        self._sized = width > 60.0 and height > 30.0
        if fitted:  # with the margins that are right for this height
            self.fit_values(self._whole_values)
        self._fit_once()
        self.changed.emit(None)

    def set_axes(self, axis: TimeAxis, values: ValueAxis) -> None:
        """Show another part."""
        if (axis, values) != (self.axis, self.values):
            self.axis, self.values = axis, values
            self._handles = None
            self.changed.emit(None)

    def set_layout(self, layout: Layout) -> None:
        """Share the value axis in another way, and fit it."""
        if layout is not self.layout:
            self.layout = layout
            self.settle()
            self.fit_all(keep_time=True)
            self.changed.emit(None)

    def fit_all(self, keep_time: bool = False) -> None:
        """Show every curve, and the whole clip."""
        clip, curves = self._lanes.clip, self._lanes.curves()
        if clip is None:
            return
        axis = self.axis
        if not keep_time:
            first = min((float(c.track.times[0]) for c in curves), default=0.0)
            last = max((float(c.track.times[-1]) for c in curves), default=0.0)
            axis = axis.fitted(min(first, 0.0), max(last, clip.length), MARGIN)
        self._whole_values = True
        self.set_axes(axis, self._values_of(curves))

    def fit_values(self, extras: bool = False) -> None:
        """Show all values of the curves of bones; time stays.

        Parameters
        ----------
        extras : those beside the bones count too, as they do where there are no others
        """
        if self._still or not self._sized:
            return
        curves = self._lanes.curves()
        own = [curve for curve in curves if extras or not curve.lane.is_extra]
        self._whole_values = extras
        self.set_axes(self.axis, self._values_of(own or curves))

    def _values_of(self, curves: Sequence[Curve]) -> ValueAxis:
        """The value axis with room for curves, noted as fitted; as it is where there are none."""
        spans = [self._span(curve) for curve in curves]
        if not spans:
            return self.values
        values = self.values.fitted(min(a for a, _ in spans), max(b for _, b in spans))
        self._fitted_values = self.values if values == self.values else values
        return self._fitted_values

    def fit_selection(self) -> None:
        """Show the selected keys with their neighbours, else the chosen curves, else everything."""
        keys = self._lanes.selected_keys()
        spans: list[tuple[float, float, float, float]] = []
        for curve in self._lanes.curves():
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
