"""Feet planted on uneven ground: kept where they were put down, on the ground's height, hips following (locomotion).

A foot that touches the ground is held by the point of its sole that is lowest: heel, then toe. What the pose would
move that point by is taken off, and once the foot swings the difference goes away over time.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from core.graph.compiler import Compiler, Kind
from core.graph.graph import Node, Sheet
from core.graph.language.values import FLOAT
from core.graph.nodes import reading
from core.graph.nodes.modifier import Alpha, ModifierOp, alpha_of
from core.graph.nodes.stride import body_of, lower, rows
from core.graph.op import OpPlace, Run
from core.graph.output import Output
from core.ik.leg import (
    LONGEST,
    Leg,
    Placed,
    Quat,
    Vec,
    about,
    add,
    dot,
    inverse,
    length,
    multiply,
    of_rotation_vector,
    placed,
    reached,
    rotate,
    sub,
    turned_about_up,
    up_to,
)
from core.math.transform import Transform

UP = (0.0, 1.0, 0.0)
LN2 = math.log(2.0)
FOOT, HEAD = 20, 4
"""Floats kept of a foot, and before the feet: the hips' height, its speed, the character's height, and how fast it
rises, smoothed."""
RISE_HALF, FASTEST_RISE = 0.08, 5.0
"""Half-life in seconds of that, and the most of it, m/s: a step of stairs is no slope."""
DEEPEST = 0.2
"""Metres that hips go under the mean of the feet's ground at most so that legs reach."""
DOWN = 0.6
"""Share by which a foot that is down comes to its height the sooner."""
SHORT = 0.02
"""Metres that hips go down at once where a leg would not reach; what is more comes in time."""
TOUCHES, HELD = 0.1, 0.5
"""Contact between which a foot goes from free to held."""
LEVEL = 0.03
"""Metres between the heights of heel and toe over which the lower one alone holds."""
FARTHEST, FARTHEST_TURN = 0.20, 40.0
"""Metres and degrees that a foot is held from where its pose has it; beyond, it is let go of."""
LIFT, LIFT_HALF, ARRIVED = 0.07, 0.03, 0.03
"""Metres that a foot which was let go of is lifted, the half-life, and metres from its place where it is held again."""
TELEPORT = 1.0
"""Metres in a step beyond which everything begins anew."""
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
    hips_half: float = 0.09
    turn_half: float = 0.06
    ahead: float = 0.06
    ankle: float = math.radians(40.0)


class _Foot:
    """What is kept of a foot, in its floats, world space.

    0–1 offset x, z; 2–3 its speed; 4–5 yaw held and its speed; 6–9 heel and toe x, z as they were shown; 10–11 height
    of the ground and its speed; 12–14 tilt; 15 whether it was let go of; 16–17 ankle x, z as the pose had it; 18–19
    how high it is lifted for the step that it then makes, and its speed.
    """

    __slots__ = ("at", "f")

    def __init__(self, floats: np.ndarray, at: int) -> None:
        self.f: list[float] = floats[at : at + FOOT].tolist()
        self.at = at


def spring(x: float, v: float, goal: float, h: float, half: float) -> tuple[float, float]:
    """Critically damped: place and speed after `h` seconds."""
    y = 2.0 * LN2 / half
    j = v + y * (x - goal)
    decay = math.exp(-y * h)
    return goal + decay * ((x - goal) + j * h), decay * (v - j * y * h)


