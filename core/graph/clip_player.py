"""The op that plays a clip."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from core.clips.clip import Notify
from core.clips.evaluator import ClipEvaluator
from core.clips.root_motion import motion_between, without_root
from core.graph.curve_table import CurveTable
from core.graph.events import EventKind
from core.graph.markers import MarkerCycle
from core.graph.notifying import Motion, Notifier
from core.graph.op import GraphOp, OpPlace, Run, TellingOp
from core.graph.output import Output
from core.graph.packer import Packed, Packer, WholeArray, samples
from core.graph.sync_member import ALONE, Phase, Sync, SyncMember
from core.math import transform
from core.math.transform import Transform

ROUNDING = 1e-9
"""Seconds from its end at which a clip counts as over."""


class Pace(NamedTuple):
    """How a clip plays.

    Parameters
    ----------
    rate, start : registers of the playback rate and of the time it starts at
    keep_time : goes on where it stood when it becomes relevant again
    """

    rate: int
    start: int
    keep_time: bool = False


class ClipOp(SyncMember, TellingOp):
    """Plays a clip. Its state: playback time now and at the beginning of the step, and the turns a second of its sync
    group; whether it is fresh, then which of its notifies are under way.

    Parameters
    ----------
    loops : whether it loops
    pace : how it plays
    conditions : register of the condition of each notify of the clip, or `NO_CONDITION`
    sync : its sync group
    """

    FLOATS = 3
    POSE: str | None = "clip"

    def __init__(
        self,
        where: OpPlace,
        evaluator: ClipEvaluator,
        loops: bool,
        pace: Pace,
        table: CurveTable,
        conditions: Sequence[int] = (),
        sync: Sync = ALONE,
    ) -> None:
        super().__init__(where, ())
        self.evaluator, self.loops, self._table = evaluator, loops, table
        self.rate, self.start, self.keep_time = pace
        self.group, self.role = sync
        clip = evaluator.clip
        self.notifier = Notifier(clip.name, clip.notifies, clip.length, loops, conditions)
        self.INTS = 1 + self.notifier.size
        self.markers = MarkerCycle(clip, loops)
        if not samples(evaluator):
            self.POSE = None

    @property
    def logic(self) -> str | None:
        """In a sync group that moves it."""
        return "member clip" if self.group else "clip"

    def packed(self, packer: Packer) -> Packed:
        """Clip and settings, then when its notifies are (those of a moment, and those that last), and its markers."""
        notifier = self.notifier
        found = [notifier.notifies[k] for k in self._moments]
        lasting = [x for k in notifier.slots for x in self._span(notifier.notifies[k])]
        times = packer.floats([n.time for n in found] + [n.rule.threshold for n in found])
        clip = packer.clip(self.evaluator)
        numbers = (clip, int(self.loops), self.rate, times, len(found))
        markers = (
            packer.floats(self.markers.times), len(self.markers.times),
            packer.ints([packer.marker(name) for name in self.markers.names]),
        )  # fmt: skip
        return Packed((*numbers, packer.floats(lasting), len(notifier.slots), *markers), group=clip)

    def _span(self, notify: Notify) -> tuple[float, float]:
        return notify.time, self.notifier.last(notify)

    @property
    def _moments(self) -> list[int]:
        """Numbers of the notifies without a duration."""
        return [k for k in range(len(self.notifier.notifies)) if k not in self.notifier.slots]

    def told(self, item: int) -> Mapping[str, object]:
        """A notify that was passed."""
        notify = self.notifier.notifies[self._moments[item]]
        return {
            "name": notify.name, "kind": EventKind.NOTIFY, "node": self.node, "clip": self.notifier.source,
            "time": notify.time, "data": dict(notify.data),
        }  # fmt: skip

    @property
    def length(self) -> float:
        """Seconds of the clip."""
        return self.evaluator.clip.length

    def begin_state(self, ints: WholeArray) -> None:
        """It has not played yet."""
        ints[self.place.ints] = -1

    def restart(self, run: Run) -> None:
        """Go to the start time; what stands exactly there fires."""
        at, fresh = self.place.floats, self.place.ints
        if not (self.keep_time and run.ints[fresh] >= 0):
            run.floats[at] = run.floats[at + 1] = self.held(run.value(self.start))
            run.floats[at + 2] = 0.0
            run.ints[fresh] = 1

    def held(self, time: float) -> float:
        """A playback time, held within the clip where it does not loop."""
        return time if self.loops else min(max(time, 0.0), self.length)

    def players(self, run: Run) -> list[tuple[GraphOp, float]]:
        """Itself."""
        return [(self, 1.0)]

    def pace(self, run: Run) -> float:
        """Seconds of the clip a second: its rate, or the last pace of its sync group."""
        turns = float(run.floats[self.place.floats + 2])
        return turns * self.length if self.group and turns != 0.0 else run.value(self.rate)

    def remaining(self, run: Run) -> float:
        """Seconds to the end (of this turn, where it loops) from the step's beginning."""
        rate, time = self.pace(run), float(run.floats[self.place.floats])
        if self.length <= 0.0:
            return 0.0
        if rate == 0.0:
            return math.inf
        position = time % self.length if self.loops else time
        left = (self.length - position if rate > 0.0 else position) / abs(rate)
        return self.length / abs(rate) if self.loops and left <= 0.0 else left

    def period(self, run: Run) -> float:
        """Seconds of a turn; infinite where it does not loop or stands still."""
        rate = self.pace(run)
        return self.length / abs(rate) if self.loops and rate != 0.0 else math.inf

    def begin_step(self, run: Run) -> None:
        """Note where it stands at the beginning of its span."""
        at = self.place.floats
        run.floats[at + 1] = run.floats[at]

    def advance(self, run: Run, weight: float) -> None:
        """Move on by rate × span; notifies passed and the end reached become events."""
        self.begin_step(run)
        self.travel(run, run.value(self.rate), self.begins(run), float(run.stops[self.number]))

    # ---------------------------------------------------------------- in a sync group
    def is_new(self, run: Run) -> bool:
        """Whether it was restarted or did not count in the last step."""
        return bool(run.ints[self.place.ints] == 1 or not run.was_relevant[self.number])

    def cycle(self, run: Run) -> float:
        """Its length at its rate."""
        rate = run.value(self.rate)
        return self.length / abs(rate) if rate != 0.0 else math.inf

    def direction(self, run: Run) -> float:
        """The sign of its rate."""
        return -1.0 if run.value(self.rate) < 0.0 else 1.0

    def phase(self, run: Run) -> Phase:
        """Between which markers it is, and how far in the clip."""
        return self.markers.phase(float(run.floats[self.place.floats]))

    def ahead(self, run: Run, seconds: float) -> Phase:
        """Where it will be in its clip."""
        return self.markers.phase(self.held(float(run.floats[self.place.floats]) + seconds * self.pace(run)))

    def start_at(self, run: Run, seconds: float) -> None:
        """Be at a time, fresh."""
        at = self.place.floats
        run.floats[at] = run.floats[at + 1] = self.held(seconds)
        run.ints[self.place.ints] = 1

    def until_marker(self, run: Run, turns: float) -> float:
        """Seconds to its next marker."""
        return self.markers.until(float(run.floats[self.place.floats]), turns)

    def join(self, run: Run, phase: Phase) -> None:
        """Be at a phase; root motion counts from there."""
        at = self.place.floats
        run.floats[at] = run.floats[at + 1] = self.markers.time(phase, float(run.floats[at]))
        run.ints[self.place.ints] = 0

    def go_on(self, run: Run, turns: float, start: float, stop: float) -> None:
        """Play on at the group's pace."""
        run.floats[self.place.floats + 2] = turns
        self.travel(run, turns * self.length, start, stop)

    def follow(self, run: Run, phase: Phase, turns: float, start: float, stop: float) -> None:
        """Play to where the phase is, nearest to where the pace alone would lead."""
        at = self.place.floats
        run.floats[at + 2] = turns
        before = float(run.floats[at])
        after = self.held(self.markers.time(phase, before + turns * self.length * (stop - start)))
        if stop > start:
            self.travel(run, (after - before) / (stop - start), start, stop)
            run.floats[at] = after

    def travel(self, run: Run, speed: float, start: float, stop: float) -> None:
        """Move on evenly from one moment of the step to another.

        Parameters
        ----------
        speed : seconds of the clip a second
        """
        at = self.place.floats
        before = float(run.floats[at])
        after = self.held(before + speed * (stop - start))
        end = self.length if speed > 0.0 else 0.0
        if not self.loops and abs(after - end) < ROUNDING and (end - before) * speed > 0.0:
            after = end  # what acts at the end must find it reached, whatever the sum of the steps rounds to
        run.floats[at] = after
        if run.dt <= 0.0:
            return
        fresh = run.ints[self.place.ints] == 1
        run.ints[self.place.ints] = 0
        # Where it is held at its end it gets there before the span is over.
        there = start + (after - before) / speed if speed else stop
        motion = Motion(
            before, after, start, min(there, stop), lambda m: run.weight_at(self.number, m), fresh
        )
        self.notifier.moved(run, self, self.place.ints + 1, motion)
        if not self.loops and after == end and (before != end or fresh) and speed != 0.0:
            name = self.evaluator.clip.name
            weight = float(run.weights[self.number])
            run.emit(EventKind.FINISHED, self.name, motion.stop, weight, self.node, clip=name)

    def gone(self, run: Run, moment: float) -> None:
        """Notifies that are under way end there."""
        self.notifier.end_all(run, self, self.place.ints + 1, moment)

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
