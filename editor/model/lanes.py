"""Bars on a lane that overlap in time are stacked; the one that begins first lies on top."""

from collections.abc import Iterable


def stacked(spans: Iterable[tuple[float, float]]) -> tuple[int, ...]:
    """The level 0, 1, … of each span, the lowest on which it meets no other.

    Parameters
    ----------
    spans : first and last place of each, in any order; those that only touch share a level
    """
    found = list(spans)
    levels = [0] * len(found)
    ends: list[float] = []
    for number in sorted(range(len(found)), key=lambda k: (found[k][0], k)):
        start, end = found[number]
        level = next((k for k, last in enumerate(ends) if last <= start), len(ends))
        if level == len(ends):
            ends.append(end)
        else:
            ends[level] = end
        levels[number] = level
    return tuple(levels)
