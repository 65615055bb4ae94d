"""Taking over from an op's last outputs: the offset from a new target dies out (spec: graph, §7)."""

from dataclasses import dataclass, replace

import numpy as np

from core.arrays import FloatArray
from core.blending.inertia import SHORTEST_STEP, Decay, dead_blend, decay, inertialise
from core.graph import kept
from core.graph.op import PoseOp, Run
from core.graph.output import Output

INTS = 2
FLOATS = 4
POSES = 5


@dataclass(frozen=True, slots=True)
class DyingOut:
    """How an offset dies out.

    Parameters
    ----------
    seconds : in which that of the curves does
    longest : seconds after which nothing is left
    times : seconds of the bones, one number or ``(B,)``
    share : weight of the target, one number or ``(B,)``, where the old motion runs on under it (dead blending);
        None inertialises
    curves_out : ``(C,)`` 1 for each curve that takes no part
    """

    seconds: float
    longest: float
    times: float | FloatArray
    share: float | FloatArray | None = None
    curves_out: FloatArray | None = None


class Inertial:
    """Remembers an op's last two outputs, and lets the offset from a new target die out.

    Its ints: 0 where nothing runs, −k while switch k waits for the target's pose, k while it runs; how many outputs
    are remembered. Its floats: seconds since the switch, longest time, seconds between the outputs of the switch,
    last step. Its poses: the last two outputs; target and outputs at the switch.

    Parameters
    ----------
    ints, floats, poses : where its numbers begin, from the op's own place on
    factors : ``(B,)`` times the duration for each bone; None is 1
    curves_out : ``(C,)`` 1 for each curve that takes no part
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
    ) -> None:
        self.op, self._i, self._f, self._p = op, ints, floats, poses
        self.factors, self.curves_out = factors, curves_out

    def place(self) -> tuple[int, int]:
        """Its first int and its first float."""
        return self.op.place.ints + self._i, self.op.place.floats + self._f

    def restart(self, run: Run) -> None:
        """Forget everything."""
        i, f = self.place()
        run.ints[i : i + INTS] = 0
        run.floats[f : f + FLOATS] = 0.0

    def has_output(self, run: Run) -> bool:
        """Whether an output of an earlier step is remembered."""
        return bool(run.ints[self.place()[0] + 1] > 0)

    def begin(self, run: Run, seconds: float, passed: float) -> None:
        """Take over from the outputs remembered; nothing happens where there are none or it takes no time.

        Parameters
        ----------
        passed : seconds of this step that lie after the switch
        """
        if self.has_output(run) and seconds > 0.0:
            self.switch(run, 1, seconds, passed - self.op.span(run))

    def switch(self, run: Run, number: int, seconds: float, elapsed: float = 0.0) -> None:
        """Take over from the outputs remembered; the target's pose is noted when it is there."""
        i, f = self.place()
        self._copy(run, self.LAST, self.Y)
        self._copy(run, self.BEFORE if run.ints[i + 1] > 1 else self.LAST, self.Y_BEFORE)
        run.ints[i] = -number
        run.floats[f : f + 3] = elapsed, seconds, run.floats[f + 3]

    def put_on(self, run: Run, output: Output) -> Output:
        """The output with what is left of the offset; it is remembered."""
        i, f = self.place()
        if run.ints[i] != 0:
            run.floats[f] += self.op.span(run)
            seconds = float(run.floats[f + 1])
            way = DyingOut(seconds, seconds, seconds, None, self.curves_out)
            if self.factors is not None:
                longest = seconds * float(self.factors.max(initial=0.0))
                way = replace(way, longest=longest, times=seconds * self.factors)
            output = self.offset(run, output, way)
        self.remember(run, output)
        return output

    def offset(self, run: Run, output: Output, way: DyingOut) -> Output:
        """The output with what is left of the offset of the switch that runs."""
        i, f = self.place()
        if run.ints[i] < 0:
            # The offset is from the target as it stands at the end of the step of the switch: between the switch
            # and there the target moves on by its own speed, which is no jump.
            self._keep(run, self.TARGET, output)
            run.ints[i] = -run.ints[i]
        elapsed, step = float(run.floats[f]), float(run.floats[f + 2])
        if elapsed >= way.longest:
            run.ints[i] = 0
            return output
        target, y, before = (self._kept(run, slot) for slot in (self.TARGET, self.Y, self.Y_BEFORE))
        if way.share is not None:
            made = dead_blend(target.local, y.local, before.local, step)
            local = made.crossfaded(output.local, elapsed, way.share)
        else:
            decaying = inertialise(target.local, y.local, before.local, step, way.times)
            local = decaying.put_on(output.local, elapsed)
        offset = _curve_offsets(target.curves, y.curves, before.curves, step, way.seconds).at(elapsed)
        offset *= np.sign(y.curves - target.curves)
        if way.curves_out is not None:
            offset *= 1.0 - way.curves_out
        return Output(local, output.curves + offset, output.present | y.present, output.motion)

    def remember(self, run: Run, output: Output) -> None:
        """Keep an output of the op, and the one before."""
        if run.dt <= 0.0:
            return
        i, f = self.place()
        self._copy(run, self.LAST, self.BEFORE)
        self._keep(run, self.LAST, output)
        run.ints[i + 1] = min(run.ints[i + 1] + 1, 2)
        run.floats[f + 3] = run.dt

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
