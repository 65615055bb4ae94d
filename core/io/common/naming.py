"""Names made unique."""

from collections.abc import Iterable, Sequence
from pathlib import Path

LONGEST = 500
"""Longer names are cut: they come from broken files."""


def printable(text: str) -> str:
    """The text with what no file can hold replaced: halves of surrogate pairs, as in names that are no UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")


def stem_of(path: Path) -> str:
    """A file's name without its suffix, as something that can be shown and written."""
    return printable(path.stem)


def cut_at(text: str, most: int) -> str:
    """As much of a text as fits into a number of bytes of UTF-8, no character cut in two."""
    size = 0
    for place, letter in enumerate(text):
        size += len(letter.encode("utf-8", "surrogatepass"))
        if size > most:
            return text[:place]
    return text


def unique_names(wanted: Sequence[str], first: Iterable[int] = ()) -> list[str]:
    """Names that differ from each other; a repeated one gets ``.001``, ``.002`` … (Blender's way).

    Not ``_1``: that is how three.js names the parts of a mesh, and it confuses equal names.

    Parameters
    ----------
    wanted : non-empty names
    first : indices that choose before the others and so keep their names
    """
    order = list(dict.fromkeys([*first, *range(len(wanted))]))
    taken: set[str] = set()
    counters: dict[str, int] = {}
    # A name of the file is not given to another bone, so that only repeated names change.
    reserved = {name[:LONGEST] for name in wanted}
    result = [""] * len(wanted)
    for index in order:
        base = name = wanted[index][:LONGEST]
        while name in taken or (name != base and name in reserved):
            counters[base] = counters.get(base, 0) + 1
            name = f"{base}.{counters[base]:03d}"
        taken.add(name)
        result[index] = name
    return result
