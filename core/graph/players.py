"""Ops that play: clips and blend spaces, and the rest pose."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from core.arrays import BoolArray, FloatArray
from core.blending.space_player import SpacePlayer, SpaceState
from core.clips.clip import Notify
from core.clips.evaluator import ClipEvaluator
from core.clips.notifies import fired_moments
from core.clips.root_motion import motion_between, without_root
from core.graph.events import EventKind
from core.graph.op import ZERO, PoseOp, Run
from core.graph.output import Output
from core.math import transform
from core.math.transform import Transform


class CurveTable:
    """Names of every curve and morph that a plan's clips have, in one order."""

    def __init__(self, curves: Sequence[str], morphs: Sequence[str]) -> None:
        self.curves, self.morphs = tuple(curves), tuple(morphs)
        self.index = {name: k for k, name in enumerate(self.curves)}
        self.morph_index = {name: len(self.curves) + k for k, name in enumerate(self.morphs)}

    def __len__(self) -> int:
        return len(self.curves) + len(self.morphs)

    def filled(
        self, curves: Mapping[str, FloatArray], morphs: Mapping[str, FloatArray]
    ) -> tuple[FloatArray, BoolArray]:
        """Values ``(C,)`` and which are present, of one pose's curves and morphs."""
        values, present = np.zeros(len(self)), np.zeros(len(self), dtype=bool)
        for table, index in ((curves, self.index), (morphs, self.morph_index)):
            for name, value in table.items():
                values[index[name]] = float(np.asarray(value).reshape(-1)[0])
                present[index[name]] = True
        return values, present


class RestOp(PoseOp):
    """The rest pose."""

    def __init__(self, number: int, node: str, name: str, table: CurveTable) -> None:
        super().__init__(number, node, name, ())
        self._table = table

    def pose(self, run: Run) -> Output:
        """The rest pose without curves."""
        return Output(run.rig.skeleton.rest, *self._table.filled({}, {}))


class ClipOp(PoseOp):
    """Plays a clip. Its state: playback time now and at the beginning of the step; whether it is fresh.

    Parameters
    ----------
    loops : whether it loops
    rate, start : registers of the playback rate and of the time it starts at
    keep_time : goes on where it stood when it becomes relevant again
    """

    FLOATS = 2
    INTS = 1

    def __init__(
        self,
        number: int,
        node: str,
        name: str,
        evaluator: ClipEvaluator,
        loops: bool,
        rate: int,
        start: int,
        keep_time: bool,
        table: CurveTable,
    ) -> None:
        super().__init__(number, node, name, ())
        self.evaluator, self.loops, self.rate, self.start = evaluator, loops, rate, start
        self.keep_time, self._table = keep_time, table

    @property
    def length(self) -> float:
        """Seconds of the clip."""
        return self.evaluator.clip.length

    def restart(self, run: Run) -> None:
        """Go to the start time; what stands exactly there fires."""
        at, fresh = self.place.floats, self.place.ints
        if not (self.keep_time and run.ints[fresh] >= 0):
            run.floats[at] = run.floats[at + 1] = self.held(run.value(self.start))
            run.ints[fresh] = 1

    def held(self, time: float) -> float:
        """A playback time, held within the clip where it does not loop."""
        return time if self.loops else min(max(time, 0.0), self.length)

    def players(self, run: Run) -> list[tuple[PoseOp, float]]:
        """Itself."""
        return [(self, 1.0)]

    def remaining(self, run: Run) -> float:
        """Seconds to the end (of this turn, where it loops) from the step's beginning."""
        rate, time = run.value(self.rate), float(run.floats[self.place.floats])
        if self.length <= 0.0:
            return 0.0
        if rate == 0.0:
            return math.inf
        position = time % self.length if self.loops else time
        left = (self.length - position if rate > 0.0 else position) / abs(rate)
        return self.length / abs(rate) if self.loops and left <= 0.0 else left

    def advance(self, run: Run, weight: float) -> None:
        """Move on by rate × span; notifies passed and the end reached become events."""
        at = self.place.floats
        rate, span = run.value(self.rate), self.span(run)
        before = float(run.floats[at])
        after = self.held(before + rate * span)
        run.floats[at], run.floats[at + 1] = after, before
        if run.dt <= 0.0:
            return
        begun = run.dt - span
        fresh = run.ints[self.place.ints] == 1
        run.ints[self.place.ints] = 0
        for moment, notify in fired_moments(
            self.evaluator.clip, before, after, looping=self.loops, include_start=bool(fresh)
        ):
            when = begun + ((moment - before) / rate if rate else 0.0)
            self._notify(run, notify, when, weight)
        end = self.length if rate > 0.0 else 0.0
        if not self.loops and after == end and (before != end or fresh) and rate != 0.0:
            moment = begun + abs((end - before) / rate)
            run.emit(EventKind.FINISHED, self.name, moment, weight, self.node, clip=self.evaluator.clip.name)

    def _notify(self, run: Run, notify: Notify, moment: float, weight: float) -> None:
        earlier = run.before[self.number]
        there = earlier + (weight - earlier) * (moment / run.dt)
        if there >= ZERO:
            run.emit(
                EventKind.NOTIFY,
                notify.name,
                moment,
                there,
                self.node,
                clip=self.evaluator.clip.name,
                time=notify.time,
                data=dict(notify.data),
            )

    def pose(self, run: Run) -> Output:
        """The pose at its time, with the root motion of its span."""
        after, before = (float(run.floats[self.place.floats + k]) for k in (0, 1))
        position = after % self.length if self.loops and self.length > 0.0 else after
        batch = self.evaluator.sample_many(np.array([position]), wrap=False)
        local, motion = batch.local, transform.IDENTITY
        if self.evaluator.clip.root_motion.enabled:
            local = without_root(self.evaluator, local)
            motion = motion_between(self.evaluator, before, after) if run.dt > 0.0 else motion
        curves, present = self._table.filled(batch.curves, batch.morphs)
        return Output(Transform(*(part[0] for part in local)), curves, present, motion)


