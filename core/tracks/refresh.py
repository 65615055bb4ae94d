"""What every edit of keys shares: finding keys, putting values, automatic slopes."""

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from core.arrays import constant
from core.errors import ValidationError
from core.timing import TIME_EPSILON
from core.tracks import splits
from core.tracks.keys import QuaternionTrack, ScalarTrack, Track
from core.tracks.tangents import with_tangents

KeyIndices = npt.NDArray[np.intp]
T = TypeVar("T", bound=ScalarTrack | QuaternionTrack)


def key_at(track: Track, time: float) -> int | None:
    """Index of the key at a time (within `TIME_EPSILON`), or None."""
    place = int(np.searchsorted(track.times, time))
    near = [i for i in (place - 1, place) if 0 <= i < len(track)]
    best = min(near, key=lambda i: abs(float(track.times[i]) - time), default=None)
    return best if best is not None and abs(float(track.times[best]) - time) < TIME_EPSILON else None


def keys_between(track: Track, start: float, end: float) -> KeyIndices:
    """Indices of the keys from `start` to `end`, both included."""
    first = int(np.searchsorted(track.times, start - TIME_EPSILON))
    last = int(np.searchsorted(track.times, end + TIME_EPSILON))
    return np.arange(first, last)


def refreshed(
    track: ScalarTrack,
    keys: npt.ArrayLike,
    loop: float | None,
    neighbours: bool = True,
    also: npt.ArrayLike = (),
) -> ScalarTrack:
    """The track with the automatic slopes of keys (and their neighbours) computed again.

    In a loop the neighbours wrap round the seam, where first and last key are one.
    """
    return with_tangents(track, loop, touched_keys(len(track), keys, loop, neighbours, also))


def touched_keys(
    count: int, keys: npt.ArrayLike, loop: float | None, neighbours: bool = True, also: npt.ArrayLike = ()
) -> KeyIndices:
    """Which of `count` keys `refreshed` computes again, rising."""
    chosen = np.asarray(keys, dtype=np.intp).ravel()
    wide = np.zeros(count + 2, dtype=bool)  # one place more at both ends, for what wraps
    for step in (0, 1, 2) if neighbours else (1,):
        wide[chosen + step] = True
    wide[np.asarray(also, dtype=np.intp) + 1] = True
    if loop is not None and (wide[:2].any() or wide[-2:].any()):
        wide[[1, -2]] = True
    return np.flatnonzero(wide[1:-1])


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


def checked(track: Track, keys: npt.ArrayLike, rising: bool = False) -> KeyIndices:
    """Indices of keys, once each and rising; raises `ValidationError` for those there are not.

    Parameters
    ----------
    rising : refuse indices in another order, for values come with them one by one
    """
    given = np.asarray(keys, dtype=np.intp).ravel()
    sorted_already = len(given) < 2 or bool((given[1:] > given[:-1]).all())
    chosen = given if sorted_already else np.unique(given)
    if len(chosen) and not (chosen[0] >= 0 and chosen[-1] < len(track)):
        raise ValidationError(f"keys: expected indices below {len(track)}, got {chosen[0]} to {chosen[-1]}")
    if rising and not sorted_already:
        raise ValidationError("keys: expected rising indices, each once, for values go with them")
    return chosen


def require_time(time: float) -> None:
    if not np.isfinite(time):
        raise ValidationError(f"key time: expected finite seconds, got {time}")
