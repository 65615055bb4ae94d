"""Channels of everything that has keys: named float curves and morph weights beside the bones."""

from collections.abc import Mapping

from core.clips.clip import Channel, ChannelKind, Clip, Property
from core.tracks.keys import Track
from editor.model.i18n import tr

PROPERTY_NAMES = {
    Property.TRANSLATE: tr("Translate"),
    Property.ROTATE: tr("Rotate"),
    Property.SCALE: tr("Scale"),
}
"""What the parts of a bone's transform are called in rows, curves and fields."""


def curve_channel(name: str) -> Channel:
    """The channel that stands for a named float curve."""
    return Channel(name, Property.TRANSLATE, 0, ChannelKind.CURVE)


def morph_channel(name: str) -> Channel:
    """The channel that stands for a morph weight."""
    return Channel(name, Property.TRANSLATE, 0, ChannelKind.MORPH)


def split_weights(values: Mapping[Channel, float]) -> tuple[dict[str, float], dict[str, float]]:
    """Values of named curves, and of morphs, by name."""
    curves = {c.name: float(v) for c, v in values.items() if c.kind is ChannelKind.CURVE}
    return curves, {c.name: float(v) for c, v in values.items() if c.kind is ChannelKind.MORPH}


def track_of(clip: Clip, channel: Channel) -> Track | None:
    """The track of a channel, extras too."""
    if channel.kind is ChannelKind.CURVE:
        return clip.curves.get(channel.name)
    if channel.kind is ChannelKind.MORPH:
        return clip.morphs.get(channel.name)
    return clip.tracks.get(channel)
