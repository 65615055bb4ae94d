"""Moving keys in time and value: those moved win over those in their way (spec: editing, Keying)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray, stretched
from core.errors import ValidationError
from core.timing import TIME_EPSILON
from core.tracks import splits
from core.tracks.key_types import KeyType
from core.tracks.keys import ScalarTrack, altered, columns, reordered, taken
from core.tracks.refresh import KeyIndices, T, checked, put, refreshed
from core.tracks.typed import carried

Snap = Callable[[float], float]


class Moved(NamedTuple):
    """A track after keys were moved, and where the moved keys stand in it now (rising)."""

    track: Any
    keys: KeyIndices


def move_keys(
    track: T,
    keys: npt.ArrayLike,
    seconds: float = 0.0,
    value: float = 0.0,
    loop: float | None = None,
    arranger: "Arranger | None" = None,
) -> Moved:
    """Move keys in time, and in value (scalar tracks); those moved win over those in their way.

    Parameters
    ----------
    seconds, value : how far
    arranger : one for all tracks that are moved alike; may snap
    """
    chosen = checked(track, keys)
    times = _snapped(track.times[chosen] + seconds, arranger)
    values = track.values[chosen] + value if isinstance(track, ScalarTrack) and value else None
    return place_keys(track, chosen, times, values, loop, arranger)


def scale_keys(
    track: T,
    keys: npt.ArrayLike,
    time_factor: float = 1.0,
    value_factor: float = 1.0,
    pivot_time: float = 0.0,
    pivot_value: float = 0.0,
    loop: float | None = None,
    arranger: "Arranger | None" = None,
) -> Moved:
    """Scale keys about a pivot, their own slopes along with them; a negative time factor reverses.

    Keys that fall together become one (the one that was last).
    """
    chosen = checked(track, keys)
    if not len(chosen):
        return Moved(track, chosen)
    times = _snapped(pivot_time + (track.times[chosen] - pivot_time) * time_factor, arranger)
    values = None
    if isinstance(track, ScalarTrack):
        values = pivot_value + (track.values[chosen] - pivot_value) * value_factor
    turned = _slopes_scaled(track, chosen, time_factor, value_factor)
    return place_keys(turned, chosen, times, values, loop, arranger)


class Arrangement(NamedTuple):
    """What becomes of the order of keys when some are put at other times.

    Parameters
    ----------
    times : of the keys that stay, in their new order
    order : their old indices; None where every key stays where it is in the order
    moved : where those placed stand now
    left_behind : where the old neighbours of those placed stand now
    """

    times: FloatArray
    order: KeyIndices | None
    moved: KeyIndices
    left_behind: KeyIndices


def place_keys(
    track: T,
    keys: npt.ArrayLike,
    times: npt.ArrayLike,
    values: npt.ArrayLike | None = None,
    loop: float | None = None,
    arranger: "Arranger | None" = None,
    carry: bool = True,
) -> Moved:
    """Put keys at other times, and other values; those placed win over those in their way.

    Parameters
    ----------
    carry : breakdowns beside them keep their share of the time between the keys (`core.tracks.typed.carried`)

    Returns
    -------
    Moved
        The track and where the placed keys stand in it. Of placed keys that fall together the
        last one stays.
    """
    chosen = checked(track, keys, rising=True)
    goal = np.asarray(times, dtype=np.float64)
    if not np.isfinite(goal).all():
        raise ValidationError("key times: expected finite seconds")
    same_times = np.array_equal(goal, track.times[chosen])
    same_values = values is None or np.array_equal(values, getattr(track, "values")[chosen])  # noqa: B009
    if same_times and same_values:
        return Moved(track, chosen)
    changes: dict[str, Any] = {} if same_values else {"values": put(track.values, chosen, cast(Any, values))}
    if same_times:
        return Moved(_refresh(altered(cast(Any, track), changes), chosen, loop), chosen)
    placed = None
    if carry and track.types.any():
        with_them = arranger or Arranger()
        placed = carried(track.times, track.types, chosen, goal, with_them.frames, with_them.along)
    keys, goal = (chosen, goal) if placed is None else placed
    found = (arranger or Arranger()).arrange(track.times, keys, goal)
    result: Any = altered(cast(Any, track), changes) if changes else track
    if found.order is None:
        result = altered(result, {"times": found.times})
    else:
        rows = {name: _ordered(getattr(result, name), found.order) for name in columns(track)[1:]}
        result = reordered(result, found.times, rows)
    if isinstance(result, ScalarTrack):
        result = refreshed(result, found.moved, loop, also=found.left_behind)
    if placed is None or len(placed.keys) == len(chosen):
        return Moved(result, found.moved)
    return Moved(result, chosen if found.order is None else np.flatnonzero(np.isin(found.order, chosen)))


class Arranger:
    """Works out where keys end up that are put at other times.

    Tracks that share their key times are moved alike one after the other: with one arranger for all of them
    they share the work, and go on sharing their times. It remembers its last answer.

    Parameters
    ----------
    snap : maps each new time to the one it snaps to, such as ``rate.snap``
    frames : the same of breakdowns that go along; they keep their exact share of the time where it is None
    along : types of keys that go along as breakdowns do
    """

    def __init__(
        self,
        snap: Snap | None = None,
        frames: Callable[[float], float] | None = None,
        along: tuple[KeyType, ...] = (KeyType.BREAKDOWN,),
    ) -> None:
        self.snap, self.frames, self.along = snap, frames, along
        self._last: _Asked | None = None

    def arrange(self, times: FloatArray, chosen: KeyIndices, goal: FloatArray) -> Arrangement:
        """Where keys end up when the chosen ones are put at other times."""
        known = self._last
        if (
            known is not None
            and known.times is times
            and np.array_equal(known.chosen, chosen)
            and np.array_equal(known.goal, goal)
        ):
            return known.answer
        answer = _arranged(times, chosen, goal)
        # Copies: the caller may reuse its arrays.
        self._last = _Asked(times, np.array(chosen), np.array(goal), answer)
        return answer


class _Asked(NamedTuple):
    """A question to an arranger and its answer; frozen arrays, so that identity is enough for the times."""

    times: FloatArray
    chosen: KeyIndices
    goal: FloatArray
    answer: Arrangement


def _snapped(times: FloatArray, arranger: Arranger | None) -> FloatArray:
    snap = arranger.snap if arranger is not None else None
    return times if snap is None else np.array([snap(float(t)) for t in times])


def _arranged(times: FloatArray, chosen: KeyIndices, goal: FloatArray) -> Arrangement:
    new = np.array(times)
    new[chosen] = goal
    beside = np.zeros(len(times) + 2, dtype=bool)
    beside[chosen] = beside[chosen + 2] = True
    old_neighbours = np.flatnonzero(beside[1:-1])
    gaps = new[1:] - new[:-1]
    if not len(gaps) or float(gaps.min()) >= TIME_EPSILON:
        return Arrangement(splits.settled(new), None, chosen, old_neighbours)
    is_moved = np.zeros(len(times), dtype=bool)
    is_moved[chosen] = True
    order = np.argsort(new, kind="stable")
    order = order[_winners(new[order], is_moved[order])]
    place = np.full(len(times), -1)
    place[order] = np.arange(len(order))
    left_behind = place[old_neighbours]
    moved = np.flatnonzero(is_moved[order])
    return Arrangement(splits.settled(new[order]), order, moved, left_behind[left_behind >= 0])


def _winners(times: FloatArray, is_moved: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Which of the sorted keys stay where several fall together: moved before others, later before earlier."""
    stays = np.ones(len(times), dtype=bool)
    close = np.flatnonzero(times[1:] - times[:-1] < TIME_EPSILON) + 1
    apart = close[1:] - close[:-1] > 1
    lone = np.ones(len(close), dtype=bool)  # of two keys together, not of more in a row
    lone[1:] &= apart
    lone[:-1] &= apart
    pairs = close[lone]
    stays[np.where(is_moved[pairs - 1] & ~is_moved[pairs], pairs, pairs - 1)] = False
    last: int = -1  # the last key that stays, before the one looked at
    for key in close[~lone].tolist():
        last = key - 1 if stays[key - 1] else last
        if times[key] - times[last] >= TIME_EPSILON:
            continue
        loser = key if is_moved[last] and not is_moved[key] else last
        stays[loser] = False
    return stays


