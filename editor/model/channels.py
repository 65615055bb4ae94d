"""Channels of everything that has keys: named float curves and morph weights beside the bones.

Their axis is below zero, so that one selection of keys holds them all.
"""

from collections.abc import Mapping

from core.clips.clip import Channel, Clip, Property
from core.tracks.keys import Track
from editor.model.i18n import tr

PROPERTY_NAMES = {
    Property.TRANSLATE: tr("Translate"),
    Property.ROTATE: tr("Rotate"),
    Property.SCALE: tr("Scale"),
}
"""What the parts of a bone's transform are called in rows, curves and fields."""
CURVE, MORPH = -1, -2
"""Axis numbers of channels that stand for a named float curve, and for a morph weight."""


def curve_channel(name: str) -> Channel:
    """The channel that stands for a named float curve."""
    return Channel(name, Property.TRANSLATE, CURVE)


def morph_channel(name: str) -> Channel:
    """The channel that stands for a morph weight."""
    return Channel(name, Property.TRANSLATE, MORPH)


def split_weights(values: Mapping[Channel, float]) -> tuple[dict[str, float], dict[str, float]]:
    """Values of named curves, and of morphs, by name."""
    curves = {c.bone: float(v) for c, v in values.items() if c.axis == CURVE}
    return curves, {c.bone: float(v) for c, v in values.items() if c.axis == MORPH}


def track_of(clip: Clip, channel: Channel) -> Track | None:
    """The track of a channel, extras too."""
    if channel.axis == CURVE:
        return clip.curves.get(channel.bone)
    if channel.axis == MORPH:
        return clip.morphs.get(channel.bone)
    return clip.tracks.get(channel)
