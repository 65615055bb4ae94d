"""One time of many tracks: their values there, and keys set there, worked out for all of them at once.

The numbers are those of `core.tracks.evaluate` and `core.tracks.edits` for each track alone, to the last bit. Tracks of
motion capture share their times, so that what depends on these is found once.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray, require_finite
from core.errors import ValidationError
from core.progress import checkpoint
from core.tracks import edits, splits
from core.tracks.evaluate import Places, evaluate_scalar, locate, scalars_between
from core.tracks.keys import (
    PLAIN_WEIGHT,
    Interpolation,
    ScalarTrack,
    TangentMode,
    checked_times,
    with_cells,
)
from core.tracks.refresh import KeyIndices, key_at, put, require_time, touched_keys
from core.tracks.tangents import automatic_slopes

PIECE = 256
"""Tracks that are worked on between two looks whether the work was cancelled."""


def evaluate_scalars(tracks: Sequence[ScalarTrack], time: float, loop: float | None = None) -> FloatArray:
    """Values ``(N,)`` of tracks at a time; see `core.tracks.evaluate.evaluate_scalar`."""
    found = np.empty(len(tracks))
    at = np.array([time])
    for members in _alike(tracks):
        first = tracks[members[0]]
        places = locate(first.times, at, first.before, first.after, loop)
        if len(members) == 1 or places.turns is not None or places.beyond is not None:
            for n in members:
                found[n] = evaluate_scalar(tracks[n], at, loop)[0]
            continue
        _evaluate(tracks, members, places, found, loop, at)
    return found


def _evaluate(
    tracks: Sequence[ScalarTrack],
    members: list[int],
    places: Places,
    found: FloatArray,
    loop: float | None,
    at: FloatArray,
) -> None:
    """Values of tracks that share their places, put into `found`."""
    i, j = int(places.start[0]), int(places.end[0])
    plain = []
    for n in members:
        track = tracks[n]
        if track.out_weights[i] == PLAIN_WEIGHT == track.in_weights[j]:
            plain.append(n)
        else:
            found[n] = evaluate_scalar(track, at, loop)[0]
    if not plain:
        return
    some = [tracks[n] for n in plain]
    rows = np.array(
        [(t.values[i], t.values[j], t.out_slopes[i], t.in_slopes[j]) for t in some], dtype=np.float64
    ).T
    kinds = np.array([t.interpolations[i] for t in some], dtype=np.uint8)
    h = np.full(len(some), places.h[0])
    found[plain] = scalars_between(kinds, np.full(len(some), places.x[0]) / h, h, *rows)


def set_together(
    tracks: Sequence[ScalarTrack], time: float, values: npt.ArrayLike, loop: float | None = None
) -> list[ScalarTrack]:
    """Tracks with keys of these values at a time: `core.tracks.edits.set_value` of each.

    Parameters
    ----------
    values : ``(N,)``, one a track

    Returns
    -------
    list
        The very track where it has that key already.

    Raises
    ------
    ValidationError
        The time or a value is not finite.
    """
    given = np.asarray(values, dtype=np.float64)
    if given.shape != (len(tracks),):
        raise ValidationError(f"key values: expected one for each of {len(tracks)} tracks, got {given.shape}")
    require_time(time)
    require_finite(given, "key values")
    result = list(tracks)
    for members in _alike(tracks, ends=False):
        for start in range(0, len(members), PIECE):
            checkpoint()
            piece = members[start : start + PIECE]
            if len(piece) == 1:
                result[piece[0]] = edits.set_value(tracks[piece[0]], time, float(given[piece[0]]), loop)
                continue
            made = _set([tracks[n] for n in piece], time, given[piece], loop)
            for n, track in zip(piece, made, strict=True):
                result[n] = track
    return result


def set_keys_together(
    tracks: Sequence[ScalarTrack], keys: KeyIndices, values: npt.ArrayLike, loop: float | None = None
) -> list[ScalarTrack]:
    """Tracks that share their times with other values at the same keys: `core.tracks.edits.set_values` of each.

    Parameters
    ----------
    keys : ``(K,)`` rising
    values : ``(N, K)``, a row a track

    Returns
    -------
    list
        The very track where its keys have these values already.

    Raises
    ------
    ValidationError
        Values of another shape or not finite, or tracks whose times differ.
    """
    given = np.asarray(values, dtype=np.float64)
    if given.shape != (len(tracks), len(keys)):
        raise ValidationError(f"key values: expected {(len(tracks), len(keys))}, got {given.shape}")
    if any(len(t) != len(tracks[0]) for t in tracks) or len(_alike(tracks, ends=False)) > 1:
        raise ValidationError("keys set together: expected tracks that share their times")
    require_finite(given, "key values")
    result = list(tracks)
    differ = [n for n, track in enumerate(tracks) if not np.array_equal(track.values[keys], given[n])]
    for start in range(0, len(differ), PIECE):
        checkpoint()
        piece = differ[start : start + PIECE]
        changed = [with_cells(tracks[n], {"values": put(tracks[n].values, keys, given[n])}) for n in piece]
        for n, track in zip(piece, _refreshed(changed, keys, loop), strict=True):
            result[n] = track
    return result


def _alike(tracks: Sequence[ScalarTrack], ends: bool = True) -> list[list[int]]:
    """Numbers of the tracks that have the same times (and extrapolation), group by group."""
    keys: dict[int, bytes] = {}
    groups: dict[tuple[Any, ...], list[int]] = {}
    for n, track in enumerate(tracks):
        times = keys.get(id(track.times))
        if times is None:
            times = keys[id(track.times)] = track.times.tobytes()
        groups.setdefault((times, track.before, track.after) if ends else (times,), []).append(n)
    return list(groups.values())


def _set(tracks: list[ScalarTrack], time: float, values: FloatArray, loop: float | None) -> list[ScalarTrack]:
    """Tracks with the same times, and keys at a time."""
    place = key_at(tracks[0], time)
    if place is None:
        return _refreshed(*_inserted(tracks, time, values, loop), loop)
    differ = [n for n, track in enumerate(tracks) if track.values[place] != values[n]]
    changed = [with_cells(tracks[n], {"values": put(tracks[n].values, [place], values[n])}) for n in differ]
    result = list(tracks)
    if changed:
        for n, track in zip(differ, _refreshed(changed, place, loop), strict=True):
            result[n] = track
    return result


def _inserted(
    tracks: list[ScalarTrack], time: float, values: FloatArray, loop: float | None
) -> tuple[list[ScalarTrack], int]:
    """Tracks with a key more each, and where it stands."""
    times = tracks[0].times
    place = int(np.searchsorted(times, time))
    longer = checked_times(splits.with_value(times, place, time))
    before = place - 1 if place > 0 else (len(times) - 1 if loop else 0)
    made = []
    for track, value in zip(tracks, values.tolist(), strict=True):
        row = edits.new_key(track, before)
        cells: dict[str, Any] = {"times": longer, "values": splits.with_value(track.values, place, value)}
        for name, cell in (
            ("in_slopes", 0), ("out_slopes", 0), ("in_weights", PLAIN_WEIGHT), ("out_weights", PLAIN_WEIGHT),
            ("interpolations", int(row[0])), ("modes", int(row[1])), ("types", 0),
        ):  # fmt: skip
            cells[name] = splits.with_value(getattr(track, name), place, cell)
        made.append(with_cells(track, cells))
    return made, place


def _refreshed(tracks: list[ScalarTrack], keys: npt.ArrayLike, loop: float | None) -> list[ScalarTrack]:
    """Tracks with the same times, automatic slopes at some keys and beside them computed again."""
    times = tracks[0].times
    count = len(times)
    chosen = touched_keys(count, keys, loop)
    # The keys that slopes there depend on: both neighbours, and what is next to the seam of a loop.
    near = np.concatenate((chosen - 1, chosen, chosen + 1, [0, 1, count - 2, count - 1]))
    near = np.unique(np.clip(near, 0, count - 1))
    values = np.array([track.values[near] for track in tracks])
    modes = np.array([track.modes[chosen] for track in tracks])
    weights = tuple(
        np.array([getattr(t, name)[chosen] for t in tracks]) for name in ("in_weights", "out_weights")
    )
    inner = np.searchsorted(near, chosen)
    into, out = automatic_slopes(times[near], values, modes, (weights[0], weights[1]), inner, loop)
    automatic = (modes != TangentMode.FREE) & (modes != TangentMode.BROKEN)
    require_finite(np.where(automatic, into, 0.0), "key in_slopes")
    require_finite(np.where(automatic, out, 0.0), "key out_slopes")
    stepped = modes == TangentMode.STEPPED
    return [
        _with_slopes(track, chosen, automatic[n], into[n], out[n], stepped[n])
        for n, track in enumerate(tracks)
    ]


def _with_slopes(
    track: ScalarTrack,
    keys: KeyIndices,
    automatic: npt.NDArray[np.bool_],
    into: FloatArray,
    out: FloatArray,
    stepped: npt.NDArray[np.bool_],
) -> ScalarTrack:
    """As `core.tracks.tangents.with_tangents` puts slopes into a track."""
    if not automatic.all():
        keys, into, out, stepped = keys[automatic], into[automatic], out[automatic], stepped[automatic]
        if not len(keys):
            return track
    ins = _cells(track.in_slopes, keys, into)
    alike = track.in_slopes is track.out_slopes and np.array_equal(into, out)
    outs = ins if alike else _cells(track.out_slopes, keys, out)
    kinds = track.interpolations
    if stepped.any() and (kinds[keys[stepped]] != Interpolation.CONSTANT).any():
        kinds = _cells(kinds, keys[stepped], np.uint8(Interpolation.CONSTANT))
    if ins is track.in_slopes and outs is track.out_slopes and kinds is track.interpolations:
        return track
    if ins is not outs and np.array_equal(ins, outs):
        outs = ins
    return with_cells(track, {"in_slopes": ins, "out_slopes": outs, "interpolations": kinds})


def _cells(column: npt.NDArray[Any], keys: KeyIndices, values: npt.ArrayLike) -> npt.NDArray[Any]:
    """A copy of a column with values at keys; the column itself where they stand there already."""
    if (column[keys] == values).all():
        return column
    changed = np.array(column)
    changed[keys] = values
    return splits.settled(changed)
