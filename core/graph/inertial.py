"""Taking over from an op's last outputs: the offset from a new target dies out (spec: graph, §7)."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from core.arrays import FloatArray
from core.blending.inertia import SHORTEST_STEP, Decay, dead_blend, decay, inertialise
from core.graph import kept
from core.graph.op import GraphOp, Run
from core.graph.output import Output, mixed_motion
from core.math import quat
from core.math.transform import Transform

INTS = 2
FLOATS = 16
POSES = 5
ELAPSED, SECONDS, STEP, LAST_STEP, LAST_SPEED, SOURCE_SPEED = 0, 1, 2, 3, 4, 10
"""Places of its floats; a speed takes 6: metres a second, and the rotation vector of a second."""

Share = Callable[[float], float]
"""Weight 0..1 of the target a fraction 0..1 of the way through."""


def linear(share: float) -> float:
    """The share itself, for what has no easing."""
    return share


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
    eased : how the root motion goes over
    """

    seconds: float
    longest: float
    times: float | FloatArray
    share: float | FloatArray | None = None
    curves_out: FloatArray | None = None
    eased: Share = linear


class Inertial:
    """Remembers an op's last two outputs, and lets the offset from a new target die out.

    Its ints: 0 where nothing runs, −k while switch k waits for the target's pose, k while it runs; how many outputs
    are remembered. Its floats: seconds since the switch, longest time, seconds between the outputs of the switch,
    last step; speed of the last root motion, and of that at the switch. Its poses: the last two outputs; target and
    outputs at the switch.

    Parameters
    ----------
    ints, floats, poses : where its numbers begin, from the op's own place on
    factors : ``(B,)`` times the duration for each bone; None is 1
    curves_out : ``(C,)`` 1 for each curve that takes no part
    eased : how the root motion goes over
    """

    LAST, BEFORE, TARGET, Y, Y_BEFORE = range(5)

    def __init__(
        self,
        op: GraphOp,
        ints: int = 0,
        floats: int = 0,
        poses: int = 0,
        factors: FloatArray | None = None,
        curves_out: FloatArray | None = None,
    ) -> None:
        self.op, self._i, self._f, self._p = op, ints, floats, poses
        self.factors, self.curves_out = factors, curves_out
        self.eased: Share = linear

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

    def running(self, run: Run) -> int:
        """Number of the switch that runs, 0 without one."""
        return abs(int(run.ints[self.place()[0]]))

    def begin(self, run: Run, seconds: float, passed: float, number: int = 1) -> None:
        """Take over from the outputs remembered; nothing happens where there are none or it takes no time.

        Parameters
        ----------
        passed : seconds of this step that lie after the switch
        number : of the switch, 1 or more; see `running`
        """
        if self.has_output(run) and seconds > 0.0:
            self.switch(run, number, seconds, passed - self.op.span(run))

    def switch(self, run: Run, number: int, seconds: float, elapsed: float = 0.0) -> None:
        """Take over from the outputs remembered; the target's pose is noted when it is there."""
        i, f = self.place()
        self._copy(run, self.LAST, self.Y)
        self._copy(run, self.BEFORE if run.ints[i + 1] > 1 else self.LAST, self.Y_BEFORE)
        run.ints[i] = -number
        run.floats[f : f + 3] = elapsed, seconds, run.floats[f + LAST_STEP]
        last = run.floats[f + LAST_SPEED : f + SOURCE_SPEED]
        run.floats[f + SOURCE_SPEED : f + FLOATS] = last

    def put_on(self, run: Run, output: Output) -> Output:
        """The output with what is left of the offset; it is remembered."""
        i, f = self.place()
        if run.ints[i] != 0:
            run.floats[f] += self.op.span(run)
            seconds = float(run.floats[f + 1])
            way = DyingOut(seconds, seconds, seconds, None, self.curves_out, self.eased)
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
        elapsed, step = float(run.floats[f]), float(run.floats[f + STEP])
        motion = self._motion(run, output.motion, way)
        if elapsed >= way.longest:
            run.ints[i] = 0
            return replace(output, motion=motion)
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
        return Output(local, output.curves + offset, output.present | y.present, motion)

    def _motion(self, run: Run, motion: Transform, way: DyingOut) -> Transform:
        """Root motion of the step: what the source would move at its speed, going over to the target's.

        A switch inside the step needs no parts: before it the target's motion is the source's own.
        """
        f, span = self.place()[1], self.op.span(run)
        share = mean_share(way.eased, way.longest, float(run.floats[f]), span)
        if span <= 0.0 or share >= 1.0:
            return motion
        speed = run.floats[f + SOURCE_SPEED : f + FLOATS] * span
        source = Transform(speed[:3], quat.from_rotation_vector(speed[3:]), np.ones(3))
        return mixed_motion([source, motion], np.array([1.0 - share, share]))

    def remember(self, run: Run, output: Output) -> None:
        """Keep an output of the op, and the one before."""
        if run.dt <= 0.0:
            return
        i, f = self.place()
        self._copy(run, self.LAST, self.BEFORE)
        self._keep(run, self.LAST, output)
        run.ints[i + 1] = min(run.ints[i + 1] + 1, 2)
        run.floats[f + LAST_STEP] = run.dt
        span = self.op.span(run)
        if span > 0.0:
            turn = quat.to_rotation_vector(output.motion.rotation)
            speed = np.concatenate((output.motion.translation, turn)) / span
            run.floats[f + LAST_SPEED : f + SOURCE_SPEED] = speed

    def _keep(self, run: Run, slot: int, output: Output) -> None:
        kept.store(run, self.op.place.poses + self._p + slot, output)

    def _kept(self, run: Run, slot: int) -> Output:
        return kept.stored(run, self.op.place.poses + self._p + slot)

    def _copy(self, run: Run, source: int, target: int) -> None:
        at = self.op.place.poses + self._p
        kept.copy(run, at + source, at + target)


def mean_share(eased: Share, seconds: float, elapsed: float, span: float) -> float:
    """The mean weight 0..1 of the target over the part of a step that lies after a switch.

    Parameters
    ----------
    seconds : that it takes
    elapsed : seconds since the switch at the end of the step
    span : seconds of the step
    """
    if seconds <= 0.0:
        return 1.0
    first = max(elapsed - span, 0.0)
    last = min(elapsed, seconds)
    if elapsed <= first:
        return eased(min(elapsed / seconds, 1.0))
    blended = (eased(first / seconds) + eased(last / seconds)) / 2.0 if last > first else 0.0
    whole = blended * max(last - first, 0.0) + elapsed - max(last, first)
    return min(whole / (elapsed - first), 1.0)


def _curve_offsets(
    target: FloatArray, last: FloatArray, before: FloatArray, step: float, seconds: float
) -> Decay:
    """Sizes of the curves' offsets, which die out as those of bones do."""
    offset, earlier = last - target, before - target
    size = np.abs(offset)
    speed = (size - earlier * np.sign(offset)) / step if step >= SHORTEST_STEP else np.zeros_like(size)
    return decay(size, speed, seconds)
