"""State machines: which state is active, which blends run, and what that says about weights (spec: graph, §6 and §7).

A machine keeps a stack of visits to states: the first at the bottom, each other faded in over all below it by its
transition. A visit that is fully in cuts all below it. Transitions act at their exact moment inside a step.
"""

from collections.abc import Sequence

import numpy as np

from core.arrays import FloatArray
from core.blending.easing import ease
from core.blending.inertia import dead_blend, inertialise
from core.graph.events import EventKind
from core.graph.graph import BlendKind, Interrupt
from core.graph.machine_parts import (
    FROZEN,
    MOST,
    NEVER_LEFT,
    TOLERANCE,
    MachineState,
    MachineTransition,
    Visit,
)
from core.graph.op import PoseOp, Run
from core.graph.output import Output, mix, mixed_motion
from core.math import transform
from core.math.transform import Transform

VISIT = 2
"""Ints and floats that a visit takes."""


class MachineOp(PoseOp):
    """Runs a state machine.

    Its ints: active state, number of visits, then state and transition of each; inertial transition and number of
    outputs remembered. Its floats: elapsed and duration of each visit; seconds of the inertial blend, its duration,
    the step between the outputs it was made from, and the last step; seconds in the state; then for each state the
    seconds since it was left and its weight in the last step. Its poses: a frozen one, the last two outputs, and
    target and outputs at the last inertial switch.

    Parameters
    ----------
    entries : entry transitions, looked at when the machine begins
    """

    SLOTS = MOST + 2
    POSES = 6
    FREEZE, LAST, BEFORE, TARGET, Y, Y_BEFORE = range(6)

    def __init__(
        self,
        number: int,
        node: str,
        name: str,
        states: Sequence[MachineState],
        transitions: Sequence[MachineTransition],
        entries: Sequence[int],
    ) -> None:
        super().__init__(number, node, name, [state.root for state in states])
        self.states, self.transitions, self.entries = tuple(states), tuple(transitions), tuple(entries)
        self.INTS = 2 + VISIT * self.SLOTS + 2
        self.FLOATS = VISIT * self.SLOTS + 5 + 2 * len(states)

    # ---------------------------------------------------------------- state in the arrays
    def _inertia(self) -> tuple[int, int]:
        """First int and first float of the inertial blend."""
        return self.place.ints + 2 + VISIT * self.SLOTS, self.place.floats + VISIT * self.SLOTS

    def _time(self) -> int:
        return self.place.floats + VISIT * self.SLOTS + 4

    def _by_state(self) -> int:
        return self._time() + 1

    def active(self, run: Run) -> int:
        """Number of the active state; −1 before the machine began."""
        return int(run.ints[self.place.ints])

    def time_in_state(self, run: Run) -> float:
        """Seconds since the active state was entered."""
        return float(run.floats[self._time()])

    def _visits(self, run: Run) -> list[Visit]:
        i, f = self.place.ints + 2, self.place.floats
        return [
            Visit(
                int(run.ints[i + VISIT * k]),
                int(run.ints[i + VISIT * k + 1]),
                float(run.floats[f + VISIT * k]),
                float(run.floats[f + VISIT * k + 1]),
            )
            for k in range(int(run.ints[i - 1]))
        ]

    def _store(self, run: Run, visits: Sequence[Visit]) -> None:
        i, f = self.place.ints + 2, self.place.floats
        run.ints[i - 1] = len(visits)
        for k, visit in enumerate(visits):
            run.ints[i + VISIT * k : i + VISIT * k + 2] = visit.state, visit.transition
            run.floats[f + VISIT * k : f + VISIT * k + 2] = visit.elapsed, visit.seconds

    # ---------------------------------------------------------------- the step
    def restart(self, run: Run) -> None:
        """Forget everything; the machine enters when it is next weighed."""
        run.ints[self.place.ints : self.place.ints + self.INTS] = 0
        run.ints[self.place.ints] = -1
        run.floats[self.place.floats : self.place.floats + self.FLOATS] = 0.0
        since = self._by_state()
        run.floats[since : since + len(self.states)] = 2.0 * NEVER_LEFT

    def players(self, run: Run) -> list[tuple[PoseOp, float]]:
        """Those of the active state."""
        active = self.active(run)
        return run.ops[self.states[max(active, 0)].root].players(run)

    def weigh(self, run: Run, weight: float) -> None:
        """Take the transitions of this step, then hand weights down to the states."""
        step = _MachineStep(self, run, weight, self._visits(run))
        step.take()
        step.hand_down()
        self._store(run, step.visits)

    def pose(self, run: Run) -> Output:
        """The states' poses faded over each other, with what is left of an inertial blend."""
        visits = self._visits(run)
        weights = self.fades(visits)
        found = self._source(run, visits[0])
        for visit, weight in zip(visits[1:], weights[1:], strict=True):
            found = mix([found, self._source(run, visit)], [1.0 - weight, weight])
            if len(visits) > MOST + 1 and visit is visits[1]:
                # Deeper than is kept running: the lowest two stand still from here on.
                self._keep(run, self.FREEZE, found)
                visits[1].state, visits[1].transition = FROZEN, -1
        if len(visits) > MOST + 1:
            self._store(run, visits[1:])
        found = Output(found.local, found.curves, found.present, self._motion(run))
        found = self._with_inertia(run, found)
        self._remember(run, found)
        return found

    def fades(self, visits: Sequence[Visit]) -> list[float]:
        """How far each visit is faded in over what lies below it; the lowest is 1."""
        weights = [1.0]
        for visit in visits[1:]:
            transition = self.transitions[visit.transition]
            share = visit.elapsed / visit.seconds if visit.seconds > 0.0 else 1.0
            weights.append(float(ease(transition.easing, share, transition.track)))
        return weights

    def absolute(self, visits: Sequence[Visit]) -> list[float]:
        """The weight of each visit in the machine's pose; they sum to 1."""
        left, found = 1.0, []
        for fade in reversed(self.fades(visits)):
            found.append(left * fade)
            left *= 1.0 - fade
        return found[::-1]

    def _source(self, run: Run, visit: Visit) -> Output:
        if visit.state == FROZEN:
            return self._kept(run, self.FREEZE)
        return run.output(self.states[visit.state].root)

    def _motion(self, run: Run) -> Transform:
        """Root motion of the states by the mean of their weights before and after the step."""
        after = self._state_weights(self._visits(run))
        at = self._by_state() + len(self.states)
        shares = (run.floats[at : at + len(self.states)] + after) / 2.0
        run.floats[at : at + len(self.states)] = after
        used = [k for k in range(len(self.states)) if shares[k] > 0.0 and run.relevant[self.states[k].root]]
        if not used:
            return transform.IDENTITY
        motions = [run.output(self.states[k].root).motion for k in used]
        return mixed_motion(motions, shares[used])

    def _state_weights(self, visits: Sequence[Visit]) -> FloatArray:
        weights = np.zeros(len(self.states))
        for visit, weight in zip(visits, self.absolute(visits), strict=True):
            if visit.state >= 0:
                weights[visit.state] += weight
        return weights

    # ---------------------------------------------------------------- remembered poses
    def _keep(self, run: Run, slot: int, output: Output) -> None:
        at = self.place.poses + slot
        run.poses[at] = np.concatenate(output.local, axis=-1)
        run.curves[at], run.present[at] = output.curves, output.present

    def _kept(self, run: Run, slot: int) -> Output:
        at = self.place.poses + slot
        packed = run.poses[at].copy()
        local = Transform(packed[:, :3], packed[:, 3:7], packed[:, 7:])
        return Output(local, run.curves[at].copy(), run.present[at].copy())

    def _copy(self, run: Run, source: int, target: int) -> None:
        a, b = self.place.poses + source, self.place.poses + target
        run.poses[b], run.curves[b], run.present[b] = run.poses[a], run.curves[a], run.present[a]

    def _remember(self, run: Run, output: Output) -> None:
        if run.dt <= 0.0:
            return
        i, f = self._inertia()
        self._copy(run, self.LAST, self.BEFORE)
        self._keep(run, self.LAST, output)
        run.ints[i + 1] = min(run.ints[i + 1] + 1, 2)
        run.floats[f + 3] = run.dt

    def has_output(self, run: Run) -> bool:
        """Whether an output of an earlier step is remembered."""
        return bool(run.ints[self._inertia()[0] + 1] > 0)

    def freeze(self, run: Run) -> None:
        """Let the last output stand still, as the source of a blend."""
        self._copy(run, self.LAST, self.FREEZE)

    def begin_inertia(self, run: Run, transition: int, seconds: float) -> None:
        """Take over from the last two outputs; the target's pose is noted when it is there."""
        i, f = self._inertia()
        self._copy(run, self.LAST, self.Y)
        self._copy(run, self.BEFORE if run.ints[i + 1] > 1 else self.LAST, self.Y_BEFORE)
        run.ints[i] = -(transition + 1)  # negative until the target's pose is known
        run.floats[f : f + 3] = 0.0, seconds, run.floats[f + 3]

    def _with_inertia(self, run: Run, output: Output) -> Output:
        i, f = self._inertia()
        code = int(run.ints[i])
        if code == 0:
            return output
        if code < 0:
            # The offset is from the target as it stands at the end of the step of the switch: between the switch
            # and there the target moves on by its own speed, which is no jump.
            self._keep(run, self.TARGET, output)
            run.ints[i] = code = -code
        elapsed, seconds, step = (float(x) for x in run.floats[f : f + 3])
        target, y, before = (self._kept(run, slot) for slot in (self.TARGET, self.Y, self.Y_BEFORE))
        if elapsed >= seconds:
            run.ints[i] = 0
            return output
        transition = self.transitions[code - 1]
        share = float(ease(transition.easing, elapsed / seconds, transition.track))
        if transition.kind is BlendKind.DEAD_BLEND:
            dead = dead_blend(target.local, y.local, before.local, step)
            local = dead.crossfaded(output.local, elapsed, share)
        else:
            local = inertialise(target.local, y.local, before.local, step, seconds).put_on(
                output.local, elapsed
            )
        curves = output.curves + (1.0 - share) * (y.curves - target.curves)
        return Output(local, curves, output.present | y.present, output.motion)


