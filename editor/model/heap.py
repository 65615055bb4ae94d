"""Memory that the C library keeps for later, handed back to the system.

Widgets, pictures and arrays come and go by the million while one works; between what stays, glibc keeps the
holes. Half an hour of clicking left two hundred megabytes of them.
"""

import ctypes
import sys
from functools import cache
from typing import Any


class _Info(ctypes.Structure):
    """``struct mallinfo2`` of glibc 2.33 and later."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks",
            "keepcost",
        )
    ]  # fmt: skip


@cache
def _library() -> Any:
    """The C library where it can be asked, else None."""
    if not sys.platform.startswith("linux"):
        return None
    library = ctypes.CDLL(None)
    try:
        library.mallinfo2.restype = _Info
        library.malloc_trim.argtypes = [ctypes.c_size_t]
    except AttributeError:  # another C library, or an older one
        return None
    return library


def kept() -> int:
    """Bytes that are free and kept; 0 where the C library does not tell."""
    library = _library()
    return 0 if library is None else int(library.mallinfo2().fordblks)


def give_back() -> bool:
    """Hand free pages back to the system, some tens of milliseconds for some hundred megabytes; whether any were."""
    library = _library()
    return library is not None and bool(library.malloc_trim(0))
