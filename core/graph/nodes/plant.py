"""Feet planted on uneven ground: kept where they were put down, on the ground's height, hips following (locomotion).

A foot that touches the ground is held by the point of its sole that is lowest: heel, then toe. What the pose would
move that point by is taken off, and once the foot swings the difference goes away over time.
"""

import math

from core.arrays import FloatArray
from core.graph.compiler import Compiler, Kind
from core.graph.graph import Node, Sheet
from core.graph.language.values import FLOAT
from core.graph.nodes import reading
from core.graph.nodes.modifier import Alpha, ModifierOp, alpha_of
from core.graph.nodes.planting import (
    FASTEST_RISE,
    FOOT,
    HEAD,
    HEIGHT,
    HELD,
    RISE,
    RISE_HALF,
    SMALL,
    TOUCHES,
    Foot,
    Goal,
    Holding,
    World,
    ankle_goal,
    grounds,
    held_at,
    hips_height,
    sole_tilt,
)
from core.graph.nodes.sole import beside, lifted, rolled
from core.graph.nodes.stride import body_of, lower, packed_legs, rows
from core.graph.op import OpPlace, Run
from core.graph.output import Output
from core.graph.packer import Packed, Packer
from core.ik.leg import (
    LONGEST,
    Leg,
    Placed,
    Quat,
    Vec,
    add,
    inverse,
    leaning,
    length,
    multiply,
    placed,
    reached,
    rotate,
    size,
    sub,
)
from core.math.transform import Transform

Local = tuple[FloatArray, FloatArray]
"""Local translations and rotations of all bones."""
ANKLE_TIMES, WITHIN = 2, 1.0 - 1e-9
"""How often a leg is bent again for an ankle at its limit, and the cosine of half an angle that is none."""
TELEPORT = 1.0
"""Metres in a step beyond which everything begins anew."""


