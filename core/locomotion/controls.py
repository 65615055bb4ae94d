"""What keys, mouse and gamepad mean: from what is held to the input of a step (spec: locomotion, *Input*).

No window and no device has a part in it: the host tells what is held, and how far sticks and mouse went.
"""

import math
from dataclasses import dataclass
from enum import StrEnum

from core.locomotion.dampers import clamp, wrap
from core.locomotion.input import Gait, Input, RotationMode
from core.locomotion.setup import H

DEAD = 0.15
"""Share of a stick that counts as let go."""
VIEW_RATE = 180.0
"""Degrees a second of a full view stick."""
STEEPEST = 89.0


class Key(StrEnum):
    """What can be held or pressed."""

    AHEAD = "ahead"
    BACK = "back"
    LEFT = "left"
    RIGHT = "right"
    WALK = "walk"
    SPRINT = "sprint"
    JUMP = "jump"
    CROUCH = "crouch"
    RAGDOLL = "ragdoll"
    VELOCITY = "velocity"
    LOOKING = "looking"
    AIM = "aim"


@dataclass(frozen=True, slots=True)
class Controls:
    """What is remembered from step to step.

    Parameters
    ----------
    yaw, pitch : degrees of the view
    walking, crouching : toggled
    mode : rotation mode while the aim is not held
    held : keys of the last step, to tell presses
    """

    yaw: float = 0.0
    pitch: float = 0.0
    walking: bool = False
    crouching: bool = False
    mode: RotationMode = RotationMode.VELOCITY
    held: frozenset[Key] = frozenset()


@dataclass(frozen=True, slots=True)
class Sticks:
    """Axes of a gamepad, −1 to 1, right and up positive, and the mouse's way in degrees since the last step."""

    move: tuple[float, float] = (0.0, 0.0)
    view: tuple[float, float] = (0.0, 0.0)
    mouse: tuple[float, float] = (0.0, 0.0)


def stick(x: float, y: float, dead: float = DEAD) -> tuple[float, float]:
    """A stick without its dead zone, rescaled so that it begins at 0; 1 long at most."""
    length = math.hypot(x, y)
    if not dead < length:  # NaN compares false
        return 0.0, 0.0
    share = min((length - dead) / (1.0 - dead), 1.0) / length
    return x * share, y * share


def controlled(before: Controls, held: frozenset[Key], sticks: Sticks) -> tuple[Controls, Input]:
    """What is remembered, and the input, of the next step.

    Walk and crouch toggle when they are pressed, and so do the rotation modes; sprint, aim, jump and ragdoll count
    while they are held. A stick beyond its dead zone counts before keys.
    """
    pressed = held - before.held
    mode = before.mode
    if Key.VELOCITY in pressed:
        mode = RotationMode.VELOCITY
    elif Key.LOOKING in pressed:
        mode = RotationMode.LOOKING
    turn, rise = stick(*sticks.view)
    size = math.hypot(turn, rise)
    yaw = wrap(before.yaw - VIEW_RATE * turn * size * H - _finite(sticks.mouse[0]))
    pitch = clamp(before.pitch + VIEW_RATE * rise * size * H + _finite(sticks.mouse[1]), -STEEPEST, STEEPEST)
    after = Controls(
        yaw,
        pitch,
        before.walking != (Key.WALK in pressed),
        before.crouching != (Key.CROUCH in pressed),
        mode,
        held,
    )
    move = stick(*sticks.move)
    if move == (0.0, 0.0):
        move = (
            float((Key.RIGHT in held) - (Key.LEFT in held)),
            float((Key.AHEAD in held) - (Key.BACK in held)),
        )
    gait = Gait.SPRINT if Key.SPRINT in held else (Gait.WALK if after.walking else Gait.RUN)
    given = Input.of(
        move,
        yaw,
        pitch,
        gait,
        RotationMode.AIMING if Key.AIM in held else mode,
        jump=Key.JUMP in held,
        crouch=after.crouching,
        ragdoll=Key.RAGDOLL in held,
    )
    return after, given


def _finite(x: float) -> float:
    return x if math.isfinite(x) else 0.0
