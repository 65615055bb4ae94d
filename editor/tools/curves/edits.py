"""Edits of keys that only the curve editor makes: modes, segments, values, slopes; pure functions of a clip.

Scalar channels, named curves and morphs, and the angles of quaternion channels alike. What every panel over
time does with keys is in `editor.tools.key_edits`.
"""

from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np

from core.clips.clip import Channel, Clip
from core.clips.keying import loop_length
from core.progress import counted
from core.tracks import edits
from core.tracks.keys import Interpolation, QuaternionTrack, ScalarTrack, TangentMode, Track
from core.tracks.tangents import WHOLE_SEGMENTS
from editor.tools.curves.lanes import track_of, with_tracks
from editor.tools.curves.reader import Reader
from editor.tools.key_edits import Edited, Keys, Numbers, kept_linked, known

OneByOne = Callable[[float], float]
ScalarChange = Callable[[ScalarTrack, Numbers, float | None], ScalarTrack | None]


def changed(clip: Clip, keys: Keys, change: ScalarChange) -> Clip:
    """Apply a function to the scalar tracks among the keys' channels."""
    loop = loop_length(clip)
    changes: dict[Channel, Track | None] = {}
    for channel, numbers in counted(known(clip, keys).items()):
        track = track_of(clip, channel)
        if isinstance(track, ScalarTrack):
            changes[channel] = change(track, numbers, loop)
    return kept_linked(clip, with_tracks(clip, changes), changes)


def with_mode(clip: Clip, keys: Keys, mode: TangentMode) -> Clip:
    """Give keys a tangent mode; quaternion keys get the interpolation that comes nearest."""
    result = changed(clip, keys, lambda track, numbers, loop: edits.set_mode(track, numbers, mode, loop))
    whole = {c: k for c, k in keys.items() if isinstance(track_of(clip, c), QuaternionTrack)}
    return with_kind(result, whole, WHOLE_SEGMENTS.get(mode, Interpolation.CUBIC)) if whole else result


def with_kind(clip: Clip, keys: Keys, kind: Interpolation) -> Clip:
    """Let the segments that start at keys be constant, linear or cubic."""
    loop = loop_length(clip)
    changes: dict[Channel, Track | None] = {
        channel: edits.set_interpolation(cast(Any, track_of(clip, channel)), numbers, kind, loop)
        for channel, numbers in counted(known(clip, keys).items())
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
    return kept_linked(clip, with_tracks(clip, changes), changes)


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
    return kept_linked(clip, with_tracks(clip, changes), changes)


def inserted(clip: Clip, channel: Channel, time: float) -> Edited:
    """Put a key on a curve without changing its shape."""
    track: Any = track_of(clip, channel)
    if track is None:
        return Edited(clip, {})
    new = edits.insert_key(track, time, loop_length(clip))
    place = edits.key_at(new, time)
    keys = {} if place is None else {channel: np.array([place])}
    return Edited(with_tracks(clip, {channel: new}), keys)