class PlantOp(ModifierOp):
    """Holds feet, and stands them on the ground.

    Its int says whether anything is remembered.
    """

    INTS = 1

    def __init__(
        self,
        at: OpPlace,
        inputs: tuple[int],
        alpha: Alpha,
        pins: tuple[int, int],
        body: tuple[int, tuple[int, ...], tuple[Leg, ...]],
        holding: Holding,
    ) -> None:
        super().__init__(at, inputs, alpha)
        self.hold, self.follow = pins
        self.hips, _, self.legs = body
        self.holding = holding
        self.FLOATS = HEAD + FOOT * len(self.legs)

    def restart(self, run: Run) -> None:
        """Begin with the feet where the pose has them."""
        run.ints[self.place.ints] = 0
        run.floats[self.place.floats : self.place.floats + self.FLOATS] = 0.0

    def changed(self, run: Run, base: Output) -> Output:
        """The pose with its feet held and on the ground."""
        h = self.span(run)
        hold, follow = (min(max(run.value(r), 0.0), 1.0) for r in (self.hold, self.follow))
        moves, turns = base.local.translation.copy(), base.local.rotation.copy()
        local = rows(self.legs, moves, turns)
        at = [placed(leg, *local) for leg in self.legs]
        world = _World(run)
        feet = [_Foot(run.floats, self.place.floats + HEAD + FOOT * k) for k in range(len(self.legs))]
        head: list[float] = run.floats[self.place.floats : self.place.floats + HEAD].tolist()
        known = bool(run.ints[self.place.ints]) and abs(world.height - head[2]) < TELEPORT
        if known and h > 0.0:
            pace = min(max((world.height - head[2]) / h, -FASTEST_RISE), FASTEST_RISE)
            head[3] += (pace - head[3]) * (1.0 - 2.0 ** (-h / RISE_HALF))
        self._grounds(world, at, feet, h, known, head[3] * h)
        curve = base.curves
        goals: list[tuple[Vec, Quat, float]] = []
        for k, (leg, now, foot) in enumerate(zip(self.legs, at, feet, strict=True)):
            touch = curve[self.holding.contacts[k]] if self.holding.contacts[k] >= 0 else 0.0
            held = min(max((float(touch) - TOUCHES) / (HELD - TOUCHES), 0.0), 1.0) * hold
            own = curve[self.holding.feet[k]] if self.holding.feet[k] >= 0 else 1.0
            goals.append((*self._held(leg, now, foot, world, h if known else 0.0, held), float(own) * follow))
        rise = self._hips(head, feet, goals, at, world, h, known)
        run.ints[self.place.ints] = 1
        run.floats[self.place.floats : self.place.floats + HEAD] = head
        for foot in feet:
            run.floats[foot.at : foot.at + FOOT] = foot.f
        if abs(rise) > SMALL:
            lower(self.legs[0], self.hips, moves, at[0], -rise)
        for leg, now, foot, (place, turn, own) in zip(self.legs, at, feet, goals, strict=True):
            self._put(leg, now, foot, world, (place, turn, own), rise, turns)
        return Output(Transform(moves, turns, base.local.scale), base.curves, base.present, base.motion)

    # ---------------------------------------------------------------- the ground
    def _grounds(
        self,
        world: "_World",
        at: Sequence[Placed],
        feet: Sequence[_Foot],
        h: float,
        known: bool,
        rise: float,
    ) -> None:
        """Bring each foot's ground height and tilt toward what is under it, and ahead of it while it swings."""
        points: list[Vec] = []
        for leg, now, foot in zip(self.legs, at, feet, strict=True):
            f = foot.f
            heel, toe = (add(now.places[-1], rotate(now.turns[-1], p)) for p in (leg.heel, leg.toe))
            shift = world.into((f[0], 0.0, f[1]))
            ankle = world.out(now.places[-1])
            ahead = (0.0, 0.0, 0.0)
            if known and h > 0.0:
                speed = ((ankle[0] - f[16]) / h, (ankle[2] - f[17]) / h)
                ahead = world.into((speed[0] * self.holding.ahead, 0.0, speed[1] * self.holding.ahead))
            f[16], f[17] = ankle[0], ankle[2]
            points += [add(heel, shift), add(toe, shift), add(add(now.places[-1], shift), ahead)]
        heights, normals = world.ground(points)
        for k, (leg, foot) in enumerate(zip(self.legs, feet, strict=True)):
            f, here = foot.f, 3 * k
            heel, toe, ankle = points[here : here + 3]
            middle = ((heel[0] + toe[0]) / 2.0, 0.0, (heel[2] + toe[2]) / 2.0)
            found = []
            for p, y, n in zip((heel, toe), heights[here : here + 2], normals[here : here + 2], strict=True):
                found.append(y + (n[0] * (p[0] - middle[0]) + n[2] * (p[2] - middle[2])) / max(n[1], 0.3))
            best = 0 if found[0] >= found[1] else 1
            lift = min(heel[1], toe[1])
            high = found[best]
            normal = normals[here + best]
            if lift > LEVEL and known:
                away = (ankle[0] - middle[0], ankle[2] - middle[2])
                slope = (normal[0] * away[0] + normal[2] * away[1]) / max(normal[1], 0.3)
                high = max(high, min(heights[here + 2] + slope, high + 0.3))
            high += leg.ankle / max(normal[1], 0.3) - leg.ankle
            goal = world.height + high
            tilt = world.turned_out(up_to(normal, self.holding.ankle))
            if not known:
                f[10], f[11], f[12:15] = goal, 0.0, list(tilt)
                continue
            # A foot on its way rises with the character; only what is beyond that comes in time.
            f[10] += rise * min(max(lift / LEVEL, 0.0), 1.0)
            down = min(max(1.0 - lift / LEVEL, 0.0), 1.0)
            f[10], f[11] = spring(f[10], f[11], goal, h, self.holding.foot_half * (1.0 - DOWN * down))
            share = 2.0 ** (-h / self.holding.turn_half)
            f[12:15] = [g + (x - g) * share for x, g in zip(f[12:15], tilt, strict=True)]

    # ---------------------------------------------------------------- holding
    def _held(
        self, leg: Leg, now: Placed, foot: _Foot, world: "_World", h: float, held: float
    ) -> tuple[Vec, Quat]:
        """Place and rotation of the foot in the world, above level ground, with what holds it."""
        f = foot.f
        ankle = world.out(now.places[-1])
        turn = multiply(world.turn, now.turns[-1])
        heel, toe = rotate(turn, leg.heel), rotate(turn, leg.toe)
        level = heel[1] - toe[1]
        lift = min(ankle[1] + heel[1], ankle[1] + toe[1]) - world.height
        if h > 0.0:
            free = [spring(f[k], f[k + 2], 0.0, h, self.holding.free_half) for k in (0, 1)]
            free_yaw = spring(f[4], f[5], 0.0, h, self.holding.free_half)
            if held < 0.5 or (f[15] and math.hypot(f[0], f[1]) < ARRIVED):
                f[15] = 0.0
            elif f[15]:
                held = 0.0
            f[18], f[19] = spring(f[18], f[19], LIFT if f[15] else 0.0, h, LIFT_HALF)
            if lift > 0.08:
                held = 0.0
            flat = max(0.0, 1.0 - abs(level) / LEVEL)
            before = math.degrees(math.atan2(f[8] - f[6], f[9] - f[7]))
            way = turned_about_up(sub(toe, heel), f[4])
            gap = _wrap(before - math.degrees(math.atan2(way[0], way[2]))) if flat > 0.0 else 0.0
            yaw = f[4] + gap
            yaw = free_yaw[0] + (yaw - free_yaw[0]) * held * flat
            toe_share = min(max(0.5 + level / (2.0 * LEVEL), 0.0), 1.0)
            heel, toe = turned_about_up(heel, yaw), turned_about_up(toe, yaw)
            x = f[6] + (f[8] - f[6]) * toe_share - (ankle[0] + heel[0] + (toe[0] - heel[0]) * toe_share)
            z = f[7] + (f[9] - f[7]) * toe_share - (ankle[2] + heel[2] + (toe[2] - heel[2]) * toe_share)
            x, z = free[0][0] + (x - free[0][0]) * held, free[1][0] + (z - free[1][0]) * held
            if held > 0.0 and (math.hypot(x, z) > FARTHEST or abs(yaw) > FARTHEST_TURN):
                f[15] = 1.0
                x, z, yaw = free[0][0], free[1][0], free_yaw[0]
            f[2], f[3], f[5] = (x - f[0]) / h, (z - f[1]) / h, (yaw - f[4]) / h
            if held <= 0.0 or f[15]:
                f[2], f[3], f[5] = free[0][1], free[1][1], free_yaw[1]
            f[0], f[1], f[4] = x, z, yaw
        else:
            heel, toe = turned_about_up(heel, f[4]), turned_about_up(toe, f[4])
        place = (ankle[0] + f[0], ankle[1] - world.height + max(f[18], 0.0), ankle[2] + f[1])
        f[6:10] = [place[0] + heel[0], place[2] + heel[2], place[0] + toe[0], place[2] + toe[2]]
        return place, multiply(about(UP, f[4]), turn)

    # ---------------------------------------------------------------- hips and legs
    def _hips(
        self,
        head: list[float],
        feet: Sequence[_Foot],
        goals: Sequence[tuple[Vec, Quat, float]],
        at: Sequence[Placed],
        world: "_World",
        h: float,
        known: bool,
    ) -> float:
        """Metres that the hips go up: with the mean of the feet's ground, lower where a leg would not reach."""
        own = sum(goal[2] for goal in goals) / len(goals)
        wanted = sum((foot.f[10] - world.height) * goal[2] for foot, goal in zip(feet, goals, strict=True))
        wanted /= len(goals)
        fits = math.inf
        for leg, now, foot, (place, _, share) in zip(self.legs, at, feet, goals, strict=True):
            if share <= 0.0:
                continue
            goal = self._goal(foot, place, share, head[0], world)
            a = world.out(now.places[leg.upper])
            most = LONGEST * length(leg, now)
            flat = math.hypot(goal[0] - a[0], goal[2] - a[2])
            fits = min(fits, goal[1] + math.sqrt(max(most * most - flat * flat, 0.0)) - a[1])
        wanted = min(wanted, max(fits, wanted - DEEPEST))
        if not known:
            head[0], head[1] = wanted, 0.0
        else:
            head[0] -= (world.height - head[2] - head[3] * h) * own  # but for slopes, stays where it is
            head[0], head[1] = spring(head[0], head[1], wanted, h, self.holding.hips_half)
        head[2] = world.height
        return max(min(head[0], fits), head[0] - SHORT)

    @staticmethod
    def _goal(foot: _Foot, place: Vec, share: float, rise: float, world: "_World") -> Vec:
        """Where the ankle is to be in the world."""
        ground = share * foot.f[10] + (1.0 - share) * (world.height + rise)
        return place[0], place[1] + ground, place[2]

    def _put(
        self,
        leg: Leg,
        now: Placed,
        foot: _Foot,
        world: "_World",
        goal: tuple[Vec, Quat, float],
        rise: float,
        turns: np.ndarray,
    ) -> None:
        """Bring the foot to its place."""
        place, turn, share = goal
        to = world.back(self._goal(foot, place, share, rise, world))
        level = _near(place[1] - leg.ankle) * share
        tilt = of_rotation_vector((foot.f[12] * level, foot.f[13] * level, foot.f[14] * level))
        turn = multiply(inverse(world.turn), multiply(tilt, turn))
        first = leg.chain.index(self.hips)
        places = [p if k < first else (p[0], p[1] + rise, p[2]) for k, p in enumerate(now.places)]
        same = sub(to, places[-1])
        if dot(same, same) < SMALL * SMALL and abs(dot4(turn, now.turns[-1])) > 1.0 - 1e-14:
            return
        pole = add(places[leg.upper], rotate(now.turns[leg.upper], leg.pole))
        made, _ = reached(leg, Placed(places, now.turns), to, turn, pole)
        for bone, q in made.items():
            turns[bone] = q


