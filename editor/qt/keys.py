"""Keys that a widget keeps for itself although they are shortcuts elsewhere."""

from collections.abc import Collection

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent


def keeps(event: QEvent, keys: Collection[Qt.Key]) -> bool:
    """Answer Qt's question whether a shortcut's key is wanted here; True where it was asked for one of `keys`."""
    if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.ShortcutOverride:
        return False
    if event.key() not in keys:
        return False
    event.accept()
    return True


def plain_key(event: QKeyEvent) -> Qt.Key | None:
    """The key of an event without Ctrl, Shift, Alt or Meta; None with one of them."""
    if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
        return None
    return Qt.Key(event.key())
