"""Drag keys along the time axis, copies of them (Alt), or an edge of their span: live, snapped, one undo step."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from core.clips.clip import Channel
from editor.model.i18n import tr, trn
from editor.model.selection import Mode, Selection
from editor.model.session import Session
from editor.tools import key_edits
from editor.tools.gesture import Gesture
from editor.tools.key_commands import selected
from editor.tools.key_moves import KeyMove, rippled
from editor.tools.pick import mode_of
from editor.tools.pointer import CLICK_SLOP, Modifiers, Pointer
from editor.tools.transform import JITTER, plain

Keys = key_edits.Keys


class DragKeys(Gesture):
    """Move the selected keys with the one that was grabbed.

    Parameters
    ----------
    grabbed : seconds of the key under the pointer: it is the one that lands on frames
    time_at : seconds at an x pixel
    on_click : what a press without a drag means (the rest of the selection is dropped)
    snap : maps the grabbed key's new time to the frame, marker or key it snaps to
    """

    def __init__(
        self,
        session: Session,
        grabbed: float,
        time_at: Callable[[float], float],
        on_click: Callable[[], None],
        snap: Callable[[float], float] | None = None,
    ) -> None:
        clip = session.playback.shown
        if clip is None:
            raise ValueError("keys can only be dragged in a clip")
        self._session = session
        self._clip = clip
        self._selected = session.selection.keys
        found = selected(session)  # says where bones are locked
        self._keys: Keys = found[1] if found is not None else {}
        self._grabbed = grabbed
        self._time_at = time_at
        self._on_click = on_click
        self._snap = snap or clip.rate.snap
        self._start: Pointer | None = None
        self._seconds = 0.0
        self._result = key_edits.Edited(clip, self._keys)
        self._move: KeyMove | None = None
        self._copy = False
        self._under_way = False

    def begin(self, pointer: Pointer) -> None:
        self._start = pointer
        self._copy = pointer.has(Modifiers.ALT)
        self._session.playback.pause()

    def move(self, pointer: Pointer) -> None:
        if self._start is None or (not self._under_way and abs(pointer.x - self._start.x) < JITTER):
            return
        self._under_way = True
        seconds = self._time_at(pointer.x) - self._time_at(self._start.x)
        snap = self._session.switches["snap"]
        if snap != pointer.has(Modifiers.CTRL):
            seconds = self._snap(self._grabbed + seconds) - self._grabbed
        if seconds != self._seconds:
            self._seconds = seconds
            self._show()

    def _show(self) -> None:
        if self._copy:
            self._result = key_edits.duplicated(self._clip, self._keys, self._seconds)
        elif self._session.switches["ripple"]:
            self._result = rippled(
                self._clip, self._keys, self._seconds, still=self._session.selection.locked
            )
        else:
            self._move = self._move or KeyMove(
                self._clip, self._keys, None, bool(self._session.switches["snap"])
            )
            self._result = self._move.by(self._seconds)
        if self._seconds and self._keys:
            self._session.preview.set_clip(self._result.clip)
            self._session.selection.select_keys(self._result.keys)
        else:
            self._back()

    def _back(self) -> None:
        self._session.preview.clear()
        self._session.selection.select_keys(self._selected)

    def finish(self, pointer: Pointer) -> None:
        if not self._under_way:
            self._on_click()
        elif self._seconds and self._keys:
            result = self._result
            self._session.edits.put(self.label, result.clip)
            self._session.preview.clear()
            self._session.selection.select_keys(result.keys)
        else:
            self._back()

    def cancel(self) -> None:
        self._back()

    @property
    def label(self) -> str:
        """Name of the undo step, such as ``Move 3 keys +2 f``."""
        number = key_edits.count(self._keys)
        frames = plain(self._clip.rate.to_frame(self._seconds), 2)
        frames = frames if frames.startswith("-") else "+" + frames
        verb = tr("Ripple") if self._session.switches["ripple"] else tr("Move")
        verb = tr("Duplicate") if self._copy else verb
        what = tr("key") if number == 1 else trn("{count} key", "{count} keys", number)
        return f"{verb} {what} {frames} f"

    @property
    def status(self) -> str:
        return self.label if self._under_way else ""

    @property
    def hint(self) -> str:
        return tr("Ctrl: between frames · Esc or right button cancels")


class ScaleKeys(Gesture):
    """Scale the selected keys in time by an edge of their span; the other edge stays, with Alt their middle.

    Parameters
    ----------
    span : first and last time of the keys, seconds
    late : whether the later edge was grabbed
    time_at : seconds at an x pixel
    snap : maps a time to the frame, marker or key it snaps to
    """

    def __init__(
        self,
        session: Session,
        span: tuple[float, float],
        late: bool,
        time_at: Callable[[float], float],
        snap: Callable[[float], float],
    ) -> None:
        clip = session.playback.shown
        if clip is None or not span[0] < span[1]:
            raise ValueError("only keys at several times of a clip can be scaled")
        self._session, self._clip, self._span, self._late = session, clip, span, late
        self._time_at, self._snap = time_at, snap
        self._selected = session.selection.keys
        found = selected(session)
        self._keys: Keys = found[1] if found is not None else {}
        self._start: Pointer | None = None
        self._factor = 1.0
        self._result = key_edits.Edited(clip, self._keys)

    def begin(self, pointer: Pointer) -> None:
        self._start = pointer
        self._session.playback.pause()

    def move(self, pointer: Pointer) -> None:
        if self._start is None or (self._factor == 1.0 and abs(pointer.x - self._start.x) < JITTER):
            return
        start, end = self._span
        edge, other = (end, start) if self._late else (start, end)
        pivot = (start + end) / 2.0 if pointer.has(Modifiers.ALT) else other
        snapping = self._session.switches["snap"] != pointer.has(Modifiers.CTRL)
        goal = edge + self._time_at(pointer.x) - self._time_at(self._start.x)
        goal = self._snap(goal) if snapping else goal
        factor = (goal - pivot) / (edge - pivot)
        if abs(factor) * (end - start) < self._clip.rate.frame:  # never into nothing
            factor = self._clip.rate.frame / (end - start)
        if factor != self._factor:
            self._factor = factor
            snap = self._clip.rate.snap if snapping else None
            self._result = key_edits.scaled(self._clip, self._keys, pivot, factor, snap)
            self._session.preview.set_clip(self._result.clip)
            self._session.selection.select_keys(self._result.keys)

    def finish(self, pointer: Pointer) -> None:
        if self._factor == 1.0 or not self._keys:
            self.cancel()
            return
        result = self._result
        self._session.edits.put(self.label, result.clip)
        self._session.preview.clear()
        self._session.selection.select_keys(result.keys)

    def cancel(self) -> None:
        self._session.preview.clear()
        self._session.selection.select_keys(self._selected)

    @property
    def label(self) -> str:
        """Name of the undo step, such as ``Scale 6 keys 150 %``."""
        number = key_edits.count(self._keys)
        what = trn("{count} key", "{count} keys", number)
        return tr("Scale {what} {percent} %", what=what, percent=plain(self._factor * 100.0, 1))

    @property
    def status(self) -> str:
        return self.label if self._factor != 1.0 else ""

    @property
    def hint(self) -> str:
        return tr("Alt: about the middle · Ctrl: between frames · Esc or right button cancels")


class Snapping:
    """Where keys snap to: whole frames, and markers, other keys and the playhead within reach.

    Parameters
    ----------
    frame : maps seconds to the nearest whole frame
    stops : ``(N,)`` rising seconds beside the frames
    reach : seconds within which a stop catches
    """

    def __init__(self, frame: Callable[[float], float], stops: npt.NDArray[np.float64], reach: float) -> None:
        self._frame, self._stops, self._reach = frame, stops, reach

    def __call__(self, time: float) -> float:
        """The time that a time snaps to; a stop wins over a frame that is not nearer."""
        frame = self._frame(time)
        place = int(np.searchsorted(self._stops, time))
        near = self._stops[max(place - 1, 0) : place + 1]
        if not len(near):
            return frame
        stop = float(near[int(np.argmin(np.abs(near - time)))])
        away = abs(stop - time)
        return (
            stop
            if away <= self._reach and (away <= abs(frame - time) or away <= self._reach / 2.0)
            else frame
        )


KeyFinder = Callable[[float, float, float, float], dict[Channel, npt.NDArray[np.int64]]]
"""Keys that a box (x0, y0, x1, y1) in pixels catches."""


class BoxKeys(Gesture):
    """Select keys by a box; a press without a drag lets go of the selection."""

    def __init__(
        self,
        selection: Selection,
        find: KeyFinder,
        show: Callable[[tuple[float, float, float, float] | None], None],
    ) -> None:
        self._selection = selection
        self._find = find
        self._show = show
        self._start: Pointer | None = None
        self._box: tuple[float, float, float, float] | None = None

    def begin(self, pointer: Pointer) -> None:
        self._start = pointer

    def move(self, pointer: Pointer) -> None:
        if self._start is None or (self._box is None and pointer.distance(self._start) < CLICK_SLOP):
            return
        xs, ys = sorted((self._start.x, pointer.x)), sorted((self._start.y, pointer.y))
        self._box = xs[0], ys[0], xs[1], ys[1]
        self._show(self._box)

    def finish(self, pointer: Pointer) -> None:
        self._show(None)
        mode = mode_of(pointer)
        if self._box is not None:
            self._selection.select_keys(self._find(*self._box), mode)
        elif mode is Mode.REPLACE:
            self._selection.select_keys({})

    def cancel(self) -> None:
        self._show(None)

    @property
    def hint(self) -> str:
        return tr("Release to select · Shift adds · Ctrl removes · Esc cancels") if self._box else ""
