"""Edits of keys in the curve editor: pure functions from an old clip to a new one, and where the keys stand then.

Scalar channels, named curves and morphs, and the angles of quaternion channels alike.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.clips.clip import Channel, Clip
from core.clips.keying import loop_length
from core.clips.loop_tools import keep_linked
from core.rig.skeleton import Skeleton
from core.timing import TIME_EPSILON
from core.tracks import edits
from core.tracks.components import Reading, set_angles, to_angles
from core.tracks.keys import Interpolation, QuaternionTrack, ScalarTrack, TangentMode, Track, columns, taken
from core.tracks.refresh import put, refreshed
from editor.tools.curves.lanes import Lane, rest_of, track_of, with_tracks

Numbers = npt.NDArray[np.int64]
Keys = Mapping[Channel, Numbers]
OneByOne = Callable[[float], float]
ScalarChange = Callable[[ScalarTrack, Numbers, float | None], ScalarTrack | None]


class Edited(NamedTuple):
    """A clip after an edit, and the edited keys as they are numbered now."""

    clip: Clip
    keys: Keys


@dataclass(frozen=True, slots=True)
class Reader:
    """How quaternion channels are read as angles."""

    skeleton: Skeleton | None
    reading: Reading = Reading.VECTOR

    def angles(self, track: QuaternionTrack, channel: Channel) -> FloatArray:
        """Angles ``(K, 3)`` in degrees at the keys."""
        rest, axis = rest_of(self.skeleton, channel.bone)
        return to_angles(track.values, rest, self.reading, axis)

    def put(
        self, track: QuaternionTrack, channel: Channel, keys: npt.ArrayLike, part: int, degrees: npt.ArrayLike
    ) -> QuaternionTrack:
        """The track with one angle of keys changed."""
        rest, axis = rest_of(self.skeleton, channel.bone)
        return set_angles(track, keys, part, degrees, rest, self.reading, axis)


def known(clip: Clip, keys: Keys) -> dict[Channel, Numbers]:
    """The keys that the clip really has (a selection may be older than the clip)."""
    found: dict[Channel, Numbers] = {}
    for channel, numbers in keys.items():
        track = track_of(clip, channel)
        if track is not None:
            inside = np.asarray(numbers, dtype=np.int64)
            inside = inside[(inside >= 0) & (inside < len(track))]
            if len(inside):
                found[channel] = inside
    return found


def count(keys: Keys) -> int:
    """How many keys there are."""
    return sum(len(numbers) for numbers in keys.values())


# ---------------------------------------------------------------- moving
def moved(clip: Clip, keys: Keys, seconds: float, values: Mapping[Lane, float], reader: Reader) -> Edited:
    """Move keys in time all alike, and in value by lane; those in their way give in.

    Parameters
    ----------
    values : lane → value units to add; lanes left out keep their values
    """
    loop = loop_length(clip)
    by_channel: dict[Channel, list[tuple[int, float]]] = {}
    for lane, change in values.items():
        if change:
            by_channel.setdefault(lane.channel, []).append((lane.part, change))
    shifted: dict[int, FloatArray] = {}
    changes: dict[Channel, Track | None] = {}
    now: dict[Channel, Numbers] = {}
    for channel, numbers in known(clip, keys).items():
        track: Any = track_of(clip, channel)
        parts = by_channel.get(channel, [])
        if isinstance(track, QuaternionTrack):
            for part, change in parts:
                angles = reader.angles(track, channel)[numbers, part]
                track = reader.put(track, channel, numbers, part, angles + change)
            parts = []
        value = parts[0][1] if parts else 0.0
        places = numbers
        if not seconds:
            track = _raised(track, numbers, value, loop) if value else track
        elif len(numbers) == len(track):
            track = _shifted_whole(track, seconds, value, shifted)
        else:
            result = edits.move_keys(track, numbers, seconds, value, loop)
            track, places = result.track, result.keys.astype(np.int64)
        changes[channel], now[channel] = track, places
    return Edited(_linked(clip, with_tracks(clip, changes), changes), now)


def rippled(clip: Clip, keys: Keys, seconds: float, values: Mapping[Lane, float], reader: Reader) -> Edited:
    """As `moved`, and every later key of the same curves moves along in time."""
    found = known(clip, keys)
    raised = moved(clip, found, 0.0, values, reader).clip if any(values.values()) else clip
    later = {c: np.arange(int(n[0]), len(cast(Any, track_of(clip, c)))) for c, n in found.items()}
    result = moved(raised, later, seconds, {}, reader)
    now: dict[Channel, Numbers] = {}
    for channel, numbers in found.items():
        places = result.keys[channel]
        offsets = numbers - numbers[0]
        now[channel] = places[offsets[offsets < len(places)]]
    return Edited(result.clip, now)


def _raised(track: ScalarTrack, numbers: Numbers, change: float, loop: float | None) -> ScalarTrack:
    """Keys moved up together: slopes differ only where a moved key stands beside one that stays."""
    raised = replace(track, values=put(track.values, numbers, track.values[numbers] + change))
    if len(numbers) == len(track):
        return raised
    chosen = np.zeros(len(track), dtype=bool)
    chosen[numbers] = True
    edge = np.flatnonzero(chosen[1:] != chosen[:-1])
    touched = np.unique(np.concatenate((edge, edge + 1)))
    if loop is not None:
        touched = np.union1d(touched, [0, len(track) - 1])
    return refreshed(raised, touched, loop, neighbours=False)


def _shifted_whole(track: Any, seconds: float, value: float, shared: dict[int, FloatArray]) -> Any:
    """A whole track moved: its slopes stay, and tracks that share their times go on sharing them."""
    name = id(track.times)
    if name not in shared:
        times = track.times + seconds
        times.flags.writeable = False
        shared[name] = times
    changed_parts: dict[str, Any] = {"times": shared[name]}
    if value:
        changed_parts["values"] = put(track.values, np.arange(len(track)), track.values + value)
    return replace(track, **changed_parts)


def _linked(before: Clip, after: Clip, channels: Mapping[Channel, Any]) -> Clip:
    """Linked first and last keys stay one."""
    bones = {c: None for c in channels if c.axis >= 0}
    return keep_linked(before, after, bones) if after.looping else after


# ---------------------------------------------------------------- the rest
def changed(clip: Clip, keys: Keys, change: ScalarChange) -> Clip:
    """Apply a function to the scalar tracks among the keys' channels."""
    loop = loop_length(clip)
    changes: dict[Channel, Track | None] = {}
    for channel, numbers in known(clip, keys).items():
        track = track_of(clip, channel)
        if isinstance(track, ScalarTrack):
            changes[channel] = change(track, numbers, loop)
    return _linked(clip, with_tracks(clip, changes), changes)


