"""Ops that bring poses together: blends, layers, additive differences, changed curves and bones."""

import numpy as np

from core.arrays import BoolArray, FloatArray
from core.blending.layers import CurveRule, merged_curves, over
from core.clips.additive import AdditiveSampler, put_on
from core.graph.op import ZERO, PoseOp, Run
from core.graph.output import Output, mix
from core.graph.players import ClipOp, CurveTable
from core.math.transform import Transform
from core.pose.mirror import MirrorMap, mirrored, reflected_rotation, reflected_vector


class OutputOp(PoseOp):
    """The end of the graph."""

    def pose(self, run: Run) -> Output:
        """What comes in."""
        return run.output(self.inputs[0])


class BlendOp(PoseOp):
    """From A to B by alpha 0..1. Its state: the alpha of the last step."""

    FLOATS = 1

    def __init__(self, number: int, node: str, name: str, inputs: tuple[int, int], alpha: int) -> None:
        super().__init__(number, node, name, inputs)
        self.alpha = alpha

    def _share(self, run: Run) -> float:
        return min(max(run.value(self.alpha), 0.0), 1.0)

    def restart(self, run: Run) -> None:
        """The last alpha is this one."""
        run.floats[self.place.floats] = self._share(run)

    def weigh(self, run: Run, weight: float) -> None:
        """Weights 1 − alpha and alpha."""
        share = self._share(run)
        for number, part in zip(self.inputs, (1.0 - share, share), strict=True):
            run.reach(number, weight * part, self, relevant=part >= ZERO)

    def players(self, run: Run) -> list[tuple[PoseOp, float]]:
        """Those of both sides, weighed."""
        share = self._share(run)
        sides = ((self.inputs[0], 1.0 - share), (self.inputs[1], share))
        return [
            (op, w * side) for number, side in sides for op, w in run.ops[number].players(run) if side >= ZERO
        ]

    def pose(self, run: Run) -> Output:
        """The weighted pose; a side under `ZERO` is not asked."""
        share, at = self._share(run), self.place.floats
        before = float(run.floats[at])
        run.floats[at] = share
        if share < ZERO:
            return run.output(self.inputs[0])
        if 1.0 - share < ZERO:
            return run.output(self.inputs[1])
        both = [run.output(number) for number in self.inputs]
        return mix(both, (1.0 - share, share), (1.0 - before, before))


class LayeredOp(PoseOp):
    """A base with one layer over it, by weights ``(B,)`` a bone (branch filters or a mask)."""

    def __init__(
        self,
        number: int,
        node: str,
        name: str,
        inputs: tuple[int, int],
        weight: int,
        bones: FloatArray,
        model_rotations: bool,
        rule: CurveRule,
        table: CurveTable,
    ) -> None:
        super().__init__(number, node, name, inputs)
        self.weight, self.bones, self.model_rotations = weight, bones, model_rotations
        self.rule, self._table = rule, table

    def _share(self, run: Run) -> float:
        return min(max(run.value(self.weight), 0.0), 1.0)

    def weigh(self, run: Run, weight: float) -> None:
        """The base counts in full, the layer by its largest bone weight."""
        largest = self._share(run) * float(self.bones.max(initial=0.0))
        run.reach(self.inputs[0], weight, self, relevant=True)
        run.reach(self.inputs[1], weight * largest, self, relevant=largest >= ZERO)

    def players(self, run: Run) -> list[tuple[PoseOp, float]]:
        """Those of the base: a layer does not say when a state is over."""
        return run.ops[self.inputs[0]].players(run)

    def pose(self, run: Run) -> Output:
        """The layer put over the base; root motion is the base's."""
        base, share = run.output(self.inputs[0]), self._share(run)
        if share * float(self.bones.max(initial=0.0)) < ZERO:
            return base
        layer = run.output(self.inputs[1])
        local = over(run.rig.skeleton, base.local, layer.local, share * self.bones, self.model_rotations)
        curves, present = _merged(base, layer, share, self.rule)
        return Output(local, curves, present, base.motion)


