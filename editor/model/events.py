"""Events: how the model tells its views what changed, without Qt.

Synchronous, on the thread of whoever emits (the window's). The Qt side coalesces to one redraw a turn.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Event(Generic[T]):
    """A list of listeners that are called with a value.

    Examples
    --------
    >>> seen: list[int] = []
    >>> event: Event[int] = Event()
    >>> stop = event.connect(seen.append)
    >>> event.emit(1); stop(); event.emit(2)
    >>> seen
    [1]
    """

    __slots__ = ("_listeners",)

    def __init__(self) -> None:
        self._listeners: list[Callable[[T], object]] = []

    def connect(self, listener: Callable[[T], object]) -> Callable[[], None]:
        """Call `listener` with every value from now on; the function returned ends that (also twice)."""
        entry = _Entry(listener)
        self._listeners.append(entry)

        def disconnect() -> None:
            if entry in self._listeners:
                self._listeners.remove(entry)

        return disconnect

    def emit(self, value: T) -> None:
        """Call every listener; those that fail don't keep the others from hearing (the first error is raised)."""
        first: Exception | None = None
        for listener in tuple(self._listeners):
            if listener not in self._listeners:
                continue  # an earlier listener has disconnected it
            try:
                listener(value)
            except Exception as error:
                first = first or error
        if first is not None:
            raise first

    def __len__(self) -> int:
        return len(self._listeners)


class _Entry(Generic[T]):
    """One connection; compared by identity, so that one function may be connected twice."""

    __slots__ = ("_listener",)

    def __init__(self, listener: Callable[[T], object]) -> None:
        self._listener = listener

    def __call__(self, value: T) -> None:
        self._listener(value)
