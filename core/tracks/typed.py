"""Keys by their type: setting and finding types, breakdowns that go along, types carried over to other tracks."""

from collections.abc import Callable, Collection, Iterable
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.timing import TIME_EPSILON
from core.tracks.key_types import KeyType
from core.tracks.keys import QuaternionTrack, ScalarTrack, Track, altered

KeyIndices = npt.NDArray[np.intp]
T = TypeVar("T", bound=ScalarTrack | QuaternionTrack)


def with_type(track: T, keys: npt.ArrayLike, kind: KeyType) -> T:
    """The track with keys of a type; the very track where they are of it already. No motion changes."""
    chosen = np.asarray(keys, dtype=np.intp)
    if not len(chosen) or (track.types[chosen] == kind).all():
        return track
    types = np.array(track.types)
    types[chosen] = int(kind)
    return with_types(track, types)


def with_types(track: T, types: npt.NDArray[np.uint8]) -> T:
    """The track with other types ``(K,)`` of its keys."""
    types.flags.writeable = False
    return cast(T, altered(cast(Any, track), {"types": types}))


def keys_of_types(track: Track, kinds: Collection[KeyType]) -> npt.NDArray[np.int64]:
    """Numbers of the keys that are of one of these types, rising."""
    return np.flatnonzero(np.isin(track.types, [int(kind) for kind in kinds])).astype(np.int64)


class Carried(NamedTuple):
    """Keys to place, and where: those chosen, and breakdowns beside them."""

    keys: KeyIndices
    times: FloatArray


def carried(
    times: FloatArray,
    types: npt.NDArray[np.uint8],
    chosen: KeyIndices,
    goal: FloatArray,
    snap: Callable[[float], float] | None = None,
    along: tuple[KeyType, ...] = (KeyType.BREAKDOWN,),
) -> Carried:
    """Keys to be placed together with the breakdowns that keep their share of the time between two keys.

    A breakdown belongs to the nearest keys before and after it that are none. Where one of these is placed elsewhere,
    the breakdown goes to the same share of the time between both. Chosen breakdowns go where they are put, and those
    beside a key that passes the other one stay.

    Parameters
    ----------
    times, types : ``(K,)`` of all keys
    chosen : ``(C,)`` indices, rising
    goal : ``(C,)`` seconds
    snap : the frame nearest to a time, such as ``rate.snap``: breakdowns go there where it is free and between both
        keys; None leaves them between frames
    along : the types that go along, all as breakdowns do
    """
    loose = np.isin(types, [int(kind) for kind in along])
    free = loose.copy()
    free[chosen] = False
    if not free.any():
        return Carried(chosen, goal)
    new = np.array(times)
    new[chosen] = goal
    posts = np.flatnonzero(~loose)
    some = np.flatnonzero(free)
    after = np.searchsorted(posts, some)
    within = (after > 0) & (after < len(posts))
    some, after = some[within], after[within]
    a, b = posts[after - 1], posts[after]
    span, now = times[b] - times[a], new[b] - new[a]
    both = np.isin(a, chosen) & np.isin(b, chosen)
    moves = ((new[a] != times[a]) | (new[b] != times[b])) & ((now > TIME_EPSILON) | (both & (now != 0.0)))
    some, a, b, span, now = some[moves], a[moves], b[moves], span[moves], now[moves]
    new[some] = new[a] + (times[some] - times[a]) / span * now
    if snap is not None:
        for key, low, high in zip(
            some.tolist(), np.minimum(new[a], new[b]), np.maximum(new[a], new[b]), strict=True
        ):
            there = snap(float(new[key]))
            others = np.delete(new, key)
            if (
                low + TIME_EPSILON < there < high - TIME_EPSILON
                and np.abs(others - there).min() > TIME_EPSILON
            ):
                new[key] = there
    keys = np.union1d(chosen, some)
    return Carried(keys, new[keys])


NEAR = 1e-4
"""Seconds within which a key is the same one in a file that rounds times."""


def types_from(track: T, sources: Iterable[Track], near: float = TIME_EPSILON) -> T:
    """The track with the types that keys of other tracks have at the same times; the first source with one counts.

    For tracks that were worked out anew from others. Keys that no source has stay as they are.

    Parameters
    ----------
    near : seconds by which times may differ
    """
    types: Any = None
    for source in reversed(list(sources)):
        marked = np.flatnonzero(source.types)
        if len(marked):
            types = typed_at(track, source.times[marked], source.types[marked], near, types)
    return track if types is None or np.array_equal(types, track.types) else with_types(track, types)


def typed_at(
    track: Track,
    times: FloatArray,
    types: npt.NDArray[np.uint8],
    near: float = TIME_EPSILON,
    given: npt.NDArray[np.uint8] | None = None,
) -> npt.NDArray[np.uint8]:
    """Types ``(K,)`` of a track's keys with those given at times; times where it has no key count for nothing."""
    result = np.array(track.types if given is None else given)
    right = np.clip(np.searchsorted(track.times, times), 0, len(track) - 1)
    left = np.maximum(right - 1, 0)
    closer = np.abs(track.times[left] - times) <= np.abs(track.times[right] - times)
    best = np.where(closer, left, right)
    hit = np.abs(track.times[best] - times) < near
    result[best[hit]] = types[hit]
    return result
