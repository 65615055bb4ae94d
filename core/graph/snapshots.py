"""Poses saved under names, to be shown later."""

from core.graph import kept
from core.graph.curve_table import CurveTable
from core.graph.op import OpPlace, PoseOp, Run
from core.graph.output import Output


class SnapshotOp(PoseOp):
    """A pose that was saved under a name; the rest pose where none was. Its int says whether there is one."""

    INTS = 1
    POSES = 1

    def __init__(self, where: OpPlace, saved: str, table: CurveTable) -> None:
        super().__init__(where, ())
        self.saved, self._table = saved, table

    def save(self, run: Run, output: Output) -> None:
        """Keep a pose with its curves."""
        kept.store(run, self.place.poses, output)
        run.ints[self.place.ints] = 1

    def pose(self, run: Run) -> Output:
        """What was saved last; a pose that was never saved flags the node."""
        if run.ints[self.place.ints] == 0:
            run.flagged.add(self.node)
            return Output(run.rig.skeleton.rest, *self._table.filled({}, {}))
        return kept.stored(run, self.place.poses)


def keep_snapshot(run: Run, name: str, output: Output | None = None) -> None:
    """Save a pose under a name: the one given, else the graph's result of the last step, where there is one."""
    found = output or run.ops[-1].last(run)
    if found is None:
        return
    for op in run.ops:
        if isinstance(op, SnapshotOp) and op.saved == name:
            op.save(run, found)
