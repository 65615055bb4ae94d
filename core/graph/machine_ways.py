"""The ways from state to state of a machine: its transitions, with conduits and any states multiplied out."""

import numpy as np

from core.arrays import FloatArray
from core.blending.layers import mask_weights
from core.errors import AnimError
from core.graph.compiling import Compiling
from core.graph.graph import BlendKind, Sheet, Transition
from core.graph.language.program import Op
from core.graph.language.syntax import ExpressionError
from core.graph.language.values import BOOL, FLOAT
from core.graph.machine_parts import EXIT, MachineTransition
from core.graph.watch import Rule, terms_of

MOST_WAYS = 5_000
"""Ways from state to state of one machine, conduits and any states multiplied out."""


class _TooManyWaysError(Exception):
    """A machine's conduits multiply out to more than can be run."""


class Ways:
    """Compiles the transitions of one machine.

    Parameters
    ----------
    rules : the rules of the plan, to which those of the machine are added

    Attributes
    ----------
    transitions : all ways, in the order in which they are looked at
    exits : numbers of the ways that leave each state; entries : of those that begin the machine
    """

    def __init__(self, c: Compiling, sheet: Sheet, rules: dict[int, Rule]) -> None:
        self.c, self.sheet, self.rules = c, sheet, rules
        self.states = sheet.of_kind("state")
        self.order = {state.id: k for k, state in enumerate(self.states)}
        self.transitions: list[MachineTransition] = []
        self.exits: list[list[int]] = [[] for _ in self.states]
        self.entries: list[int] = []
        self.count = 0
        try:
            self.compile()
        except _TooManyWaysError:
            c.fault(
                f"its conduits and any states make more than {MOST_WAYS} ways from state to state; use fewer",
                sheet.id,
            )

    def compile(self) -> None:
        """Every way, by priority, then in the order of the list; those of the entry come last."""
        ranked = sorted(self.sheet.transitions, key=lambda t: t.priority)
        for transition in ranked:
            for source in self.sources(transition):
                for found in self.chains(transition, source):
                    self.exits[source].append(len(self.transitions))
                    self.transitions.append(found)
        begins = {entry.id for entry in self.sheet.of_kind("entry")}
        for transition in (t for t in ranked if t.source in begins):
            for found in self.chains(transition, -1):
                self.entries.append(len(self.transitions))
                self.transitions.append(found)

    def sources(self, transition: Transition) -> list[int]:
        """Numbers of the states that a transition leaves: one, or all that an *any* node admits."""
        if transition.source in self.order:
            return [self.order[transition.source]]
        source = self.c.node_of(self.sheet, transition.source)
        if source is None:
            self.c.fault("it begins at no state of the machine", self.sheet.id, transition.id)
        if source is None or source.kind != "any":
            return []
        listed = source.parameters.get("states")
        admitted = listed if isinstance(listed, tuple) and listed else tuple(s.name for s in self.states)
        to_self = bool(source.parameters.get("to_self", False))
        return [
            k
            for k, state in enumerate(self.states)
            if state.name in admitted and (to_self or state.id != transition.target)
        ]

    def chains(
        self, transition: Transition, source: int, through: tuple[Transition, ...] = ()
    ) -> list[MachineTransition]:
        """What a transition becomes: itself, or every way on from the conduit that it leads to."""
        path = (*through, transition)
        self.count += 1
        if self.count > MOST_WAYS:
            raise _TooManyWaysError
        if transition.target in self.order:
            return [self.chain(path, source, self.order[transition.target])]
        conduit = self.c.node_of(self.sheet, transition.target)
        if conduit is not None and conduit.kind == "exit" and source >= 0:
            return [self.chain(path, source, EXIT)]
        if conduit is None or conduit.kind != "conduit":
            self.c.fault("it leads to no state or conduit of the machine", self.sheet.id, transition.id)
            return []
        if any(step.target == conduit.id for step in through):
            self.c.fault("conduits lead in a circle", self.sheet.id, conduit.id)
            return []
        onward = sorted(
            (t for t in self.sheet.transitions if t.source == conduit.id), key=lambda t: t.priority
        )
        return [found for t in onward for found in self.chains(t, source, path)]

    def rule(self, text: str, node: str) -> int:
        """The register of a rule; its text and terms are kept, to tell why it does not hold."""
        register = self.c.expression(text, BOOL, self.sheet.id, node, "rule").register
        if register in self.rules:
            return register
        try:
            found = terms_of(text)
        except ExpressionError:  # it was told
            return register
        terms = []
        for name, arguments in found:
            if arguments is None and (place := self.c.scope.variable(name)) is not None:
                terms.append((name, place.register))
            elif name in self.c.scope.reads():
                written = f"{name}({', '.join(arguments)})" if arguments else name
                terms.append((written, self.c.scope.read(name, arguments or ()).register))
        self.rules[register] = Rule(text.strip(), tuple(terms))
        return register

    def chain(self, path: tuple[Transition, ...], source: int, target: int) -> MachineTransition:
        first, last = path[0], path[-1]
        self.c.scope.takes = set()
        rules = [self.rule(t.rule, t.id) for t in path if t.rule.strip()]
        for step in path[:-1]:
            conduit = self.sheet.node(step.target)
            if conduit.literals.get("rule", "").strip():
                rules.append(self.rule(conduit.literals["rule"], conduit.id))
        takes = tuple(sorted(self.c.scope.takes))
        seconds = self.c.expression(
            last.blend.seconds or "0", FLOAT, self.sheet.id, last.id, "blend seconds"
        ).register
        curve = last.blend.easing.curve
        track = self.c.graph.maps.get(curve) if curve else None
        if curve and track is None:
            self.c.fault(f"the graph has no map {curve!r} for its easing", self.sheet.id, last.id)
        if not rules and first.automatic is None and source >= 0:
            self.c.warn("it has no rule: it is taken at once", self.sheet.id, first.id)
        seconds, slower = self.profiled(last, seconds)
        end = self.c.node_of(self.sheet, last.target)
        begin = self.states[source].name if source >= 0 else "entry"
        return MachineTransition(
            first.id,
            f"{begin} -> {'' if end is None else end.name}",
            source,
            target,
            tuple(rules),
            first.automatic,
            first.priority,
            first.min_time,
            first.reentry_time,
            first.interrupt,
            last.blend.kind,
            seconds,
            last.blend.easing,
            -1 if track is None else self.c.scope.first_map + list(self.c.graph.maps).index(str(curve)),
            track,
            takes,
            last.interrupt_by,
            first.player,
            slower,
            last.blend.sheet,
            start=last.start,
            start_at=last.start_at,
        )

    def profiled(self, transition: Transition, seconds: int) -> tuple[int, FloatArray | None]:
        """The register of how long a blend lasts in all, and how many times slower that is than each bone."""
        blend, c = transition.blend, self.c
        if not blend.profile:
            return seconds, None
        if blend.kind is BlendKind.CUSTOM:
            c.fault("a custom blend has no profile; use masks in its sheet", self.sheet.id, transition.id)
            return seconds, None
        try:
            factors = mask_weights(c.rig, blend.profile)
        except AnimError as error:
            c.fault(f"profile: {error}", self.sheet.id, transition.id, "profile")
            return seconds, None
        longest = float(factors.max(initial=0.0))
        if longest != 1.0:
            factor = c.builder.constant(FLOAT, longest).register
            seconds = c.builder.emit(Op.MULTIPLY, FLOAT, seconds, factor).register
        if (factors == longest).all():
            return seconds, None
        return seconds, np.divide(longest, factors, out=np.full(len(factors), np.inf), where=factors > 0.0)
