"""Lanes: the curves that the curve editor shows. One a scalar channel, three a quaternion channel.

Named float curves and morph curves are addressed by channels too, whose axis is below zero, so that
one selection of keys holds them all. Free of Qt.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray
from core.clips.channels import with_tracks as with_tracks
from core.clips.clip import WHOLE, Channel, ChannelKind, Clip, Property
from core.clips.keying import loop_length
from core.math import quat
from core.rig.skeleton import Skeleton
from core.tracks.components import Reading, to_angles
from core.tracks.evaluate import evaluate_quaternion
from core.tracks.keys import Interpolation, QuaternionTrack, ScalarTrack, Track
from core.tracks.reduce import between, is_sampled
from editor.model.channels import PROPERTY_NAMES
from editor.model.channels import curve_channel as curve_channel
from editor.model.channels import morph_channel as morph_channel
from editor.model.channels import track_of as track_of
from editor.model.i18n import tr

LETTER = ("X", "Y", "Z")
UNIT = {Property.TRANSLATE: "m", Property.ROTATE: "°", Property.SCALE: "×"}


class Lane(NamedTuple):
    """One curve: a channel, and of a quaternion channel which of its three angles."""

    channel: Channel
    part: int = 0

    @property
    def axis(self) -> int:
        """0, 1, 2 for x, y, z; −1 for what has no axis."""
        if self.channel.axis == WHOLE:
            return self.part
        return self.channel.axis if self.channel.is_bone else -1

    @property
    def is_extra(self) -> bool:
        """Whether it stands beside the bones."""
        return not self.channel.is_bone

    @property
    def is_angle(self) -> bool:
        """Whether it is an angle of a quaternion track."""
        return self.channel.axis == WHOLE

    @property
    def unit(self) -> str:
        """Of its values."""
        return "" if self.is_extra else UNIT[self.channel.property]

    @property
    def name(self) -> str:
        """Within its group, such as ``Rotate X``."""
        if self.is_extra:
            return self.channel.name
        suffix = " quat" if self.is_angle else ""
        return f"{PROPERTY_NAMES[self.channel.property]} {LETTER[self.axis]}{suffix}"

    @property
    def group(self) -> str:
        """What it belongs to."""
        if self.channel.kind is ChannelKind.CURVE:
            return tr("Curves")
        return tr("Morphs") if self.channel.kind is ChannelKind.MORPH else self.channel.name


def channels_of(clip: Clip, bones: Iterable[str] | None) -> list[Channel]:
    """Channels with a track: those of bones (None: of all), in order, then curves, then morphs."""
    wanted = None if bones is None else list(bones)
    if wanted is None:
        found = list(clip.tracks)
    else:
        by_bone: dict[str, list[Channel]] = {bone: [] for bone in wanted}
        for channel in clip.tracks:
            if channel.bone in by_bone:
                by_bone[channel.bone].append(channel)
        found = [c for row in by_bone.values() for c in sorted(row, key=lambda c: (c.property, c.axis))]
    found += [curve_channel(name) for name in clip.curves]
    found += [morph_channel(name) for name in clip.morphs]
    return found


def lanes_of(channels: Iterable[Channel]) -> list[Lane]:
    """The lanes of channels."""
    return [Lane(c, part) for c in channels for part in (range(3) if c.axis == WHOLE else (0,))]


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """What a lane shows of a track.

    Parameters
    ----------
    values : ``(K,)`` at the keys
    line : times and values of a polyline, for what is no cubic of its own (angles of quaternions)
    """

    lane: Lane
    track: Track
    values: FloatArray
    line: tuple[FloatArray, FloatArray] | None = None

    @property
    def scalar(self) -> ScalarTrack | None:
        """The track where it is a scalar one."""
        return self.track if isinstance(self.track, ScalarTrack) else None


class CurveStore:
    """Curves by lane, kept until their track or the reading changes."""

    def __init__(self) -> None:
        self._curves: dict[Lane, Curve] = {}
        self._angles: dict[Channel, tuple[Track, Reading, FloatArray, FloatArray, FloatArray]] = {}
        self.reading = Reading.VECTOR

    def get(self, clip: Clip, lane: Lane, skeleton: Skeleton | None) -> Curve | None:
        """The curve of a lane; None where the clip has no such track."""
        track = track_of(clip, lane.channel)
        if track is None:
            return None
        known = self._curves.get(lane)
        if known is not None and known.track is track and (known.line is None or self._fresh(lane, track)):
            return known
        if isinstance(track, ScalarTrack):
            curve = Curve(lane, track, track.values)
        else:
            at_keys, times, angles = self._split(clip, lane.channel, track, skeleton)
            curve = Curve(lane, track, at_keys[:, lane.part], (times, angles[:, lane.part]))
        self._curves[lane] = curve
        return curve

    def _fresh(self, lane: Lane, track: Track) -> bool:
        held = self._angles.get(lane.channel)
        return held is not None and held[0] is track and held[1] is self.reading

    def _split(
        self, clip: Clip, channel: Channel, track: QuaternionTrack, skeleton: Skeleton | None
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        held = self._angles.get(channel)
        if held is not None and held[0] is track and held[1] is self.reading:
            return held[2], held[3], held[4]
        rest, axis = rest_of(skeleton, channel.bone)
        moving = bool((track.interpolations != Interpolation.CONSTANT).any())
        times = track.times if is_sampled(track) or not moving else between(track.times, PARTS)
        # At its own keys a track is what the keys say: motion capture needs no evaluating.
        shown = track.values if times is track.times else evaluate_quaternion(track, times, loop_length(clip))
        angles = to_angles(shown, rest, self.reading, axis)
        at_keys = angles if times is track.times else angles[np.searchsorted(times, track.times)]
        self._angles[channel] = (track, self.reading, at_keys, times, angles)
        return at_keys, times, angles


PARTS = tuple(n / 8.0 for n in range(1, 8))


def rest_of(skeleton: Skeleton | None, bone: str) -> tuple[FloatArray, int]:
    """A bone's rest rotation, and the axis along which it lies (its twist)."""
    index = skeleton.find(bone) if skeleton is not None else None
    if skeleton is None or index is None:
        return quat.IDENTITY, 1
    children = skeleton.children(index)
    along = skeleton.rest.translation[children[0]] if children else np.array([0.0, 1.0, 0.0])
    return skeleton.rest.rotation[index], int(np.argmax(np.abs(along)))