def deleted(clip: Clip, keys: Keys) -> Clip:
    """Delete keys; a track whose last key goes, goes too."""
    loop = loop_length(clip)
    changes: dict[Channel, Track | None] = {
        channel: edits.delete_keys(cast(Any, track_of(clip, channel)), numbers, loop)
        for channel, numbers in known(clip, keys).items()
    }
    return with_tracks(clip, changes)


def with_mode(clip: Clip, keys: Keys, mode: TangentMode) -> Clip:
    """Give keys a tangent mode; quaternion keys get the interpolation that comes nearest."""
    result = changed(clip, keys, lambda track, numbers, loop: edits.set_mode(track, numbers, mode, loop))
    kind = {TangentMode.LINEAR: Interpolation.LINEAR, TangentMode.STEPPED: Interpolation.CONSTANT}
    whole = {c: k for c, k in keys.items() if isinstance(track_of(clip, c), QuaternionTrack)}
    return with_kind(result, whole, kind.get(mode, Interpolation.CUBIC)) if whole else result


def with_kind(clip: Clip, keys: Keys, kind: Interpolation) -> Clip:
    """Let the segments that start at keys be constant, linear or cubic."""
    loop = loop_length(clip)
    changes: dict[Channel, Track | None] = {
        channel: edits.set_interpolation(cast(Any, track_of(clip, channel)), numbers, kind, loop)
        for channel, numbers in known(clip, keys).items()
    }
    return with_tracks(clip, changes)


def with_values(clip: Clip, keys: Keys, value: float, reader: Reader, parts: Mapping[Channel, int]) -> Clip:
    """Give all keys one value; of quaternion keys the angle that `parts` names."""
    loop = loop_length(clip)
    changes: dict[Channel, Track | None] = {}
    for channel, numbers in known(clip, keys).items():
        track = track_of(clip, channel)
        if isinstance(track, ScalarTrack):
            changes[channel] = edits.set_values(track, numbers, value, loop)
        elif track is not None:
            changes[channel] = reader.put(track, channel, numbers, parts.get(channel, 0), value)
    return _linked(clip, with_tracks(clip, changes), changes)


def mapped(clip: Clip, keys: Keys, reader: Reader, parts: Mapping[Channel, int], change: OneByOne) -> Clip:
    """Give each key a value of its own value; of quaternion keys the angle that `parts` names."""
    loop = loop_length(clip)
    changes: dict[Channel, Track | None] = {}
    for channel, numbers in known(clip, keys).items():
        track = track_of(clip, channel)
        if isinstance(track, ScalarTrack):
            new = [change(value) for value in track.values[numbers].tolist()]
            changes[channel] = edits.set_values(track, numbers, new, loop)
        elif track is not None:
            part = parts.get(channel, 0)
            angles = reader.angles(track, channel)[numbers, part].tolist()
            changes[channel] = reader.put(track, channel, numbers, part, [change(a) for a in angles])
    return _linked(clip, with_tracks(clip, changes), changes)


