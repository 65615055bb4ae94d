"""What a take showed as lanes: bars, marks and curves over time, each tied to the node that it is of.

Lanes grow with the take, a step at a time; going back and taking another way cuts them.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from core.graph.events import Event, EventKind
from core.graph.graph import Role
from core.graph.language.values import Kind, Value
from core.graph.peek import in_words, machines
from core.graph.plan import Plan
from editor.model.graph_run.take import Sample, Take
from editor.model.i18n import tr


class LaneKind(StrEnum):
    """What a lane shows."""

    INPUT = "input"
    STATES = "states"
    TRANSITIONS = "transitions"
    MONTAGE = "montage"
    NOTIFIES = "notifies"
    EVENTS = "events"
    WATCH = "watch"


@dataclass(slots=True)
class Bar:
    """A span of time with a name.

    Parameters
    ----------
    node : id of the node, state or transition that it is of; "" for none
    open : whether it goes on
    """

    start: float
    end: float
    text: str
    node: str = ""
    open: bool = True


@dataclass(frozen=True, slots=True)
class Mark:
    """A moment with a name."""

    time: float
    text: str
    node: str = ""


@dataclass(slots=True, eq=False)
class Lane:
    """One row.

    Parameters
    ----------
    key : stable, so that a view can keep what is folded or chosen
    times, values : of a curve, which holds each value until the next time
    low, high : range of the curve
    """

    kind: LaneKind
    key: str
    title: str
    node: str = ""
    bars: list[Bar] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    low: float = 0.0
    high: float = 1.0

    def bar_at(self, time: float) -> Bar | None:
        """The last bar that holds a time."""
        found = bisect_right(self.bars, time, key=lambda bar: bar.start)
        return next((bar for bar in reversed(self.bars[:found]) if time <= bar.end), None)

    def value_at(self, time: float) -> float | None:
        """The curve's value at a time; None before it begins."""
        found = bisect_right(self.times, time + 1e-9)
        return self.values[found - 1] if found else None

    def cut(self, time: float) -> None:
        """Drop what the steps after a time brought: what begins there or later."""
        before = time - 1e-9
        self.bars = [bar for bar in self.bars if bar.start < before]
        for bar in self.bars:
            if bar.end >= before:
                bar.end, bar.open = min(bar.end, time), True
        self.marks = [mark for mark in self.marks if mark.time <= time + 1e-9]
        keep = max(bisect_left(self.times, before), 1)
        del self.times[keep:], self.values[keep:]

    def hold(self, start: float, end: float, text: str, node: str = "") -> None:
        """Let the open bar of that name and node go on, or begin one."""
        last = self.bars[-1] if self.bars else None
        if last is not None and last.open and (last.text, last.node) == (text, node):
            last.end = end
            return
        if last is not None:
            last.open = False
        self.bars.append(Bar(start, end, text, node))

    def curve(self, time: float, value: float) -> None:
        """Note a value where it differs from the last."""
        if self.values and self.values[-1] == value:
            return
        self.times.append(time)
        self.values.append(value)
        self.low, self.high = min(self.low, value), max(self.high, value)


@dataclass(frozen=True, slots=True)
class WatchedPin:
    """A value or weight that is plotted.

    Parameters
    ----------
    pin : of a value; "" is the weight of the node
    """

    node: str
    pin: str
    title: str


