"""The journal: every committed step on disk at once, so that a crash loses nothing.

Three private files a document, in a folder that only its user can read: the journal itself (append-only records, see
`journal_file`), a copy of the saved file that its steps start from, and the name of the process it belongs to. The
copy makes recovery independent of what becomes of the user's file; its checksum is taken while it is copied and
compared with the one of the file that was read or written. Where it differs, or the document was never saved, the
first record holds the whole project instead.

When a step is safe
-------------------
Writing happens on a short-lived thread of its own; the window only hands over frozen values. A step is in the
system's buffers (safe from the program's end) as soon as the thread has written it, and on the disk (safe from a power
cut) when the thread has run out of work, at the latest `SYNC_WITHIN` after it was written: one ``fdatasync`` for all
steps of that time. It costs the window nothing, and the journal's thread 2–5 ms (measured on a virtual disk; two turns,
16 ms, on a hard disk), so that a single step is on the disk 2–15 ms after it was made; not every step of a burst is
waited for, since then a hard disk could not follow a drag. The copy of a file of 38 MB takes 0.2 s once, at opening
and after saving. See `Journal.flush`.

When it cannot be written
-------------------------
The half-written record is cut off, `problem` says why, and the steps written so far stay. From then on each step, and
each `retry`, tries to start a new journal from a snapshot of the project as it is then; the old one is removed when
the snapshot is on the disk, and `problem` is empty again.
"""

import logging
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from core.arrays import same_value
from core.garbage import uncollected
from core.project.project import Project
from editor.model import journal_lock
from editor.model.codec import Buffer, difference, encode, pack
from editor.model.commands import ViewState
from editor.model.file_state import FileState, copy_with_digest
from editor.model.history import StepKind
from editor.model.journal_file import MAGIC, frame
from editor.model.journal_lock import lock_path

logger = logging.getLogger(__name__)

SYNC_WITHIN = 0.05
"""Seconds after which what was written is forced onto the disk, even while more is to be written."""
RETRY_AFTER = 1.0
"""Seconds between two tries to begin again that steps make; a snapshot may be large, and the disk still full."""
TOGETHER = 1 << 16
"""Bytes that are gathered into one call of the system."""


@dataclass(slots=True)
class _Base:
    """What the steps of a journal start from."""

    project: Project
    path: Path | None
    on_disk: bool
    digest: str = ""
    pinned: bool = False


class _Stack:
    """Which states the records make, so that an undo of a step that is in the journal need not be written out."""

    def __init__(self) -> None:
        self._numbers, self._at, self._floor, self._next = [0], 0, 0, 1

    def step(self, kind: StepKind) -> tuple[StepKind, int, int]:
        """How a step is to be written, and the numbers of the states it leads from and to.

        An undo of a step made before the journal began (or before it began again) is written like any change.
        """
        start = self._numbers[self._at]
        if kind is StepKind.UNDO and self._at > self._floor:
            self._at -= 1
        elif kind is StepKind.REDO and self._at + 1 < len(self._numbers):
            self._at += 1
        else:
            del self._numbers[self._at + 1 :]
            self._numbers.append(self._next)
            self._next += 1
            self._at += 1
            if kind is StepKind.UNDO:
                self._floor = self._at  # what is below is not what undo leads to
            return StepKind.DO, start, self._numbers[self._at]
        return kind, start, self._numbers[self._at]

    def begin(self) -> None:
        """The state last written is where the history's steps begin, as far as the journal is concerned."""
        self._floor = self._at


