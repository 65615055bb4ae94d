"""Custom blends of state machines: a pose sheet that makes one pose of source and target (spec: graph, §7)."""

from collections.abc import Sequence

from core.graph.machine_parts import CustomBlend
from core.graph.op import OpPlace, PoseOp, Run
from core.graph.output import Output

SOURCE, TARGET = "source", "target"
"""Pose inputs of the sheet of a custom blend."""
VALUES = ("w", "t", "T")
"""What its expressions know beside variables: the eased share, seconds since the start, seconds in all."""


class TransitionInputOp(PoseOp):
    """A pose that a running transition gives its sheet."""

    def __init__(self, where: OpPlace, which: str) -> None:
        super().__init__(where, ())
        self.which = which

    @property
    def logic(self) -> None:
        """Python hands it its pose."""

    def pose(self, run: Run) -> Output:
        """What the machine gave it in this step."""
        return run.handed[self.number]


def tell(run: Run, custom: CustomBlend, share: float, elapsed: float, seconds: float) -> None:
    """Let the sheet's expressions know how far the transition is."""
    for register, value in zip(custom.registers, (share, elapsed, seconds), strict=True):
        run.registers[register] = value
    if run.rerun is not None:
        run.rerun(*custom.rows)


def blended(run: Run, custom: CustomBlend, source: Output, target: Output) -> Output:
    """The sheet's pose of two poses."""
    run.handed.update(dict.fromkeys(custom.sources, source))
    run.handed.update(dict.fromkeys(custom.targets, target))
    return run.output(custom.root)


def asked_ops(readers: Sequence[Sequence[int]], custom: CustomBlend, machine: int) -> set[int]:
    """The sheet's ops that nothing else reads: they are posed when the machine asks, not before."""
    own = set(custom.ops)
    while True:
        left = {k for k in own if set(readers[k]) <= own | {machine}}
        if left == own:
            return own
        own = left
