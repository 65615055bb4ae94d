"""Gestures of the curve editor: drag keys, drag a tangent handle, catch keys by a box or a lasso."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from core.arrays import BoolArray, FloatArray
from core.clips.clip import Channel, Clip
from core.tracks.edits import set_slopes, set_weights
from core.tracks.keys import ScalarTrack, TangentMode, Track
from editor.model.i18n import tr, trn
from editor.model.session import Session
from editor.tools import key_edits
from editor.tools.curves.lanes import Lane, track_of, with_tracks
from editor.tools.curves.reader import Reader
from editor.tools.gesture import Gesture
from editor.tools.key_edits import Keys, Numbers
from editor.tools.key_moves import KeyMove, Reach, rippled
from editor.tools.pick import mode_of
from editor.tools.pointer import CLICK_SLOP, Modifiers, Pointer
from editor.tools.transform import JITTER, plain

Points = Sequence[tuple[float, float]]


class Lanes(Protocol):
    """What gestures ask of the lanes shown."""

    @property
    def reader(self) -> Reader:
        """How quaternion channels are read."""

    def editable(self, keys: Keys) -> Keys:
        """Keys without those of locked lanes and bones."""

    def keep_buffer(self, clip: Clip) -> None:
        """Note the curves as they were."""


class Plane(Protocol):
    """What gestures ask of the view: times and values at pixels."""

    def time_at(self, x: float) -> float:
        """Seconds at a pixel."""

    def rise(self, lane: Lane, dy: float) -> float:
        """Value units of a lane that `dy` pixels downward are."""

    def unit_of(self, lane: Lane) -> float:
        """What a lane's values are multiplied by to be shown."""

    def snapped(self, time: float, moving: Keys) -> float:
        """The frame, marker or key next to a time."""

    def rest(self, still: bool) -> None:
        """Hold the layout of the lanes while a drag lasts."""

    def touch(self, reach: Reach | None) -> None:
        """Note between which times the drag has changed curves; None for everywhere."""


class DragCurveKeys(Gesture):
    """Move the selected keys in time and value; Shift locks an axis, Ctrl inverts snapping.

    Parameters
    ----------
    grabbed : seconds of the key under the pointer: it is the one that snaps
    lane : the lane it was grabbed on (of a quaternion channel, the angle that moves)
    on_click : what a press without a drag means
    """

    def __init__(
        self,
        session: Session,
        lanes: Lanes,
        plane: Plane,
        lane: Lane,
        grabbed: float,
        on_click: Callable[[], None],
    ) -> None:
        clip = session.playback.shown
        if clip is None:
            raise ValueError("keys can only be dragged in a clip")
        self._plane, self._lane, self._grabbed, self._on_click = plane, lane, grabbed, on_click
        self._session, self._lanes, self._clip = session, lanes, clip
        self._before = session.selection.keys
        self._keys: Keys = {}
        self._move: KeyMove | None = None
        self._start: Pointer | None = None
        self._change = (0.0, 0.0)
        self._result = key_edits.Edited(clip, {})
        self._under_way = False

    def begin(self, pointer: Pointer) -> None:
        self._start = pointer
        self._keys = self._lanes.editable(key_edits.known(self._clip, self._session.selection.keys))
        self._result = key_edits.Edited(self._clip, self._keys)
        self._session.playback.pause()

    def move(self, pointer: Pointer) -> None:
        start = self._start
        if start is None or not self._keys or (not self._under_way and pointer.distance(start) < JITTER):
            return
        if not self._under_way:
            self._under_way = True
            self._plane.rest(True)
        dx, dy = pointer.x - start.x, pointer.y - start.y
        if pointer.has(Modifiers.SHIFT):
            dx, dy = (dx, 0.0) if abs(dx) >= abs(dy) else (0.0, dy)
        seconds = 0.0
        if dx:
            seconds = self._plane.time_at(start.x + dx) - self._plane.time_at(start.x)
            if bool(self._session.switches["snap"]) != pointer.has(Modifiers.CTRL):
                seconds = self._plane.snapped(self._grabbed + seconds, self._keys) - self._grabbed
        if (seconds, dy) != self._change:
            self._change = seconds, dy
            self._show(seconds, dy)

    def _show(self, seconds: float, dy: float) -> None:
        if not seconds and not dy:
            self._back()
            return
        values: dict[Lane, float] = {}
        for channel in self._keys:
            part = self._lane.part
            lane = Lane(channel, part if Lane(channel).is_angle else 0)
            values[lane] = self._plane.rise(lane, dy)
        reach: Reach | None = None
        if seconds and self._session.switches["ripple"]:
            self._result = rippled(
                self._clip, self._keys, seconds, values, self._lanes.reader, self._session.selection.locked
            )
        else:
            self._move = self._move or KeyMove(
                self._clip, self._keys, self._lanes.reader, bool(self._session.switches["snap"])
            )
            self._result, reach = self._move.by(seconds, values), self._move.reach(seconds)
        self._plane.touch(reach)
        self._session.preview.set_clip(self._result.clip)
        if seconds or len(self._session.selection.keys) != len(self._result.keys):
            self._session.selection.select_keys(self._result.keys)

    def _back(self) -> None:
        self._plane.touch(None)
        self._session.preview.clear()
        self._session.selection.select_keys(self._before)

    def finish(self, pointer: Pointer) -> None:
        self._plane.rest(False)
        if not self._under_way:
            self._on_click()
        elif any(self._change):
            self._lanes.keep_buffer(self._clip)
            self._session.edits.put(self.label, self._result.clip)
            self._session.preview.clear()
            self._session.selection.select_keys(self._result.keys)
        else:
            self._back()

    def cancel(self) -> None:
        self._plane.rest(False)
        self._back()

    @property
    def label(self) -> str:
        """Name of the undo step."""
        number, (seconds, dy) = key_edits.count(self._keys), self._change
        what = tr("key") if number == 1 else trn("{count} key", "{count} keys", number)
        parts = []
        if seconds:
            frames = plain(self._clip.rate.to_frame(seconds), 2)
            parts.append(f"{frames if frames.startswith('-') else '+' + frames} f")
        if dy:
            value = self._plane.rise(self._lane, dy) * self._plane.unit_of(self._lane)
            parts.append(f"{'+' if value > 0 else ''}{plain(value, 3)}{self._lane.unit}")
        return f"{tr('Move')} {what} {' '.join(parts)}".rstrip()

    @property
    def status(self) -> str:
        return self.label if self._under_way else ""

    @property
    def hint(self) -> str:
        return tr("Shift locks an axis · Ctrl inverts snapping · Esc or right button cancels")


