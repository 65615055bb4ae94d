"""Edits of many keys of a clip at once: pure functions from an old clip to a new one and what is selected in it.

Named curves and morph weights have channels too (`editor.tools.curves.lanes`).
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.clips.channels import all_tracks as all_tracks
from core.clips.clip import Channel, Clip
from core.clips.keying import loop_length
from core.clips.loop_tools import keep_linked
from core.progress import counted
from core.timing import TIME_EPSILON
from core.tracks import edits
from core.tracks.keys import ScalarTrack, Track, altered, columns, reordered, taken
from editor.tools.curves.lanes import track_of, with_tracks

Numbers = npt.NDArray[np.int64]
Keys = Mapping[Channel, Numbers]
"""Key numbers by channel."""


class Edited(NamedTuple):
    """A clip after an edit, and the keys that were edited as they are numbered now."""

    clip: Clip
    keys: Keys


def known(clip: Clip, keys: Keys) -> dict[Channel, Numbers]:
    """The keys that the clip really has (a selection may be older than the clip)."""
    found = {}
    looked: dict[tuple[int, int], Numbers] = {}  # hundreds of channels may share one array of numbers
    for channel, numbers in keys.items():
        track = track_of(clip, channel)
        if track is not None:
            which = id(numbers), len(track)
            inside = looked.get(which)
            if inside is None:
                inside = looked[which] = _inside(numbers, len(track))
            if len(inside):
                found[channel] = inside
    return found


def _inside(numbers: Numbers, count: int) -> Numbers:
    """Those of rising numbers that are below a count."""
    inside = np.asarray(numbers, dtype=np.int64)
    if len(inside) and not (inside[0] >= 0 and inside[-1] < count):
        inside = inside[(inside >= 0) & (inside < count)]
    return inside


def scaled(
    clip: Clip, keys: Keys, pivot: float, factor: float, snap: Callable[[float], float] | None = None
) -> Edited:
    """Scale keys in time about a pivot (seconds), their slopes along with them; below 0 turns them round.

    Parameters
    ----------
    snap : maps each new time to the one it snaps to
    """
    if factor == 1.0:
        return Edited(clip, keys)
    loop, arranger = loop_length(clip), edits.Arranger(snap)
    return _each(
        clip,
        keys,
        lambda track, k: edits.scale_keys(track, k, factor, 1.0, pivot, loop=loop, arranger=arranger),
    )


def placed(clip: Clip, keys: Keys, time: float) -> Edited:
    """Put one key of each channel at a time."""
    return at_times(clip, {c: k[:1] for c, k in keys.items()}, lambda _: np.array([time]))


def at_times(clip: Clip, keys: Keys, place: Callable[[FloatArray], FloatArray]) -> Edited:
    """Put keys at other times, as a function of their present ones; of keys that meet the last one stays."""
    loop, arranger = loop_length(clip), edits.Arranger()

    def put(track: Any, numbers: Numbers) -> edits.Moved:
        return edits.place_keys(track, numbers, place(track.times[numbers]), None, loop, arranger)

    return _each(clip, keys, put)


def _each(clip: Clip, keys: Keys, change: Callable[[Any, Numbers], edits.Moved]) -> Edited:
    changes: dict[Channel, Track | None] = {}
    now: dict[Channel, Numbers] = {}
    for channel, numbers in counted(known(clip, keys).items()):
        result = change(track_of(clip, channel), numbers)
        changes[channel], now[channel] = result.track, result.keys.astype(np.int64)
    return Edited(kept_linked(clip, with_tracks(clip, changes), changes), now)


def kept_linked(before: Clip, after: Clip, channels: Mapping[Channel, Track | None]) -> Clip:
    """First and last keys of a loop that were one stay so."""
    return keep_linked(before, after, {c: None for c in channels if c.is_bone}) if after.looping else after


def duplicated(clip: Clip, keys: Keys, seconds: float) -> Edited:
    """Put copies of keys elsewhere; keys in the copies' way give in. The copies are selected then."""
    if not seconds:
        return Edited(clip, keys)
    return merged(clip, rows_of(clip, keys), seconds)


