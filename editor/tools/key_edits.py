"""Edits of many keys of a clip at once: pure functions from an old clip to a new one and what is selected in it."""

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.clips.clip import Channel, Clip
from core.clips.keying import loop_length
from core.timing import TIME_EPSILON
from core.tracks import edits
from core.tracks.keys import ScalarTrack, Track, altered, columns, reordered, taken

Keys = Mapping[Channel, npt.NDArray[np.int64]]
"""Key numbers by channel."""


class Edited(NamedTuple):
    """A clip after an edit, and the keys that were edited as they are numbered now."""

    clip: Clip
    keys: Keys


def known(clip: Clip, keys: Keys) -> dict[Channel, npt.NDArray[np.int64]]:
    """The keys that the clip really has (a selection may be older than the clip)."""
    found = {}
    for channel, numbers in keys.items():
        track = clip.tracks.get(channel)
        if track is not None:
            inside = np.asarray(numbers, dtype=np.int64)
            inside = inside[(inside >= 0) & (inside < len(track))]
            if len(inside):
                found[channel] = inside
    return found


def moved(clip: Clip, keys: Keys, seconds: float) -> Edited:
    """Move keys in time; those in their way give in. Nothing moved gives the clip itself."""
    if not seconds:
        return Edited(clip, keys)
    loop = loop_length(clip)
    shifted: dict[int, FloatArray] = {}  # tracks that share their times go on sharing them
    changes: dict[Channel, Track | None] = {}
    now: dict[Channel, npt.NDArray[np.int64]] = {}
    for channel, numbers in known(clip, keys).items():
        track = clip.tracks[channel]
        if len(numbers) == len(track):
            name = id(track.times)
            if name not in shifted:
                shifted[name] = _settled(track.times + seconds)
            changes[channel] = altered(cast(Any, track), {"times": shifted[name]})
            now[channel] = numbers
            continue
        result = edits.move_keys(cast(Any, track), numbers, seconds, loop=loop)
        changes[channel], now[channel] = result.track, result.keys.astype(np.int64)
    return Edited(clip.with_tracks(changes), now)


def duplicated(clip: Clip, keys: Keys, seconds: float) -> Edited:
    """Put copies of keys elsewhere; keys in the copies' way give in. The copies are selected then."""
    if not seconds:
        return Edited(clip, keys)
    rows = {channel: taken_at(clip.tracks[channel], k, seconds) for channel, k in known(clip, keys).items()}
    return merged(clip, rows)


def taken_at(track: Track, numbers: npt.NDArray[np.int64], seconds: float) -> Track:
    """Some keys of a track, `seconds` later, as a track of their own."""
    chosen: Any = taken(cast(Any, track), numbers)
    return cast(Track, altered(chosen, {"times": _settled(chosen.times + seconds)}))


def merged(clip: Clip, rows: Mapping[Channel, Track]) -> Edited:
    """Lay keys into a clip, over those that stand at the same times.

    Rows of channels without a track start one. A row that does not fit its channel (quaternion keys
    where the bone turns by angles, or the reverse) is left out.
    """
    loop = loop_length(clip)
    changes: dict[Channel, Track | None] = {}
    now: dict[Channel, npt.NDArray[np.int64]] = {}
    for channel, row in rows.items():
        if not _fits(clip, channel, row):
            continue
        track = clip.tracks.get(channel)
        if track is None:
            changes[channel], now[channel] = row, np.arange(len(row))
            continue
        result, places = _laid(track, row)
        if isinstance(result, ScalarTrack):
            result = edits.refreshed(result, places, loop)
        changes[channel], now[channel] = result, places
    return Edited(clip.with_tracks(changes), now)


def span(clip: Clip, keys: Keys) -> tuple[float, float] | None:
    """First and last time of keys, or None without any."""
    ends = [
        (float(clip.tracks[channel].times[numbers[0]]), float(clip.tracks[channel].times[numbers[-1]]))
        for channel, numbers in known(clip, keys).items()
    ]
    return (min(a for a, _ in ends), max(b for _, b in ends)) if ends else None


def count(keys: Keys) -> int:
    """How many keys there are."""
    return sum(len(numbers) for numbers in keys.values())


def _fits(clip: Clip, channel: Channel, row: Track) -> bool:
    whole = not isinstance(row, ScalarTrack)
    if whole:
        return all(channel._replace(axis=axis) not in clip.tracks for axis in range(3))
    return clip.rotation(channel.bone) is None or channel.property.name != "ROTATE"


def _laid(track: Track, row: Track) -> tuple[Any, npt.NDArray[np.int64]]:
    """Keys of `row` laid over those of `track`, and where they stand then."""
    near = np.searchsorted(row.times, track.times)
    before = np.abs(track.times - row.times[np.maximum(near - 1, 0)]) < TIME_EPSILON
    after = np.abs(track.times - row.times[np.minimum(near, len(row) - 1)]) < TIME_EPSILON
    kept = ~(before | after)
    times = np.concatenate([track.times[kept], row.times])
    order = np.argsort(times, kind="stable")
    parts = {
        name: np.concatenate([getattr(track, name)[kept], getattr(row, name)])[order]
        for name in columns(cast(Any, track))
    }
    is_new = np.concatenate([np.zeros(int(kept.sum()), bool), np.ones(len(row), bool)])[order]
    result: Any = reordered(cast(Any, track), parts.pop("times"), parts)
    return result, np.flatnonzero(is_new).astype(np.int64)


def _settled(times: FloatArray) -> FloatArray:
    times.flags.writeable = False
    return times
