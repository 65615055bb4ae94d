"""From blocking to splines: stepped keys of a range get other tangents, and nothing outside of it changes."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from core.arrays import BoolArray, FloatArray
from core.clips.channels import track_of, with_tracks
from core.clips.clip import Channel, Clip
from core.clips.keying import loop_length
from core.errors import ValidationError
from core.progress import counted
from core.timing import TIME_EPSILON
from core.tracks.key_types import KeyType
from core.tracks.keys import Interpolation, QuaternionTrack, ScalarTrack, TangentMode, Track, altered
from core.tracks.tangents import WHOLE_SEGMENTS, with_tangents

SPLINE_MODES = (
    TangentMode.AUTO,
    TangentMode.CLAMPED,
    TangentMode.FLAT,
    TangentMode.LINEAR,
    TangentMode.STEPPED,
)
"""Modes that a pass can give: the two smooth ones, flat, straight, and back to stepped."""


def splined(
    clip: Clip, channels: Iterable[Channel], span: tuple[float, float] | None, mode: TangentMode
) -> Clip:
    """Turn stepped segments within a range to a tangent mode; `STEPPED` turns all others there back to steps.

    A segment takes part where it starts and ends within the range. A pose that is held stays: a key of type hold, and
    a key before one with the same value, get flat tangents in place of smooth ones.

    Parameters
    ----------
    channels : those without a track are left out
    span : first and last second; None is everything, the way round the seam of a loop too
    mode : one of `SPLINE_MODES`

    Returns
    -------
    Clip
        The very clip where no segment is to change.

    Raises
    ------
    ValidationError
        Another mode, or a range that is empty.
    """
    if mode not in SPLINE_MODES:
        raise ValidationError(
            f"spline: expected a computed tangent mode, got {TangentMode(mode).name.lower()}"
        )
    if span is not None and not (np.isfinite(span).all() and span[1] > span[0]):
        raise ValidationError(f"spline: expected a range of time, got {span[0]:.6g} to {span[1]:.6g} s")
    loop = loop_length(clip)
    changes: dict[Channel, Track | None] = {}
    for channel in counted(list(channels)):
        track = track_of(clip, channel)
        if track is None:
            continue
        some = _segments(track, span, loop, mode)
        if some.any():
            turn: Any = _scalar if isinstance(track, ScalarTrack) else _quaternion
            changes[channel] = turn(track, some, mode, loop)
    return with_tracks(clip, changes)


def _segments(
    track: Track, span: tuple[float, float] | None, loop: float | None, mode: TangentMode
) -> BoolArray:
    """Keys ``(K,)`` whose segment to the next key is to change."""
    steps = track.interpolations == Interpolation.CONSTANT
    wanted: BoolArray = ~steps if mode == TangentMode.STEPPED else steps
    if len(track) == 1 and (span is not None or mode != TangentMode.STEPPED):
        return np.zeros(1, dtype=bool)  # nothing runs on from a lone key
    if span is None:
        return wanted
    start, end = span
    starts = track.times > start - TIME_EPSILON
    ends = np.zeros(len(track), dtype=bool)
    ends[:-1] = track.times[1:] < end + TIME_EPSILON
    # Where the last key closes a loop, nothing runs on from it: it arrives as the keys before it do.
    closes = loop is not None and abs(float(track.times[-1]) - loop) < TIME_EPSILON
    ends[-1] = closes and float(track.times[-1]) < end + TIME_EPSILON and bool((wanted & starts & ends)[-2])
    return wanted & starts & ends


def _scalar(track: ScalarTrack, some: BoolArray, mode: TangentMode, loop: float | None) -> ScalarTrack:
    chosen = np.flatnonzero(some)
    modes = np.array(track.modes)
    modes[chosen] = int(mode)
    if mode in (TangentMode.AUTO, TangentMode.CLAMPED):
        modes[_held(track, chosen)] = int(TangentMode.FLAT)
    codes = np.array(track.interpolations)
    codes[chosen] = int(WHOLE_SEGMENTS.get(mode, Interpolation.CUBIC))
    done = with_tangents(altered(track, {"modes": modes, "interpolations": codes}), loop, chosen)
    # Where a curve arrives from outside of the range, its last stretch must not bend.
    before = np.where(chosen > 0, chosen - 1, len(track) - 1)
    arrives = chosen[_arrives(track, chosen, loop) & ~some[before]]
    bent = arrives[done.in_slopes[arrives] != track.in_slopes[arrives]]
    if len(bent):
        slopes, kept = np.array(done.in_slopes), np.array(done.modes)
        slopes[bent] = track.in_slopes[bent]
        kept[bent] = int(TangentMode.BROKEN)
        done = altered(done, {"in_slopes": slopes, "modes": kept})
    return done


def _arrives(track: Track, chosen: npt.NDArray[np.intp], loop: float | None) -> BoolArray:
    """Whether a curve that bends with its end arrives at keys."""
    before = np.where(chosen > 0, chosen - 1, len(track) - 1)
    runs: BoolArray = track.interpolations[before] != Interpolation.CONSTANT
    first = chosen == 0
    if first.any() and loop is None:
        runs = runs & ~first
    return runs


def _held(track: ScalarTrack, chosen: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Those of keys that end a hold, or begin one."""
    after = np.minimum(chosen + 1, len(track) - 1)
    ends = track.types[chosen] == KeyType.HOLD
    begins = (track.types[after] == KeyType.HOLD) & (track.values[after] == track.values[chosen])
    found: npt.NDArray[np.intp] = chosen[ends | (begins & (after > chosen))]
    return found