def _with_tracks(clip: Clip, keys: Keys) -> dict[Channel, tuple[Track, Numbers]]:
    return {c: (cast(Track, track_of(clip, c)), k) for c, k in known(clip, keys).items()}


def rows_of(clip: Clip, keys: Keys) -> dict[Channel, Track]:
    """Keys as tracks of their own, at the times they stand at."""
    rows = _with_tracks(clip, keys)
    return {c: cast(Track, taken(cast(Any, t), k)) for c, (t, k) in counted(rows.items())}


def turned_round(rows: Mapping[Channel, Track]) -> dict[Channel, Track]:
    """Rows backwards in time, within the span of all of them."""
    if not rows:
        return {}
    middle = (
        min(float(t.times[0]) for t in rows.values()) + max(float(t.times[-1]) for t in rows.values())
    ) / 2.0
    arranger = edits.Arranger()

    def turned(row: Track) -> Track:
        every = np.arange(len(row))
        done = edits.scale_keys(cast(Any, row), every, -1.0, pivot_time=middle, arranger=arranger)
        return cast(Track, done.track)

    return {channel: turned(row) for channel, row in counted(rows.items())}


def taken_at(track: Track, numbers: Numbers, seconds: float) -> Track:
    """Some keys of a track, `seconds` later, as a track of their own."""
    chosen: Any = taken(cast(Any, track), numbers)
    return cast(Track, altered(chosen, {"times": _settled(chosen.times + seconds)}))


def merged(clip: Clip, rows: Mapping[Channel, Track], seconds: float = 0.0) -> Edited:
    """Lay keys into a clip, over those that stand at the same times.

    Rows of channels without a track start one. A row that does not fit its channel (quaternion keys
    where the bone turns by angles, or the reverse) is left out.

    Parameters
    ----------
    seconds : added to the keys' times
    """
    loop = loop_length(clip)
    if seconds:
        rows = {c: taken_at(row, np.arange(len(row)), seconds) for c, row in counted(rows.items())}
    changes: dict[Channel, Track | None] = {}
    now: dict[Channel, Numbers] = {}
    for channel, row in counted(rows.items()):
        if not _fits(clip, channel, row):
            continue
        track = track_of(clip, channel)
        if track is None:
            changes[channel], now[channel] = row, np.arange(len(row))
            continue
        result, places = _laid(track, row)
        if isinstance(result, ScalarTrack):
            result = edits.refreshed(result, places, loop)
        changes[channel], now[channel] = result, places
    return Edited(kept_linked(clip, with_tracks(clip, changes), changes), now)


def span(clip: Clip, keys: Keys) -> tuple[float, float] | None:
    """First and last time of keys, or None without any."""
    alike = {
        (id(track.times), id(numbers)): (track, numbers)
        for track, numbers in _with_tracks(clip, keys).values()
    }
    ends = [(float(t.times[numbers[0]]), float(t.times[numbers[-1]])) for t, numbers in alike.values()]
    return (min(a for a, _ in ends), max(b for _, b in ends)) if ends else None


def count(keys: Keys) -> int:
    """How many keys there are."""
    return sum(len(numbers) for numbers in keys.values())


def _fits(clip: Clip, channel: Channel, row: Track) -> bool:
    track = track_of(clip, channel)
    if track is not None or not channel.is_bone:
        return track is None or type(track) is type(row)
    if not isinstance(row, ScalarTrack):
        return all(channel._replace(axis=axis) not in clip.tracks for axis in range(3))
    return clip.rotation(channel.bone) is None or channel.property.name != "ROTATE"


def _laid(track: Track, row: Track) -> tuple[Any, Numbers]:
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


def deleted(clip: Clip, keys: Keys) -> Clip:
    """Delete keys; a track whose last key goes, goes too."""
    loop = loop_length(clip)
    changes: dict[Channel, Track | None] = {
        c: edits.delete_keys(cast(Any, t), k, loop) for c, (t, k) in counted(_with_tracks(clip, keys).items())
    }
    return with_tracks(clip, changes)
