"""Moving keys of a clip, prepared once for a whole drag: what depends on which keys they are is found at its start."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from core.clips.clip import Channel, Clip
from core.clips.keying import loop_length
from core.timing import TIME_EPSILON
from core.tracks import edits
from core.tracks.key_types import KeyType
from core.tracks.keys import QuaternionTrack, ScalarTrack, Track
from core.tracks.many import KeyGroup
from editor.tools.curves.lanes import Lane, track_of, with_tracks
from editor.tools.curves.reader import Reader
from editor.tools.key_edits import Edited, Keys, Numbers, all_tracks, kept_linked, known

Rises = Mapping[Lane, float]
"""Value units to add, by lane; lanes left out keep their values."""


BLOCK = 2**18
"""Values of a block: no larger, so that memory is used again from move to move, and released track by track."""


BESIDE = 3
"""Keys beside those that move whose segments may bend: a slope depends on both neighbours."""

Reach = tuple[float, float]
"""Seconds from and to which curves differ."""


class KeyMove:
    """Some keys of a clip, ready to be moved by any amount.

    Parameters
    ----------
    keys : those that the clip lacks are left out
    reader : how quaternion channels are read where their angles move
    on_frames : whether breakdowns that go along with a key go to the nearest frame
    """

    def __init__(self, clip: Clip, keys: Keys, reader: Reader | None = None, on_frames: bool = False) -> None:
        self.clip, self._frames = clip, clip.rate.snap if on_frames else None
        self.keys = known(clip, keys)
        self._reader = reader or Reader(None)
        self._loop = loop_length(clip)
        self._whole: dict[Channel, QuaternionTrack] = {}
        self._typed: dict[Channel, ScalarTrack] = {}  # with breakdowns, which go along by a share
        self._groups: list[tuple[list[Channel], KeyGroup]] = []
        for channels, numbers in self._alike():
            tracks: list[Any] = [track_of(clip, channel) for channel in channels]
            few = max(1, BLOCK // len(tracks[0]))
            for start in range(0, len(tracks), few):
                part = slice(start, start + few)
                self._groups.append((channels[part], KeyGroup(tracks[part], numbers, self._loop)))

    def _alike(self) -> list[tuple[list[Channel], Numbers]]:
        """Scalar channels that share their times and have the same keys among those that move."""
        found: dict[tuple[int, int, int, int], list[tuple[list[Channel], Numbers]]] = {}
        for channel, numbers in self.keys.items():
            track = track_of(self.clip, channel)
            if not isinstance(track, ScalarTrack):
                assert track is not None
                self._whole[channel] = track
                continue
            if (track.types == KeyType.BREAKDOWN).any():
                self._typed[channel] = track
                continue
            rows = found.setdefault((id(track.times), len(numbers), int(numbers[0]), int(numbers[-1])), [])
            for channels, other in rows:
                if other is numbers or np.array_equal(other, numbers):
                    channels.append(channel)
                    break
            else:
                rows.append(([channel], numbers))
        return [row for rows in found.values() for row in rows]

    def by(self, seconds: float, rises: Rises | None = None) -> Edited:
        """The clip with the keys moved in time all alike and in value by lane; those in their way give in.

        Nothing moved gives the clip itself. First and last keys of a loop that were one stay so.
        """
        given = rises or {}
        if not seconds and not any(given.values()):
            return Edited(self.clip, self.keys)
        changes: dict[Channel, Track | None] = {}
        now: dict[Channel, Numbers] = {}
        arranger = edits.Arranger(None, self._frames)
        for channels, group in self._groups:
            tracks, places = group.moved(
                seconds, [given.get(Lane(channel), 0.0) for channel in channels], arranger
            )
            numbers = self.keys[channels[0]] if places is group.keys else places.astype(np.int64)
            for channel, track in zip(channels, tracks, strict=True):
                changes[channel], now[channel] = track, numbers
        for channel in self._whole:
            changes[channel], now[channel] = self._turned(channel, seconds, given, arranger)
        for channel, track in self._typed.items():
            rise = given.get(Lane(channel), 0.0)
            result = edits.move_keys(track, self.keys[channel], seconds, rise, self._loop, arranger)
            changes[channel], now[channel] = result.track, result.keys.astype(np.int64)
        order = {channel: now[channel] for channel in self.keys}
        return Edited(kept_linked(self.clip, with_tracks(self.clip, changes), changes), order)

    def reach(self, seconds: float) -> Reach | None:
        """Where `by` changes curves, in seconds of the clip; None where that may be everywhere."""
        if self._whole or self._typed or self._loop is not None:
            return None
        start, end = np.inf, -np.inf
        for _, group in self._groups:
            times, first, last = group.times, group.times[group.keys[0]], group.times[group.keys[-1]]
            low = int(np.searchsorted(times, first + min(seconds, 0.0) - TIME_EPSILON)) - BESIDE
            high = int(np.searchsorted(times, last + max(seconds, 0.0) + TIME_EPSILON)) + BESIDE
            start = min(start, float(times[low]) if low >= 0 else -np.inf)
            end = max(end, float(times[high]) if high < len(times) else np.inf)
        return start, end

    def _turned(
        self, channel: Channel, seconds: float, rises: Rises, arranger: edits.Arranger
    ) -> tuple[Track, Numbers]:
        numbers, track = self.keys[channel], self._whole[channel]
        for part in range(3):
            change = rises.get(Lane(channel, part), 0.0)
            if change:
                angles = self._reader.angles(track, channel)[numbers, part]
                track = self._reader.put(track, channel, numbers, part, angles + change)
        if not seconds:
            return track, numbers
        result = edits.move_keys(track, numbers, seconds, 0.0, self._loop, arranger)
        return result.track, result.keys.astype(np.int64)


def moved(
    clip: Clip, keys: Keys, seconds: float, rises: Rises | None = None, reader: Reader | None = None
) -> Edited:
    """Move keys once; see `KeyMove`."""
    return KeyMove(clip, keys, reader).by(seconds, rises)


def rippled(
    clip: Clip,
    keys: Keys,
    seconds: float,
    rises: Rises | None = None,
    reader: Reader | None = None,
    still: Collection[str] = (),
) -> Edited:
    """Move keys in time, and with them all that comes later in the clip; in value those keys alone.

    Every bone, morph and named curve goes along, whether it is shown or not, and notifies, sync markers and
    markers do: a gap is made in the whole motion. Earlier keys within the removed time go
    (`core.tracks.edits.ripple`).

    Parameters
    ----------
    still : bones whose keys stay (locked ones)
    """
    raised = moved(clip, keys, 0.0, rises, reader)
    if not seconds:
        return raised
    loop, arranger = loop_length(clip), edits.Arranger()
    changes: dict[Channel, Track | None] = {}
    now: dict[Channel, Numbers] = {}
    for channel, numbers in raised.keys.items():
        track: Any = track_of(raised.clip, channel)
        later = len(track) - numbers[0]
        new = edits.ripple(track, float(track.times[numbers[0]]), seconds, loop, arranger)
        changes[channel], now[channel] = new, numbers - numbers[0] + len(new) - later
    first = min((_time_of(raised.clip, c, numbers) for c, numbers in raised.keys.items()), default=None)
    if first is None:
        return raised
    for channel, track in all_tracks(raised.clip).items():
        if channel not in changes and (not channel.is_bone or channel.bone not in still):
            other = edits.ripple(track, first, seconds, loop, arranger)
            if other is not track:
                changes[channel] = other
    result = kept_linked(clip, with_tracks(raised.clip, changes), changes)
    return Edited(_events_rippled(result, first, seconds), now)


def _time_of(clip: Clip, channel: Channel, numbers: Numbers) -> float:
    track = track_of(clip, channel)
    return float(track.times[numbers[0]]) if track is not None else float("inf")


def _events_rippled(clip: Clip, first: float, seconds: float) -> Clip:
    """Notifies and markers from a time on, moved; a clip without any is itself."""

    def at(time: float) -> float:
        return max(time + seconds, 0.0) if time >= first - TIME_EPSILON else time

    if not (clip.notifies or clip.sync_markers or clip.markers):
        return clip
    return replace(
        clip,
        notifies=tuple(sorted((replace(n, time=at(n.time)) for n in clip.notifies), key=lambda n: n.time)),
        sync_markers=tuple(
            sorted((replace(m, time=at(m.time)) for m in clip.sync_markers), key=lambda m: m.time)
        ),
        markers=tuple(sorted((replace(m, time=at(m.time)) for m in clip.markers), key=lambda m: m.time)),
    )
