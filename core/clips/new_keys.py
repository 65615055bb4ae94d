"""Tangents of new keys: as the curve has them, or by the user's choice."""

from enum import StrEnum
from typing import Any

from core.clips.channels import all_tracks, track_of, with_tracks
from core.clips.clip import Channel, Clip
from core.clips.keying import loop_length
from core.tracks import edits
from core.tracks.keys import Interpolation, ScalarTrack, TangentMode, Track
from core.tracks.tangents import WHOLE_SEGMENTS


class NewTangents(StrEnum):
    """What a key gets that is set where the curve has none.

    CURVE: as the key before it. FLAT_ENDS: auto, with flat first and last keys.
    """

    CURVE = "curve"
    AUTO = "auto"
    FLAT_ENDS = "flat_ends"
    CLAMPED = "clamped"
    LINEAR = "linear"
    STEPPED = "stepped"


MODES = {
    NewTangents.AUTO: TangentMode.AUTO,
    NewTangents.FLAT_ENDS: TangentMode.AUTO,
    NewTangents.CLAMPED: TangentMode.CLAMPED,
    NewTangents.LINEAR: TangentMode.LINEAR,
    NewTangents.STEPPED: TangentMode.STEPPED,
}
"""Tangent mode of each choice; `CURVE` has none of its own."""


def with_new_tangents(before: Clip, after: Clip, time: float, tangents: NewTangents) -> Clip:
    """An edited clip whose new keys at a time have the tangents of the user's choice.

    Keys that were there before keep theirs, and so do the segments on the other side of their neighbours.

    Parameters
    ----------
    before : the clip before the keys were set
    time : seconds of the new keys

    Returns
    -------
    Clip
        `after` itself where it has no new keys there, or the choice is to go on as the curve does.
    """
    mode = MODES.get(tangents)
    if mode is None or after is before:
        return after
    loop = loop_length(after)
    changes: dict[Channel, Track | None] = {}
    for channel, track in all_tracks(after).items():
        old = track_of(before, channel)
        if track is old or (old is not None and edits.key_at(old, time) is not None):
            continue
        place = edits.key_at(track, time)
        if place is not None:
            changes[channel] = _styled(track, place, mode, loop)
    return with_tracks(after, changes)


def _styled(track: Any, place: int, mode: TangentMode, loop: float | None) -> Track:
    if isinstance(track, ScalarTrack):
        return edits.set_mode(track, [place], mode, loop)
    code = WHOLE_SEGMENTS.get(mode, Interpolation.CUBIC)
    made: Track = (
        track if track.interpolations[place] == code else edits.set_interpolation(track, [place], code)
    )
    return made
