"""The axis that takes least room: ticks without a key left out, and even ones where they will do."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.clips.compiled.clip import CompiledClip
from core.clips.compiled.container import even_axis, even_step
from core.clips.compiled.tracks import Mode, PackedTrack

EVEN = 1e-9
"""Seconds by which ticks may move to be evenly spaced."""
FINEST = 64
"""Even ticks in the shortest gap between keys of one clip that are tried at most, as a multiple of its keys."""
TICK = 64
"""Bits of a listed tick of the axis."""


def with_least_axis(clip: CompiledClip) -> CompiledClip:
    """The same clip on the axis that takes fewest bits; its keys stay where they are."""
    moving = [track for track in clip.tracks if track.mode is not Mode.CONSTANT]
    ends = np.array([0, len(clip.axis) - 1], np.int32)
    used = np.unique(np.concatenate([ends, *(track.ticks for track in moving)]))
    tries = [clip, _on(clip, clip.axis[used], np.searchsorted(used, np.arange(len(clip.axis))))]
    even = _even(clip.axis, used)
    if even is not None:
        tries.append(_on(clip, *even))
    return min(tries, key=_bits)


def _even(axis: FloatArray, used: npt.NDArray[np.int32]) -> tuple[FloatArray, npt.NDArray[np.intp]] | None:
    """The fewest even ticks among which are those used, and their numbers by those of the axis's ticks."""
    kept = axis[used]
    span = float(kept[-1] - kept[0])
    shortest = float(np.diff(kept).min())
    first = max(round(span / shortest), 1)
    for count in range(1, FINEST + 1):
        steps = first * count
        if steps > FINEST * len(axis):
            return None
        ticks = even_axis(float(kept[0]), span / steps, steps + 1)
        places = np.clip(np.rint((axis - kept[0]) * (steps / span)), 0, steps).astype(np.intp)
        if np.abs(ticks[places[used]] - kept).max() < EVEN:
            return ticks, places
    return None


def _on(clip: CompiledClip, axis: FloatArray, places: npt.NDArray[np.intp]) -> CompiledClip:
    """The clip on another axis; `places` gives the new number of each old tick that has a key."""
    tracks: list[PackedTrack] = []
    for track in clip.tracks:
        ticks = places[track.ticks].astype(np.int32)
        tracks.append(track if track.mode is Mode.CONSTANT else replace(track, ticks=ticks))
    return replace(clip, axis=axis, tracks=tuple(tracks))


def _bits(clip: CompiledClip) -> int:
    axis = 0 if even_step(clip.axis) else TICK * len(clip.axis)
    return axis + sum(track.cost(len(clip.axis)) for track in clip.tracks)
