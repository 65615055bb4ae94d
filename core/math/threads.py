"""Large work of compiled kernels on several processors: they let Python's lock go."""

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache

MOST = 8
"""Threads at most, the caller's among them: memory is the limit of these kernels before that."""
POOL = "kernels"
"""What the names of the threads begin with; they wait for work as long as the program runs."""


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(MOST - 1, POOL)


class _Here(threading.local):
    """Whether this thread is one of the pool's: it must not wait for others of them."""

    pooled = False


_here = _Here()

if hasattr(os, "register_at_fork"):  # a forked process has the pool, but none of its threads
    os.register_at_fork(after_in_child=_pool.cache_clear)


def processors() -> int:
    """Processors that this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)  # not on macOS and Windows
    return len(allowed(0)) if allowed is not None else os.cpu_count() or 1


def spread(work: Callable[[int, slice], None], items: slice, least: int) -> None:
    """Divide items between threads, each a stretch of at least so many; the caller's thread takes the first.

    Parameters
    ----------
    work : called with the stretch's number, from 0, and its items; what it changes must be its own
    items : start and stop
    least : of a stretch; fewer than twice as many items are done by the caller alone, as is all work within work
        that was given to another thread
    """
    count = items.stop - items.start
    sides = 1 if _here.pooled else max(1, min(processors(), MOST, count // least))
    edges = [items.start + count * side // sides for side in range(sides + 1)]
    others = [
        _pool().submit(_aside, work, side, slice(edges[side], edges[side + 1])) for side in range(1, sides)
    ]
    try:
        work(0, slice(edges[0], edges[1]))
    finally:
        for other in others:
            other.exception()  # all have ended before anyone reads or frees what they write
    for other in others:
        other.result()


def _aside(work: Callable[[int, slice], None], side: int, part: slice) -> None:
    _here.pooled = True
    work(side, part)
