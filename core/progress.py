"""Progress and cancellation of long work, without any window."""

import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from threading import Event
from typing import TypeVar

from core.errors import Cancelled

T = TypeVar("T")


class Progress:
    """Tells how far a piece of work has come and whether to stop.

    Work calls `report` now and then; `Cancelled` is raised from it once `cancel` was called
    (from any thread).

    Parameters
    ----------
    listener : called with the fraction done (0..1) and what is being done
    """

    def __init__(self, listener: Callable[[float, str], None] | None = None) -> None:
        self._listener = listener
        self._cancelled = Event()

    def report(self, fraction: float, text: str = "") -> None:
        """Tell the fraction done; raise `Cancelled` if somebody asked to stop."""
        if self._cancelled.is_set():
            raise Cancelled(f"cancelled while {text}" if text else "cancelled")
        if self._listener is not None:
            self._listener(min(1.0, max(0.0, fraction)), text)

    def cancel(self) -> None:
        """Ask the work to stop at its next `report`."""
        self._cancelled.set()

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._cancelled.is_set()

    def part(self, start: float, end: float) -> "Progress":
        """A progress whose 0..1 is this one's `start`..`end`, cancelled together with it."""
        inner = Progress(lambda fraction, text: self.report(start + (end - start) * fraction, text))
        inner._cancelled = self._cancelled
        return inner


def nothing() -> Progress:
    """A progress nobody listens to."""
    return Progress()


class _Running(threading.local):
    """The progress of the work that this thread does, or None."""

    progress: Progress | None = None


_running = _Running()


@contextmanager
def running(progress: Progress) -> Iterator[None]:
    """Make a progress the one that `checkpoint` and `counted` ask in this thread, until the block ends."""
    before, _running.progress = _running.progress, progress
    try:
        yield
    finally:
        _running.progress = before


def checkpoint() -> None:
    """Raise `Cancelled` where the work that this thread does was cancelled.

    For loops deep inside functions that take no progress; a tenth of a microsecond.
    """
    progress = _running.progress
    if progress is not None and progress.cancelled:
        raise Cancelled("cancelled")


def counted(items: Collection[T], text: str = "") -> Iterator[T]:
    """The items one after another, telling the progress of this thread's work how many are done.

    Nested loops share it: the inner one counts within the share of the outer one's item. Without work that anyone
    listens to it only iterates.
    """
    whole = _running.progress
    if whole is None:
        yield from items
        return
    share = 1.0 / max(len(items), 1)
    part: Progress | None = None
    try:
        for number, item in enumerate(items):
            whole.report(number * share, text)
            part = _running.progress = whole.part(number * share, (number + 1) * share)
            yield item
    finally:
        # Left by an exception, this ends when its frame is collected: long after the work, or in another thread.
        if _running.progress is part:
            _running.progress = whole
