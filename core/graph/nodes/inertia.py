"""Taking over from the last outputs: the part of an op that inertialises, and the inertialise node."""

import numpy as np

from core.arrays import FloatArray
from core.blending.inertia import SHORTEST_STEP, Decay, dead_blend, decay, inertialise
from core.graph import kept
from core.graph.compiler import Compiler, Kind
from core.graph.graph import Node, Sheet
from core.graph.language.program import Op
from core.graph.language.values import BOOL, FLOAT
from core.graph.nodes import reading
from core.graph.op import PoseOp, Run
from core.graph.output import Output
from core.graph.packer import Packed, Packer

INTS = 2
FLOATS = 4
POSES = 5


class Inertial:
    """Remembers an op's last two outputs, and lets the offset from a new target die out.

    Its ints: 0 nothing runs, 1 a switch waits for the target's pose, 2 it runs; how many outputs are remembered.
    Its floats: seconds since the switch, longest time, seconds between the outputs of the switch, last step.
    Its poses: the last two outputs; target and outputs at the switch.

    Parameters
    ----------
    ints, floats, poses : where its numbers begin, from the op's own place on
    factors : ``(B,)`` times the duration for each bone; None is 1
    left_out : ``(B,)`` whether a bone takes no part; curves left out by number in `curves_out` ``(C,)``
    dead : whether the old motion runs on and is crossfaded instead
    """

    LAST, BEFORE, TARGET, Y, Y_BEFORE = range(5)

    def __init__(
        self,
        op: PoseOp,
        ints: int = 0,
        floats: int = 0,
        poses: int = 0,
        factors: FloatArray | None = None,
        curves_out: FloatArray | None = None,
        dead: bool = False,
    ) -> None:
        self.op, self._i, self._f, self._p = op, ints, floats, poses
        self.factors, self.curves_out, self.dead = factors, curves_out, dead

    def _at(self) -> tuple[int, int]:
        return self.op.place.ints + self._i, self.op.place.floats + self._f

    def restart(self, run: Run) -> None:
        """Forget everything."""
        i, f = self._at()
        run.ints[i : i + INTS] = 0
        run.floats[f : f + FLOATS] = 0.0

    def begin(self, run: Run, seconds: float, passed: float) -> None:
        """Take over from the outputs remembered; nothing happens where there are none or it takes no time.

        Parameters
        ----------
        passed : seconds of this step that lie after the switch
        """
        i, f = self._at()
        if run.ints[i + 1] == 0 or seconds <= 0.0:
            return
        self._copy(run, self.LAST, self.Y)
        self._copy(run, self.BEFORE if run.ints[i + 1] > 1 else self.LAST, self.Y_BEFORE)
        run.ints[i] = 1
        run.floats[f : f + 3] = passed - self.op.span(run), seconds, run.floats[f + 3]

    def put_on(self, run: Run, output: Output) -> Output:
        """The output with what is left of the offset; it is remembered."""
        i, f = self._at()
        if run.ints[i] != 0:
            run.floats[f] += self.op.span(run)
            output = self._offset(run, output, i, f)
        if run.dt > 0.0:
            self._copy(run, self.LAST, self.BEFORE)
            self._keep(run, self.LAST, output)
            run.ints[i + 1] = min(run.ints[i + 1] + 1, 2)
            run.floats[f + 3] = run.dt
        return output

    def _offset(self, run: Run, output: Output, i: int, f: int) -> Output:
        if run.ints[i] == 1:
            self._keep(run, self.TARGET, output)
            run.ints[i] = 2
        elapsed, seconds, step = (float(x) for x in run.floats[f : f + 3])
        longest = seconds if self.factors is None else seconds * float(self.factors.max(initial=0.0))
        if elapsed >= longest:
            run.ints[i] = 0
            return output
        target, y, before = (self._kept(run, slot) for slot in (self.TARGET, self.Y, self.Y_BEFORE))
        if self.dead:
            share = min(elapsed / seconds, 1.0)
            made = dead_blend(target.local, y.local, before.local, step)
            local = made.crossfaded(output.local, elapsed, share)
        else:
            times = seconds if self.factors is None else seconds * self.factors
            decaying = inertialise(target.local, y.local, before.local, step, times)
            local = decaying.put_on(output.local, elapsed)
        offset = _curve_offsets(target.curves, y.curves, before.curves, step, seconds).at(elapsed)
        offset *= np.sign(y.curves - target.curves)
        if self.curves_out is not None:
            offset *= 1.0 - self.curves_out
        return Output(local, output.curves + offset, output.present | y.present, output.motion)

    def _keep(self, run: Run, slot: int, output: Output) -> None:
        kept.store(run, self.op.place.poses + self._p + slot, output)

    def _kept(self, run: Run, slot: int) -> Output:
        return kept.stored(run, self.op.place.poses + self._p + slot)

    def _copy(self, run: Run, source: int, target: int) -> None:
        at = self.op.place.poses + self._p
        kept.copy(run, at + source, at + target)


