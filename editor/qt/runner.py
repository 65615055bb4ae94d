"""Runs jobs on a thread pool and brings their outcome back to the window's thread."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QRunnable, Qt, QThreadPool, Signal


class _Messenger(QObject):
    """Carries a finished work's number to the window's thread (a queued signal does the crossing)."""

    finished = Signal(int)


class _Work(QRunnable):
    """Calls a work by its number. It never holds it: the pool ends this object in the worker's thread."""

    def __init__(self, works: dict[int, Callable[[], None]], number: int, messenger: _Messenger) -> None:
        super().__init__()
        self._works, self._number, self._messenger = works, number, messenger

    def run(self) -> None:
        try:
            self._works[self._number]()
        finally:
            self._messenger.finished.emit(self._number)


class JobRunner(QObject):
    """What `editor.model.jobs.Jobs` runs its work with: ``jobs.runner = runner``.

    A work is discarded on this thread, after its worker is done with it. What it tells its end to is often the last to
    hold a dialog or panel that was closed meanwhile, and Qt does not survive that such a one ends in another thread.

    Parameters
    ----------
    threads : how many works run at once; more than two, for an edit should not wait behind exports
    """

    def __init__(self, parent: QObject | None = None, threads: int = 4) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(threads)
        self._messenger = _Messenger(self)
        self._messenger.finished.connect(self._finish, Qt.ConnectionType.QueuedConnection)
        self._works: dict[int, Callable[[], None]] = {}
        self._waiting: dict[int, Callable[[], None]] = {}
        self._count = 0

    def __call__(self, work: Callable[[], None], then: Callable[[], None]) -> None:
        """Run `work` on a worker thread, then `then` here."""
        self._count += 1
        self._works[self._count] = work
        self._waiting[self._count] = then
        self._pool.start(_Work(self._works, self._count, self._messenger))

    @property
    def busy(self) -> bool:
        """Whether anything runs or waits to be delivered."""
        return bool(self._waiting)

    def close(self) -> None:
        """Wait for what runs and forget what it wanted to tell."""
        self._waiting.clear()
        self._pool.clear()
        self._pool.waitForDone()
        self._works.clear()

    def _finish(self, number: int) -> None:
        then = self._waiting.pop(number, None)
        try:
            if then is not None:
                then()
        finally:
            self._works.pop(number, None)
