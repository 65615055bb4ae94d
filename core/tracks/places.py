"""Where keys may stand after a reduction or a conversion."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.timing import TIME_EPSILON, FrameRate


class KeyPlaces(StrEnum):
    """What may become of keys.

    ``OWN``: they stay where they are, or go; only slopes are set again. ``FRAMES``: keys are added on
    frames where they are needed. ``ANYWHERE``: between frames, too, which takes the fewest.
    ``EXACT``: what is left keeps its value and slopes as they are.
    """

    OWN = "own"
    FRAMES = "frames"
    ANYWHERE = "anywhere"
    EXACT = "exact"


@dataclass(frozen=True, slots=True)
class Places:
    """Where keys may stand, with the frames that may be used.

    Parameters
    ----------
    rate : frames a second, for `KeyPlaces.FRAMES`
    """

    kind: KeyPlaces = KeyPlaces.OWN
    rate: FrameRate = FrameRate.of(30)

    def samples(self, times: FloatArray) -> FloatArray:
        """Sample times with the frames between them added where keys may be put there."""
        if self.kind is not KeyPlaces.FRAMES:
            return times
        frames = self._frames(times)
        return np.unique(np.concatenate((times, frames[_apart(times, frames) > 2.0 * TIME_EPSILON])))

    def free(self, times: FloatArray, own: FloatArray) -> npt.NDArray[np.bool_] | None:
        """Which of the samples may become keys, of curves with keys at `own` times; None is all."""
        if self.kind is KeyPlaces.ANYWHERE or (times is own and self.kind is not KeyPlaces.FRAMES):
            return None
        allowed = own if self.kind is not KeyPlaces.FRAMES else np.concatenate((own, self._frames(times)))
        near: npt.NDArray[np.bool_] = _apart(np.sort(allowed), times) < 0.1 * TIME_EPSILON
        return near

    def _frames(self, times: FloatArray) -> FloatArray:
        """Frames between the first and the last time."""
        first, last = (self.rate.to_frame(float(t)) for t in (times[0], times[-1]))
        return np.array([self.rate.to_seconds(n) for n in range(int(np.ceil(first)), int(last) + 1)])


def _apart(times: FloatArray, asked: FloatArray) -> FloatArray:
    """How far each asked time is from the nearest of some rising ones."""
    right = np.clip(np.searchsorted(times, asked), 0, len(times) - 1)
    apart: FloatArray = np.minimum(
        np.abs(times[right] - asked), np.abs(times[np.maximum(right - 1, 0)] - asked)
    )
    return apart


ANYWHERE = Places(KeyPlaces.ANYWHERE)
OWN = Places()
