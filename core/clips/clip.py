"""Clips: tracks by channel, named curves, notifies, and how the clip plays."""

import builtins
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum, StrEnum
from typing import NamedTuple

from core.arrays import frozen_mapping
from core.errors import ValidationError
from core.ids import AssetId, Reference, Targets, redirected
from core.rig.rig import Animation, Rig
from core.timing import FrameRate
from core.tracks.keys import QuaternionTrack, ScalarTrack, Track


class Property(IntEnum):
    """Part of a bone's local transform."""

    TRANSLATE = 0
    ROTATE = 1
    SCALE = 2


WHOLE = 3
"""Axis number of a channel that holds a whole rotation (quaternion keys)."""


class ChannelKind(IntEnum):
    """What a channel belongs to: a bone, or one of the clip's named float curves or morph weights."""

    BONE = 0
    CURVE = 1
    MORPH = 2


class Channel(NamedTuple):
    """What a track drives: a bone's property along one axis (0, 1, 2), or its whole rotation (`WHOLE`).

    Rotation channels along an axis are Euler angles in degrees, in the bone's own order
    (`Skeleton.euler_orders`). A bone's rotation is either Euler or quaternion, never both.

    Named float curves and morph weights are channels of other kinds, so that one selection of keys holds them
    all: the name alone tells which; property and axis say nothing.
    """

    bone: str
    property: Property
    axis: int
    kind: ChannelKind = ChannelKind.BONE

    @builtins.property
    def name(self) -> str:
        """Of the bone, the curve or the morph."""
        return self.bone

    @builtins.property
    def is_bone(self) -> bool:
        """Whether it belongs to a bone."""
        return self.kind == ChannelKind.BONE


def channel_label(channel: Channel) -> str:
    """How a channel is written in the interface, such as ``hand_l rotate x``."""
    axis = "quaternion" if channel.axis == WHOLE else "xyz"[channel.axis]
    return f"{channel.bone} {channel.property.name.lower()} {axis}"


@dataclass(frozen=True, slots=True)
class NotifyRule:
    """When a notify counts in an animation graph (spec: graph, Notifies).

    Parameters
    ----------
    threshold : absolute weight of its player, 0..1, from which on it fires
    on_follower : it fires where its player follows in a sync group, too
    branching : in a montage it cuts the step at its moment; what it starts acts there
    condition : expression; while it is false a notify with a duration does not run
    blend_out : seconds in which an end by the condition fades its montage out; None lets that play on

    Raises
    ------
    ValidationError
        A threshold outside 0..1, or a blend-out that is negative or not finite.
    """

    threshold: float = 0.0
    on_follower: bool = False
    branching: bool = False
    condition: str = ""
    blend_out: float | None = None

    def __post_init__(self) -> None:
        if not 0.0 <= self.threshold <= 1.0:
            raise ValidationError(f"notify: expected a threshold of 0 to 1, got {self.threshold}")
        if self.blend_out is not None and not 0.0 <= self.blend_out < 1e7:
            raise ValidationError(f"notify: expected a blend-out of 0 s or more, got {self.blend_out}")


@dataclass(frozen=True, slots=True)
class Notify:
    """A named event at a time, lasting `duration` seconds (0 for a moment).

    Parameters
    ----------
    data : what it carries, as text; see `NotifyType`
    lane : the lane of the timeline on which it lies, "" being the first
    """

    name: str
    time: float
    duration: float = 0.0
    data: Mapping[str, str] = field(default_factory=dict)
    rule: NotifyRule = field(default_factory=NotifyRule)
    lane: str = ""


@dataclass(frozen=True, slots=True)
class SyncMarker:
    """A phase of a cycle (``left_down``) by which clips align when they blend."""

    name: str
    time: float


@dataclass(frozen=True, slots=True)
class Marker:
    """A note on the timeline, to name and to snap to."""

    name: str
    time: float


class AdditiveSpace(StrEnum):
    """Where an additive clip's difference is taken."""

    LOCAL = "local"
    MODEL = "model"


class AdditiveBase(StrEnum):
    """What an additive clip is a difference from."""

    REST = "rest"
    FIRST_FRAME = "first_frame"
    FRAME = "frame"
    CLIP = "clip"


@dataclass(frozen=True, slots=True)
class Additive:
    """Declares a clip additive (spec: blending, Additive clips)."""

    space: AdditiveSpace
    base: AdditiveBase = AdditiveBase.REST
    base_clip: AssetId | None = None
    base_time: float = 0.0


class RootPose(StrEnum):
    """Where the root stays in the pose once its motion is taken out."""

    REST = "rest"
    FIRST_FRAME = "first_frame"
    ZERO = "zero"


