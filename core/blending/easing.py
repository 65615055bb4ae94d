"""Easing curves of a blend's weight (spec: graph, Transitions)."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.errors import ValidationError
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import ScalarTrack


class EaseShape(StrEnum):
    """The family of a curve from 0 to 1."""

    LINEAR = "linear"
    SMOOTH = "smooth"
    SMOOTHER = "smoother"
    SINE = "sine"
    POWER = "power"
    CIRCULAR = "circular"
    EXPONENTIAL = "exponential"
    CURVE = "curve"


class EaseWay(StrEnum):
    """At which end a power, circular or exponential curve is slow."""

    IN = "in"
    OUT = "out"
    IN_OUT = "in_out"


@dataclass(frozen=True, slots=True)
class Easing:
    """How a blend's weight goes from 0 to 1.

    Parameters
    ----------
    way : where a power, circular or exponential shape is slow; the others ignore it
    power : exponent 2 to 5 of a power shape
    curve : name of the graph's map for shape `CURVE`, whose values are kept within 0..1

    Raises
    ------
    ValidationError
        A power outside 2..5, or a curve shape without a name.
    """

    shape: EaseShape = EaseShape.LINEAR
    way: EaseWay = EaseWay.IN_OUT
    power: int = 2
    curve: str | None = None

    def __post_init__(self) -> None:
        if not 2 <= self.power <= 5:
            raise ValidationError(f"easing: expected a power of 2 to 5, got {self.power}")
        if self.shape is EaseShape.CURVE and not self.curve:
            raise ValidationError("easing: a curve needs the name of a map")


def ease(easing: Easing, u: npt.ArrayLike, track: ScalarTrack | None = None) -> FloatArray:
    """Weight ``e(u)`` at fractions `u` of the blend, which are kept within 0..1.

    Parameters
    ----------
    track : the map of shape `CURVE`, over 0..1

    Raises
    ------
    ValidationError
        A curve shape without its track.
    """
    x = np.clip(np.asarray(u, dtype=np.float64), 0.0, 1.0)
    shape = easing.shape
    if shape is EaseShape.LINEAR:
        return x
    if shape is EaseShape.SMOOTH:
        return np.asarray(x * x * (3.0 - 2.0 * x))
    if shape is EaseShape.SMOOTHER:
        return np.asarray(x * x * x * (10.0 + x * (6.0 * x - 15.0)))
    if shape is EaseShape.SINE:
        return np.asarray((1.0 - np.cos(np.pi * x)) / 2.0)
    if shape is EaseShape.CURVE:
        if track is None:
            raise ValidationError(f"easing: the map {easing.curve!r} is not there")
        return np.clip(evaluate_scalar(track, x), 0.0, 1.0)
    return _turned(easing, x)


def _turned(easing: Easing, x: FloatArray) -> FloatArray:
    """A shape that is slow at its start, put in, out or both."""
    if easing.way is EaseWay.IN:
        return _slow_start(easing, x)
    if easing.way is EaseWay.OUT:
        return np.asarray(1.0 - _slow_start(easing, 1.0 - x))
    first = _slow_start(easing, np.minimum(2.0 * x, 1.0)) / 2.0
    second = 1.0 - _slow_start(easing, np.clip(2.0 - 2.0 * x, 0.0, 1.0)) / 2.0
    return np.where(x < 0.5, first, second)


def _slow_start(easing: Easing, x: FloatArray) -> FloatArray:
    if easing.shape is EaseShape.POWER:
        return np.asarray(x**easing.power)
    if easing.shape is EaseShape.CIRCULAR:
        return np.asarray(1.0 - np.sqrt(np.maximum(1.0 - x * x, 0.0)))
    return np.asarray((2.0 ** (10.0 * x) - 1.0) / 1023.0)
