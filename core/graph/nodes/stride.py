"""Stride and orientation warping: steps longer or shorter, and in a direction beside the clip's (spec: locomotion)."""

import math

import numpy as np

from core.graph.compiler import Compiler, Kind
from core.graph.graph import Node, Sheet
from core.graph.language.values import FLOAT
from core.graph.nodes.modifier import Alpha, ModifierOp, alpha_of
from core.graph.op import OpPlace, Run
from core.graph.output import Output
from core.graph.packer import Packed, Packer
from core.ik.leg import (
    LONGEST,
    Leg,
    Placed,
    Quat,
    Vec,
    about,
    body_legs,
    inverse,
    length,
    multiply,
    placed,
    reached,
    rotate,
    size,
    sub,
    unit,
)
from core.math import kernel_graph_layout as layout
from core.math.transform import Transform
from core.rig.roles import Role, rig_roles

NOTHING = 1e-6
"""Of a stride beside 1, and degrees, under which a pose stays as it is."""
UP = (0.0, 1.0, 0.0)
DEEPEST = 0.25
"""Metres that the hips go down at most so that legs reach."""


class StrideOp(ModifierOp):
    """Scales the steps along the travel, and turns the lower body under the upper.

    Parameters
    ----------
    pins : registers of stride, direction and turn
    spine : numbers of the bones that turn back, in equal shares
    """

    POSE = "stride"

    def __init__(
        self,
        at: OpPlace,
        inputs: tuple[int],
        alpha: Alpha,
        pins: tuple[int, int, int],
        body: tuple[int, tuple[int, ...], tuple[Leg, ...]],
    ) -> None:
        super().__init__(at, inputs, alpha)
        self.pins = pins
        self.hips, self.spine, self.legs = body

    def packed(self, packer: Packer) -> Packed:
        """Alpha, stride, direction and turn; hips, legs, spine."""
        own, legs = super().packed(packer), packed_legs(packer, self.legs, self.hips)
        spine = packer.ints(self.spine)
        return Packed((*own.whole, *self.pins, self.hips, *legs, spine, len(self.spine)), own.numbers)

    def changed(self, run: Run, base: Output) -> Output:
        """The pose with other steps; feet keep their heights, and hips go down where legs would not reach."""
        stride, direction, turn = (run.value(register) for register in self.pins)
        stride = min(max(stride, 0.0), 4.0)
        if abs(stride - 1.0) < NOTHING and abs(turn) < NOTHING:
            return base
        moves = base.local.translation.copy()
        turns = base.local.rotation.copy()
        if abs(turn) >= NOTHING:
            self._turn(turns, math.fmod(turn, 360.0))
        if abs(stride - 1.0) >= NOTHING:
            # The clip's steps go in its own direction, which has turned with the legs.
            self._stretch(moves, turns, stride, direction + turn)
        return Output(Transform(moves, turns, base.local.scale), base.curves, base.present, base.motion)

    def _turn(self, turns: np.ndarray, degrees: float) -> None:
        """Turn hips and legs to the right, and the spine back."""
        above = unit((0.0, 0.0, 0.0, 1.0))
        for bone in self.legs[0].chain[: self.legs[0].chain.index(self.hips)]:
            above = multiply(above, tuple(turns[bone].tolist()))
        now = multiply(above, tuple(turns[self.hips].tolist()))
        made = multiply(about(UP, -degrees), now)
        turns[self.hips] = unit(multiply(inverse(above), made))
        share = degrees / max(len(self.spine), 1)
        for number, bone in enumerate(self.spine):
            old = multiply(now, tuple(turns[bone].tolist()))
            back = multiply(about(UP, share * (number + 1) - degrees), old)
            turns[bone] = unit(multiply(inverse(made), back))
            now, made = old, back

    def _stretch(self, moves: np.ndarray, turns: np.ndarray, stride: float, direction: float) -> None:
        """Bring the feet nearer to the hips along a direction, or farther, by the stride."""
        local_moves, local_turns = rows(self.legs, moves, turns)
        at = [placed(leg, local_moves, local_turns) for leg in self.legs]
        middle = at[0].places[self.legs[0].chain.index(self.hips)]
        way = (-math.sin(math.radians(direction)), math.cos(math.radians(direction)))
        goals, drop = [], 0.0
        for leg, now in zip(self.legs, at, strict=True):
            x, y, z = now.places[-1]
            more = (stride - 1.0) * ((x - middle[0]) * way[0] + (z - middle[2]) * way[1])
            goal = (x + more * way[0], y, z + more * way[1])
            goals.append(goal)
            drop = max(drop, _too_far(leg, now, goal))
        drop = min(drop, DEEPEST)
        if drop > 0.0:
            lower(self.legs[0], self.hips, moves, at[0], drop)
        for leg, now, goal in zip(self.legs, at, goals, strict=True):
            places = [
                p if k < leg.chain.index(self.hips) else (p[0], p[1] - drop, p[2])
                for k, p in enumerate(now.places)
            ]
            here = Placed(places, now.turns)
            pole = rotate(now.turns[leg.upper], leg.pole)
            a = places[leg.upper]
            made, _ = reached(
                leg, here, goal, now.turns[-1], (a[0] + pole[0], a[1] + pole[1], a[2] + pole[2])
            )
            for bone, q in made.items():
                turns[bone] = q


