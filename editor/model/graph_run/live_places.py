"""Where the numbers of a step belong in the document of its graph: for the canvas, whoever runs the graph."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from core.errors import AnimError
from core.graph.instance import Instance
from core.graph.language.syntax import ExpressionError
from core.graph.machine import MachineOp
from core.graph.peek import Asked, Running, asking, in_words, machines
from core.graph.plan import Plan
from editor.model.graph.live import LiveMachine, LiveTransition

MOST_ASKED = 64
"""Expressions that stay compiled."""


class Moment(Protocol):
    """What one step showed, see `editor.model.graph_run.take.Sample`; machines in the order of `peek.machines`."""

    @property
    def active(self) -> Sequence[int]: ...
    @property
    def seconds(self) -> Sequence[float]: ...
    @property
    def running(self) -> Sequence[Sequence[Running]]: ...
    @property
    def weights(self) -> npt.NDArray[Any]: ...


class LivePlaces:
    """Where a plan's numbers belong."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._asked: dict[tuple[str, str], Asked | None] = {}
        sheets = {sheet.id: sheet for sheet in plan.graph.sheets}
        inner: dict[str, str] = {
            node.id: str(node.parameters.get("sheet", ""))
            for sheet in plan.graph.sheets
            for node in sheet.nodes
        }
        self._ops: dict[str, MachineOp] = {}
        self._sheets: list[str] = []
        for op in machines(plan):
            sheet = op.node if op.node in sheets else inner.get(op.node, "")
            self._sheets.append(sheet)
            self._ops.setdefault(sheet, op)
        named: dict[str, list[int]] = {}
        for pose in plan.ops:
            named.setdefault(pose.node, []).append(pose.number)
        for op in machines(plan):
            for state in op.states:
                named[state.node] = [state.root]
        self._single = [(node, numbers[0]) for node, numbers in named.items() if len(numbers) == 1]
        self._several = [(node, numbers) for node, numbers in named.items() if len(numbers) > 1]

    @property
    def machine_sheets(self) -> tuple[str, ...]:
        """Ids of the sheets that hold machines, in the order of the plan."""
        return tuple(self._ops)

    def weights(self, moment: Moment) -> dict[str, float]:
        """Node → weight; of several ops of a node the heaviest."""
        values = moment.weights.tolist()
        found: dict[str, float] = {node: values[number] for node, number in self._single}
        for node, numbers in self._several:
            found[node] = max(values[number] for number in numbers)
        return found

    def machines_of(self, moment: Moment) -> dict[str, LiveMachine]:
        """Sheet → what its machine does; of several instances the one that counts most."""
        found: dict[str, tuple[float, LiveMachine]] = {}
        for k, op in enumerate(machines(self._plan)):
            active, sheet = moment.active[k], self._sheets[k]
            weight = float(moment.weights[op.number])
            if sheet in found and found[sheet][0] >= weight:
                continue
            running = tuple(
                LiveTransition(op.transitions[r.number].node, r.progress) for r in moment.running[k]
            )
            node = op.states[active].node if active >= 0 else ""
            found[sheet] = (weight, LiveMachine(node, moment.seconds[k], running))
        return {sheet: machine for sheet, (_, machine) in found.items()}

    def asked(self, text: str, machine: str, instance: Instance) -> str:
        """The value of an expression in words where an instance stands; "" where it is wrong.

        Parameters
        ----------
        machine : id of the machine's sheet that ``time_in_state`` means
        """
        key = (text, machine)
        if key not in self._asked:
            if len(self._asked) >= MOST_ASKED:
                self._asked.clear()
            try:
                self._asked[key] = asking(self._plan, text, self._ops.get(machine))
            except (ExpressionError, AnimError):
                self._asked[key] = None
        found = self._asked[key]
        return "" if found is None else in_words(self._plan, found.type, found.ask(instance))


class LiveValues(Mapping[tuple[str, str], str]):
    """Values of pins in words, made when they are looked at: the canvas asks for what is in sight.

    Parameters
    ----------
    values : ``(R,)`` all values of the graph's expressions
    """

    def __init__(self, plan: Plan, values: npt.NDArray[Any]) -> None:
        self._plan, self._values = plan, values

    def __getitem__(self, key: tuple[str, str]) -> str:
        place = self._plan.pins[key]
        numbers = self._values[place.register : place.register + place.type.width]
        return in_words(self._plan, place.type, numbers.astype(np.float64))

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._plan.pins)

    def __len__(self) -> int:
        return len(self._plan.pins)
