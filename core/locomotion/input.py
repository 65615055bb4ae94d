"""What the player asks of a character in one step, quantised so that it can be written down and given again."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from core.errors import ValidationError
from core.locomotion.dampers import wrap

STICK = 127
"""Parts of a full stick."""
VIEW = 100
"""Parts of a degree of view."""
STEEPEST = 89 * VIEW
LONGEST = 1.006
"""A stick's length up to which it is kept: rounding may take a full one that far."""


class Gait(IntEnum):
    """How fast: what is asked, and what is done."""

    WALK = 1
    RUN = 2
    SPRINT = 3


class RotationMode(IntEnum):
    """What the character faces: where it goes, roughly the view, the view."""

    VELOCITY = 0
    LOOKING = 1
    AIMING = 2


HARDEST = 20_000
"""Tenths of N·s that a part of a blow has at most."""


@dataclass(frozen=True, slots=True)
class Blow:
    """A blow on a bone in one step, in whole parts.

    Parameters
    ----------
    bone : name of the bone that is hit
    x, y, z : tenths of N·s in the world

    Raises
    ------
    ValidationError
        No bone, or a part beyond 2,000 N·s.
    """

    bone: str
    x: int
    y: int
    z: int

    def __post_init__(self) -> None:
        if not self.bone:
            raise ValidationError("blow: expected the name of a bone")
        for part in (self.x, self.y, self.z):
            if not -HARDEST <= part <= HARDEST:
                raise ValidationError(f"blow: expected {-HARDEST} to {HARDEST} tenths of N·s, got {part!r}")

    @classmethod
    def of(cls, bone: str, impulse: Sequence[float]) -> "Blow":
        """The nearest blow to plain numbers in N·s; what is not finite counts as 0."""
        parts = [round(10.0 * part) if math.isfinite(part) else 0 for part in impulse]
        x, y, z = (min(max(part, -HARDEST), HARDEST) for part in parts)
        return cls(bone, x, y, z)

    @property
    def impulse(self) -> tuple[float, float, float]:
        """N·s in the world."""
        return self.x / 10.0, self.y / 10.0, self.z / 10.0

    @property
    def size(self) -> float:
        """N·s."""
        return math.hypot(*self.impulse)


@dataclass(frozen=True, slots=True)
class Input:
    """One step's input in whole parts; `Input.of` makes it from plain numbers.

    Parameters
    ----------
    right, ahead : stick in the view's space, −127 to 127
    view_yaw : hundredths of a degree about +Y, positive to the left, above −18000 to 18000
    view_pitch : hundredths of a degree, positive up, −8900 to 8900
    gait : the fastest that is asked for
    mode : rotation mode
    jump, crouch, ragdoll : held down
    blow : one that hits the character in this step

    Raises
    ------
    ValidationError
        A number is out of its bounds.
    """

    right: int = 0
    ahead: int = 0
    view_yaw: int = 0
    view_pitch: int = 0
    gait: Gait = Gait.RUN
    mode: RotationMode = RotationMode.VELOCITY
    jump: bool = False
    crouch: bool = False
    ragdoll: bool = False
    blow: Blow | None = None

    def __post_init__(self) -> None:
        bounds = (
            ("right", -STICK, STICK), ("ahead", -STICK, STICK), ("view_yaw", -180 * VIEW + 1, 180 * VIEW),
            ("view_pitch", -STEEPEST, STEEPEST),
        )  # fmt: skip
        for name, low, high in bounds:
            value = getattr(self, name)
            if not low <= value <= high:
                raise ValidationError(f"input: {name}: expected {low} to {high}, got {value!r}")
        object.__setattr__(self, "gait", Gait(self.gait))
        object.__setattr__(self, "mode", RotationMode(self.mode))

    @classmethod
    def of(
        cls,
        move: tuple[float, float] = (0.0, 0.0),
        view_yaw: float = 0.0,
        view_pitch: float = 0.0,
        gait: Gait = Gait.RUN,
        mode: RotationMode = RotationMode.VELOCITY,
        *,
        jump: bool = False,
        crouch: bool = False,
        ragdoll: bool = False,
    ) -> "Input":
        """The nearest input to plain numbers; what is not finite counts as 0.

        Parameters
        ----------
        move : right and ahead as the view looks; a length above 1 is cut to 1
        view_yaw, view_pitch : degrees
        """
        right, ahead, yaw, pitch = (x if math.isfinite(x) else 0.0 for x in (*move, view_yaw, view_pitch))
        length = math.hypot(right, ahead)
        if length > LONGEST:
            right, ahead = right / length, ahead / length
        turned = round(wrap(yaw) * VIEW)
        return cls(
            min(max(round(right * STICK), -STICK), STICK),
            min(max(round(ahead * STICK), -STICK), STICK),
            turned + 360 * VIEW if turned <= -180 * VIEW else turned,
            min(max(round(pitch * VIEW), -STEEPEST), STEEPEST),
            gait,
            mode,
            jump,
            crouch,
            ragdoll,
        )

    @property
    def move(self) -> tuple[float, float]:
        """Right and ahead as the view looks, in shares of a full stick."""
        return self.right / STICK, self.ahead / STICK

    @property
    def yaw(self) -> float:
        """Degrees of the view about +Y, positive to the left."""
        return self.view_yaw / VIEW

    @property
    def pitch(self) -> float:
        """Degrees of the view, positive up."""
        return self.view_pitch / VIEW

    @property
    def wish(self) -> tuple[float, float]:
        """Where to go in the world (x, z), 1 long at most."""
        right, ahead = self.move
        s, c = math.sin(math.radians(self.yaw)), math.cos(math.radians(self.yaw))
        x, z = ahead * s - right * c, ahead * c + right * s
        length = math.hypot(x, z)
        return (x / length, z / length) if length > 1.0 else (x, z)
