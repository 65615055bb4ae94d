"""Types of keys as plain JSON: a column that no other program's format has."""

from typing import Any

import numpy as np

from core.clips.channels import all_tracks, with_tracks
from core.clips.clip import Channel, ChannelKind, Clip, Property
from core.errors import ValidationError
from core.tracks.key_types import TYPE_NAMES, KeyType
from core.tracks.keys import Track
from core.tracks.typed import NEAR, typed_at, with_types

MOST = 1_000_000


def types_told(clip: Clip) -> list[dict[str, Any]]:
    """Keys that are not plain ones, by time; channels with the same ones share an entry. Empty without any.

    Named curves are left out: their whole tracks are told.
    """
    groups: dict[tuple[bytes, bytes], tuple[list[list[Any]], Track]] = {}
    for channel, track in all_tracks(clip).items():
        if track.types.any() and channel.kind is not ChannelKind.CURVE:
            marked = np.flatnonzero(track.types)
            key = track.times[marked].tobytes(), track.types[marked].tobytes()
            channels = groups.setdefault(key, ([], track))[0]
            kind = channel.kind.name.lower()
            channels.append([kind, channel.name, channel.property.name.lower(), int(channel.axis)])
    return [
        {
            "channels": channels,
            "times": track.times[track.types > 0].tolist(),
            "types": [KeyType(int(code)).name.lower() for code in track.types[track.types > 0]],
        }
        for channels, track in groups.values()
    ]


def with_types_told(clip: Clip, told: Any) -> Clip:
    """The clip with what `types_told` gave.

    A format may key a property on all axes where one had keys, or as a quaternion: then the keys of the whole property
    get the types. Times without a key (where curves were fitted) are left out.

    Raises
    ------
    ValidationError, KeyError, TypeError, ValueError
        It is not what `types_told` gives.
    """
    exact: list[tuple[Channel, Any]] = []
    for entry in told:
        times = np.array(entry["times"], dtype=np.float64)
        types = np.array([int(TYPE_NAMES[str(name)]) for name in entry["types"]], dtype=np.uint8)
        if times.ndim != 1 or len(times) != len(types) or len(times) > MOST or not np.isfinite(times).all():
            raise ValidationError("key types: expected as many types as finite times")
        for kind, name, part, axis in entry["channels"]:
            channel = Channel(
                str(name), Property[str(part).upper()], int(axis), ChannelKind[str(kind).upper()]
            )
            exact.append((channel, (times, types)))
    tracks = all_tracks(clip)
    whole = [(channel, row) for channel, row in exact if channel not in tracks]
    by_part = {(channel.bone, channel.property, channel.kind): row for channel, row in whole}
    found: dict[Channel, Track | None] = {}
    for channel, track in tracks.items():
        row = by_part.get((channel.bone, channel.property, channel.kind))
        if row is not None:
            found[channel] = with_types(track, typed_at(track, row[0], row[1], NEAR))
    for channel, row in exact:
        if channel in tracks:
            track = tracks[channel]
            found[channel] = with_types(track, typed_at(track, row[0], row[1], NEAR))
    return with_tracks(clip, found)
