"""What the graph is told of the controller in each step, and what of it is smoothed: a pure step of frozen values."""

import math
from dataclasses import dataclass
from typing import NamedTuple

from core.locomotion.animation.speeds import SpeedTable
from core.locomotion.dampers import clamp, damp, damp_angle, lerp, spring, table, wrap
from core.locomotion.input import RotationMode
from core.locomotion.setup import AMOUNTS, H, Setup
from core.locomotion.state import Hips, State

WALK_STRIDE = ((0.0, 0.583, 1.5), (0.2, 0.55, 1.0))
RUN_STRIDE = ((0.0, 1.669, 3.5), (0.2, 0.45, 1.0))
"""m/s and the share of a clip's stride that is taken there."""
FASTEST, FASTEST_CROUCHED = 3.0, 2.0
"""Times its own speed that a clip is played at most."""
STILL = 0.1
"""m/s below which a way has no rise."""
GAIT_HALF, DIRECTION_HALF, TURN_HALF, LEAN_HALF = 0.08, 0.08, 0.05, 0.2
"""Half-lives in seconds of the gait and direction that are played, of the turn of the legs, and of the lean."""
RISE_HALF, STEEPEST_RISE = 0.1, 1.2
"""Half-life in seconds of the rise of the way, and the most of it, metres a metre."""
SHORTER = 0.6
"""Power of the cosine of the rise by which steps are shorter, and quicker: the legs would not reach on steep ground."""
MOST_TURN = 30.0
"""Degrees that the legs are turned beside the direction that is played."""
HEAD_HALF, HEAD_OVER_HALF, HEAD_MOST, HEAD_KEPT, HEAD_BEHIND = 0.1, 0.2, 175.0, 90.0, 160.0
"""Of the head's aim: half-lives, degrees at most; from where on it stays on its side, and up to which target."""
AIR_LEAN = ((-40.0, -32.8, -22.5, -12.5, 0.0), (0.0, -0.12, -0.93, -0.79, 1.0))
"""Speed upward in m/s, and the share of the velocity that leans in the air."""
AIR_LEAN_SPEED = 3.5
FALL_LOOK = (2.0, 40.0, 1.5, 20.0)
"""Speeds of falling from which and to which is looked ahead, and how far, metres."""


@dataclass(frozen=True, slots=True)
class Played:
    """What is smoothed, and what came of it.

    Parameters
    ----------
    gait : gait value that is played
    direction : degrees that are played, on the axis of the space: to the right of ahead, 0 to 360 with the hips back
    rate, stride : of the clips
    turn : degrees to the right by which the legs are turned beside the direction that is played
    lean : to the right and forward, −1 to 1
    head_yaw, head_pitch : degrees to the right and up that the head is turned
    head_speeds : of these, degrees a second
    land_alpha : how near a landing is, 0 to 1
    clip_speed : m/s of the clips that are played, at rate and stride 1
    height : metres of the root
    rise : of the way, metres a metre, up or down
    feet_off : metres that the left foot and the right one are held off their pose
    """

    gait: float = 1.0
    direction: float = 0.0
    rate: float = 1.0
    stride: float = 1.0
    turn: float = 0.0
    lean: tuple[float, float] = (0.0, 0.0)
    head_yaw: float = 0.0
    head_pitch: float = 0.0
    head_speeds: tuple[float, float] = (0.0, 0.0)
    land_alpha: float = 0.0
    clip_speed: float = 0.0
    height: float = 0.0
    rise: float = 0.0
    feet_off: tuple[float, float] = (0.0, 0.0)


class Tables(NamedTuple):
    """Speeds of the clips with the hips ahead, back, and crouched; None where there are none."""

    ahead: SpeedTable | None
    back: SpeedTable | None
    crouch: SpeedTable | None


def stride_at(speed: float, gait: float) -> float:
    """Share of a clip's stride that is taken at a speed, by the gait that is played."""
    walk, run = table(speed, *WALK_STRIDE), table(speed, *RUN_STRIDE)
    return lerp(walk, run, clamp(gait - 1.0, 0.0, 1.0))


