"""Opening files that others name: regular ones only, and nothing that waits.

Opening a named pipe without a writer never returns, and opening a device may have an effect.
"""

import os
import stat
from pathlib import Path
from typing import BinaryIO

KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
FLAGS |= getattr(os, "O_NOCTTY", 0)


class NotAFileError(OSError):
    """The path names something that is no regular file; ``strerror`` says what."""


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file for reading; symbolic links are followed.

    The kind is asked of the path first (opening a device may do something) and then of what was opened, which
    can no longer be exchanged.

    Raises
    ------
    NotAFileError
        It is a folder, a pipe, a socket or a device.
    OSError
        It cannot be opened; a link that leads to itself says so.
    ValueError
        The name holds a zero byte.
    """
    require_regular(path)
    handle = os.open(path, FLAGS)
    try:
        _check(os.fstat(handle).st_mode, path)
        if hasattr(os, "set_blocking"):
            os.set_blocking(handle, True)
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def require_regular(path: Path) -> None:
    """Raise what `open_regular` would, without opening."""
    _check(path.stat().st_mode, path)


def read_regular(path: Path, most: int | None = None) -> bytes:
    """The bytes of a regular file.

    Parameters
    ----------
    most : bytes it may hold; `OSError` (``EFBIG``) above

    Raises
    ------
    OSError, ValueError
        As `open_regular` does.
    """
    with open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        if most is not None and size > most:
            raise NotAFileError(27, f"its {size} bytes are more than the {most} expected", str(path))
        return file.read()


def _check(mode: int, path: Path) -> None:
    if stat.S_ISREG(mode):
        return
    kind = next((name for test, name in KINDS if test(mode)), "something else")
    raise NotAFileError(22, f"expected a file, this is {kind}", str(path))
