"""What mouse and keyboard do in the viewport, passed to its model: one gesture at a time."""

from collections.abc import Callable

from PySide6.QtCore import Qt

from editor.panels.viewport.marking_menu import MarkingMenu
from editor.panels.viewport.play_input import PlayInput
from editor.panels.viewport.pulling import pick_pivot
from editor.panels.viewport.view_model import ViewportModel
from editor.tools.gesture import Gesture
from editor.tools.pointer import Button, Modifiers, Pointer

SCRUB_KEY = int(Qt.Key.Key_K)
BREAKDOWN_KEY = int(Qt.Key.Key_B)
PULL_KEY = int(Qt.Key.Key_V)
PIVOT_KEY = int(Qt.Key.Key_Y)
ENTER = (int(Qt.Key.Key_Return), int(Qt.Key.Key_Enter))
MODIFIER_KEYS = (int(Qt.Key.Key_Control), int(Qt.Key.Key_Shift), int(Qt.Key.Key_Alt))


class ViewportInputHandler:
    """Implements `editor.gl.viewport_widget.ViewportInput`.

    Parameters
    ----------
    hint : shows what mouse and keys do now
    menu : opens the menu of a place, when no gesture is running
    play : takes keys and mouse while a character is driven
    marking : the marking menu, which takes mouse and keys while it is open
    """

    def __init__(
        self,
        model: ViewportModel,
        hint: Callable[[str], None],
        menu: Callable[[Pointer], None] = lambda pointer: None,
        play: PlayInput | None = None,
        marking: MarkingMenu | None = None,
    ) -> None:
        self._marking = marking
        self._play = play
        self._model = model
        self._hint = hint
        self._menu = menu
        self._held = Button.NONE
        self._last = Pointer(0.0, 0.0)
        self._scrub = False

    # ------------------------------------------------------------ mouse
    def press(self, pointer: Pointer) -> None:
        """A button went down; the right one takes a running gesture back."""
        if self._marking is not None and self._marking.input.on:
            self._marking.press(pointer)
            return
        if self._model.gestures.current is not None:
            if pointer.button is Button.RIGHT:
                self.cancel()
            return
        if self._play is not None and self._play.on:
            self._last, self._held = pointer, pointer.button
            gesture = self._model.push(pointer, self._play.captured) or self._play.press(pointer)
            self._show(self._model.gestures.take(gesture, pointer))
            return
        if pointer.button is Button.RIGHT and not pointer.modifiers:
            self._menu(pointer)
            return
        self._last, self._held = pointer, pointer.button
        self._show(self._model.press(pointer, self._scrub))

    def double_click(self, pointer: Pointer) -> None:
        """The second press of a double click selects a bone's chain; off the bones it is a press like any other."""
        busy = self._marking is not None and self._marking.input.on
        if (
            busy
            or self._model.gestures.current is not None
            or self._plays
            or not self._model.double_click(pointer)
        ):
            self.press(pointer)

    def move(self, pointer: Pointer) -> None:
        """The pointer moved; one event may be all there is of many, so the last place counts."""
        self._last = Pointer(pointer.x, pointer.y, self._held, pointer.modifiers)
        if self._marking is not None and self._marking.input.on:
            self._marking.input.move(pointer.pixel)
            return
        if self._model.gestures.current is not None:
            self._model.move(self._last)
            self._show(self._model.gestures.current)
        elif pointer.button is Button.NONE and not self._plays:
            self._model.hover(pointer.pixel)

    def release(self, pointer: Pointer) -> None:
        """A button came up: the one that began the gesture ends it."""
        if self._play is not None and self._play.on:
            self._play.release(pointer)
        if self._model.gestures.current is not None and pointer.button is self._held:
            self._model.release(pointer)
            self._show(None)

    def wheel(self, pointer: Pointer, steps: float) -> None:
        """The wheel zooms to the cursor, also during a gesture that is measured in the world."""
        if self._play is not None and self._play.on:
            self._play.wheel(steps)
        elif self._model.gestures.current is None:
            self._model.controller.wheel(steps, pointer.pixel)

    def leave(self) -> None:
        """The pointer left the view."""
        if self._model.gestures.current is None:
            self._model.hover(None)

    # ------------------------------------------------------------ keys
    def key(self, key: int, text: str, modifiers: Modifiers, pressed: bool, repeated: bool) -> bool:
        """Keys while a gesture lasts, K held scrubs, B makes a breakdown, V is IK; all else is an action's."""
        if self._play is not None and self._play.on:
            return self._play.key(key, modifiers, pressed, repeated)
        if self._marks(key, modifiers, pressed, repeated):
            return True
        if key == SCRUB_KEY and self._model.gestures.current is None and not modifiers:
            if not repeated:
                self._scrub = pressed
            return True
        if key == BREAKDOWN_KEY and not modifiers and (self._model.gestures.current is None or not pressed):
            if not repeated:
                self._model.breaking_down = pressed
            return True
        if (
            key == PULL_KEY
            and (not modifiers or self.holds(key))  # Ctrl or Shift may come and go while it is held
            and (self._model.gestures.current is None or not pressed)
        ):
            if not repeated:
                self._model.pulling = pressed
                if self._model.gestures.current is None:
                    self._model.hover(self._last.pixel)  # another bone may be the one that is taken
            return True
        if key == PIVOT_KEY and modifiers == Modifiers.SHIFT and self._model.gestures.current is None:
            if pressed and not repeated:
                pick_pivot(self._model, self._last.pixel)
            return True
        if key == SCRUB_KEY and not pressed and not repeated:
            self._scrub = False
        if self._model.gestures.current is None:
            return key == int(Qt.Key.Key_Escape) and pressed and self._model.cancel()
        if key in MODIFIER_KEYS:  # Ctrl and Shift count at once, not only with the next move
            self.move(Pointer(self._last.x, self._last.y, self._held, modifiers))
        elif pressed:
            self._typed(key, text)
        return True

    def _marks(self, key: int, modifiers: Modifiers, pressed: bool, repeated: bool) -> bool:
        """Whether a key is the marking menu's; it opens while no gesture is running."""
        marking = self._marking
        if marking is None or self._model.gestures.current is not None:
            return False
        return marking.key(key, modifiers, pressed, repeated, self._last.pixel)

    def holds(self, key: int) -> bool:
        """Whether a key is held for IK: its repeats with Ctrl or Shift are then no shortcuts, such as *Paste pose*."""
        return key == PULL_KEY and self._model.pulling

    def _typed(self, key: int, text: str) -> None:
        if key == int(Qt.Key.Key_Escape):
            self.cancel()
        elif key in ENTER:
            self._model.release(self._last)
            self._show(None)
        elif key == int(Qt.Key.Key_Backspace):
            self._model.type_text("\b")
        elif key == int(Qt.Key.Key_Tab):
            self._model.type_text("\t")
        else:
            self._model.type_text(text)

    def cancel(self) -> None:
        """Take the running gesture back."""
        self._model.cancel()
        self._show(None)

    @property
    def _plays(self) -> bool:
        return self._play is not None and self._play.on

    def _show(self, gesture: Gesture | None) -> None:
        resting = self._play.hint if self._play is not None and self._play.on else ""
        self._hint(gesture.hint if gesture is not None else resting)