class SpaceOp(PoseOp):
    """Plays a blend space. Its state: clock, seconds, started, then point and velocity by axis, then weights; the
    same again as it stood at the beginning of the step.

    Parameters
    ----------
    point : registers of the axes' inputs
    rate : register of the playback rate
    """

    INTS = 1

    def __init__(
        self,
        number: int,
        node: str,
        name: str,
        player: SpacePlayer,
        point: Sequence[int],
        rate: int,
        table: CurveTable,
    ) -> None:
        super().__init__(number, node, name, ())
        self.player, self.point, self.rate, self._table = player, tuple(point), rate, table
        self._size = 2 + 2 * len(point) + len(player.clips)
        self.FLOATS = 2 * self._size

    def _goal(self, run: Run) -> tuple[float, ...]:
        return tuple(run.value(register) for register in self.point)

    def _state(self, run: Run, earlier: bool = False) -> SpaceState:
        at = self.place.floats + (self._size if earlier else 0)
        numbers = run.floats[at : at + self._size]
        axes = len(self.point)
        point, velocity = (tuple(map(float, numbers[2 + k * axes : 2 + (k + 1) * axes])) for k in (0, 1))
        return SpaceState(
            float(numbers[0]), numbers[2 + 2 * axes :].copy(), point, velocity, float(numbers[1])
        )

    def _store(self, run: Run, state: SpaceState, earlier: bool = False) -> None:
        at = self.place.floats + (self._size if earlier else 0)
        assert state.weights is not None
        run.floats[at : at + self._size] = (
            state.clock, state.seconds, *state.point, *state.velocity, *state.weights
        )  # fmt: skip

    def restart(self, run: Run) -> None:
        """Begin the cycle at the present input."""
        state = self.player.start(self._goal(run))
        self._store(run, state)
        self._store(run, state, earlier=True)
        run.ints[self.place.ints] = 1

    def players(self, run: Run) -> list[tuple[PoseOp, float]]:
        """Itself."""
        return [(self, 1.0)]

    def remaining(self, run: Run) -> float:
        """Seconds to the end of the cycle at the present weights."""
        state, rate = self._state(run), run.value(self.rate)
        assert state.weights is not None
        whole = float(self.player.group.duration(state.weights))
        if whole <= 0.0:
            return 0.0
        turned = (state.clock % self.player.group.intervals) / self.player.group.intervals
        if rate == 0.0:
            return math.inf
        return ((1.0 - turned) if rate > 0.0 else turned) * whole / abs(rate)

    def advance(self, run: Run, weight: float) -> None:
        """Move input and clock on; notifies become events at the share of the step where their clips passed them."""
        before = self._state(run)
        span = self.span(run)
        after = self.player.moved(before, self._goal(run), span * run.value(self.rate))
        self._store(run, before, earlier=True)
        self._store(run, after)
        if run.dt > 0.0 and after.weights is not None and weight >= ZERO:
            for notify in self.player.passed(after.weights, before.clock, after.clock):
                run.emit(
                    EventKind.NOTIFY,
                    notify.name,
                    run.dt,
                    weight,
                    self.node,
                    time=notify.time,
                    data=dict(notify.data),
                )

    def pose(self, run: Run) -> Output:
        """The blended pose with the root motion of its span."""
        before, after = self._state(run, earlier=True), self._state(run)
        assert after.weights is not None
        batch = self.player.poses([after.clock], after.weights[None], [after.seconds])
        motion = self.player.motion_between(before, after) if run.dt > 0.0 else transform.IDENTITY
        curves, present = self._table.filled(batch.curves, batch.morphs)
        return Output(Transform(*(part[0] for part in batch.local)), curves, present, motion)
