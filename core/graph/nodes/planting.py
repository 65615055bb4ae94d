"""How feet are planted, in plain numbers: kept where they were put down, on the ground's height, hips following.

The twin of `core.math.kernel_graph_planting` and `kernel_graph_plant`: what is changed here is changed there. Spec:
locomotion, *Feet on uneven ground*.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from core.graph.nodes import reading
from core.graph.op import Run
from core.ik.leg import (
    LONGEST,
    Leg,
    Placed,
    Quat,
    Vec,
    about,
    add,
    inverse,
    length,
    multiply,
    of_rotation_vector,
    rotate,
    sub,
    turned_about_up,
    up_to,
)

UP = (0.0, 1.0, 0.0)
LN2 = math.log(2.0)
FOOT, HEAD = 20, 8
"""Floats kept of a foot, and before the feet."""
HIPS, HIPS_SPEED, HEIGHT, RISE, WANTED, LAST_X, LAST_Z, GOING = range(HEAD)
"""Before the feet: metres that the hips are raised by and m/s of that; the character's height in the world, metres,
and how fast it rises, smoothed, m/s; where the hips are wanted; the character's place; how far it counts as going."""
RISE_HALF, FASTEST_RISE = 0.08, 5.0
"""Half-life in seconds of the rise, and the most of it, m/s: a step of stairs is no slope."""
GOES, GOING_HALF = 1.0, 0.1
"""m/s from which a character counts wholly as going, and the half-life of that, seconds."""
DEEPEST = 0.2
"""Metres that hips go under the mean of the feet's ground at most so that legs reach."""
WANTED_DOWN, WANTED_UP = 0.02, 0.3
"""Half-lives in seconds at which the height that is wanted of the hips falls and rises: over a few steps it is the
lowest that the legs need, and hips do not bob."""
SINKS = 0.004
"""Metres that a sole goes under the ground at most."""
DOWN = 0.6
"""Share by which a foot that is down comes to its height the sooner."""
TOUCHES, HELD = 0.1, 0.5
"""Contact between which a foot goes from free to held."""
LEVEL = 0.03
"""Metres between the heights of heel and toe over which the lower one alone holds."""
FARTHEST, FARTHEST_TURN = 0.20, 40.0
"""Metres and degrees that a foot is held from where its pose has it; beyond, it is let go of."""
LIFT, LIFT_HALF, ARRIVED = 0.045, 0.012, 0.06
"""Metres that a foot which was let go of is lifted, the half-life, and metres from its place where it is held again."""
CLEAR, STEP_HALF = 0.02, 0.05
"""Metres over the ground from which such a foot leaves its place: it is lifted before it goes; and the half-life of
its way."""
FREE_LIFT = 0.08
"""Metres over the ground from which a foot is not held."""
STEEPEST = 0.3
"""The least upward part of a normal that heights are carried along by."""
AHEAD_UP = 0.3
"""Metres that the ground ahead lifts a swinging foot by at most."""
SMALL = 1e-9


@runtime_checkable
class ManyGround(Protocol):
    """A ground that is asked for many places at once."""

    def many(self, points: Sequence[Vec]) -> tuple[list[float], list[Vec]]:
        """Heights and unit normals of the ground under places; NaN where there is none to stand on."""
        ...


@dataclass(frozen=True, slots=True)
class Holding:
    """How feet come and go.

    Parameters
    ----------
    contacts, feet : numbers of the curves of each foot's contact, and of how far it follows the ground; −1 for none
    free_half : half-life in seconds of what is left of a hold while the foot swings
    foot_half, hips_half, turn_half : half-lives of a foot's height, of the hips', and of its tilt
    ahead : seconds that the height under a swinging foot is looked at ahead
    ankle : radians that a foot turns along the ground at most
    """

    contacts: tuple[int, ...]
    feet: tuple[int, ...]
    free_half: float = 0.06
    foot_half: float = 0.03
    hips_half: float = 0.06
    turn_half: float = 0.06
    ahead: float = 0.06
    ankle: float = math.radians(40.0)


