"""Frame rates, snapping and the ways a time is written.

Times are float64 seconds everywhere; frames are ``seconds * rate`` and may be fractional.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.errors import ValidationError

TIME_EPSILON = 1e-5
"""Two keys closer than this many seconds are one."""


def within_clip(times: npt.ArrayLike, length: float, loops: bool) -> FloatArray:
    """Times in seconds brought into a clip: taken over the seam of a loop, else held at the ends.

    The end of a loop is its start; a clip of no length gives zeros.
    """
    at = np.asarray(times, dtype=np.float64)
    if length <= 0.0:
        return np.zeros_like(at)
    return np.mod(at, length) if loops else np.clip(at, 0.0, length)


def frame_text(frame: float) -> str:
    """A frame number or count for reading: up to two decimals, no trailing zeros, never an exponent.

    Within a fiftieth of a frame it reads whole: files that round their frame time (0.0083333 s for 120 a
    second) drift so far over some thousand frames.
    """
    whole = round(frame)
    return str(whole) if abs(frame - whole) < 0.02 else _decimal(frame, 2)


def rate_text(frames_per_second: float) -> str:
    """A frame rate for reading: up to three decimals (23.976), no trailing zeros, never an exponent."""
    return _decimal(frames_per_second, 3)


def _decimal(value: float, places: int) -> str:
    text = f"{value:.{places}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


@dataclass(frozen=True, slots=True)
class FrameRate:
    """Frames a second, exact (30000/1001 is not 29.97).

    Raises
    ------
    ValidationError
        Outside 0.001 … 100,000 frames a second.
    """

    value: Fraction

    def __post_init__(self) -> None:
        if not Fraction(1, 1000) <= self.value <= 100_000:
            raise ValidationError(
                f"frame rate: expected 0.001 to 100000 frames a second, got {float(self.value)}"
            )

    @classmethod
    def of(cls, frames_per_second: float | int | Fraction | str) -> "FrameRate":
        """Build from a number, recognising the rates that films and televisions use."""
        try:
            exact = Fraction(frames_per_second)
        except (ValueError, OverflowError, ZeroDivisionError) as error:
            raise ValidationError(f"frame rate: expected a number, got {frames_per_second!r}") from error
        for base in (24, 30, 48, 60, 120):
            broadcast = Fraction(base * 1000, 1001)
            if abs(float(exact) - float(broadcast)) < 5e-4:
                return cls(broadcast)
        whole = round(exact)
        if whole and abs(float(exact) - whole) < 1e-3 * whole:
            return cls(Fraction(whole))
        return cls(exact.limit_denominator(100_000))

    @property
    def fps(self) -> float:
        """Frames a second as a float."""
        return float(self.value)

    @property
    def frame(self) -> float:
        """Length of one frame in seconds."""
        return float(1 / self.value)

    def to_frame(self, seconds: float) -> float:
        """Frame number (fractional) at a time."""
        return seconds * self.fps

    def to_seconds(self, frame: float) -> float:
        """Time of a frame number (fractional)."""
        return frame * self.value.denominator / self.value.numerator

    def snap(self, seconds: float) -> float:
        """Time of the nearest whole frame."""
        return self.to_seconds(round(self.to_frame(seconds)))

    def timecode(self, seconds: float) -> str:
        """``HH:MM:SS:FF`` (non-drop), with a leading minus before zero."""
        nominal = max(1, round(self.fps))
        frames = round(self.to_frame(abs(seconds)))
        whole, rest = divmod(frames, nominal)
        minutes, second = divmod(whole, 60)
        hours, minute = divmod(minutes, 60)
        sign = "-" if seconds < 0 and frames else ""
        return f"{sign}{hours:02d}:{minute:02d}:{second:02d}:{rest:02d}"
