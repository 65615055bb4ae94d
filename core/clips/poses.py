"""The poses of a clip: times at which bones have keys, and these keys retimed, copied and swapped as one."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.clips.channels import all_tracks, track_of, with_tracks
from core.clips.clip import Channel, ChannelKind, Clip
from core.clips.keying import loop_length
from core.clips.loop_tools import keep_linked
from core.errors import ValidationError
from core.progress import counted
from core.timing import TIME_EPSILON
from core.tracks import edits, splits
from core.tracks.key_types import KeyType
from core.tracks.keys import ScalarTrack, Track, columns
from core.tracks.typed import with_type

RANKS = (KeyType.BREAKDOWN, KeyType.KEY, KeyType.HOLD, KeyType.EXTREME)
"""Types of poses, the strongest last: a pose is what the strongest of its keys is."""


class Poses(NamedTuple):
    """Poses of a clip.

    Parameters
    ----------
    times : ``(P,)`` seconds, rising
    types : ``(P,)`` `KeyType` of each
    """

    times: FloatArray
    types: npt.NDArray[np.uint8]


def poses_of(clip: Clip, channels: Iterable[Channel] | None = None) -> Poses:
    """Times at which tracks of bones and morphs have keys other than in-betweens.

    Parameters
    ----------
    channels : None is all of `pose_tracks`
    """
    tracks = pose_tracks(clip)
    chosen = list(tracks) if channels is None else list(channels)
    found: dict[tuple[int, int], tuple[FloatArray, npt.NDArray[np.uint8]]] = {}
    for channel in chosen:
        track = tracks.get(channel)
        if track is not None:
            even = not any(track.types.strides)
            found.setdefault((id(track.times), -1 if even else id(track.types)), (track.times, track.types))
    if not found:
        return Poses(np.zeros(0), np.zeros(0, np.uint8))
    times = np.concatenate([row[0] for row in found.values()])
    types = np.concatenate([row[1] for row in found.values()])
    seen = types != KeyType.INBETWEEN
    times, types = times[seen], types[seen]
    ranks = np.zeros(len(KeyType), dtype=np.int64)
    ranks[[int(kind) for kind in RANKS]] = np.arange(len(RANKS))
    order = np.lexsort((-ranks[types], np.round(times / TIME_EPSILON)))
    times, types = times[order], types[order]
    first = np.ones(len(times), dtype=bool)
    first[1:] = np.diff(times) >= TIME_EPSILON
    return Poses(times[first], types[first])


def pose_tracks(clip: Clip) -> dict[Channel, Track]:
    """Tracks of bones and morphs; named curves (contacts, which graphs read) are no part of a pose."""
    return {c: track for c, track in all_tracks(clip).items() if c.kind is not ChannelKind.CURVE}


def keys_at_pose(
    clip: Clip, time: float, channels: Iterable[Channel] | None = None, still: Collection[str] = ()
) -> dict[Channel, npt.NDArray[np.int64]]:
    """Keys at a time, by channel.

    Parameters
    ----------
    channels : None is all of `pose_tracks`
    still : bones whose keys are left out (locked ones)
    """
    tracks, found = pose_tracks(clip), {}
    for channel in tracks if channels is None else channels:
        track = tracks.get(channel)
        place = None if track is None else edits.key_at(track, time)
        if place is not None and not (channel.is_bone and channel.bone in still):
            found[channel] = np.array([place], dtype=np.int64)
    return found


def with_poses_at(
    clip: Clip, moves: Mapping[float, float], still: Collection[str] = (), on_frames: bool = False
) -> Clip:
    """Poses put at other times all at once; breakdowns and in-betweens beside them keep their proportion.

    Keys that are in the way of a pose, and do not move themselves, give in.

    Parameters
    ----------
    moves : time of a pose → its new time, seconds
    still : bones whose keys stay
    on_frames : whether these go to the nearest frame; else they keep their exact proportion

    Raises
    ------
    ValidationError
        A time is not finite.
    """
    if not np.isfinite([*moves, *moves.values()]).all():
        raise ValidationError("poses: expected finite times")
    pairs = sorted(moves.items())
    goals = [new for _, new in pairs]
    along: tuple[KeyType, ...] = (KeyType.BREAKDOWN,)
    if goals == sorted(goals):  # where poses change places, in-betweens of a segment have none to go to
        along += (KeyType.INBETWEEN,)
    loop, arranger = loop_length(clip), edits.Arranger(None, clip.rate.snap if on_frames else None, along)
    changes: dict[Channel, Track | None] = {}
    for channel, track in counted(pose_tracks(clip).items()):
        if channel.is_bone and channel.bone in still:
            continue
        found = [(place, new) for old, new in pairs if (place := edits.key_at(track, old)) is not None]
        if found:
            keys, goal = [place for place, _ in found], [new for _, new in found]
            whole: Any = track
            changes[channel] = edits.place_keys(whole, keys, goal, None, loop, arranger).track
    return _linked(clip, with_tracks(clip, changes), changes)


def with_poses_swapped(clip: Clip, first: float, second: float, still: Collection[str] = ()) -> Clip:
    """Two poses change places: every track's keys at the one time go to the other; their types go along."""
    return with_poses_at(clip, {first: second, second: first}, still)


def with_pose_copied(
    clip: Clip, source: float, goal: float, kind: KeyType | None = None, still: Collection[str] = ()
) -> Clip:
    """The keys of a pose once more at another time, with their tangents; keys in the way give in.

    Parameters
    ----------
    kind : type of the copies; None is that of the originals

    Raises
    ------
    ValidationError
        No key is at the source, or a time is not finite.
    """
    if not np.isfinite([source, goal]).all():
        raise ValidationError("poses: expected finite times")
    keys = keys_at_pose(clip, source, None, still)
    if not keys:
        raise ValidationError(
            f"there is no pose at frame {clip.rate.to_frame(source):.4g}: choose one with keys"
        )
    changes: dict[Channel, Track | None] = {}
    for channel, numbers in counted(keys.items()):
        changes[channel] = _copied(clip, channel, int(numbers[0]), goal, kind)
    return _linked(clip, with_tracks(clip, changes), changes)


def _copied(clip: Clip, channel: Channel, key: int, goal: float, kind: KeyType | None) -> Track:
    track: Any = track_of(clip, channel)
    loop = loop_length(clip)
    there = edits.key_at(track, goal)
    if there == key:
        return track if kind is None else with_type(track, [key], kind)  # type: ignore[no-any-return]
    row = {name: getattr(track, name)[key] for name in columns(track)} | {"times": goal}
    if kind is not None:
        row["types"] = int(kind)
    if there is not None:
        track = edits.delete_keys(track, [there], loop)
    place = int(np.searchsorted(track.times, goal))
    made: Any = splits.inserted(track, place, row)
    return edits.refreshed(made, [place], loop) if isinstance(made, ScalarTrack) else made


def _linked(before: Clip, after: Clip, changes: Mapping[Channel, Track | None]) -> Clip:
    """First and last keys of a loop that were one stay so."""
    return keep_linked(before, after, {c: None for c in changes if c.is_bone}) if after.looping else after


def held_time(poses: FloatArray, time: float) -> float:
    """Time of the pose that is held at a time: the last one that is not later, else the first one."""
    if not len(poses):
        return time
    place = int(np.searchsorted(poses, time + TIME_EPSILON, side="right")) - 1
    return float(poses[max(place, 0)])
