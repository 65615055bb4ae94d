"""Progress and cancellation of long work, without any window."""

from collections.abc import Callable
from threading import Event

from core.errors import Cancelled


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