@dataclass(frozen=True, slots=True)
class RootMotion:
    """How the root bone's motion is handed to the character (spec: evaluation, Root motion).

    Parameters
    ----------
    enabled : whether it is taken out at all
    bone : root bone's name; None is the skeleton's first root
    ground, height, yaw : which parts are taken out
    pose : what stays in the pose
    """

    enabled: bool = False
    bone: str | None = None
    ground: bool = True
    height: bool = False
    yaw: bool = True
    pose: RootPose = RootPose.FIRST_FRAME


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Clip(Animation):
    """Motion for one rig. An asset of the project.

    Parameters
    ----------
    rig : id of the rig it was made for
    length : seconds, ≥ 0
    tracks : channel → track; a channel without one takes its value from the rest pose. Channels
        of bones that the rig lacks are kept and left out of evaluation
    curves : name → scalar track of a float curve
    morphs : ``mesh/target`` → scalar track of a morph weight
    event_colors : name of sync markers, or of a curve of contacts → the colour (``#rrggbb``) a person gave them;
        that of a notify is among its own data

    Raises
    ------
    ValidationError
        Length negative or not finite; a quaternion track on a scalar channel or the reverse; a
        bone with Euler and quaternion rotation tracks at once.
    """

    id: AssetId
    name: str
    rig: AssetId
    length: float
    rate: FrameRate = field(default_factory=lambda: FrameRate.of(30))
    looping: bool = False
    tracks: Mapping[Channel, Track] = field(default_factory=dict)
    curves: Mapping[str, ScalarTrack] = field(default_factory=dict)
    morphs: Mapping[str, ScalarTrack] = field(default_factory=dict)
    notifies: tuple[Notify, ...] = ()
    sync_markers: tuple[SyncMarker, ...] = ()
    markers: tuple[Marker, ...] = ()
    additive: Additive | None = None
    root_motion: RootMotion = RootMotion()
    retarget_source: str | None = None
    event_colors: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not 0.0 <= self.length < 1e7:
            raise ValidationError(f"clip {self.name!r}: expected a length of 0 s or more, got {self.length}")
        for name in ("tracks", "curves", "morphs", "event_colors"):
            object.__setattr__(self, name, frozen_mapping(getattr(self, name)))
        for channel, track in self.tracks.items():
            if (channel.axis == WHOLE) != isinstance(track, QuaternionTrack) or (
                channel.axis == WHOLE and channel.property is not Property.ROTATE
            ):
                raise ValidationError(
                    f"clip {self.name!r}: {channel_label(channel)} cannot hold a {type(track).__name__}"
                )
            if channel.axis == WHOLE and any(
                Channel(channel.bone, Property.ROTATE, a) in self.tracks for a in range(3)
            ):
                raise ValidationError(
                    f"clip {self.name!r}: bone {channel.bone!r} has Euler and quaternion rotation tracks"
                )

    def references(self) -> tuple[Reference, ...]:
        """The assets it names: its rig, and the clip that it is a difference from."""
        rig = Reference(self.rig, Rig, "rig")
        if self.additive is None or not self.additive.base_clip:
            return (rig,)
        return rig, Reference(self.additive.base_clip, Clip, "base clip")

    def with_targets(self, targets: Targets) -> "Clip | None":
        """The same with references redirected (see `Asset.with_targets`).

        None where its rig is gone; where the base clip is, it is a difference from the rest pose.
        """
        rig, additive = redirected(self.rig, targets), self.additive
        if rig is None:
            return None
        if additive is not None and additive.base_clip:
            base = redirected(additive.base_clip, targets)
            kind = additive.base if base or additive.base is not AdditiveBase.CLIP else AdditiveBase.REST
            additive = replace(additive, base=kind, base_clip=base)
        return replace(self, rig=rig, additive=additive)

    @property
    def frames(self) -> float:
        """Length in frames."""
        return self.rate.to_frame(self.length)

    def bones(self) -> tuple[str, ...]:
        """Names of the bones that have a track, in the order first met."""
        return tuple(dict.fromkeys(channel.bone for channel in self.tracks))

    def scalar(self, channel: Channel) -> ScalarTrack | None:
        """The scalar track of a channel, or None."""
        track = self.tracks.get(channel)
        return track if isinstance(track, ScalarTrack) else None

    def rotation(self, bone: str) -> QuaternionTrack | None:
        """A bone's quaternion track, or None."""
        track = self.tracks.get(Channel(bone, Property.ROTATE, WHOLE))
        return track if isinstance(track, QuaternionTrack) else None

    def with_tracks(self, changes: Mapping[Channel, Track | None]) -> "Clip":
        """The clip with tracks put in place, or removed where None; unchanged ones are shared."""
        tracks = dict(self.tracks)
        for channel, track in changes.items():
            if track is None:
                tracks.pop(channel, None)
            else:
                tracks[channel] = track
        return replace(self, tracks=tracks)

    def last_key(self) -> float:
        """Time of the last key of any track or curve, 0 without keys."""
        return max((float(t.times[-1]) for t in self.every_track()), default=0.0)

    def every_track(self) -> Iterable[Track]:
        """Tracks of bones, curves and morphs."""
        yield from self.tracks.values()
        yield from self.curves.values()
        yield from self.morphs.values()
