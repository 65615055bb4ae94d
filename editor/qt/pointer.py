"""Qt's mouse buttons and held keys as tools know them."""

from PySide6.QtCore import QPointF, Qt

from editor.tools.pointer import Button, Modifiers, Pointer

BUTTONS = {
    Qt.MouseButton.LeftButton: Button.LEFT,
    Qt.MouseButton.MiddleButton: Button.MIDDLE,
    Qt.MouseButton.RightButton: Button.RIGHT,
}
"""Buttons that tools know; others stand for none."""

_KEYS = (
    (Qt.KeyboardModifier.ShiftModifier, Modifiers.SHIFT),
    (Qt.KeyboardModifier.ControlModifier, Modifiers.CTRL),
    (Qt.KeyboardModifier.AltModifier, Modifiers.ALT),
)


def modifiers_of(held: Qt.KeyboardModifier) -> Modifiers:
    """Keys held, without those that no tool asks for."""
    found = Modifiers.NONE
    for qt, ours in _KEYS:
        if held & qt:
            found |= ours
    return found


def pointer_at(at: QPointF, button: Button, held: Qt.KeyboardModifier) -> Pointer:
    """A pointer at a place in logical pixels of its widget."""
    return Pointer(at.x(), at.y(), button, modifiers_of(held))
