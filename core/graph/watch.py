"""What a step notes while it is watched, and the terms of rules whose values it tells."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.graph.language import syntax
from core.graph.machine_choice import Standing, automatic_moment, candidates, earliest_moment, holds
from core.graph.output import Output

MOST_TERMS = 16


@dataclass(frozen=True, slots=True)
class Rule:
    """A compiled rule: its text, and the register of each variable and read in it.

    Parameters
    ----------
    terms : (how it is written, register)
    """

    text: str
    terms: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a candidate transition was taken, or not.

    Parameters
    ----------
    machine, transition : names; node is the transition's id
    moment : seconds into the step at which it was looked at
    why : *taken*, *rule*, *trigger*, *min_time*, *reentry_time*, *interrupt*, *automatic*, or *order*
    detail : in words, with values
    """

    machine: str
    transition: str
    node: str
    moment: float
    taken: bool
    why: str
    detail: str


@dataclass(slots=True)
class Watch:
    """Notes of one step.

    Parameters
    ----------
    outputs : number of an op → its result
    rules : register → the rule that it holds
    names : texts of name values, by number
    """

    reasons: list[Reason] = field(default_factory=list)
    outputs: dict[int, Output] = field(default_factory=dict)
    rules: Mapping[int, Rule] = field(default_factory=dict)
    names: Sequence[str] = ()

    def look(self, step: Standing, best: tuple[float, int] | None, skip_blend: bool) -> None:
        """Note every candidate of a machine, with the one that acts."""
        machine = step.machine
        for number, of_source in candidates(step):
            transition = machine.transitions[number]
            why, detail = self._why(step, number, of_source, skip_blend)
            chosen = best is not None and best[1] == number
            if chosen:
                why, detail = "taken", f"at {best[0]:.4f} s of the step" if best else ""
            elif not why:
                why, detail = "order", "another comes first, by moment or by priority"
            self.reasons.append(
                Reason(machine.name, transition.name, transition.node, step.clock, chosen, why, detail)
            )

    def _why(self, step: Standing, number: int, of_source: bool, skip_blend: bool) -> tuple[str, str]:
        machine, run = step.machine, step.run
        transition = machine.transitions[number]
        for register in transition.rules:
            if run.value(register) == 0.0:
                return "rule", self._rule(register, step)
        if not holds(step, number):
            return "trigger", "an earlier transition of this step took its trigger"
        earliest = earliest_moment(step, transition, of_source, skip_blend)
        if earliest > step.end + 1e-12:
            return self._waits(step, number, earliest)
        state = transition.source if of_source else machine.active(run)
        moment = automatic_moment(step, number, state, earliest)
        if moment > step.end + 1e-12:
            left = "never" if moment == float("inf") else f"in {moment - step.clock:.4f} s"
            return "automatic", f"its automatic moment comes {left}"
        return "", ""

    def _waits(self, step: Standing, number: int, earliest: float) -> tuple[str, str]:
        machine, run = step.machine, step.run
        transition = machine.transitions[number]
        active_for = float(run.floats[machine.time_place()])
        if transition.min_time > active_for + step.end - step.clock:
            return "min_time", f"{active_for:.4f} s of {transition.min_time:g} s in the state"
        if transition.reentry_time > 0.0 and 0 <= transition.target < len(machine.states):
            away = float(run.floats[machine.away_place() + transition.target])
            if transition.reentry_time > away + step.end - step.clock:
                return (
                    "reentry_time",
                    f"{away:.4f} s of {transition.reentry_time:g} s since the target was left",
                )
        left = "until it is over" if earliest == float("inf") else f"for {earliest - step.clock:.4f} s"
        return "interrupt", f"the running transition may not be interrupted {left}"

    def _rule(self, register: int, step: Standing) -> str:
        rule = self.rules.get(register)
        if rule is None:
            return "its rule is false"
        values = ", ".join(
            f"{text} = {self._value(text, step.run.value(place))}" for text, place in rule.terms
        )
        return f"{rule.text} is false" + (f": {values}" if values else "")

    def _value(self, text: str, value: float) -> str:
        if text.startswith("state(") and 0 <= value < len(self.names):
            return repr(self.names[int(value)])
        return f"{value:.6g}"


def terms_of(text: str) -> list[tuple[str, tuple[str, ...] | None]]:
    """Variables and calls with names alone that an expression is made of: (how it is written, arguments or None).

    Raises
    ------
    ExpressionError
        The expression cannot be parsed.
    """
    found: dict[str, tuple[str, ...] | None] = {}
    waiting: list[syntax.Node] = [syntax.parse(text)]
    while waiting and len(found) < MOST_TERMS:
        node = waiting.pop()
        if isinstance(node, syntax.Name):
            found.setdefault(node.value, None)
        elif isinstance(node, syntax.Member):
            waiting.append(node.of)
        elif isinstance(node, syntax.Unary):
            waiting.append(node.operand)
        elif isinstance(node, syntax.Binary):
            waiting += [node.right, node.left]
        elif isinstance(node, syntax.Call):
            if all(isinstance(a, syntax.Text | syntax.Name) for a in node.arguments):
                found.setdefault(node.function, tuple(str(getattr(a, "value", "")) for a in node.arguments))
            waiting += reversed(node.arguments)
    return list(found.items())
