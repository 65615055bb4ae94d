"""A small file beside an open document that says who has it open, so that two people do not work on one unawares.

It is a courtesy, not a fence: before a save the file itself is compared with what was opened (`disk`), whoever holds
the lock. A lock is stale where its process no longer runs on this machine, or, written by another machine, where
nobody has renewed it for `STALE_AFTER`.
"""

import getpass
import json
import os
import socket
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from uuid import uuid4

from core.io.common.naming import cut_at
from editor.model import process
from editor.model.file_state import stat_of

RENEW_EVERY = 60.0
STALE_AFTER = 15 * 60.0
"""Seconds without renewal after which another machine's lock counts for nothing; clocks may differ by minutes."""
FRESH = 10.0
"""Seconds for which a lock that cannot be read may be one that is just being written."""
LARGEST = 4096


@dataclass(frozen=True, slots=True)
class Owner:
    """Who has a document open.

    Parameters
    ----------
    host, user : machine and account
    pid, start : the process and when it started, so that a number used again is not mistaken for it
    since : when the document was opened, in seconds since 1970
    """

    host: str
    user: str
    pid: int
    start: str
    since: float

    @property
    def who(self) -> str:
        """For people: "anna on WORKSTATION-7"."""
        return f"{self.user or '?'} on {self.host or '?'}"


class FileLock:
    """The lock of one document, held until `release`."""

    def __init__(self, path: Path, owner: Owner) -> None:
        self.path = path
        self._owner = owner
        self._renewed = time.monotonic()

    def renew(self) -> Owner | None:
        """Refresh the lock at intervals; returns the other owner if somebody has taken the document over."""
        lock = lock_of(self.path)
        found = _read(lock)
        if isinstance(found, Owner) and found != self._owner:
            return found
        if time.monotonic() - self._renewed > RENEW_EVERY:
            self._renewed = time.monotonic()
            with suppress(OSError):
                os.utime(lock)
        return None

    def release(self) -> None:
        """Give the document free; another's lock stays."""
        lock = lock_of(self.path)
        if _read(lock) == self._owner:
            with suppress(OSError):
                lock.unlink()


def lock_of(path: Path) -> Path:
    """The lock file of a document."""
    return path.with_name(f".{cut_at(path.name, 200)}.lock")


def take(path: Path, over: bool = False) -> FileLock | Owner | None:
    """Lock a document.

    Parameters
    ----------
    over : take it even where another holds it

    Returns
    -------
    FileLock | Owner | None
        The lock; or who holds it; or None where no lock can be made here (a folder that cannot be written).
    """
    me = _me()
    lock = lock_of(path)
    for _ in range(3):
        try:
            _make(path, me)
        except FileExistsError:
            found = _read(lock)
            if found == "busy":
                return Owner("", "", 0, "", time.time())
            if isinstance(found, Owner) and (found.host, found.pid, found.start) == (
                me.host,
                me.pid,
                me.start,
            ):
                return FileLock(path, found)
            if isinstance(found, Owner) and not over and not stale(found, lock):
                return found
            with suppress(OSError):
                lock.unlink()
            continue
        except (OSError, ValueError):
            return None
        return FileLock(path, me)
    return None


def _make(path: Path, owner: Owner) -> None:
    """Write a document's lock; it is there whole or not at all where the file system knows links.

    The draft is called as the document half written: where the program ends here, it is swept as such.

    Raises
    ------
    OSError
        `FileExistsError` where there is one, else the folder cannot be written.
    """
    lock = lock_of(path)
    draft = path.with_name(f".{cut_at(path.name, 100)}.{uuid4().hex[:8]}.part")
    _write(draft, owner)
    try:
        os.link(draft, lock)
    except FileExistsError:
        raise
    except (OSError, NotImplementedError):
        _write(lock, owner)
    finally:
        with suppress(OSError):
            draft.unlink()


def _write(path: Path, owner: Owner) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass") as file:
        json.dump(asdict(owner), file)


def stale(owner: Owner, lock: Path) -> bool:
    """Whether the process that made a lock is gone, as far as can be told from here."""
    if owner.host == socket.gethostname():
        return not process.runs({"pid": owner.pid, "start": owner.start})
    found = stat_of(lock)
    return found is None or time.time() - found.st_mtime > STALE_AFTER


def _me() -> Owner:
    own = process.own()
    try:
        user = getpass.getuser()
    except (OSError, KeyError, ImportError):
        user = ""
    pid = own["pid"]
    assert isinstance(pid, int)
    return Owner(socket.gethostname(), user, pid, str(own["start"]), time.time())


def _read(lock: Path) -> Owner | str:
    """Who a lock names; "busy" where one is just being written, "" where it says nothing."""
    found = stat_of(lock)
    if found is None:
        return ""
    try:
        with lock.open("rb") as file:
            data = json.loads(file.read(LARGEST).decode("utf-8", "replace"))
        host, user, start = (str(data[name])[:100] for name in ("host", "user", "start"))
        return Owner(host, user, int(data["pid"]), start, float(data["since"]))
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return "busy" if time.time() - found.st_mtime < FRESH else ""
