"""Many values set on one track at once: what setting them one after another gives, in time that grows with the keys.

One key at a time copies every column of the track for each; a clip of motion capture has thousands of them.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from core.arrays import BoolArray, FloatArray, stretched
from core.errors import ValidationError
from core.math import quat
from core.progress import checkpoint
from core.timing import TIME_EPSILON
from core.tracks import edits
from core.tracks.keys import (
    PLAIN_WEIGHT,
    AnyTrack,
    Extrapolation,
    Interpolation,
    QuaternionTrack,
    ScalarTrack,
    TangentMode,
    altered,
    columns,
    reordered,
    scalar_track,
)
from core.tracks.refresh import KeyIndices, put, refreshed
from core.tracks.splits import settled
from core.tracks.tangents import SMOOTH_MODES, with_tangents


def keys_at(times: FloatArray, wanted: FloatArray) -> KeyIndices:
    """Index of the key at each of some times (within `TIME_EPSILON`), −1 where there is none."""
    last = len(times) - 1
    after = np.clip(np.searchsorted(times, wanted), 0, last)
    before = np.maximum(after - 1, 0)
    nearer = np.abs(times[before] - wanted) <= np.abs(times[after] - wanted)
    best = np.where(nearer, before, after)
    return np.where(np.abs(times[best] - wanted) < TIME_EPSILON, best, -1)


def set_curve(
    track: ScalarTrack | None, times: npt.ArrayLike, values: npt.ArrayLike, loop: float | None = None
) -> ScalarTrack:
    """Set a curve's values at times: what `core.tracks.edits.set_value` does for each in turn.

    Parameters
    ----------
    track : None starts a new one
    times : ``(T,)`` seconds, at least one, rising by `TIME_EPSILON` or more
    values : ``(T,)``
    loop : length of the clip where it loops, else None

    Returns
    -------
    ScalarTrack
        The same object where every key has its value already.

    Raises
    ------
    ValidationError
        Times that do not rise, or numbers that are not finite.
    """
    at, wanted = _pairs(times, values, 1)
    if track is None:
        made = scalar_track(at, wanted, modes=int(TangentMode.AUTO))
        return with_tangents(made, loop) if len(made) > 1 else made
    place = keys_at(track.times, at)
    there = place >= 0
    differ = np.flatnonzero(there)
    differ = differ[track.values[place[differ]] != wanted[differ]]
    fresh = np.flatnonzero(~there)
    if not len(differ) and not len(fresh):
        return track
    if len(differ):
        track = altered(track, {"values": put(track.values, place[differ], wanted[differ])})
    if not len(fresh):
        return refreshed(track, place[differ], loop)
    before = np.searchsorted(track.times, at[fresh])
    source = np.where(before > 0, before - 1, len(track) - 1 if loop else 0)
    codes, modes = track.interpolations[source], track.modes[source]
    smooth = np.isin(modes, [int(mode) for mode in SMOOTH_MODES])
    straight = np.where(codes == Interpolation.LINEAR, int(TangentMode.LINEAR), int(TangentMode.AUTO))
    modes = np.where(smooth, modes, straight)
    modes = np.where(codes == Interpolation.CONSTANT, int(TangentMode.STEPPED), modes).astype(np.uint8)
    rows: dict[str, npt.NDArray[Any]] = {
        "times": at[fresh],
        "values": wanted[fresh],
        "interpolations": codes,
        "modes": modes,
    }
    whole = _with_keys(track, before, rows)
    moved = place[differ] + np.searchsorted(before, place[differ], side="right")
    touched = np.sort(np.concatenate((before + np.arange(len(fresh)), moved)))
    return refreshed(whole, touched, loop)


def set_turns(
    track: QuaternionTrack, times: npt.ArrayLike, rotations: npt.ArrayLike, loop: float | None = None
) -> QuaternionTrack:
    """Set a track's rotations at times: what `core.tracks.edits.set_rotation` does for each in turn.

    New keys inside cubic segments are put in one by one, for each splits what the one before has left.

    Parameters
    ----------
    times : ``(T,)`` seconds, rising by `TIME_EPSILON` or more
    rotations : ``(T, 4)`` unit quaternions
    loop : length of the clip where it loops, else None

    Raises
    ------
    ValidationError
        Times that do not rise, or rows that are no rotations.
    """
    at, given = _pairs(times, rotations, 2)
    goals = np.array(quat.require_units(given, "quaternion keys"))
    place = keys_at(track.times, at)
    there = place >= 0
    if not there.all() and not _plain(track, at, loop):
        for time, goal in zip(at, goals, strict=True):
            checkpoint()
            track = edits.set_rotation(track, float(time), goal, loop)
        return track
    old = track.values[place[there]]
    goals[there] = quat.aligned(goals[there], old)
    differ = (goals[there] != old).any(axis=1)
    former = track.values
    if differ.any():
        keys, turned = place[there][differ], goals[there][differ]
        turn = quat.multiply(turned, quat.conjugate(old[differ]))
        changes: dict[str, Any] = {"values": put(track.values, keys, turned)}
        for name in ("in_tangents", "out_tangents"):
            column = getattr(track, name)
            changes[name] = put(column, keys, quat.multiply(turn, column[keys]))
        track = altered(track, changes)
    if there.all():
        return track
    fresh = ~there
    before = np.searchsorted(track.times, at[fresh])
    _align(goals, track, former, at, there)
    codes = track.interpolations[np.maximum(before - 1, 0)]
    still = np.zeros((len(before), 4))
    rows: dict[str, npt.NDArray[Any]] = {
        "times": at[fresh], "values": goals[fresh], "interpolations": codes,
        "in_tangents": still, "out_tangents": still,
    }  # fmt: skip
    return _with_keys(track, before, rows)


def _plain(track: QuaternionTrack, at: FloatArray, loop: float | None) -> bool:
    """Whether new keys split nothing but straight and constant segments, or stand beyond keys that hold."""
    if (track.interpolations == Interpolation.CUBIC).any():
        return False
    inside = bool(at[0] >= track.times[0] and at[-1] <= track.times[-1])
    return inside or (loop is None and track.before == track.after == Extrapolation.HOLD)


def _align(
    goals: FloatArray, track: QuaternionTrack, former: FloatArray, at: FloatArray, there: BoolArray
) -> None:
    """Give new keys the sign of the curve that the keys before them have left, in place.

    Parameters
    ----------
    former : the track's values ``(K, 4)`` before any was set: those of keys after a new one are still there
    """
    times, values, following = track.times.tolist(), track.values.tolist(), former.tolist()
    after, when = np.searchsorted(track.times, at, side="right").tolist(), at.tolist()
    for n in np.flatnonzero(~there).tolist():
        later, goal = after[n], goals[n].tolist()
        start, left = -np.inf, values[0]
        if later > 0:
            start, left = times[later - 1], values[later - 1]
        if n and when[n - 1] >= start:
            start, left = when[n - 1], goals[n - 1].tolist()
        holds = track.interpolations[max(later - 1, 0)] == Interpolation.CONSTANT
        share = 0.0
        if np.isfinite(start) and later < len(times) and not holds:
            share = (when[n] - start) / (times[later] - start)
        if _apart(goal, left, following[min(later, len(values) - 1)], share):
            goals[n] = -goals[n]


def _apart(goal: list[float], left: list[float], right: list[float], share: float) -> bool:
    """Whether a quaternion and the slerp between two lie on different sides of the sphere."""
    cosine = sum(a * b for a, b in zip(left, right, strict=True))
    angle = math.acos(min(abs(cosine), 1.0))
    first, second = math.sin((1.0 - share) * angle), math.sin(share * angle)
    if angle < 1e-4:
        first, second = 1.0 - share, share
    dot_left = sum(a * b for a, b in zip(goal, left, strict=True))
    dot_right = sum(a * b for a, b in zip(goal, right, strict=True))
    return first * dot_left + math.copysign(second, cosine) * dot_right < 0.0


# ---------------------------------------------------------------- columns


def _pairs(times: npt.ArrayLike, values: npt.ArrayLike, dimensions: int) -> tuple[FloatArray, FloatArray]:
    """Times and values ``(T,)`` or ``(T, 4)`` that go together."""
    at, given = np.asarray(times, dtype=np.float64), np.array(values, dtype=np.float64)
    if at.ndim != 1 or not len(at) or given.ndim != dimensions or len(given) != len(at):
        raise ValidationError(
            f"keys to set: expected times (T,) and as many values, got {at.shape}, {given.shape}"
        )
    if not (np.isfinite(at).all() and np.isfinite(given).all()):
        raise ValidationError("keys to set: expected finite times and values")
    if (np.diff(at) < TIME_EPSILON).any():
        raise ValidationError(f"keys to set: expected times that rise by {TIME_EPSILON} s")
    return at, given


def _with_keys(track: AnyTrack, before: KeyIndices, rows: Mapping[str, npt.NDArray[Any]]) -> AnyTrack:
    """The track with keys put in before some of its own; columns that `rows` lacks get their default."""
    changes: dict[str, Any] = {}
    for name in columns(track):
        column: npt.NDArray[Any] = getattr(track, name)
        default = PLAIN_WEIGHT if name.endswith("weights") else 0.0
        row = rows.get(name)
        if row is None:
            row = np.full((len(before), *column.shape[1:]), default, dtype=column.dtype)
        changes[name] = _longer(column, before, row)
    return reordered(track, changes.pop("times"), changes)


def _longer(column: npt.NDArray[Any], before: KeyIndices, row: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A column with values put in; one constant column stays so where it can."""
    if not any(column.strides) and (row == column[0]).all():
        return stretched(column, len(column) + len(before))
    return settled(np.insert(column, before, row, axis=0))


def scaled_values(track: ScalarTrack, factor: float) -> ScalarTrack:
    """The track with all values and slopes times a factor; the same object for 1."""
    if factor == 1.0:
        return track
    return replace(
        track,
        values=track.values * factor,
        in_slopes=track.in_slopes * factor,
        out_slopes=track.out_slopes * factor,
    )
