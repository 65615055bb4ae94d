"""Two-bone IK in closed form (spec: ik, Two-bone), over many poses at once."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.ik import compiled
from core.math import kernels, quat

NEAR = 1e-6
"""Metres below which a distance counts as none."""


class TwoBoneReach(NamedTuple):
    """Where joint and end come to stand.

    Parameters
    ----------
    joint, end : ``(..., 3)`` model positions
    growth : ``(...)`` factor of both lengths, 1 without stretch
    """

    joint: FloatArray
    end: FloatArray
    growth: FloatArray


def reach(
    root: npt.ArrayLike,
    joint: npt.ArrayLike,
    end: npt.ArrayLike,
    goal: npt.ArrayLike,
    pole: npt.ArrayLike | None = None,
    soft: float = 0.0,
    stretch_start: float = 1.0,
    stretch_limit: float = 1.0,
) -> TwoBoneReach:
    """Place the middle joint and the end of a two-bone chain.

    In reach the end stands on the goal; too far, both bones lie straight toward it; too near, the
    chain folds as far as it can. All positions ``(..., 3)`` in one space, metres.

    Edge cases: a goal on the root keeps the end's present direction, then +X; a pole on the line
    from root to goal keeps the present bend plane; where that is straight too, a fixed
    perpendicular. Bones of no length give the finite answer of the remaining one.
    """
    start, middle, tip, aim = (np.asarray(p, dtype=np.float64) for p in (root, joint, end, goal))
    upper = np.linalg.norm(middle - start, axis=-1)
    lower = np.linalg.norm(tip - middle, axis=-1)
    distance = np.linalg.norm(aim - start, axis=-1)
    toward = _directions(aim - start, tip - start)
    growth = _growth(distance, upper + lower, stretch_start, stretch_limit)
    upper, lower = upper * growth, lower * growth
    wanted = np.clip(_softened(distance, upper + lower, soft), np.abs(upper - lower), upper + lower)
    side = _bend(start, middle, pole, toward)
    along = (wanted**2 + upper**2 - lower**2) / (2.0 * np.where(wanted < NEAR, 1.0, wanted))
    along = np.where(wanted < NEAR, 0.0, np.clip(along, -upper, upper))
    aside = np.sqrt(np.maximum(upper**2 - along**2, 0.0))
    placed = start + along[..., None] * toward + aside[..., None] * side
    return TwoBoneReach(placed, start + wanted[..., None] * toward, growth)


def solved(
    root: FloatArray,
    joint: FloatArray,
    end: FloatArray,
    goal: FloatArray,
    pole: FloatArray | None = None,
    soft: float = 0.0,
    stretch_start: float = 1.0,
    stretch_limit: float = 1.0,
) -> tuple[TwoBoneReach, FloatArray, FloatArray]:
    """`reach` and `turns` for places ``(T, 3)`` in one go: compiled where that is loaded, else the twins."""
    kernel = compiled.kernel()
    if kernel is None:
        with kernels.twin():
            placed = reach(root, joint, end, goal, pole, soft, stretch_start, stretch_limit)
            return placed, *turns(root, joint, end, placed)
    places = [compiled.ready(p) for p in (root, joint, end, goal, goal if pole is None else pole)]
    count = len(places[0])
    placed = TwoBoneReach(np.empty((count, 3)), np.empty((count, 3)), np.empty(count))
    upper, lower = np.empty((count, 4)), np.empty((count, 4))
    kernel.two_bone(*places, pole is not None, soft, stretch_start, stretch_limit, *placed, upper, lower)
    return placed, upper, lower


def turns(
    root: FloatArray, joint: FloatArray, end: FloatArray, placed: TwoBoneReach
) -> tuple[FloatArray, FloatArray]:
    """Model-space rotations ``(..., 4)`` that carry upper and lower bone to the reached places.

    Shortest arcs, so the bones keep their twist. The lower one is meant after the upper one
    turned it along.
    """
    upper = quat.shortest_arc(joint - root, placed.joint - root)
    lower = quat.shortest_arc(quat.rotate(upper, end - joint), placed.end - placed.joint)
    return upper, lower


def _directions(first: FloatArray, second: FloatArray) -> FloatArray:
    """Unit vectors along `first`, where it is too short along `second`, else +X."""
    direction = np.broadcast_to([1.0, 0.0, 0.0], first.shape)
    for vector in (second, first):
        length = np.linalg.norm(vector, axis=-1, keepdims=True)
        direction = np.where(length < NEAR, direction, vector / np.where(length < NEAR, 1.0, length))
    return direction


def _growth(distance: FloatArray, length: FloatArray, start: float, limit: float) -> FloatArray:
    if limit <= 1.0:
        return np.ones_like(distance)
    ratio = distance / np.where(length < NEAR, 1.0, length)
    share = np.clip((ratio - start) / max(limit - start, NEAR), 0.0, 1.0)
    grown: FloatArray = np.where(length < NEAR, 1.0, 1.0 + (limit - 1.0) * share)
    return grown


def _softened(distance: FloatArray, length: FloatArray, soft: float) -> FloatArray:
    """Distance that eases into the full length over its last fraction `soft`."""
    if soft <= 0.0:
        return distance
    zone = np.maximum(soft * length, NEAR)
    begin = length - zone
    eased = begin + zone * (1.0 - np.exp(-np.maximum(distance - begin, 0.0) / zone))
    result: FloatArray = np.where(distance > begin, eased, distance)
    return result


def _bend(
    start: FloatArray, middle: FloatArray, pole: npt.ArrayLike | None, toward: FloatArray
) -> FloatArray:
    """Unit vector across `toward` on which side the joint bends."""
    aside = np.where(np.abs(toward[..., :1]) < 0.9, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    result = _across(aside, toward)[0]
    hints = [middle - start] if pole is None else [middle - start, np.asarray(pole, np.float64) - start]
    for hint in hints:
        side, size = _across(hint, toward)
        scale = np.linalg.norm(hint, axis=-1, keepdims=True)
        result = np.where(size > 1e-7 * np.maximum(scale, 1.0), side, result)
    return result


def _across(vector: FloatArray, toward: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Unit part of `vector` perpendicular to `toward`, and its length before."""
    part = vector - np.sum(vector * toward, axis=-1, keepdims=True) * toward
    size = np.linalg.norm(part, axis=-1, keepdims=True)
    return part / np.where(size > 0.0, size, 1.0), size
