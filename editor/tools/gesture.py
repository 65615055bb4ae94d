"""A gesture: one piece of work from press to release, as an object that knows how to take itself back."""

from editor.tools.pointer import Pointer


class Gesture:
    """Base of every gesture; each method does nothing until a gesture says otherwise.

    A view calls `begin` once, `move` for every pointer event, then either `finish` or `cancel`,
    never both. After `cancel` everything is bit for bit as before `begin`.
    """

    grabs_keys = False
    """Whether typed text goes to the gesture (`type_text`) while it lasts."""

    def begin(self, pointer: Pointer) -> None:
        """The press."""

    def move(self, pointer: Pointer) -> None:
        """The pointer or a modifier key moved."""

    def type_text(self, text: str) -> bool:
        """A typed character, or the control character of backspace; True where it was taken."""
        return False

    def finish(self, pointer: Pointer) -> None:
        """The release, or Enter."""

    def cancel(self) -> None:
        """Esc, or the right button."""

    @property
    def status(self) -> str:
        """What the heads-up line says meanwhile."""
        return ""

    @property
    def chip(self) -> str:
        """The amount, short, for beside the pointer; nothing where there is none."""
        return ""

    @property
    def hint(self) -> str:
        """What the status bar suggests meanwhile."""
        return ""


class GestureHost:
    """Holds the gesture that a press has begun, until it ends; a part of whatever takes presses.

    Attributes
    ----------
    current : the gesture that runs, or None
    """

    def __init__(self) -> None:
        self.current: Gesture | None = None

    def take(self, gesture: Gesture | None, pointer: Pointer) -> Gesture | None:
        """Hold a gesture and begin it; returns it."""
        if gesture is not None:
            self.current = gesture
            gesture.begin(pointer)
        return gesture

    def move(self, pointer: Pointer) -> None:
        """The pointer moved; nothing without a running gesture."""
        if self.current is not None:
            self.current.move(pointer)

    def release(self, pointer: Pointer) -> None:
        """The button was released."""
        gesture = self.drop()
        if gesture is not None:
            gesture.finish(pointer)

    def cancel(self) -> bool:
        """Esc or the right button; whether there was something to cancel."""
        gesture = self.drop()
        if gesture is None:
            return False
        gesture.cancel()
        return True

    def drop(self) -> Gesture | None:
        """Hold no gesture; returns the one held until now, for whoever ends it."""
        gesture, self.current = self.current, None
        return gesture