class Foot:
    """What is kept of a foot, in its floats, world space.

    0–1 offset x, z; 2–3 its speed; 4–5 yaw held and its speed; 6–9 heel and toe x, z as they were shown; 10–11 height
    of the ground and its speed; 12–14 tilt; 15 whether it was let go of; 16–17 ankle x, z as the pose had it; 18–19
    how high it is lifted for the step that it then makes, and its speed.
    """

    __slots__ = ("at", "f")

    def __init__(self, floats: np.ndarray, at: int) -> None:
        self.f: list[float] = floats[at : at + FOOT].tolist()
        self.at = at


class Goal(NamedTuple):
    """Where a foot is to be: its place in the world over level ground, its rotation there, how far it follows the
    ground, and how far it is held.
    """

    place: Vec
    turn: Quat
    share: float
    held: float


def spring(x: float, v: float, goal: float, h: float, half: float) -> tuple[float, float]:
    """Critically damped: place and speed after `h` seconds."""
    y = 2.0 * LN2 / half
    j = v + y * (x - goal)
    decay = math.exp(-y * h)
    return goal + decay * ((x - goal) + j * h), decay * (v - j * y * h)


class World:
    """Where the character stands, and the ground about it; it stays upright."""

    def __init__(self, run: Run) -> None:
        x, y, z = (float(v) for v in run.character.translation)
        q = run.character.rotation.tolist()
        self.place: Vec = (x, y, z)
        self.turn: Quat = (q[0], q[1], q[2], q[3])
        self.height = y
        self._ask = run.ground

    def out(self, p: Vec) -> Vec:
        """A place of the character's space in the world."""
        return add(self.place, rotate(self.turn, p))

    def back(self, p: Vec) -> Vec:
        """A place of the world in the character's space."""
        return rotate(inverse(self.turn), sub(p, self.place))

    def into(self, v: Vec) -> Vec:
        """A direction of the world in the character's space."""
        return rotate(inverse(self.turn), v)

    def turned_out(self, v: Vec) -> Vec:
        """A direction of the character's space in the world."""
        return rotate(self.turn, v)

    def ground(self, points: Sequence[Vec]) -> tuple[list[float], list[Vec]]:
        """Heights and normals under places of the character's space; level at 0 where there is nothing to stand on."""
        if self._ask is None:
            return [0.0] * len(points), [UP] * len(points)
        if isinstance(self._ask, ManyGround):
            heights, normals = self._ask.many(points)
        else:
            found = [self._ask(np.array(point)) for point in points]
            heights = [float(height) for height, _ in found]
            normals = [(float(n[0]), float(n[1]), float(n[2])) for _, n in found]
        for k, (height, normal) in enumerate(zip(heights, normals, strict=True)):
            if not abs(height) <= reading.FARTHEST or not normal[1] > 0.0:
                heights[k], normals[k] = 0.0, UP
        return heights, normals


# ------------------------------------------------------------------------- the ground
def grounds(
    legs: Sequence[Leg],
    holding: Holding,
    world: World,
    at: Sequence[Placed],
    feet: Sequence[Foot],
    h: float,
    known: bool,
    rise: float,
) -> None:
    """Bring each foot's ground height and tilt toward what is under it, and ahead of it while it swings."""
    points: list[Vec] = []
    for leg, now, foot in zip(legs, at, feet, strict=True):
        f = foot.f
        heel, toe = (add(now.places[-1], rotate(now.turns[-1], p)) for p in (leg.heel, leg.toe))
        shift = world.into((f[0], 0.0, f[1]))
        ankle = world.out(now.places[-1])
        ahead = (0.0, 0.0, 0.0)
        if known and h > 0.0:
            speed = ((ankle[0] - f[16]) / h, (ankle[2] - f[17]) / h)
            ahead = world.into((speed[0] * holding.ahead, 0.0, speed[1] * holding.ahead))
        f[16], f[17] = ankle[0], ankle[2]
        points += [add(heel, shift), add(toe, shift), add(add(now.places[-1], shift), ahead)]
    heights, normals = world.ground(points)
    for k, (leg, foot) in enumerate(zip(legs, feet, strict=True)):
        f, here = foot.f, 3 * k
        # The sole turns about the ankle, so what counts is the height of the ground's plane there.
        heel, toe, ankle = points[here : here + 3]
        own = add(at[k].places[-1], world.into((f[0], 0.0, f[1])))
        found = []
        for p, y, n in zip((heel, toe), heights[here : here + 2], normals[here : here + 2], strict=True):
            found.append(y + (n[0] * (p[0] - own[0]) + n[2] * (p[2] - own[2])) / max(n[1], STEEPEST))
        best = 0 if found[0] >= found[1] else 1
        lift = min(heel[1], toe[1])
        high = found[best]
        normal = normals[here + best]
        if lift > LEVEL and known:
            away = (ankle[0] - own[0], ankle[2] - own[2])
            slope = (normal[0] * away[0] + normal[2] * away[1]) / max(normal[1], STEEPEST)
            high = max(high, min(heights[here + 2] + slope, high + AHEAD_UP))
        high += leg.ankle / max(normal[1], STEEPEST) - leg.ankle
        goal = world.height + high
        tilt = world.turned_out(up_to(normal, holding.ankle))
        if not known:
            f[10], f[11], f[12:15] = goal, 0.0, list(tilt)
            continue
        # A foot on its way rises with the character; only what is beyond that comes in time.
        f[10] += rise * min(max(lift / LEVEL, 0.0), 1.0)
        down = min(max(1.0 - lift / LEVEL, 0.0), 1.0)
        f[10], f[11] = spring(f[10], f[11], goal, h, holding.foot_half * (1.0 - DOWN * down))
        share = 2.0 ** (-h / holding.turn_half)
        f[12:15] = [g + (x - g) * share for x, g in zip(f[12:15], tilt, strict=True)]


