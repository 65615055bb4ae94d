"""Which transition a state machine takes next, and when; nothing is changed here (spec: graph, §6)."""

from abc import abstractmethod
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Protocol

from core.arrays import FloatArray
from core.graph.graph import Interrupt, InterruptBy
from core.graph.inertial import Inertial
from core.graph.machine_parts import (
    EXIT,
    MOST,
    NEVER_LEFT,
    TOLERANCE,
    MachineState,
    MachineTransition,
)
from core.graph.op import PoseOp, Run
from core.graph.visit import Visit

Candidate = tuple[int, bool]
"""Number of a transition, and whether it leaves the source of the running one."""


class Machine(PoseOp):
    """What a step needs of its machine: states, transitions, where its numbers stand in the run, and its blends."""

    SLOTS = MOST + 2
    states: tuple[MachineState, ...]
    transitions: tuple[MachineTransition, ...]
    entries: tuple[int, ...]
    inertial: Inertial

    @abstractmethod
    def active(self, run: Run) -> int: ...
    @abstractmethod
    def time_place(self) -> int: ...
    @abstractmethod
    def away_place(self) -> int: ...
    @abstractmethod
    def exit_place(self) -> int: ...
    @abstractmethod
    def state_weights(self, visits: Sequence[Visit]) -> FloatArray: ...
    @abstractmethod
    def custom_weights(self, visits: Sequence[Visit]) -> list[tuple[int, float]]: ...
    @abstractmethod
    def freeze(self, run: Run) -> None: ...


class Standing(Protocol):
    """Where a machine is in a step.

    Attributes
    ----------
    visits : the machine's stack as it is at `clock`
    start, clock, end : moments of the step: where it begins, that is reached, where it ends
    since : states entered in this step, with the moment
    """

    machine: Machine
    run: Run
    visits: list[Visit]
    start: float
    clock: float
    end: float
    since: dict[int, float]


def holds(at: Standing, number: int) -> bool:
    """Whether a transition's rules are true, and its triggers not taken in this step."""
    transition = at.machine.transitions[number]
    if any(trigger in at.run.taken for trigger in transition.takes):
        return False
    return all(at.run.value(rule) != 0.0 for rule in transition.rules)


def running_transition(at: Standing) -> MachineTransition | None:
    """The transition whose blend is under way."""
    machine, run = at.machine, at.run
    if len(at.visits) > 1:
        return machine.transitions[at.visits[-1].transition]
    code, place = int(run.ints[machine.inertial.place()[0]]), machine.inertial.place()[1]
    if code == 0 or run.floats[place] >= run.floats[place + 1] - TOLERANCE:
        return None
    return machine.transitions[abs(code) - 1]


def seconds_left(at: Standing) -> float:
    """Seconds that the running blend still takes."""
    if len(at.visits) > 1:
        return at.visits[-1].seconds - at.visits[-1].elapsed
    place = at.machine.inertial.place()[1]
    return float(at.run.floats[place + 1] - at.run.floats[place])


def candidates(at: Standing) -> Iterator[Candidate]:
    """The transitions to look at, in order: those of the active state, and of the state being left."""
    machine, run = at.machine, at.run
    own = [(number, False) for number in machine.states[machine.active(run)].exits]
    running = running_transition(at)
    if running is None or running.source < 0:
        yield from own
        return
    active = machine.active(run)
    left = [
        (number, True)
        for number in machine.states[running.source].exits
        if machine.transitions[number].target != active
    ]
    yield from {
        InterruptBy.TARGET: own,
        InterruptBy.SOURCE: [*left, *own],  # the target's wait for the end of the blend
        InterruptBy.SOURCE_THEN_TARGET: [*left, *own],
        InterruptBy.TARGET_THEN_SOURCE: [*own, *left],
    }[running.interrupt_by]