def shift(track: T, seconds: float) -> T:
    """The whole track moved in time; its shape stays."""
    return cast(T, altered(cast(Any, track), {"times": track.times + seconds})) if seconds else track


def ripple(
    track: T, time: float, seconds: float, loop: float | None = None, arranger: "Arranger | None" = None
) -> T:
    """Move every key from `time` on, to make room or, where negative, to take time away.

    Keys within the removed time (the `seconds` before `time`) are deleted.
    """
    if not seconds or track.times[-1] < time - TIME_EPSILON:
        return track
    inside = (track.times < time - TIME_EPSILON) & (track.times > time + seconds + TIME_EPSILON)
    if seconds < 0.0 and inside.any():
        track = cast(T, taken(cast(Any, track), np.flatnonzero(~inside)))
    later = np.flatnonzero(track.times >= time - TIME_EPSILON)
    return cast(
        T, place_keys(track, later, track.times[later] + seconds, None, loop, arranger, carry=False).track
    )


def _refresh(track: Any, keys: KeyIndices, loop: float | None) -> Any:
    return refreshed(track, keys, loop) if isinstance(track, ScalarTrack) else track


def _ordered(column: npt.NDArray[Any], order: KeyIndices) -> npt.NDArray[Any]:
    """A column's values in another order; one constant column stays so."""
    if not any(column.strides):
        return column if len(order) == len(column) else stretched(column, len(order))
    return splits.settled(column[order])


def _slopes_scaled(track: T, keys: KeyIndices, time_factor: float, value_factor: float) -> T:
    """Slopes of keys (a reversal swaps their sides) as scaling changes them."""
    if time_factor == 0.0 or (time_factor == 1.0 and value_factor == 1.0):
        return track
    scalar = track if isinstance(track, ScalarTrack) else None
    factor = (1.0 if scalar is None else value_factor) / time_factor
    names = ("in_tangents", "out_tangents") if scalar is None else ("in_slopes", "out_slopes")
    into, out = (getattr(track, name) for name in names)
    changes: dict[str, Any] = {}
    if time_factor > 0.0:
        changes = {
            names[0]: put(into, keys, into[keys] * factor),
            names[1]: put(out, keys, out[keys] * factor),
        }
        return replace(track, **changes)
    changes = {names[0]: put(into, keys, out[keys] * factor), names[1]: put(out, keys, into[keys] * factor)}
    if scalar is not None:
        a, b = scalar.in_weights, scalar.out_weights
        changes |= {"in_weights": put(a, keys, b[keys]), "out_weights": put(b, keys, a[keys])}
    # A segment between two of the keys is now started by the key that ended it.
    codes = track.interpolations
    together = keys[1:][np.diff(keys) == 1]
    changes["interpolations"] = put(codes, together, codes[together - 1])
    return replace(track, **changes)
