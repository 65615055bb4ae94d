"""What tools ask of the view they work in; the viewport answers with its camera and gizmo."""

from typing import Protocol

from core.arrays import FloatArray

Pixel = tuple[float, float]


class CameraController(Protocol):
    """A camera that can be moved, and remembered as an opaque value."""

    def look(self) -> object:
        """The camera as it is."""

    def restore(self, look: object) -> None:
        """Put the camera back to a value of `look`."""

    def orbit(self, dx: float, dy: float) -> None:
        """Turn about the target by a drag in pixels."""

    def pan(self, dx: float, dy: float) -> None:
        """Shift sideways by a drag in pixels."""

    def dolly(self, factor: float, cursor: Pixel | None = None) -> None:
        """Multiply the distance, keeping what is under the cursor."""


class Scene(Protocol):
    """What can be picked."""

    def bones_at(self, pixel: Pixel) -> tuple[str, ...]:
        """Names of the bones under a pixel, the likeliest first."""

    def bones_in(self, low: Pixel, high: Pixel) -> tuple[str, ...]:
        """Names of the bones that a box on the screen catches."""

    def show_box(self, box: tuple[Pixel, Pixel] | None) -> None:
        """Draw the selection box, or remove it."""


class HandleDrag(Protocol):
    """A gizmo handle being dragged: turns pixels into amounts along the axes of the gizmo's frame.

    `axes` are the numbers of the axes the handle works along: one for an arrow or ring, two for a
    plane, three for the middle, none for the ring that faces the eye. `direction` is the unit
    rotation axis of that last one, in the frame's axes.
    """

    @property
    def axes(self) -> tuple[int, ...]: ...

    @property
    def direction(self) -> FloatArray: ...

    @property
    def free(self) -> bool:
        """Whether it is no line or dot but the open ground between the handles."""

    def amount(self, pixel: Pixel) -> FloatArray:
        """Metres, radians (a rotation vector) or factors ``(3,)`` that a pointer at `pixel` asks for."""

    def show(self, amount: FloatArray) -> None:
        """Let the gizmo show an amount (swept angle, distance) that snapping or typing decided."""
