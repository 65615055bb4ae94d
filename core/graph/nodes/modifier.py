"""Nodes that change a pose by an alpha: a number, a truth that fades, or a curve (spec: graph, Pose nodes)."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.graph.compiler import Compiler
from core.graph.graph import Node, Sheet
from core.graph.language.program import Op
from core.graph.language.values import BOOL, FLOAT
from core.graph.nodes import reading
from core.graph.op import ZERO, GraphOp, OpPlace, PoseOp, Run
from core.graph.output import Output
from core.graph.packer import Packed, Packer
from core.pose.blend import between

AT_ONCE = 1e12
"""Alpha a second of a fade that takes no time."""


@dataclass(frozen=True, slots=True)
class Alpha:
    """How strongly a node acts: ``clamp(value · scale + bias, 0, 1)``.

    Parameters
    ----------
    register : of its value
    curve : number of the curve of the incoming pose that is its value instead; −1 for none
    """

    register: int
    curve: int = -1
    scale: float = 1.0
    bias: float = 0.0

    def value(self, run: Run, base: Output | None = None) -> float:
        """Alpha in this step; by a curve it is what the incoming pose says, or said last where it is not yet known."""
        if self.curve < 0:
            found = run.value(self.register)
        else:
            found = float((run.last_curves if base is None else base.curves)[self.curve])
        return min(max(found * self.scale + self.bias, 0.0), 1.0)


def alpha_of(c: Compiler, sheet: Sheet, node: Node, pin: str = "alpha") -> Alpha:
    """The alpha of a node by its pin.

    Its parameters are ``alpha_by``, ``alpha_curve``, ``fade_in``, ``fade_out``, ``alpha_scale``, ``alpha_bias``.
    """
    by = reading.choice(c, sheet, node, "alpha_by", ("number", "bool", "curve"), "number")
    scale = reading.number(c, sheet, node, "alpha_scale", 1.0)
    bias = reading.number(c, sheet, node, "alpha_bias", 0.0)
    if by == "curve":
        name = reading.text(node, "alpha_curve")
        if not name:
            c.fault("no curve is chosen for its alpha", sheet.id, node.id, "alpha_curve")
        return Alpha(0, c.table.index[name], scale, bias) if name in c.table.index else Alpha(
            c.builder.constant(FLOAT, 0.0).register, -1, scale, bias
        )  # fmt: skip
    if by == "number":
        return Alpha(c.value(sheet, node, pin, FLOAT, "1"), -1, scale, bias)
    on = c.value(sheet, node, pin, BOOL, "true")
    speeds = [
        c.builder.constant(FLOAT, 1.0 / seconds if seconds > 0.0 else AT_ONCE).register
        for seconds in (
            reading.number(c, sheet, node, "fade_in", 0.2, 0.0),
            reading.number(c, sheet, node, "fade_out", 0.2, 0.0),
        )
    ]
    ends = [c.builder.constant(FLOAT, x).register for x in (1.0, 0.0)]
    goal = c.builder.emit(Op.SELECT, FLOAT, on, *ends)
    speed = c.builder.emit(Op.SELECT, FLOAT, on, *speeds)
    return Alpha(c.builder.emit(Op.FOLLOW, FLOAT, goal.register, speed.register).register, -1, scale, bias)


class ModifierOp(PoseOp):
    """Changes the pose of its first input by an alpha; under `ZERO` that passes through."""

    POSE = "modifier"

    def __init__(self, where: OpPlace, inputs: Sequence[int], alpha: Alpha) -> None:
        super().__init__(where, inputs)
        self.alpha = alpha

    def packed(self, packer: Packer) -> Packed:
        """Alpha."""
        return Packed((self.alpha.register, self.alpha.curve), (self.alpha.scale, self.alpha.bias))

    def players(self, run: Run) -> list[tuple[GraphOp, float]]:
        """Those of what it changes."""
        return run.ops[self.inputs[0]].players(run)

    def pose(self, run: Run) -> Output:
        """``between(in, changed, alpha)``."""
        base = run.output(self.inputs[0])
        share = self.alpha.value(run, base)
        if share < ZERO:
            return base
        changed = self.changed(run, base)
        if share >= 1.0:
            return changed
        curves, present = base.curves, base.present
        if changed.curves is not base.curves:
            curves, present = curves + share * (changed.curves - curves), present | changed.present
        return Output(between(base.local, changed.local, share), curves, present, base.motion)

    @abstractmethod
    def changed(self, run: Run, base: Output) -> Output:
        """The result at alpha 1."""

    def origin(self, run: Run) -> Output:
        """The pose before the chain of modifiers that ends here, which is made already."""
        op: GraphOp = self
        while isinstance(op, ModifierOp):
            op = run.ops[op.inputs[0]]
        return run.output(op.number)


def part_set(base: np.ndarray, bone: int, value: np.ndarray) -> np.ndarray:
    """A part ``(B, k)`` of local transforms with one bone's row replaced."""
    part = np.array(base)
    part[bone] = value
    return part
