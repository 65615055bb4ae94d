"""Where values of a blend space lie on the screen."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from core.blending.blend_space import BlendSpace, SpaceAxis

Pixel = tuple[float, float]

POINT_REACH = 10.0
"""Pixels from the preview point within which a press takes it."""
DOT_REACH = 8.0
"""Pixels from a sample within which a press means its dot."""
RING = 13.0
"""Radius in pixels of a sample's handle: the ring around it."""
RING_REACH = 18.0
"""Pixels from a sample up to which a press takes its ring."""


class Part(StrEnum):
    """What of the plot lies under the pointer."""

    GROUND = "ground"
    POINT = "point"
    DOT = "dot"
    RING = "ring"


@dataclass(frozen=True, slots=True)
class Hit:
    """What lies under a pixel, and which sample that is (None for point and ground)."""

    part: Part
    sample: int | None = None


@dataclass(frozen=True, slots=True)
class PlotFrame:
    """The axes of a blend space laid out in a box of logical pixels; the second axis runs upwards.

    With one axis, samples lie on the line half way up.
    """

    space: BlendSpace
    left: float
    top: float
    width: float
    height: float

    def pixel(self, place: tuple[float, ...]) -> Pixel:
        """Where a place is."""
        x = self.left + self.width * _share(self.space.axes[0], place[0])
        if len(place) == 1:
            return x, self.top + self.height / 2.0
        return x, self.top + self.height * (1.0 - _share(self.space.axes[1], place[1]))

    def place(self, pixel: Pixel) -> tuple[float, ...]:
        """What a pixel stands for, held within the axes."""
        shares = ((pixel[0] - self.left) / self.width, 1.0 - (pixel[1] - self.top) / self.height)
        return tuple(
            axis.minimum + min(max(share, 0.0), 1.0) * axis.extent
            for axis, share in zip(self.space.axes, shares, strict=False)
        )

    def sample_at(self, pixel: Pixel, reach: float = RING_REACH) -> int | None:
        """The sample under a pixel: the nearest within reach."""
        if not self.space.samples:
            return None
        places = np.array([self.pixel(s.place) for s in self.space.samples])
        away = np.hypot(*(places - np.array(pixel)).T)
        nearest = int(np.argmin(away))
        return nearest if away[nearest] <= reach else None

    def hit(self, pixel: Pixel, point: tuple[float, ...]) -> Hit:
        """What a press at a pixel means: the preview point before any sample, a dot before any ring."""
        if np.hypot(*np.subtract(self.pixel(point), pixel)) <= POINT_REACH:
            return Hit(Part.POINT)
        for part, reach in ((Part.DOT, DOT_REACH), (Part.RING, RING_REACH)):
            sample = self.sample_at(pixel, reach)
            if sample is not None:
                return Hit(part, sample)
        return Hit(Part.GROUND)

    def contains(self, pixel: Pixel) -> bool:
        """Whether a pixel lies within the box."""
        x, y = pixel
        return self.left <= x <= self.left + self.width and self.top <= y <= self.top + self.height


def _share(axis: SpaceAxis, value: float) -> float:
    return (value - axis.minimum) / axis.extent


def ticks(axis: SpaceAxis, room: float, apart: float = 44.0) -> list[float]:
    """Round values to write along an axis, at least `apart` pixels from each other."""
    most = max(int(room // apart), 1)
    step = 10.0 ** np.floor(np.log10(axis.extent / most))
    steps = (15.0, 30.0, 45.0, 60.0, 90.0, 180.0) if axis.unit == "°" else (1.0, 2.0, 2.5, 5.0, 10.0)
    scale = 1.0 if axis.unit == "°" and axis.extent / most >= 5.0 else step
    chosen = next((s * scale for s in steps if axis.extent / (s * scale) <= most), axis.extent)
    first = np.ceil(axis.minimum / chosen - 1e-9)
    last = np.floor(axis.maximum / chosen + 1e-9)
    return [float(k * chosen) + 0.0 for k in np.arange(first, last + 1)]
