"""What a standing limb's end has to be corrected by, so that it stays where it stands.

While heel and ball both stand, the foot keeps one rotation (flat on the floor where it is nearly so)
and both points stay; while one of them stands, the foot turns about it.
"""

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.arrays import BoolArray, FloatArray
from core.math import quat
from core.retarget.contacts import runs
from core.retarget.limbs import Limb
from core.retarget.roll import side_axis

EASE = 0.15
"""Seconds over which a correction comes and goes outside a contact."""

LEAD = 0.1
"""Seconds over which the standing points of a foot are compared for which of them moves less."""

FLAT, TILTED = np.radians(25.0), np.radians(37.0)
"""A foot that stands on heel and ball is laid flat where it is no farther from that, and left beyond the second."""

PIVOT = np.radians(30.0)
"""A foot that turns farther while heel and ball stand pivots on purpose, and keeps its rotation."""

AWAY = 0.25
"""Leg heights over the floor from which on a foot is free of it."""

BETWEEN = 0.3
"""Seconds from a stance within which a foot is on its way to or from it."""

UP = np.array([0.0, 1.0, 0.0])


class Floor(NamedTuple):
    """What feet stand on.

    Parameters
    ----------
    height : metres
    size : the target's leg height, metres
    heights : metres ``(T,)`` that the source's lowest point is over its floor, scaled: near the floor a
        foot keeps to them, whether it stands or slides
    """

    height: float
    size: float = 1.0
    heights: FloatArray | None = None


class Planted(NamedTuple):
    """Where the end of a limb goes: places ``(T, 3)`` and model rotations ``(T, 4)``, model space."""

    place: FloatArray
    rotation: FloatArray


def planted(
    limb: Limb,
    place: FloatArray,
    rotation: FloatArray,
    masks: BoolArray,
    fps: float,
    floor: Floor | None,
    flat: bool = True,
    roll: FloatArray | None = None,
) -> Planted:
    """The path of a limb's end with its standing points kept still.

    Parameters
    ----------
    place, rotation : of the limb's end as it is, ``(T, 3)``, ``(T, 4)``
    masks : ``(P, T)`` when each point stands
    floor : that standing feet are put on and none goes below; None leaves heights alone
    flat : lay feet flat that stand on heel and ball
    roll : radians ``(T,)`` that the foot is turned by about its side axis while one point stands
    """
    if flat:
        rotation = steadied(limb, rotation, masks, fps, floor is not None)
    if roll is not None and roll.any():
        turn = np.zeros((len(roll), 3))
        turn[:, 0] = roll
        angle = _eased(turn, runs(np.asarray(masks.any(axis=0))), fps)[:, 0]
        rotation = quat.multiply(quat.from_axis_angle(side_axis(limb, rotation), angle), rotation)
    points = limb.places(place, rotation)
    shift = _shift(points, masks, fps)
    if floor is not None and limb.is_foot:
        heights = floor.heights
        over = points[..., 1] - np.array([[p.height + floor.height] for p in limb.points])
        near = np.zeros(len(place)) if heights is None else near_floor(heights, masks, floor.size, fps)
        follow = near * (0.0 if heights is None else np.maximum(heights, 0.0) - over.min(axis=0))
        shift[:, 1] = follow + _lift(over + follow, masks, fps)
    return Planted(place + shift, rotation)


def near_floor(heights: FloatArray, masks: BoolArray, size: float, fps: float) -> FloatArray:
    """How far ``(T,)`` a foot that does not stand keeps to its height over the floor: one that slides, on and on.

    Between two stances near in time it is their corrections that bring it from floor to floor.
    """
    stood = np.flatnonzero(masks.any(axis=0))
    if not len(stood):
        return closeness(heights, size)
    frames = np.arange(len(heights))
    at = np.searchsorted(stood, frames)
    apart = [np.abs(frames - stood[np.clip(at + n, 0, len(stood) - 1)]) for n in (-1, 0)]
    seconds = np.min(apart, axis=0) / fps
    return closeness(heights, size) * smooth_step((seconds - BETWEEN) / BETWEEN)


def closeness(heights: FloatArray, size: float) -> FloatArray:
    """How much a foot at heights over the floor has to do with it: 1 on it, 0 from `AWAY` leg heights on."""
    return 1.0 - smooth_step(heights / (AWAY * size))


def steadied(limb: Limb, rotation: FloatArray, masks: BoolArray, fps: float, level: bool) -> FloatArray:
    """Rotations ``(T, 4)`` that stay the same wherever heel and ball stand, flat on the floor where `level`."""
    both = np.asarray(masks.all(axis=0))
    if len(limb.points) < 2 or not both.any():
        return rotation
    change = np.zeros((len(rotation), 3))
    stances = []
    for first, last in runs(both):
        own = quat.continuous(rotation[first : last + 1])
        kept = quat.normalise(own.mean(axis=0))
        if level:
            kept = _levelled(limb, kept)
        turn = quat.to_rotation_vector(quat.multiply(kept, quat.conjugate(own)))
        if np.linalg.norm(turn, axis=-1).max() <= PIVOT:
            change[first : last + 1] = turn
            stances.append((first, last))
    eased = quat.from_rotation_vector(_eased(change, stances, fps))
    return quat.normalise(quat.multiply(eased, rotation))