def _quaternion(
    track: QuaternionTrack, some: BoolArray, mode: TangentMode, loop: float | None
) -> QuaternionTrack:
    """Only segments change: keys have no modes. Smooth ones take the direction between their neighbours."""
    chosen = np.flatnonzero(some)
    codes = np.array(track.interpolations)
    codes[chosen] = int(WHOLE_SEGMENTS.get(mode, Interpolation.CUBIC))
    if codes[chosen[0]] != Interpolation.CUBIC:
        return altered(track, {"interpolations": codes})
    signs = _signs(track, chosen)
    columns = {name: getattr(track, name) * signs for name in ("values", "in_tangents", "out_tangents")}
    values, into, out = columns["values"], columns["in_tangents"], columns["out_tangents"]
    last = len(track) - 1
    for key in chosen[chosen < last].tolist():
        held = (
            track.types[key + 1] == KeyType.HOLD and abs(float(values[key] @ values[key + 1])) > 1.0 - 1e-12
        )
        flat = mode == TangentMode.FLAT
        out[key] = (
            0.0 if flat or held or track.types[key] == KeyType.HOLD else _direction(track.times, values, key)
        )
        into[key + 1] = 0.0 if flat or held or not some[key + 1] else _direction(track.times, values, key + 1)
    return altered(track, {**columns, "interpolations": codes})


def _signs(track: QuaternionTrack, chosen: npt.NDArray[np.intp]) -> FloatArray:
    """Signs ``(K, 1)`` by which the chosen segments take the short way; whole stretches turn over, so that no other
    segment changes.
    """
    signs = np.ones((len(track), 1))
    for key in chosen[chosen < len(track) - 1].tolist():
        if float((track.values[key] * signs[key]) @ (track.values[key + 1] * signs[key + 1])) < 0.0:
            signs[key + 1 :] *= -1.0
    return signs


def _direction(times: FloatArray, values: FloatArray, key: int) -> FloatArray:
    """Tangent (per second) of the curve through a key's neighbours; zero at the ends."""
    if not 0 < key < len(times) - 1:
        return np.zeros(4)
    a, q, b = values[key - 1], values[key], values[key + 1]
    a, b = (-a if a @ q < 0.0 else a), (-b if b @ q < 0.0 else b)
    found: FloatArray = (b - a) / (times[key + 1] - times[key - 1])
    return found
