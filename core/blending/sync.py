"""Sync markers: one clock for clips of different lengths, aligned step by step (spec: blending, Time)."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.clips.clip import Clip


@dataclass(frozen=True, slots=True, eq=False)
class SyncGroup:
    """Clips on one clock that counts marker intervals.

    The clock `s` runs 0..m over a cycle of m intervals; its whole part says between which markers
    playback stands, its fraction how far. Every clip is then at the same step of its own cycle,
    whatever the weights, so that changing them never slides a foot that is down in all of them.

    Parameters
    ----------
    lengths : ``(n,)`` seconds of each clip at its own rate
    stops : ``(n, m + 1)`` each clip's marker times in the order of the clock, rising, ending one
        length after the first; without common markers ``[0, length]``
    names : names of the m markers, empty without
    """

    lengths: FloatArray
    stops: FloatArray
    names: tuple[str, ...]
    intervals: int = field(init=False, repr=False)
    """Number m of intervals of the cycle."""
    _widths: FloatArray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "intervals", len(self.stops[0]) - 1)
        object.__setattr__(self, "_widths", np.diff(self.stops, axis=1))

    def duration(self, weights: npt.ArrayLike) -> FloatArray:
        """Seconds of a whole cycle, ``Σ wᵢ·lengthᵢ/rateᵢ``, for weights ``(..., n)``."""
        seconds: FloatArray = np.asarray(weights, dtype=np.float64) @ self.lengths
        return seconds

    def interval_durations(self, weights: npt.ArrayLike) -> FloatArray:
        """Seconds that each interval takes, ``(..., m)``; they sum to `duration`."""
        seconds: FloatArray = np.asarray(weights, dtype=np.float64) @ self._widths
        return seconds

    def times(self, clock: npt.ArrayLike) -> FloatArray:
        """Each clip's own seconds ``(..., n)`` at clock values ``(...)``; they count on over cycles."""
        if isinstance(clock, float):
            return self._times_at(clock)
        at = np.asarray(clock, dtype=np.float64)
        cycle, step = np.divmod(at, self.intervals)
        number = np.minimum(step.astype(np.intp), self.intervals - 1)
        share = (step - number)[..., None]
        start, end = self.stops.T[number], self.stops.T[number + 1]
        times: FloatArray = start + share * (end - start) + cycle[..., None] * self.lengths
        return times

    def _times_at(self, clock: float) -> FloatArray:
        """As `times` of one clock value, without arrays of one number."""
        cycle, step = divmod(clock, self.intervals)
        number = min(int(step), self.intervals - 1)
        start, end = self.stops[:, number], self.stops[:, number + 1]
        times: FloatArray = start + (step - number) * (end - start) + cycle * self.lengths
        return times

    def advanced(self, clock: float, weights: npt.ArrayLike, seconds: float) -> float:
        """The clock after some seconds (either way) under constant weights ``(n,)``."""
        found = self.interval_durations(weights)
        total = float(found.sum())
        if total <= 0.0:
            return clock
        durations: list[float] = found.tolist()
        edges = [0.0, *accumulate(durations)]
        cycle, step = divmod(clock, self.intervals)
        number = min(int(step), self.intervals - 1)
        at = cycle * total + edges[number] + (step - number) * durations[number] + seconds
        cycle, rest = divmod(at, total)
        number = min(max(bisect_right(edges, rest) - 1, 0), self.intervals - 1)
        share = (rest - edges[number]) / durations[number] if durations[number] > 0.0 else 0.0
        return float(cycle * self.intervals + number + min(share, 1.0))

    def clock_at(self, number: int, time: float) -> float:
        """The clock at which one clip stands at a time of its own (0..length)."""
        length = float(self.lengths[number])
        if length <= 0.0:
            return 0.0
        stops: list[float] = self.stops[number].tolist()
        cycle, rest = divmod(time - stops[0], length)
        rest += stops[0]
        step = min(max(bisect_right(stops, rest) - 1, 0), self.intervals - 1)
        width = stops[step + 1] - stops[step]
        return float(cycle * self.intervals + step + ((rest - stops[step]) / width if width > 0.0 else 0.0))


def sync_group(clips: Sequence[Clip], use_markers: bool = True) -> SyncGroup:
    """Build the clock of some clips.

    Markers count where every looping clip of positive length has the same names in the same cyclic
    order; the cycle starts at the name that the first clip's first marker has. Otherwise clips
    align by normalised time. Clips without length stand still.
    """
    lengths = np.array([clip.length for clip in clips])
    order = _common_names(clips) if use_markers else ()
    if not order:
        return SyncGroup(lengths, np.stack((np.zeros(len(clips)), lengths), axis=1), ())
    stops = np.array([_rising(clip, order) for clip in clips])
    return SyncGroup(lengths, stops, order)


def _common_names(clips: Sequence[Clip]) -> tuple[str, ...]:
    moving = [clip for clip in clips if clip.length > 0.0]
    if not moving or not all(clip.looping for clip in moving):
        return ()
    first = _names(moving[0])
    if not first or any(not _is_turned(first, _names(clip)) for clip in moving):
        return ()
    return first


def _names(clip: Clip) -> tuple[str, ...]:
    within = [m for m in clip.sync_markers if 0.0 <= m.time < clip.length]
    return tuple(marker.name for marker in sorted(within, key=lambda m: m.time))


def _is_turned(first: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return len(first) == len(other) and any(other[k:] + other[:k] == first for k in range(len(other)))


def _rising(clip: Clip, order: tuple[str, ...]) -> FloatArray:
    """A clip's marker times in the clock's order, rising over the seam, closed by one length."""
    if clip.length <= 0.0:
        return np.zeros(len(order) + 1)
    within = sorted((m.time, m.name) for m in clip.sync_markers if 0.0 <= m.time < clip.length)
    names = tuple(name for _, name in within)
    turn = next(k for k in range(len(names)) if names[k:] + names[:k] == order)
    times = np.array([time for time, _ in within])
    rising = np.concatenate((times[turn:], times[:turn] + clip.length))
    return np.concatenate((rising, [rising[0] + clip.length]))
