"""Break points of a run: nodes, states and transitions by id, events by name."""

from dataclasses import dataclass

from core.graph.peek import machines
from editor.model.events import Event
from editor.model.graph_run.take import Sample, Take
from editor.model.i18n import tr

ZERO = 1e-5


@dataclass(frozen=True, slots=True)
class Hit:
    """What a run stopped at."""

    text: str
    node: str


class BreakPoints:
    """Where a run stops.

    Attributes
    ----------
    changed : one is set or removed
    """

    def __init__(self) -> None:
        self._nodes: set[str] = set()
        self._events: set[str] = set()
        self.changed: Event[None] = Event()

    @property
    def nodes(self) -> frozenset[str]:
        """Ids of nodes, states and transitions."""
        return frozenset(self._nodes)

    @property
    def events(self) -> frozenset[str]:
        """Names of events and notifies."""
        return frozenset(self._events)

    def toggle(self, node: str) -> None:
        """Set or remove the one at a node, state or transition."""
        self._nodes ^= {node}
        self.changed.emit(None)

    def toggle_event(self, name: str) -> None:
        """Set or remove the one at an event."""
        self._events ^= {name}
        self.changed.emit(None)

    def clear(self) -> None:
        """Remove all."""
        self._nodes.clear()
        self._events.clear()
        self.changed.emit(None)

    def __bool__(self) -> bool:
        return bool(self._nodes or self._events)

    def hit(self, take: Take) -> Hit | None:
        """What the last step of a take came to; None where it passed no break point."""
        if not self or not take.samples:
            return None
        now = take.samples[-1]
        before = take.samples[-2] if len(take.samples) > 1 else None
        for event in now.events:
            if event.name in self._events:
                return Hit(tr("event {name}", name=event.name), event.node)
        return self._machine_hit(take, now, before) or self._node_hit(take, now, before)

    def _machine_hit(self, take: Take, now: Sample, before: Sample | None) -> Hit | None:
        for k, op in enumerate(machines(take.plan)):
            known = set() if before is None else {running.number for running in before.running[k]}
            for running in now.running[k]:
                transition = op.transitions[running.number]
                if running.number not in known and transition.node in self._nodes:
                    return Hit(tr("transition {name}", name=transition.name), transition.node)
            active = now.active[k]
            entered = active >= 0 and (before is None or before.active[k] != active)
            if entered and op.states[active].node in self._nodes:
                return Hit(tr("state {name}", name=op.states[active].name), op.states[active].node)
        for event in now.events:  # a transition without blend starts and ends in a step
            if event.node in self._nodes and event.kind.startswith("transition"):
                return Hit(tr("transition {name}", name=event.name), event.node)
        return None

    def _node_hit(self, take: Take, now: Sample, before: Sample | None) -> Hit | None:
        for op in take.plan.ops:
            begins = before is None or before.weights[op.number] < ZERO
            if op.node in self._nodes and begins and now.weights[op.number] >= ZERO:
                return Hit(tr("node {name}", name=op.name or op.node), op.node)
        return None
