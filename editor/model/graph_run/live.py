"""What the run tells the canvas: weights, active states, transitions, values, what has just happened."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping

from core.errors import AnimError
from core.graph.language.syntax import ExpressionError
from core.graph.machine import MachineOp
from core.graph.peek import Asked, asking, in_words, machines
from core.graph.plan import Plan
from core.ids import AssetId
from editor.model.events import Event
from editor.model.graph.live import FLASH, LiveFrame, LiveMachine, LiveTransition
from editor.model.graph_run.state import GraphRun
from editor.model.graph_run.take import Sample, Take

MOST_ASKED = 64
"""Expressions that stay compiled."""


class RunLive:
    """Pictures of the run for the canvas, for the step at which it stands; implements `LiveGraph`.

    Attributes
    ----------
    changed : another picture is there
    """

    def __init__(self, graph_run: GraphRun) -> None:
        self._run = graph_run
        self._places: tuple[Plan, _Places] | None = None
        self._asked: dict[tuple[str, str], Asked | None] = {}
        self._count = 0
        self._frame: tuple[Sample, LiveFrame] | None = None
        self.changed: Event[None] = Event()
        graph_run.stepped.connect(lambda _: self._moved())
        graph_run.state_changed.connect(lambda _: self._moved())

    def _moved(self) -> None:
        self._count += 1
        self.changed.emit(None)

    @property
    def breaks(self) -> frozenset[str]:
        """Ids of what has a break point."""
        return self._run.breaks.nodes

    def frame(self, graph: AssetId) -> LiveFrame | None:
        """What a graph does at the step shown; None where it does not run."""
        take = self._run.take
        if take is None or not self._run.on or not take.at or take.plan.graph.id != graph:
            return None
        sample = take.samples[take.at - 1]
        if self._frame is not None and self._frame[0] is sample:
            return self._frame[1]
        places = self._places_of(take.plan)
        made = LiveFrame(
            self._count,
            places.weights(sample),
            places.machines_of(take.plan, sample),
            _Values(take.plan, sample),
            flashes(take),
            take.plan.pins,
        )
        self._frame = (sample, made)
        return made

    def value(self, graph: AssetId, text: str, machine: str = "") -> str:
        """The present value of an expression in words; "" where nothing runs, or it is wrong."""
        take = self._run.take
        if take is None or not self._run.on or take.plan.graph.id != graph or not text.strip():
            return ""
        places = self._places_of(take.plan)
        key = (text, machine)
        if key not in self._asked:
            if len(self._asked) >= MOST_ASKED:
                self._asked.clear()
            try:
                self._asked[key] = asking(take.plan, text, places.ops.get(machine))
            except (ExpressionError, AnimError):
                self._asked[key] = None
        found = self._asked[key]
        if found is None:
            return ""
        return in_words(take.plan, found.type, found.ask(take.character.instance))

    def _places_of(self, plan: Plan) -> "_Places":
        if self._places is None or self._places[0] is not plan:
            self._places = (plan, _Places(plan))
            self._asked.clear()
            self._frame = None
        return self._places[1]


class _Places:
    """Where a plan's numbers belong in the document."""

    def __init__(self, plan: Plan) -> None:
        sheets = {sheet.id: sheet for sheet in plan.graph.sheets}
        inner: dict[str, str] = {
            node.id: str(node.parameters.get("sheet", ""))
            for sheet in plan.graph.sheets
            for node in sheet.nodes
        }
        self.ops: dict[str, MachineOp] = {}
        self.sheets: list[str] = []
        for op in machines(plan):
            sheet = op.node if op.node in sheets else inner.get(op.node, "")
            self.sheets.append(sheet)
            self.ops.setdefault(sheet, op)
        named: dict[str, list[int]] = {}
        for pose in plan.ops:
            named.setdefault(pose.node, []).append(pose.number)
        for op in machines(plan):
            for state in op.states:
                named[state.node] = [state.root]
        self._single = [(node, numbers[0]) for node, numbers in named.items() if len(numbers) == 1]
        self._several = [(node, numbers) for node, numbers in named.items() if len(numbers) > 1]

    def weights(self, sample: Sample) -> dict[str, float]:
        """Node → weight; of several ops of a node the heaviest."""
        values = sample.weights.tolist()
        found = {node: values[number] for node, number in self._single}
        for node, numbers in self._several:
            found[node] = max(values[number] for number in numbers)
        return found

    def machines_of(self, plan: Plan, sample: Sample) -> dict[str, LiveMachine]:
        """Sheet → what its machine does; of several instances the one that counts most."""
        found: dict[str, tuple[float, LiveMachine]] = {}
        for k, op in enumerate(machines(plan)):
            active, sheet = sample.active[k], self.sheets[k]
            weight = float(sample.weights[op.number])
            if sheet in found and found[sheet][0] >= weight:
                continue
            running = tuple(
                LiveTransition(op.transitions[r.number].node, r.progress) for r in sample.running[k]
            )
            node = op.states[active].node if active >= 0 else ""
            found[sheet] = (weight, LiveMachine(node, sample.seconds[k], running))
        return {sheet: machine for sheet, (_, machine) in found.items()}


class _Values(Mapping[tuple[str, str], str]):
    """Values of pins in words, made when they are looked at: the canvas asks for what is in sight."""

    def __init__(self, plan: Plan, sample: Sample) -> None:
        self._plan, self._sample = plan, sample

    def __getitem__(self, key: tuple[str, str]) -> str:
        place = self._plan.pins[key]
        numbers = self._sample.values[place.register : place.register + place.type.width]
        return in_words(self._plan, place.type, numbers.astype("float64"))

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._plan.pins)

    def __len__(self) -> int:
        return len(self._plan.pins)


def flashes(take: Take) -> dict[str, float]:
    """Node → seconds since its last event, up to `FLASH`."""
    now = take.samples[take.at - 1].end
    first = bisect_left(take.samples, now - FLASH, key=lambda sample: sample.end)
    found: dict[str, float] = {}
    for sample in take.samples[first : take.at]:
        for event in sample.events:
            since = now - (sample.end - sample.dt + event.moment)
            if since <= FLASH:
                found[event.node] = max(since, 0.0)
    return found