class DragHandle(Gesture):
    """Turn a key's tangent; Alt breaks it, Shift holds it level, weighted handles change their length too.

    Where the key is one of several selected ones, the others' tangents lean by as much along with it.

    Parameters
    ----------
    side : −1 the handle before the key, +1 the one after
    place : pixel of the key
    weighted : whether the handle's length counts
    """

    def __init__(
        self,
        session: Session,
        lanes: Lanes,
        plane: Plane,
        lane: Lane,
        key: int,
        side: int,
        place: tuple[float, float],
        weighted: bool,
    ) -> None:
        clip = session.playback.shown
        if clip is None:
            raise ValueError("handles can only be dragged in a clip")
        self._plane, self._lane, self._key, self._side, self._place = plane, lane, key, side, place
        self._session, self._lanes, self._clip, self._weighted = session, lanes, clip, weighted
        self._result: Clip | None = None
        self._start: Pointer | None = None
        self._keys: dict[Channel, Numbers] = {}

    def begin(self, pointer: Pointer) -> None:
        self._start = pointer
        self._session.playback.pause()
        selected = self._lanes.editable(key_edits.known(self._clip, self._session.selection.keys))
        own = self._lane.channel
        together = own in selected and self._key in selected[own]
        tracks = {c: track_of(self._clip, c) for c in selected} if together else {}
        self._keys = {c: selected[c] for c, track in tracks.items() if isinstance(track, ScalarTrack)}
        self._keys.setdefault(own, np.array([self._key]))

    def move(self, pointer: Pointer) -> None:
        if self._start is None or (self._result is None and pointer.distance(self._start) < JITTER):
            return
        self._plane.rest(True)
        track = track_of(self._clip, self._lane.channel)
        if not isinstance(track, ScalarTrack):
            return
        dx = max((pointer.x - self._place[0]) * self._side, 2.0)
        level = pointer.has(Modifiers.SHIFT)
        dy = 0.0 if level else pointer.y - self._place[1]
        seconds = self._plane.time_at(self._place[0] + dx) - self._plane.time_at(self._place[0])
        slope = self._plane.rise(self._lane, dy) / seconds * self._side
        lean = slope - float((track.in_slopes if self._side < 0 else track.out_slopes)[self._key])
        broken = pointer.has(Modifiers.ALT)
        changes: dict[Channel, Track | None] = {
            channel: self._leaned(channel, numbers, None if level else lean, broken)
            for channel, numbers in self._keys.items()
        }
        if self._weighted:
            own = changes[self._lane.channel]
            assert isinstance(own, ScalarTrack)
            broken = broken or track.modes[self._key] == TangentMode.BROKEN
            changes[self._lane.channel] = self._with_weight(own, seconds, broken)
        self._result = with_tracks(self._clip, changes)
        self._session.preview.set_clip(self._result)

    def _leaned(self, channel: Channel, numbers: Numbers, lean: float | None, broken: bool) -> ScalarTrack:
        """A track whose keys lean more by as much, on the screen, as the one that is held; None levels them."""
        track = track_of(self._clip, channel)
        assert isinstance(track, ScalarTrack)
        slopes = (track.in_slopes if self._side < 0 else track.out_slopes)[numbers]
        if lean is None:
            slopes = np.zeros(len(numbers))
        else:
            slopes = slopes + lean * self._plane.rise(Lane(channel), 1.0) / self._plane.rise(self._lane, 1.0)
        apart = (track.modes[numbers] == TangentMode.BROKEN) | broken
        for mode, some in (
            (TangentMode.BROKEN, np.flatnonzero(apart)), (TangentMode.FREE, np.flatnonzero(~apart)),
        ):  # fmt: skip
            if len(some):
                into, out = (slopes[some], None) if self._side < 0 else (None, slopes[some])
                track = set_slopes(track, numbers[some], into, out, mode)
        return track

    def _with_weight(self, track: ScalarTrack, seconds: float, broken: bool) -> ScalarTrack:
        other = self._key + self._side
        if not 0 <= other < len(track):
            return track
        weight = min(seconds / abs(float(track.times[other] - track.times[self._key])), 1.0)
        into = weight if self._side < 0 or not broken else None
        out = weight if self._side > 0 or not broken else None
        return set_weights(track, [self._key], into, out)

    def finish(self, pointer: Pointer) -> None:
        self._plane.rest(False)
        if self._result is not None:
            self._lanes.keep_buffer(self._clip)
            self._session.edits.put(self.label, self._result)
        self._session.preview.clear()

    def cancel(self) -> None:
        self._plane.rest(False)
        self._session.preview.clear()

    @property
    def label(self) -> str:
        """Name of the undo step."""
        number = key_edits.count(self._keys)
        if number > 1:
            return trn("Rotate tangent of {count} key", "Rotate tangents of {count} keys", number)
        return tr("Rotate tangent of {bone} {lane}", bone=self._lane.channel.bone, lane=self._lane.name)

    @property
    def status(self) -> str:
        return self.label if self._result is not None else ""

    @property
    def hint(self) -> str:
        return tr("Alt breaks the tangent · Shift makes it flat · Esc or right button cancels")


