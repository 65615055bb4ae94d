"""A document that is read beside something else, before anybody asks for it."""

import threading
from collections.abc import Callable
from pathlib import Path

import core.io
from core.errors import Cancelled
from core.io import Loaded
from core.progress import Progress
from core.project.references import check

LOOK = 0.05
"""Seconds between looks at whether who waits has cancelled."""


class ReadAhead:
    """Reads at once, in a thread of its own; `loaded` hands the outcome over.

    Parameters
    ----------
    read : gives the document, or raises; called once, with a progress that is cancelled by `cancel`
    """

    def __init__(self, read: Callable[[Progress], Loaded]) -> None:
        self._read, self._progress = read, Progress()
        self._loaded: Loaded | None = None
        self._problem: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="read ahead", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._loaded = self._read(self._progress)
        except BaseException as problem:
            self._problem = problem

    def cancel(self) -> None:
        """Stop reading; `loaded` raises `Cancelled` where it was not done."""
        self._progress.cancel()

    def loaded(self, progress: Progress) -> Loaded:
        """What was read, waiting for the rest of it.

        Raises
        ------
        Cancelled
            From `progress`; reading stops.
        AnimError, OSError
            What reading raised.
        """
        try:
            while self._thread.is_alive():
                progress.report(0.5, "reading")
                self._thread.join(LOOK)
        except Cancelled:
            self.cancel()
            raise
        if self._problem is not None:
            raise self._problem
        if self._loaded is None:
            raise Cancelled
        return self._loaded


def read_checked(path: Path, progress: Progress) -> Loaded:
    """Read a file and check that its references hold."""
    loaded = core.io.load(path, progress)
    check(loaded.project)
    return loaded
