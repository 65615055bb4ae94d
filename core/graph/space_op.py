"""The op that plays a blend space."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from core.arrays import FloatArray
from core.blending.space_player import SpacePlayer, SpaceState
from core.graph.curve_table import CurveTable
from core.graph.notifying import Motion, Notifier
from core.graph.op import GraphOp, OpPlace, Run
from core.graph.output import Output
from core.graph.packer import Packed, Packer, samples
from core.graph.space_packing import packed_space
from core.graph.sync_member import ALONE, LEAST_WAY, Phase, Sync, SyncMember
from core.math import transform
from core.math.transform import Transform


class SpaceOp(SyncMember):
    """Plays a blend space.

    Its state: clock, seconds, then point and velocity by axis, then weights; the same again as it was at the
    beginning of the step; the turns a second of its sync group; whether it is fresh, then which notifies of its
    clips are under way.

    Parameters
    ----------
    point : registers of the axes' inputs
    rate : register of the playback rate
    conditions : for each sample the register of the condition of each notify of its clip
    sync : its sync group
    """

    POSED: str | None = "space"
    """What makes its pose where its clips are of a kind that the kernel knows."""

    def __init__(
        self,
        where: OpPlace,
        player: SpacePlayer,
        point: Sequence[int],
        rate: int,
        table: CurveTable,
        conditions: Sequence[Sequence[int]] = (),
        sync: Sync = ALONE,
    ) -> None:
        super().__init__(where, ())
        self.player, self.point, self.rate, self._table = player, tuple(point), rate, table
        self.group, self.role = sync
        self.notifiers = tuple(
            Notifier(
                clip.name, clip.notifies, clip.length, clip.looping and clip.length > 0.0,
                conditions[k] if conditions else (),
            )
            for k, clip in enumerate(player.clips)
        )  # fmt: skip
        self.INTS = 1 + sum(notifier.size for notifier in self.notifiers)
        self._size = 2 + 2 * len(point) + len(player.clips)
        self.FLOATS = 2 * self._size + 1
        self.PARTS = self.CARRIED = len(player.clips)
        self.BUFFERS = self.PARTS + 2
        self._compiled = all(samples(evaluator) for evaluator in player.sources)
        self.POSE = self.POSED if self._compiled else None

    @property
    def logic(self) -> str | None:
        """In a sync group that moves it."""
        if not self._compiled:
            return None
        return "member space" if self.group else "space"

    def packed(self, packer: Packer) -> Packed:
        """The space; ops that play the same one are sampled together."""
        notifies = [
            [
                x
                for k, n in enumerate(found.notifies)
                for x in (n.time, found.last(n))[: 1 + (k in found.slots)]
            ]
            for found in self.notifiers
        ]
        whole = packed_space(packer, self.player, self.point, self.rate, notifies, self.INTS - 1)
        return Packed(whole, group=packer.space(self.player))

    def _goal(self, run: Run) -> tuple[float, ...]:
        return tuple(run.value(register) for register in self.point)

    def _state(self, run: Run, earlier: bool = False) -> SpaceState:
        at = self.place.floats + (self._size if earlier else 0)
        axes = len(self.point)
        weights = at + 2 + 2 * axes
        clock, seconds, *input_state = run.floats[at:weights].tolist()
        return SpaceState(
            clock,
            run.floats[weights : at + self._size].copy(),
            tuple(input_state[:axes]),
            tuple(input_state[axes:]),
            seconds,
        )

    def _store(self, run: Run, state: SpaceState, earlier: bool = False) -> None:
        at = self.place.floats + (self._size if earlier else 0)
        assert state.weights is not None
        weights = at + 2 + 2 * len(self.point)
        run.floats[at:weights] = (state.clock, state.seconds, *state.point, *state.velocity)
        run.floats[weights : at + self._size] = state.weights

    def restart(self, run: Run) -> None:
        """Begin the cycle at the present input."""
        state = self.player.start(self._goal(run))
        self._store(run, state)
        self._store(run, state, earlier=True)
        run.ints[self.place.ints] = 1

    def players(self, run: Run) -> list[tuple[GraphOp, float]]:
        """Itself."""
        return [(self, 1.0)]

    def remaining(self, run: Run) -> float:
        """Seconds to the end of the cycle at the present weights."""
        state, rate = self._state(run), self._pace(run)
        whole = self._whole(state)
        if whole <= 0.0:
            return 0.0
        turned = (state.clock % self.player.group.intervals) / self.player.group.intervals
        if rate == 0.0:
            return math.inf
        return ((1.0 - turned) if rate > 0.0 else turned) * whole / abs(rate)

    def period(self, run: Run) -> float:
        """Seconds of a cycle at the present weights."""
        rate, whole = self._pace(run), self._whole(self._state(run))
        return whole / abs(rate) if rate != 0.0 and whole > 0.0 and self.player.loops else math.inf

    def begin_step(self, run: Run) -> None:
        """Note where it stands at the beginning of its span."""
        at, size = self.place.floats, self._size
        run.floats[at + size : at + 2 * size] = run.floats[at : at + size]

    def advance(self, run: Run, weight: float) -> None:
        """Move input and clock on; notifies passed become events."""
        self.begin_step(run)
        self.travel(run, run.value(self.rate), self.begins(run), float(run.stops[self.number]))

    # ---------------------------------------------------------------- in a sync group
    def is_new(self, run: Run) -> bool:
        """Whether it was restarted or did not count in the last step."""
        return bool(run.ints[self.place.ints] == 1 or not run.was_relevant[self.number])

    def cycle(self, run: Run) -> float:
        """The cycle's seconds at the present weights and its rate."""
        rate = run.value(self.rate)
        return self._whole(self._state(run)) / abs(rate) if rate != 0.0 else math.inf

    def direction(self, run: Run) -> float:
        """The sign of its rate."""
        return -1.0 if run.value(self.rate) < 0.0 else 1.0

    def phase(self, run: Run) -> Phase:
        """Between which markers it is; of the whole, how far its heaviest clip is."""
        return self._phase(self._state(run))

    def ahead(self, run: Run, seconds: float) -> Phase:
        """Where its cycle will be."""
        return self._phase(self.player.advanced(self._state(run), self._goal(run), seconds * self._pace(run)))

    def start_at(self, run: Run, seconds: float) -> None:
        """Be where its heaviest clip is at a time, fresh."""
        state = self._state(run)
        clock = float(self.player.group.clock_at(_heaviest(state), max(seconds, 0.0)))
        self._store(run, replace(state, clock=clock))
        self._store(run, replace(state, clock=clock), earlier=True)
        run.ints[self.place.ints] = 1

    def _phase(self, state: SpaceState) -> Phase:
        group = self.player.group
        number = _heaviest(state)
        length = float(group.lengths[number])
        whole = float(group.times(state.clock)[number]) % length / length if length > 0.0 else 0.0
        if not group.names:
            return Phase(None, 0.0, whole)
        step, between = divmod(state.clock, 1.0)
        k = int(step) % group.intervals
        return Phase((group.names[k], group.names[(k + 1) % group.intervals]), float(between), whole)

    def until_marker(self, run: Run, turns: float) -> float:
        """Seconds to its next marker."""
        state, group = self._state(run), self.player.group
        assert state.weights is not None
        durations = group.interval_durations(state.weights)
        total = float(durations.sum())
        if not group.names or turns == 0.0 or total <= 0.0:
            return math.inf
        below = math.floor(state.clock)
        ahead, inside = (below + 1.0 - state.clock, below) if turns > 0.0 else (state.clock - below, below)
        if ahead < LEAST_WAY:
            ahead, inside = 1.0, below + (1 if turns > 0.0 else -1)
        return ahead * float(durations[inside % group.intervals]) / total / abs(turns)

    def join(self, run: Run, phase: Phase) -> None:
        """Be at a phase; root motion counts from there."""
        state = self._state(run)
        state = replace(state, clock=self._clock(phase, state, state.clock))
        self._store(run, state)
        self._store(run, state, earlier=True)
        run.ints[self.place.ints] = 0

    def go_on(self, run: Run, turns: float, start: float, stop: float) -> None:
        """Play on at the group's pace."""
        run.floats[self._turns_place()] = turns
        self.travel(run, turns * self._whole(self._state(run)), start, stop)

    def follow(self, run: Run, phase: Phase, turns: float, start: float, stop: float) -> None:
        """Play to where the phase is, nearest to where the pace alone would lead."""
        run.floats[self._turns_place()] = turns
        before = self._state(run)
        after = self.player.advanced(before, self._goal(run), stop - start)
        near = before.clock + turns * self.player.group.intervals * (stop - start)
        self._play(run, before, replace(after, clock=self._clock(phase, after, near)), start, stop)

    def _clock(self, phase: Phase, state: SpaceState, near: float) -> float:
        """The clock at a phase, nearest to another."""
        group, number = self.player.group, _heaviest(state)
        found = [group.clock_at(number, phase.whole * float(group.lengths[number]))]
        if phase.markers is not None:
            names = group.names
            pairs = [(name, names[(k + 1) % len(names)]) for k, name in enumerate(names)]
            found = [k + phase.between for k, pair in enumerate(pairs) if pair == phase.markers] or found
        turn = group.intervals
        return min((c + turn * round((near - c) / turn) for c in found), key=lambda clock: abs(clock - near))

    def _whole(self, state: SpaceState) -> float:
        """Seconds of a cycle at the present weights and rate 1."""
        assert state.weights is not None
        return float(self.player.group.duration(state.weights))

    def _pace(self, run: Run) -> float:
        """Seconds of playback a second: its rate, or the last pace of its sync group."""
        turns = float(run.floats[self._turns_place()])
        return turns * self._whole(self._state(run)) if self.group and turns != 0.0 else run.value(self.rate)

    def _turns_place(self) -> int:
        return self.place.floats + 2 * self._size

    def travel(self, run: Run, speed: float, start: float, stop: float) -> None:
        """Move on evenly from one moment of the step to another.

        Parameters
        ----------
        speed : seconds of playback a second
        """
        before = self._state(run)
        self._play(
            run, before, self.player.advanced(before, self._goal(run), (stop - start) * speed), start, stop
        )

    def _play(self, run: Run, before: SpaceState, after: SpaceState, start: float, stop: float) -> None:
        self._store(run, after)
        if run.dt <= 0.0 or after.weights is None:
            return
        fresh = run.ints[self.place.ints] == 1
        run.ints[self.place.ints] = 0
        shares = self.player.counted(after.weights).tolist()
        place = self.place.ints + 1
        parts: list[tuple[list[float], list[float], float, float]] | None = None
        for notifier, share, k in zip(self.notifiers, shares, range(len(shares)), strict=True):
            if share <= 0.0:
                notifier.end_all(run, self, place, start)
            elif notifier.notifies:
                parts = self._parts(after.weights, before.clock, after.clock) if parts is None else parts
                for number, (first, last, begin, end) in enumerate(parts):
                    motion = Motion(
                        first[k],
                        last[k],
                        start + begin * (stop - start),
                        start + end * (stop - start),
                        self._weight(run, share),
                        fresh and number == 0,
                    )
                    notifier.moved(run, self, place, motion)
            place += notifier.size

    def _parts(
        self, weights: FloatArray, before: float, after: float
    ) -> list[tuple[list[float], list[float], float, float]]:
        """The even parts of a way: the clips' own times at both ends, and the fractions of the time until there."""
        times = self.player.clip_times
        return [
            (times(first).tolist(), times(last).tolist(), begin, end)
            for first, last, begin, end in self.player.even_parts(weights, before, after)
        ]

    def _weight(self, run: Run, share: float) -> Callable[[float], float]:
        """The absolute weight of a sample at a moment."""
        return lambda moment: run.weight_at(self.number, moment) * share

    def gone(self, run: Run, moment: float) -> None:
        """Notifies that are under way end there."""
        place = self.place.ints + 1
        for notifier in self.notifiers:
            notifier.end_all(run, self, place, moment)
            place += notifier.size

    def pose(self, run: Run) -> Output:
        """The blended pose with the root motion of its span."""
        before, after = self._state(run, earlier=True), self._state(run)
        assert after.weights is not None
        batch = self.player.poses([after.clock], after.weights[None], [after.seconds])
        motion = self.player.motion_between(before, after) if run.dt > 0.0 else transform.IDENTITY
        curves, present = self._table.filled(batch.curves, batch.morphs)
        return Output(Transform(*(part[0] for part in batch.local)), curves, present, motion)


def _heaviest(state: SpaceState) -> int:
    assert state.weights is not None
    return int(np.argmax(state.weights))
