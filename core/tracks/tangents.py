"""Slopes of the automatic tangent modes (spec: editing, Tangents)."""

from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.timing import TIME_EPSILON
from core.tracks.keys import PLAIN_WEIGHT, Interpolation, ScalarTrack, TangentMode, altered


class Ends(StrEnum):
    """What ``auto`` gives a first or last key that has one neighbour only; ``clamped`` is flat there."""

    ONE_SIDED = "one_sided"
    FLAT = "flat"


KEPT_MODES = (TangentMode.FREE, TangentMode.BROKEN)
"""Modes whose slopes are the user's; those of all others are computed."""
COMPUTED = np.array([mode not in KEPT_MODES for mode in TangentMode])
"""By mode number, whether slopes are computed."""
SMOOTH_MODES = (TangentMode.AUTO, TangentMode.CLAMPED, TangentMode.FLAT)
"""Modes that a key inserted between others takes over from the one before it."""
SEGMENTS = {TangentMode.STEPPED: Interpolation.CONSTANT}
"""Interpolation that goes with a mode; cubic with those not named."""
WHOLE_SEGMENTS = SEGMENTS | {TangentMode.LINEAR: Interpolation.LINEAR}
"""The same for quaternion keys, which have no modes."""
SAME_VALUE = 1e-6
"""First and last values of a loop that differ by less (of the larger, or absolutely) agree."""


def with_tangents(
    track: ScalarTrack,
    looping_length: float | None = None,
    keys: npt.ArrayLike | None = None,
    ends: Ends = Ends.ONE_SIDED,
) -> ScalarTrack:
    """The track with slopes computed for keys in an automatic mode.

    ``auto``, ``clamped``, ``flat``, ``linear`` get their slopes; ``stepped`` zero slopes and
    constant interpolation. ``free`` and ``broken`` keys keep theirs, and so does everything else.

    Parameters
    ----------
    looping_length : length of the clip in seconds where it loops, else None. Where the loop
        closes (first and last key a length apart with values that agree, or a gap between them
        that the seam's segment fills) the ends' neighbours wrap round the seam
    keys : indices of the keys to compute again; None is all
    ends : slope of ``auto`` keys at the ends, where no seam gives them a second neighbour

    Returns
    -------
    ScalarTrack
        The same object where nothing changes.

    Notes
    -----
    ``clamped`` limits a slope to three times the flatter of the chords beside it (Fritsch and
    Carlson 1980, the square region), less where handles are longer than a third. This depends on
    a key's direct neighbours only, which keeps edits local.
    """
    modes = track.modes
    chosen = np.arange(len(track)) if keys is None else _rising(np.asarray(keys, dtype=np.intp).ravel())
    picked = modes[chosen]
    chosen = chosen[COMPUTED[picked]]
    if not len(chosen):
        return track
    into, out = _slopes(track, chosen, looping_length, ends)
    in_slopes, out_slopes = _put(track.in_slopes, chosen, into), _put(track.out_slopes, chosen, out)
    interpolations = track.interpolations
    stepped = chosen[modes[chosen] == TangentMode.STEPPED]
    if len(stepped) and (interpolations[stepped] != Interpolation.CONSTANT).any():
        interpolations = _put(interpolations, stepped, np.uint8(Interpolation.CONSTANT))
    if (
        in_slopes is track.in_slopes
        and out_slopes is track.out_slopes
        and interpolations is track.interpolations
    ):
        return track
    if in_slopes is not out_slopes and np.array_equal(in_slopes, out_slopes):
        out_slopes = in_slopes  # one column for both: half the memory, and fewer misses while sampling
    changes = {"in_slopes": in_slopes, "out_slopes": out_slopes, "interpolations": interpolations}
    return altered(track, {name: new for name, new in changes.items() if new is not getattr(track, name)})


