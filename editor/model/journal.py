"""The journal: every committed step on disk at once, so that a crash loses nothing.

One append-only file a document. A record is length, checksum, payload; a payload is JSON and the
bytes of the arrays that the step changed. The first record says what the steps start from: a saved
file with its checksum, or the whole project. Writing happens on a short-lived thread of its own;
the window only hands over frozen values.
"""

import hashlib
import json
import logging
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO
from uuid import uuid4

from core.arrays import same_value
from core.project.project import Project
from editor.model import process
from editor.model.codec import Buffer, difference, encode, pack
from editor.model.commands import ViewState
from editor.model.history import StepKind
from editor.model.journal_file import MAGIC, frame

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class _Base:
    """What the steps of a journal start from."""

    project: Project
    path: Path | None
    on_disk: bool
    digest: str = ""


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
        self._file: BinaryIO | None = None
        self._path: Path | None = None
        self._base: _Base | None = None
        self._problem = ""
        self.closed = False

    # ------------------------------------------------------------ called by the window's thread
    def begin(self, project: Project, path: Path | None, on_disk: bool) -> None:
        """Another document is open, or this one was saved: what was written before is done with.

        Parameters
        ----------
        on_disk : whether the file at `path` holds exactly this project
        """
        self._do(lambda: self._begin(_Base(project, path, on_disk and path is not None)))

    def saved(self, path: Path, written: Project, now: Project) -> None:
        """The file at `path` holds `written`; the document may have gone on to `now` since."""

        def rebase() -> None:
            old, self._file, old_path = self._file, None, self._path
            self._base, self._path = _Base(written, path, True), None
            if not _same_project(written, now):
                self._append(_step(StepKind.DO, "", ViewState(), written, now))
            self._remove(old, old_path)

        self._do(rebase)

    def record(self, kind: StepKind, label: str, view: ViewState, before: Project, after: Project) -> None:
        """Write a step down (soon, on the journal's own thread)."""
        self._do(lambda: self._append(_step(kind, label, view, before, after)))

    def secure(self) -> None:
        """Write down what is open now, even though no step has changed it yet."""

        def work() -> None:
            if self._file is None:
                self._create()
                assert self._base is not None
                project = self._base.project
                self._append(_step(StepKind.DO, "", ViewState(), project, project))

        self._do(work)

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
        return self._path

    def take_problem(self) -> str:
        """What kept the journal from being written since the last call, or ""."""
        problem, self._problem = self._problem, ""
        return problem

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
                task()
                if last:
                    self._sync()
            except Exception as error:  # the editor goes on without; the user is told
                logger.exception("the journal could not be written")
                self._problem = str(error)

    def _begin(self, base: _Base) -> None:
        old, old_path = self._file, self._path
        self._file = self._path = None
        self._base = base
        self._remove(old, old_path)
        if base.on_disk and base.path is not None:
            base.digest = digest(base.path)

    def _append(self, payload: tuple[Any, list[Buffer]]) -> None:
        if self._file is None:
            self._create()
        assert self._file is not None
        self._file.writelines(frame(*payload))
        self._file.flush()

    def _create(self) -> None:
        base = self._base
        if base is None:
            raise ValueError("a step before any document was begun")
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{uuid4().hex}.journal"
        lock_path(path).write_text(json.dumps(process.own()), encoding="utf-8")
        arrays: list[Any] = []
        head: dict[str, Any] = {
            "kind": "base",
            "path": str(base.path.absolute()) if base.path else None,
            "time": time.time(),
        }
        if base.on_disk and base.path is not None and not base.digest:
            base.digest = digest(base.path)
        if base.digest:
            head["sha256"] = base.digest
        else:
            head["project"] = encode(base.project, arrays)
        self._file = path.open("wb")
        self._path = path
        self._file.write(MAGIC)
        self._file.writelines(frame(*pack(head, arrays)))

    def _sync(self) -> None:
        if self._file is not None:
            self._file.flush()
            os.fsync(self._file.fileno())

    def _end(self, discard: bool) -> None:
        file, path = self._file, self._path
        self._file = self._path = None
        if discard:
            self._remove(file, path)
        elif file is not None:
            file.close()

    def _remove(self, file: BinaryIO | None, path: Path | None) -> None:
        if file is not None:
            file.close()
        if path is not None:
            for gone in (path, lock_path(path)):
                with suppress(OSError):
                    gone.unlink()


def lock_path(journal: Path) -> Path:
    """The file that says which process a journal belongs to."""
    return journal.with_suffix(".lock")


def digest(path: Path) -> str:
    """Checksum of a file's bytes, or "" where it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def _step(
    kind: StepKind, label: str, view: ViewState, before: Project, after: Project
) -> tuple[Any, list[Buffer]]:
    arrays: list[Any] = []
    record: dict[str, Any] = {"kind": str(kind), "label": label, "time": time.time()}
    record["view"] = [view.rig, view.clip, float(view.time), list(view.bones)]
    if kind is StepKind.DO:
        record["change"] = difference(before, after, arrays)
    return pack(record, arrays)


def _same_project(a: Project, b: Project) -> bool:
    return a is b or (
        list(a.assets) == list(b.assets)
        and all(x is b.assets[key] for key, x in a.assets.items())
        and same_value(a.settings, b.settings)
    )
