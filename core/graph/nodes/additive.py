"""Additive poses: differences that clips, aim offsets and poses make, and putting them on a base."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.arrays import FloatArray
from core.blending.blend_space import BlendSpace
from core.blending.space_player import SpacePlayer
from core.clips.additive import AdditiveSampler, Deltas, put_on
from core.clips.clip import AdditiveBase, AdditiveSpace, Clip
from core.errors import AnimError
from core.graph.clip_player import ClipOp, Pace
from core.graph.compiler import Compiler, Kind
from core.graph.graph import Node, Sheet
from core.graph.language.values import FLOAT
from core.graph.nodes import reading
from core.graph.nodes.modifier import Alpha, alpha_of
from core.graph.op import ZERO, GraphOp, OpPlace, PoseOp, Run
from core.graph.output import Output, packed
from core.graph.packer import Packed, Packer, samples
from core.graph.space_op import SpaceOp
from core.math.transform import Transform
from core.pose.additive import difference, difference_model
from core.pose.blend import weighted


class AdditiveClipOp(ClipOp):
    """Plays an additive clip: its result is the difference from the clip's base."""

    POSE = None
    BUFFERS = 2
    sampler: AdditiveSampler

    def use(self, sampler: AdditiveSampler) -> None:
        """Take the difference from what a sampler says."""
        self.sampler = sampler
        if samples(sampler.own) and samples(sampler.other) and not sampler.brings_across:
            self.POSE = "additive_clip"

    def packed(self, packer: Packer) -> Packed:
        """As of a clip, then the space, and what the clip differs from."""
        own = super().packed(packer)
        return replace(own, whole=self._with_base(packer, own.whole))

    def _with_base(self, packer: Packer, whole: Sequence[int]) -> tuple[int, ...]:
        declared, other = self.sampler.declared, self.sampler.other
        model = int(declared.space is AdditiveSpace.MODEL)
        if self.POSE is None:
            return (*whole, model, -1, 0)
        if declared.base is AdditiveBase.CLIP:
            return (*whole, model, packer.clip(other), packer.floats([other.clip.length]))
        batch = self.sampler.base(np.zeros(1))
        local = Transform(*(part[0] for part in batch.local))
        base = packed(Output(local, *self._table.filled(batch.curves, batch.morphs)))
        return (*whole, model, -1, packer.floats(base))

    def pose(self, run: Run) -> Output:
        """The difference at its time; it has no root motion."""
        time = float(run.floats[self.place.floats])
        position = time % self.length if self.loops and self.length > 0.0 else time
        deltas = self.sampler.deltas(np.array([position]))
        curves, present = self._table.filled(deltas.curves, deltas.morphs)
        return Output(Transform(*(part[0] for part in deltas.local)), curves, present)


def additive_clip(c: Compiler, sheet: Sheet, node: Node, clip: Clip, loops: bool, pace: Pace) -> int:
    """The op of a clip node whose clip is additive."""
    assert clip.additive is not None
    evaluator = c.evaluator(clip)
    try:
        sampler = AdditiveSampler(c.rig, clip, c.clips, evaluator)
    except AnimError as error:
        c.fault(str(error), sheet.id, node.id, "clip")
        return c.rest(node.id)
    number = c.add(lambda at: AdditiveClipOp(at, evaluator, loops, pace, c.table), node.id, node.name)
    op = c.ops[number]
    assert isinstance(op, AdditiveClipOp)
    op.use(sampler)
    op.additive = clip.additive.space
    return number


class AimOp(SpaceOp):
    """Plays an aim offset: its result is the blended difference of its samples, in model space."""

    additive = AdditiveSpace.MODEL
    POSED = None
    _still: tuple[Deltas, ...] | None = None

    def packed(self, packer: Packer) -> Packed:
        """As of a space; then the samples' differences where none of them moves: the kernel mixes those."""
        own = super().packed(packer)
        if self._still is None:
            self._still = self._find_still()
        if not self._still:
            return replace(own, group=-1)
        self.POSE = "aim"
        rows = []
        for found in self._still:
            local = Transform(*(part[0] for part in found.local))
            rows.append(packed(Output(local, *self._table.filled(found.curves, found.morphs))))
        place = packer.constants(np.concatenate(rows))
        return Packed((*own.whole, place, len(rows[0])), own.numbers)

    def pose(self, run: Run) -> Output:
        """The difference at its point."""
        state = self._state(run)
        assert state.weights is not None
        if self._still is None:
            self._still = self._find_still()
        if self._still:
            return self._of_still(self._still, state.weights)
        deltas = self.player.aim_deltas([state.clock], state.weights[None])
        curves, present = self._table.filled(deltas.curves, deltas.morphs)
        return Output(Transform(*(part[0] for part in deltas.local)), curves, present)

    def _find_still(self) -> tuple[Deltas, ...]:
        """The samples' differences where none of them moves; else nothing."""
        found = []
        whole = float(self.player.group.intervals)
        for row in np.eye(len(self.player.clips)):
            ends = [self.player.aim_deltas([clock], row[None]) for clock in (0.0, 0.5 * whole)]
            if any(not np.array_equal(a, b) for a, b in zip(ends[0].local, ends[1].local, strict=True)):
                return ()
            found.append(ends[0])
        return tuple(found)

    def _of_still(self, deltas: tuple[Deltas, ...], weights: FloatArray) -> Output:
        """The difference at some weights where no sample moves: each was sampled once."""
        used = [int(k) for k in np.flatnonzero(weights > 0.0)]
        local = weighted([deltas[k].local for k in used], weights[used])
        curves, present = np.zeros(len(self._table)), np.zeros(len(self._table), dtype=bool)
        for k in used:
            own, known = self._table.filled(deltas[k].curves, deltas[k].morphs)
            curves, present = curves + weights[k] * own, present | known
        return Output(Transform(*(part[0] for part in local)), curves, present)