class PlantOp(ModifierOp):
    """Holds feet, and stands them on the ground.

    Its int says whether anything is remembered.
    """

    INTS = 1
    POSE = "plant"

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

    def packed(self, packer: Packer) -> Packed:
        """Alpha; hold and follow; hips; legs with their curves; halves, seconds ahead and the ankle's limit."""
        own, hold = super().packed(packer), self.holding
        legs = packed_legs(packer, self.legs, self.hips)
        curves = packer.ints(
            [number for pair in zip(hold.contacts, hold.feet, strict=True) for number in pair]
        )
        numbers = (hold.free_half, hold.foot_half, hold.hips_half, hold.turn_half, hold.ahead, hold.ankle)
        return Packed(
            (*own.whole, self.hold, self.follow, self.hips, *legs, curves), (*own.numbers, *numbers)
        )

    def restart(self, run: Run) -> None:
        """Begin with the feet where the pose has them."""
        run.ints[self.place.ints] = 0
        run.floats[self.place.floats : self.place.floats + self.FLOATS] = 0.0

    def changed(self, run: Run, base: Output) -> Output:
        """The pose with its feet held and on the ground."""
        h = self.span(run)
        moves, turns = base.local.translation.copy(), base.local.rotation.copy()
        local = rows(self.legs, moves, turns)
        at = [placed(leg, *local) for leg in self.legs]
        world = World(run)
        feet = [Foot(run.floats, self.place.floats + HEAD + FOOT * k) for k in range(len(self.legs))]
        head: list[float] = run.floats[self.place.floats : self.place.floats + HEAD].tolist()
        known = bool(run.ints[self.place.ints]) and abs(world.height - head[HEIGHT]) < TELEPORT
        if known and h > 0.0:
            pace = min(max((world.height - head[HEIGHT]) / h, -FASTEST_RISE), FASTEST_RISE)
            head[RISE] += (pace - head[RISE]) * (1.0 - 2.0 ** (-h / RISE_HALF))
        grounds(self.legs, self.holding, world, at, feet, h, known, head[RISE] * h)
        goals = self._goals(run, base, at, feet, world, h if known else 0.0)
        rise = hips_height(self.legs, self.holding, head, feet, goals, at, world, h if known else -1.0)
        run.ints[self.place.ints] = 1
        run.floats[self.place.floats : self.place.floats + HEAD] = head
        for foot in feet:
            run.floats[foot.at : foot.at + FOOT] = foot.f
        if abs(rise) > SMALL:
            lower(self.legs[0], self.hips, moves, at[0], -rise)
        for leg, now, foot, goal in zip(self.legs, at, feet, goals, strict=True):
            self._put(leg, now, foot, world, goal, rise, (moves, turns))
        return Output(Transform(moves, turns, base.local.scale), base.curves, base.present, base.motion)

    def _goals(
        self, run: Run, base: Output, at: list[Placed], feet: list[Foot], world: World, h: float
    ) -> list[Goal]:
        """Where the feet are to be."""
        hold, follow = (min(max(run.value(r), 0.0), 1.0) for r in (self.hold, self.follow))
        holding, curve = self.holding, base.curves
        goals = []
        for k, (leg, now, foot) in enumerate(zip(self.legs, at, feet, strict=True)):
            touch = curve[holding.contacts[k]] if holding.contacts[k] >= 0 else 0.0
            held = min(max((float(touch) - TOUCHES) / (HELD - TOUCHES), 0.0), 1.0) * hold
            own = curve[holding.feet[k]] if holding.feet[k] >= 0 else 1.0
            share = float(own) * follow
            place, turn = held_at(holding, leg, now, foot, world, h, held, share)
            goals.append(Goal(place, turn, share, held))
        return goals

    def _put(
        self, leg: Leg, now: Placed, foot: Foot, world: World, goal: Goal, rise: float, local: Local
    ) -> None:
        """Bring the foot to its place."""
        tilt = sole_tilt(leg, foot, goal.place[1], goal.share)
        turn = multiply(inverse(world.turn), multiply(tilt, goal.turn))
        first = leg.chain.index(self.hips)
        places = [p if k < first else (p[0], p[1] + rise, p[2]) for k, p in enumerate(now.places)]
        most = LONGEST * length(leg, now)
        to = world.back(ankle_goal(foot, goal, rise, world))
        to, turn = rolled(leg, places[leg.upper], most, to, turn, goal.held)
        to = lifted(leg, places[leg.upper], most, to, turn, world)
        here = Placed(places, now.turns)
        same = size(sub(to, places[-1])) < SMALL and abs(dot4(turn, now.turns[-1])) > 1.0 - 1e-14
        if same and size(sub(to, places[leg.upper])) <= most:
            return
        self._reach(leg, here, to, turn, local)
        for _ in range(ANKLE_TIMES):
            here = placed(leg, *rows((leg,), *local))
            kept = leaning(leg, _turn(local, leg.foot))
            within = multiply(here.turns[-2], kept)
            if abs(dot4(within, turn)) > WITHIN:
                break
            to, turn = beside(leg, to, turn, within)
            to = lifted(leg, here.places[leg.upper], most, to, turn, world)
            self._reach(leg, here, to, turn, local)
        local[1][leg.foot] = leaning(leg, _turn(local, leg.foot))

    def _reach(self, leg: Leg, here: Placed, to: Vec, turn: Quat, local: Local) -> None:
        """Put the foot to a place in the character's space."""
        pole = add(here.places[leg.upper], rotate(here.turns[leg.upper], leg.pole))
        made, _ = reached(leg, here, to, turn, pole)
        for bone, q in made.items():
            local[1][bone] = q


def _turn(local: Local, bone: int) -> Quat:
    """A bone's local rotation."""
    x, y, z, w = local[1][bone].tolist()
    return x, y, z, w


def dot4(a: Quat, b: Quat) -> float:
    """Dot product of rotations."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]


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
        reading.number(c, sheet, node, "hips_half", 0.06, 1e-3, 10.0),
        reading.number(c, sheet, node, "turn_half", 0.06, 1e-3, 10.0),
        reading.number(c, sheet, node, "ahead", 0.06, 0.0, 1.0),
        math.radians(reading.number(c, sheet, node, "ankle", 40.0, 0.0, 89.0)),
    )
    return c.add(lambda at: PlantOp(at, (base,), alpha, pins, body, holding), node.id, node.name)  # type: ignore[arg-type]


KINDS: dict[str, Kind] = {"plant_feet": _plant}
