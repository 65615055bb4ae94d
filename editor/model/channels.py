"""Channels of everything that has keys: named float curves and morph weights beside the bones."""

from collections.abc import Mapping

from core.clips.channels import curve_channel as curve_channel
from core.clips.channels import morph_channel as morph_channel
from core.clips.channels import track_of as track_of
from core.clips.clip import Channel, ChannelKind, Property
from editor.model.i18n import tr

PROPERTY_NAMES = {
    Property.TRANSLATE: tr("Translate"),
    Property.ROTATE: tr("Rotate"),
    Property.SCALE: tr("Scale"),
}
"""What the parts of a bone's transform are called in rows, curves and fields."""


def split_weights(values: Mapping[Channel, float]) -> tuple[dict[str, float], dict[str, float]]:
    """Values of named curves, and of morphs, by name."""
    curves = {c.name: float(v) for c, v in values.items() if c.kind is ChannelKind.CURVE}
    return curves, {c.name: float(v) for c, v in values.items() if c.kind is ChannelKind.MORPH}
