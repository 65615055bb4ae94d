"""Which process a journal belongs to: a file beside it, there whole or not at all.

It is written under a name of its own that tells the process, and then named: whoever looks finds a lock that can be
read, or none, at whatever moment its program was ended.
"""

import json
import os
import time
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from editor.model import process

WRITING = ".lock."
LONGEST = 10.0
"""Seconds after which a lock still being written is left over, even where its process's number runs (again)."""


def lock_path(journal: Path) -> Path:
    """The file that says which process a journal belongs to."""
    return journal.with_suffix(".lock")


def take(journal: Path) -> None:
    """Make a journal this process's, whoever had it before.

    Raises
    ------
    OSError
        The folder cannot be written; nothing is left behind.
    """
    owner = process.own()
    draft = journal.with_name(f"{WRITING}{owner['pid']}.{uuid4().hex}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(owner, file)
        os.replace(draft, lock_path(journal))
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise


def release(journal: Path) -> None:
    """Give a journal back, for any process to take."""
    with suppress(OSError):
        lock_path(journal).unlink()


def owned(journal: Path) -> bool:
    """Whether the process that a journal belongs to runs; one whose lock is missing or damaged is nobody's."""
    try:
        owner = json.loads(lock_path(journal).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return process.runs(owner)


def sweep(folder: Path) -> None:
    """Remove locks that ended programs left: half written, or without anything that they belong to."""
    for draft in folder.glob(f"{WRITING}*"):
        pid = draft.name.removeprefix(WRITING).partition(".")[0]
        with suppress(OSError):
            running = pid.isdecimal() and len(pid) < 12 and process.start_time(int(pid))
            if not running or time.time() - draft.stat().st_mtime > LONGEST:
                draft.unlink()
    for lock in folder.glob("*.lock"):
        alone = not any(lock.with_suffix(suffix).exists() for suffix in (".journal", ".base"))
        if alone and not owned(lock):
            with suppress(OSError):
                lock.unlink()