def dot4(a: Quat, b: Quat) -> float:
    """Dot product of rotations."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]


def _near(height: float) -> float:
    """How far a sole follows the slope: wholly on the ground, not at all 0.15 m above."""
    near = min(max(1.0 - max(height, 0.0) / 0.15, 0.0), 1.0)
    return near * near * (3.0 - 2.0 * near)


def _wrap(degrees: float) -> float:
    turned = math.fmod(degrees, 360.0)
    return turned - 360.0 if turned > 180.0 else turned + 360.0 if turned <= -180.0 else turned


class _World:
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


def _plant(c: Compiler, sheet: Sheet, node: Node) -> int:
    base, alpha = c.pose(sheet, node, "pose"), alpha_of(c, sheet, node)
    pins = tuple(c.value(sheet, node, pin, FLOAT, "1") for pin in ("hold", "follow"))
    body = body_of(c, sheet, node)
    if body is None:
        return base

    def curves(name: str, default: str) -> tuple[int, ...]:
        word = reading.text(node, name, default)
        return tuple(c.table.index.get(f"{word}_{'l' if leg.side > 0 else 'r'}", -1) for leg in body[2])

    holding = Holding(
        curves("contacts", "contact"),
        curves("feet", "ik"),
        reading.number(c, sheet, node, "free_half", 0.06, 1e-3, 10.0),
        reading.number(c, sheet, node, "foot_half", 0.03, 1e-3, 10.0),
        reading.number(c, sheet, node, "hips_half", 0.09, 1e-3, 10.0),
        reading.number(c, sheet, node, "turn_half", 0.06, 1e-3, 10.0),
        reading.number(c, sheet, node, "ahead", 0.06, 0.0, 1.0),
        math.radians(reading.number(c, sheet, node, "ankle", 40.0, 0.0, 89.0)),
    )
    return c.add(lambda at: PlantOp(at, (base,), alpha, pins, body, holding), node.id, node.name)  # type: ignore[arg-type]


KINDS: dict[str, Kind] = {"plant_feet": _plant}
