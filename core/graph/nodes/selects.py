"""Nodes that go over from pose to pose by a value, and those that blend many by weights."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray
from core.blending.easing import EaseShape
from core.graph import inertial as inertia
from core.graph.compiler import Compiler, Kind
from core.graph.graph import Node, Sheet
from core.graph.inertial import Inertial
from core.graph.language.program import Op
from core.graph.language.values import BOOL, FLOAT, INT, NAME, ValueType
from core.graph.language.values import Kind as ValueKind
from core.graph.nodes import reading
from core.graph.nodes.additive import additive_alike
from core.graph.nodes.reading import Eased
from core.graph.op import ZERO, GraphOp, OpPlace, PoseOp, Run
from core.graph.output import Output, mix, mixed_motion
from core.graph.packer import Packed, Packer
from core.pose.blend import weighted


class BlendManyOp(PoseOp):
    """Poses by weights of 0 or more, made to sum to 1; the first where all are 0. Its state: the last shares."""

    LOGIC = "many"
    POSE = "many"

    def __init__(self, where: OpPlace, inputs: Sequence[int], weights: tuple[int, ...]) -> None:
        super().__init__(where, inputs)
        self.registers = weights
        self.FLOATS = len(weights)
        self.CARRIED = 2 * len(weights)

    def packed(self, packer: Packer) -> Packed:
        """How many, then the register of each weight."""
        return Packed((len(self.registers), *self.registers))

    def _shares(self, run: Run) -> FloatArray:
        found = np.clip(run.registers[list(self.registers)], 0.0, reading.FARTHEST)
        total = float(found.sum())
        if total < ZERO:
            found = np.zeros(len(found))
            found[0] = total = 1.0
        found = found / total
        found[found < ZERO] = 0.0
        return np.asarray(found / found.sum())

    def restart(self, run: Run) -> None:
        """The last shares are these."""
        at = self.place.floats
        run.floats[at : at + self.FLOATS] = self._shares(run)

    def weigh(self, run: Run, weight: float) -> None:
        """Each pose by its share."""
        for number, share in zip(self.inputs, self._shares(run), strict=True):
            run.reach(number, weight * float(share), self, relevant=share > 0.0)

    def players(self, run: Run) -> list[tuple[GraphOp, float]]:
        """Those of all poses, weighed."""
        return weighed_players(run, self.inputs, self._shares(run))

    def pose(self, run: Run) -> Output:
        """The weighted pose."""
        shares, at = self._shares(run), self.place.floats
        before = run.floats[at : at + self.FLOATS].copy()
        run.floats[at : at + self.FLOATS] = shares
        used = np.flatnonzero(shares > 0.0)
        outputs = [run.output(self.inputs[k]) for k in used]
        if len(used) == 1:
            return outputs[0]
        return mix(outputs, shares[used].tolist(), before[used].tolist())


def weighed_players(run: Run, inputs: Sequence[int], shares: FloatArray) -> list[tuple[GraphOp, float]]:
    """Players below several inputs, weighed by the inputs' shares."""
    return [
        (op, w * float(share))
        for number, share in zip(inputs, shares, strict=True)
        if share >= ZERO
        for op, w in run.ops[number].players(run)
    ]


class Change(NamedTuple):
    """How a selection goes over from pose to pose.

    Parameters
    ----------
    factors : ``(B,)`` factors of the duration by bone; None is 1
    inertial : whether it jumps and inertialises instead of crossfading
    """

    eased: Eased
    factors: FloatArray | None = None
    inertial: bool = False


