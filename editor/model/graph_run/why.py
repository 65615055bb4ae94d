"""Questions to a recorded step: why a transition was (not) taken, and which nodes moved a bone."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray
from core.errors import AnimError
from core.graph.explain import Added, Explanation, explain
from core.graph.instance import InputValue, Instance
from core.graph.language.syntax import ExpressionError
from core.graph.machine import MachineOp
from core.graph.machine_parts import MachineTransition
from core.graph.peek import Running, asking, guards, in_words, machines
from core.graph.post import Character
from core.graph.record import SNAPSHOT_STEPS, taken
from editor.model.graph_run.take import Take
from editor.model.i18n import tr

WORDS = {
    "taken": tr("It was taken"),
    "rule": tr("Its rule is false"),
    "trigger": tr("Its trigger was taken by another transition"),
    "min_time": tr("The state has not lasted long enough"),
    "reentry_time": tr("Its target was left too recently"),
    "interrupt": tr("A running transition may not be interrupted"),
    "automatic": tr("Its automatic moment has not come"),
    "order": tr("Another transition came first"),
}


@dataclass(frozen=True, slots=True)
class Guard:
    """A part of a rule that has to hold.

    Parameters
    ----------
    values : what it is made of, with the values of the step
    holds : whether it held; None where it cannot be told by itself
    """

    text: str
    values: str
    holds: bool | None


@dataclass(frozen=True, slots=True)
class Answer:
    """Why a transition was (not) taken in a step.

    Parameters
    ----------
    transition : its id; title ``source → target``
    why : in a few words; detail with values, as the engine tells it
    first : number of the first step (counted from 1) at or after the one asked about in which its rule would have
        held, else of the first one before; 0 where it never held
    """

    transition: str
    title: str
    machine: str
    taken: bool
    why: str
    detail: str
    guards: tuple[Guard, ...]
    first: int


class Questions:
    """Asks recorded steps, on a character of its own: the run stands still meanwhile."""

    def __init__(self) -> None:
        self._take: Take | None = None
        self._asker: Character | None = None

    def transitions(self, take: Take) -> list[tuple[str, str, str]]:
        """Every transition of a take: id, machine, title."""
        return [
            (transition.node, op.name, arrow(transition.name))
            for op in machines(take.plan)
            for transition in op.transitions
        ]

    def why(self, take: Take, number: int, transition: str, title: str = "") -> Answer | None:
        """Why a transition was (not) taken in a step; None where the plan does not have it.

        Parameters
        ----------
        number : of the step, counted from 1
        title : ``source → target``, to tell apart what conduits and any states make of one transition; "" is the
            one that leaves the state in which the machine was
        """
        found = _found(take, number, transition, title)
        if found is None or not 1 <= number <= len(take.steps):
            return None
        op, compiled = found
        asker = self._before(take, number)
        step = take.steps[number - 1]
        before = asker.snapshot()
        parts = self._guards(take, asker, step.inputs, op, compiled)
        asker.restore(before)
        explanation = explain(asker, step)
        reason = next(
            (r for r in explanation.reasons if r.node == transition and r.transition == compiled.name), None
        )
        taken_now = any(
            r.taken for r in explanation.reasons if r.node == transition and r.transition == compiled.name
        )
        if reason is not None:
            why, detail = WORDS.get("taken" if taken_now else reason.why, reason.why), reason.detail
        else:
            why, detail = _not_looked_at(take, number, op, compiled)
        return Answer(
            transition, arrow(compiled.name), op.name, taken_now, why, "" if taken_now else detail, parts,
            first_held(take, number, compiled),
        )  # fmt: skip

    def bone(self, take: Take, number: int, bone: str) -> tuple[Added, ...]:
        """What each node did to a bone in a step, the first one first.

        Raises
        ------
        MissingReferenceError
            The rig has no such bone.
        """
        return self.explained(take, number).bone(bone)

    def explained(self, take: Take, number: int) -> Explanation:
        """A step, explained."""
        return explain(self._before(take, number), take.steps[number - 1])

    def _before(self, take: Take, number: int) -> Character:
        """A character as it stood before a step."""
        if self._asker is None or self._take is not take:
            character = take.character
            self._take, self._asker = take, Character(character.plan, character.post_plan, character.seed)
        asker, at = self._asker, number - 1
        start = at // SNAPSHOT_STEPS * SNAPSHOT_STEPS
        while start not in take.recording.snapshots and start > 0:
            start -= SNAPSHOT_STEPS
        asker.restore(take.recording.snapshots[start])
        for step in take.steps[start:at]:
            taken(asker, step)
        return asker

    def _guards(
        self,
        take: Take,
        asker: Character,
        inputs: Mapping[str, InputValue],
        op: MachineOp,
        compiled: MachineTransition,
    ) -> tuple[Guard, ...]:
        for name, value in inputs.items():
            asker.set(name, value)
        found = []
        for register in compiled.rules:
            rule = take.plan.rules.get(register)
            if rule is not None:
                found += [_guard(asker.instance, op, text, rule.terms) for text in guards(rule.text)]
        return tuple(found)


def _guard(instance: Instance, op: MachineOp, text: str, terms: tuple[tuple[str, int], ...]) -> Guard:
    try:
        holds: bool | None = bool(asking(instance.plan, text, op).ask(instance)[0] != 0.0)
    except (ExpressionError, AnimError):
        holds = None
    values = []
    for term, _ in terms:
        if term in text and term != text:
            try:
                asked = asking(instance.plan, term, op)
            except (ExpressionError, AnimError):
                continue
            values.append(f"{term} = {in_words(instance.plan, asked.type, asked.ask(instance))}")
    return Guard(text, ", ".join(values), holds)


def _not_looked_at(take: Take, number: int, op: MachineOp, compiled: MachineTransition) -> tuple[str, str]:
    """Why a machine did not even look at a transition in a step."""
    if take.steps[number - 1].dt == 0.0:
        return tr("Nothing is decided in a step of no time"), ""
    if compiled.source < 0:
        return tr("It is looked at only when the machine begins"), ""
    active, running = _active_before(take, number, op)
    if active != compiled.source:
        where = op.states[active].name if active >= 0 else tr("no state")
        if any(op.transitions[r.number].source == compiled.source for r in running):
            detail = tr("it is in {state} already; what is left only fades out", state=where)
            return tr("The running transition may not be interrupted by those of its source"), detail
        return tr("The machine is elsewhere"), tr("it is in {state}", state=where)
    if take.samples[number - 1].weights[op.number] <= 0.0:
        montages = ", ".join(playing.name for playing in take.samples[number - 1].montages)
        covered = tr("{names} plays: its slot can update its source always", names=montages)
        return tr("Its machine does not play: it has no weight"), covered if montages else ""
    return tr("The machine was told where to go, whatever the rules say"), ""


def _active_before(take: Take, number: int, op: MachineOp) -> tuple[int, tuple[Running, ...]]:
    """Number of the state in which a machine was before a step, and the transitions that were under way."""
    place = next(k for k, other in enumerate(machines(take.plan)) if other is op)
    before = take.samples[max(number - 2, 0)]
    return before.active[place], before.running[place]


def _found(
    take: Take, number: int, transition: str, title: str
) -> tuple[MachineOp, MachineTransition] | None:
    every = [
        (op, compiled)
        for op in machines(take.plan)
        for compiled in op.transitions
        if compiled.node == transition
    ]
    named = [pair for pair in every if arrow(pair[1].name) == title] or every
    if 1 <= number <= len(take.samples):
        for op, compiled in named:
            if compiled.source == _active_before(take, number, op)[0]:
                return op, compiled
    return next(iter(named), None)


def held(take: Take, compiled: MachineTransition) -> FloatArray:
    """Whether all rules of a transition held, for every step ``(K,)``."""
    if not compiled.rules:
        return np.ones(len(take.samples))
    registers = list(compiled.rules)
    rows = np.array([sample.values[registers] for sample in take.samples]).reshape(-1, len(registers))
    lasts = np.array([sample.dt > 0.0 for sample in take.samples])
    return np.asarray((rows != 0.0).all(axis=1) & lasts, dtype=np.float64)


def first_held(take: Take, number: int, compiled: MachineTransition) -> int:
    """Number of the first step, at or after one if there is any, in which a transition's rules held; 0 for none."""
    found = np.flatnonzero(held(take, compiled)) + 1
    later = found[found >= number]
    return int(later[0]) if len(later) else int(found[0]) if len(found) else 0


def arrow(name: str) -> str:
    """``a -> b`` as people read it."""
    return name.replace(" -> ", " → ")