# ------------------------------------------------------------------------- holding
def sole_tilt(leg: Leg, foot: Foot, height: float, share: float) -> Quat:
    """How a foot is turned along the ground, in the world.

    Parameters
    ----------
    height : metres of the ankle over level ground
    share : how far the foot follows the ground
    """
    level = near(height - leg.ankle) * share
    return of_rotation_vector((foot.f[12] * level, foot.f[13] * level, foot.f[14] * level))


def held_at(
    holding: Holding, leg: Leg, now: Placed, foot: Foot, world: World, h: float, held: float, share: float
) -> tuple[Vec, Quat]:
    """Place and rotation of the foot in the world, above level ground, with what holds it.

    What is held is the sole as it lies on the ground, tilted: the tilt goes away as a heel rises, and its toe stays.

    Parameters
    ----------
    share : how far it follows the ground
    """
    f = foot.f
    ankle = world.out(now.places[-1])
    turn = multiply(world.turn, now.turns[-1])
    heel, toe = rotate(turn, leg.heel), rotate(turn, leg.toe)
    level = heel[1] - toe[1]
    lift = min(ankle[1] + heel[1], ankle[1] + toe[1]) - world.height
    free: list[tuple[float, float]] = []
    if h > 0.0:
        half = min(holding.free_half, STEP_HALF) if f[15] else holding.free_half
        free = [spring(f[k], f[s], 0.0, h, half) for k, s in ((0, 2), (1, 3), (4, 5))]
        if held < 0.5 or (f[15] and math.hypot(f[0], f[1]) < ARRIVED):
            f[15] = 0.0
        f[18], f[19] = spring(f[18], f[19], LIFT if f[15] else 0.0, h, LIFT_HALF)
        if (f[15] and lift + f[18] > CLEAR) or lift > FREE_LIFT:
            held = 0.0
    height = ankle[1] - world.height + max(f[18], 0.0)
    tilt = sole_tilt(leg, foot, height, share)
    if h > 0.0:
        flat = max(0.0, 1.0 - abs(level) / LEVEL)
        before = math.degrees(math.atan2(f[8] - f[6], f[9] - f[7]))
        way = rotate(tilt, turned_about_up(sub(toe, heel), f[4]))
        gap = _wrap(before - math.degrees(math.atan2(way[0], way[2]))) if flat > 0.0 else 0.0
        yaw = f[4] + gap
        yaw = free[2][0] + (yaw - free[2][0]) * held * flat
        turned = abs(yaw) > FARTHEST_TURN
        yaw = min(max(yaw, -FARTHEST_TURN), FARTHEST_TURN)
        toe_share = min(max(0.5 + level / (2.0 * LEVEL), 0.0), 1.0)
        heel, toe = (rotate(tilt, turned_about_up(point, yaw)) for point in (heel, toe))
        x = f[6] + (f[8] - f[6]) * toe_share - (ankle[0] + heel[0] + (toe[0] - heel[0]) * toe_share)
        z = f[7] + (f[9] - f[7]) * toe_share - (ankle[2] + heel[2] + (toe[2] - heel[2]) * toe_share)
        x, z = free[0][0] + (x - free[0][0]) * held, free[1][0] + (z - free[1][0]) * held
        if held > 0.0 and (turned or math.hypot(x, z) > FARTHEST):
            f[15] = 1.0
        f[2], f[3], f[5] = (x - f[0]) / h, (z - f[1]) / h, (yaw - f[4]) / h
        if held <= 0.0:
            f[2], f[3], f[5] = free[0][1], free[1][1], free[2][1]
        f[0], f[1], f[4] = x, z, yaw
    else:
        heel, toe = (rotate(tilt, turned_about_up(point, f[4])) for point in (heel, toe))
    place = (ankle[0] + f[0], height, ankle[2] + f[1])
    f[6:10] = [place[0] + heel[0], place[2] + heel[2], place[0] + toe[0], place[2] + toe[2]]
    return place, multiply(about(UP, f[4]), turn)


