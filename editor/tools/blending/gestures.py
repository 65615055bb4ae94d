"""Gestures of the blend space: the point dragged, a sample dragged, the aim turned in the viewport."""

import math
from collections.abc import Callable

from core.errors import ValidationError
from editor.model.blending.live import LiveBlend
from editor.model.blending.spaces import Spaces
from editor.model.i18n import tr
from editor.tools.blending.plot import POINT_REACH, PlotFrame
from editor.tools.gesture import Gesture
from editor.tools.pointer import Modifiers, Pointer

DEGREES_PER_PIXEL = 0.4
JITTER = 3.0
"""Pixels that the pointer may move before a press becomes a drag."""
FINE = 0.1


class DragPoint(Gesture):
    """Moves the preview point, and shows the blend in the viewport; Esc puts it back.

    Parameters
    ----------
    onto : place of the sample whose dot was pressed: a click without a drag puts the point exactly there
    """

    def __init__(self, live: LiveBlend, frame: PlotFrame, onto: tuple[float, ...] | None = None) -> None:
        self._live, self._frame, self._onto = live, frame, onto
        self._before = live.point
        self._was_on = live.on
        self._start: Pointer | None = None
        self._offset = (0.0, 0.0)

    def begin(self, pointer: Pointer) -> None:
        """The blend plays; the point comes under the pointer, unless that already holds it."""
        self._start = pointer
        x, y = self._frame.pixel(self._onto or self._before)
        if self._onto is not None or math.hypot(x - pointer.x, y - pointer.y) <= POINT_REACH:
            self._offset = (x - pointer.x, y - pointer.y)
        if self._live.player is not None and not self._live.on:
            self._live.start()
        if self._onto is not None:
            self._live.set_point(self._onto)
        elif self._offset == (0.0, 0.0):
            self.move(pointer)

    def move(self, pointer: Pointer) -> None:
        """The point follows; ignore jitter below the threshold where it was taken by itself or by a dot."""
        if self._start is not None and self._offset != (0.0, 0.0) and pointer.distance(self._start) < JITTER:
            return
        self._start = None
        self._live.set_point(self._frame.place((pointer.x + self._offset[0], pointer.y + self._offset[1])))

    def cancel(self) -> None:
        """Back to where it was."""
        self._live.set_point(self._before)
        if not self._was_on:
            self._live.stop()

    @property
    def hint(self) -> str:
        """What the status bar says."""
        return tr("Drag the point: the viewport plays the blend · Esc cancels")


class DragSample(Gesture):
    """Moves a sample: shown at once, one step in the history on release."""

    def __init__(self, spaces: Spaces, number: int, frame: PlotFrame, problem: Callable[[str], None]) -> None:
        self._spaces, self._number, self._frame, self._problem = spaces, number, frame, problem
        self._space = frame.space
        self._place = frame.space.samples[number].place
        self._start: Pointer | None = None
        self._moved = False

    def begin(self, pointer: Pointer) -> None:
        """Take hold of it where it is."""
        self._start = pointer

    def move(self, pointer: Pointer) -> None:
        """The sample follows by as much as the pointer moved."""
        start = self._start
        if start is None or (not self._moved and pointer.distance(start) < JITTER):
            return
        self._moved = True
        x, y = self._frame.pixel(self._place)
        place = self._frame.place((x + pointer.x - start.x, y + pointer.y - start.y))
        try:
            self._spaces.preview(self._space.with_moved(self._number, place))
        except ValidationError:
            return  # it lies on another sample: it stays where it last could be

    def finish(self, pointer: Pointer) -> None:
        """One step."""
        moved = self._spaces.current
        self._spaces.preview(None)
        if not self._moved or moved is None or moved.id != self._space.id:
            return
        try:
            self._spaces.move(self._number, moved.samples[self._number].place)
        except ValidationError as error:
            self._problem(str(error))

    def cancel(self) -> None:
        """As if nothing had been."""
        self._spaces.preview(None)

    @property
    def hint(self) -> str:
        """What the status bar says."""
        return tr("Drag the sample to its position · Esc cancels")


class DragAim(Gesture):
    """Turns the aim by a drag in the viewport: sideways the first axis, upwards the second; Shift is fine."""

    def __init__(self, live: LiveBlend) -> None:
        self._live = live
        self._before, self._was_on = live.point, live.on
        self._last: Pointer | None = None

    def begin(self, pointer: Pointer) -> None:
        """The blend is shown."""
        self._last = pointer
        if not self._live.on:
            self._live.start()

    def move(self, pointer: Pointer) -> None:
        """Turn by what the pointer moved since."""
        last, space = self._last, self._live.space
        if last is None or space is None:
            return
        self._last = pointer
        factor = DEGREES_PER_PIXEL * (FINE if pointer.has(Modifiers.SHIFT) else 1.0)
        moved = (pointer.x - last.x, last.y - pointer.y)
        point = tuple(
            value + change * factor * axis.extent / 180.0
            for value, change, axis in zip(self._live.point, moved, space.axes, strict=False)
        )
        held = tuple(min(max(v, a.minimum), a.maximum) for v, a in zip(point, space.axes, strict=True))
        self._live.set_point(held)

    def cancel(self) -> None:
        """Back to where it looked, and to what was shown."""
        self._live.set_point(self._before)
        if not self._was_on:
            self._live.stop()

    @property
    def status(self) -> str:
        """Where it aims."""
        space = self._live.space
        if space is None:
            return ""
        return "  ".join(
            f"{axis.name} {value:.1f}{axis.unit}"
            for axis, value in zip(space.axes, self._live.point, strict=True)
        )

    @property
    def hint(self) -> str:
        """What the status bar says."""
        return tr("Drag to aim · Shift: fine · Esc cancels")
