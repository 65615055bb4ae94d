"""Python's garbage collector, and the work that it must not interrupt."""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class _State:
    """How many hold it off now, and whether it was on before the first of them."""

    holders = 0
    was_on = False
    lock = threading.Lock()


@contextmanager
def uncollected() -> Iterator[None]:
    """No garbage collection meanwhile: for what makes a million little objects without cycles, as writing does.

    Each full collection would look through all of them with every other thread held up: one or two seconds in one
    piece for two hundred clips. Several threads may be in it.
    """
    with _State.lock:
        if not _State.holders:
            _State.was_on = gc.isenabled()
            gc.disable()
        _State.holders += 1
    try:
        yield
    finally:
        with _State.lock:
            _State.holders -= 1
            if not _State.holders and _State.was_on:
                gc.enable()


def held_off() -> bool:
    """Whether somebody is in `uncollected` now."""
    return _State.holders > 0


def by_hand() -> None:
    """Leave collecting to the caller from now on, whoever is in `uncollected`."""
    with _State.lock:
        _State.was_on = False
        gc.disable()
