"""Notifies of what plays: moments passed, and states that begin, tick and end (spec: graph, §5)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from core.clips.clip import Notify
from core.clips.notifies import crossings
from core.graph.events import EventKind
from core.graph.op import Run

NO_CONDITION = -1
"""Register of a notify without a condition."""
EXACT = 1e-12
"""Seconds to which the moment of a cut by weight is found."""


class EventSource(Protocol):
    """Whose notifies they are: the number of its op and the id that the events carry."""

    @property
    def number(self) -> int: ...
    @property
    def node(self) -> str: ...


@dataclass(slots=True)
class Motion:
    """A span of even playback within a step.

    Parameters
    ----------
    before, after : playback time at its ends; it counts on over the seams of a loop
    start, stop : moments of the step, seconds
    fresh : playback began at `before`, which was not passed yet
    weight : absolute weight of what plays at a moment
    """

    before: float
    after: float
    start: float
    stop: float
    weight: Callable[[float], float]
    fresh: bool = False

    def moment(self, position: float) -> float:
        """The moment at which playback passes a time."""
        moved = self.after - self.before
        return self.start + ((position - self.before) / moved * (self.stop - self.start) if moved else 0.0)


class Notifier:
    """The notifies of one clip or montage, as a player moves over it.

    It keeps one int for each notify with a duration: whether it is under way.

    Parameters
    ----------
    source : name of the clip or montage, for the events
    loops : whether playback counts on over its end
    conditions : register of each notify's condition, or `NO_CONDITION`
    """

    def __init__(
        self,
        source: str,
        notifies: Sequence[Notify],
        length: float,
        loops: bool,
        conditions: Sequence[int] = (),
    ) -> None:
        self.source, self.length = source, length
        self.period = length if loops else 0.0
        inside = [n for n, notify in enumerate(notifies) if 0.0 <= notify.time <= length]
        self.conditions = tuple(conditions[n] if conditions else NO_CONDITION for n in inside)
        self.notifies = tuple(notifies[n] for n in inside)
        self.slots = {
            n: k for k, n in enumerate(n for n, found in enumerate(self.notifies) if found.duration > 0.0)
        }

    @property
    def size(self) -> int:
        """Ints that it keeps."""
        return len(self.slots)

    def last(self, notify: Notify) -> float:
        """Where a notify's duration ends: at most a turn later, and within a clip that does not loop."""
        end = notify.time + min(notify.duration, self.length)
        return end if self.period else min(end, self.length)

    def moved(self, run: Run, op: EventSource, ints: int, motion: Motion) -> list[Notify]:
        """Fire what a motion passes.

        Parameters
        ----------
        ints : place of its ints

        Returns
        -------
        cut : notifies that ended because their condition is false
        """
        if not self.notifies:
            return []
        cut = self._hold_conditions(run, op, ints, motion)
        for position, number, way in self._passed(run, ints, motion):
            notify, moment = self.notifies[number], motion.moment(position)
            slot = self.slots.get(number)
            if slot is None:
                self._fire(run, op, notify, EventKind.NOTIFY, moment, motion)
            elif way > 0 and not run.ints[ints + slot] and self.conditions_hold(run, number):
                run.ints[ints + slot] = self._fire(run, op, notify, EventKind.BEGIN, moment, motion)
            elif way < 0 and run.ints[ints + slot]:
                self._tick(run, op, notify, moment, position, motion)
                self._emit(run, op, notify, EventKind.END, moment, motion)
                run.ints[ints + slot] = 0
        for number, slot in self.slots.items():
            if run.ints[ints + slot]:
                self._go_on(run, op, ints + slot, self.notifies[number], motion)
        return cut

    def end_all(self, run: Run, op: EventSource, ints: int, moment: float, weight: float = 0.0) -> None:
        """Cut every notify that is under way."""
        for number, slot in self.slots.items():
            if run.ints[ints + slot]:
                at = Motion(0.0, 0.0, moment, moment, lambda _: weight)
                self._emit(run, op, self.notifies[number], EventKind.END, moment, at, interrupted=True)
                run.ints[ints + slot] = 0

    def conditions_hold(self, run: Run, number: int) -> bool:
        """Whether a notify's condition is true or absent."""
        register = self.conditions[number]
        return register == NO_CONDITION or run.value(register) != 0.0

    # ---------------------------------------------------------------- parts
    def _hold_conditions(self, run: Run, op: EventSource, ints: int, motion: Motion) -> list[Notify]:
        """End what must not go on: what a restart has left, and what a condition forbids."""
        if motion.fresh:
            self.end_all(run, op, ints, motion.start, motion.weight(motion.start))
        cut = []
        for number, slot in self.slots.items():
            if run.ints[ints + slot] and not self.conditions_hold(run, number):
                cut.append(self.notifies[number])
                self._emit(
                    run, op, self.notifies[number], EventKind.END, motion.start, motion, interrupted=True
                )
                run.ints[ints + slot] = 0
        return cut

    def _passed(self, run: Run, ints: int, motion: Motion) -> list[tuple[float, int, int]]:
        """What is passed, in order: position, number, and 1 where a notify is entered, −1 where it is left."""
        backwards = motion.after < motion.before
        found: list[tuple[float, int, int]] = []
        for number, notify in enumerate(self.notifies):
            first, last = notify.time, notify.time
            if number in self.slots:
                last = self.last(notify)
                if motion.fresh and self._inside(notify, motion.before):
                    found.append((motion.before, number, 1))
            for time, way in ((first, 1), (last, -1)) if number in self.slots else ((first, 1),):
                moments = crossings(time, self.period, motion.before, motion.after, motion.fresh)
                found.extend((moment, number, -way if backwards else way) for moment in moments)
        return sorted(found, key=lambda item: (-item[0] if backwards else item[0], item[2], item[1]))

    def _inside(self, notify: Notify, position: float) -> bool:
        """Whether a position lies within a notify's duration in its own turn, its ends left out."""
        along = (position % self.period if self.period else position) - notify.time
        return 0.0 < along < self.last(notify) - notify.time

    def _go_on(self, run: Run, op: EventSource, place: int, notify: Notify, motion: Motion) -> None:
        """A notify that is still under way at the end of a motion."""
        along = motion.after - notify.time
        along = along % self.period if self.period else along
        whole = self.last(notify) - notify.time
        if not -EXACT <= along <= whole + EXACT and not (self.period and along >= self.period - EXACT):
            self._emit(
                run, op, notify, EventKind.END, motion.start, motion
            )  # playback turned back at its very edge
            run.ints[place] = 0
            return
        threshold = notify.rule.threshold
        if motion.weight(motion.stop) < threshold:
            low, high = motion.start, motion.stop
            while high - low > EXACT:
                middle = (low + high) / 2.0
                low, high = (middle, high) if motion.weight(middle) >= threshold else (low, middle)
            self._emit(run, op, notify, EventKind.END, high, motion, interrupted=True)
            run.ints[place] = 0
            return
        self._tick(run, op, notify, motion.stop, motion.after, motion)

    def _fire(
        self, run: Run, op: EventSource, notify: Notify, kind: EventKind, moment: float, motion: Motion
    ) -> bool:
        """Emit an event where weight and sync group allow it; whether they did."""
        follows = op.number in run.following and not notify.rule.on_follower
        if follows or motion.weight(moment) < notify.rule.threshold:
            return False
        self._emit(run, op, notify, kind, moment, motion)
        return True

    def _tick(
        self, run: Run, op: EventSource, notify: Notify, moment: float, position: float, motion: Motion
    ) -> None:
        whole = self.last(notify) - notify.time
        along = position - notify.time
        if self.period and not 0.0 <= along <= whole:
            along %= self.period
        along = min(max(along, 0.0), whole)
        self._emit(
            run, op, notify, EventKind.TICK, moment, motion,
            progress=along / whole if whole > 0.0 else 1.0, seconds=along,
        )  # fmt: skip

    def _emit(
        self,
        run: Run,
        op: EventSource,
        notify: Notify,
        kind: EventKind,
        moment: float,
        motion: Motion,
        **details: object,
    ) -> None:
        run.emit(
            kind,
            notify.name,
            moment,
            motion.weight(moment),
            op.node,
            clip=self.source,
            time=notify.time,
            leaving=bool(run.leaving[op.number]),
            data=dict(notify.data),
            **details,
        )
