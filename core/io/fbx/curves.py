"""FBX keys to our tracks, exactly: the same on both sides of the fence (helper and reader)."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.arrays import BoolArray, FloatArray
from core.errors import ValidationError
from core.timing import TIME_EPSILON
from core.tracks.edits import insert_key
from core.tracks.keys import (
    PLAIN_WEIGHT,
    Extrapolation,
    Interpolation,
    ScalarTrack,
    TangentMode,
    scalar_track,
    taken,
)

CONSTANT_PREVIOUS, CONSTANT_NEXT, LINEAR, CUBIC = range(4)
"""The library's interpolations of the segment that starts at a key."""
EXTRAPOLATIONS = (
    Extrapolation.HOLD,
    Extrapolation.CYCLE,
    Extrapolation.MIRROR,
    Extrapolation.LINEAR,
    Extrapolation.CYCLE_OFFSET,
)
"""By the library's numbers: constant, repeat, mirror, slope, relative repeat."""
CODES = np.array([Interpolation.CONSTANT, Interpolation.CONSTANT, Interpolation.LINEAR, Interpolation.CUBIC])
"""Ours, by the library's numbers."""
STEP = 2e-5
"""Seconds between the two keys of an immediate step."""
UPRIGHT = 1e-9
"""Handles shorter than this many seconds are vertical."""
THIRD = 1e-4
"""Handles within this of a third of their segment are unweighted."""


def is_expressible(rows: FloatArray) -> bool:
    """Whether keys ``(K, 7)`` have a track: vertical handles have no slope."""
    return not upright_rows(rows).any()


def upright_rows(rows: FloatArray) -> BoolArray:
    """Which keys ``(K,)`` have a vertical handle."""
    upright = [(rows[:, at] < UPRIGHT) & (np.abs(rows[:, at + 1]) > 1e-9) for at in (3, 5)]
    return upright[0] | upright[1]


def track_of(
    rows: FloatArray,
    extrapolations: Sequence[int] = (0, 0),
    shift: float = 0.0,
    factor: float = 1.0,
    add: float = 0.0,
) -> ScalarTrack:
    """A track of keys ``(K, 7)``.

    Parameters
    ----------
    rows : time, value, interpolation, then the handles as (seconds, value) to the left and right
    extrapolations : the library's numbers, before and after
    shift : seconds taken from the times
    factor, add : the values are ``value * factor + add``
    """
    rows = _apart(stepped(rows))
    times = rows[:, 0] - shift
    gap = np.diff(times)
    before = np.concatenate((gap[:1] if len(gap) else [1.0], gap))
    after = np.concatenate((gap, gap[-1:] if len(gap) else [1.0]))
    in_slopes, in_weights = handles(rows[:, 3], rows[:, 4], before)
    out_slopes, out_weights = handles(rows[:, 5], rows[:, 6], after)
    interpolations, out_cubic = interpolations_of(rows)
    # A handle only counts where its segment is cubic; elsewhere it must not make the track a weighted one.
    in_cubic = np.concatenate(([False], out_cubic[:-1]))
    out_cubic[-1] = False
    modes = modes_of(interpolations, in_slopes, out_slopes, in_cubic, out_cubic)
    modes[-1] = TangentMode.FREE
    return scalar_track(
        times,
        rows[:, 1] * factor + add,
        np.where(in_cubic, in_slopes, 0.0) * factor,
        np.where(out_cubic, out_slopes, 0.0) * factor,
        interpolations,
        modes,
        weights=(
            np.where(in_cubic, in_weights, PLAIN_WEIGHT),
            np.where(out_cubic, out_weights, PLAIN_WEIGHT),
        ),
        beyond=(EXTRAPOLATIONS[extrapolations[0]], EXTRAPOLATIONS[extrapolations[1]]),
    )


def interpolations_of(rows: FloatArray) -> tuple[npt.NDArray[np.int64], BoolArray]:
    """The interpolation of the segment after each key ``(K,)``, and where it is cubic.

    Raises
    ------
    ValidationError
        A number that the library does not have.
    """
    numbers = rows[:, 2].astype(np.int64)
    if len(numbers) and (numbers.min() < 0 or numbers.max() > CUBIC):
        raise ValidationError("a curve holds keys of an unknown interpolation")
    kinds = CODES[numbers]
    return kinds, kinds == Interpolation.CUBIC


def modes_of(
    interpolations: npt.NDArray[np.int64],
    in_slopes: FloatArray,
    out_slopes: FloatArray,
    in_cubic: BoolArray,
    out_cubic: BoolArray,
) -> npt.NDArray[np.int64]:
    """Tangent modes ``(K,)``: free where both slopes are the same, or one of them means nothing."""
    modes = np.full(len(interpolations), int(TangentMode.BROKEN))
    smooth = np.isclose(in_slopes, out_slopes, rtol=1e-4, atol=1e-6) | ~in_cubic | ~out_cubic
    modes[smooth] = TangentMode.FREE
    modes[interpolations == Interpolation.LINEAR] = TangentMode.LINEAR
    modes[interpolations == Interpolation.CONSTANT] = TangentMode.STEPPED
    return modes


def stepped(rows: FloatArray) -> FloatArray:
    """Where a segment holds the value of the *next* key, that value gets a key of its own, a moment later."""
    places = np.flatnonzero(rows[:-1, 2] == CONSTANT_NEXT)
    if not len(places):
        return rows
    rows = np.array(rows)
    rows[places, 2] = CONSTANT_PREVIOUS
    # Where the next key is as close as that, it is there already.
    places = places[rows[places + 1, 0] - rows[places, 0] >= STEP + TIME_EPSILON]
    more = np.zeros((len(places), 7))
    more[:, 0], more[:, 1] = rows[places, 0] + STEP, rows[places + 1, 1]
    return np.insert(rows, places + 1, more, axis=0)


def _apart(rows: FloatArray) -> FloatArray:
    """Without keys too close to the one before; the later one stays."""
    keep = np.concatenate((np.diff(rows[:, 0]) >= TIME_EPSILON, [True]))
    return rows if keep.all() else rows[keep]


def handles(seconds: FloatArray, rise: FloatArray, segment: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Slopes and weights ``(K,)`` of handles of so many seconds and rises, in segments of so many seconds."""
    upright = seconds < UPRIGHT
    slopes = np.where(upright, 0.0, rise / np.where(upright, 1.0, seconds))
    weights = np.clip(seconds / segment, 0.0, 1.0)
    return slopes, np.where(np.abs(weights - PLAIN_WEIGHT) < THIRD, PLAIN_WEIGHT, weights)


def within(track: ScalarTrack, length: float) -> tuple[ScalarTrack, int]:
    """The part of a track from 0 to a length, of the same shape, and how many keys were cut off.

    Where keys are outside, their segments are split at the ends.
    """
    outside = (track.times < -TIME_EPSILON) | (track.times > length + TIME_EPSILON)
    if not outside.any():
        return track, 0
    for time in (0.0, length):
        if track.times[0] < time < track.times[-1]:
            track = insert_key(track, time)
    inside = np.flatnonzero((track.times >= -TIME_EPSILON) & (track.times <= length + TIME_EPSILON))
    if not len(inside):  # all of it before or all after: the value it holds
        inside = np.array([len(track) - 1 if track.times[-1] < 0.0 else 0])
    return taken(track, inside), int(outside.sum())
