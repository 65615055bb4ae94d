"""What a file was when we read or wrote it, so that another's change is noticed and never overwritten unasked."""

import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path

CHUNK = 1 << 20
TRIES = 3


@dataclass(frozen=True, slots=True)
class FileState:
    """Identity and contents of a regular file at one moment.

    Parameters
    ----------
    device, inode : which file it is; a replaced file has another inode
    size : bytes
    modified : time of the last change in nanoseconds since 1970
    sha256 : checksum of the bytes, in hexadecimal
    """

    device: int
    inode: int
    size: int
    modified: int
    sha256: str

    def same_file(self, found: os.stat_result) -> bool:
        """Whether nobody can have touched it, going by what the system tells without reading it."""
        return (self.device, self.inode, self.size, self.modified) == (
            found.st_dev,
            found.st_ino,
            found.st_size,
            found.st_mtime_ns,
        )


def stat_of(path: Path) -> os.stat_result | None:
    """What the system tells of a regular file, or None where there is none (pipes and devices are none)."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found if stat.S_ISREG(found.st_mode) else None


def digest(path: Path) -> str:
    """SHA-256 of a regular file's bytes, or "" where it cannot be read. Never waits on a pipe or a device."""
    if stat_of(path) is None:
        return ""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def state_of(path: Path) -> FileState | None:
    """Identity and checksum of a file, or None where there is no regular file that can be read."""
    for _ in range(TRIES):
        before = stat_of(path)
        if before is None:
            return None
        checksum = digest(path)
        after = stat_of(path)
        if after is None or not checksum:
            return None
        state = FileState(after.st_dev, after.st_ino, after.st_size, after.st_mtime_ns, checksum)
        if state.same_file(before):
            return state
    return state  # it is being written all the time: whatever it is now will differ next time


def copy_with_digest(source: Path, target: Path) -> str:
    """Copy a file to a private one, on the disk when this returns; the SHA-256 of what was copied.

    Raises
    ------
    OSError
        Either cannot be read or written; nothing is left behind.
    """
    if stat_of(source) is None:
        raise OSError(f"{source} is no regular file")
    checksum = hashlib.sha256()
    handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(handle, "wb") as out, source.open("rb") as file:
            while block := file.read(CHUNK):
                checksum.update(block)
                out.write(block)
            out.flush()
            os.fsync(out.fileno())
    except OSError:
        target.unlink(missing_ok=True)
        raise
    return checksum.hexdigest()
