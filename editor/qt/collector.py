"""Garbage is collected on the window's thread only."""

import gc
import time

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication

from core.garbage import by_hand, held_off
from editor.model import heap

INTERVAL = 250
"""Milliseconds between looks."""
FULL_PAUSE = 10.0
"""Seconds between collections of everything: one takes some 50 ms."""
TRIM_PAUSE, MOST_KEPT = 30.0, 64_000_000
"""Seconds between two times that free memory is given back, and bytes of it from which on that is worth while."""


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
        self._last_full = self._last_trim = time.monotonic()
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL)
        self._timer.timeout.connect(self.look)
        by_hand()
        self._timer.start()

    def look(self) -> None:
        """Collect what is due, by the thresholds of `gc`, and give back memory.

        Not while a whole document is being written down.
        """
        if held_off():
            return
        now = time.monotonic()
        if now - self._last_trim > TRIM_PAUSE and QGuiApplication.mouseButtons() == Qt.MouseButton.NoButton:
            self._trim()
        due = [count > limit for count, limit in zip(gc.get_count(), gc.get_threshold(), strict=True)]
        if not due[0]:
            return
        if due[2] and now - self._last_full > FULL_PAUSE:
            gc.collect(2)
            self._last_full = time.monotonic()
        else:
            gc.collect(1 if due[1] else 0)

    def _trim(self) -> None:
        """Give memory back, never in the middle of a drag; a look in vain waits as long as one that does."""
        if heap.kept() > MOST_KEPT:
            heap.give_back()
        self._last_trim = time.monotonic()

    def close(self) -> None:
        """Leave it to Python again."""
        self._timer.stop()
        gc.enable()
