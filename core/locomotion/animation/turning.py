"""Turning in place: when, by which clip, and how far in each step (spec: locomotion, *Turn in place*)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from core.clips.clip import Clip
from core.graph.commands import Command, Do, play_clip
from core.locomotion.animation.propose import Moves
from core.locomotion.dampers import clamp
from core.locomotion.input import RotationMode
from core.locomotion.setup import H
from core.locomotion.state import State
from core.tracks.evaluate import evaluate_scalar
from core.tracks.keys import ScalarTrack

CURVE = "TurnYaw"
FROM, HALF_TURN, ALWAYS_LEFT = 45.0, 130.0, 175.0
"""Degrees of view from which it turns, from which by 180°, and from which always to the left."""
SLOW_VIEW, LONGEST_WAIT = 50.0, 0.75
"""Degrees a second of view above which it waits; seconds it waits at 180°, none at `FROM`."""
RATE, BLEND = 1.2, 0.2
AIM_FROM = 50.0
"""Degrees beyond which an aiming character turns at once, faster the faster the view does."""
AIM_RATES = (180.0, 460.0, 1.15, 3.0)


@dataclass(frozen=True, slots=True, eq=False)
class TurnClip:
    """A clip that turns: its yaw at even times, degrees to the left."""

    clip: Clip
    yaws: tuple[float, ...]

    @property
    def angle(self) -> float:
        """Degrees to the left that it turns in all."""
        return self.yaws[-1]

    def yaw(self, seconds: float) -> float:
        """Degrees turned at a time."""
        last = len(self.yaws) - 1
        at = clamp(seconds / self.clip.length, 0.0, 1.0) * last
        k = min(int(at), last - 1)
        return self.yaws[k] + (self.yaws[k + 1] - self.yaws[k]) * (at - k)


@dataclass(frozen=True, slots=True)
class Turning:
    """A turn in place.

    Parameters
    ----------
    what : key of the clip that plays, or ""
    time : seconds of the clip
    angle : degrees to the left that it is to turn
    rate : times its speed
    turned : degrees to the left in the last step
    waited : seconds that the view has been away, while nothing turns
    begun, ended : whether it began, or was cut, in the last step
    """

    what: str = ""
    time: float = 0.0
    angle: float = 0.0
    rate: float = RATE
    turned: float = 0.0
    waited: float = 0.0
    begun: bool = False
    ended: str = ""


STILL = Turning()


def turn_clips(moves: Moves) -> dict[str, TurnClip]:
    """The clips that turn, with their curves; one without `CURVE` cannot drive a turn."""
    found = {}
    for what, clip in moves.clips.items():
        track = clip.curves.get(CURVE)
        if not what.startswith("turn ") or not isinstance(track, ScalarTrack) or clip.length <= 0.0:
            continue
        times = np.linspace(0.0, clip.length, max(round(clip.length * 120.0), 2) + 1)
        yaws = evaluate_scalar(track, times)
        if abs(float(yaws[-1])) > 1.0:
            found[what] = TurnClip(clip, tuple(float(y) for y in yaws))
    return found


def turned_in_place(clips: Mapping[str, TurnClip], before: Turning, body: State) -> Turning:
    """The turn a step later, by the state that the controller stands in."""
    now = replace(before, turned=0.0, begun=False, ended="")
    if now.what and (body.moving or body.in_air):
        return replace(STILL, ended=clips[now.what].clip.name)
    if not now.what:
        now = _begun(clips, now, body)
    elif _opposite(now, body):
        now = _begun(clips, replace(STILL, waited=LONGEST_WAIT), body)
    if not now.what:
        return now
    turn = clips[now.what]
    time = now.time + H * now.rate
    turned = (turn.yaw(time) - turn.yaw(now.time)) * now.angle / turn.angle
    if time >= turn.clip.length:
        return replace(STILL, turned=turned)
    return replace(now, time=time, turned=turned)


def _opposite(now: Turning, body: State) -> bool:
    """Whether the view has gone to the other side meanwhile."""
    return -body.aim_yaw * now.angle < 0.0 and abs(body.aim_yaw) > FROM and abs(body.aim_yaw) < HALF_TURN


def _begun(clips: Mapping[str, TurnClip], now: Turning, body: State) -> Turning:
    aiming = body.mode is RotationMode.AIMING
    aim, least = body.aim_yaw, AIM_FROM if aiming else FROM
    idle = body.mode is RotationMode.VELOCITY or body.moving or body.in_air or body.crouching
    if idle or abs(aim) <= least or (body.view_speed >= SLOW_VIEW and not aiming):
        return replace(STILL)
    waited = now.waited + H
    wait = 0.0 if aiming else LONGEST_WAIT * (abs(aim) - FROM) / (180.0 - FROM)
    if waited < wait:
        return replace(STILL, waited=waited)
    left = aim < 0.0 or abs(aim) > ALWAYS_LEFT
    side = "left" if left else "right"
    angle = abs(aim) if left else -abs(aim)
    what = f"turn {side} 180"
    if abs(aim) <= HALF_TURN or what not in clips:
        what = f"turn {side} 90"
    if what not in clips:
        return replace(STILL)
    low, high, slow, fast = AIM_RATES
    share = clamp((body.view_speed - low) / (high - low), 0.0, 1.0)
    rate = slow + (fast - slow) * share if aiming else RATE
    return Turning(what, 0.0, angle, rate, begun=True)


def commands(now: Turning, slot: str, clips: Mapping[str, TurnClip]) -> tuple[Command, ...]:
    """What the graph is asked to play or stop in this step."""
    made = []
    if now.ended:
        made.append(Command(Do.STOP, now.ended, seconds=BLEND))
    if now.begun:
        made.append(play_clip(clips[now.what].clip.name, slot, BLEND, BLEND, now.rate))
    return tuple(made)