class ApplyAdditiveOp(PoseOp):
    """A base with a difference put on by an alpha."""

    LOGIC = "additive"
    POSE = "additive"

    def __init__(self, where: OpPlace, inputs: tuple[int, int], alpha: Alpha, space: AdditiveSpace) -> None:
        super().__init__(where, inputs)
        self.alpha, self.space = alpha, space

    def packed(self, packer: Packer) -> Packed:
        """Alpha and the space."""
        whole = (self.alpha.register, self.alpha.curve, int(self.space is AdditiveSpace.MODEL))
        return Packed(whole, (self.alpha.scale, self.alpha.bias))

    def weigh(self, run: Run, weight: float) -> None:
        """The base counts in full, the difference by alpha."""
        alpha = self.alpha.value(run)
        run.reach(self.inputs[0], weight, self, relevant=True)
        # A curve's alpha is known only when the base is there: the difference must then be ready.
        run.reach(self.inputs[1], weight * alpha, self, relevant=alpha >= ZERO or self.alpha.curve >= 0)

    def players(self, run: Run) -> list[tuple[GraphOp, float]]:
        """Those of the base."""
        return run.ops[self.inputs[0]].players(run)

    def pose(self, run: Run) -> Output:
        """The base with the difference; root motion is the base's."""
        base = run.output(self.inputs[0])
        alpha = self.alpha.value(run, base)
        if alpha < ZERO:
            return base
        delta = run.output(self.inputs[1])
        local = put_on(run.rig.skeleton, base.local, delta.local, self.space, alpha)
        return Output(local, base.curves + alpha * delta.curves, base.present | delta.present, base.motion)


class MakeAdditiveOp(PoseOp):
    """The difference of a pose from a base."""

    def __init__(self, where: OpPlace, inputs: tuple[int, int], space: AdditiveSpace) -> None:
        super().__init__(where, inputs)
        self.additive = space

    def players(self, run: Run) -> list[tuple[GraphOp, float]]:
        """Those of the pose."""
        return run.ops[self.inputs[0]].players(run)

    def pose(self, run: Run) -> Output:
        """Pose less base, curves too; it has no root motion."""
        pose, base = (run.output(number) for number in self.inputs)
        if self.additive is AdditiveSpace.MODEL:
            local = difference_model(run.rig.skeleton, pose.local, base.local)
        else:
            local = difference(pose.local, base.local)
        return Output(local, pose.curves - base.curves, pose.present | base.present)


def additive_alike(c: Compiler, sheet: Sheet, node: Node, inputs: Sequence[int]) -> AdditiveSpace | None:
    """The additive space that all inputs of a blend share; a fault where they differ."""
    spaces = {c.ops[number].additive for number in inputs}
    if len(spaces) > 1:
        c.fault("plain and additive poses, or two additive spaces, do not blend", sheet.id, node.id)
        return None
    return spaces.pop() if spaces else None


def _apply(c: Compiler, sheet: Sheet, node: Node) -> int:
    base, delta = c.pose(sheet, node, "base"), c.pose(sheet, node, "additive", additive=True)
    alpha = alpha_of(c, sheet, node)
    space = c.ops[delta].additive
    if space is None:
        c.fault(
            "expected an additive pose: convert the clip to additive, or put make additive before it",
            sheet.id, node.id, "additive",
        )  # fmt: skip
        return base
    wanted = reading.text(node, "space")
    if wanted and wanted != str(space):
        c.fault(
            f"expected an additive pose in {wanted} space, got {space} space", sheet.id, node.id, "additive"
        )
    return c.add(lambda at: ApplyAdditiveOp(at, (base, delta), alpha, space), node.id, node.name)


def _make(c: Compiler, sheet: Sheet, node: Node) -> int:
    pose, base = c.pose(sheet, node, "pose"), c.pose(sheet, node, "base")
    space = reading.choice(c, sheet, node, "space", [str(s) for s in AdditiveSpace], str(AdditiveSpace.LOCAL))
    return c.add(lambda at: MakeAdditiveOp(at, (pose, base), AdditiveSpace(space)), node.id, node.name)


def _aim_offset(c: Compiler, sheet: Sheet, node: Node) -> int:
    base, alpha = c.pose(sheet, node, "base"), alpha_of(c, sheet, node)
    space = c.asset(sheet, node, "space", BlendSpace, "aim offset")
    if space is None:
        return base
    if not space.aim_offset:
        c.fault(f"{space.name!r} is no aim offset; use a blend space node for it", sheet.id, node.id, "space")
        return base
    try:
        player = SpacePlayer(c.rig, space, c.clips, c.evaluators)
    except AnimError as error:
        c.fault(str(error), sheet.id, node.id, "space")
        return base
    point = [c.value(sheet, node, "xy"[k], FLOAT, str(axis.minimum)) for k, axis in enumerate(space.axes)]
    rate = c.value(sheet, node, "rate", FLOAT, "1")
    delta = c.add(lambda at: AimOp(at, player, point, rate, c.table), node.id, "")
    return c.add(
        lambda at: ApplyAdditiveOp(at, (base, delta), alpha, AdditiveSpace.MODEL), node.id, node.name
    )


KINDS: dict[str, Kind] = {
    "apply_additive": _apply,
    "make_additive": _make,
    "aim_offset": _aim_offset,
}
