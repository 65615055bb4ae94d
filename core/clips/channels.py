"""Every track of a clip by channel: those of bones, named float curves and morph weights alike."""

from collections.abc import Mapping
from dataclasses import replace

from core.clips.clip import Channel, ChannelKind, Clip, Property
from core.tracks.keys import ScalarTrack, Track


def curve_channel(name: str) -> Channel:
    """The channel that stands for a named float curve."""
    return Channel(name, Property.TRANSLATE, 0, ChannelKind.CURVE)


def morph_channel(name: str) -> Channel:
    """The channel that stands for a morph weight."""
    return Channel(name, Property.TRANSLATE, 0, ChannelKind.MORPH)


def track_of(clip: Clip, channel: Channel) -> Track | None:
    """The track of a channel, extras too; None where there is none."""
    if channel.kind is ChannelKind.CURVE:
        return clip.curves.get(channel.name)
    if channel.kind is ChannelKind.MORPH:
        return clip.morphs.get(channel.name)
    return clip.tracks.get(channel)


def all_tracks(clip: Clip) -> dict[Channel, Track]:
    """Every track of a clip by channel: bones, then named curves, then morphs."""
    found: dict[Channel, Track] = dict(clip.tracks)
    found |= {curve_channel(name): track for name, track in clip.curves.items()}
    found |= {morph_channel(name): track for name, track in clip.morphs.items()}
    return found


def with_tracks(clip: Clip, changes: Mapping[Channel, Track | None]) -> Clip:
    """The clip with tracks in place of others (None removes), extras too; itself where nothing differs."""
    bones: dict[Channel, Track | None] = {}
    extras: dict[ChannelKind, dict[str, ScalarTrack]] = {}
    for channel, track in changes.items():
        if track is track_of(clip, channel):
            continue
        if channel.is_bone:
            bones[channel] = track
            continue
        own = clip.curves if channel.kind is ChannelKind.CURVE else clip.morphs
        held = extras.setdefault(channel.kind, dict(own))
        if isinstance(track, ScalarTrack):
            held[channel.name] = track
        else:
            held.pop(channel.name, None)
    result = clip.with_tracks(bones) if bones else clip
    if ChannelKind.CURVE in extras:
        result = replace(result, curves=extras[ChannelKind.CURVE])
    if ChannelKind.MORPH in extras:
        result = replace(result, morphs=extras[ChannelKind.MORPH])
    return result
