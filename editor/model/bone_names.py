"""Bone names as people read them: a prefix that all of them share (`mixamorig:`) is folded away. Free of Qt."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

SEPARATORS = ":|_-. "
"""What a prefix ends with."""
ENOUGH = 0.6
"""Part of the bones that must begin with it; the others (an armature's node, an end) keep their names whole."""
FEWEST = 4
"""Bones below which nothing is folded."""


@lru_cache(maxsize=32)
def common_prefix(names: tuple[str, ...]) -> str:
    """The longest prefix that ends with a separator and that most names begin with; "" where there is none.

    No name may become a bare number without it: `bone_01` … keep theirs.
    """
    if len(names) < FEWEST:
        return ""
    counts: Counter[str] = Counter()
    for name in names:
        counts.update(name[: k + 1] for k, letter in enumerate(name[:-1]) if letter in SEPARATORS)
    wanted = ENOUGH * len(names)
    found = sorted((p for p, count in counts.items() if count >= wanted), key=len, reverse=True)
    return next((prefix for prefix in found if _stay_readable(names, prefix)), "")


def _stay_readable(names: Sequence[str], prefix: str) -> bool:
    short = [name.removeprefix(prefix) for name in names if name.startswith(prefix)]
    return all(any(letter.isalpha() for letter in word) for word in short)


@lru_cache(maxsize=32)
def _short_names(names: tuple[str, ...]) -> dict[str, str]:
    """Names without the prefix that they share; one that would then be called like another stays whole."""
    prefix, taken = common_prefix(names), set(names)
    short = {name: name.removeprefix(prefix) for name in names}
    return {name: name if word in taken else word for name, word in short.items()}


def short_name(name: str, names: tuple[str, ...]) -> str:
    """A bone's name without the prefix that the rig's names share."""
    return _short_names(names).get(name, name)


def fits(words: Iterable[str], name: str, names: tuple[str, ...], folded: bool) -> bool:
    """Whether a name without its prefix holds every word (case-folded); words that spell the prefix out count."""
    prefix = common_prefix(names).casefold() if folded else ""
    whole = name.casefold()
    short = short_name(name, names).casefold() if folded else whole
    return all(word in short or (prefix != "" and prefix in word and word in whole) for word in words)
