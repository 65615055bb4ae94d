"""What the expressions of a graph can name: its variables, and what the graph says of itself."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from core.errors import ValidationError
from core.graph.graph import Graph, Role
from core.graph.language.program import ProgramBuilder
from core.graph.language.values import BOOL, FLOAT, NAME, Kind, Value, ValueType
from core.graph.machine import MachineOp
from core.graph.op import PoseOp, Run

Fill = Callable[[Run], float]

READS = {
    "curve": ("name",),
    "time_in_state": (),
    "state": ("machine",),
    "exited": ("machine",),
    "time": ("player",),
    "remaining": ("player",),
    "weight": ("node",),
    "fired": ("trigger",),
    "take": ("trigger",),
}
"""Functions that read the graph, with what each names."""


@dataclass(slots=True)
class GraphScope:
    """Places of variables and reads; each read is filled at the beginning of a step.

    Parameters
    ----------
    ops : the plan's ops so far; reads look nodes up when the plan is complete
    machine : the machine whose rules are being compiled, for ``time_in_state``
    takes : triggers that the expression being compiled takes
    """

    graph: Graph
    builder: ProgramBuilder
    ops: list[PoseOp]
    curves: dict[str, int]
    places: dict[str, Value] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    fills: list[tuple[int, Fill]] = field(default_factory=list)
    machine: Callable[[], MachineOp] | None = None
    takes: set[int] = field(default_factory=set)
    _known: dict[tuple[str, ...], Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for variable in self.graph.variables:
            type_ = ValueType(variable.kind, variable.enum if variable.kind is Kind.ENUM else "")
            self.places[variable.name] = self.builder.place(type_, variable.default)

    def variable(self, name: str) -> Value | None:
        """The place of a variable."""
        return self.places.get(name)

    def variables(self) -> Iterable[str]:
        """Names of the variables."""
        return self.places

    def reads(self) -> Iterable[str]:
        """Names of the functions that read the graph."""
        return READS

    def track(self, name: str) -> int | None:
        """Number of a map."""
        return list(self.graph.maps).index(name) if name in self.graph.maps else None

    def enum_member(self, enum: str, member: str) -> int | None:
        """Index of an enum's member."""
        members = self.graph.enums.get(enum, ())
        return members.index(member) if member in members else None

    def name_index(self, name: str) -> int:
        """Index under which a name is held."""
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name)

    def read(self, function: str, arguments: Sequence[str]) -> Value:
        """The place of what the graph says; see `READS`."""
        wanted = READS[function]
        if len(arguments) != len(wanted):
            shape = ", ".join(f"'{name}'" for name in wanted)
            raise ValidationError(f"expected {function}({shape})")
        if function in ("fired", "take"):
            return self._trigger(function, arguments[0])
        key = (function, *arguments, str(id(self.machine)) if function == "time_in_state" else "")
        if key not in self._known:
            type_ = {"state": NAME, "exited": BOOL}.get(function, FLOAT)
            place = self.builder.place(type_)
            self.fills.append((place.register, self._fill(function, arguments)))
            self._known[key] = place
        return self._known[key]

    def _trigger(self, function: str, name: str) -> Value:
        triggers = [v.name for v in self.graph.variables if v.role is Role.TRIGGER]
        if name not in triggers:
            raise ValidationError(f"the graph has no trigger {name!r}{near(name, triggers)}")
        if function == "take":
            self.takes.add([v.name for v in self.graph.variables].index(name))
        return Value(BOOL, self.places[name].register)

    def _fill(self, function: str, arguments: Sequence[str]) -> Fill:
        if function == "curve":
            return self._curve(arguments[0])
        if function == "time_in_state":
            machine = self.machine
            if machine is None:
                raise ValidationError("time_in_state belongs into the rules of a machine")
            return lambda run: machine().time_in_state(run)
        name, ops = arguments[0], self.ops

        def found() -> PoseOp:
            return next(op for op in ops if op.name == name)

        if function == "state":
            return lambda run: self._state_name(found(), run)
        if function == "exited":
            return lambda run: self._exited(found(), run)
        if function == "weight":
            return lambda run: float(run.before[found().number])
        if function == "remaining":
            return lambda run: min(found().remaining(run), 1e12)
        return lambda run: float(run.floats[found().place.floats])

    def _state_name(self, op: PoseOp, run: Run) -> float:
        assert isinstance(op, MachineOp)
        active = op.active(run)
        return float(self.name_index(op.states[active].name if active >= 0 else ""))

    @staticmethod
    def _exited(op: PoseOp, run: Run) -> float:
        assert isinstance(op, MachineOp)
        return float(op.exited(run))

    def _curve(self, name: str) -> Fill:
        index = self.curves.get(name)
        if index is None:
            return lambda run: 0.0  # a curve that is absent is 0
        return lambda run: float(run.last_curves[index])

    def unresolved(self) -> list[str]:
        """Names of nodes that reads ask for and no op has, or that are of the wrong kind."""
        missing = []
        for function, *arguments in self._known:
            if function in ("curve", "time_in_state"):
                continue
            name = arguments[0]
            fitting = [op for op in self.ops if op.name == name]
            if not fitting:
                have = [op.name for op in self.ops if op.name]
                missing.append(f"{function}({name!r}): there is no node of that name{near(name, have)}")
            elif function in ("state", "exited") and not isinstance(fitting[0], MachineOp):
                missing.append(f"{function}({name!r}): that node is no state machine")
        return missing


def near(name: str, known: Iterable[str]) -> str:
    """A hint at names like the one that is not there, or nothing."""
    found = get_close_matches(name, list(known), n=3, cutoff=0.5)
    return f"; near: {', '.join(found)}" if found else ""
