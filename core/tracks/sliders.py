"""Key sliders: one number that pulls selected keys between, toward or away from what surrounds them.

All change values only, and refresh the automatic slopes of the keys and their neighbours. An amount
of 0 gives back the track itself.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.tracks.edits import set_values
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import ScalarTrack

Indices = npt.NDArray[np.intp]


class Slider(StrEnum):
    """What a slider does; amounts run from −1 to 1 (and beyond, where that makes sense)."""

    TWEEN = "tween"
    BLEND_NEIGHBOUR = "blend_neighbour"
    SCALE_AVERAGE = "scale_average"
    PUSH_PULL = "push_pull"
    TIME_OFFSET = "time_offset"
    NOISE = "noise"


def slid(
    slider: Slider,
    track: ScalarTrack,
    keys: npt.ArrayLike,
    amount: float,
    loop: float | None = None,
    size: float = 1.0,
    seed: int = 0,
) -> ScalarTrack:
    """Apply a slider to keys.

    Parameters
    ----------
    amount : 0 changes nothing
    size : seconds that an amount of 1 shifts (time offset), value units that it shakes (noise)
    seed : of the noise; the same one gives the same noise
    """
    chosen = np.unique(np.asarray(keys, dtype=np.intp))
    if not len(chosen) or amount == 0.0:
        return track
    if slider is Slider.TIME_OFFSET:
        return time_offset(track, chosen, amount * size, loop)
    if slider is Slider.NOISE:
        return noise(track, chosen, amount * size, seed, loop)
    return _SIMPLE[slider](track, chosen, amount, loop)


def tween(track: ScalarTrack, keys: npt.ArrayLike, amount: float, loop: float | None = None) -> ScalarTrack:
    """Put keys between their unselected neighbours: −1 the one before, 0 leaves them, 1 the one after.

    On the way the keys keep where they stood at 0, and beyond ±1 they overshoot.
    """
    chosen = np.unique(np.asarray(keys, dtype=np.intp))
    before, after = around(track, chosen)
    goal = after if amount > 0.0 else before
    own = track.values[chosen]
    return set_values(track, chosen, own + abs(amount) * (goal - own), loop)


def blend_neighbour(
    track: ScalarTrack, keys: npt.ArrayLike, amount: float, loop: float | None = None
) -> ScalarTrack:
    """Move each run of keys as one so that its end meets the unselected neighbour on that side.

    −1 puts the first key of a run on the neighbour before, 1 the last key on the one after.
    """
    chosen = np.unique(np.asarray(keys, dtype=np.intp))
    before, after = around(track, chosen)
    values = np.array(track.values[chosen])
    for run in runs(chosen):
        step = (after[run[-1]] - values[run[-1]]) if amount > 0.0 else (before[run[0]] - values[run[0]])
        values[run] += abs(amount) * step
    return set_values(track, chosen, values, loop)


def scale_average(
    track: ScalarTrack, keys: npt.ArrayLike, amount: float, loop: float | None = None
) -> ScalarTrack:
    """Scale keys about their mean: −1 flattens them onto it, 1 doubles their distance from it."""
    chosen = np.unique(np.asarray(keys, dtype=np.intp))
    own = track.values[chosen]
    mean = float(own.mean()) if len(own) else 0.0
    return set_values(track, chosen, mean + (1.0 + amount) * (own - mean), loop)


def push_pull(
    track: ScalarTrack, keys: npt.ArrayLike, amount: float, loop: float | None = None
) -> ScalarTrack:
    """Scale keys about the straight line between the neighbours of each run: −1 onto it, 1 twice as far."""
    chosen = np.unique(np.asarray(keys, dtype=np.intp))
    values = np.array(track.values[chosen])
    last = len(track) - 1
    for run in runs(chosen):
        ends = np.array([max(int(chosen[run[0]]) - 1, 0), min(int(chosen[run[-1]]) + 1, last)])
        line = np.interp(track.times[chosen[run]], track.times[ends], track.values[ends])
        values[run] = line + (1.0 + amount) * (values[run] - line)
    return set_values(track, chosen, values, loop)


def time_offset(
    track: ScalarTrack, keys: npt.ArrayLike, seconds: float, loop: float | None = None
) -> ScalarTrack:
    """Give keys the values that the curve has `seconds` earlier, so that the motion comes later."""
    chosen = np.unique(np.asarray(keys, dtype=np.intp))
    return set_values(track, chosen, evaluate_scalar(track, track.times[chosen] - seconds, loop), loop)


def noise(
    track: ScalarTrack, keys: npt.ArrayLike, size: float, seed: int = 0, loop: float | None = None
) -> ScalarTrack:
    """Shake keys by up to ±`size`; a key's share depends on the seed and its number alone."""
    chosen = np.unique(np.asarray(keys, dtype=np.intp))
    if not len(chosen):
        return track
    shares = np.random.default_rng(seed).uniform(-1.0, 1.0, int(chosen[-1]) + 1)[chosen]
    return set_values(track, chosen, track.values[chosen] + size * shares, loop)


def around(track: ScalarTrack, chosen: Indices) -> tuple[FloatArray, FloatArray]:
    """Values of the unselected neighbours before and after each chosen key (its own run's end without any)."""
    before, after = np.empty(len(chosen)), np.empty(len(chosen))
    last = len(track) - 1
    for run in runs(chosen):
        before[run] = track.values[max(int(chosen[run[0]]) - 1, 0)]
        after[run] = track.values[min(int(chosen[run[-1]]) + 1, last)]
    return before, after


def runs(chosen: Indices) -> list[Indices]:
    """Places in `chosen` of each run of keys that follow one another."""
    if not len(chosen):
        return []
    return np.split(np.arange(len(chosen)), np.flatnonzero(np.diff(chosen) > 1) + 1)


_SIMPLE: Mapping[Slider, Callable[[ScalarTrack, Indices, float, float | None], ScalarTrack]] = {
    Slider.TWEEN: tween,
    Slider.BLEND_NEIGHBOUR: blend_neighbour,
    Slider.SCALE_AVERAGE: scale_average,
    Slider.PUSH_PULL: push_pull,
}
