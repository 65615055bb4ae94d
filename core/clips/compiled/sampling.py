"""The ticks of a compiled clip, and the times between them at which it is held to its bound."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.timing import TIME_EPSILON

STRIDE = 4
"""Parts of each gap between ticks at which samples are taken: a cubic that fits three inside cannot deviate much."""
MOMENT = 1.5 * TIME_EPSILON
"""Seconds that a jump may take in a compiled clip; it is not measured in there."""
SHORTEST = 2.0 * TIME_EPSILON
"""Seconds of the shortest gap that comes of cutting one; longer than a jump."""

MOST_PARTS = 8
"""Parts into which a gap is cut at once, at most."""

LEAST_JUMP = 1e-6
"""Components, metres or factors by which what moves smoothly is never off its chord in the moment of a jump."""

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Sampling:
    """The axis of a clip, and the times at which it is held to its bound.

    Parameters
    ----------
    times : ``(S,)`` seconds of the samples
    stride : every stride-th sample is a tick, on which a key may be
    counted : ``(S,)`` whether a sample counts; those in the moment of a jump do not
    """

    times: FloatArray
    stride: int
    counted: Mask

    @property
    def axis(self) -> FloatArray:
        """Seconds of the ticks ``(N,)``."""
        return self.times[:: self.stride]


def sampling_of(axis: FloatArray) -> Sampling:
    """Samples at ticks ``(N,)``, and evenly between them, all of which count."""
    inside = axis[:-1, None] + np.diff(axis)[:, None] * (np.arange(STRIDE) / STRIDE)
    times = np.append(inside, axis[-1])
    return Sampling(times, STRIDE, np.ones(len(times), np.bool_))


def without_jumps(sampling: Sampling, values: FloatArray) -> Sampling:
    """The same samples; of values ``(S, C)``, those inside of gaps in whose moment one jumps do not count."""
    axis, stride = sampling.axis, sampling.stride
    gaps = np.flatnonzero(np.diff(axis) < MOMENT)
    first = gaps * stride
    chord = (
        values[first]
        + (values[first + stride] - values[first]) * (np.arange(1, stride) / stride)[:, None, None]
    )
    inside = values[first + np.arange(1, stride)[:, None]]
    jumps = gaps[(np.abs(inside - chord) > LEAST_JUMP).any(axis=(0, 2))]
    counted = np.array(sampling.counted)
    counted[(jumps * stride + np.arange(1, stride)[:, None]).reshape(-1)] = False
    return replace(sampling, counted=counted)


def parts_for(excess: FloatArray) -> npt.NDArray[np.intp]:
    """Into how many parts to cut gaps by how many times they are above their bound; 1 where they hold it.

    What lines are off by falls to a quarter with each tick in the middle.
    """
    more = np.ceil(np.log2(np.maximum(excess, 1.0)) * 0.5).astype(np.intp)
    return np.where(excess > 1.0, np.clip(2**more, 2, MOST_PARTS), 1)


def cut(axis: FloatArray, parts: npt.NDArray[np.intp]) -> FloatArray:
    """An axis with each gap cut into equal parts; gaps that would become too short are not cut."""
    gaps = np.diff(axis)
    most = np.maximum(np.floor(np.log2(np.maximum(gaps / SHORTEST, 1.0))), 0.0)
    counts = np.minimum(parts, 2 ** most.astype(np.intp))
    gap = np.repeat(np.arange(len(gaps)), counts)
    first = np.cumsum(counts) - counts
    share = (np.arange(len(gap)) - first[gap]) / counts[gap]
    return np.append(axis[gap] + gaps[gap] * share, axis[-1])
