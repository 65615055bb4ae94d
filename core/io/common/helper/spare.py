"""Helper processes that are started before they are needed.

A helper spends nine tenths of a small file's time on starting Python and loading its library. `keep` has one wait,
loaded; the next file of its kind goes to it, and another one is started in its place. Each still reads a single file
and ends: what a hostile file does to it touches no other, its memory and time are limited for that file, and the
library's objects, which are never freed (`core.io.fbx.ufbx_lifetime`), go with it.

A spare that has ended meanwhile is passed over, one that ends at the request is as if there were none: whoever
wanted it starts a helper as before. All end with this process: their input is a pipe that closes with it.
"""

import atexit
import json
import logging
import threading
from contextlib import suppress
from typing import Any

from core.io.common.helper.target import Kind, Target, start

WAIT = "--wait"
"""First word of a helper's command line that has it load its library and wait for a request on its input."""
logger = logging.getLogger(__name__)


class Spare:
    """A helper that loads its library and then waits for one request."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind
        self.target = Target().__enter__()
        try:
            self.process = start(kind, [WAIT, self.target.word], self.target, {})
        except BaseException:
            self.target.__exit__()
            raise

    @property
    def alive(self) -> bool:
        """Whether its process runs."""
        return self.process.poll() is None

    def ask(self, **request: Any) -> bool:
        """Send the request; whether it could be."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            return False
        return True

    def close(self) -> None:
        """End the process, whatever it does, and drop what it wrote."""
        if self.alive:
            self.process.kill()
        self.process.wait()
        assert self.process.stdin is not None
        with suppress(OSError):  # a request that nobody took is still in it
            self.process.stdin.close()
        self.target.__exit__()


class _Kept:
    """The spares of this process, by their kind's module; under the lock."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.left: dict[str, int | None] = {}
        self.spares: dict[str, Spare] = {}
        self.refilling: list[threading.Thread] = []


_kept = _Kept()


def keep(kind: Kind, files: int | None = None) -> None:
    """Have a helper of a kind wait from now on; starts it. Takes a few milliseconds.

    Parameters
    ----------
    files : how many files will be read, after which none is started any more; None for as long as the program runs
    """
    with _kept.lock:
        if not _kept.left:
            atexit.register(release)
        _kept.left[kind.worker] = files
    refill(kind)


def take(kind: Kind) -> Spare | None:
    """The spare of a kind, whose `close` is now the caller's; None where none is kept or it has ended."""
    with _kept.lock:
        spare = _kept.spares.pop(kind.worker, None)
    if spare is None or spare.alive:
        return spare
    logger.warning("the %s helper that waited has ended with %s", kind.title, spare.process.returncode)
    spare.close()
    return None


def refill(kind: Kind) -> None:
    """Start a spare of a kind that is kept and has none."""
    with _kept.lock:
        left = _kept.left.get(kind.worker, 0)
        if left == 0 or kind.worker in _kept.spares:
            return
        try:
            _kept.spares[kind.worker] = Spare(kind)
        except OSError:  # no process to be had: files are read by helpers of their own, or fail with a reason
            logger.warning("no spare %s helper can be started", kind.title, exc_info=True)
            return
        if left is not None:
            _kept.left[kind.worker] = left - 1


def refill_beside(kind: Kind) -> None:
    """As `refill`, in a thread: who has just read a file goes on with it meanwhile."""
    with _kept.lock:
        if _kept.left.get(kind.worker, 0) == 0 or kind.worker in _kept.spares:
            return
        _kept.refilling = [thread for thread in _kept.refilling if thread.is_alive()]
        thread = threading.Thread(target=refill, args=(kind,), name="spare helper", daemon=True)
        _kept.refilling.append(thread)
        thread.start()


def release() -> None:
    """End all spares, and start no more."""
    atexit.unregister(release)
    with _kept.lock:
        _kept.left.clear()
        refilling = list(_kept.refilling)
        _kept.refilling.clear()
    for thread in refilling:
        thread.join()
    with _kept.lock:
        spares = list(_kept.spares.values())
        _kept.spares.clear()
    for spare in spares:
        spare.close()