class SelectOp(PoseOp):
    """Goes over to the pose that a value chooses: ``wᵢ = (1 − e) wᵢ(t₀) + e [i = j]`` over the time of j.

    Its ints: chosen pose, 1 when it began; then an inertial's. Its floats: seconds since the change, its
    duration; shares at the change ``(n, B or 1)``; shares of the last step ``(n,)``; then an inertial's.

    Parameters
    ----------
    choice : register of the number of the pose; outside of 0..n−1 it is pose `default`
    times : registers of seconds, a pose each
    change : how it goes over
    resets : whether a pose restarts each time it is chosen
    """

    def __init__(
        self,
        where: OpPlace,
        inputs: Sequence[int],
        choice: int,
        default: int,
        times: tuple[int, ...],
        change: Change,
        resets: bool = False,
    ) -> None:
        super().__init__(where, inputs)
        eased, factors, inertial = change
        self.choice, self.default, self.times, self.eased = choice, default, times, eased
        self.factors, self.resets = factors, resets
        count = len(self.inputs)
        self.width = 1 if factors is None else len(factors)
        self.FLOATS = 2 + count * self.width + count
        self.INTS = 2
        self.inertial: Inertial | None = None
        if inertial:
            self.inertial = Inertial(self, self.INTS, self.FLOATS, 0, factors)
            self.inertial.eased = eased
            self.FLOATS += inertia.FLOATS
            self.INTS += inertia.INTS
            self.POSES = inertia.POSES
        self.CARRIED = 3 * count

    @property
    def logic(self) -> str | None:
        """Python knows the maps of easings."""
        return None if self.eased.easing.shape is EaseShape.CURVE else "select"

    @property
    def POSE(self) -> str | None:  # type: ignore[override]
        """As its logic."""
        return self.logic

    def packed(self, packer: Packer) -> Packed:
        """Register, default, shares, easing; the factors of the bones."""
        easing = packer.easing(self.eased.easing)
        whole = (
            self.choice,
            self.default,
            len(self.inputs),
            self.width,
            easing,
            int(self.inertial is not None),
        )
        return Packed(whole, () if self.factors is None else self.factors.tolist())

    # ---------------------------------------------------------------- state
    def _chosen(self, run: Run) -> int:
        value = run.value(self.choice)
        return int(value) if 0.0 <= value < len(self.inputs) else self.default

    def _start(self, run: Run) -> FloatArray:
        """Shares at the change, ``(n, width)``: a view of the state."""
        at = self.place.floats + 2
        return run.floats[at : at + len(self.inputs) * self.width].reshape(len(self.inputs), self.width)

    def _last(self, run: Run) -> FloatArray:
        at = self.place.floats + 2 + len(self.inputs) * self.width
        return run.floats[at : at + len(self.inputs)]

    def _shares(self, run: Run) -> FloatArray:
        """Shares ``(n, width)`` now; each column sums to 1."""
        at = self.place.floats
        elapsed, seconds = float(run.floats[at]), float(run.floats[at + 1])
        factors = np.ones(1) if self.factors is None else self.factors
        whole = seconds * factors
        u = [elapsed / t if t > 0.0 and elapsed < t else 1.0 for t in whole.tolist()]
        e = np.array([self.eased(x) for x in u])
        found = (1.0 - e) * self._start(run)
        found[int(run.ints[self.place.ints])] += e
        return found

    def restart(self, run: Run) -> None:
        """The chosen pose at once."""
        i, f = self.place.ints, self.place.floats
        chosen = self._chosen(run)
        run.ints[i : i + self.INTS] = 0
        run.floats[f : f + self.FLOATS] = 0.0
        run.ints[i], run.ints[i + 1] = chosen, 1
        self._start(run)[chosen] = 1.0
        self._last(run)[chosen] = 1.0

    # ---------------------------------------------------------------- the step
    def weigh(self, run: Run, weight: float) -> None:
        """Choose, let the blend go on, and hand the shares down."""
        i, f = self.place.ints, self.place.floats
        chosen = self._chosen(run)
        if run.dt > 0.0:
            if chosen != run.ints[i]:
                self._change(run, chosen)
            run.floats[f] += self.span(run)
        shares = self._shares(run).max(axis=1)
        for number, share in zip(self.inputs, shares, strict=True):
            run.reach(number, weight * float(share), self, relevant=share >= ZERO)

    def _change(self, run: Run, chosen: int) -> None:
        i, f = self.place.ints, self.place.floats
        shares = self._shares(run)
        fading = float(shares[chosen].max()) >= ZERO
        seconds = min(max(run.value(self.times[chosen]), 0.0), reading.FARTHEST)
        if self.inertial is not None:
            self.inertial.begin(run, seconds, self.span(run))
            seconds = 0.0
        self._start(run)[...] = shares
        run.ints[i] = chosen
        run.floats[f : f + 2] = 0.0, seconds
        if self.resets and fading:
            run.begin(self.inputs[chosen], always=True)

    def players(self, run: Run) -> list[tuple[GraphOp, float]]:
        """Those of all poses that still count, weighed."""
        return weighed_players(run, self.inputs, self._shares(run).max(axis=1))

    def pose(self, run: Run) -> Output:
        """The poses by their shares."""
        shares = self._shares(run)
        means = shares.mean(axis=1)
        last = self._last(run)
        before = last.copy()
        last[...] = means
        used = np.flatnonzero(shares.max(axis=1) >= ZERO)
        outputs = [run.output(self.inputs[k]) for k in used]
        found = outputs[0]
        if len(used) > 1:
            found = self._mixed(outputs, shares[used], means[used], before[used])
        return found if self.inertial is None else self.inertial.put_on(run, found)

    def _mixed(
        self, outputs: Sequence[Output], shares: FloatArray, means: FloatArray, before: FloatArray
    ) -> Output:
        if self.width == 1:
            return mix(outputs, (shares[:, 0] / shares[:, 0].sum()).tolist(), before.tolist())
        local = weighted([output.local for output in outputs], shares)
        curves = np.sum([w * o.curves for o, w in zip(outputs, means, strict=True)], axis=0)
        present = np.any([o.present for o in outputs], axis=0)
        motion = mixed_motion([o.motion for o in outputs], (means + before) / 2.0)
        return Output(local, curves, present, motion)


