"""Keys and mouse of a driven character: what each key asks for, and the drag that turns the view."""

from collections.abc import Callable

from PySide6.QtCore import Qt

from core.locomotion.controls import Key as Control
from editor.model.i18n import tr
from editor.model.play.state import Play
from editor.tools.gesture import Gesture
from editor.tools.navigate import ZOOM_PER_WHEEL_STEP
from editor.tools.play_look import DragLook
from editor.tools.pointer import Button, Modifiers, Pointer

Key = Qt.Key
KEYS = {
    Key.Key_W: Control.AHEAD, Key.Key_S: Control.BACK, Key.Key_A: Control.LEFT, Key.Key_D: Control.RIGHT,
    Key.Key_Shift: Control.SPRINT, Key.Key_Space: Control.JUMP, Key.Key_C: Control.CROUCH,
    Key.Key_X: Control.RAGDOLL, Key.Key_1: Control.VELOCITY, Key.Key_2: Control.LOOKING,
}  # fmt: skip
MOVES = (Key.Key_W, Key.Key_S, Key.Key_A, Key.Key_D, Key.Key_Space)
"""Keys that are taken with Ctrl held, too: Ctrl alone toggles walking."""


class PlayInput:
    """Takes keys and mouse while Play is on.

    Parameters
    ----------
    capture : catches the mouse, or sets it free
    """

    def __init__(self, play: Play, capture: Callable[[bool], None]) -> None:
        self.play, self._capture = play, capture
        self.captured = False
        self._ctrl_alone = False
        self._down: set[int] = set()

    @property
    def on(self) -> bool:
        """Whether keys and mouse go to Play."""
        return self.play.on or self.play.preparing

    @property
    def hint(self) -> str:
        """What keys and mouse do."""
        return tr(
            "W A S D move · Space jump · C crouch · Shift sprint · Ctrl walk · X fall · 1 2 facing · drag looks · "
            "click or drag on the body pushes · M mouse look · P pause · Esc leaves"
        )

    # ------------------------------------------------------------ keys
    def wants(self, key: int, modifiers: Modifiers) -> bool:
        """Whether a key is Play's now, in place of a shortcut."""
        if not self.on or Modifiers.ALT in modifiers:
            return False
        if Modifiers.CTRL in modifiers and key != Key.Key_Control:
            return key in MOVES
        return key in KEYS or key == Key.Key_Control or key in self._commands

    def key(self, key: int, modifiers: Modifiers, pressed: bool, repeated: bool) -> bool:
        """A key went down or up; whether it was taken."""
        if not pressed and key in self._down:
            if not repeated:
                self._down.discard(key)
                self._up(key)
            return True
        if not self.wants(key, modifiers):
            self._ctrl_alone = False
            return False
        if repeated or not pressed:
            return True
        self._down.add(key)
        if key == Key.Key_Control:
            self._ctrl_alone = True
            return True
        self._ctrl_alone = False
        if key in KEYS:
            self.play.controls.press(KEYS[Key(key)])
        else:
            self._commands[Key(key)]()
        return True

    def _up(self, key: int) -> None:
        if key == Key.Key_Control:
            if self._ctrl_alone:  # Ctrl+Z is no wish to walk
                self.play.controls.press(Control.WALK)
                self.play.controls.release(Control.WALK)
        elif key in KEYS:
            self.play.controls.release(KEYS[Key(key)])

    @property
    def _commands(self) -> dict[Key, Callable[[], object]]:
        play = self.play
        return {
            Key.Key_P: play.toggle,
            Key.Key_Period: play.step_once,
            Key.Key_Comma: lambda: play.goto(play.run.at - 1) if play.run is not None else None,
            Key.Key_R: play.restart,
            Key.Key_M: lambda: self._capture(not self.captured),
            Key.Key_Escape: self._leave,
        }

    def _leave(self) -> None:
        if self.captured:
            self._capture(False)
        else:
            self.play.leave()

    def release_all(self) -> None:
        """The view lost the keyboard."""
        self._down.clear()
        self._ctrl_alone = False
        self.play.controls.release_all()

    # ------------------------------------------------------------ mouse
    def press(self, pointer: Pointer) -> Gesture | None:
        """The gesture that a press begins; with the mouse captured the right button aims."""
        if not self.captured:
            return DragLook(self.play.controls)
        if pointer.button is Button.RIGHT:
            self.play.controls.press(Control.AIM)
        return None

    def release(self, pointer: Pointer) -> None:
        """A button came up."""
        if pointer.button is Button.RIGHT:
            self.play.controls.release(Control.AIM)

    def wheel(self, steps: float) -> None:
        """Nearer or farther away."""
        self.play.camera = self.play.camera.zoomed(ZOOM_PER_WHEEL_STEP**steps)
