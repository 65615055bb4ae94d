"""Drag keys along the time axis, or copies of them (Alt): live, snapped to frames, one undo step, exact cancel."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from core.clips.clip import Channel
from editor.model.i18n import tr, trn
from editor.model.key_edits import selected
from editor.model.selection import Mode, Selection
from editor.model.session import Session
from editor.tools import key_edits
from editor.tools.gesture import Gesture
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
    on_click : what a press without a drag means (the rest of the selection is let go)
    """

    def __init__(
        self,
        session: Session,
        grabbed: float,
        time_at: Callable[[float], float],
        on_click: Callable[[], None],
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
        self._start: Pointer | None = None
        self._seconds = 0.0
        self._result = key_edits.Edited(clip, self._keys)
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
            seconds = self._clip.rate.snap(self._grabbed + seconds) - self._grabbed
        if seconds != self._seconds:
            self._seconds = seconds
            self._show()

    def _show(self) -> None:
        edit = key_edits.duplicated if self._copy else key_edits.moved
        self._result = edit(self._clip, self._keys, self._seconds)
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
        verb = "Duplicate" if self._copy else "Move"
        what = tr("key") if number == 1 else trn("{count} key", "{count} keys", number)
        return f"{verb} {what} {frames} f"

    @property
    def status(self) -> str:
        return self.label if self._under_way else ""

    @property
    def hint(self) -> str:
        return tr("Ctrl: between frames · Esc or right button cancels")


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
