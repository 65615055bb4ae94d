"""Editing keys: pure functions from an old track to a new one (spec: editing).

Whenever a key is inserted, moved, deleted or changes value, it and its neighbours that are in an
automatic mode get their slopes again, and no others. `insert_key` alone leaves every slope as it
is, for it keeps the shape of the curve. Times compare with `TIME_EPSILON`. Arrays that do not
change are shared with the old track, and an edit that changes nothing returns the old track.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from core.arrays import constant
from core.errors import ValidationError
from core.math import quat
from core.timing import TIME_EPSILON
from core.tracks import splits
from core.tracks.keys import (
    AnyTrack,
    Extrapolation,
    Interpolation,
    ScalarTrack,
    TangentMode,
    columns,
    scalar_track,
    taken,
)
from core.tracks.tangents import with_tangents

KeyIndices = npt.NDArray[np.intp]
Snap = Callable[[float], float]

SMOOTH_MODES = (TangentMode.AUTO, TangentMode.CLAMPED, TangentMode.FLAT)
"""Modes that a new key takes over from the key before it."""


class Moved(NamedTuple):
    """A track after keys were moved, and where the moved keys stand in it now (rising)."""

    track: Any
    keys: KeyIndices


# ---------------------------------------------------------------- finding


def key_at(track: AnyTrack, time: float) -> int | None:
    """Index of the key at a time (within `TIME_EPSILON`), or None."""
    place = int(np.searchsorted(track.times, time))
    near = [i for i in (place - 1, place) if 0 <= i < len(track)]
    best = min(near, key=lambda i: abs(float(track.times[i]) - time), default=None)
    return best if best is not None and abs(float(track.times[best]) - time) < TIME_EPSILON else None


def keys_between(track: AnyTrack, start: float, end: float) -> KeyIndices:
    """Indices of the keys from `start` to `end`, both included."""
    first = int(np.searchsorted(track.times, start - TIME_EPSILON))
    last = int(np.searchsorted(track.times, end + TIME_EPSILON))
    return np.arange(first, last)


# ---------------------------------------------------------------- inserting and setting


def insert_key(track: AnyTrack, time: float, loop: float | None = None) -> AnyTrack:
    """Put a key on the curve without changing its shape.

    Parameters
    ----------
    time : seconds; where a key stands already, the track is returned as it is
    loop : length of the clip where it loops, else None: a key in the seam's gap splits the
        segment that runs round it

    Notes
    -----
    Cubic segments, weighted ones too, are subdivided (de Casteljau); the new key is ``free`` and
    lies exactly on the curve. Handles of a weighted segment that would have to be longer than the
    new segment are cut, which is the one case where the shape differs. A cubic quaternion segment
    keeps its shape as far as unit keys can (see `core.tracks.splits`).
    """
    _require_time(time)
    if key_at(track, time) is not None:
        return track
    if isinstance(track, ScalarTrack):
        return cast(AnyTrack, splits.split_scalar(track, time, loop))
    return cast(AnyTrack, splits.split_quaternion(track, time, loop))


def set_value(
    track: ScalarTrack | None,
    time: float,
    value: float,
    loop: float | None = None,
    interpolation: Interpolation | None = None,
) -> ScalarTrack:
    """Set the curve's value at a time: changes the key there, or adds one.

    Parameters
    ----------
    track : None starts a new one
    loop : length of the clip where it loops, else None
    interpolation : of the segment that a new key starts; None takes that of the segment it
        splits (so that a linear track stays linear), cubic for a first key

    Returns
    -------
    ScalarTrack
        The same object where the key has that value already.
    """
    _require_time(time)
    if not np.isfinite(value):
        raise ValidationError(f"key value: expected a finite number, got {value}")
    if track is None:
        code = Interpolation.CUBIC if interpolation is None else interpolation
        mode = TangentMode.STEPPED if code == Interpolation.CONSTANT else TangentMode.AUTO
        return scalar_track([time], [value], interpolations=int(code), modes=int(mode))
    place = key_at(track, time)
    if place is not None:
        if track.values[place] == value:
            return track
        changed = replace(track, values=put(track.values, [place], value))
        return refreshed(changed, [place], loop)
    place = int(np.searchsorted(track.times, time))
    before = place - 1 if place > 0 else (len(track) - 1 if loop else 0)
    code = Interpolation(int(track.interpolations[before])) if interpolation is None else interpolation
    mode = TangentMode(int(track.modes[before]))
    if code == Interpolation.CONSTANT:
        mode = TangentMode.STEPPED
    elif mode not in SMOOTH_MODES:
        mode = TangentMode.LINEAR if code == Interpolation.LINEAR else TangentMode.AUTO
    row = {"times": time, "values": value, "interpolations": int(code), "modes": int(mode)}
    return refreshed(splits.inserted(track, place, row), [place], loop)


def set_rotation(track: Any, time: float, rotation: npt.ArrayLike, loop: float | None = None) -> Any:
    """Set a quaternion track's rotation at a time: changes the key there, or adds one.

    A new key takes the interpolation of the segment it splits; on cubic segments the tangents of
    the curve turn along with the value, and no other key's shape changes. The sign is the one
    next to the curve's, so that neighbours stay continuous.
    """
    goal = quat.require_units(rotation, "quaternion key")
    split = insert_key(track, time, loop)
    place = cast(int, key_at(split, time))
    old = split.values[place]
    goal = quat.aligned(goal, old)
    if np.array_equal(goal, old):
        return split
    turn = quat.multiply(goal, quat.conjugate(old))
    changes: dict[str, Any] = {"values": put(split.values, [place], goal)}
    for name in ("in_tangents", "out_tangents"):
        column = getattr(split, name)
        changes[name] = put(column, [place], quat.multiply(turn, column[place]))
    return replace(split, **changes)


def set_values(
    track: ScalarTrack, keys: npt.ArrayLike, values: npt.ArrayLike, loop: float | None = None
) -> ScalarTrack:
    """Give keys other values."""
    chosen = _checked(track, keys)
    if np.array_equal(track.values[chosen], np.broadcast_to(values, chosen.shape)):
        return track
    return refreshed(replace(track, values=put(track.values, chosen, values)), chosen, loop)


# ---------------------------------------------------------------- deleting


def delete_keys(track: AnyTrack, keys: npt.ArrayLike, loop: float | None = None) -> AnyTrack | None:
    """The track without some keys; None where none is left."""
    gone = _checked(track, keys)
    if not len(gone):
        return track
    kept = np.setdiff1d(np.arange(len(track)), gone)
    if not len(kept):
        return None
    result = taken(track, kept)
    if not isinstance(result, ScalarTrack):
        return result
    # A key of the shorter track whose neighbour went away stood beside a gap in `kept`.
    left = np.flatnonzero(np.diff(kept) > 1)
    touched = set(left) | set(left + 1)
    touched |= {0} if kept[0] > 0 else set()
    touched |= {len(kept) - 1} if kept[-1] < len(track) - 1 else set()
    return cast(AnyTrack, refreshed(result, sorted(touched), loop, neighbours=False))


# ---------------------------------------------------------------- moving and scaling


def move_keys(
    track: AnyTrack,
    keys: npt.ArrayLike,
    seconds: float = 0.0,
    value: float = 0.0,
    loop: float | None = None,
    snap: Snap | None = None,
) -> Moved:
    """Move keys in time, and in value (scalar tracks); those moved win over those in their way.

    Parameters
    ----------
    seconds, value : how far
    snap : maps each new time to the one it snaps to, such as ``rate.snap``
    """
    chosen = _checked(track, keys)
    times = track.times[chosen] + seconds
    if snap is not None:
        times = np.array([snap(float(t)) for t in times])
    values = track.values[chosen] + value if isinstance(track, ScalarTrack) and value else None
    return place_keys(track, chosen, times, values, loop)


def scale_keys(
    track: AnyTrack,
    keys: npt.ArrayLike,
    time_factor: float = 1.0,
    value_factor: float = 1.0,
    pivot_time: float = 0.0,
    pivot_value: float = 0.0,
    loop: float | None = None,
    snap: Snap | None = None,
) -> Moved:
    """Scale keys about a pivot, their own slopes along with them; a negative time factor reverses.

    Keys that fall together become one (the one that was last).
    """
    chosen = _checked(track, keys)
    if not len(chosen):
        return Moved(track, chosen)
    times = pivot_time + (track.times[chosen] - pivot_time) * time_factor
    if snap is not None:
        times = np.array([snap(float(t)) for t in times])
    values = None
    if isinstance(track, ScalarTrack):
        values = pivot_value + (track.values[chosen] - pivot_value) * value_factor
    turned = _slopes_scaled(track, chosen, time_factor, value_factor)
    return place_keys(turned, chosen, times, values, loop)


def place_keys(
    track: AnyTrack,
    keys: npt.ArrayLike,
    times: npt.ArrayLike,
    values: npt.ArrayLike | None = None,
    loop: float | None = None,
) -> Moved:
    """Put keys at other times, and other values; those placed win over those in their way.

    Returns
    -------
    Moved
        The track and where the placed keys stand in it. Of placed keys that fall together the
        last one stays.
    """
    chosen = _checked(track, keys)
    goal = np.asarray(times, dtype=np.float64)
    if not np.isfinite(goal).all():
        raise ValidationError("key times: expected finite seconds")
    same_times = np.array_equal(goal, track.times[chosen])
    if same_times and (values is None or np.array_equal(values, track.values[chosen])):
        return Moved(track, chosen)
    changed: Any = track
    if values is not None:
        changed = replace(changed, values=put(changed.values, chosen, values))
    if same_times:
        return Moved(_refresh(changed, chosen, loop), chosen)
    order, moved = _arranged(track.times, chosen, goal)
    raw = np.array(track.times)
    raw[chosen] = goal
    parts: dict[str, Any] = {
        name: splits.settled(getattr(changed, name)[order]) for name in columns(track) if name != "times"
    }
    result = replace(changed, times=splits.settled(raw[order]), **parts)
    if isinstance(result, ScalarTrack):
        place = {int(old): new for new, old in enumerate(order)}
        left_behind = [
            place[int(n)] for k in chosen for n in (k - 1, k + 1) if int(n) in place and 0 <= n < len(track)
        ]
        result = refreshed(result, moved, loop, also=left_behind)
    return Moved(result, moved)


def shift(track: AnyTrack, seconds: float) -> AnyTrack:
    """The whole track moved in time; its shape stays."""
    return replace(track, times=track.times + seconds) if seconds else track


def ripple(track: AnyTrack, time: float, seconds: float, loop: float | None = None) -> AnyTrack:
    """Move every key from `time` on, to make room or, where negative, to close a gap.

    Closing stops at the key before: keys never pass it (those in the gap between are deleted).
    """
    later = np.flatnonzero(track.times >= time - TIME_EPSILON)
    if not len(later) or not seconds:
        return track
    if seconds < 0.0:
        end = float(track.times[later[0]])
        overrun = np.flatnonzero(
            (track.times < time - TIME_EPSILON) & (track.times > end + seconds + TIME_EPSILON)
        )
        moved = place_keys(track, later, track.times[later] + seconds, None, loop)
        gone = [key_at(moved.track, float(track.times[i])) for i in overrun]
        left = [g for g in gone if g is not None and g not in set(moved.keys)]
        shorter = delete_keys(moved.track, left, loop) if left else moved.track
        return cast(AnyTrack, shorter)
    return cast(AnyTrack, place_keys(track, later, track.times[later] + seconds, None, loop).track)


# ---------------------------------------------------------------- modes, slopes, weights


def set_interpolation(
    track: AnyTrack, keys: npt.ArrayLike, interpolation: Interpolation, loop: float | None = None
) -> AnyTrack:
    """Set how the segments that start at keys run; a ``stepped`` key that shall not step becomes ``auto``."""
    chosen = _checked(track, keys)
    changed: Any = replace(track, interpolations=put(track.interpolations, chosen, int(interpolation)))
    if isinstance(changed, ScalarTrack) and interpolation != Interpolation.CONSTANT:
        stepped = chosen[changed.modes[chosen] == TangentMode.STEPPED]
        if len(stepped):
            changed = replace(changed, modes=put(changed.modes, stepped, int(TangentMode.AUTO)))
            changed = refreshed(changed, stepped, loop, neighbours=False)
    elif not isinstance(changed, ScalarTrack) and interpolation == Interpolation.CUBIC:
        changed = splits.with_smooth_tangents(changed, chosen, track.interpolations)
    return cast(AnyTrack, changed)


def set_mode(
    track: ScalarTrack, keys: npt.ArrayLike, mode: TangentMode, loop: float | None = None
) -> ScalarTrack:
    """Set the tangent mode of keys; ``stepped`` makes their segments constant, others cubic.

    ``free`` and ``broken`` keep the slopes there are (``free`` their mean where the sides differ).
    """
    chosen = _checked(track, keys)
    code = Interpolation.CONSTANT if mode == TangentMode.STEPPED else Interpolation.CUBIC
    changed = replace(
        track,
        modes=put(track.modes, chosen, int(mode)),
        interpolations=put(track.interpolations, chosen, int(code)),
    )
    if mode == TangentMode.FREE:
        mean = (track.in_slopes[chosen] + track.out_slopes[chosen]) / 2.0
        return set_slopes(changed, chosen, mean, mean)
    return with_tangents(changed, loop, chosen)


def set_slopes(
    track: ScalarTrack,
    keys: npt.ArrayLike,
    in_slopes: npt.ArrayLike | None = None,
    out_slopes: npt.ArrayLike | None = None,
    mode: TangentMode | None = None,
) -> ScalarTrack:
    """Set slopes (value units a second) of keys, as dragging a handle does.

    Parameters
    ----------
    in_slopes, out_slopes : None leaves that side; of a ``free`` key the other side follows
    mode : mode the keys get; None makes automatic keys ``free`` and leaves ``broken`` ones
    """
    chosen = _checked(track, keys)
    modes = np.array(track.modes[chosen])
    modes = np.where(modes == TangentMode.BROKEN, modes, TangentMode.FREE).astype(np.uint8)
    if mode is not None:
        modes = np.full(len(chosen), int(mode), dtype=np.uint8)
    into = np.broadcast_to(track.in_slopes[chosen] if in_slopes is None else in_slopes, chosen.shape)
    out = np.broadcast_to(track.out_slopes[chosen] if out_slopes is None else out_slopes, chosen.shape)
    tied = modes != TangentMode.BROKEN
    if in_slopes is None:
        into = np.where(tied, out, into)
    elif out_slopes is None:
        out = np.where(tied, into, out)
    return replace(
        track,
        in_slopes=put(track.in_slopes, chosen, into),
        out_slopes=put(track.out_slopes, chosen, out),
        modes=put(track.modes, chosen, modes),
    )


def set_weights(
    track: ScalarTrack,
    keys: npt.ArrayLike,
    in_weights: npt.ArrayLike | None = None,
    out_weights: npt.ArrayLike | None = None,
) -> ScalarTrack:
    """Set handle lengths (fractions of the segment, held within 0..1) of keys; None leaves a side."""
    chosen = _checked(track, keys)
    changes: dict[str, Any] = {}
    for name, weights in (("in_weights", in_weights), ("out_weights", out_weights)):
        if weights is not None:
            changes[name] = put(getattr(track, name), chosen, np.clip(weights, 0.0, 1.0))
    return replace(track, **changes) if changes else track


def set_extrapolation(
    track: AnyTrack, before: Extrapolation | None = None, after: Extrapolation | None = None
) -> AnyTrack:
    """Set what the track does beyond its keys; None leaves a side."""
    return replace(
        track,
        before=track.before if before is None else before,
        after=track.after if after is None else after,
    )


# ---------------------------------------------------------------- helpers


def refreshed(
    track: ScalarTrack,
    keys: Iterable[int] | npt.NDArray[Any],
    loop: float | None,
    neighbours: bool = True,
    also: Iterable[int] = (),
) -> ScalarTrack:
    """The track with the automatic slopes of keys (and their neighbours) computed again.

    In a loop the neighbours wrap round the seam, where first and last key are one.
    """
    chosen = {int(k) for k in keys}
    count = len(track)
    wide = {n for k in chosen for n in (k - 1, k, k + 1)} if neighbours else set(chosen)
    wide |= {int(k) for k in also}
    if loop is not None and not wide.isdisjoint({-1, 0, count - 1, count}):
        wide |= {0, count - 1}
    return with_tangents(track, loop, sorted(k for k in wide if 0 <= k < count))


def put(column: npt.NDArray[Any], keys: npt.ArrayLike, values: npt.ArrayLike) -> npt.NDArray[Any]:
    """A copy of a column with values at keys; the column itself where they stand there already."""
    chosen = np.asarray(keys, dtype=np.intp)
    if np.array_equal(column[chosen], np.broadcast_to(values, column[chosen].shape)):
        return column
    if column.ndim == 1 and len(chosen) == len(column) and np.ndim(values) == 0:
        return constant(float(np.asarray(values)), len(column), column.dtype)
    changed = np.array(column)
    changed[chosen] = values
    return splits.settled(changed)


def _refresh(track: Any, keys: KeyIndices, loop: float | None) -> Any:
    return refreshed(track, keys, loop) if isinstance(track, ScalarTrack) else track


def _arranged(
    times: npt.NDArray[np.float64], chosen: KeyIndices, goal: npt.NDArray[np.float64]
) -> tuple[KeyIndices, KeyIndices]:
    """Order of the keys that stay, by old index, and new places of those placed."""
    new = np.array(times)
    new[chosen] = goal
    is_moved = np.zeros(len(times), dtype=bool)
    is_moved[chosen] = True
    order = np.lexsort((np.arange(len(times)), new))
    kept: list[int] = []
    for key in order:
        while kept and new[key] - new[kept[-1]] < TIME_EPSILON:
            if is_moved[kept[-1]] and not is_moved[key]:
                break  # the one in the way gives in
            kept.pop()
        else:
            kept.append(int(key))
    result = np.array(kept, dtype=np.intp)
    return result, np.flatnonzero(is_moved[result])


def _slopes_scaled(track: AnyTrack, keys: KeyIndices, time_factor: float, value_factor: float) -> AnyTrack:
    """Slopes of keys (a reversal swaps their sides) as scaling changes them."""
    if time_factor == 0.0 or (time_factor == 1.0 and value_factor == 1.0):
        return track
    scalar = isinstance(track, ScalarTrack)
    factor = (value_factor if scalar else 1.0) / time_factor
    names = ("in_slopes", "out_slopes") if scalar else ("in_tangents", "out_tangents")
    into, out = (getattr(track, name) for name in names)
    changes: dict[str, Any] = {}
    if time_factor > 0.0:
        changes = {
            names[0]: put(into, keys, into[keys] * factor),
            names[1]: put(out, keys, out[keys] * factor),
        }
        return replace(track, **changes)
    changes = {names[0]: put(into, keys, out[keys] * factor), names[1]: put(out, keys, into[keys] * factor)}
    if scalar:
        a, b = track.in_weights, track.out_weights
        changes |= {"in_weights": put(a, keys, b[keys]), "out_weights": put(b, keys, a[keys])}
    # A segment between two of the keys is now started by the key that ended it.
    codes = track.interpolations
    together = keys[1:][np.diff(keys) == 1]
    changes["interpolations"] = put(codes, together, codes[together - 1])
    return replace(track, **changes)


def _checked(track: AnyTrack, keys: npt.ArrayLike) -> KeyIndices:
    chosen = np.unique(np.asarray(keys, dtype=np.intp).ravel())
    if len(chosen) and not (chosen[0] >= 0 and chosen[-1] < len(track)):
        raise ValidationError(f"keys: expected indices below {len(track)}, got {chosen[0]} to {chosen[-1]}")
    return chosen


def _require_time(time: float) -> None:
    if not np.isfinite(time):
        raise ValidationError(f"key time: expected finite seconds, got {time}")