# -------------------------------------------------------------------- compiling
def _poses(c: Compiler, sheet: Sheet, node: Node, names: Sequence[str]) -> tuple[int, ...]:
    return tuple(c.pose(sheet, node, name, additive=True) for name in names)


def _count(c: Compiler, sheet: Sheet, node: Node) -> int:
    return int(reading.number(c, sheet, node, "count", 2, 1, reading.MOST_PINS))


def _blend_many(c: Compiler, sheet: Sheet, node: Node) -> int:
    count = _count(c, sheet, node)
    inputs = _poses(c, sheet, node, [f"pose_{k}" for k in range(count)])
    weights = tuple(c.value(sheet, node, f"weight_{k}", FLOAT, "0") for k in range(count))
    number = c.add(lambda at: BlendManyOp(at, inputs, weights), node.id, node.name)
    c.ops[number].additive = additive_alike(c, sheet, node, inputs)
    return number


def _select(
    c: Compiler, sheet: Sheet, node: Node, names: Sequence[str], choice: int, default: int = 0
) -> int:
    inputs = _poses(c, sheet, node, names)
    whole = node.literals.get("time", "0.2")
    times = tuple(c.value(sheet, node, f"time_{name.removeprefix('pose_')}", FLOAT, whole) for name in names)
    factors = reading.bone_weights(c, sheet, node) if node.parameters.get("mask") else None
    over = reading.truth(node, "inertialise")
    change = Change(reading.easing(c, sheet, node), factors, over)
    resets = reading.truth(node, "reset")
    number = c.add(
        lambda at: SelectOp(at, inputs, choice, default, times, change, resets), node.id, node.name
    )
    c.ops[number].additive = additive_alike(c, sheet, node, inputs)
    if over and c.ops[number].additive is not None:
        c.fault("additive poses cannot be inertialised; crossfade them", sheet.id, node.id, "inertialise")
    return number


def _by_bool(c: Compiler, sheet: Sheet, node: Node) -> int:
    value = c.value(sheet, node, "value", BOOL, "false")
    # Pose 0 is true, as people list it; a truth of 1 has number 0.
    choice = c.builder.emit(Op.NOT, INT, value).register
    return _select(c, sheet, node, ("true", "false"), choice)


def _by_int(c: Compiler, sheet: Sheet, node: Node) -> int:
    count = _count(c, sheet, node)
    choice = c.value(sheet, node, "value", INT, "0")
    default = int(reading.number(c, sheet, node, "default", 0, 0, count - 1))
    return _select(c, sheet, node, [f"pose_{k}" for k in range(count)], choice, default)


def _by_enum(c: Compiler, sheet: Sheet, node: Node) -> int:
    enum = reading.text(node, "enum")
    members = c.graph.enums.get(enum)
    if not members or len(members) > reading.MOST_PINS:
        what = f"the graph has no enum {enum[:40]!r} of 1 to {reading.MOST_PINS} members; choose one"
        c.fault(what, sheet.id, node.id, "enum")
        return c.rest(node.id)
    choice = c.value(sheet, node, "value", ValueType(ValueKind.ENUM, enum), f"'{members[0]}'")
    return _select(c, sheet, node, members, choice)


def _by_name(c: Compiler, sheet: Sheet, node: Node) -> int:
    names = node.parameters.get("names") or ()
    if not isinstance(names, tuple) or not names or len(names) > reading.MOST_PINS:
        c.fault(f"names: expected 1 to {reading.MOST_PINS} names, a pose each", sheet.id, node.id, "names")
        return c.rest(node.id)
    value = c.value(sheet, node, "value", NAME, f"'{names[0]}'")
    found = c.builder.constant(INT, -1.0).register
    for k, name in reversed(list(enumerate(names))):
        own = c.builder.constant(NAME, float(c.scope.name_index(str(name)))).register
        here = c.builder.emit(Op.EQUAL, BOOL, value, own).register
        number = c.builder.constant(INT, float(k)).register
        found = c.builder.emit(Op.SELECT, INT, here, number, found).register
    default = int(reading.number(c, sheet, node, "default", 0, 0, len(names) - 1))
    return _select(c, sheet, node, [str(name) for name in names], found, default)


KINDS: dict[str, Kind] = {
    "blend_many": _blend_many,
    "blend_by_bool": _by_bool,
    "blend_by_int": _by_int,
    "blend_by_enum": _by_enum,
    "blend_by_name": _by_name,
}