def _rising(keys: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Indices once each and rising; those that are so already are not sorted again."""
    return keys if (keys[1:] > keys[:-1]).all() else np.unique(keys)


def _put(column: npt.NDArray[Any], places: npt.NDArray[np.intp], values: npt.ArrayLike) -> npt.NDArray[Any]:
    """A copy of a column with values in places; the column itself where they stand there already."""
    if np.array_equal(column[places], values):
        return column
    changed = np.array(column)
    changed[places] = values
    changed.flags.writeable = False
    return changed


def _slopes(
    track: ScalarTrack, chosen: npt.NDArray[np.intp], looping_length: float | None, ends: Ends
) -> tuple[FloatArray, FloatArray]:
    """In- and out-slopes of the chosen keys (automatic modes only)."""
    weights = track.in_weights[chosen], track.out_weights[chosen]
    modes = track.modes[chosen]
    return automatic_slopes(track.times, track.values, modes, weights, chosen, looping_length, ends)


def automatic_slopes(
    times: FloatArray,
    values: FloatArray,
    modes: npt.NDArray[np.uint8],
    weights: tuple[FloatArray, FloatArray],
    chosen: npt.NDArray[np.intp],
    looping_length: float | None,
    ends: Ends = Ends.ONE_SIDED,
) -> tuple[FloatArray, FloatArray]:
    """In- and out-slopes ``(…, C)`` that the automatic modes give chosen keys, of many tracks at once.

    Parameters
    ----------
    times : ``(K,)`` seconds, which the tracks share
    values : ``(…, K)``
    modes, weights : ``(…, C)`` of the chosen keys; weights of the handles before and after
    chosen : ``(C,)`` indices, rising
    looping_length, ends : as in `with_tangents`
    """
    p, hp, has_p = _chords(times, values, chosen, looping_length, -1)
    n, hn, has_n = _chords(times, values, chosen, looping_length, +1)
    both = has_p & has_n
    inner = np.where(both, (hn * p + hp * n) / (hp + hn), np.where(has_p, p, n))
    smooth = (modes == TangentMode.AUTO) & (both | (ends is Ends.ONE_SIDED))
    into: FloatArray = np.where(smooth, inner, 0.0)
    out: FloatArray = into
    clamped = modes == TangentMode.CLAMPED
    if clamped.any():
        limit = np.minimum(
            np.abs(p) / np.maximum(weights[0], PLAIN_WEIGHT), np.abs(n) / np.maximum(weights[1], PLAIN_WEIGHT)
        )
        safe = np.where(both & (np.sign(p) * np.sign(n) > 0.0), np.clip(inner, -limit, limit), 0.0)
        into = out = np.where(clamped, safe, into)
    linear = modes == TangentMode.LINEAR
    if linear.any():
        out = np.where(linear, np.where(has_n, n, p), out)
        into = np.where(linear, np.where(has_p, p, n), into)
    return into, out


def chords(
    track: ScalarTrack, chosen: npt.NDArray[np.intp], looping_length: float | None, side: int
) -> tuple[FloatArray, FloatArray, npt.NDArray[np.bool_]]:
    """Chord and interval to each key's neighbour on one side (−1 before, +1 after), and whether there is one."""
    return _chords(track.times, track.values, chosen, looping_length, side)


def _chords(
    times: FloatArray,
    values: FloatArray,
    chosen: npt.NDArray[np.intp],
    looping_length: float | None,
    side: int,
) -> tuple[FloatArray, FloatArray, npt.NDArray[np.bool_]]:
    count = len(times)
    neighbour = chosen + side
    present = (neighbour >= 0) & (neighbour < count)
    other = np.clip(neighbour, 0, count - 1)
    interval = np.abs(times[other] - times[chosen])
    wrap, closes = _wraps(times, values, looping_length)
    if wrap is not None:
        end = 0 if side < 0 else count - 1
        beyond = count - 1 - wrap if side < 0 else wrap
        earlier, later = (beyond, end) if side < 0 else (end, beyond)
        at_end = chosen == end
        other = np.where(at_end, beyond, other)
        interval = np.where(at_end, times[later] + (looping_length or 0.0) - times[earlier], interval)
        present = present | (at_end & closes)
    interval = np.where(present, interval, 1.0)
    rise = (values[..., other] - values[..., chosen]) * side
    return np.where(present, rise / interval, 0.0), interval, present


def _wraps(
    times: FloatArray, values: FloatArray, looping_length: float | None
) -> tuple[int | None, npt.NDArray[np.bool_]]:
    """Key that follows the last one round the seam (0, or 1 where first and last are one), or None.

    Beside it for each track ``(…, 1)`` whether its values let it: a seam of one key needs them to agree.
    """
    every = np.ones((*values.shape[:-1], 1), dtype=bool)
    if not looping_length or looping_length <= 0.0 or len(times) < 2:
        return None, every
    gap = float(times[0]) + looping_length - float(times[-1])
    if gap > TIME_EPSILON:
        return 0, every
    if gap < -TIME_EPSILON:
        return None, every
    first, last = values[..., :1], values[..., -1:]
    size = np.maximum(np.maximum(np.abs(first), np.abs(last)), 1.0)
    agree = np.abs(first - last) <= SAME_VALUE * size
    return (1 if agree.any() else None), agree
