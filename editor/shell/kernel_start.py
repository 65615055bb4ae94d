"""Compiled kernels for a window: they come while it runs, and nothing of it waits for them."""

import logging
import subprocess

from PySide6.QtCore import QObject, QTimer

from core.math import kernels, warm

logger = logging.getLogger(__name__)

AFTER = 3000
"""Milliseconds after which kernels are loaded: the window, its first pictures and the helper for FBX come before."""
LOOK = 2500
"""Milliseconds between looks at the process that compiles."""
ENOUGH = 5.0
"""Seconds that the end of the program waits for a thread that is loading: half a second is usual."""


class KernelStart(QObject):
    """Loads kernels in a thread some time after the start; on a machine that has none they are compiled first.

    They are compiled by a process of low priority, once for each version; until then the numpy twins answer.

    Parameters
    ----------
    parent : lives as long as this
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._process: subprocess.Popen[bytes] | None = None
        kernels.load_beside()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._turn)
        self._timer.start(AFTER)

    def _turn(self) -> None:
        """Load what is compiled; else see that it gets compiled, and look again."""
        if self._process is not None and self._process.poll() is None:
            return
        if kernels.load_in_background() is None and self._process is None:
            try:
                self._process = warm.start_in_background()
            except OSError:
                logger.warning("the kernels cannot be compiled; going on without", exc_info=True)
            if self._process is not None:
                self._timer.start(LOOK)
                return
        self._timer.stop()

    def close(self) -> None:
        """End what runs: a process that compiles keeps what it has done, and a thread is left to finish."""
        self._timer.stop()
        if self._process is not None:
            with self._process as process:  # waits for its end, and closes the pipe to it
                process.terminate()
        kernels.finish_loading(ENOUGH)
