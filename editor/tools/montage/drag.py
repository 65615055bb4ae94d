"""Drags in the montage panel: shown while they last, one step at the end, exactly as before after Escape."""

from collections.abc import Callable
from dataclasses import dataclass

from core.graph.montage import Montage
from editor.model.i18n import tr
from editor.model.montage.montages import Item, Montages
from editor.model.montage.preview import MontagePreview
from editor.tools.gesture import Gesture
from editor.tools.pointer import Modifiers, Pointer
from editor.tools.transform import JITTER


@dataclass(frozen=True, slots=True)
class Change:
    """What a drag has made of the montage, and what is selected then; None leaves the selection."""

    montage: Montage
    picked: tuple[Item, ...] | None = None


class DragMontage(Gesture):
    """Drag a part of the open montage.

    Parameters
    ----------
    label : of the step
    change : what the montage becomes with the pointer there; told whether times snap
    alone : what a click without a drag does
    snaps : whether snapping is on; Ctrl inverts it
    """

    def __init__(
        self,
        montages: Montages,
        label: str,
        change: Callable[[Pointer, bool], Change],
        alone: Callable[[], None] = lambda: None,
        snaps: Callable[[], bool] = lambda: True,
    ) -> None:
        self._montages, self._label, self._change = montages, label, change
        self._alone, self._snaps = alone, snaps
        self._picked = montages.picked
        self._start: Pointer | None = None
        self._result: Change | None = None

    def begin(self, pointer: Pointer) -> None:
        self._start = pointer

    def move(self, pointer: Pointer) -> None:
        if self._start is None or (self._result is None and self._start.distance(pointer) < JITTER):
            return
        self._result = self._change(pointer, self._snaps() != pointer.has(Modifiers.CTRL))
        self._montages.preview(self._result.montage)
        if self._result.picked is not None:
            self._montages.pick(*self._result.picked)

    def finish(self, pointer: Pointer) -> None:
        if self._result is None:
            self._alone()
            return
        result = self._result
        self._montages.put(self._label, result.montage)
        if result.picked is not None:
            self._montages.pick(*result.picked)

    def cancel(self) -> None:
        self._montages.preview(None)
        self._montages.pick(*self._picked)

    @property
    def hint(self) -> str:
        return tr("Ctrl: between frames · Esc or right button cancels")


class ScrubMontage(Gesture):
    """Drag along the ruler: the viewport shows the time under the pointer."""

    def __init__(
        self, preview: MontagePreview, time_at: Callable[[float], float], snap: Callable[[float], float]
    ) -> None:
        self._preview, self._time_at, self._snap = preview, time_at, snap

    def begin(self, pointer: Pointer) -> None:
        self.move(pointer)

    def move(self, pointer: Pointer) -> None:
        time = self._time_at(pointer.x)
        self._preview.seek(time if pointer.has(Modifiers.CTRL) else self._snap(time))


class DragView(Gesture):
    """Drag the axis, and the rows up and down."""

    def __init__(self, pan: Callable[[float, float], None]) -> None:
        self._pan = pan
        self._last: Pointer | None = None

    def begin(self, pointer: Pointer) -> None:
        self._last = pointer

    def move(self, pointer: Pointer) -> None:
        if self._last is not None:
            self._pan(pointer.x - self._last.x, pointer.y - self._last.y)
            self._last = pointer


class BoxItems(Gesture):
    """Select by a box; a press without a drag selects nothing.

    Parameters
    ----------
    find : items that a box (x0, y0, x1, y1) touches
    show : draws the box
    """

    def __init__(
        self,
        montages: Montages,
        find: Callable[[tuple[float, float, float, float]], tuple[Item, ...]],
        show: Callable[[tuple[float, float, float, float] | None], None],
        more: bool,
    ) -> None:
        self._montages, self._find, self._show = montages, find, show
        self._before = montages.picked
        self._kept = montages.picked if more else ()
        self._start: Pointer | None = None

    def begin(self, pointer: Pointer) -> None:
        self._start = pointer
        self._montages.pick(*self._kept)

    def move(self, pointer: Pointer) -> None:
        start = self._start
        if start is None:
            return
        box = (
            min(start.x, pointer.x), min(start.y, pointer.y), max(start.x, pointer.x), max(start.y, pointer.y),
        )  # fmt: skip
        self._show(box)
        self._montages.pick(*dict.fromkeys((*self._kept, *self._find(box))))

    def finish(self, pointer: Pointer) -> None:
        self._show(None)

    def cancel(self) -> None:
        self._show(None)
        self._montages.pick(*self._before)