def retimed(clip: Clip, keys: Keys, change: OneByOne) -> Edited:
    """Give each key a time of its own time; those in their way give in."""
    loop = loop_length(clip)
    changes: dict[Channel, Track | None] = {}
    now: dict[Channel, Numbers] = {}
    for channel, numbers in known(clip, keys).items():
        track: Any = track_of(clip, channel)
        times = [change(time) for time in track.times[numbers].tolist()]
        result = edits.place_keys(track, numbers, times, None, loop)
        changes[channel], now[channel] = result.track, result.keys.astype(np.int64)
    return Edited(with_tracks(clip, changes), now)


def placed(clip: Clip, keys: Keys, time: float) -> Edited:
    """Put one key of each channel at a time."""
    loop = loop_length(clip)
    changes: dict[Channel, Track | None] = {}
    now: dict[Channel, Numbers] = {}
    for channel, numbers in known(clip, keys).items():
        result = edits.place_keys(cast(Any, track_of(clip, channel)), numbers[:1], [time], None, loop)
        changes[channel], now[channel] = result.track, result.keys.astype(np.int64)
    return Edited(with_tracks(clip, changes), now)


def inserted(clip: Clip, channel: Channel, time: float) -> Edited:
    """Put a key on a curve without changing its shape."""
    track: Any = track_of(clip, channel)
    if track is None:
        return Edited(clip, {})
    new = edits.insert_key(track, time, loop_length(clip))
    place = edits.key_at(new, time)
    keys = {} if place is None else {channel: np.array([place])}
    return Edited(with_tracks(clip, {channel: new}), keys)


# ---------------------------------------------------------------- copies
def rows_of(clip: Clip, keys: Keys) -> dict[Channel, Track]:
    """Keys as tracks of their own."""
    return {c: cast(Track, taken(cast(Any, track_of(clip, c)), n)) for c, n in known(clip, keys).items()}


def pasted(clip: Clip, rows: Mapping[Channel, Track], seconds: float, backwards: bool = False) -> Edited:
    """Lay keys into a clip, over those that stand at the same times.

    Parameters
    ----------
    seconds : added to their times
    backwards : turn them round in time first, within the span of all of them
    """
    loop = loop_length(clip)
    if backwards and rows:
        ends = [(float(t.times[0]), float(t.times[-1])) for t in rows.values()]
        middle = (min(a for a, _ in ends) + max(b for _, b in ends)) / 2.0
        rows = {
            c: edits.scale_keys(cast(Any, t), np.arange(len(t)), -1.0, pivot_time=middle).track
            for c, t in rows.items()
        }
    changes: dict[Channel, Track | None] = {}
    now: dict[Channel, Numbers] = {}
    for channel, row in rows.items():
        if not _fits(clip, channel, row):
            continue
        row = replace(row, times=row.times + seconds) if seconds else row
        track = track_of(clip, channel)
        if track is None:
            changes[channel], now[channel] = row, np.arange(len(row), dtype=np.int64)
            continue
        changes[channel], now[channel] = _laid(track, row, loop)
    return Edited(with_tracks(clip, changes), now)


def _fits(clip: Clip, channel: Channel, row: Track) -> bool:
    track = track_of(clip, channel)
    if track is not None:
        return type(track) is type(row)
    if channel.axis < 0:
        return True
    if isinstance(row, QuaternionTrack):
        return all(channel._replace(axis=axis) not in clip.tracks for axis in range(3))
    return clip.rotation(channel.bone) is None or channel.property.name != "ROTATE"


def _laid(track: Any, row: Any, loop: float | None) -> tuple[Any, Numbers]:
    near = np.searchsorted(row.times, track.times)
    before = np.abs(track.times - row.times[np.maximum(near - 1, 0)]) < TIME_EPSILON
    after = np.abs(track.times - row.times[np.minimum(near, len(row) - 1)]) < TIME_EPSILON
    kept = ~(before | after)
    order = np.argsort(np.concatenate([track.times[kept], row.times]), kind="stable")
    parts = {n: np.concatenate([getattr(track, n)[kept], getattr(row, n)])[order] for n in columns(track)}
    is_new = np.concatenate([np.zeros(int(kept.sum()), bool), np.ones(len(row), bool)])[order]
    result: Any = replace(track, **parts)
    places = np.flatnonzero(is_new).astype(np.int64)
    return (refreshed(result, places, loop) if isinstance(result, ScalarTrack) else result), places
