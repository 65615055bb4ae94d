"""Hints at names."""

from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice

MOST_COMPARED = 500
"""Names that one which is not there is compared with."""


def near(name: str, known: Iterable[str]) -> str:
    """A hint at names like the one that is not there, or nothing."""
    found = get_close_matches(name[:60], list(islice(known, MOST_COMPARED)), n=3, cutoff=0.5)
    return f"; near: {', '.join(found)}" if found else ""
