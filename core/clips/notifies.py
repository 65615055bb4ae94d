"""Which notifies playback passes."""

import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from core.clips.clip import Clip, Notify, NotifyRule
from core.errors import ValidationError

MOST_TURNS = 100_000
"""A step over more turns of a loop than this is a mistake of the caller's, not playback."""


def fired(
    clip: Clip, start: float, end: float, *, looping: bool | None = None, include_start: bool = False
) -> tuple[Notify, ...]:
    """Notifies passed between two playback times, in the order passed.

    Forwards those in ``(start, end]``, backwards those in ``[end, start)``, so that any way of
    cutting a span into steps fires each of them once. Times count on over the seam of a loop: in
    a clip of 2 s, a notify at 0.5 s stands at 0.5, 2.5, 4.5 … Notifies outside the clip's length
    never fire.

    Parameters
    ----------
    start, end : seconds of playback
    looping : whether the clip loops; None is as the clip says
    include_start : fire those exactly at `start` too (the first step of playback)

    Raises
    ------
    ValidationError
        The span covers an absurd number of turns.
    """
    moments = fired_moments(clip, start, end, looping=looping, include_start=include_start)
    return tuple(notify for _, notify in moments)


def fired_moments(
    clip: Clip, start: float, end: float, *, looping: bool | None = None, include_start: bool = False
) -> list[tuple[float, Notify]]:
    """As `fired`, each with the playback time at which it stands."""
    start, end = float(start), float(end)  # numpy's comparisons are no plain truths, which sorting wants
    loops = clip.looping if looping is None else looping
    length = clip.length
    there = [n for n in clip.notifies if 0.0 <= n.time <= length]
    if not there or (start == end and not include_start):
        return []
    low, high = min(start, end), max(start, end)
    found: list[tuple[float, int, Notify]] = []
    for order, notify in enumerate(there):
        moments = _moments(notify.time, length if loops else 0.0, low, high)
        found.extend((m, order, notify) for m in moments if _passed(m, start, end, include_start))
    found.sort(key=lambda item: item[:2], reverse=end < start)
    return [(moment, notify) for moment, _, notify in found]


def crossings(
    time: float, period: float, start: float, end: float, include_start: bool = False
) -> list[float]:
    """Playback times between two others, in the order passed, at which a place of the clip is passed.

    Parameters
    ----------
    period : seconds of a turn; 0 without a loop
    include_start : count the place where it stands exactly at `start`
    """
    if start == end and not include_start:
        return []
    moments = _moments(time, period, min(start, end), max(start, end))
    found = [moment for moment in moments if _passed(moment, start, end, include_start)]
    return found[::-1] if end < start else found


def _moments(time: float, period: float, low: float, high: float) -> list[float]:
    """Playback times from `low` to `high` at which a notify stands."""
    if period <= 0.0:
        return [time] if low <= time <= high else []
    first, last = math.floor((low - time) / period), math.ceil((high - time) / period)
    if last - first > MOST_TURNS:
        raise ValidationError(f"expected a step of fewer than {MOST_TURNS} turns, got {low} to {high} s")
    moments = (time + turn * period for turn in range(first, last + 1))
    return [moment for moment in moments if low <= moment <= high]


def _passed(moment: float, start: float, end: float, include_start: bool) -> bool:
    if moment == start:
        return include_start
    return start < moment <= end if end >= start else end <= moment < start


def active(clip: Clip, position: float) -> tuple[Notify, ...]:
    """Notifies with a duration under way at a position in the clip, start included, end not."""
    return tuple(n for n in clip.notifies if n.time <= position < n.time + n.duration)


def rule_values(rule: NotifyRule) -> dict[str, Any]:
    """A rule as plain values for JSON: only what differs from the default."""
    return {
        field.name: getattr(rule, field.name)
        for field in fields(NotifyRule)
        if getattr(rule, field.name) != field.default
    }


def rule_from(told: Mapping[str, Any]) -> NotifyRule:
    """A rule from the values of `rule_values`; unknown names are left out.

    Raises
    ------
    ValidationError
        A value of the wrong type or outside its bounds.
    """
    if not isinstance(told, Mapping):
        raise ValidationError("notify rule: expected an object")
    kinds: dict[str, tuple[type, ...]] = {
        "threshold": (int, float),
        "on_follower": (bool,),
        "branching": (bool,),
        "condition": (str,),
        "blend_out": (int, float),
    }
    found = {name: value for name, value in told.items() if name in kinds and value is not None}
    for name, value in found.items():
        number = bool not in kinds[name] and isinstance(value, bool)
        if number or not isinstance(value, kinds[name]):
            raise ValidationError(f"notify rule: {name} cannot be {str(value)[:40]!r}")
    return NotifyRule(**found)