def _merged(base: Output, layer: Output, share: float, rule: CurveRule) -> tuple[FloatArray, BoolArray]:
    """Curves of base and layer by one of the seven rules."""
    tables = [{str(k): float(o.curves[k]) for k in np.flatnonzero(o.present)} for o in (base, layer)]
    merged = merged_curves(tables[0], tables[1:], [share], rule)
    values, present = np.zeros_like(base.curves), np.zeros_like(base.present)
    for name, value in merged.items():
        values[int(name)], present[int(name)] = value, True
    return values, present


class AdditiveOp(PoseOp):
    """An additive clip put on a base by a weight. The clip's own op (its second input) tells the time."""

    def __init__(
        self,
        number: int,
        node: str,
        name: str,
        inputs: tuple[int, int],
        alpha: int,
        sampler: AdditiveSampler,
        table: CurveTable,
    ) -> None:
        super().__init__(number, node, name, inputs)
        self.alpha, self.sampler, self._table = alpha, sampler, table

    def weigh(self, run: Run, weight: float) -> None:
        """The base counts in full, the clip by alpha."""
        alpha = min(max(run.value(self.alpha), 0.0), 1.0)
        run.reach(self.inputs[0], weight, self, relevant=True)
        run.reach(self.inputs[1], weight * alpha, self, relevant=alpha >= ZERO)

    def players(self, run: Run) -> list[tuple[PoseOp, float]]:
        """Those of the base."""
        return run.ops[self.inputs[0]].players(run)

    def pose(self, run: Run) -> Output:
        """The base with the clip's difference at its time."""
        base, alpha = run.output(self.inputs[0]), min(max(run.value(self.alpha), 0.0), 1.0)
        if alpha < ZERO:
            return base
        player = run.ops[self.inputs[1]]
        assert isinstance(player, ClipOp)
        time = float(run.floats[player.place.floats])
        position = time % player.length if player.loops and player.length > 0.0 else time
        deltas = self.sampler.deltas(np.array([position]))
        delta = Transform(*(part[0] for part in deltas.local))
        local = put_on(run.rig.skeleton, base.local, delta, deltas.space, alpha)
        curves, present = self._table.filled(deltas.curves, deltas.morphs)
        return Output(local, base.curves + alpha * curves, base.present | present, base.motion)


class CurveOp(PoseOp):
    """Sets, adds to or scales a named curve."""

    def __init__(
        self, number: int, node: str, name: str, inputs: tuple[int], curve: int, way: str, value: int
    ) -> None:
        super().__init__(number, node, name, inputs)
        self.curve, self.way, self.value = curve, way, value

    def pose(self, run: Run) -> Output:
        """The pose with the curve changed."""
        base, value = run.output(self.inputs[0]), run.value(self.value)
        curves, present = base.curves.copy(), base.present.copy()
        if self.way == "add":
            value += curves[self.curve]
        elif self.way == "scale":
            value *= curves[self.curve]
        curves[self.curve], present[self.curve] = value, True
        return Output(base.local, curves, present, base.motion)


class MirrorOp(PoseOp):
    """Mirrors the pose and its root motion while `on` holds."""

    def __init__(
        self, number: int, node: str, name: str, inputs: tuple[int], on: int, mapping: MirrorMap
    ) -> None:
        super().__init__(number, node, name, inputs)
        self.on, self.mapping = on, mapping

    def pose(self, run: Run) -> Output:
        """The pose as it is, or mirrored."""
        base = run.output(self.inputs[0])
        if run.value(self.on) == 0.0:
            return base
        motion, axis = base.motion, self.mapping.axis
        flipped = Transform(
            reflected_vector(motion.translation, axis),
            reflected_rotation(motion.rotation, axis),
            motion.scale,
        )
        return Output(mirrored(run.rig, base.local, self.mapping), base.curves, base.present, flipped)
