"""Notices when the window's thread hangs, and logs where."""

import logging
import sys
import threading
import time
import traceback
from types import FrameType

from PySide6.QtCore import QObject, QTimer

logger = logging.getLogger(__name__)

LIMIT = 0.1
"""Seconds without a sign of life that are called a stall."""


class StallLogger(QObject):
    """A timer on the window's thread beats; a watcher thread logs the stack when it stops beating.

    Each stall is logged once, when it is noticed. The frames that it looks at are discarded by the window's thread: one
    that returned meanwhile lives as long as somebody looks at it, with all that it alone holds, and Qt does not survive
    that a menu or dialog ends in another thread.
    """

    def __init__(self, parent: QObject | None = None, limit: float = LIMIT) -> None:
        super().__init__(parent)
        self._limit = limit
        self._beat = time.monotonic()
        self._thread_id = threading.get_ident()
        self._stop = threading.Event()
        self._frames: list[FrameType] = []
        self._looking = threading.Lock()
        self._timer = QTimer(self)
        self._timer.setInterval(max(1, round(limit * 250)))
        self._timer.timeout.connect(self._alive)
        self._watcher = threading.Thread(target=self._watch, name="stall watcher", daemon=True)
        self._timer.start()
        self._watcher.start()

    def close(self) -> None:
        """Stop watching."""
        self._timer.stop()
        self._stop.set()
        self._watcher.join()
        self._frames.clear()

    def _alive(self) -> None:
        self._beat = time.monotonic()
        if self._looking.acquire(blocking=False):
            self._frames.clear()
            self._looking.release()

    def _watch(self) -> None:
        reported = None
        while not self._stop.wait(self._limit / 4):
            silent = time.monotonic() - self._beat
            if silent > self._limit and reported != self._beat:
                reported = self._beat
                stack = self._stack()
                logger.warning(
                    "the window's thread has not answered for %.0f ms, it is at:\n%s", silent * 1e3, stack
                )

    def _stack(self) -> str:
        """Where the window's thread is."""
        with self._looking:
            frame = sys._current_frames().get(self._thread_id)
            if frame is None:
                return ""
            self._frames.append(frame)
            stack = "".join(traceback.format_stack(frame))
            del frame  # before the window's thread may discard what it takes for the last
        return stack
