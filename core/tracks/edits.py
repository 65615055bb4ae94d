"""Editing keys: pure functions from an old track to a new one (spec: editing).

Whenever a key is inserted, moved, deleted or changes value, it and its neighbours that are in an
automatic mode get their slopes again, and no others. `insert_key` alone leaves every slope as it
is, for it keeps the shape of the curve. Times compare with `TIME_EPSILON`. Arrays that do not
change are shared with the old track, and an edit that changes nothing returns the old track.
"""

from dataclasses import replace
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from core.errors import ValidationError
from core.math import quat
from core.tracks import splits
from core.tracks.keys import (
    Extrapolation,
    Interpolation,
    ScalarTrack,
    TangentMode,
    altered,
    scalar_track,
    taken,
)
from core.tracks.moving import Arranger, Moved, Snap, move_keys, place_keys, ripple, scale_keys, shift
from core.tracks.refresh import KeyIndices, T, checked, key_at, keys_between, put, refreshed, require_time
from core.tracks.tangents import SEGMENTS, SMOOTH_MODES, with_tangents

__all__ = [
    "Arranger",
    "KeyIndices",
    "Moved",
    "Snap",
    "delete_keys",
    "insert_key",
    "key_at",
    "keys_between",
    "move_keys",
    "place_keys",
    "refreshed",
    "ripple",
    "scale_keys",
    "set_extrapolation",
    "set_interpolation",
    "set_mode",
    "set_rotation",
    "set_slopes",
    "set_value",
    "set_values",
    "set_weights",
    "shift",
]


# ---------------------------------------------------------------- inserting and setting


def insert_key(track: T, time: float, loop: float | None = None) -> T:
    """Put a key on the curve without changing its shape.

    Parameters
    ----------
    time : seconds; where a key stands already, the track is returned as it is
    loop : length of the clip where it loops, else None: a key in the seam's gap splits the
        segment that runs round it

    Notes
    -----
    Cubic segments, weighted ones too, are subdivided (de Casteljau); the new key is ``free`` and
    lies exactly on the curve (a handle may then be longer than its new segment, see
    `core.math.bezier.forward`). A cubic quaternion segment keeps its shape as far as unit keys can
    (see `core.tracks.splits`).
    """
    require_time(time)
    if key_at(track, time) is not None:
        return track
    if isinstance(track, ScalarTrack):
        return cast(T, splits.split_scalar(track, time, loop))
    return cast(T, splits.split_quaternion(track, time, loop))


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
    require_time(time)
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
        changed = altered(track, {"values": put(track.values, [place], value)})
        return refreshed(changed, [place], loop)
    place = int(np.searchsorted(track.times, time))
    before = place - 1 if place > 0 else (len(track) - 1 if loop else 0)
    code, mode = new_key(track, before, interpolation)
    row = {"times": time, "values": value, "interpolations": int(code), "modes": int(mode)}
    return refreshed(splits.inserted(track, place, row), [place], loop)


def new_key(
    track: ScalarTrack, before: int, interpolation: Interpolation | None = None
) -> tuple[Interpolation, TangentMode]:
    """Interpolation and tangent mode of a new key, by the key before it."""
    code = Interpolation(int(track.interpolations[before])) if interpolation is None else interpolation
    mode = TangentMode(int(track.modes[before]))
    if code == Interpolation.CONSTANT:
        mode = TangentMode.STEPPED
    elif mode not in SMOOTH_MODES:
        mode = TangentMode.LINEAR if code == Interpolation.LINEAR else TangentMode.AUTO
    return code, mode


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
    chosen = checked(track, keys, rising=True)
    if np.array_equal(track.values[chosen], np.broadcast_to(values, chosen.shape)):
        return track
    return refreshed(altered(track, {"values": put(track.values, chosen, values)}), chosen, loop)


# ---------------------------------------------------------------- deleting


def delete_keys(track: T, keys: npt.ArrayLike, loop: float | None = None) -> T | None:
    """The track without some keys; None where none is left."""
    gone = checked(track, keys)
    if not len(gone):
        return track
    if len(gone) == len(track):
        return None
    stays = np.ones(len(track), dtype=bool)
    stays[gone] = False
    kept = np.flatnonzero(stays)
    result: Any = taken(cast(Any, track), kept)
    if not isinstance(result, ScalarTrack):
        return cast(T, result)
    # A key of the shorter track whose neighbour went away stood beside a gap in `kept`.
    left = [int(place) for place in np.flatnonzero(np.diff(kept) > 1)]
    touched = {*left, *(place + 1 for place in left)}
    touched |= {0} if kept[0] > 0 else set()
    touched |= {len(kept) - 1} if kept[-1] < len(track) - 1 else set()
    return cast(T, refreshed(result, sorted(touched), loop, neighbours=False))


# ---------------------------------------------------------------- modes, slopes, weights


def set_interpolation(
    track: T, keys: npt.ArrayLike, interpolation: Interpolation, loop: float | None = None
) -> T:
    """Set how the segments that start at keys run; a ``stepped`` key that is not to step becomes ``auto``."""
    chosen = checked(track, keys)
    changed: Any = replace(track, interpolations=put(track.interpolations, chosen, int(interpolation)))
    if isinstance(changed, ScalarTrack) and interpolation != Interpolation.CONSTANT:
        stepped = chosen[changed.modes[chosen] == TangentMode.STEPPED]
        if len(stepped):
            changed = replace(changed, modes=put(changed.modes, stepped, int(TangentMode.AUTO)))
            changed = refreshed(changed, stepped, loop, neighbours=False)
    elif not isinstance(changed, ScalarTrack) and interpolation == Interpolation.CUBIC:
        changed = splits.with_smooth_tangents(changed, chosen, track.interpolations)
    return cast(T, changed)


def set_mode(
    track: ScalarTrack, keys: npt.ArrayLike, mode: TangentMode, loop: float | None = None
) -> ScalarTrack:
    """Set the tangent mode of keys; ``stepped`` makes their segments constant, others cubic.

    ``free`` and ``broken`` keep the slopes there are (``free`` their mean where the sides differ).
    """
    chosen = checked(track, keys)
    code = SEGMENTS.get(mode, Interpolation.CUBIC)
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
    chosen = checked(track, keys, rising=True)
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
    chosen = checked(track, keys, rising=True)
    changes: dict[str, Any] = {}
    for name, weights in (("in_weights", in_weights), ("out_weights", out_weights)):
        if weights is not None:
            changes[name] = put(getattr(track, name), chosen, np.clip(weights, 0.0, 1.0))
    return replace(track, **changes) if changes else track


def set_extrapolation(track: T, before: Extrapolation | None = None, after: Extrapolation | None = None) -> T:
    """Set what the track does beyond its keys; None leaves a side."""
    return replace(
        track,
        before=track.before if before is None else before,
        after=track.after if after is None else after,
    )
