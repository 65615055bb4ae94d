"""The time axis that every panel over time shares: frames ↔ pixels, zoom, pan, ticks, labels.

Pixels are logical and count from the axis' own left edge. Free of Qt; a widget paints what `ticks`
returns.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from math import floor, isfinite, log10

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.timing import FrameRate, frame_text

MAX_PIXELS_PER_FRAME = 160.0
MIN_PIXELS_PER_SECOND = 1e-3
LABEL_GAP = 10.0
MINOR_GAP = 5.0


class TimeUnit(Enum):
    """How times are written."""

    FRAMES = "frames"
    SECONDS = "seconds"
    TIMECODE = "timecode"

    @classmethod
    def of(cls, name: object) -> "TimeUnit":
        """The unit of that name, as preferences have it; frames for another name."""
        return cls(name) if name in {unit.value for unit in cls} else cls.FRAMES

    @property
    def next(self) -> "TimeUnit":
        """The unit that a click on the label turns to."""
        order = tuple(TimeUnit)
        return order[(order.index(self) + 1) % len(order)]


@dataclass(frozen=True, slots=True, eq=False)
class Ticks:
    """Where an axis is marked.

    Parameters
    ----------
    major, minor : seconds ``(N,)``, rising, all on whole frames; no minor tick is a major one
    labels : text of each major tick
    """

    major: FloatArray
    labels: tuple[str, ...]
    minor: FloatArray


@dataclass(frozen=True, slots=True)
class TimeAxis:
    """A stretch of time laid over a width of pixels.

    Parameters
    ----------
    start : seconds at the left edge (may be negative)
    scale : pixels a second
    width : logical pixels
    rate : frame rate of the clip
    """

    start: float = -0.2
    scale: float = 160.0
    width: float = 600.0
    rate: FrameRate = FrameRate.of(30)

    def __post_init__(self) -> None:
        put = object.__setattr__
        scale = self.scale if isfinite(self.scale) else 160.0
        most = MAX_PIXELS_PER_FRAME * self.rate.fps
        put(self, "scale", min(max(scale, MIN_PIXELS_PER_SECOND), most))
        put(self, "width", max(float(self.width), 1.0))
        put(self, "start", self.start if isfinite(self.start) else 0.0)

    @property
    def end(self) -> float:
        """Seconds at the right edge."""
        return self.start + self.width / self.scale

    @property
    def pixels_per_frame(self) -> float:
        """Width of one frame."""
        return self.scale * self.rate.frame

    def x(self, seconds: float) -> float:
        """Pixel of a time."""
        return (seconds - self.start) * self.scale

    def xs(self, seconds: npt.ArrayLike) -> FloatArray:
        """Pixels of many times."""
        pixels: FloatArray = (np.asarray(seconds, dtype=np.float64) - self.start) * self.scale
        return pixels

    def time(self, x: float) -> float:
        """Seconds at a pixel."""
        return self.start + x / self.scale

    def frame_time(self, x: float) -> float:
        """Seconds of the whole frame nearest to a pixel."""
        return self.rate.snap(self.time(x))

    def zoomed(self, factor: float, x: float) -> "TimeAxis":
        """`factor` times as many pixels a second, what lies at `x` staying there."""
        at = self.time(x)
        new = replace(self, scale=self.scale * factor)
        return replace(new, start=at - x / new.scale)

    def panned(self, dx: float) -> "TimeAxis":
        """Moved by a drag of `dx` pixels to the right."""
        return replace(self, start=self.start - dx / self.scale)

    def resized(self, width: float) -> "TimeAxis":
        """The same start and scale over another width."""
        return replace(self, width=width)

    def at_rate(self, rate: FrameRate) -> "TimeAxis":
        """The same stretch counted in other frames."""
        return replace(self, rate=rate)

    def fitted(self, start: float, end: float, margin: float = 24.0) -> "TimeAxis":
        """Show a range of seconds with `margin` pixels at each side; an empty range is one second wide."""
        if end - start < self.rate.frame:
            end = start + max(self.rate.frame, 1.0)
        room = max(self.width - 2.0 * margin, self.width * 0.2)
        new = replace(self, scale=room / (end - start))
        return replace(new, start=(start + end) / 2.0 - self.width / 2.0 / new.scale)

    def following(self, seconds: float, margin: float = 24.0) -> "TimeAxis":
        """Paged on where a time has left the view, so that it stands near the other edge."""
        if self.start <= seconds <= self.end:
            return self
        return replace(self, start=seconds - min(margin, self.width / 2.0) / self.scale)

    def text(self, seconds: float, unit: TimeUnit) -> str:
        """A time as written in a unit; see `frame_text`."""
        if unit is TimeUnit.TIMECODE:
            return self.rate.timecode(seconds)
        if unit is TimeUnit.SECONDS:
            return f"{seconds:.2f}".replace("-0.00", "0.00")
        return frame_text(self.rate.to_frame(seconds))

    def ticks(self, unit: TimeUnit, text_width: Callable[[str], float]) -> Ticks:
        """Marks of the visible stretch: on whole frames, labels apart by at least `LABEL_GAP` pixels.

        Parameters
        ----------
        unit : what the labels say
        text_width : pixels a text takes in the font it is painted with
        """
        widest = max(text_width(self.text(edge, unit)) for edge in (self.start, self.end, 0.0))
        step = self._step(unit, widest + LABEL_GAP)
        major = self._frames(step)
        times = major * self.rate.frame
        labels = tuple(self.text(float(t), unit) for t in times)
        minor = self._frames(self._minor_step(step))
        return Ticks(times, labels, minor[minor % step != 0.0] * self.rate.frame)

    def _frames(self, step: int) -> FloatArray:
        """Visible multiples of `step` frames, one beyond each edge."""
        wide = step * self.rate.frame
        first, last = floor(self.start / wide), floor(self.end / wide) + 1
        return np.arange(first, last + 1, dtype=np.float64) * step

    def _step(self, unit: TimeUnit, pixels: float) -> int:
        """Smallest pleasing number of frames that takes at least `pixels`."""
        least = max(pixels / self.pixels_per_frame, 1.0)
        nominal = max(1, round(self.rate.fps))
        if unit is not TimeUnit.FRAMES:
            for part in (n for n in range(1, nominal) if nominal % n == 0):
                if part >= least:
                    return part
            for seconds in (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800):
                if seconds * nominal >= least:
                    return seconds * nominal
            return nominal * 3600 * _pleasing(least / nominal / 3600)
        return _pleasing(least)

    def _minor_step(self, step: int) -> int:
        """Finest divisor of the major step whose marks still stand apart."""
        for parts in (10, 6, 5, 4, 3, 2):
            if step % parts == 0 and step // parts * self.pixels_per_frame >= MINOR_GAP:
                return step // parts
        return step


def _pleasing(least: float) -> int:
    """Smallest of 1, 2, 5, 10, 20, 50 … that is at least `least`."""
    if least <= 1.0:
        return 1
    power = 10 ** floor(log10(least))
    return int(next(m * power for m in (1, 2, 5, 10) if m * power >= least * (1 - 1e-12)))
