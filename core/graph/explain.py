"""Why a step did what it did: each candidate transition, each leaf's weight, what each node added to a bone.

A step is run on a copy of the state by the plain twin, which notes what it looks at; nothing is changed by asking.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from core.errors import ValidationError
from core.graph.instance import Instance
from core.graph.op import GraphOp
from core.graph.plan import Plan
from core.graph.record import Step, taken
from core.graph.result import StepResult
from core.graph.watch import Reason, Watch
from core.math import kernels, quat
from core.math.transform import Transform, down_chain


class Watched(Protocol):
    """What can be asked: an instance, or a character around one."""

    @property
    def plan(self) -> Plan: ...
    def snapshot(self) -> Any:
        """The state now."""
        ...

    def restore(self, state: Any) -> None:
        """Go on from a snapshot."""
        ...


@dataclass(frozen=True, slots=True)
class Added:
    """What one node did to a bone, seen in model space.

    Parameters
    ----------
    node, name, kind : of the node
    metres, degrees : how far it moved and turned the bone from where its first input had it
    """

    node: str
    name: str
    kind: str
    metres: float
    degrees: float


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """One step, explained.

    Parameters
    ----------
    result : what the step gives
    reasons : of every candidate transition that a machine looked at, in order
    watch : what was noted
    """

    plan: Plan
    result: StepResult
    reasons: tuple[Reason, ...]
    watch: Watch

    def leaves(self) -> dict[str, float]:
        """Name (or id) of every player and other leaf → its absolute weight, the heaviest first."""
        found = {
            op.name or op.node: float(self.result.weights[op.number])
            for op in self.plan.ops
            if not op.inputs and self.result.weights[op.number] > 0.0
        }
        return dict(sorted(found.items(), key=lambda item: -item[1]))

    def bone(self, name: str) -> tuple[Added, ...]:
        """What each node on the way to the Output did to a bone, the first one first.

        The way goes along first inputs: the base of layers, the heaviest side of blends.
        """
        self.plan.rig.skeleton.index(name)
        return self.bones(-1.0, -1.0)[name]

    def bones(self, metres: float = 1e-6, degrees: float = 1e-4) -> dict[str, tuple[Added, ...]]:
        """For every bone what each node on the way to the Output did to it, the first one first; see `bone`.

        Parameters
        ----------
        metres, degrees : nodes that moved and turned a bone no farther than these are left out
        """
        way: list[GraphOp] = [self.plan.ops[-1]]
        while (below := self._below(way[-1])) is not None:
            way.append(below)
        frames = [self._frames(op) for op in way]
        names = self.plan.rig.skeleton.names
        found: dict[str, list[Added]] = {name: [] for name in names}
        for k in range(len(way) - 2, -1, -1):
            before, after, op = frames[k + 1], frames[k], way[k]
            moved = np.linalg.norm(after.translation - before.translation, axis=1)
            turned = np.degrees(quat.angle_between(after.rotation, before.rotation))
            kind = type(op).__name__.removesuffix("Op").lower()
            for number, name in enumerate(names):
                if moved[number] > metres or turned[number] > degrees:
                    entry = Added(op.node, op.name, kind, float(moved[number]), float(turned[number]))
                    found[name].append(entry)
        return {name: tuple(entries) for name, entries in found.items()}

    def _below(self, op: GraphOp) -> GraphOp | None:
        made = [number for number in op.inputs if number in self.watch.outputs]
        if not made:
            return None
        if (
            op.inputs[0] in made
            and self.result.weights[op.inputs[0]] >= self.result.weights[op.number] - 1e-9
        ):
            return self.plan.ops[op.inputs[0]]
        return self.plan.ops[max(made, key=lambda number: float(self.result.weights[number]))]

    def _frames(self, op: GraphOp) -> Transform:
        """Model transforms ``(B, k)`` of an op's result."""
        return down_chain(self.plan.rig.skeleton.parents, self.watch.outputs[op.number].local)


def explain(mover: Any, step: Step) -> Explanation:
    """What a step would do and why; the mover is left as it is.

    Parameters
    ----------
    mover : an `Instance`, or a `core.graph.post.Character`
    step : of at most a tenth of a second, so that it is one inner step

    Raises
    ------
    ValidationError
        A longer step, or one that is refused (see `Instance.step`).
    """
    if not 0.0 <= step.dt <= 0.1:
        raise ValidationError(f"expected a step of 0 to 0.1 s to explain, got {step.dt}")
    instance: Instance = mover if isinstance(mover, Instance) else mover.instance
    before = mover.snapshot()
    instance.watch = watch = Watch()
    try:
        with kernels.twin():
            result = taken(mover, step)
    finally:
        instance.watch = None
        mover.restore(before)
    return Explanation(instance.plan, result, tuple(watch.reasons), watch)


def told(explanation: Explanation) -> list[Mapping[str, Any]]:
    """The reasons as JSON values."""
    return [
        {
            "machine": r.machine, "transition": r.transition, "node": r.node, "moment": r.moment, "taken": r.taken,
            "why": r.why, "detail": r.detail,
        }
        for r in explanation.reasons
    ]  # fmt: skip