class CatchKeys(Gesture):
    """Select keys by a box, or by a lasso; a press without a drag is a click on the ground.

    Parameters
    ----------
    find : keys within an outline in pixels; a box has two opposite corners
    show : draws the outline, None removes it
    """

    def __init__(
        self,
        session: Session,
        find: Callable[[Points], Keys],
        show: Callable[[Points | None], None],
        on_click: Callable[[Pointer], None],
        lasso: bool = False,
    ) -> None:
        self._session, self._find, self._show, self._on_click = session, find, show, on_click
        self._lasso = lasso
        self._points: list[tuple[float, float]] = []
        self._start: Pointer | None = None

    def begin(self, pointer: Pointer) -> None:
        self._start = pointer

    def move(self, pointer: Pointer) -> None:
        if self._start is None or (not self._points and pointer.distance(self._start) < CLICK_SLOP):
            return
        if self._lasso:
            self._points = [*(self._points or [self._start.pixel]), pointer.pixel]
        else:
            self._points = [self._start.pixel, pointer.pixel]
        self._show(self._points)

    def finish(self, pointer: Pointer) -> None:
        self._show(None)
        if self._points:
            mode = mode_of(replace(pointer, modifiers=pointer.modifiers & ~Modifiers.ALT))
            self._session.selection.select_keys(self._find(self._points), mode)
        elif self._start is not None:
            self._on_click(self._start)

    def cancel(self) -> None:
        self._show(None)

    @property
    def hint(self) -> str:
        return tr("Release to select · Shift adds · Ctrl removes · Esc cancels") if self._points else ""


def within(points: Points, xs: FloatArray, ys: FloatArray) -> BoolArray:
    """Which places lie inside an outline (even-odd rule); two points are a box."""
    outline = np.array(points, dtype=np.float64)
    if len(outline) == 2:
        low, high = outline.min(axis=0), outline.max(axis=0)
        return np.asarray((xs >= low[0]) & (xs <= high[0]) & (ys >= low[1]) & (ys <= high[1]))
    inside = np.zeros(len(xs), dtype=bool)
    ends = np.roll(outline, -1, axis=0)
    for (x0, y0), (x1, y1) in zip(outline, ends, strict=True):
        crosses = (ys < y0) != (ys < y1)
        if y1 != y0:
            inside ^= crosses & (xs < x0 + (ys - y0) * (x1 - x0) / (y1 - y0))
    return inside
