"""Types of a clip's keys: set, found and counted; no motion changes."""

from collections.abc import Collection, Iterable, Mapping

import numpy as np
import numpy.typing as npt

from core.clips.channels import track_of, with_tracks
from core.clips.clip import Channel, Clip
from core.tracks.key_types import KeyType
from core.tracks.keys import Track
from core.tracks.typed import keys_of_types, with_type

Keys = Mapping[Channel, npt.NDArray[np.int64]]


def with_key_type(clip: Clip, keys: Keys, kind: KeyType) -> Clip:
    """The clip with keys of a type; the very clip where they are of it already."""
    changes: dict[Channel, Track | None] = {}
    for channel, numbers in keys.items():
        track = track_of(clip, channel)
        if track is not None:
            changes[channel] = with_type(track, numbers, kind)
    return with_tracks(clip, changes)


def keys_of(
    clip: Clip, channels: Iterable[Channel], kinds: Collection[KeyType]
) -> dict[Channel, npt.NDArray[np.int64]]:
    """Keys of channels that are of one of these types, by channel; channels without any are left out."""
    found: dict[Channel, npt.NDArray[np.int64]] = {}
    for channel in channels:
        track = track_of(clip, channel)
        numbers = keys_of_types(track, kinds) if track is not None else ()
        if len(numbers):
            found[channel] = np.asarray(numbers, dtype=np.int64)
    return found


def type_counts(clip: Clip) -> dict[KeyType, int]:
    """How many keys of each type the clip has, on all its tracks."""
    total = np.zeros(len(KeyType), dtype=np.int64)
    for track in clip.every_track():
        total += np.bincount(track.types, minlength=len(KeyType))
    return {kind: int(total[kind]) for kind in KeyType}
