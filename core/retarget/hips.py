"""How far hips rise or come down so that standing legs keep the bend that the motion gives them.

A leg that is nearly straight tells the hips' height to the millimetre: one millimetre too low bends its knee by
five degrees. A bent one hardly minds. So each leg on the floor asks for the height at which its knee stays as it
is, and is listened to by how much its knee would pay.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.arrays import BoolArray, FloatArray

STIFF = np.radians(4.0)
"""A leg bent less than this is taken to be bent by this: straighter ones would drown out all others."""

SMOOTH = 0.12
"""Seconds over which the hips' height is evened."""

FAR = 1.2
"""Seconds within which a stance is known of while no foot stands."""


class Asked(NamedTuple):
    """What one leg asks of the hips.

    Parameters
    ----------
    rise : metres ``(T,)`` up at which the knee keeps its bend
    most : metres ``(T,)`` up at which the leg just reaches
    weight : ``(T,)`` how much the knee pays for a metre, where the leg stands; 0 where it swings
    """

    rise: FloatArray
    most: FloatArray
    weight: FloatArray


def asked(
    root: FloatArray,
    ankle: FloatArray,
    goal: FloatArray,
    lengths: tuple[float, float],
    full: float,
    stands: FloatArray,
) -> Asked:
    """What a leg asks of the hips for its ankle to get to a goal, all places ``(T, 3)``.

    Parameters
    ----------
    lengths : of thigh and calf
    full : part of both lengths that the leg is stretched to at most
    stands : ``(T,)`` 0..1, how far the foot stands
    """  # fmt: skip
    size = sum(lengths)
    present = np.linalg.norm(ankle - root, axis=-1)
    away = np.linalg.norm((goal - root)[:, [0, 2]], axis=-1)
    height = goal[:, 1] - root[:, 1]
    # where the leg is too short at any height, hips over the foot would be no help
    longest = np.maximum(full * size, present)
    most = height + np.sqrt(np.maximum(longest**2 - away**2, (0.3 * size) ** 2))
    rise = np.minimum(height + np.sqrt(np.maximum(present**2 - away**2, (0.3 * size) ** 2)), most)
    bend = np.maximum(knee_bend(present, lengths), STIFF)
    upright = np.clip((root - ankle)[:, 1] / np.maximum(present, 1e-9), 0.0, 1.0)
    return Asked(rise, most, stands * (upright / np.sin(0.5 * bend)) ** 2)


def knee_bend(distance: FloatArray, lengths: tuple[float, float]) -> FloatArray:
    """Radians ``(T,)`` that a knee is bent, 0 straight, where hip and ankle are so far apart."""
    upper, lower = lengths
    cosine = (distance**2 - upper**2 - lower**2) / max(2.0 * upper * lower, 1e-12)
    return np.asarray(np.arccos(np.clip(cosine, -1.0, 1.0)))


def eased_distance(
    wanted: FloatArray, present: FloatArray, lengths: tuple[float, float], limit: float
) -> FloatArray:
    """Metres ``(T,)`` from hip to ankle at which a knee bends at most so much more than at `present`.

    Up to half of the limit what is `wanted`; from there the bend eases toward the limit.

    Parameters
    ----------
    limit : radians, above 0
    """
    before = knee_bend(present, lengths)
    more = knee_bend(wanted, lengths) - before
    half = 0.5 * limit
    over = more - half
    bend = np.minimum(before + half + half * np.tanh(np.maximum(over, 0.0) / half), np.pi)
    upper, lower = lengths
    kept = np.sqrt(np.maximum(upper**2 + lower**2 + 2.0 * upper * lower * np.cos(bend), 0.0))
    return np.where(over > 0.0, kept, wanted)


def risen(legs: list[Asked], fps: float, cuts: Sequence[int] = (), looping: bool = False) -> FloatArray:
    """The even height ``(T,)`` in metres that hips rise by, below zero where they come down.

    A mean of what legs ask for, weighted by what their knees would pay, near in time; fitted twice, so that it
    follows bends. Where nobody stands it goes from one stance to the next; without any stance it is 0.

    Parameters
    ----------
    cuts : frames at which the motion jumps into another pose: what is before them says nothing of what follows
    looping : whether the last frame is the first again; not where there are cuts
    """
    if len(cuts):
        parts = np.split(np.array([tuple(leg) for leg in legs]), cuts, axis=-1)
        return np.concatenate([risen([Asked(*leg) for leg in part], fps) for part in parts])
    weight = np.sum([leg.weight for leg in legs], axis=0)
    if not weight.any():
        return np.zeros_like(weight)
    total = np.where(weight > 0.0, weight, 1.0)
    wanted = np.sum([leg.weight * leg.rise for leg in legs], axis=0) / total
    fitted: FloatArray = np.zeros_like(wanted)
    for seconds in (FAR, SMOOTH, SMOOTH):
        fitted += _near_mean(wanted - fitted, weight, seconds * fps, looping)
    return fitted


def _near_mean(values: FloatArray, weight: FloatArray, width: float, looping: bool) -> FloatArray:
    """Weighted mean ``(T,)`` of values near in time; from half the width on it eases to 0 where all weight is far."""
    half = max(round(width), 1)
    kernel = np.hanning(2 * half + 3)[1:-1]
    # what is far from any stance follows none
    slight = 1e-3 * float(weight.max())
    above, below = (_spread(row, kernel, half, looping) for row in (weight * values, weight))
    # The mean itself stays what the last stance asks for until nothing of it is left: it would be lost in a frame.
    left = np.clip(2.0 - 2.0 * _frames_to(weight > slight, looping) / (half + 1), 0.0, 1.0)
    return np.asarray(above / (below + slight) * left * left * (3.0 - 2.0 * left))


def _frames_to(marked: BoolArray, looping: bool) -> FloatArray:
    """Frames ``(T,)`` to the nearest that is marked; one is."""
    count = len(marked)
    frames = np.flatnonzero(marked)
    if looping and count > 2:  # the last frame is the first again
        frames = np.concatenate([frames + turn * (count - 1) for turn in (-1, 0, 1)])
    here = np.arange(count)
    after = np.searchsorted(frames, here)
    ahead = frames[np.minimum(after, len(frames) - 1)] - here
    behind = here - frames[np.maximum(after - 1, 0)]
    return np.asarray(np.minimum(np.abs(ahead), np.abs(behind)), dtype=np.float64)


def _spread(row: FloatArray, kernel: FloatArray, half: int, looping: bool) -> FloatArray:
    if looping and len(row) > 2:
        # the last frame is the first again
        once = row[:-1]
        turns = -(-half // len(once))
        many = np.tile(once, 2 * turns + 1)
        spread = np.convolve(many, kernel, mode="same")[turns * len(once) : (turns + 1) * len(once)]
        return np.append(spread, spread[0])
    return np.asarray(np.convolve(np.pad(row, half), kernel, mode="valid"))
