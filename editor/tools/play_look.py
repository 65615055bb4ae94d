"""Turning the view of a driven character by a drag."""

from editor.model.i18n import tr
from editor.model.play.controls import PlayControls
from editor.tools.gesture import Gesture
from editor.tools.pointer import Pointer


class DragLook(Gesture):
    """The view follows the pointer; there is nothing to take back."""

    def __init__(self, controls: PlayControls) -> None:
        self._controls = controls
        self._last: Pointer | None = None

    def begin(self, pointer: Pointer) -> None:
        self._last = pointer

    def move(self, pointer: Pointer) -> None:
        if self._last is not None:
            self._controls.look(pointer.x - self._last.x, pointer.y - self._last.y)
        self._last = pointer

    @property
    def hint(self) -> str:
        return tr("Drag to look around")
