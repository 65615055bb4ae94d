"""Where values lie on the screen: one value axis, and for each lane a factor and an offset onto it. Free of Qt."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import ceil, floor, isfinite, log10

import numpy as np

from core.arrays import FloatArray
from editor.tools.curves.lanes import Curve


class Layout(StrEnum):
    """How curves share the value axis."""

    ABSOLUTE = "absolute"
    NORMALISED = "normalised"
    STACKED = "stacked"


@dataclass(frozen=True, slots=True)
class ValueAxis:
    """A stretch of values laid over a height of pixels, values growing upward.

    Parameters
    ----------
    low : value at the lower edge
    scale : pixels a value unit
    height : logical pixels
    """

    low: float = -1.0
    scale: float = 100.0
    height: float = 200.0

    def __post_init__(self) -> None:
        scale = self.scale if isfinite(self.scale) else 100.0
        object.__setattr__(self, "scale", min(max(scale, 1e-6), 1e9))
        object.__setattr__(self, "low", self.low if isfinite(self.low) else 0.0)
        object.__setattr__(self, "height", max(float(self.height), 1.0))

    @property
    def high(self) -> float:
        """Value at the upper edge."""
        return self.low + self.height / self.scale

    def y(self, value: float) -> float:
        """Pixel from the top of a value."""
        return self.height - (value - self.low) * self.scale

    def ys(self, values: FloatArray) -> FloatArray:
        """Pixels of many values."""
        pixels: FloatArray = self.height - (values - self.low) * self.scale
        return pixels

    def value(self, y: float) -> float:
        """Value at a pixel."""
        return self.low + (self.height - y) / self.scale

    def zoomed(self, factor: float, y: float) -> "ValueAxis":
        """`factor` times as many pixels a unit, what lies at `y` staying there."""
        at = self.value(y)
        new = replace(self, scale=self.scale * factor)
        return replace(new, low=at - (self.height - y) / new.scale)

    def panned(self, dy: float) -> "ValueAxis":
        """Moved by a drag of `dy` pixels downward."""
        return replace(self, low=self.low + dy / self.scale)

    def fitted(self, low: float, high: float, margin: float = 20.0) -> "ValueAxis":
        """Show a range of values with `margin` pixels above and below."""
        if high - low < 1e-9 * max(1.0, abs(high)):
            spread = max(abs(high) * 0.1, 0.5)
            low, high = low - spread, high + spread
        room = max(self.height - 2.0 * margin, self.height * 0.3)
        scale = room / (high - low)
        return replace(self, scale=scale, low=(low + high) / 2.0 - self.height / 2.0 / scale)


def value_ticks(axis: ValueAxis, gap: float = 22.0) -> tuple[float, FloatArray]:
    """Step and places of the marks of a value axis: 1, 2 or 5 times a power of ten, `gap` pixels apart or more."""
    least = gap / axis.scale
    power = 10.0 ** floor(log10(least))
    step = next(m * power for m in (1.0, 2.0, 5.0, 10.0) if m * power >= least * (1.0 - 1e-12))
    first, last = ceil(axis.low / step), floor(axis.high / step)
    return step, np.arange(first, last + 1, dtype=np.float64) * step


@dataclass(frozen=True, slots=True)
class Fit:
    """How a lane's values come onto the value axis: ``factor * value + offset``."""

    factor: float = 1.0
    offset: float = 0.0

    def on(self, value: float) -> float:
        """Place of a value on the axis."""
        return self.factor * value + self.offset

    def back(self, place: float) -> float:
        """Value at a place of the axis."""
        return (place - self.offset) / self.factor


BAND = 1.0
"""Height of a lane of the stacked layout, on the value axis; curves take 0.8 of it."""


def fits_for(layout: Layout, curves: Sequence[Curve]) -> list[Fit]:
    """One fit a curve of a layout that is not absolute; stacked lanes run downward from 0."""
    found = []
    for number, curve in enumerate(curves):
        low, high = extent(curve)
        spread = high - low
        half = 0.4 * BAND if layout is Layout.STACKED else 1.0
        middle = -(number + 0.5) * BAND if layout is Layout.STACKED else 0.0
        factor = 2.0 * half / spread if spread > 1e-9 else half / max(abs(high), 1.0)
        found.append(Fit(factor, middle - factor * (low + high) / 2.0))
    return found


def extent(curve: Curve) -> tuple[float, float]:
    """Lowest and highest value of a curve's keys."""
    values = curve.line[1] if curve.line is not None else curve.values
    return float(np.min(values)), float(np.max(values))
