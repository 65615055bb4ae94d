"""How the C library hands memory out: pages that were touched once are used again."""

import ctypes
import sys

MMAP_THRESHOLD, TRIM_THRESHOLD = -3, -1
"""Numbers of glibc's `mallopt`."""
LARGEST, KEPT = 16 * 2**20, 64 * 2**20
"""Bytes up to which an array comes from memory that is kept, and bytes at its end that are not given back."""


def keep_pages() -> bool:
    """Let arrays of some megabytes reuse memory in place of asking the system each time; whether that could be set.

    The system hands every page out with a fault and clears it, which for a picture's temporary arrays takes as long
    as the work on them. Glibc learns this by itself only once a large block has been freed.
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):  # another C library
        return False
    return bool(mallopt(MMAP_THRESHOLD, LARGEST) and mallopt(TRIM_THRESHOLD, KEPT))