def _curve_offsets(
    target: FloatArray, last: FloatArray, before: FloatArray, step: float, seconds: float
) -> Decay:
    """Sizes of the curves' offsets, which die out as those of bones do."""
    offset, earlier = last - target, before - target
    size = np.abs(offset)
    speed = (size - earlier * np.sign(offset)) / step if step >= SHORTEST_STEP else np.zeros_like(size)
    return decay(size, speed, seconds)


class InertialiseOp(PoseOp):
    """Inertialises its pose when asked: by its pin ``request``, or by the update sheet.

    Parameters
    ----------
    request, seconds : registers
    """

    INTS = INTS
    FLOATS = FLOATS
    POSES = POSES
    POSE = "inertialise"
    serves_requests = True

    def __init__(
        self, number: int, node: str, name: str, inputs: tuple[int], request: int, seconds: int
    ) -> None:
        super().__init__(number, node, name, inputs)
        self.request, self.seconds = request, seconds
        self.inertial = Inertial(self)

    def packed(self, packer: Packer) -> Packed:
        """The register of the request."""
        return Packed((self.request,))

    def restart(self, run: Run) -> None:
        """Forget the outputs."""
        self.inertial.restart(run)

    def pose(self, run: Run) -> Output:
        """The pose, with what is left of the offset at the last request."""
        found = run.output(self.inputs[0])
        if run.dt > 0.0 and (run.value(self.request) != 0.0 or self.number in run.requests):
            passed = self.span(run) - run.requests.get(self.number, 0.0)
            self.inertial.begin(run, run.value(self.seconds), max(passed, 0.0))
        return self.inertial.put_on(run, found)


def _inertialise(c: Compiler, sheet: Sheet, node: Node) -> int:
    base = c.pose(sheet, node, "pose")
    asked = c.value(sheet, node, "request", BOOL, "false")
    before = c.builder.emit(Op.PREVIOUS, BOOL, asked)
    still = c.builder.emit(Op.NOT, BOOL, before.register)
    request = c.builder.emit(Op.AND, BOOL, asked, still.register).register
    seconds = c.value(sheet, node, "seconds", FLOAT, "0.2")
    factors = reading.bone_weights(c, sheet, node)
    out = node.parameters.get("bones_out") or ()
    for name in out if isinstance(out, tuple) else (out,):
        row = c.rig.skeleton.find(str(name))
        if row is None:
            c.fault(f"bones_out: there is no bone {str(name)[:60]!r}", sheet.id, node.id, "bones_out")
        else:
            factors[row] = 0.0
    curves = np.zeros(len(c.table))
    missing = node.parameters.get("curves_out") or ()
    for name in missing if isinstance(missing, tuple) else (missing,):
        if str(name) in c.table.index:
            curves[c.table.index[str(name)]] = 1.0
    number = c.add(lambda n: InertialiseOp(n, node.id, node.name, (base,), request, seconds))
    op = c.ops[number]
    assert isinstance(op, InertialiseOp)
    op.inertial.factors = None if (factors == 1.0).all() else factors
    op.inertial.curves_out = curves if curves.any() else None
    return number


KINDS: dict[str, Kind] = {"inertialise": _inertialise}
