"""The blend-space panel without Qt: what it shows, and what its fields and buttons do."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from core.arrays import FloatArray
from core.blending.blend_space import BlendSpace, SpaceAxis, SpaceKind
from core.blending.foot_slip import slip_field, slip_map
from core.errors import AnimError
from core.ids import AssetId
from core.progress import Progress
from editor.model.blending.export import export_grid, export_path
from editor.model.blending.state import Blending
from editor.model.events import Event
from editor.model.i18n import tr
from editor.model.session import Session
from editor.tools.blending.gestures import DragPoint, DragSample
from editor.tools.blending.plot import Hit, Part, PlotFrame
from editor.tools.gesture import Gesture, GestureHost
from editor.tools.pointer import Modifiers, Pointer

T = TypeVar("T")
NUDGE = 0.01
"""Part of an axis that an arrow key moves the point by; with Shift a tenth, with Ctrl tenfold."""
SLIP_CELLS = 24


@dataclass(frozen=True, slots=True)
class SampleRow:
    """One sample in the list of weights."""

    number: int
    clip: AssetId
    name: str
    place: tuple[float, ...]
    rate: float
    weight: float


@dataclass(frozen=True, slots=True, eq=False)
class SlipMap:
    """Foot slip over the plane: values ``(n, m)`` in metres a second, NaN where no foot stands."""

    space: BlendSpace
    values: FloatArray
    columns: tuple[FloatArray, ...]


class BlendSpaceModel:
    """State of the panel.

    Attributes
    ----------
    changed : something that the panel shows differs
    moved : only the point, weights, trail, or what the pointer is over differ
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.spaces, self.live = session.feature(Blending).spaces, session.feature(Blending).live
        self.selected: int | None = None
        self.hovered: int | None = None
        self.part = Part.GROUND
        self.gestures = GestureHost()
        self.slip: SlipMap | None = None
        self.measuring = False
        self.changed: Event[None] = Event()
        self.moved: Event[None] = Event()
        self._subscriptions = [
            self.spaces.changed.connect(self._on_space),
            self.spaces.problem_changed.connect(lambda _: self.changed.emit(None)),
            self.live.moved.connect(lambda _: self.moved.emit(None)),
            self.live.state_changed.connect(lambda _: self.changed.emit(None)),
            session.playback.clip_changed.connect(self._on_space),
        ]

    def close(self) -> None:
        """Stop listening."""
        while self._subscriptions:
            self._subscriptions.pop()()

    # ------------------------------------------------------------ shown
    @property
    def space(self) -> BlendSpace | None:
        """The open space, as a drag shows it."""
        return self.spaces.current

    def names(self) -> tuple[tuple[AssetId, str], ...]:
        """Every space of the character."""
        return tuple((space.id, space.name) for space in self.spaces.all())

    def rows(self) -> tuple[SampleRow, ...]:
        """The samples with their weights."""
        space, weights = self.space, self.live.weights
        if space is None:
            return ()
        if len(weights) != len(space.samples):
            weights = np.zeros(len(space.samples))
        return tuple(
            SampleRow(k, s.clip, self.spaces.clip_name(s.clip), s.place, s.rate, float(weights[k]))
            for k, s in enumerate(space.samples)
        )

    def base_clips(self) -> tuple[tuple[AssetId | None, str], ...]:
        """What an aim offset may be previewed on."""
        rig = self.session.rig
        clips = self.session.document.project.clips_of(rig.id) if rig is not None else ()
        return (None, tr("Rest pose")), *((c.id, c.name) for c in clips if c.additive is None)

    def slip_at(self) -> float | None:
        """Foot slip in metres a second at the point, by the map; None without one."""
        slip, space = self.slip, self.space
        if slip is None or space is None or slip.space is not self.spaces.committed:
            return None
        cell = tuple(
            int(np.argmin(np.abs(column - value)))
            for column, value in zip(slip.columns, self.live.point, strict=True)
        )
        value = float(slip.values[cell])
        return value if np.isfinite(value) else None

    # ------------------------------------------------------------ mouse
    def press(self, pointer: Pointer, frame: PlotFrame) -> None:
        """A press on the plot takes the point, unless it is on a sample's ring or, with Alt, on a sample.

        With Shift it is the point whatever lies there. A press on a sample's dot selects the sample and puts the
        point on it.
        """
        hit = self.hit(pointer, frame)
        self.select(hit.sample)
        if hit.part is Part.RING and hit.sample is not None:
            gesture: Gesture = DragSample(self.spaces, hit.sample, frame, self.session.messages.warn)
        else:
            onto = None if hit.sample is None else frame.space.samples[hit.sample].place
            gesture = DragPoint(self.live, frame, onto)
        self.gestures.take(gesture, pointer)

    def hit(self, pointer: Pointer, frame: PlotFrame) -> Hit:
        """What a press would take, with the modifiers held."""
        if pointer.has(Modifiers.SHIFT):
            return Hit(Part.POINT)
        if pointer.has(Modifiers.ALT):
            sample = frame.sample_at(pointer.pixel)
            return Hit(Part.GROUND) if sample is None else Hit(Part.RING, sample)
        return frame.hit(pointer.pixel, self.live.point)

    def move(self, pointer: Pointer) -> None:
        """The pointer moved with the button down."""
        self.gestures.move(pointer)

    def release(self, pointer: Pointer) -> None:
        """The button came up."""
        running = self.gestures.current is not None
        self.gestures.release(pointer)
        if running:
            self.changed.emit(None)

    def cancel(self) -> bool:
        """Esc; whether there was something to take back."""
        cancelled = self.gestures.cancel()
        if cancelled:
            self.changed.emit(None)
        return cancelled

    def hover(self, number: int | None, part: Part = Part.GROUND) -> None:
        """The pointer is over a sample, or over this part of the plot."""
        if (number, part) != (self.hovered, self.part):
            self.hovered, self.part = number, part
            self.moved.emit(None)

    def select(self, number: int | None) -> None:
        """Choose a sample."""
        if number != self.selected:
            self.selected = number
            self.moved.emit(None)

    def nudge(self, steps: tuple[int, int], modifiers: Modifiers) -> None:
        """Move the point by arrow keys."""
        space = self.space
        if space is None:
            return
        factor = 0.1 if modifiers & Modifiers.SHIFT else 10.0 if modifiers & Modifiers.CTRL else 1.0
        if self.live.player is not None and not self.live.on:
            self.live.start()
        self.live.set_point(
            tuple(
                value + step * NUDGE * factor * axis.extent
                for value, step, axis in zip(self.live.point, steps, space.axes, strict=False)
            )
        )

    # ------------------------------------------------------------ doing
    def set_value(self, axis: int, value: float) -> None:
        """A coordinate of the point."""
        if self.live.player is not None and not self.live.on:
            self.live.start()
        point = list(self.live.point)
        point[axis] = value
        self.live.set_point(tuple(point))

    def drop(self, clip: str, place: tuple[float, ...]) -> bool:
        """A clip was dropped on the plot."""
        done = bool(self.attempt(lambda: self.spaces.add(AssetId(clip), place)))
        if done and self.space is not None:
            self.select(len(self.space.samples) - 1)
        return done

    def remove_selected(self) -> bool:
        """Delete the chosen sample."""
        number, space = self.selected, self.spaces.committed
        if number is None or space is None or number >= len(space.samples):
            return False
        self.selected = None
        return bool(self.attempt(lambda: self.spaces.remove(number)))

    def move_sample(self, number: int, axis: int, value: float) -> bool:
        """A typed coordinate of a sample."""
        space = self.spaces.committed
        if space is None:
            return False
        place = tuple(value if k == axis else v for k, v in enumerate(space.samples[number].place))
        return bool(self.attempt(lambda: self.spaces.move(number, place)))

    def set_rate(self, number: int, rate: float) -> bool:
        """A typed rate of a sample."""
        return bool(self.attempt(lambda: self.spaces.set_rate(number, rate)))

    def change_axis(self, number: int, **values: object) -> bool:
        """Change parts of an axis."""
        space = self.spaces.committed
        if space is None or number >= len(space.axes):
            return False

        def work() -> bool:
            axis: SpaceAxis = replace(space.axes[number], **values)  # type: ignore[arg-type]
            return self.spaces.set_axis(number, axis)

        return bool(self.attempt(work))

    def change(self, label: str, **values: object) -> bool:
        """Change settings of the whole space."""
        space = self.spaces.committed
        if space is None:
            return False
        return bool(
            self.attempt(lambda: self.spaces.put(label, replace(space, **values)))  # type: ignore[arg-type]
        )

    def set_triangles(self, on: bool) -> bool:
        """Blend in the samples' own triangles instead of by the grid."""
        kind = SpaceKind.TRIANGLES if on else SpaceKind.GRID
        return self.change(tr("Weights by {kind}", kind=tr("triangles") if on else tr("grid")), kind=kind)

    def set_snap(self, on: bool) -> bool:
        """Samples stand on grid lines only, on every axis."""
        space = self.spaces.committed
        if space is None:
            return False
        axes = tuple(replace(axis, snap=on) for axis in space.axes)
        return self.change(tr("Snap on") if on else tr("Snap off"), axes=axes)

    def analyse(self) -> None:
        """Place samples by what their clips measure."""
        done = self.attempt(self.spaces.analyse)
        if done:
            self.session.messages.info(done)

    def toggle_slip(self) -> None:
        """Measure the foot slip over the plane, or put the map away."""
        if self.slip is not None:
            self.slip = None
            self.changed.emit(None)
            return
        player, space = self.live.player, self.spaces.committed
        if player is None or space is None:
            self.session.messages.warn(self.live.why)
            return

        def work(progress: Progress) -> SlipMap:
            field = slip_field(player)
            columns = tuple(np.linspace(a.minimum, a.maximum, SLIP_CELLS + 1) for a in space.axes)
            return SlipMap(space, slip_map(field, columns, progress), columns)

        self.measuring = True
        self.session.jobs.run(
            tr("Measure foot slip of {name}", name=space.name), work, self._measured, self._not_measured
        )

    def _measured(self, slip: SlipMap) -> None:
        self.measuring = False
        self.slip = slip if slip.space is self.spaces.committed else None
        self.changed.emit(None)

    def _not_measured(self, error: Exception) -> None:
        self.measuring = False
        self.session.messages.warn(str(error))
        self.changed.emit(None)

    def export_path(self) -> None:
        """The recorded path as a clip of the project, or the point held where there is no path."""
        self.attempt(lambda: export_path(self.session))

    def export_grid(self) -> None:
        """A clip for each grid point."""
        self.attempt(lambda: export_grid(self.session))

    def attempt(self, work: Callable[[], T]) -> T | None:
        """Do something that may be refused; the reason goes to the message bar."""
        try:
            return work()
        except AnimError as error:
            self.session.messages.warn(str(error))
            return None

    # ------------------------------------------------------------ upkeep
    def _on_space(self, _: None) -> None:
        space = self.spaces.committed
        if self.slip is not None and self.slip.space is not space:
            self.slip = None
        if self.selected is not None and (space is None or self.selected >= len(space.samples)):
            self.selected = None
        self.changed.emit(None)
