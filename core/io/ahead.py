"""Helper processes for files that are going to be read, started while their reader does something else."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from core.io.common.helper.spare import keep
from core.io.fbx.kind import FBX


def keep_helpers() -> None:
    """Have a helper wait for the next FBX file, for as long as the program runs (`spare.release` ends it)."""
    if find_spec(FBX.package) is not None:
        keep(FBX)


def start_helpers(words: Sequence[str]) -> int:
    """Start the helper for the first FBX file on a command line, and those for the others while it is read.

    Parameters
    ----------
    words : of the command line; those that name FBX files that are there count

    Returns
    -------
    int : how many files will find a helper
    """
    count = sum(word.lower().endswith(".fbx") and Path(word).is_file() for word in words)
    if count and find_spec(FBX.package) is not None:
        keep(FBX, count)
        return count
    return 0
