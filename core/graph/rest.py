"""The op of the rest pose."""

from core.graph.curve_table import CurveTable
from core.graph.op import OpPlace, PoseOp, Run
from core.graph.output import Output


class RestOp(PoseOp):
    """The rest pose."""

    POSE = "rest"

    def __init__(self, where: OpPlace, table: CurveTable) -> None:
        super().__init__(where, ())
        self._table = table

    def pose(self, run: Run) -> Output:
        """The rest pose without curves."""
        return Output(run.rig.skeleton.rest, *self._table.filled({}, {}))
