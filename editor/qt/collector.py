"""Garbage is collected on the window's thread only."""

import gc
import time

from PySide6.QtCore import QObject, QTimer

from core.garbage import by_hand, held_off

INTERVAL = 250
"""Milliseconds between looks."""
FULL_PAUSE = 10.0
"""Seconds between collections of everything: one takes some 50 ms."""


class Collector(QObject):
    """Runs Python's garbage collector by a timer of the window's thread, in place of wherever it falls due.

    By itself the collector runs in whichever thread makes the object too many. In a job's thread it destroys the
    widgets, windows and timers that it finds in reference cycles there, and Qt ends the process for it.

    Parameters
    ----------
    parent : the application; the collector ends with it
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._last_full = time.monotonic()
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL)
        self._timer.timeout.connect(self.look)
        by_hand()
        self._timer.start()

    def look(self) -> None:
        """Collect what is due, by the thresholds of `gc`; not while a whole document is being written down."""
        if held_off():
            return
        due = [count > limit for count, limit in zip(gc.get_count(), gc.get_threshold(), strict=True)]
        if not due[0]:
            return
        now = time.monotonic()
        if due[2] and now - self._last_full > FULL_PAUSE:
            gc.collect(2)
            self._last_full = time.monotonic()
        else:
            gc.collect(1 if due[1] else 0)

    def close(self) -> None:
        """Leave it to Python again."""
        self._timer.stop()
        gc.enable()