def lower(leg: Leg, hips: int, moves: np.ndarray, at: Placed, drop: float) -> None:
    """Move the hips down by some metres, in place."""
    k = leg.chain.index(hips)
    step = (0.0, -drop, 0.0)
    moves[hips] += rotate(inverse(at.turns[k - 1]), step) if k else step


def _too_far(leg: Leg, at: Placed, goal: tuple[float, float, float]) -> float:
    """Metres that the hips have to go down for a leg to reach a goal."""
    a = at.places[leg.upper]
    most = max(LONGEST * length(leg, at), size(sub(at.places[-1], a)))
    flat = math.hypot(goal[0] - a[0], goal[2] - a[2])
    return a[1] - goal[1] - math.sqrt(max(most * most - flat * flat, 0.0))


def rows(
    legs: tuple[Leg, ...], moves: np.ndarray, turns: np.ndarray
) -> tuple[dict[int, Vec], dict[int, Quat]]:
    """Local translations and rotations of the legs' bones, in plain numbers by bone."""
    bones = sorted({bone for leg in legs for bone in leg.chain})
    some_moves, some_turns = moves[bones].tolist(), turns[bones].tolist()
    return dict(zip(bones, some_moves, strict=True)), dict(zip(bones, some_turns, strict=True))


def packed_legs(packer: Packer, legs: tuple[Leg, ...], hips: int) -> tuple[int, int, int, int]:
    """How many legs there are, their rows, their numbers, and room to work in; see `kernel_graph_layout.LEG_CHAIN`."""
    rows_: list[int] = []
    numbers: list[float] = []
    room = 0
    for leg in legs:
        chain = packer.ints(leg.chain)
        rows_ += [chain, len(leg.chain), leg.upper, leg.lower, leg.chain.index(hips), room]
        numbers += [
            *leg.pole, *leg.hinge, *leg.heel, *leg.toe, leg.ankle, *leg.rest, *leg.axis, leg.cone
        ]  # fmt: skip
        room += layout.LEG_PLACED * len(leg.chain) + layout.LEG_GOAL
    return len(legs), packer.ints(rows_), packer.floats(numbers), packer.take(0, room)[1]


def body_of(c: Compiler, sheet: Sheet, node: Node) -> tuple[int, tuple[int, ...], tuple[Leg, ...]] | None:
    """Hips, spine and legs of the rig; a fault where they could not be told."""
    found = body_legs(c.rig)
    if found is not None:
        spine = rig_roles(c.rig).found.get((Role.SPINE, 0), ())
        numbers = tuple(c.rig.skeleton.index(bone) for bone in spine)
        return found[0], _in_a_row(c, found[0], numbers), found[1]
    c.fault(
        "the rig's hips and legs could not be told from its bones; name them like hips, thigh, calf, foot",
        sheet.id, node.id,
    )  # fmt: skip
    return None


def _in_a_row(c: Compiler, hips: int, spine: tuple[int, ...]) -> tuple[int, ...]:
    """The bones of a spine that hang one on the other, from the hips up."""
    found, above = [], hips
    for bone in spine:
        if c.rig.skeleton.parent(bone) != above:
            break
        found.append(bone)
        above = bone
    return tuple(found)


def _stride(c: Compiler, sheet: Sheet, node: Node) -> int:
    base, alpha = c.pose(sheet, node, "pose"), alpha_of(c, sheet, node)
    pins = tuple(
        c.value(sheet, node, pin, FLOAT, text)
        for pin, text in (("stride", "1"), ("direction", "0"), ("turn", "0"))
    )
    body = body_of(c, sheet, node)
    if body is None:
        return base
    return c.add(lambda at: StrideOp(at, (base,), alpha, pins, body), node.id, node.name)  # type: ignore[arg-type]


KINDS: dict[str, Kind] = {"stride_warp": _stride}
