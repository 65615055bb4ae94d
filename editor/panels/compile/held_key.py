"""A key that toggles at a tap, and switches back when it was held."""

import time
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication

HELD = 0.35
"""Seconds from which on a press counts as held."""


class HeldKey(QObject):
    """Watches for the release of a key whose press was a shortcut; only while that key is down.

    Parameters
    ----------
    released : called where the key was held, not where it was tapped
    clock : seconds, monotonic
    """

    def __init__(
        self, owner: QObject, released: Callable[[], object], clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(owner)
        self._released, self.clock = released, clock
        self._key, self._since = 0, 0.0

    def pressed(self, keys: str) -> None:
        """The shortcut was used: wait for its key to come up."""
        sequence = QKeySequence(keys)
        if sequence.isEmpty():
            return
        self._key, self._since = int(sequence[0].key()), self.clock()  # type: ignore[index]
        QApplication.instance().installEventFilter(self)

    def drop(self) -> None:
        """Stop watching."""
        self._key = 0
        QApplication.instance().removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.isAutoRepeat() or event.key() != self._key:
            return False
        kind = event.type()
        if kind == QEvent.Type.KeyRelease:
            held = self.clock() - self._since >= HELD
            self.drop()
            if held:
                self._released()
        elif (
            kind in (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride)
            and self.clock() - self._since >= HELD
        ):
            self.drop()  # its release went elsewhere
        return False
