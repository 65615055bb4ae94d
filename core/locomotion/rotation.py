"""How the character turns: a goal at a constant rate, then a damper toward it (spec: locomotion, *Rotation*)."""

from typing import NamedTuple

from core.locomotion.dampers import approach_angle, clamp, damp, damp_angle, lerp, table, wrap
from core.locomotion.input import Gait, RotationMode
from core.locomotion.setup import AMOUNTS, H, Setup
from core.locomotion.state import Hips

Weights = tuple[float, float, float, float]

QUICK_VIEW = 300.0
"""Degrees a second of view at which half-lives are a third."""
AIM_LIMIT = 70.0
"""Degrees from the view that aiming keeps."""
SET_HALF = 0.1
"""Half-life of the sets' weights, seconds."""
BORDER, KEPT = 90.0, 5.0
"""Degrees of direction between two sets, and how far a set is kept beyond."""
SIDE_BORDERS = (70.0, 110.0)
"""The same between four sets."""

_AHEAD = ((-180, -120, -90, -60, 0, 60, 90, 120, 180), (0, 60, 0, -60, 0, 60, 0, -60, 0))
_LEFT = ((-180, -135, -90, -45, 0, 45, 90, 135, 180), (0, -45, 0, 0, 0, -45, 0, 45, 0))
_RIGHT = ((-180, -135, -90, -45, 0, 45, 90, 135, 180), (0, -45, 0, 45, 0, 0, 0, 45, 0))
OFFSETS = (_AHEAD, _AHEAD, _LEFT, _RIGHT)
"""Degrees of direction from the view, and of the hips' offset from it, right positive: ahead, back, left, right."""


class Turn(NamedTuple):
    """The yaws after a step."""

    yaw: float
    smooth: float
    target: float


class Facing(NamedTuple):
    """What the turning depends on.

    Parameters
    ----------
    yaw, smooth, target : as they were
    view, view_speed : degrees, degrees a second
    travel : yaw of the velocity
    amount : gait amount
    turn : degrees that animation turns the standing character in this step
    """

    yaw: float
    smooth: float
    target: float
    view: float
    view_speed: float
    travel: float
    amount: float
    gait: Gait
    mode: RotationMode
    moving: bool
    in_air: bool
    weights: Weights
    turn: float


def yaw_offset(direction: float, weights: Weights) -> float:
    """Degrees, right positive, that the hips turn off the view when moving in a direction from it (right positive)."""
    return sum(w * table(direction, *points) for w, points in zip(weights, OFFSETS, strict=True) if w > 0.0)


def goal(f: Facing) -> float:
    """The yaw that a moving character is to have."""
    if f.mode is RotationMode.VELOCITY or (f.mode is RotationMode.LOOKING and f.gait is Gait.SPRINT):
        return f.travel
    if f.mode is RotationMode.AIMING:
        return f.view
    return wrap(f.view - yaw_offset(-wrap(f.travel - f.view), f.weights))


def turned(setup: Setup, f: Facing) -> Turn:
    """The yaws a step later."""
    quick = lerp(1.0, 1.0 / 3.0, clamp(f.view_speed / QUICK_VIEW, 0.0, 1.0))
    if f.in_air:
        target = f.view
        if f.mode is RotationMode.VELOCITY:
            target = f.travel if f.moving else f.target
        made = Turn(damp_angle(f.yaw, target, H, 0.2 * quick), target, target)
    elif f.moving:
        target = goal(f)
        rate = {RotationMode.VELOCITY: 800.0, RotationMode.LOOKING: 500.0, RotationMode.AIMING: 1000.0}[
            f.mode
        ]
        half = 0.1 if f.mode is RotationMode.AIMING else table(f.amount, AMOUNTS, setup.yaw_half)
        smooth = approach_angle(f.smooth, target, rate * H)
        made = Turn(damp_angle(f.yaw, smooth, H, half * quick), smooth, target)
    elif f.mode is RotationMode.VELOCITY:
        smooth = approach_angle(wrap(f.smooth + f.turn), wrap(f.target + f.turn), 800.0 * H)
        yaw = damp_angle(wrap(f.yaw + f.turn), smooth, H, 0.1 * quick)
        made = Turn(yaw, smooth, wrap(f.target + f.turn))
    else:
        yaw = wrap(f.yaw + f.turn)
        made = Turn(yaw, yaw, yaw)
    if f.mode is RotationMode.AIMING:
        kept = [wrap(f.view + clamp(wrap(yaw - f.view), -AIM_LIMIT, AIM_LIMIT)) for yaw in made[:2]]
        made = Turn(kept[0], kept[1], made.target)
    return made


def set_of(setup: Setup, before: Hips, direction: float) -> Hips:
    """The set for a direction of travel from straight ahead, right positive; kept for 5° beyond its border."""
    side = abs(direction)
    if not setup.side_sets:
        border = BORDER + (KEPT if before is Hips.AHEAD else -KEPT)
        return Hips.AHEAD if side <= border else Hips.BACK
    low, high = SIDE_BORDERS
    low += KEPT if before is Hips.AHEAD else -KEPT
    high += -KEPT if before is Hips.BACK else KEPT
    if side <= low:
        return Hips.AHEAD
    if side >= high:
        return Hips.BACK
    return Hips.RIGHT if direction > 0.0 else Hips.LEFT


def weighted(before: Weights, hips: Hips) -> Weights:
    """The sets' weights a step later."""
    a, b, c, d = (damp(w, 1.0 if k == hips else 0.0, H, SET_HALF) for k, w in enumerate(before))
    return a, b, c, d
