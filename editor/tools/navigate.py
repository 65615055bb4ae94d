"""Orbit, pan and zoom; two habits at once: Alt with each button, and the middle button with Shift or Ctrl."""

from enum import Enum
from math import exp

from editor.model.i18n import tr
from editor.tools.gesture import Gesture
from editor.tools.pointer import Button, Modifiers, Pointer
from editor.tools.scene import CameraController, Pixel

ZOOM_PER_PIXEL = 0.008
ZOOM_PER_WHEEL_STEP = 0.86


class Move(Enum):
    """What a navigation drag does."""

    ORBIT = "orbit"
    PAN = "pan"
    ZOOM = "zoom"


def navigation(pointer: Pointer) -> Move | None:
    """The navigation that a press begins, if any."""
    if pointer.has(Modifiers.ALT):
        return {Button.LEFT: Move.ORBIT, Button.MIDDLE: Move.PAN, Button.RIGHT: Move.ZOOM}.get(pointer.button)
    if pointer.button is not Button.MIDDLE:
        return None
    if pointer.has(Modifiers.SHIFT):
        return Move.PAN
    return Move.ZOOM if pointer.has(Modifiers.CTRL) else Move.ORBIT


class Navigate(Gesture):
    """Move the camera by a drag; cancelling puts it back."""

    def __init__(self, controller: CameraController, move: Move) -> None:
        self._controller = controller
        self._move = move
        self._look = controller.look()
        self._last: Pointer | None = None
        self._first: Pixel = (0.0, 0.0)

    def begin(self, pointer: Pointer) -> None:
        self._last, self._first = pointer, pointer.pixel

    def move(self, pointer: Pointer) -> None:
        if self._last is None:
            return
        dx, dy = pointer.x - self._last.x, pointer.y - self._last.y
        self._last = pointer
        if self._move is Move.ORBIT:
            self._controller.orbit(dx, dy)
        elif self._move is Move.PAN:
            self._controller.pan(dx, dy)
        else:
            self._controller.dolly(exp((dy - dx) * ZOOM_PER_PIXEL), self._first)

    def cancel(self) -> None:
        self._controller.restore(self._look)

    @property
    def hint(self) -> str:
        return {"orbit": tr("Drag to orbit"), "pan": tr("Drag to pan"), "zoom": tr("Drag to zoom")}[
            self._move.value
        ]


def zoom_by_wheel(controller: CameraController, steps: float, cursor: Pixel) -> None:
    """Come closer by wheel steps (positive), to what is under the cursor."""
    controller.dolly(ZOOM_PER_WHEEL_STEP**steps, cursor)
