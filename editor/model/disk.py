"""The open document's file on the disk: held by a lock, remembered as it was, and checked at intervals."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from core.errors import AnimError, FormatError
from editor.model.file_lock import FileLock, Owner, take
from editor.model.file_state import FileState, stat_of, state_of
from editor.model.i18n import tr


class Access(StrEnum):
    """How a document is opened that another has open.

    ASK leaves it to the user; READ_ONLY takes no lock and does not save over the file; TAKE_OVER takes the lock.
    """

    ASK = "ask"
    READ_ONLY = "read_only"
    TAKE_OVER = "take_over"


class LockedError(AnimError):
    """Another has the document open."""

    def __init__(self, path: Path, owner: Owner) -> None:
        self.path, self.owner = path, owner
        super().__init__(tr("{name} is open by {who}", name=path.name, who=owner.who))


class ChangedOutsideError(AnimError):
    """The file is not what was opened or saved last.

    Attributes
    ----------
    path, found : the file, and what it is now
    """

    def __init__(self, path: Path, found: FileState) -> None:
        self.path, self.found = path, found
        super().__init__(
            tr("{name} was changed by another program since it was opened or saved here", name=path.name)
            + ": "
            + tr("save under another name, or overwrite it")
        )


@dataclass(frozen=True, slots=True)
class Seen:
    """What a look at the file found: nothing special, or another version, or that it is gone, or a new owner."""

    changed: FileState | None = None
    gone: bool = False
    owner: Owner | None = None


class Disk:
    """The file of the open document.

    Attributes
    ----------
    state : the file as it was when it was opened or saved last, or None
    """

    def __init__(self) -> None:
        self.state: FileState | None = None
        self._lock: FileLock | None = None
        self._claimed: list[FileLock] = []  # by work under way
        self._closed = False
        self._told = Seen()

    def claim(self, path: Path, over: bool = False) -> FileLock | None:
        """Lock a file that is about to be opened or written; None where no lock can be made in its folder.

        Raises
        ------
        LockedError
            Another has it.
        """
        if self._closed:
            return None
        if self._lock is not None and self._lock.path == path:
            return self._lock
        found = take(path, over)
        if isinstance(found, Owner):
            raise LockedError(path, found)
        if found is not None:
            self._claimed.append(found)
        return found

    def drop(self, lock: FileLock | None) -> None:
        """Give back a lock that was claimed and not adopted."""
        if lock is not None and lock is not self._lock:
            self._claimed = [other for other in self._claimed if other is not lock]
            lock.release()

    def adopt(self, lock: FileLock | None, state: FileState | None) -> None:
        """The document is that file now; the one before is free again."""
        old, self._lock = self._lock, lock
        self._claimed = [other for other in self._claimed if other is not lock]
        if old is not None and old is not lock:
            old.release()
        self.state, self._told = state, Seen()

    def forget(self) -> None:
        """The document has no file, or none that it may write."""
        self.adopt(None, None)

    def close(self) -> None:
        """The session ends: every lock goes, those of work whose end nobody will hear of, too."""
        self._closed = True
        self.forget()
        while self._claimed:
            self._claimed.pop().release()

    def check_unchanged(self, path: Path, expected: FileState | None) -> None:
        """Raise where a file is no longer what it was; one that is gone takes nothing with it.

        Raises
        ------
        ChangedOutsideError
            Its contents differ.
        """
        found = stat_of(path)
        if expected is None or found is None or expected.same_file(found):
            return
        now = state_of(path)
        if now is not None and now.sha256 != expected.sha256:
            raise ChangedOutsideError(path, now)

    def look(self, path: Path) -> Seen:
        """Look whether others have changed, removed or taken over the file; for a worker."""
        owner = self._lock.renew() if self._lock is not None and self._lock.path == path else None
        expected, found = self.state, stat_of(path)
        if expected is None or (found is not None and expected.same_file(found)):
            return Seen(owner=owner)
        if found is None:
            return Seen(gone=True, owner=owner)
        now = state_of(path)
        return Seen(changed=now, owner=owner) if now is not None else Seen(gone=True, owner=owner)

    def news(self, seen: Seen, expected: FileState | None) -> Seen | None:
        """What of a look has not been told yet; None where there is nothing to tell.

        Parameters
        ----------
        expected : `state` when the look began; a look that a save or an opening overtook tells nothing
        """
        if expected is not self.state:
            return None
        if seen.changed is not None and expected is not None and seen.changed.sha256 == expected.sha256:
            self.state = seen.changed  # written again with the same contents, or only touched
            seen = Seen(owner=seen.owner)
        told, self._told = self._told, seen
        news = Seen(
            changed=None if _same(seen.changed, told.changed) else seen.changed,
            gone=seen.gone and not told.gone,
            owner=None if seen.owner == told.owner else seen.owner,
        )
        return None if news == Seen() else news

    def was_told(self, changed: FileState) -> None:
        """The user knows of this version already, as a save met it: a look does not tell it again."""
        self._told = Seen(changed=changed, owner=self._told.owner)


def _same(a: FileState | None, b: FileState | None) -> bool:
    return (a and a.sha256) == (b and b.sha256)


def require_regular(path: Path) -> None:
    """Raise where a path is a pipe, a device or a socket: opening such a one may wait for ever.

    Raises
    ------
    FormatError
        It is there and is no regular file.
    """
    if path.exists() and not path.is_dir() and stat_of(path) is None:
        raise FormatError(path, "", tr("it is not a regular file (a pipe, a device or a socket)"))


def read_stable(path: Path, read: Callable[[], object]) -> FileState | None:
    """Call `read` and tell what the file was meanwhile; again where it was exchanged while being read."""
    for _ in range(3):
        state = state_of(path)
        read()
        found = stat_of(path)
        if state is None or (found is not None and state.same_file(found)):
            return state
    return state


def writable(path: Path) -> bool:
    """Whether the user may write a file (or make it, in its folder)."""
    return os.access(path if path.exists() else path.parent, os.W_OK)
