"""The state of a controller between two steps: one frozen value."""

import math
import struct
from dataclasses import dataclass, fields, replace
from enum import IntEnum
from typing import Any

from core.locomotion.dampers import clamp, lerp, wrap
from core.locomotion.input import Gait, RotationMode
from core.locomotion.setup import H

Place = tuple[float, float, float]
Flat = tuple[float, float]

LONG = 1_000_000
"""Steps at which clocks stop counting."""


class Hips(IntEnum):
    """The set of clips that moving uses: which way the hips face against the travel."""

    AHEAD = 0
    BACK = 1
    LEFT = 2
    RIGHT = 3


@dataclass(frozen=True, slots=True)
class State:
    """Where a character is, how it moves, and what its clocks say.

    Places in metres, velocities in m/s, yaws in degrees about +Y (positive to the left), clocks in steps of 1/60 s.

    Parameters
    ----------
    step : how many were made
    position : the capsule's lowest point
    velocity : on ground its vertical part is 0
    acceleration : change of the horizontal velocity in this step, (x, z), m/s²
    wish : where the input asks to go, (x, z), 1 long at most
    yaw : of the character; `smooth_yaw` is the goal that moves at a constant rate, `target_yaw` what that follows
    yaw_speed : degrees a second
    view_yaw, view_pitch : of the view
    view_speed : degrees a second that the view turns, 0 or more
    gait : what is done; `allowed` the fastest that the input and the circumstances admit
    gait_amount : 0 to 3 over the speed
    mode : rotation mode
    crouching, in_air, moving : flags
    jumped : whether the time in the air began with a jump
    hips : the present set; `set_weights` of ahead, back, left, right follow it
    ground_normal, ground_piece : of the ground stood on last; piece −1 in the air
    impact : m/s downward at the last landing
    moving_for, air_for, ground_for : steps since `moving` changed, since the ground was left, since the landing
    jump_left : steps that a jump is still kept
    jump_held : whether the last input held it
    root_height : metres at which the pose's root is to be shown: the ground averaged along the way, so that stairs
        are a ramp (`core.locomotion.root`); `root_offset` and `root_drift` (m/s) are what of it is still to go
    way_yaw : of the last travel
    safe : the last place on walkable ground
    returned : how often it was put back there from below the terrain
    """

    step: int = 0
    position: Place = (0.0, 0.0, 0.0)
    velocity: Place = (0.0, 0.0, 0.0)
    acceleration: Flat = (0.0, 0.0)
    wish: Flat = (0.0, 0.0)
    yaw: float = 0.0
    smooth_yaw: float = 0.0
    target_yaw: float = 0.0
    yaw_speed: float = 0.0
    view_yaw: float = 0.0
    view_pitch: float = 0.0
    view_speed: float = 0.0
    gait: Gait = Gait.WALK
    allowed: Gait = Gait.RUN
    gait_amount: float = 0.0
    mode: RotationMode = RotationMode.VELOCITY
    crouching: bool = False
    in_air: bool = False
    moving: bool = False
    jumped: bool = False
    hips: Hips = Hips.AHEAD
    set_weights: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    ground_normal: Place = (0.0, 1.0, 0.0)
    ground_piece: int = -1
    impact: float = 0.0
    moving_for: int = LONG
    air_for: int = 0
    ground_for: int = LONG
    jump_left: int = 0
    jump_held: bool = False
    root_height: float = 0.0
    root_offset: float = 0.0
    root_drift: float = 0.0
    way_yaw: float = 0.0
    safe: Place = (0.0, 0.0, 0.0)
    returned: int = 0

    @property
    def time(self) -> float:
        """Seconds since the start."""
        return self.step * H

    @property
    def root(self) -> Place:
        """Where the pose's root is to be shown: the position at `root_height`."""
        return self.position[0], self.root_height, self.position[2]

    @property
    def speed(self) -> float:
        """Horizontal, m/s."""
        return math.hypot(self.velocity[0], self.velocity[2])

    @property
    def travel_yaw(self) -> float:
        """Yaw of the horizontal velocity; of the character where it stands."""
        x, _, z = self.velocity
        return math.degrees(math.atan2(x, z)) if x or z else self.yaw

    @property
    def direction(self) -> float:
        """Degrees of travel from straight ahead of the character, positive to the right."""
        return -wrap(self.travel_yaw - self.yaw)

    @property
    def aim_yaw(self) -> float:
        """Degrees of the view from straight ahead of the character, positive to the right."""
        return -wrap(self.view_yaw - self.yaw)

    @property
    def gait_value(self) -> float:
        """The gait amount within [1, 3]: all that animation knows of speed."""
        return clamp(self.gait_amount, 1.0, 3.0)

    @property
    def local_velocity(self) -> Flat:
        """Horizontal velocity in the character's space: to the left and ahead, m/s."""
        return self._local(self.velocity[0], self.velocity[2])

    @property
    def local_acceleration(self) -> Flat:
        """Horizontal acceleration in the character's space: to the left and ahead, m/s²."""
        return self._local(*self.acceleration)

    def _local(self, x: float, z: float) -> Flat:
        s, c = math.sin(math.radians(self.yaw)), math.cos(math.radians(self.yaw))
        return c * x - s * z, s * x + c * z

    def to_bytes(self) -> bytes:
        """Every member in order, to compare two runs by."""
        return b"".join(_packed(getattr(self, member.name)) for member in fields(self))


def _packed(value: Any) -> bytes:
    if isinstance(value, tuple):
        return b"".join(_packed(part) for part in value)
    return struct.pack("<q", value) if isinstance(value, int) else struct.pack("<d", value)


def between(first: State, second: State, share: float) -> State:
    """What is displayed `share` of the way from one step to the next; flags and clocks are the second's."""
    if first.returned != second.returned:
        return second

    def mixed(a: tuple[float, ...], b: tuple[float, ...]) -> Any:
        return tuple(lerp(x, y, share) for x, y in zip(a, b, strict=True))

    def turned(a: float, b: float) -> float:
        return wrap(a + wrap(b - a) * share)

    return replace(
        second,
        position=mixed(first.position, second.position),
        velocity=mixed(first.velocity, second.velocity),
        acceleration=mixed(first.acceleration, second.acceleration),
        wish=mixed(first.wish, second.wish),
        yaw=turned(first.yaw, second.yaw),
        smooth_yaw=turned(first.smooth_yaw, second.smooth_yaw),
        target_yaw=turned(first.target_yaw, second.target_yaw),
        view_yaw=turned(first.view_yaw, second.view_yaw),
        view_pitch=lerp(first.view_pitch, second.view_pitch, share),
        root_height=lerp(first.root_height, second.root_height, share),
        gait_amount=lerp(first.gait_amount, second.gait_amount, share),
        set_weights=mixed(first.set_weights, second.set_weights),
    )
