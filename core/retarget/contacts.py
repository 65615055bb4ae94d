"""When feet and hands stand: by height and speed, with hysteresis (spec: retargeting, 2, Feet and hands)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import BoolArray, FloatArray

AIRBORNE = 0.07
"""Leg heights over where it stands at rest, from which on a point is in the air all through the clip."""

LOW = 5.0
"""Percentile of a point's heights that is taken for where it stands: the very lowest may be noise."""


@dataclass(frozen=True, slots=True)
class ContactLimits:
    """Below what a point stands, and above what it leaves; in leg heights and leg heights a second.

    Parameters
    ----------
    height, leave_height : over the point's own lowest standing height
    speed, leave_speed : of the point
    shortest : seconds that a contact lasts at least; shorter gaps are closed
    settled : how far a point may be from the middle of its contact as it comes down and leaves; above or
        beyond that it is still landing, or already on its way
    landing : seconds that are taken off both ends of a contact for that at most
    """

    height: float = 0.035
    leave_height: float = 0.06
    speed: float = 0.22
    leave_speed: float = 0.4
    shortest: float = 0.07
    settled: float = 0.008
    landing: float = 0.15


@dataclass(frozen=True, slots=True)
class ContactSpan:
    """A limb's end stands from one frame to another, both included.

    Parameters
    ----------
    limb : name of the chain, such as ``left foot``
    point : which of its points (0 the heel or wrist, 1 the ball)
    """

    limb: str
    point: int
    first: int
    last: int


def standing(
    places: FloatArray,
    size: float,
    fps: float,
    limits: ContactLimits | None = None,
    at_rest: float | None = None,
) -> BoolArray:
    """Whether a point stands at each frame.

    Parameters
    ----------
    places : model places ``(T, 3)``, +Y up, metres
    size : leg height in metres, which the limits are relative to
    fps : frames a second
    at_rest : its height where it stands on the floor, metres; None where any height may be a floor
    """
    chosen = limits or ContactLimits()
    if len(places) < 2 or size <= 0.0:
        return np.zeros(len(places), dtype=bool)
    speed = speeds(places, fps) / size
    # low among all frames: high up a point may rest too, where a swing turns back
    ground = float(np.percentile(places[:, 1], LOW))
    if at_rest is not None and ground - at_rest > AIRBORNE * size:
        return np.zeros(len(places), dtype=bool)
    height = (places[:, 1] - ground) / size
    enter = (height < chosen.height) & (speed < chosen.speed)
    stay = (height < chosen.leave_height) & (speed < chosen.leave_speed)
    down = _hysteresis(enter, stay)
    least = max(round(chosen.shortest * fps), 2)
    down = _without_short(_without_gaps(down, least), least)
    return _settled(down, places / size, speed, chosen, least, round(chosen.landing * fps))


def floor_under(points: Sequence[tuple[FloatArray, float]]) -> float:
    """Height of the floor that the lowest of some points stand on; 0 without points.

    Parameters
    ----------
    points : model places ``(T, 3)`` of each, and its height over the floor where it stands
    """
    lows = [float(np.percentile(path[:, 1], LOW)) - height for path, height in points if len(path)]
    return min(lows, default=0.0)


def speeds(places: FloatArray, fps: float) -> FloatArray:
    """Metres a second ``(T,)`` over central differences, one-sided at the ends."""
    return np.asarray(np.linalg.norm(np.gradient(places, axis=0), axis=-1) * fps)


def spans_of(limb: str, point: int, down: BoolArray) -> tuple[ContactSpan, ...]:
    """The runs of True."""
    return tuple(ContactSpan(limb, point, first, last) for first, last in runs(down))


def mask_of(spans: Sequence[ContactSpan], limb: str, point: int, frames: int) -> BoolArray:
    """The frames that spans of one point cover: the inverse of `spans_of`."""
    mask = np.zeros(frames, dtype=bool)
    for span in spans:
        if span.limb == limb and span.point == point:
            mask[max(span.first, 0) : span.last + 1] = True
    return mask


def runs(mask: BoolArray) -> list[tuple[int, int]]:
    """First and last index of each run of True."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False])).astype(np.int8)))
    return [(int(a), int(b) - 1) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def _hysteresis(enter: BoolArray, stay: BoolArray) -> BoolArray:
    """Runs of `stay` that hold an `enter`, from that on."""
    down = np.zeros_like(enter)
    for first, last in runs(stay):
        begun = np.flatnonzero(enter[first : last + 1])
        if len(begun):
            down[first + int(begun[0]) : last + 1] = True
    return down


def _settled(
    mask: BoolArray, places: FloatArray, speed: FloatArray, limits: ContactLimits, least: int, most: int
) -> BoolArray:
    """Runs without their first and last frames, `most` each, in which the point has yet to come to rest.

    To hold it there would pull a leg to a floor that it does not touch yet. Places and speed in leg heights.
    """
    kept = mask.copy()
    for first, last in runs(mask):
        off = places[first : last + 1] - np.median(places[first : last + 1], axis=0)
        over = np.linalg.norm(off[:, [0, 2]], axis=-1)
        # a point that slides slowly all along stands as far as the source has it
        quick = speed[first : last + 1] > 0.5 * limits.speed
        loose = (off[:, 1] > limits.settled) | ((over > limits.settled) & quick)
        count = len(loose)
        firm = np.flatnonzero(~loose)
        if not len(firm):
            continue
        begin = 0 if first == 0 else min(int(firm[0]), most)
        end = count - 1 if last == len(mask) - 1 else max(int(firm[-1]), count - 1 - most)
        if end - begin + 1 >= least:
            kept[first : first + begin] = False
            kept[first + end + 1 : last + 1] = False
    return kept


def _without_gaps(mask: BoolArray, least: int) -> BoolArray:
    """Close gaps shorter than `least` frames between two runs; a clip's ends may be jumps out of another pose."""
    closed = mask.copy()
    for first, last in runs(~mask):
        if first > 0 and last < len(mask) - 1 and last - first + 1 < least:
            closed[first : last + 1] = True
    return closed


def _without_short(mask: BoolArray, least: int) -> BoolArray:
    """Drop runs shorter than `least` frames; of those that touch an end of the clip a half will do."""
    kept = mask.copy()
    for first, last in runs(mask):
        inside = first > 0 and last < len(mask) - 1
        if last - first + 1 < (least if inside else max((least + 1) // 2, 2)):
            kept[first : last + 1] = False
    return kept
