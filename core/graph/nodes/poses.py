"""Poses that are not played: snapshots, pose assets, the pose that a graph is given; and root motion."""

import numpy as np

from core.graph.compiler import Compiler, Kind
from core.graph.curve_table import CurveTable
from core.graph.graph import Node, Sheet
from core.graph.language.values import BOOL, FLOAT, VECTOR
from core.graph.nodes import reading
from core.graph.nodes.modifier import Alpha, ModifierOp, alpha_of
from core.graph.op import OpPlace, PoseOp, Run
from core.graph.output import Output
from core.graph.snapshots import SnapshotOp
from core.math import quat
from core.math.transform import Transform
from core.pose.library import PoseAsset, with_pose_assets


def _snapshot(c: Compiler, sheet: Sheet, node: Node) -> int:
    name = reading.text(node, "snapshot")
    if not name:
        c.fault("its snapshot has no name; type one", sheet.id, node.id, "snapshot")
    same = next((op for op in c.ops if isinstance(op, SnapshotOp) and op.saved == name), None)
    if same is not None:
        return same.number
    return c.add(lambda at: SnapshotOp(at, name, c.table), node.id, node.name)


class PoseInputOp(PoseOp):
    """The pose that a post-process graph is given; the rest pose where nobody gives one."""

    POSE = "given"

    def __init__(self, where: OpPlace, table: CurveTable) -> None:
        super().__init__(where, ())
        self._table = table

    def pose(self, run: Run) -> Output:
        """What was given."""
        if run.incoming is None:
            return Output(run.rig.skeleton.rest, *self._table.filled({}, {}))
        return run.incoming


def _pose_input(c: Compiler, sheet: Sheet, node: Node) -> int:
    if c.given is not None:
        return c.given(sheet, node)
    return c.add(lambda at: PoseInputOp(at, c.table), node.id, node.name)


class PoseAssetOp(ModifierOp):
    """Puts a pose asset's poses on by weights.

    Parameters
    ----------
    weights : register a target; −1 for one that its curve drives, with the curve's number in `curves`
    """

    def __init__(
        self,
        where: OpPlace,
        inputs: tuple[int],
        alpha: Alpha,
        asset: PoseAsset,
        weights: tuple[int, ...],
        curves: tuple[int, ...],
    ) -> None:
        super().__init__(where, inputs, alpha)
        self.asset, self.weights, self.curves = asset, weights, curves

    def changed(self, run: Run, base: Output) -> Output:
        """The pose with the weighted differences put on."""
        shares = {
            target.name: np.array([self._weight(run, base, register, curve)])
            for target, register, curve in zip(self.asset.targets, self.weights, self.curves, strict=True)
        }
        batch = Transform(*(part[None] for part in base.local))
        made = with_pose_assets(run.rig.skeleton, batch, [self.asset], shares)
        local = base.local if made is batch else Transform(*(part[0] for part in made))
        return Output(local, base.curves, base.present, base.motion)

    @staticmethod
    def _weight(run: Run, base: Output, register: int, curve: int) -> float:
        if register >= 0:
            return min(max(run.value(register), -reading.FARTHEST), reading.FARTHEST)
        return float(base.curves[curve]) if curve >= 0 else 0.0


def _pose_asset(c: Compiler, sheet: Sheet, node: Node) -> int:
    wired = c.link(sheet, node.id, "pose") is not None
    base = c.pose(sheet, node, "pose") if wired else c.rest(node.id)
    alpha = alpha_of(c, sheet, node)
    asset = c.asset(sheet, node, "asset", PoseAsset, "pose asset")
    if asset is None:
        return base
    by_curves = reading.truth(node, "by_curves")
    weights, curves = [], []
    for target in asset.targets:
        typed = target.name in node.literals or c.link(sheet, node.id, target.name) is not None
        driven = by_curves and not typed
        weights.append(-1 if driven else c.value(sheet, node, target.name, FLOAT, "0"))
        curves.append(c.table.index.get(target.name, -1))
    return c.add(
        lambda at: PoseAssetOp(at, (base,), alpha, asset, tuple(weights), tuple(curves)),
        node.id,
        node.name,
    )


class RootMotionOp(PoseOp):
    """Keeps, scales, turns or replaces the step's root motion.

    Parameters
    ----------
    keep, scale, turn : registers: whether there is any, factor of its way, degrees about +Y it is turned by
    speed, spin : registers of metres ``(3,)`` and degrees about +Y a second that replace it; −1 keeps it
    """

    def __init__(
        self,
        where: OpPlace,
        inputs: tuple[int],
        keep: int,
        scale: int,
        turn: int,
        speed: int,
        spin: int,
    ) -> None:
        super().__init__(where, inputs)
        self.keep, self.scale, self.turn, self.speed, self.spin = keep, scale, turn, speed, spin

    def pose(self, run: Run) -> Output:
        """The pose as it is, with other root motion."""
        base = run.output(self.inputs[0])
        motion, seconds = base.motion, self.span(run)
        if run.value(self.keep) == 0.0:
            still = Transform(np.zeros(3), quat.IDENTITY, np.ones(3))
            return Output(base.local, base.curves, base.present, still)
        if self.speed >= 0:
            yaw = _yaw(run.value(self.spin) * seconds)
            motion = Transform(reading.vector(run, self.speed) * seconds, yaw, motion.scale)
        scale = min(max(run.value(self.scale), -reading.FARTHEST), reading.FARTHEST)
        way = quat.rotate(_yaw(run.value(self.turn)), motion.translation * scale)
        moved = Transform(way, motion.rotation, motion.scale)
        return Output(base.local, base.curves, base.present, moved)


def _yaw(degrees: float) -> np.ndarray:
    held = np.radians(np.fmod(degrees, 360.0))
    return quat.from_axis_angle(np.array([0.0, 1.0, 0.0]), held)


def _root_motion(c: Compiler, sheet: Sheet, node: Node) -> int:
    base = c.pose(sheet, node, "pose")
    keep = c.value(sheet, node, "keep", BOOL, "true")
    scale, turn = c.value(sheet, node, "scale", FLOAT, "1"), c.value(sheet, node, "turn", FLOAT, "0")
    speed = spin = -1
    if reading.truth(node, "replace"):
        speed = c.value(sheet, node, "velocity", VECTOR, "vec(0, 0, 0)")
        spin = c.value(sheet, node, "spin", FLOAT, "0")
    return c.add(lambda at: RootMotionOp(at, (base,), keep, scale, turn, speed, spin), node.id, node.name)


KINDS: dict[str, Kind] = {
    "snapshot": _snapshot,
    "pose_input": _pose_input,
    "pose_asset": _pose_asset,
    "root_motion": _root_motion,
}
