"""Moving keys in time and value: those moved win over those in their way (spec: editing, Keying)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from core.errors import ValidationError
from core.timing import TIME_EPSILON
from core.tracks import splits
from core.tracks.keys import ScalarTrack, columns, taken
from core.tracks.refresh import KeyIndices, T, checked, put, refreshed

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
    snap: Snap | None = None,
) -> Moved:
    """Move keys in time, and in value (scalar tracks); those moved win over those in their way.

    Parameters
    ----------
    seconds, value : how far
    snap : maps each new time to the one it snaps to, such as ``rate.snap``
    """
    chosen = checked(track, keys)
    times = track.times[chosen] + seconds
    if snap is not None:
        times = np.array([snap(float(t)) for t in times])
    values = track.values[chosen] + value if isinstance(track, ScalarTrack) and value else None
    return place_keys(track, chosen, times, values, loop)


def scale_keys(
    track: T,
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
    chosen = checked(track, keys)
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
    track: T,
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
    chosen = checked(track, keys, rising=True)
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


def shift(track: T, seconds: float) -> T:
    """The whole track moved in time; its shape stays."""
    return replace(track, times=track.times + seconds) if seconds else track


def ripple(track: T, time: float, seconds: float, loop: float | None = None) -> T:
    """Move every key from `time` on, to make room or, where negative, to take time away.

    Keys within the time taken away (the `seconds` before `time`) are deleted.
    """
    if not seconds or track.times[-1] < time - TIME_EPSILON:
        return track
    inside = (track.times < time - TIME_EPSILON) & (track.times > time + seconds + TIME_EPSILON)
    if seconds < 0.0 and inside.any():
        track = cast(T, taken(cast(Any, track), np.flatnonzero(~inside)))
    later = np.flatnonzero(track.times >= time - TIME_EPSILON)
    return cast(T, place_keys(track, later, track.times[later] + seconds, None, loop).track)


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