def played(setup: Setup, tables: Tables, before: Played, state: State) -> Played:
    """What is played a step later, but for what needs the terrain (`land_alpha`) and the pose (`feet_off`)."""
    back = state.hips is Hips.BACK and tables.back is not None
    fresh = state.moving and state.moving_for == 0
    goal = state.direction % 360.0 if back else clamp(wrap(state.direction), -90.0, 90.0)
    if fresh or (back != (before.direction > 90.0) and abs(goal - before.direction) > 90.0):
        direction = goal
    else:
        direction = damp(before.direction, goal, H, DIRECTION_HALF) if state.moving else before.direction
    gait = state.gait_value if fresh else damp(before.gait, state.gait_value, H, GAIT_HALF)
    speed, way = _clip(tables, state, back, direction, gait)
    rise = _rise(before, state)
    rate, stride = _pace(state, speed, gait, rise)
    turn = clamp(wrap(state.direction - way), -MOST_TURN, MOST_TURN) if state.moving and speed else 0.0
    yaw, pitch, speeds = _head(before, state)
    return Played(
        gait, direction, rate, stride, damp(before.turn, turn, H, TURN_HALF), _lean(setup, before, state), yaw,
        pitch, speeds, before.land_alpha, speed, state.root_height, rise,
    )  # fmt: skip


def _clip(tables: Tables, state: State, back: bool, direction: float, gait: float) -> tuple[float, float]:
    """Speed and direction of the clips that are played."""
    if state.crouching and tables.crouch is not None:
        return tables.crouch(state.speed)
    if back and tables.back is not None:
        return tables.back(direction, min(gait, 2.0))
    return tables.ahead(direction, gait) if tables.ahead is not None else (0.0, 0.0)


def _rise(before: Played, state: State) -> float:
    """How steep the way is, smoothed: stairs are as steep as the ramp that they are shown as."""
    if state.in_air or state.air_for or state.ground_for < 2 or state.speed < STILL:
        return damp(before.rise, 0.0, H, RISE_HALF)
    rise = min(abs(state.root_height - before.height) / (state.speed * H), STEEPEST_RISE)
    return damp(before.rise, rise, H, RISE_HALF)


def _pace(state: State, clip_speed: float, gait: float, rise: float) -> tuple[float, float]:
    """Rate and stride: ``stride · rate · clip speed = speed``."""
    if clip_speed <= 0.0 or state.speed <= 0.0:
        return 1.0, 1.0
    if state.crouching:
        rate = min(state.speed / clip_speed, FASTEST_CROUCHED)
        return rate, state.speed / clip_speed / rate
    stride = stride_at(state.speed, gait) * (1.0 + rise * rise) ** (-0.5 * SHORTER)
    rate = min(state.speed / clip_speed / stride, FASTEST)
    return rate, state.speed / clip_speed / rate


def _lean(setup: Setup, before: Played, state: State) -> tuple[float, float]:
    left, ahead = state.local_acceleration
    v = state.local_velocity
    speeding = left * v[0] + ahead * v[1] >= 0.0
    most = table(state.gait_amount, AMOUNTS, setup.acceleration if speeding else setup.braking)
    size = math.hypot(left, ahead)
    share = 1.0 / max(most, size) if state.moving and not state.in_air else 0.0
    return (
        damp(before.lean[0], -left * share, H, LEAN_HALF),
        damp(before.lean[1], ahead * share, H, LEAN_HALF),
    )


def _head(before: Played, state: State) -> tuple[float, float, tuple[float, float]]:
    """Where the head looks: along the view; in velocity mode along the input."""
    if state.mode is RotationMode.VELOCITY:
        wished = state.wish != (0.0, 0.0)
        yaw = -wrap(math.degrees(math.atan2(state.wish[0], state.wish[1])) - state.yaw) if wished else 0.0
        goal, pitch_goal = clamp(yaw, -90.0, 90.0), 0.0
    else:
        goal, pitch_goal = clamp(state.aim_yaw, -HEAD_MOST, HEAD_MOST), clamp(state.view_pitch, -90.0, 90.0)
    other = goal * before.head_yaw < 0.0
    if other and abs(before.head_yaw) > HEAD_KEPT and abs(goal) > HEAD_BEHIND:
        goal = math.copysign(HEAD_MOST, before.head_yaw)
    half = HEAD_OVER_HALF if other else HEAD_HALF
    yaw, yaw_speed = spring(before.head_yaw, before.head_speeds[0], goal, H, half)
    pitch, pitch_speed = spring(before.head_pitch, before.head_speeds[1], pitch_goal, H, HEAD_HALF)
    return clamp(yaw, -180.0, 180.0), clamp(pitch, -90.0, 90.0), (yaw_speed, pitch_speed)


def air_lean(state: State) -> tuple[float, float]:
    """Lean in the air to the right and forward."""
    if not state.in_air:
        return 0.0, 0.0
    left, ahead = state.local_velocity
    share = table(state.velocity[1], *AIR_LEAN) / AIR_LEAN_SPEED
    return clamp(-left * share, -1.0, 1.0), clamp(ahead * share, -1.0, 1.0)


__all__ = ["Played", "Tables", "air_lean", "damp_angle", "played", "stride_at"]