class Journal:
    """Writes down what happens to the open document.

    Parameters
    ----------
    folder : where journals live; made when needed
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._tasks: deque[Callable[[], None]] = deque()
        self._lock = threading.Lock()
        self._idle = threading.Event()
        self._idle.set()
        self._handle: int | None = None
        self._path: Path | None = None
        self._base: _Base | None = None
        self._now: Project | None = None
        self._stack = _Stack()
        self._unsynced: float | None = None
        self._tried = 0.0
        self._problem = ""
        self.closed = False

    # ------------------------------------------------------------ called by the window's thread
    def begin(
        self, project: Project, path: Path | None, on_disk: bool, state: FileState | None = None
    ) -> None:
        """Another document is open, or this one was saved: what was written before is done with.

        Parameters
        ----------
        on_disk : whether the file at `path` holds exactly this project
        state : of that file when it was read or written; None takes it as it is now
        """
        known = state.sha256 if state is not None else ""
        self._do(lambda: self._begin(_Base(project, path, on_disk and path is not None, known)))

    def saved(self, path: Path, written: Project, now: Project, state: FileState | None = None) -> None:
        """The file at `path` holds `written`; the document may have gone on to `now` since."""
        known = state.sha256 if state is not None else ""

        def rebase() -> None:
            old = self._path
            self._close_file()
            self._start_from(_Base(written, path, True, known))
            self._now = now
            if not _same_project(written, now):
                self._write_start(written, now)
            _remove(old)

        self._do(rebase)

    def record(self, kind: StepKind, label: str, view: ViewState, before: Project, after: Project) -> None:
        """Write a step down (soon, on the journal's own thread)."""

        def work() -> None:
            self._now = after
            if not self._problem:
                self._write_step(kind, label, view, before, after)
            elif time.monotonic() - self._tried > RETRY_AFTER:
                self._begin_anew()

        self._do(work)

    def secure(self, then: Callable[[], object] = lambda: None) -> None:
        """Write down what is open now, even though no step has changed it yet.

        Parameters
        ----------
        then : called on the journal's thread once it is on the disk; not where it cannot be written
        """

        def work() -> None:
            if self._base is not None:
                if self._handle is None:
                    self._create(self._base)
                self._write_start(self._base.project, self._base.project)
                self._sync()
                then()

        self._do(work)

    def retry(self) -> None:
        """Try again to write what could not be written; nothing where all is well."""
        if self._problem:
            self._do(lambda: self._begin_anew() if self._problem else None)

    def flush(self, timeout: float = 10.0) -> bool:
        """Wait until everything is on disk; whether it is."""
        return self._idle.wait(timeout)

    def close(self, discard: bool = True) -> None:
        """The document is closed in peace: forget the journal (or leave it to be recovered)."""
        if self.closed:
            return
        self._do(lambda: self._end(discard))
        self.closed = True
        self.flush()

    @property
    def path(self) -> Path | None:
        """The file being written, or None where there is nothing to recover yet."""
        return self._path if self._handle is not None else None

    @property
    def problem(self) -> str:
        """What keeps the journal from being written at present, or ""."""
        return self._problem

    # ------------------------------------------------------------ its own thread
    def _do(self, task: Callable[[], None]) -> None:
        if self.closed:
            return
        with self._lock:
            self._tasks.append(task)
            if self._idle.is_set():
                self._idle.clear()
                threading.Thread(target=self._drain, name="journal").start()

    def _drain(self) -> None:
        while True:
            with self._lock:
                if not self._tasks:
                    self._idle.set()
                    return
                task = self._tasks.popleft()
                last = not self._tasks
            try:
                with uncollected():
                    task()
                waiting = 0.0 if self._unsynced is None else time.monotonic() - self._unsynced
                if last or waiting > SYNC_WITHIN:
                    self._sync()
            except Exception as error:  # the editor goes on without; the user is told
                logger.exception("the journal could not be written")
                self._close_file()
                self._problem = getattr(error, "strerror", None) or str(error) or type(error).__name__

    def _begin(self, base: _Base) -> None:
        old = self._path
        self._close_file()
        self._start_from(base)
        _remove(old)

    def _start_from(self, base: _Base) -> None:
        """Prepare another journal; the file it starts from is copied now, that the first step need not wait."""
        self._path, self._base, self._now, self._problem = None, base, base.project, ""
        if base.on_disk and base.path is not None:
            path = self._new_path()
            try:
                copied = copy_with_digest(base.path, pinned_path(path))
            except OSError as error:
                logger.warning("the journal holds the whole document: no copy of %s: %s", base.path, error)
                copied = ""
            base.pinned = bool(copied) and copied == (base.digest or copied)
            base.digest = base.digest or copied
            if base.pinned:
                self._path = path
                return
            _remove(path)
        if base.project.assets:
            self._create(base)

    def _new_path(self) -> Path:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.folder.stat().st_mode & 0o077:
            with suppress(OSError):
                self.folder.chmod(0o700)
        path = self.folder / f"{uuid4().hex}.journal"
        journal_lock.take(path)  # first, so that nobody takes what comes for an ended program's
        return path

    def _create(self, base: _Base) -> None:
        """Begin the file: what the steps start from is its first record."""
        path = self._path if base.pinned and self._path is not None else self._new_path()
        arrays: list[Any] = []
        head: dict[str, Any] = {
            "kind": "base",
            "path": str(base.path.absolute()) if base.path else None,
            "time": time.time(),
        }
        if base.digest:
            head["sha256"] = base.digest
        if not base.pinned:
            head["project"] = encode(base.project, arrays)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            _write_all(handle, [MAGIC, *frame(*pack(head, arrays))])
        except BaseException:
            os.close(handle)
            with suppress(OSError):
                path.unlink()
            if not base.pinned:
                _remove(path)
            raise
        self._path, self._handle, self._stack = path, handle, _Stack()
        self._unsynced = self._unsynced or time.monotonic()

    def _write_step(
        self, kind: StepKind, label: str, view: ViewState, before: Project, after: Project
    ) -> None:
        if self._handle is None:
            if self._base is None:
                raise ValueError("a step before any document was begun")
            self._create(self._base)
        assert self._handle is not None
        if os.fstat(self._handle).st_nlink == 0:
            raise FileNotFoundError(f"{self._path} was deleted")
        kind, start, end = self._stack.step(kind)
        arrays: list[Any] = []
        record: dict[str, Any] = {
            "kind": str(kind),
            "label": label,
            "time": time.time(),
            "from": start,
            "to": end,
        }
        record["view"] = [view.rig, view.clip, float(view.time), list(view.bones)]
        if view.below is not None:
            record["below"] = view.below
        if kind is StepKind.DO:
            record["change"] = difference(before, after, arrays)
        sound = os.lseek(self._handle, 0, os.SEEK_END)
        try:
            _write_all(self._handle, frame(*pack(record, arrays)))
        except BaseException:
            with suppress(OSError):
                os.ftruncate(self._handle, sound)
            raise
        self._unsynced = self._unsynced or time.monotonic()

    def _write_start(self, base: Project, now: Project) -> None:
        """A record that is no step of the history: what lies between the journal's base and where its steps begin."""
        self._write_step(StepKind.DO, "", ViewState(), base, now)
        self._stack.begin()

    def _begin_anew(self) -> None:
        """A new journal from a snapshot, after one that could not be written; that one goes when this is on disk."""
        old, base = self._path, self._base
        if base is None or self._now is None:
            return
        self._tried = time.monotonic()
        self._close_file()
        self._path = None
        fresh = _Base(self._now, base.path, False, base.digest)
        try:
            self._create(fresh)
            self._write_start(self._now, self._now)
            self._sync()
        except BaseException:
            self._close_file()
            _remove(self._path)
            self._path = old
            raise
        self._base, self._problem = fresh, ""
        _remove(old)

    def _sync(self) -> None:
        self._unsynced = None
        if self._handle is not None:
            getattr(os, "fdatasync", os.fsync)(self._handle)

    def _end(self, discard: bool) -> None:
        self._sync()
        self._close_file()
        if discard or self._path is None or not self._path.exists():
            _remove(self._path)
        self._path = None

    def _close_file(self) -> None:
        handle, self._handle = self._handle, None
        self._unsynced = None
        if handle is not None:
            with suppress(OSError):
                os.close(handle)


def pinned_path(journal: Path) -> Path:
    """The private copy of the saved file that a journal's steps start from."""
    return journal.with_suffix(".base")


def _remove(journal: Path | None) -> None:
    if journal is not None:
        for gone in (journal, pinned_path(journal), lock_path(journal)):
            with suppress(OSError):
                gone.unlink()


def _write_all(handle: int, pieces: Iterable[Buffer]) -> None:
    """Write pieces one after another, small ones together."""
    small: list[Buffer] = []
    size = 0
    for piece in pieces:
        small.append(piece)
        size += len(piece)
        if size > TOGETHER:
            _write(handle, small)
            small, size = [], 0
    _write(handle, small)


def _write(handle: int, pieces: list[Buffer]) -> None:
    for block in [b"".join(pieces)] if len(pieces) > 1 else pieces:
        view = memoryview(block)
        while len(view):
            view = view[os.write(handle, view) :]


def _same_project(a: Project, b: Project) -> bool:
    return a is b or (
        list(a.assets) == list(b.assets)
        and all(x is b.assets[key] for key, x in a.assets.items())
        and same_value(a.settings, b.settings)
    )
