"""One step of a state machine: which transitions are taken, and at which moment (spec: graph, §6)."""

from collections.abc import Sequence
from dataclasses import replace

from core.graph.events import EventKind
from core.graph.graph import BlendKind, TargetStart
from core.graph.machine_choice import (
    Machine,
    holds,
    next_transition,
    running_transition,
)
from core.graph.machine_parts import (
    EXIT,
    FROZEN,
    MOST,
    TOLERANCE,
    MachineTransition,
)
from core.graph.machine_start import keeps, place_target, restarts
from core.graph.op import Run
from core.graph.visit import Visit


class MachineStep:
    """The transitions of one step of one machine.

    Attributes
    ----------
    visits : the machine's stack as it is at `clock`
    clock : moment of the step that is reached
    since : states entered in this step, with the moment
    ended : states that no visit is left of, with the moment
    history : beginnings of the parts of the step, with the visits as they were there
    """

    def __init__(self, machine: Machine, run: Run, weight: float, visits: list[Visit]) -> None:
        self.machine, self.run, self.weight, self.visits = machine, run, weight, visits
        self.end = float(run.stops[machine.number])
        self.clock = self.start = machine.begins(run)
        self.since: dict[int, float] = {}
        self.ended: dict[int, float] = {}
        self.history: list[tuple[float, list[Visit]]] = []

    def emit(self, kind: EventKind, name: str, moment: float, node: str, *, leaving: bool = False) -> None:
        """Note an event of the machine."""
        self.run.emit(kind, name, moment, self.weight, node, leaving=leaving)

    def state_event(self, kind: EventKind, state: int, moment: float) -> None:
        """Note an event of a state."""
        if state >= 0:
            found = self.machine.states[state]
            self.emit(kind, found.name, moment, found.node, leaving=kind in (EventKind.LEAVE, EventKind.GONE))
            for do in found.does.get(kind, ()):
                do(self.run, moment)

    def note(self, moment: float) -> None:
        """From a moment on the stack is another."""
        passed = self.clock - moment
        self.history.append((moment, [replace(v, elapsed=v.elapsed - passed) for v in self.visits]))

    # ---------------------------------------------------------------- deciding
    def take(self) -> None:
        """Go through the step."""
        machine, run = self.machine, self.run
        first = machine.active(run) < 0
        if first:
            self.enter_first()
        elif not self.visits:
            self.enter(machine.active(run))  # it goes on where it stood
        self.note(self.clock)
        may = not run.leaving[machine.number] and run.dt > 0.0
        entered = {machine.active(run)} if first else set()
        if may and self.asked_at() <= self.clock:
            self.go_as_asked()
        for _ in range(MOST):
            found = next_transition(self, skip_blend=first) if may else None
            asked = self.asked_at()
            if may and asked <= (self.end if found is None else found[0]):
                self.go_to(max(asked, self.clock))
                self.go_as_asked()
                continue
            if found is None:
                break
            moment, number = found
            target = machine.transitions[number].target
            if target in entered or self.would_lose(number, moment):
                run.flagged.add(machine.node)  # the rest of the step is spent here; it is taken in the next
                break
            entered.add(target)
            self.go_to(moment)
            if target == EXIT:
                run.ints[machine.exit_place()] = 1
                self.emit(EventKind.FINISHED, machine.name, moment, machine.node)
                break
            self.change(number, at_once=first and moment <= self.start + TOLERANCE)
        self.go_to(self.end)

    def enter_first(self) -> None:
        """The entry's first link whose rules hold, else the first state."""
        machine, run = self.machine, self.run
        found = (machine.transitions[n].target for n in machine.entries if holds(self, n))
        state = next(found, 0)
        run.ints[machine.place.ints] = state
        run.floats[machine.time_place()] = 0.0
        self.begin(state)
        self.enter(state)

    def enter(self, state: int) -> None:
        """Be in a state alone."""
        self.visits = [Visit(state, entered=self.clock)]
        self.state_event(EventKind.ENTER, state, self.clock)
        self.state_event(EventKind.FULL, state, self.clock)

    def begin(self, state: int, transition: MachineTransition | None = None) -> None:
        """Let a state's ops begin as its reset says, or the transition."""
        found, run = self.machine.states[state], self.run
        again = self.ended.pop(state, None) is not None
        anew = again or restarts(transition) or self.resets(state, transition)
        if anew or not run.was_relevant[found.root]:
            self.since[state] = self.clock  # else it is still fading out, and runs on as one instance
        if keeps(found.reset, transition, float(run.floats[self.machine.away_place() + state])):
            run.keep(found.root)
        else:
            run.begin(found.root, always=anew, moment=self.clock)

    def resets(self, state: int, transition: MachineTransition | None) -> bool:
        """Whether a state begins again even where it still fades out."""
        kept = transition is not None and transition.start is TargetStart.KEPT
        return restarts(transition) or (self.machine.states[state].reset == "always" and not kept)

    def would_lose(self, number: int, moment: float) -> bool:
        """Whether a transition would restart a state that has played in this step already.

        One op plays one span a step: what its first part passed would be lost.
        """
        transition = self.machine.transitions[number]
        target = transition.target
        if target < 0:
            return False
        began = self.since.get(target, self.start)
        if target in self.ended:
            return self.ended[target] > began + TOLERANCE
        there = any(visit.state == target for visit in self.visits)
        return there and self.resets(target, transition) and moment > began + TOLERANCE

    # ---------------------------------------------------------------- asked
    def asked_at(self) -> float:
        """The moment at which it is to go to a state whatever the rules say; infinite where nobody asks."""
        if self.run.ints[self.machine.exit_place() + 1] >= 0:
            return float("inf")
        return self.run.moments.get(self.machine.number, 0.0)

    def go_as_asked(self) -> None:
        """Go to the state that was asked for, whatever the rules say."""
        machine, run = self.machine, self.run
        place = machine.exit_place() + 1
        wanted = -int(run.ints[place]) - 1
        if wanted < 0:
            return
        run.ints[place] = 0
        source = machine.active(run)
        exits = machine.states[source].exits
        link = next((n for n in exits if machine.transitions[n].target == wanted), None)
        if link is not None:
            self.change(link, at_once=False)
        elif wanted != source:
            self.swap(wanted)

    def swap(self, target: int) -> None:
        """Be in another state at once, without a transition."""
        machine, run = self.machine, self.run
        source = machine.active(run)
        self.state_event(EventKind.LEAVE, source, self.clock)
        run.floats[machine.away_place() + source] = 0.0
        run.floats[machine.time_place()] = 0.0
        run.ints[machine.place.ints] = target
        self.begin(target)
        old, self.visits = self.visits, []
        self.enter(target)
        self.let_go(old, self.clock)
        self.note(self.clock)

    # ---------------------------------------------------------------- changing
    def go_to(self, moment: float) -> None:
        """Let the running blends go on until a moment."""
        machine, run = self.machine, self.run
        passed = moment - self.clock
        self.clock = moment
        for visit in self.visits:
            visit.elapsed += passed
        self.run_inertia(passed)
        run.floats[machine.time_place()] += passed
        away = machine.away_place()
        run.floats[away : away + len(machine.states)] += passed
        for level in range(len(self.visits) - 1, 0, -1):
            visit = self.visits[level]
            if visit.elapsed >= visit.seconds - TOLERANCE:
                self.cut_below(level, moment - max(visit.elapsed - visit.seconds, 0.0))
                break

    def run_inertia(self, passed: float) -> None:
        """Let an inertial blend go on; it ends at its exact moment."""
        machine, run = self.machine, self.run
        i, f = machine.inertial.place()
        if run.ints[i] == 0:
            return
        before, seconds = float(run.floats[f]), float(run.floats[f + 1])
        run.floats[f] = before + passed
        if before < seconds - TOLERANCE and before + passed >= seconds - TOLERANCE:
            transition = machine.transitions[abs(int(run.ints[i])) - 1]
            moment = self.clock - max(before + passed - seconds, 0.0)
            self.emit(EventKind.TRANSITION_END, transition.name, moment, transition.node)

    def cut_below(self, level: int, moment: float, *, ends: bool = True) -> None:
        """The visit at a level is fully in: all below it are gone.

        Parameters
        ----------
        ends : whether its transition ends there, too
        """
        visit = self.visits[level]
        if level == len(self.visits) - 1:
            transition = self.machine.transitions[visit.transition]
            if ends:
                self.emit(EventKind.TRANSITION_END, transition.name, moment, transition.node)
            self.state_event(EventKind.FULL, visit.state, moment)
        below, self.visits = self.visits[:level], self.visits[level:]
        self.visits[0].transition, self.visits[0].seconds = -1, 0.0
        self.let_go(below, moment)
        self.note(moment)

    def let_go(self, visits: Sequence[Visit], moment: float) -> None:
        """These visits are no more."""
        for visit in visits:
            self.state_event(EventKind.GONE, visit.state, moment)
            if visit.state >= 0 and all(v.state != visit.state for v in self.visits):
                self.ended[visit.state] = moment

    def change(self, number: int, at_once: bool) -> None:
        """Take a transition now."""
        machine, run = self.machine, self.run
        transition = machine.transitions[number]
        source, target = machine.active(run), transition.target
        run.taken.update(transition.takes)
        seconds = 0.0 if at_once else max(run.value(transition.seconds), 0.0)
        moment = self.clock
        self.state_event(EventKind.LEAVE, source, moment)
        self.state_event(EventKind.ENTER, target, moment)
        running = running_transition(self)
        if running is not None:
            self.emit(EventKind.TRANSITION_INTERRUPTED, running.name, moment, running.node)
        self.emit(EventKind.TRANSITION_START, transition.name, moment, transition.node)
        run.floats[machine.away_place() + source] = 0.0
        run.floats[machine.time_place()] = 0.0
        run.ints[machine.place.ints] = target
        self.begin(target, transition)
        passed = moment - self.since.get(source, self.start)
        states = machine.states
        place_target(run, transition, states[source].root, states[target].root, passed)
        if transition.custom is not None:
            run.begin(transition.custom.root, always=True, moment=moment)
        self.push(number, transition, target, seconds)
        self.note(moment)

    def push(self, number: int, transition: MachineTransition, target: int, seconds: float) -> None:
        """Put a visit on the stack, as the transition's blend says."""
        machine, run, moment = self.machine, self.run, self.clock
        passed_through = self.visits[-1]
        if passed_through.entered >= moment - TOLERANCE and len(self.visits) > 1:
            self.visits.pop()  # a state passed in no time gives no pose
            self.let_go([passed_through], moment)
        visit = Visit(target, number, 0.0, seconds, moment)
        there = any(v.state == target for v in self.visits)
        remembered = machine.inertial.has_output(run)
        inertial = transition.kind in (BlendKind.INERTIALISE, BlendKind.DEAD_BLEND)
        needs = inertial or transition.kind is BlendKind.FROZEN
        if seconds <= 0.0 or (not remembered and needs):
            run.ints[machine.inertial.place()[0]] = 0
            self.visits.append(visit)
            self.cut_below(len(self.visits) - 1, moment)
        elif inertial:
            machine.inertial.switch(run, number + 1, seconds)
            self.visits.append(visit)
            self.cut_below(len(self.visits) - 1, moment, ends=False)
        else:
            anew = there and self.resets(target, transition)
            twice = transition.custom is not None and any(v.transition == number for v in self.visits[1:])
            full = twice or len(self.visits) >= machine.SLOTS  # one sheet makes one pose a step
            if remembered and (anew or full or transition.kind is BlendKind.FROZEN):
                # The source stands still as it was shown last: a state that restarts cannot also run on, and of
                # blends within each other only so many run.
                machine.freeze(run)
                old, self.visits = self.visits, [Visit(FROZEN)]
                self.let_go(old, moment)
            self.visits.append(visit)
            self.ended.pop(target, None)

    def leave_all(self, moment: float) -> None:
        """The machine itself is gone."""
        self.clock = moment
        running = running_transition(self)
        if self.visits:
            self.state_event(EventKind.LEAVE, self.machine.active(self.run), moment)
        if running is not None and self.visits:
            self.emit(EventKind.TRANSITION_INTERRUPTED, running.name, moment, running.node)
        self.let_go(self.visits, moment)

    # ---------------------------------------------------------------- handing down
    def hand_down(self) -> None:
        """Weights and spans of the states that are in the stack, and of those that were in this step."""
        machine, run = self.machine, self.run
        active = machine.active(run)
        weights = machine.state_weights(self.visits)
        for state in dict.fromkeys(visit.state for visit in self.visits if visit.state >= 0):
            run.reach(
                machine.states[state].root,
                self.weight * float(weights[state]),
                machine,
                span=self.end - self.since.get(state, self.start),
                stop=self.end,
                relevant=True,
                leaving=state != active,
            )
        for root, share in machine.custom_weights(self.visits):
            passed = next(v.elapsed for v in self.visits[1:] if self.root_of(v) == root)
            span = min(passed, self.end - self.start)
            run.reach(root, self.weight * share, machine, span=span, stop=self.end, relevant=True)
        for state, moment in self.ended.items():
            began = self.since.get(state, self.start)
            run.reach(
                machine.states[state].root, 0.0, machine, span=moment - began, stop=moment, relevant=True,
                leaving=True, passing=True,
            )  # fmt: skip

    def root_of(self, visit: Visit) -> int:
        """The op that gives the pose of a visit's custom blend; −1 where it has none."""
        custom = self.machine.transitions[visit.transition].custom
        return -1 if custom is None else custom.root
