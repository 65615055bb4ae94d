"""Ops that bring poses together: blends, layers, additive differences, changed curves and bones."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.arrays import BoolArray, FloatArray, IndexArray
from core.blending.layers import CurveRule, merged_curves, over
from core.clips.mirror import other_side
from core.graph import kept
from core.graph.events import EventKind
from core.graph.op import ZERO, GraphOp, History, OpPlace, PoseOp, Run
from core.graph.output import Output, mix, mixed_motion
from core.graph.packer import Packed, Packer
from core.math import quat, transform
from core.math.transform import Transform
from core.pose.mirror import MirrorMap, mirrored, reflected_rotation, reflected_vector

SIDED = (EventKind.NOTIFY, EventKind.BEGIN, EventKind.END)
"""Kinds of events whose names may tell a side."""


class OutputOp(PoseOp):
    """The end of a sheet.

    Where it keeps results, its int says how many there are, its poses are the last and the one before, its floats where
    the character stood with each (places, turns), and the seconds between them.
    """

    BUFFERS = 0
    POSE: str | None = "output"
    PLACE = 7
    """Floats of where a character stands."""

    def keep_result(self) -> None:
        """Keep the result of each step, for what asks for the last pose."""
        self.INTS, self.POSES = 1, max(self.POSES, 1)
        self.POSE = None

    def keep_history(self) -> None:
        """Keep the last two results."""
        self.keep_result()
        self.POSES, self.FLOATS = 2, 2 * self.PLACE + 1

    def last(self, run: Run) -> Output | None:
        """The result of the last step, where it is kept and there is one."""
        if self.POSES == 0 or run.ints[self.place.ints] == 0:
            return None
        return kept.stored(run, self.place.poses)

    def history(self, run: Run) -> History | None:
        """The last two results, where they are kept and there is one."""
        count, at, poses = int(run.ints[self.place.ints]), self.place.floats, self.place.poses
        if self.POSES < 2 or count == 0:
            return None
        before = min(count, 2) - 1
        local, local_before = (kept.stored(run, poses + k).local for k in (0, before))
        place, place_before = (self._place(run, at + self.PLACE * k) for k in (0, before))
        return History(local, place, local_before, place_before, float(run.floats[at + 2 * self.PLACE]))

    def _place(self, run: Run, at: int) -> Transform:
        numbers = run.floats[at : at + self.PLACE].copy()
        return Transform(numbers[:3], numbers[3:], np.ones(3))

    def pose(self, run: Run) -> Output:
        """What comes in."""
        found = run.output(self.inputs[0])
        if self.POSES == 2:
            self._note(run, found)
        elif self.POSES:
            kept.store(run, self.place.poses, found)
            run.ints[self.place.ints] = 1
        return found

    def _note(self, run: Run, found: Output) -> None:
        """Keep a result as the last one; a step of no time takes the place of the last."""
        at, width, count = self.place.floats, self.PLACE, int(run.ints[self.place.ints])
        if run.dt > 0.0 and count:
            kept.copy(run, self.place.poses, self.place.poses + 1)
            run.floats[at + width : at + 2 * width] = run.floats[at : at + width]
            run.floats[at + 2 * width] = run.dt
        kept.store(run, self.place.poses, found)
        stands = transform.compose(run.character, found.motion)
        run.floats[at : at + width] = (*stands.translation, *quat.normalise(stands.rotation))
        run.ints[self.place.ints] = min(count + int(run.dt > 0.0 or count == 0), 2)


class BlendOp(PoseOp):
    """From A to B by alpha 0..1. Its state: the alpha of the last step."""

    FLOATS = 1
    LOGIC = "blend"
    POSE = "blend"

    def __init__(self, where: OpPlace, inputs: tuple[int, int], alpha: int) -> None:
        super().__init__(where, inputs)
        self.alpha = alpha

    def packed(self, packer: Packer) -> Packed:
        """Register of alpha."""
        return Packed((self.alpha,))

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

    def players(self, run: Run) -> list[tuple[GraphOp, float]]:
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
    """A base with layers over it in order, by weights a bone (branch filters or a mask).

    Parameters
    ----------
    inputs : the base, then the layers
    weights : a register each
    bones : ``(L, B)`` weights of each layer's bones
    motion : whose root motion counts: *base*, *weighted*, or *added*
    """

    LOGIC = "layered"
    POSE: str | None = None

    def __init__(
        self,
        where: OpPlace,
        inputs: tuple[int, ...],
        weights: tuple[int, ...],
        bones: FloatArray,
        model_rotations: bool,
        rule: CurveRule,
        motion: str = "base",
    ) -> None:
        super().__init__(where, inputs)
        self.weights, self.bones, self.model_rotations = weights, bones, model_rotations
        self.rule, self.motion = rule, motion
        self.largest = tuple(float(row.max(initial=0.0)) for row in bones)
        self.BUFFERS = len(weights)
        if motion == "base":
            self.POSE = "layered"

    def packed(self, packer: Packer) -> Packed:
        """How layers go over the base, then weight and bones of each."""
        rows = zip(self.weights, self.largest, self.bones, strict=True)
        layers = [x for weight, largest, row in rows for x in (weight, packer.floats([largest, *row]))]
        rule = list(CurveRule).index(self.rule)
        return Packed((len(self.weights), int(self.model_rotations), rule, 0, *layers))

    def _share(self, run: Run, layer: int) -> float:
        return min(max(run.value(self.weights[layer]), 0.0), 1.0)

    def weigh(self, run: Run, weight: float) -> None:
        """The base counts in full, a layer by its largest bone weight."""
        run.reach(self.inputs[0], weight, self, relevant=True)
        for layer, number in enumerate(self.inputs[1:]):
            share = self._share(run, layer) * self.largest[layer]
            run.reach(number, weight * share, self, relevant=share >= ZERO)

    def players(self, run: Run) -> list[tuple[GraphOp, float]]:
        """Those of the base: a layer does not say when a state is over."""
        return run.ops[self.inputs[0]].players(run)

    def pose(self, run: Run) -> Output:
        """The layers put over the base."""
        base = run.output(self.inputs[0])
        local, motion = base.local, base.motion
        layers: list[tuple[Output, float]] = []
        for number, number_of in enumerate(self.inputs[1:]):
            share = self._share(run, number)
            if share * self.largest[number] < ZERO:
                continue
            layer = run.output(number_of)
            layers.append((layer, share))
            weights = share * self.bones[number]
            local = over(run.rig.skeleton, local, layer.local, weights, self.model_rotations)
            motion = self._moved(motion, layer.motion, share * self.largest[number])
        if not layers:
            return base
        curves, present = merged(base, layers, self.rule)
        return Output(local, curves, present, motion)

    def _moved(self, base: Transform, layer: Transform, share: float) -> Transform:
        if self.motion == "base":
            return base
        if self.motion == "weighted":
            return mixed_motion([base, layer], np.array([1.0 - share, share]))
        part = mixed_motion([transform.IDENTITY, layer], np.array([1.0 - share, share]))
        return transform.compose(base, part)


def merged(
    base: Output, layers: Sequence[tuple[Output, float]], rule: CurveRule
) -> tuple[FloatArray, BoolArray]:
    """Curves of base and layers by one of the seven rules."""
    tables = [
        {str(k): float(o.curves[k]) for k in np.flatnonzero(o.present)}
        for o in (base, *(layer for layer, _ in layers))
    ]
    merged = merged_curves(tables[0], tables[1:], [share for _, share in layers], rule)
    values, present = np.zeros_like(base.curves), np.zeros_like(base.present)
    for name, value in merged.items():
        values[int(name)], present[int(name)] = value, True
    return values, present


class CurveOp(PoseOp):
    """Sets, adds to, scales or remaps named curves.

    Parameters
    ----------
    way : *set* to the value, *add* it, *scale* by it, or *remap* from one range to another
    value : register; ranges : registers of both ends of the range before and after, for *remap*
    """

    POSE = "curve"

    def __init__(
        self,
        where: OpPlace,
        inputs: tuple[int],
        curve: int,
        way: str,
        value: int,
        ranges: tuple[int, ...] = (),
    ) -> None:
        super().__init__(where, inputs)
        self.curve, self.way, self.value, self.ranges = curve, way, value, ranges

    def packed(self, packer: Packer) -> Packed:
        """Curve, way, and registers."""
        way = ("set", "add", "scale", "remap").index(self.way)
        return Packed((self.curve, way, self.value, *(self.ranges or (0, 0, 0, 0))))

    def players(self, run: Run) -> list[tuple[GraphOp, float]]:
        """Those of the pose."""
        return run.ops[self.inputs[0]].players(run)

    def pose(self, run: Run) -> Output:
        """The pose with the curve changed."""
        base = run.output(self.inputs[0])
        curves, present = base.curves.copy(), base.present.copy()
        curves[self.curve], present[self.curve] = self._changed(run, float(curves[self.curve])), True
        return Output(base.local, curves, present, base.motion)

    def _changed(self, run: Run, old: float) -> float:
        if self.way == "remap":
            low, high, first, last = (run.value(register) for register in self.ranges)
            share = (old - low) / (high - low) if high != low else 0.0
            return held_curve(first + (last - first) * min(max(share, 0.0), 1.0))
        value = run.value(self.value)
        if self.way == "add":
            return held_curve(old + value)
        return held_curve(old * value if self.way == "scale" else value)


LARGEST_CURVE = 1e12
"""Size to which curves are kept, so that sums of them stay finite."""


def held_curve(value: float) -> float:
    """A curve's value kept within `LARGEST_CURVE`."""
    return min(max(value, -LARGEST_CURVE), LARGEST_CURVE)


