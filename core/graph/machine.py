"""State machines: which state is active, which blends run, and what that says about weights (spec: graph, §6 and §7).

A machine keeps a stack of visits to states: the first at the bottom, each other faded in over all below it by its
transition. A visit that is fully in cuts all below it. Transitions act at their exact moment inside a step.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.arrays import FloatArray
from core.blending.easing import EaseShape, EaseWay, ease
from core.graph import inertial as inertia
from core.graph import kept
from core.graph.graph import BlendKind, Interrupt, InterruptBy
from core.graph.inertial import DyingOut, Inertial
from core.graph.machine_choice import Machine
from core.graph.machine_custom import asked_ops, blended, tell
from core.graph.machine_parts import FROZEN, MOST, NEVER_LEFT, TOLERANCE, MachineState, MachineTransition
from core.graph.machine_step import MachineStep
from core.graph.op import GraphOp, OpPlace, Run
from core.graph.output import Output, mix, mixed_motion, part_of_motion
from core.graph.packer import Packed, Packer, WholeArray
from core.graph.visit import Visit
from core.math import kernel_graph_layout as at
from core.math import quat, transform
from core.math.transform import Transform
from core.pose.blend import weighted

VISIT = 2
"""Ints and floats that a visit takes."""


class MachineOp(Machine):
    """Runs a state machine.

    Its ints: active state, number of visits, then state and transition of each; inertial transition and number of
    outputs remembered; whether it went to its exit; the state it is asked to go to (`ask`). Its floats: elapsed and
    duration of each visit; those of its `Inertial`; seconds in the state; then for each state the seconds since it
    was left. Its poses: a frozen one, the last two outputs, and target and outputs at the last inertial switch.

    Parameters
    ----------
    entries : entry transitions, looked at when the machine begins
    """

    BUFFERS = 2 * Machine.SLOTS + 1
    LOGIC = "machine"
    POSE = "machine"
    POSES = 6
    FREEZE, LAST = range(2)
    """Places of its poses: the frozen one, then those of its `Inertial`."""

    def __init__(
        self,
        where: OpPlace,
        states: Sequence[MachineState],
        transitions: Sequence[MachineTransition],
        entries: Sequence[int],
    ) -> None:
        customs = [t.custom.root for t in transitions if t.custom is not None]
        super().__init__(where, [*(state.root for state in states), *customs])
        self.states, self.transitions, self.entries = tuple(states), tuple(transitions), tuple(entries)
        self.INTS = 2 + VISIT * self.SLOTS + 4
        self.FLOATS = VISIT * self.SLOTS + inertia.FLOATS + 1 + len(states)
        self.CARRIED = len(states)
        self.inertial = Inertial(self, 2 + VISIT * self.SLOTS, VISIT * self.SLOTS, self.LAST)

    def packed(self, packer: Packer) -> Packed:
        """States and transitions, as rows."""
        states = [(s.root, packer.ints(s.exits), len(s.exits)) for s in self.states]
        transitions = [self._row(packer, t) for t in self.transitions]
        return Packed((
            packer.ints([x for row in states for x in row]), len(states),
            packer.ints([x for row in transitions for x in row]), self.SLOTS,
        ))  # fmt: skip

    @staticmethod
    def _row(packer: Packer, t: MachineTransition) -> tuple[int, ...]:
        easing = t.easing
        return (
            t.source, t.target, packer.ints(t.rules), len(t.rules), int(t.automatic is not None), t.priority,
            list(Interrupt).index(t.interrupt), list(InterruptBy).index(t.interrupt_by),
            list(BlendKind).index(t.kind), t.seconds, list(EaseShape).index(easing.shape),
            list(EaseWay).index(easing.way), easing.power, t.map, packer.named(t.player),
            packer.floats([t.automatic or 0.0, t.min_time, t.reentry_time]),
            at.PLAIN_LOGIC if t.custom is not None else at.PLAIN_POSE if t.slower is not None else 0,
        )  # fmt: skip

    # ---------------------------------------------------------------- state in the arrays
    def time_place(self) -> int:
        """Place of the seconds in the state."""
        return self.place.floats + VISIT * self.SLOTS + inertia.FLOATS

    def away_place(self) -> int:
        """First place of the seconds since each state was left."""
        return self.time_place() + 1

    def exit_place(self) -> int:
        """Place of the flag that it went to its exit; the state it is asked to go to comes next."""
        return self.place.ints + 2 + VISIT * self.SLOTS + 2

    def ask(self, ints: WholeArray, state: int, *, at_once: bool) -> None:
        """Ask it to go to a state: at once whatever the rules say, or along the shortest chain of transitions."""
        ints[self.exit_place() + 1] = -(state + 1) if at_once else state + 1

    def exited(self, run: Run) -> bool:
        """Whether it went to its exit since it was entered."""
        return bool(run.ints[self.exit_place()])

    def active(self, run: Run) -> int:
        """Number of the active state; −1 before the machine began."""
        return int(run.ints[self.place.ints])

    def time_in_state(self, run: Run) -> float:
        """Seconds since the active state was entered."""
        return float(run.floats[self.time_place()])

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
    def begin_state(self, ints: WholeArray) -> None:
        """No state is active."""
        ints[self.place.ints] = -1

    def restart(self, run: Run) -> None:
        """Forget everything; the machine enters when it is next weighed."""
        run.ints[self.place.ints : self.place.ints + self.INTS] = 0
        run.ints[self.place.ints] = -1
        run.floats[self.place.floats : self.place.floats + self.FLOATS] = 0.0
        since = self.away_place()
        run.floats[since : since + len(self.states)] = 2.0 * NEVER_LEFT

    def players(self, run: Run) -> list[tuple[GraphOp, float]]:
        """Those of the active state."""
        active = self.active(run)
        return run.ops[self.states[max(active, 0)].root].players(run)

    def weigh(self, run: Run, weight: float) -> None:
        """Take the transitions of this step, then hand weights down to the states."""
        step = MachineStep(self, run, weight, self._visits(run))
        step.take()
        step.hand_down()
        self._tell_customs(run, step.visits)
        run.histories[self.number] = step.history
        self._store(run, step.visits)

    def gone(self, run: Run, moment: float) -> None:
        """Its states are left and gone, too; where it goes on later, it enters the active one again."""
        step = MachineStep(self, run, float(run.weights[self.number]), self._visits(run))
        step.leave_all(moment)
        self._store(run, ())

    def share_at(self, run: Run, number: int, moment: float) -> float:
        """The weight of a state's root (or a custom blend's) in the machine's pose at a moment of this step."""
        history = run.histories[self.number]
        shares = [0.0]
        for k, (begin, visits) in enumerate(history):
            end = history[k + 1][0] if k + 1 < len(history) else run.dt
            if begin - TOLERANCE <= moment <= end + TOLERANCE:
                shares.append(self._root_weight(number, later(visits, moment - begin)))
        return float(max(shares))

    def _root_weight(self, number: int, visits: Sequence[Visit]) -> float:
        weights = self.state_weights(visits)
        whole = sum(w for w, state in zip(weights, self.states, strict=True) if state.root == number)
        return float(whole + sum(w for root, w in self.custom_weights(visits) if root == number))

    def custom_weights(self, visits: Sequence[Visit]) -> list[tuple[int, float]]:
        """The roots of the custom blends that run, with the weight of what they blend in the machine's pose."""
        found, weights = [], self.absolute(visits)
        for level, visit in enumerate(visits):
            custom = self.transitions[visit.transition].custom if level else None
            if custom is not None:
                found.append((custom.root, sum(weights[: level + 1])))
        return found

    def _tell_customs(self, run: Run, visits: Sequence[Visit]) -> None:
        """Let the sheets of the custom blends that run know how far they are."""
        for visit, fade in zip(visits[1:], self.fades(visits)[1:], strict=True):
            custom = self.transitions[visit.transition].custom
            if custom is not None:
                tell(run, custom, fade, visit.elapsed, visit.seconds)
                run.asked |= asked_ops(run.readers, custom, self.number)

    def pose(self, run: Run) -> Output:
        """The states' poses faded over each other, with what is left of an inertial blend."""
        visits = self._visits(run)
        weights = self.fades(visits)
        if self.number not in run.histories:  # the kernel did the logic of a step in which nothing happened
            run.histories[self.number] = [(0.0, later(visits, -self.span(run)))]
        found = self._source(run, visits[0])
        for visit, weight in zip(visits[1:], weights[1:], strict=True):
            found = self._blended(run, visit, weight, found)
            if len(visits) > MOST + 1 and visit is visits[1]:
                # Deeper than is kept running: the lowest two stand still from here on.
                kept.store(run, self.place.poses + self.FREEZE, found)
                visits[1].state, visits[1].transition = FROZEN, -1
        if len(visits) > MOST + 1:
            self._store(run, visits[1:])
        found = Output(found.local, found.curves, found.present, self._motion(run))
        found = self._with_inertia(run, found)
        self.inertial.remember(run, found)
        return found

    def _blended(self, run: Run, visit: Visit, weight: float, below: Output) -> Output:
        """A visit over what lies below it, as its transition blends."""
        transition, above = self.transitions[visit.transition], self._source(run, visit)
        if transition.custom is not None:
            return blended(run, transition.custom, below, above)
        if transition.slower is None:
            return mix([below, above], [1.0 - weight, weight])
        shares = np.asarray(
            bone_shares(transition, visit.elapsed / visit.seconds if visit.seconds > 0.0 else 1.0)
        )
        mixed = mix([below, above], [1.0 - weight, weight])
        return replace(mixed, local=weighted([below.local, above.local], [1.0 - shares, shares]))

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
            return kept.stored(run, self.place.poses + self.FREEZE)
        return run.output(self.states[visit.state].root)

    def _motion(self, run: Run) -> Transform:
        """Root motion part by part of the step, the states' by the mean of their weights at both ends of it."""
        history, moved = run.histories[self.number], transform.IDENTITY
        for k, (begin, visits) in enumerate(history):
            end = history[k + 1][0] if k + 1 < len(history) else float(run.stops[self.number])
            if end > begin or len(history) == 1:
                moved = transform.compose(moved, self._motion_of_part(run, visits, begin, end))
        return Transform(moved.translation, quat.normalise(moved.rotation), moved.scale)

    def _motion_of_part(self, run: Run, visits: Sequence[Visit], begin: float, end: float) -> Transform:
        shares = (self.state_weights(visits) + self.state_weights(later(visits, end - begin))) / 2.0
        used = [k for k in range(len(self.states)) if shares[k] > 0.0 and run.relevant[self.states[k].root]]
        motions = []
        for k in used:
            root = run.ops[self.states[k].root]
            whole = root.span(run)
            within = min(end, float(run.stops[root.number])) - max(begin, root.begins(run))
            part = min(max(within / whole, 0.0), 1.0) if whole > 0.0 else 0.0
            motions.append(part_of_motion(run.output(root.number).motion, part))
        return mixed_motion(motions, shares[used]) if used else transform.IDENTITY

    def state_weights(self, visits: Sequence[Visit]) -> FloatArray:
        """The weight ``(states,)`` of each state in the machine's pose."""
        weights = np.zeros(len(self.states))
        for visit, weight in zip(visits, self.absolute(visits), strict=True):
            if visit.state >= 0:
                weights[visit.state] += weight
        return weights

    # ---------------------------------------------------------------- remembered poses
    def freeze(self, run: Run) -> None:
        """Let the last output stand still, as the source of a blend."""
        kept.copy(run, self.place.poses + self.LAST, self.place.poses + self.FREEZE)

    def _with_inertia(self, run: Run, output: Output) -> Output:
        i, f = self.inertial.place()
        code = abs(int(run.ints[i]))
        if code == 0:
            return output
        elapsed, seconds = float(run.floats[f]), float(run.floats[f + 1])
        transition, share = self.transitions[code - 1], None
        if transition.kind is BlendKind.DEAD_BLEND:
            share = bone_shares(transition, elapsed / seconds if seconds > 0.0 else 1.0)
        times = seconds if transition.slower is None else seconds / transition.slower
        way = DyingOut(seconds, seconds, times, share, eased=lambda u: plain_share(transition, u))
        return self.inertial.offset(run, output, way)


def plain_share(transition: MachineTransition, whole: float) -> float:
    """The weight of the target a fraction `whole` of the blend's duration after its start, without a profile."""
    return float(ease(transition.easing, whole, transition.track))


def bone_shares(transition: MachineTransition, whole: float) -> float | FloatArray:
    """The weight of the target a fraction `whole` of the blend's duration after its start, ``(B,)`` with a profile."""
    if transition.slower is None:
        return plain_share(transition, whole)
    at_once = np.isinf(transition.slower)
    shares = np.where(at_once, 1.0, whole * np.where(at_once, 0.0, transition.slower))
    return ease(transition.easing, shares, transition.track)


def later(visits: Sequence[Visit], seconds: float) -> list[Visit]:
    """Visits as they are some seconds later."""
    return [replace(visit, elapsed=visit.elapsed + seconds) for visit in visits]
