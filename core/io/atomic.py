"""Writing a file whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

DIRECTORY_FLAGS = getattr(os, "O_DIRECTORY", 0)


@contextmanager
def atomic_file(path: Path) -> Iterator[BinaryIO]:
    """Open a temporary file beside `path` that takes its place when the block ends well.

    The bytes are on the disk before the name changes; on any error the old file stays and the
    temporary one is removed. A symbolic link is followed, and the old file's mode kept.
    """
    target = Path(os.path.realpath(path))
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=".part", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(_mode(target))
        os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
    _sync_folder(target.parent)


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