def _levelled(limb: Limb, rotation: FloatArray) -> FloatArray:
    """A rotation with the sole on the level, where it is near that."""
    arc = quat.to_rotation_vector(quat.shortest_arc(quat.rotate(rotation, limb.up), UP))
    angle = np.linalg.norm(arc)
    share = smooth_step((TILTED - angle) / (TILTED - FLAT))
    return quat.normalise(quat.multiply(quat.from_rotation_vector(share * arc), rotation))


def _shift(points: FloatArray, masks: BoolArray, fps: float) -> FloatArray:
    """Shift ``(T, 3)`` over the ground that keeps standing points ``(P, T, 3)`` still, eased in and out.

    While two points stand, the one that moves less leads; over a stance the shifts are balanced
    around zero.
    """
    steps = np.diff(points, axis=1)
    both = masks[:, 1:] & masks[:, :-1]
    width = min(max(round(LEAD * fps), 1), steps.shape[1])
    length = np.linalg.norm(steps[..., [0, 2]], axis=-1)
    # by their speed over a while: noise from frame to frame must not choose
    smooth = np.stack([np.convolve(row, np.ones(width) / width, mode="same") for row in length])
    weight = both / (smooth + 1e-6) ** 4
    total = weight.sum(axis=0)
    share = weight / np.where(total > 0.0, total, 1.0)
    step = -(share[..., None] * steps).sum(axis=0)
    shift = np.zeros((points.shape[1], 3))
    stances = runs(np.asarray(masks.any(axis=0)))
    for first, last in stances:
        way = np.concatenate((np.zeros((1, 3)), np.cumsum(step[first:last], axis=0)))
        # what moves least, the foot on heel and ball, has the say of where the stance is
        firm = masks[:, first : last + 1].all(axis=0)
        shift[first : last + 1] = way - way[firm if firm.any() else slice(None)].mean(axis=0)
    shift[:, 1] = 0.0
    return _eased(shift, stances, fps)


def _lift(heights: FloatArray, masks: BoolArray, fps: float) -> FloatArray:
    """Lift ``(T,)`` that puts the lowest standing point on the floor, and no point below it."""
    stances = runs(np.asarray(masks.any(axis=0)))
    lowest = np.where(masks, heights, np.inf).min(axis=0)
    lift = np.zeros((len(lowest), 3))
    lift[:, 1] = np.where(np.isfinite(lowest), -lowest, 0.0)
    eased = _eased(lift, stances, fps)[:, 1]
    return np.asarray(np.maximum(eased, -heights.min(axis=0)))


def _eased(shift: FloatArray, stances: Sequence[tuple[int, int]], fps: float) -> FloatArray:
    """Fill the frames between stances: down to nothing and up again, or straight over where time is short."""
    result = shift.copy()
    count, ease = len(shift), max(round(EASE * fps), 1)
    marks = [(-1, -1), *stances, (count, count)]
    for (_, left), (right, _) in itertools.pairwise(marks):
        gap = np.arange(left + 1, right)
        if not len(gap):
            continue
        before = shift[left] if left >= 0 else np.zeros(3)
        after = shift[right] if right < count else np.zeros(3)
        width = min(ease, right - left)
        out = smooth_step(1.0 - (gap - left) / width)[:, None]
        back = smooth_step(1.0 - (right - gap) / width)[:, None]
        result[gap] = before * out + after * back
    return result


def smooth_step(u: FloatArray) -> FloatArray:
    """``3u² − 2u³`` within 0..1."""
    x = np.clip(u, 0.0, 1.0)
    return np.asarray(x * x * (3.0 - 2.0 * x))


def drop_for(need: FloatArray, fps: float, seconds: float, most: float, looping: bool = False) -> FloatArray:
    """Least even lowering ``(T,)`` that is nowhere below what is needed, but for `most` metres.

    The running maximum over a while, then a running mean over as long: each mean is of values that
    are all at least what its middle needs. A loop, whose last frame is its first, is evened over its
    seam.
    """
    if looping and len(need) > 2:
        whole = np.maximum(need[0], need[-1])
        turns = int(np.ceil(seconds * fps / (len(need) - 1))) + 1
        once = np.concatenate(([whole], need[1:-1]))
        many = drop_for(np.tile(once, 2 * turns + 1), fps, seconds, most)
        first = turns * len(once)
        return many[first : first + len(need)]
    wanted = np.clip(need, 0.0, most)
    if not wanted.any():
        return wanted
    half = max(round(0.5 * seconds * fps), 1)
    window = 2 * half + 1
    padded = np.pad(wanted, 2 * half, mode="edge")
    highest = np.lib.stride_tricks.sliding_window_view(padded, window).max(axis=-1)
    kernel = np.hanning(window + 2)[1:-1]
    return np.convolve(highest, kernel / kernel.sum(), mode="valid")
