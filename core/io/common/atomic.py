"""Writing a file whole or not at all."""

import errno
import glob
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from core.io.common.naming import cut_at

DIRECTORY_FLAGS = getattr(os, "O_DIRECTORY", 0)
LEFT_BEHIND = 3600.0
"""Seconds after which no process can still be writing a temporary file."""


@contextmanager
def atomic_file(path: Path, before_replacing: Callable[[Path], object] | None = None) -> Iterator[BinaryIO]:
    """Open a temporary file beside `path` that takes its place when the block ends well.

    The bytes are on the disk before the name changes; on any error the old file stays and the
    temporary one is removed. A symbolic link is followed, and the old file's mode kept.

    Parameters
    ----------
    before_replacing : gets the finished temporary file; what it raises keeps the old file in place
    """
    target = Path(os.path.realpath(path))
    if target.is_symlink():
        raise OSError(errno.ELOOP, "it is a link that leads back to itself", str(path))
    handle, name = tempfile.mkstemp(prefix=f".{cut_at(target.name, 100)}.", suffix=".part", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if before_replacing is not None:
            before_replacing(Path(name))
        Path(name).chmod(_mode(target))
        os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
    _sync_folder(target.parent)
    _sweep(target)


def _sweep(target: Path) -> None:
    """Remove what writing this file left behind where a process was ended in the middle, some time ago."""
    old = time.time() - LEFT_BEHIND
    with suppress(OSError):
        for left in target.parent.glob(f".{glob.escape(cut_at(target.name, 100))}.*.part"):
            with suppress(OSError):
                if left.is_file() and left.stat().st_mtime < old:
                    left.unlink()


def _mode(target: Path) -> int:
    try:
        return target.stat().st_mode & 0o777
    except OSError:
        umask = os.umask(0)
        os.umask(umask)
        return 0o666 & ~umask


def _sync_folder(folder: Path) -> None:
    """Make the new name durable, where the system lets folders be synchronised."""
    if not DIRECTORY_FLAGS:
        return
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | DIRECTORY_FLAGS)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_atomic(path: Path, data: bytes) -> None:
    """Write bytes as a whole file (see `atomic_file`)."""
    with atomic_file(path) as file:
        file.write(data)