class _MachineStep:
    """The transitions of one step of one machine."""

    def __init__(self, machine: MachineOp, run: Run, weight: float, visits: list[Visit]) -> None:
        self.machine, self.run, self.weight, self.visits = machine, run, weight, visits
        self.end = run.dt
        self.clock = run.dt - machine.span(run)
        self.since: dict[int, float] = {}

    def emit(self, kind: EventKind, name: str, moment: float, node: str, *, leaving: bool = False) -> None:
        self.run.emit(kind, name, moment, self.weight, node, leaving=leaving)

    def state_event(self, kind: EventKind, state: int, moment: float) -> None:
        if state >= 0:
            found = self.machine.states[state]
            self.emit(kind, found.name, moment, found.node, leaving=kind in (EventKind.LEAVE, EventKind.GONE))

    # ---------------------------------------------------------------- deciding
    def take(self) -> None:
        machine, run = self.machine, self.run
        first = machine.active(run) < 0
        if first:
            self.enter_first()
        leaving = bool(run.leaving[machine.number])
        entered = {machine.active(run)} if first else set()
        for _ in range(MOST):
            if leaving or run.dt <= 0.0:
                break
            found = self.next(skip_blend=first)
            if found is None:
                break
            moment, number = found
            target = machine.transitions[number].target
            if target in entered:
                break
            entered.add(target)
            self.go_to(moment)
            self.change(number, at_once=first and moment <= self.run.dt - machine.span(run) + TOLERANCE)
        self.go_to(self.end)

    def enter_first(self) -> None:
        machine, run = self.machine, self.run
        state = 0
        for number in machine.entries:
            if self.holds(number):
                state = machine.transitions[number].target
                break
        run.ints[machine.place.ints] = state
        run.floats[machine._time()] = 0.0
        self.visits = [Visit(state, entered=self.clock)]
        self.begin(state)
        self.state_event(EventKind.ENTER, state, self.clock)
        self.state_event(EventKind.FULL, state, self.clock)

    def begin(self, state: int) -> None:
        """Let a state's ops begin as its reset says."""
        found = self.machine.states[state]
        if not self.run.was_relevant[found.root] or found.reset == "always":
            self.since[state] = self.clock  # else it is still fading out, and runs on as one instance
        if found.reset == "never" and self.run.floats[self.machine._by_state() + state] < NEVER_LEFT:
            self.run.keep(found.root)
        else:
            self.run.begin(found.root, always=found.reset == "always")

    def holds(self, number: int) -> bool:
        transition = self.machine.transitions[number]
        if any(trigger in self.run.taken for trigger in transition.takes):
            return False  # an earlier transition of this step took it
        return all(self.run.value(rule) != 0.0 for rule in transition.rules)

    def next(self, skip_blend: bool) -> tuple[float, int] | None:
        """The next transition to act in this step, with its moment: the earliest, then in order."""
        machine = self.machine
        best: tuple[float, int] | None = None
        for number in machine.states[machine.active(self.run)].exits:
            transition = machine.transitions[number]
            if not self.holds(number):
                continue
            moment = max(self.earliest(transition, skip_blend), self.automatic(transition))
            if moment <= self.end + TOLERANCE and (best is None or moment < best[0] - TOLERANCE):
                best = (min(moment, self.end), number)
        return best

    def earliest(self, transition: MachineTransition, skip_blend: bool) -> float:
        """The first moment that min time, re-entry time and the running blend allow."""
        machine, run = self.machine, self.run
        active_for = float(run.floats[machine._time()])
        allowed = self.clock + max(transition.min_time - active_for, 0.0)
        away = float(run.floats[machine._by_state() + transition.target])
        if transition.target != machine.active(run):
            allowed = max(allowed, self.clock + max(transition.reentry_time - away, 0.0))
        running = self.visits[-1]
        if len(self.visits) > 1 and not skip_blend:
            under_way = machine.transitions[running.transition]
            higher = transition.priority < under_way.priority
            if under_way.interrupt is Interrupt.NEVER or (
                under_way.interrupt is Interrupt.HIGHER_PRIORITY and not higher
            ):
                allowed = max(allowed, self.clock + running.seconds - running.elapsed)
        return allowed

    def automatic(self, transition: MachineTransition) -> float:
        """The moment of an automatic rule; the present one for a transition by rule alone."""
        if transition.automatic is None:
            return self.clock
        machine, run = self.machine, self.run
        active = machine.active(run)
        players = run.ops[machine.states[active].root].players(run)
        if not players:
            return float("inf")
        heaviest, _ = max(players, key=lambda found: found[1])
        wanted = transition.automatic
        if wanted < 0.0:
            wanted = max(run.value(transition.seconds), 0.0)
        began = self.since.get(active, run.dt - machine.span(run))
        return max(began + heaviest.remaining(run) - wanted, self.clock)

    # ---------------------------------------------------------------- changing
    def go_to(self, moment: float) -> None:
        """Let the running blends go on until a moment."""
        machine, run = self.machine, self.run
        passed = moment - self.clock
        begun = self.clock
        self.clock = moment
        for visit in self.visits[1:]:
            visit.elapsed += passed
        i, f = machine._inertia()
        if run.ints[i] != 0:
            run.floats[f] += passed
        run.floats[machine._time()] += passed
        away = machine._by_state()
        run.floats[away : away + len(machine.states)] += passed
        for level in range(len(self.visits) - 1, 0, -1):
            visit = self.visits[level]
            if visit.elapsed >= visit.seconds - TOLERANCE:
                finished = begun + passed - (visit.elapsed - visit.seconds)
                self.cut_below(level, finished)
                break

    def cut_below(self, level: int, moment: float) -> None:
        """The visit at a level is fully in: all below it are gone."""
        visit = self.visits[level]
        if level == len(self.visits) - 1:
            transition = self.machine.transitions[visit.transition]
            self.emit(EventKind.TRANSITION_END, transition.name, moment, transition.node)
            self.state_event(EventKind.FULL, visit.state, moment)
        for below in self.visits[:level]:
            self.state_event(EventKind.GONE, below.state, moment)
        self.visits = self.visits[level:]
        self.visits[0].transition, self.visits[0].elapsed, self.visits[0].seconds = -1, 0.0, 0.0

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
        if len(self.visits) > 1:
            under_way = machine.transitions[self.visits[-1].transition]
            self.emit(EventKind.TRANSITION_INTERRUPTED, under_way.name, moment, under_way.node)
        self.emit(EventKind.TRANSITION_START, transition.name, moment, transition.node)
        run.floats[machine._by_state() + source] = 0.0
        run.floats[machine._time()] = 0.0
        run.ints[machine.place.ints] = target
        self.push(number, transition, target, seconds)
        self.begin(target)

    def push(self, number: int, transition: MachineTransition, target: int, seconds: float) -> None:
        machine, run, moment = self.machine, self.run, self.clock
        passed_through = self.visits[-1]
        if passed_through.entered >= moment - TOLERANCE and len(self.visits) > 1:
            self.visits.pop()  # a state passed in no time gives no pose
            self.state_event(EventKind.GONE, passed_through.state, moment)
        visit = Visit(target, number, 0.0, seconds, moment)
        there = any(v.state == target for v in self.visits)
        remembered = machine.has_output(run)
        if seconds <= 0.0 or (not remembered and transition.kind is not BlendKind.CROSSFADE):
            self.visits.append(visit)
            self.cut_below(len(self.visits) - 1, moment)
        elif transition.kind in (BlendKind.INERTIALISE, BlendKind.DEAD_BLEND):
            machine.begin_inertia(run, number, seconds)
            self.visits.append(visit)
            self.cut_below(len(self.visits) - 1, moment)
        else:
            restarts = there and machine.states[target].reset == "always"
            if remembered and (restarts or transition.kind is BlendKind.FROZEN):
                # The source stands still as it was shown last; a state that restarts cannot also run on.
                machine.freeze(run)
                for old in self.visits:
                    self.state_event(EventKind.GONE, old.state, moment)
                self.visits = [Visit(FROZEN)]
            self.visits.append(visit)

    def hand_down(self) -> None:
        """Weights and spans of the states that are in the stack."""
        machine, run = self.machine, self.run
        active = machine.active(run)
        weights = machine._state_weights(self.visits)
        for state in dict.fromkeys(visit.state for visit in self.visits if visit.state >= 0):
            began = self.since.get(state)
            span = machine.span(run) if began is None else run.dt - began
            run.reach(
                machine.states[state].root,
                self.weight * float(weights[state]),
                machine,
                span=span,
                relevant=True,
                leaving=state != active,
            )
