"""Gestures of the blend space: the point dragged, a sample dragged, the aim turned in the viewport."""

from collections.abc import Callable

from core.errors import ValidationError
from editor.model.blending.live import LiveBlend
from editor.model.blending.spaces import Spaces
from editor.model.i18n import tr
from editor.tools.blending.plot import PlotFrame
from editor.tools.gesture import Gesture
from editor.tools.pointer import Modifiers, Pointer

DEGREES_PER_PIXEL = 0.4
FINE = 0.1


class DragPoint(Gesture):
    """Moves the preview point, and shows the blend in the viewport; Esc puts it back."""

    def __init__(self, live: LiveBlend, frame: PlotFrame) -> None:
        self._live, self._frame = live, frame
        self._before = live.point
        self._was = (live.on, live.running)

    def begin(self, pointer: Pointer) -> None:
        """The point jumps under the pointer, and the blend plays."""
        if self._live.player is not None and not self._live.on:
            self._live.start()
        self.move(pointer)

    def move(self, pointer: Pointer) -> None:
        """The point follows."""
        self._live.set_point(self._frame.place(pointer.pixel))

    def cancel(self) -> None:
        """Back to where it was."""
        self._live.set_point(self._before)
        if not self._was[0]:
            self._live.stop()

    @property
    def hint(self) -> str:
        """What the status bar says."""
        return tr("Drag the point: the viewport plays the blend. Esc puts it back")


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
        if start is None or (not self._moved and pointer.distance(start) < 3.0):
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
        return tr("Drag the sample; Shift+drag moves the point. Esc puts it back")


class DragAim(Gesture):
    """Turns the aim by a drag in the viewport: sideways the first axis, upwards the second; Shift is fine."""

    def __init__(self, live: LiveBlend) -> None:
        self._live = live
        self._before = live.point
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
        """Back to where it looked."""
        self._live.set_point(self._before)

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
        return tr("Drag to aim; Shift is fine; Esc puts it back")