class MirrorOp(PoseOp):
    """Mirrors pose, root motion, sides of curves and of notifies while `on` holds.

    Parameters
    ----------
    swap : ``(C,)`` number of the curve that each curve's value is read from
    below : ids of the nodes whose notifies change sides
    """

    LOGIC = "mirror"
    POSE = "mirror"

    def __init__(
        self,
        where: OpPlace,
        inputs: tuple[int],
        on: int,
        mapping: MirrorMap,
        swap: IndexArray,
        below: frozenset[str],
    ) -> None:
        super().__init__(where, inputs)
        self.on, self.mapping, self.swap, self.below = on, mapping, swap, below

    def packed(self, packer: Packer) -> Packed:
        """Register, axis, then the bone and the curve that each is read from."""
        return Packed((self.on, self.mapping.axis, *map(int, self.mapping.source), *map(int, self.swap)))

    def players(self, run: Run) -> list[tuple[GraphOp, float]]:
        """Those of the pose."""
        return run.ops[self.inputs[0]].players(run)

    def advance(self, run: Run, weight: float) -> None:
        """Give the notifies of this step the name of the other side."""
        if run.value(self.on) == 0.0:
            return
        for k, event in enumerate(run.events):
            if event.kind in SIDED and event.node in self.below:
                run.events[k] = replace(event, name=other_side(event.name))

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
        local = mirrored(run.rig, base.local, self.mapping)
        return Output(local, base.curves[self.swap], base.present[self.swap], flipped)