class LaneBook:
    """The lanes of one take."""

    def __init__(self, take: Take, watched: Iterable[WatchedPin] = ()) -> None:
        self._take = take
        self._done = 0
        self.lanes: list[Lane] = []
        self._inputs: list[tuple[Lane, Value, bool]] = []
        self._machines: list[tuple[Lane, Lane]] = []
        self._montages: dict[str, Lane] = {}
        self._watched: list[tuple[Lane, int, int]] = []
        plan = take.plan
        for variable, place in plan.variables:
            lane = Lane(LaneKind.INPUT, f"input.{variable.name}", variable.name)
            if place.type.kind in (Kind.FLOAT, Kind.INT) and variable.maximum - variable.minimum <= 1e6:
                lane.low, lane.high = variable.minimum, variable.maximum
            if variable.role is not Role.OWN:
                self.lanes.append(lane)
            else:
                continue
            self._inputs.append((lane, place, variable.role is Role.TRIGGER))
        for op in machines(plan):
            name = op.name or tr("machine")
            states = Lane(LaneKind.STATES, f"states.{op.node}", name, op.node)
            blends = Lane(
                LaneKind.TRANSITIONS, f"blends.{op.node}", tr("{machine}: transitions", machine=name), op.node
            )
            self._machines.append((states, blends))
            self.lanes += [states, blends]
        self._notifies = Lane(LaneKind.NOTIFIES, "notifies", tr("Notifies"))
        self._events = Lane(LaneKind.EVENTS, "events", tr("Events"))
        self.lanes += [self._notifies, self._events]
        self.watch(watched)

    # ------------------------------------------------------------ growing
    def watch(self, watched: Iterable[WatchedPin]) -> None:
        """Plot these from now on, and over what is recorded already."""
        for lane, _, _ in self._watched:
            self.lanes.remove(lane)
        self._watched = []
        for pin in watched:
            register, op = _found(self._take.plan, pin)
            if register < 0 and op < 0:
                continue
            lane = Lane(LaneKind.WATCH, f"watch.{pin.node}.{pin.pin}", pin.title, pin.node)
            self._watched.append((lane, register, op))
            self.lanes.append(lane)
        for sample in self._take.samples[: self._done]:
            self._grow_watched(sample)

    def grow(self) -> None:
        """Add the steps that the take has more than the lanes."""
        take = self._take
        if self._done > len(take.samples):
            self._done = len(take.samples)
            for lane in self.lanes:
                lane.cut(take.length)
        for number in range(self._done, len(take.samples)):
            self._add(take.samples[number])
        self._done = len(take.samples)

    def cut(self, number: int) -> None:
        """Forget all but the first so many steps."""
        if number < self._done:
            self._done = number
            end = self._take.samples[number - 1].end if number else 0.0
            for lane in self.lanes:
                lane.cut(end)

    def _add(self, sample: Sample) -> None:
        plan, start = self._take.plan, sample.end - sample.dt
        for lane, place, trigger in self._inputs:
            self._add_input(lane, place, trigger, sample)
        for k, op in enumerate(machines(plan)):
            states, blends = self._machines[k]
            active = sample.active[k]
            if active >= 0:
                states.hold(start, sample.end, op.states[active].name, op.states[active].node)
            under_way = set()
            for running in sample.running[k]:
                transition = op.transitions[running.number]
                under_way.add(transition.node)
                _extend(blends, start, sample.end, transition.name, transition.node)
            for bar in blends.bars[-8:]:
                bar.open = bar.open and bar.node in under_way
        self._add_montages(sample)
        for event in sample.events:
            self._add_event(event, start + event.moment)
        for bar in self._notifies.bars[-32:]:
            if bar.open:
                bar.end = sample.end
        self._grow_watched(sample)

    def _add_input(self, lane: Lane, place: Value, trigger: bool, sample: Sample) -> None:
        numbers = sample.values[place.register : place.register + place.type.width]
        start = sample.end - sample.dt
        kind = place.type.kind
        if trigger or kind is Kind.BOOL:
            if numbers[0]:
                lane.hold(start, sample.end, "" if trigger else tr("on"))
            elif lane.bars:
                lane.bars[-1].open = False
        elif kind in (Kind.ENUM, Kind.NAME):
            lane.hold(start, sample.end, in_words(self._take.plan, place.type, numbers.astype(np.float64)))
        elif kind is Kind.VECTOR:
            lane.curve(start, round(float(np.linalg.norm(numbers)), 6))
        else:
            lane.curve(start, float(numbers[0]))

    def _add_montages(self, sample: Sample) -> None:
        start, seen = sample.end - sample.dt, set()
        for playing in sample.montages:
            lane = self._montages.get(playing.name)
            if lane is None:
                lane = self._montages[playing.name] = Lane(
                    LaneKind.MONTAGE, f"montage.{playing.name}", playing.name
                )
                self.lanes.insert(self.lanes.index(self._notifies), lane)
            seen.add(playing.name)
            lane.hold(start, sample.end, playing.section)
        for name, lane in self._montages.items():
            if name not in seen and lane.bars:
                lane.bars[-1].open = False

    def _add_event(self, event: Event, time: float) -> None:
        kind, notifies = event.kind, self._notifies
        if kind is EventKind.NOTIFY:
            notifies.marks.append(Mark(time, event.name, event.node))
        elif kind is EventKind.BEGIN:
            notifies.bars.append(Bar(time, time, event.name, event.node))
        elif kind is EventKind.END:
            for bar in reversed(notifies.bars[-32:]):
                if bar.open and (bar.text, bar.node) == (event.name, event.node):
                    bar.end, bar.open = time, False
                    break
        elif kind in TOLD:
            text = event.name if kind is EventKind.CUSTOM else f"{event.name}: {KIND_WORDS[kind]}"
            self._events.marks.append(Mark(time, text, event.node))

    def _grow_watched(self, sample: Sample) -> None:
        for lane, register, op in self._watched:
            value = sample.values[register] if register >= 0 else sample.weights[op]
            lane.curve(sample.end - sample.dt, float(value))

    # ------------------------------------------------------------ asking
    def named(self, key: str) -> Lane | None:
        """The lane with a key."""
        return next((lane for lane in self.lanes if lane.key == key), None)


