"""Offsets of feet and pelvis that come in time, as a pure step with a state.

Spec: locomotion, *Feet on uneven ground*.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray

PELVIS_DOWN, PELVIS_UP = 15.0, 10.0
"""Share a second of the way left that the pelvis goes: ``x' = −k (x − goal)``."""

FOOT_DOWN, FOOT_UP = 30.0, 15.0
"""The same of a foot."""

TURN_HALF = 0.1
"""Seconds in which a foot turns half of the way that is left."""


class Offsets(NamedTuple):
    """What is added to a pose, and the state between two steps.

    Parameters
    ----------
    pelvis : metres ``(...)`` up
    feet : metres ``(..., F)`` up, a foot each
    tilts : rotation vectors ``(..., F, 3)`` of the soles, radians
    """

    pelvis: FloatArray
    feet: FloatArray
    tilts: FloatArray


class Paces(NamedTuple):
    """How fast offsets come: shares a second of the way left down and up, and the half-life of a turn in seconds."""

    pelvis_down: float = PELVIS_DOWN
    pelvis_up: float = PELVIS_UP
    foot_down: float = FOOT_DOWN
    foot_up: float = FOOT_UP
    turn_half: float = TURN_HALF


USUAL = Paces()


def step(before: Offsets, wanted: Offsets, seconds: float, paces: Paces = USUAL) -> Offsets:
    """The offsets a while later: closed forms, so that the length of a step does not matter.

    Parameters
    ----------
    before : as they are
    wanted : where they go
    seconds : since then, 0 or more
    paces : how fast they come
    """
    return Offsets(
        _toward(before.pelvis, wanted.pelvis, paces.pelvis_down, paces.pelvis_up, seconds),
        _toward(before.feet, wanted.feet, paces.foot_down, paces.foot_up, seconds),
        wanted.tilts + (before.tilts - wanted.tilts) * 2.0 ** (-seconds / paces.turn_half),
    )


def over_time(wanted: Offsets, times: Sequence[float] | FloatArray) -> Offsets:
    """`step` from time to time, from the first as it is: ``(T, ...)`` each, for bakes.

    The very steps that a preview takes, so that both agree.
    """
    made = [Offsets(*(part[0] for part in wanted))]
    for row in range(1, len(times)):
        goal = Offsets(*(part[row] for part in wanted))
        made.append(step(made[-1], goal, max(float(times[row] - times[row - 1]), 0.0)))
    return Offsets(*(np.stack(parts) for parts in zip(*made, strict=True)))


def _toward(before: FloatArray, goal: FloatArray, down: float, up: float, seconds: float) -> FloatArray:
    rate = np.where(goal < before, down, up)
    return np.asarray(goal + (before - goal) * np.exp(-rate * seconds))