# ------------------------------------------------------------------------- hips and legs
def hips_height(
    legs: Sequence[Leg],
    holding: Holding,
    head: list[float],
    feet: Sequence[Foot],
    goals: Sequence[Goal],
    at: Sequence[Placed],
    world: World,
    h: float,
) -> float:
    """Metres that the hips go up: with the mean of the feet's ground, lower where a leg would not reach.

    A character that goes stays at its own height, which its host smooths over stairs. A leg pulls the hips down as
    far as its foot is held: one that swings comes off the ground instead.

    Parameters
    ----------
    h : seconds; below 0 where nothing is remembered
    """
    own = sum(goal.share for goal in goals) / len(goals)
    wanted = sum((foot.f[10] - world.height) * goal.share for foot, goal in zip(feet, goals, strict=True))
    x, _, z = world.place
    if h > 0.0:
        going = min(math.hypot(x - head[LAST_X], z - head[LAST_Z]) / h / GOES, 1.0)
        head[GOING] += (going - head[GOING]) * (1.0 - 2.0 ** (-h / GOING_HALF))
    head[LAST_X], head[LAST_Z] = x, z
    wanted *= (1.0 - head[GOING]) / len(goals)
    fits = math.inf
    for leg, now, foot, goal in zip(legs, at, feet, goals, strict=True):
        if goal.share <= 0.0:
            continue
        to = ankle_goal(foot, goal, head[HIPS], world)
        a = world.out(now.places[leg.upper])
        most = LONGEST * length(leg, now)
        flat = math.hypot(to[0] - a[0], to[2] - a[2])
        free = (1.0 - goal.held) * DEEPEST
        fits = min(fits, to[1] + math.sqrt(max(most * most - flat * flat, 0.0)) - a[1] + free)
    wanted = min(wanted, max(fits, wanted - DEEPEST))
    if h < 0.0:
        head[HIPS], head[HIPS_SPEED], head[WANTED] = wanted, 0.0, wanted
    else:
        jump = (world.height - head[HEIGHT] - head[RISE] * h) * own  # but for slopes, it stays where it is
        head[HIPS] -= jump
        head[WANTED] -= jump
        half = WANTED_DOWN if wanted < head[WANTED] else WANTED_UP
        head[WANTED] = wanted + (head[WANTED] - wanted) * 2.0 ** (-h / half)
        head[HIPS], head[HIPS_SPEED] = spring(
            head[HIPS], head[HIPS_SPEED], head[WANTED], h, holding.hips_half
        )
    head[HEIGHT] = world.height
    return head[HIPS]


def ankle_goal(foot: Foot, goal: Goal, rise: float, world: World) -> Vec:
    """Where the ankle is to be in the world."""
    ground = goal.share * foot.f[10] + (1.0 - goal.share) * (world.height + rise)
    return goal.place[0], goal.place[1] + ground, goal.place[2]


def near(height: float) -> float:
    """How far a sole follows the slope: wholly on the ground, not at all 0.15 m above."""
    share = min(max(1.0 - max(height, 0.0) / 0.15, 0.0), 1.0)
    return share * share * (3.0 - 2.0 * share)


def _wrap(degrees: float) -> float:
    turned = math.fmod(degrees, 360.0)
    return turned - 360.0 if turned > 180.0 else turned + 360.0 if turned <= -180.0 else turned