def next_transition(at: Standing, skip_blend: bool) -> tuple[float, int] | None:
    """The next transition to act in this step, with its moment: the earliest, then in order."""
    if at.run.ints[at.machine.exit_place()]:
        return None
    travelling = travel_link(at)
    if travelling is not None:
        moment = automatic_moment(at, travelling, at.machine.active(at.run))
        return (min(moment, at.end), travelling) if moment <= at.end + TOLERANCE else None
    best: tuple[float, int] | None = None
    for number, of_source in candidates(at):
        if not holds(at, number):
            continue
        transition = at.machine.transitions[number]
        state = transition.source if of_source else at.machine.active(at.run)
        earliest = earliest_moment(at, transition, of_source, skip_blend)
        moment = max(earliest, automatic_moment(at, number, state, earliest))
        if moment <= at.end + TOLERANCE and (best is None or moment < best[0] - TOLERANCE):
            best = (min(moment, at.end), number)
    if at.run.watch is not None:
        at.run.watch.look(at, best, skip_blend)
    return best


def earliest_moment(at: Standing, transition: MachineTransition, of_source: bool, skip_blend: bool) -> float:
    """The first moment that min time, re-entry time and the running blend allow."""
    machine, run = at.machine, at.run
    active_for = float(run.floats[machine.time_place()])
    if of_source:
        there = (visit.elapsed for visit in reversed(at.visits) if visit.state == transition.source)
        active_for = next(there, NEVER_LEFT)
    allowed = at.clock + max(transition.min_time - active_for, 0.0)
    if transition.target not in (machine.active(run), EXIT):
        away = float(run.floats[machine.away_place() + transition.target])
        allowed = max(allowed, at.clock + max(transition.reentry_time - away, 0.0))
    running = running_transition(at)
    if running is None or skip_blend:
        return allowed
    higher = transition.priority < running.priority
    refused = running.interrupt is Interrupt.NEVER or (
        running.interrupt is Interrupt.HIGHER_PRIORITY and not higher
    )
    if of_source:
        # When the blend is over, its source is no more.
        return float("inf") if refused or allowed > at.clock + seconds_left(at) + TOLERANCE else allowed
    if refused or running.interrupt_by is InterruptBy.SOURCE:
        allowed = max(allowed, at.clock + seconds_left(at))
    return allowed


def automatic_moment(at: Standing, number: int, state: int, earliest: float = 0.0) -> float:
    """The moment of an automatic rule from `earliest` on; the present one for a transition by rule alone."""
    transition, run = at.machine.transitions[number], at.run
    if transition.automatic is None:
        return at.clock
    players = run.ops[at.machine.states[state].root].players(run)
    if transition.player:
        players = [found for found in players if found[0].name == transition.player]
    if not players:
        return float("inf")
    heaviest, _ = max(players, key=lambda found: (found[1], -found[0].number))
    wanted = transition.automatic
    if wanted < 0.0:
        wanted = max(run.value(transition.seconds), 0.0)
    moment = at.since.get(state, at.start) + heaviest.remaining(run) - wanted
    least, turn = max(earliest, at.clock), heaviest.period(run)
    if moment < least - TOLERANCE and 0.0 < turn < float("inf"):
        moment += turn * -(-(least - TOLERANCE - moment) // turn)  # a loop passes the place in each turn
    return max(moment, at.clock)


def travel_link(at: Standing) -> int | None:
    """The next link of the shortest chain to the state that was asked for; None where none was."""
    machine, run = at.machine, at.run
    place = machine.exit_place() + 1
    wanted, active = int(run.ints[place]) - 1, machine.active(run)
    if wanted < 0:
        return None
    if wanted != active:
        first = {active: -1}
        waiting = deque([active])
        while waiting:
            state = waiting.popleft()
            for number in machine.states[state].exits:
                target = machine.transitions[number].target
                if target not in first and target != EXIT:
                    first[target] = number if state == active else first[state]
                    waiting.append(target)
        if wanted in first:
            return first[wanted]
        run.flagged.add(machine.node)
    run.ints[place] = 0
    return None