KIND_WORDS = {
    EventKind.FINISHED: tr("finished"),
    EventKind.MONTAGE_STARTED: tr("montage started"),
    EventKind.MONTAGE_ENDED: tr("montage ended"),
    EventKind.MONTAGE_BLENDING_OUT: tr("blending out"),
    EventKind.TRANSITION_INTERRUPTED: tr("interrupted"),
}
TOLD = frozenset({EventKind.CUSTOM, *KIND_WORDS})
"""Events that have a place in the lane of events; states and transitions have lanes of their own."""


def _extend(lane: Lane, start: float, end: float, text: str, node: str) -> None:
    """Let the bar of a transition go on, or begin one; several may run at once."""
    for bar in reversed(lane.bars[-8:]):
        if bar.open and bar.node == node:
            bar.end = end
            return
    lane.bars.append(Bar(start, end, text, node))


def _found(plan: Plan, pin: WatchedPin) -> tuple[int, int]:
    """Register of a value, or number of the op of a weight; −1 for the other, or for both where there is none."""
    if not pin.pin:
        roots = (state.root for op in machines(plan) for state in op.states if state.node == pin.node)
        own = (op.number for op in plan.ops if op.node == pin.node)
        return -1, next(own, next(roots, -1))
    if not pin.node:  # a variable
        return next((place.register for v, place in plan.variables if v.name == pin.pin), -1), -1
    value = plan.pins.get((pin.node, pin.pin))
    return (-1 if value is None else value.register), -1


def first_difference(one: Take, other: Take) -> tuple[int, str] | None:
    """Number of the first step in which two takes differ, and in what; None where they agree.

    States and transitions are compared by name, events by name and moment, poses within a micrometre.
    """
    for number, (a, b) in enumerate(zip(one.samples, other.samples, strict=False)):
        if _states(one, a) != _states(other, b):
            return number, tr("states")
        if _events(a) != _events(b):
            return number, tr("events")
        if a.pose != b.pose:
            return number, tr("pose")
    return None


def _states(take: Take, sample: Sample) -> list[tuple[str, str]]:
    return [
        (op.name, op.states[active].name if active >= 0 else "")
        for op, active in zip(machines(take.plan), sample.active, strict=True)
    ]


def _events(sample: Sample) -> list[tuple[str, str, float]]:
    return [(str(event.kind), event.name, round(event.moment, 9)) for event in sample.events]
